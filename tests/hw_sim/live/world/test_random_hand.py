"""No match stands, whatever a hand does to its handheld."""

import pytest

from game import RULES
from tests.support.random_hand import SHORT, played


def test_a_match_ends_whatever_a_hand_does(tmp_path):
    played(tmp_path, "sevens", 3)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", RULES)
def test_every_match_ends_whatever_a_hand_does(tmp_path, game, seed):
    assert set(SHORT) == set(RULES)
    played(tmp_path, game, seed)
