"""Whole matches and evenings, and events beside the play; one seed is one run, to the bit."""

import json
import os
import subprocess
import sys
from operator import le
from pathlib import Path
from statistics import median

import pytest

from game.actions import Fault, FaultKind
from hw_sim.hand.signals.shakes import ShakeLibrary
from hw_sim.players.player_hand import Slips
from hw_sim.table import Conditions
from tests.labs import digests
from tests.support import matches, measures
from tests.support.corpus import write_corpus
from tests.support.handovers import MOST_LIGHT_S, MOST_MS, HandoverWatch
from tests.support.matches import complaints, setup_for, short_setup
from tests.support.nights import at_night
from tests.support.nights import soaked as at_soak

pytestmark = pytest.mark.whole

ROOT = Path(__file__).parents[2]
CHANGED = "played otherwise; if that is meant: python -m tests.labs.digests --write"


def test_a_match_ends_with_the_right_loser_and_is_what_it_was(digested, play, tell):
    game, link, seed = digested.split()
    watch = HandoverWatch()
    played = play(digests.setup_of(game, link, int(seed)), prepare=watch.watch)
    assert complaints(played) == []
    outcome = played.outcome
    assert max(outcome.hide_latency_us, default=0) <= 1000 * measures.HIDE_TARGET_MS
    assert median([*outcome.look_latency_us, 0]) <= 1000 * measures.LOOK_TARGET_MS
    assert link != "bluetooth" or played.table.air.packets > 0
    assert (played.table.infrared.transmissions > 4 * outcome.hops) is (link == "ir")
    assert all(map(le, watch.medians_ms(), MOST_MS[link])), watch.medians_ms()
    if game == "class" and played.setup.players == 3:
        assert watch.light_us / 1e6 <= MOST_LIGHT_S * (outcome.hops + 1)
    tell(matches.numbers(played))
    assert outcome.digest == digests.kept()[digested], CHANGED


@pytest.mark.parametrize("link", ["bluetooth", at_soak("ir"), at_soak("both")])
def test_an_evening_is_what_it_was(link, tmp_path):
    evening = digests.evening(link, tmp_path)
    assert len(evening.matches) == digests.EVENINGS[link]
    assert all(match.outcome is not None for match in evening.matches)
    assert sum(evening.lost) == sum(len(match.outcome.losers) for match in evening.matches)
    assert evening.gathered_s < 120
    assert evening.violations == ()
    assert evening.leaks == ()
    assert evening.digest == digests.kept()[f"evening {link}"], CHANGED


@pytest.mark.parametrize("end_s", digests.BROWSER_S)
def test_a_table_in_the_browser_is_what_it_was(end_s, tmp_path):
    assert digests.browser(end_s, tmp_path) == digests.kept()[f"browser {end_s}"], CHANGED


def test_a_digest_of_every_run_is_kept_and_no_other():
    assert list(digests.kept()) == digests.names()


@pytest.mark.soak
def test_soak(soaked, play, tell):
    played = play(setup_for(*soaked))
    tell(matches.numbers(played))
    assert complaints(played) == []


def test_hands_shake_as_recorded_hands_did(tmp_path_factory, play):
    given = os.environ.get("RECORDINGS")
    folder = Path(given) if given else tmp_path_factory.mktemp("corpus")
    if not given:
        write_corpus(folder, seed=1, people=2)
    shakes = CountedShakes(folder)
    played = play(short_setup(conditions=Conditions(shakes=shakes)))
    assert complaints(played) == []
    assert shakes.taken > played.outcome.match.round


class CountedShakes(ShakeLibrary):
    """Recorded shakes that count how often a hand takes one."""

    taken = 0

    def draw(self, rng, duration_s):
        self.taken += 1
        return super().draw(rng, duration_s)


@pytest.mark.parametrize("game", [at_night("class"), "chicago"])
def test_one_seed_is_one_match_whatever_the_hashes_and_the_folder(game, tmp_path):
    name = digests.names(1, game, "bluetooth")[0]
    told = json.loads(
        subprocess.run(
            [sys.executable, "-m", "tests.support.matches", *name.split(), str(tmp_path)],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": "4711"},
            capture_output=True,
            check=True,
        ).stdout
    )
    assert told["digest"] == digests.kept()[name]


@pytest.mark.parametrize(
    ("game", "slips", "kind"),
    [
        ("physicist", {"drops": 0.4}, FaultKind.DROP),
        ("holy-family", {"shakes": 0.4}, FaultKind.MOVE),
    ],
)
def test_r_phys_7_r_hf_5_a_fault_is_asked_about_and_counts_if_it_is_admitted(
    game, slips, kind, play
):
    def make_clumsy(table):
        for player in table.players:
            player.slips = Slips(honest=1.0, **slips)

    played = play(short_setup(game, players=3), prepare=make_clumsy)
    assert complaints(played) == []
    actions = played.outcome.record.actions
    assert kind in {action.kind for action in actions if isinstance(action, Fault)}
