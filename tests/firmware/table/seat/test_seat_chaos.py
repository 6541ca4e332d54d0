"""Anything at any time: frames lost, late or twice, power cut anywhere, wishes and faults between.

When the air and the disks behave again, one handheld has the cup with the dice that were thrown
into it, all know the same, and the match goes on. The hostile matches here broke a promise once;
``tests.labs.redteam`` plays thousands.
"""

from collections import Counter
from random import Random

import pytest

from game import RULES, Match, Phase
from tests.labs.redteam import cores
from tests.support.chaos import Table

BUSY = (Phase.BELIEVED, Phase.THROWN, Phase.OFFERED, Phase.DOUBTED)
"""Phases of a bluff game in which dice lie under the cup."""


@pytest.mark.whole
@pytest.mark.parametrize("game", RULES)
def test_there_is_one_cup_and_the_match_goes_on(game):
    for seed in range(2):
        table = Table(game, Random(f"{game}/{seed}"))
        for _ in range(1_500):
            table.something()
        table.heal()
        assert table.at_rest(), f"seed {seed}: {table.where}"
        (holder,) = [p.own_seat for p in table.places if p.own_seat.holding] or [None]
        if holder is not None and holder.match.to_act is not None:
            full = isinstance(holder.match, Match) and holder.match.phase in BUSY
            assert (holder.dice, holder.tower) == (table.thrown if full else (None, False))


@pytest.mark.whole
@pytest.mark.parametrize(
    "number",
    [
        *range(3),
        202,  # an insider hears what it has signed behind its own back
        1885,  # an answer that waits for a signature, and the same hop of the next epoch
    ],
)
def test_a_hostile_match_keeps_every_promise(number):
    count = Counter(matches=number)
    cores._play(Random(f"25002/{number}"), count)
    assert count["frames"]
