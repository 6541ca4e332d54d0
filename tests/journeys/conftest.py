"""The common fixture of journeys: a match with its journals in a folder of its own."""

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
