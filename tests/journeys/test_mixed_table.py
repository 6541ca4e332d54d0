"""Lobbies and matches over two media at once; and all that a broker sees of them."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from firmware.display.screens import OnItsWayPage, WaitingPage
from firmware.table.seat.cup_custody import Position
from hw_sim.clock import run
from hw_sim.table import Carriage
from hw_sim.table.handheld import SharedServices
from hw_sim.table.headless import arrive, meet_afar
from tests.support.matches import short_setup

pytestmark = pytest.mark.whole

THREE_LINKS = (("bluetooth", "mqtt"), ("bluetooth",), ("mqtt",))
"""Ana is reached by both; Ben has no network, and Cem is in another town."""
SOME_HOPS = 3
GLANCE_S = 0.1
DARK_S = 90.0
LIMIT_S = 3600.0


class Evening:
    """Three who make up a table in the lobby; each can lose power, and has a journal."""

    def __init__(self, folder, tasks):
        self.setup = short_setup("class", players=3, carriage=Carriage(links=THREE_LINKS))
        self.folder = folder
        self.around = SharedServices.of(self.setup)
        self.tasks = tasks
        self.guests, self.running = [None] * 3, [None] * 3
        for at in range(3):
            self.switch_on(at)

    @property
    def cores(self):
        return [each.handheld.device.core for each in self.guests]

    def switch_on(self, at):
        name = self.setup.names[at]
        self.guests[at] = arrive(at, name, self.setup, self.around, self.folder)
        self.running[at] = self.tasks.create_task(self.guests[at].handheld.run())

    async def switch_off(self, at):
        self.running[at].cancel()
        await asyncio.wait([self.running[at]])
        self.around.air.switch_off(at)

    def play(self, at):
        return asyncio.ensure_future(self.guests[at].person.play(clumsy=False))

    async def sit_down(self):
        ana, ben, cem = (each.person for each in self.guests)
        await meet_afar([ana, cem])
        names = self.setup.names
        await asyncio.gather(
            ana.invite(self.setup.rules, names, names[0]), ben.join(ana.name), cem.join(ana.name)
        )


@asynccontextmanager
async def evening(folder):
    async with asyncio.TaskGroup() as tasks:
        there = Evening(folder, tasks)
        try:
            yield there
        finally:
            for task in there.running:
                task.cancel()


def test_a_guest_without_a_network_and_one_elsewhere_play_to_the_end_and_want_another(tmp_path):
    async def main():
        async with evening(tmp_path) as there, asyncio.timeout(LIMIT_S):
            await there.sit_down()
            playing = [there.play(at) for at in range(3)]
            _, ben, cem = there.cores
            while ben.position is not Position.PASSING or ben.own_seat.hop < SOME_HOPS:
                await asyncio.sleep(GLANCE_S)
            playing[0].cancel()
            await there.switch_off(0)
            await asyncio.sleep(DARK_S)
            assert ben.position is Position.PASSING
            assert cem.own_seat.hop < ben.own_seat.hop
            assert isinstance(ben.screen, OnItsWayPage)
            assert isinstance(cem.screen, WaitingPage)
            assert (ben.screen.carrier, cem.screen.carrier) == ("Ana", "Ana")
            there.switch_on(0)
            playing[0] = there.play(0)
            await asyncio.gather(*playing)
            assert not any(core.view().missed for core in there.cores)
            assert all(core.match.outcome is not None for core in there.cores)
            assert len({core.own_seat.log.digest for core in there.cores}) == 1
            await asyncio.gather(*(each.person.again() for each in there.guests))
            assert {each.handheld.device.standing.number for each in there.guests} == {1}

    run(main())
