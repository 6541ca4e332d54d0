"""Anything at any time: frames lost, late or twice, power cut anywhere, wishes and faults between.

When the air and the disks behave again, one handheld has the cup with the dice that were thrown
into it, all know the same, and the match goes on. The hostile matches here broke a promise once;
``tests.labs.redteam`` plays thousands.
"""

from collections import Counter
from random import Random

import pytest

from firmware.table.seat.cup_custody import Position
from firmware.table.seat.votes import EPOCHS_PER_MATCH
from game import RULES, Match, Phase
from tests.labs.redteam import cores
from tests.support.chaos import Table
from tests.support.nights import nightly

BUSY = (Phase.BELIEVED, Phase.THROWN, Phase.OFFERED, Phase.DOUBTED)
"""Phases of a bluff game in which dice lie under the cup."""


@pytest.mark.parametrize("game", RULES)
def test_there_is_one_cup_and_the_match_goes_on(game):
    for seed in range(3):
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
@pytest.mark.parametrize("game", nightly(RULES, "class", "chicago", "sevens"))
def test_a_table_that_goes_on_without_this_one_or_that_one_stays_one_table(game):
    renewed = 0
    for seed in range(6):
        table = Table(game, Random(f"{game} renewed/{seed}"), renews=True)
        for _ in range(1_500):
            table.something()
        table.off = None
        table.heal()
        for place in table.places:
            if place.own_seat.position is Position.MINE:
                table.act(place.own_seat, place.own_seat.match)  # who is late hears of that
        table.heal()
        assert table.at_rest(), f"seed {seed}: {table.where}"
        assert len({place.own_seat.epoch for place in table.places}) == 1, f"seed {seed}"
        renewed += table[0].own_seat.epoch > EPOCHS_PER_MATCH
    assert renewed


@pytest.mark.parametrize(
    "number",
    [
        202,  # an insider hears what it has signed behind its own back
        1885,  # an answer that waits for a signature, and the same hop of the next epoch
    ],
)
def test_a_hostile_match_keeps_every_promise(number):
    count = Counter(matches=number)
    cores._play(Random(f"25002/{number}"), count)
    assert count["frames"]
