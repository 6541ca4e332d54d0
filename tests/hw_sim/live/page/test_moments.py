"""Three phones, any of which is closed for good at any moment: the others play on in a minute."""

import asyncio

import pytest

from firmware.table.seat.cup_custody import Position
from game import Phase, Status
from game.actions import Doubt
from hw_sim.clock import run
from tests.support.evenings import an_evening

NAMES = ("Ada", "Bo", "Cy")
PLAN = {"game": "class", "options": {}, "bots": []}
WITH_A_BOT = PLAN | {"bots": ["cheeky"]}
"""Two people alone are too few for class."""
ONE_ROUND = {"game": "sevens", "options": {"rounds": 1}, "bots": []}
MOST_S = 60.0
"""The others play on within so long."""


def stands(*positions, phases=tuple(Phase)):
    """Return what waits until a phone is somewhere in a match of class."""

    async def until(evening, phone):
        await evening.begin(PLAN)
        seat = phone.seat.handheld
        await evening.until(lambda: seat.position in positions and seat.match.phase in phases, 1200)

    return until


async def at_a_reveal(evening, phone):
    await evening.begin(PLAN)
    match = evening.host.watcher.handheld
    await evening.until(lambda: match.match.round > 1, 1200)


async def doubting(evening, phone):
    await evening.begin(PLAN)
    seat = phone.seat.handheld.own_seat
    await evening.until(lambda: seat.given_answer == Doubt(), 1200)


async def with_its_host_anew(evening, phone):
    await evening.begin(PLAN)
    await evening.plays_on()
    await evening.host.again()
    assert evening.host.world is not None, "it knows the match"


async def in_the_lobby(evening, phone):
    await evening.wait(1)


async def at_the_end(evening, phone):
    await evening.begin(ONE_ROUND)
    await evening.until(lambda: evening.is_over, 1200)
    evening.host.say_on_screen(do="choose", plan=WITH_A_BOT)


async def at_the_rematch(evening, phone):
    await at_the_end(evening, phone)
    await evening.until(lambda: evening.gathered(3), 60)
    evening.ask_to_begin()
    await evening.wait(0.5)


async def as_the_host(evening, phone):
    await evening.until(
        lambda: any(each.lobby and each.lobby["host"] for each in evening.guests), 10
    )


MOMENTS = {
    "lobby": in_the_lobby,
    "own turn": stands(Position.MINE, phases=(Phase.OPENING, Phase.THROWN)),
    "offered": stands(Position.OFFERED, phases=(Phase.OFFERED,)),
    "doubting": doubting,
    "reveal": at_a_reveal,
    "host anew": with_its_host_anew,
    "end": at_the_end,
    "rematch": at_the_rematch,
    "host": as_the_host,
}
IN_A_MATCH = ("own turn", "offered", "doubting", "reveal", "host anew")


async def others_go_on(evening, lost):
    """Go on without a phone in the middle of a match."""
    seat, watcher = lost.seat.seat, evening.host.watcher
    evening.lose(lost)
    await evening.until(lambda: watcher.handheld.match.status[seat] is Status.LEFT, MOST_S)
    known = watcher.log.at.index
    await evening.until(lambda: evening.is_over or watcher.log.at.index > known, MOST_S)


async def others_begin(evening, lost, moment):
    """Begin the next match without a phone, by whoever may."""
    before = [each.world for each in evening.guests if each is not lost]
    evening.guests.remove(lost)
    lost.close()

    def all_play():
        now = [each.world for each in evening.guests]
        return not [each for each, was in zip(now, before) if each is None or each is was]

    def ask():
        if moment != "host":
            evening.ask_to_begin()
        for each in evening.guests if moment == "host" else ():
            if each.lobby["host"]:
                each.tell(do="begin")

    while not all_play():
        ask()  # people press again
        await evening.wait(5)
    watcher = evening.host.watcher
    await evening.until(lambda: watcher.log.at.index > 0, MOST_S)


@pytest.mark.night
@pytest.mark.parametrize("who", range(3))
@pytest.mark.parametrize("moment", MOMENTS)
def test_the_others_play_on_without_a_phone_that_is_closed(moment, who, tmp_path):
    async def main():
        async with an_evening(tmp_path, 30 + who) as evening:
            await evening.gather(*NAMES)
            lost = evening.guests[who]
            await MOMENTS[moment](evening, lost)
            async with asyncio.timeout(MOST_S):
                if moment in IN_A_MATCH:
                    await others_go_on(evening, lost)
                else:
                    await others_begin(evening, lost, moment)

    run(main())
