"""From power on to the rematch, by simulated hands over the simulated air."""

import pytest

from game import RULES
from hw_sim.clock.virtual import run
from hw_sim.table.evening import gather
from hw_sim.table.setup import TableSetup


@pytest.mark.parametrize(
    ("seed", "game", "link"),
    [(1, "class", "bluetooth"), (2, "sevens", "ir"), (3, "sevens", "both")],
)
def test_three_handhelds_find_each_other_play_and_play_again(tmp_path, seed, game, link):
    setup = TableSetup(RULES[game], players=3, seed=seed, link=link)
    evening = run(gather(setup, tmp_path))
    assert len(evening.matches) == 2
    assert all(match.outcome is not None for match in evening.matches)
    assert evening.matches[0].players == setup.names
    assert sum(evening.lost) == sum(len(match.outcome.losers) for match in evening.matches)
    assert evening.gathered_s < 120
    assert evening.violations == ()
    assert evening.leaks == ()
