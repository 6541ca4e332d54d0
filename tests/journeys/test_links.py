"""Whole matches over infrared alone, over both media, and over either when the other fails."""

import pytest

OTHERS = ("physicist", "holy-family", "maxen", "chicago", "sevens")
SEED = 12
"""Three players who count drinks: a match of few minutes."""


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("link", ["ir", "both"])
def test_a_match_over(link, play, setup_of, complaints):
    played = play(setup_of(SEED, link=link))
    assert complaints(played) == []
    table = played.table
    assert table.infrared.transmissions > 4 * played.outcome.hops
    assert (table.air.packets > 0) is (link == "both")


@pytest.mark.soak
@pytest.mark.parametrize("game", OTHERS)
def test_every_game_goes_over_infrared_alone(game, play, setup_for, complaints):
    assert complaints(play(setup_for(game, 2, link="ir"))) == []


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("fails", ["bluetooth", "infrared"])
def test_with_both_either_is_enough_when_the_other_fails(fails, play, setup_of, complaints):
    def fail(table):
        if fails == "bluetooth":
            for seat in table.seats:
                table.air.absent(seat.seat)
        else:
            table.infrared.how = table.infrared.how._replace(loss_rate=1.0)

    played = play(setup_of(SEED, link="both"), prepare=fail)
    assert complaints(played) == []
