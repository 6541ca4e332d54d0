"""Whole matches over infrared alone, over both media, and over either when the other fails."""

from statistics import median

import pytest

from tests.support import handovers
from tests.support.matches import complaints, setup_for, setup_of

OTHERS = ("physicist", "holy-family", "maxen", "chicago", "sevens")
SEED = 12
"""Three players who count drinks: a match of few minutes."""


@pytest.mark.parametrize("link", ["ir", "both"])
def test_a_match_over(link, play):
    watch = handovers.HandoverWatch()
    played = play(setup_of(SEED, link=link), prepare=watch.watch)
    assert complaints(played) == []
    table = played.table
    assert table.infrared.transmissions > 4 * played.outcome.hops
    assert (table.air.packets > 0) is (link == "both")
    # With both, whichever is faster brings it.
    assert min(len(watch.offers), len(watch.takings)) > 8
    assert median(one.ms for one in watch.offers) <= handovers.OFFER_INFRARED_MS
    assert median(one.ms for one in watch.takings) <= handovers.TAKE_INFRARED_MS


def test_over_bluetooth_the_cup_changes_hands_in_three_connection_intervals(play):
    watch = handovers.HandoverWatch()
    play(setup_of(SEED), prepare=watch.watch)
    for crossings in (watch.offers, watch.takings):
        taken = [crossing.intervals for crossing in crossings if crossing.interval_s]
        assert len(taken) > 8
        assert median(taken) <= handovers.MOST_INTERVALS
    assert median(watch.setups_s) > 0.05  # or it was not measured


@pytest.mark.soak
@pytest.mark.parametrize("game", OTHERS)
def test_every_game_goes_over_infrared_alone(game, play):
    assert complaints(play(setup_for(game, 2, link="ir"))) == []


@pytest.mark.parametrize("fails", ["bluetooth", "infrared"])
def test_with_both_either_is_enough_when_the_other_fails(fails, play):
    def fail(table):
        if fails == "bluetooth":
            for seat in table.seats:
                table.air.absent(seat.seat)
        else:
            table.infrared.how = table.infrared.how._replace(loss_rate=1.0)

    played = play(setup_of(SEED, link="both"), prepare=fail)
    assert complaints(played) == []
