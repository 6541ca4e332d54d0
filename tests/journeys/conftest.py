"""Fixtures of the journeys: how to play a match, and who judges it."""

import os
from pathlib import Path

import pytest

from hw_sim.trials.gestures.corpus import write_corpus
from tests.support import handovers as match_handovers
from tests.support import matches
from tests.support import measures as match_measures
from tests.support.referees import naive_checker, naive_glasses_checker, naive_open_checker


@pytest.fixture(scope="session")
def playing():
    return matches


@pytest.fixture(scope="session")
def measures():
    return match_measures


@pytest.fixture(scope="session")
def handovers():
    return match_handovers


@pytest.fixture(scope="session")
def judges(playing):
    """The naive referee of every game."""

    def of_class(lines):
        told = naive_checker.judge(lines)
        return playing.Judged(
            told.disagreements, told.over, tuple(told.losers), tuple(told.penalties)
        )

    def of_glasses(lines):
        told = naive_glasses_checker.judge(lines)
        objections = [told.disagreement] if told.disagreement else []
        return playing.Judged(objections, told.over, tuple(told.losers), tuple(told.paid))

    def of_open_dice(lines):
        told = naive_open_checker.judge(lines)
        objections = [told.disagreement] if told.disagreement else []
        return playing.Judged(objections, told.over, tuple(told.losers), tuple(told.coasters))

    return {
        "class": of_class,
        **dict.fromkeys(("physicist", "holy-family"), of_glasses),
        **dict.fromkeys(("maxen", "chicago", "sevens"), of_open_dice),
    }


@pytest.fixture(scope="session")
def complaints(playing, judges):
    """Tell what is not as it must be at the end of a match; an empty list is a good match.

    ``refereed`` False leaves out the naive referee, who may not know all that can happen.
    """

    def tell(played, *, refereed=True):
        judge = judges[played.setup.rules.game] if refereed else None
        return playing.complaints(played, judge)

    return tell


@pytest.fixture(scope="session")
def setup_of(playing):
    return playing.setup_of


@pytest.fixture(scope="session")
def setup_for(playing):
    return playing.setup_for


@pytest.fixture(scope="session")
def shows(playing):
    """Whether a person sees a screen on a seat's panel."""
    return playing.shows


@pytest.fixture
def play(playing, tmp_path):
    """Play a match as ``playing.play_match`` does, with its journals in a folder of its own."""
    folders = iter(range(1000))

    def play_it(setup, **arguments):
        folder = tmp_path / str(next(folders))
        folder.mkdir()
        return playing.play_match(setup, folder, **arguments)

    return play_it


@pytest.fixture(scope="session")
def recordings(tmp_path_factory):
    """A folder of recorded motion: RECORDINGS names one, or it is made up."""
    given = os.environ.get("RECORDINGS")
    if given:
        return Path(given)
    folder = tmp_path_factory.mktemp("corpus")
    write_corpus(folder, seed=1, people=2)
    return folder


@pytest.fixture(scope="session")
def plain_environment():
    """The environment, for a process of its own that no coverage run traces."""
    return {name: text for name, text in os.environ.items() if not name.startswith("COVERAGE_")}
