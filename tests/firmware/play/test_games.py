"""Every game on the handheld: whole matches by tilt, tap and hold alone, and what is its own."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game import RULES
from tests.support import core_table as cores

S = 1_000_000


@pytest.mark.parametrize("game", RULES)
@settings(max_examples=3, deadline=None)
@given(size=st.integers(2, 5), seed=st.integers(0, 2**32))
def test_any_match_of_any_game_can_be_played_with_the_dial_alone(game, size, seed):
    size = max(size, RULES[game].fewest_players)
    table = cores.CoreTable(size, game=game, seed=seed, first=seed % size, **cores.SHORT[game])
    table.walk(Random(seed))
    table.check_the_end()
