"""What journeys share: a folder for every match, recorded motion, and no tracer."""

import os

import pytest

from tests.support.matches import play_match


@pytest.fixture
def play(tmp_path):
    """Play a match as `play_match` does, with its journals in a folder of its own."""
    folders = iter(range(1000))

    def play_it(setup, **arguments):
        folder = tmp_path / str(next(folders))
        folder.mkdir()
        return play_match(setup, folder, **arguments)

    return play_it


@pytest.fixture(scope="session")
def plain_environment():
    """The environment, for a process of its own that no coverage run traces."""
    return {name: text for name, text in os.environ.items() if not name.startswith("COVERAGE_")}
