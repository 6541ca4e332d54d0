"""Matches in which something breaks: the handheld says so, goes on, and nothing is lost."""

import asyncio

import pytest

from firmware.display.screens import Delivery, LookPage, OnItsWayPage, ShakingPage
from firmware.table.seat.cup_custody import Position
from hw_sim.panel import shows_pips
from tests.support.matches import complaints, short_setup, shows
from tests.support.nights import at_night

pytestmark = pytest.mark.whole

GLANCE_S = 0.005
SAID_WITHIN_S = 2.0
"""A handheld asks for motion and light all the time, so a fault is seen at once."""
WELL_WITHIN_S = 3.0
STUCK_S = 1.5
WIPED_WITHIN_S = 1.6
"""A transfer on a stuck bus ends after 1 s, and a part that failed is tried again after 0.5 s."""
ABSENT_S = 20.0
LIMIT_S = 3600.0


async def until(condition, within_s, what):
    """Look again and again; time is virtual."""
    loop = asyncio.get_running_loop()
    last_s = loop.time() + within_s
    while not condition():
        assert loop.time() < last_s, f"not within {within_s:g} s: {what}"
        await asyncio.sleep(GLANCE_S)


async def first_to_show(table, screen_type):
    """Wait until some seat is to show such a screen; return it a moment later."""
    found = []

    def looks():
        found[:] = [seat for seat in table.seats if isinstance(seat.handheld.screen, screen_type)]
        return found

    await until(looks, 600.0, f"a seat that shows {screen_type.__name__}")
    await asyncio.sleep(0.3)
    return found[0]


@pytest.fixture
def ends_well(play):
    """Play a match with something beside it, and check its end.

    While the bus does not move, nobody can empty the accelerometer's FIFO: that it overruns is
    the consequence of such a fault, and the only violation there may be.
    """

    def check(expected=(), **beside):
        played = play(short_setup(), limit_s=LIMIT_S, **beside)
        found = [line for line in complaints(played) if "FIFO overrun" not in line]
        assert [line for line in found if not line.endswith(tuple(expected))] == []
        for seat in played.table.seats:
            assert not seat.device.shell.part_alerts
        return played

    return check


@pytest.mark.parametrize(
    ("part", "while_showing"),
    [
        ("accelerometer", ShakingPage),
        at_night("display", LookPage),
        at_night("light", LookPage),
        pytest.param("", LookPage, id="bus"),
    ],
)
def test_a_part_that_is_off_or_a_bus_that_is_stuck_for_a_while(part, while_showing, ends_well):
    """A bus that does not move cannot take dice off the panel; they go as soon as it moves."""
    stayed = []

    async def injure(table):
        seat = await first_to_show(table, while_showing)
        board, alerts = seat.board, seat.device.shell.part_alerts
        assert seat.watch.leaks == []
        if part:
            board.unplug(part)
            await until(lambda: alerts, SAID_WITHIN_S, f"{part} is missed")
            await asyncio.sleep(ABSENT_S)
            board.replug(part)
        else:
            board.stick()
            await asyncio.sleep(STUCK_S)
            assert alerts
            board.stick(stuck=False)
            gone = lambda: not shows_pips(board.display.memory)  # noqa: E731
            await until(gone, WIPED_WITHIN_S, "dice are gone")
            stayed.extend(seat.watch.leaks)
        await until(lambda: not alerts, WELL_WITHIN_S, "all parts in order again")

    ends_well(stayed, beside=injure)


def test_a_seat_that_is_out_of_range_for_a_while(ends_well):
    """The seat that is offered the cup walks away with it unanswered; the giver's panel says so."""

    async def walk_away(table):
        def offered():
            return [seat.seat for seat in table.seats if seat.handheld.position is Position.OFFERED]

        await until(offered, 600.0, "a cup that is offered")
        away = offered()[0]
        table.air.absent(away)
        giver = next(seat for seat in table.seats if seat.handheld.position is Position.PASSING)
        match = giver.handheld.match
        silent = OnItsWayPage(match.players[away], match.said, Delivery.SILENT)
        turn = match.turn
        language = short_setup().language
        await until(lambda: shows(giver, silent, language), ABSENT_S, "the giver hears nothing")
        await asyncio.sleep(ABSENT_S)
        assert giver.handheld.match.turn == turn
        table.air.present(away)

    ends_well(beside=walk_away)
