"""Fixtures of the tests of devices: one on its own, with a journal."""

import pytest

from tests.support.lobbies import Lone


@pytest.fixture
def lone(tmp_path):
    """Give one device that has just been switched on."""
    made = Lone(tmp_path)
    yield made
    made.journal.close()
