"""Handhelds without a phone at a party, in memory and in virtual time."""

import asyncio
from dataclasses import replace

from firmware.display.screens import AlertPage
from firmware.lobby.lobby import Lobby
from game import RULES
from hw_sim.live.web.gathering import HOST
from hw_sim.table.evening import arrive
from hw_sim.table.handheld import Surroundings
from hw_sim.table.setup import TableSetup

RULE_SET = RULES["sevens"]


def surroundings(party, link):
    """The surroundings of all handhelds at a party: their air and its broker."""
    return replace(
        Surroundings.of(TableSetup(RULE_SET, link=link)), new_session=party.broker.session
    )


class FarHandheld:
    """A handheld that is switched on, in the hands of somebody who goes to the party.

    ``at`` tells it from others on the air, which is in what it shares with them, ``around``.
    """

    def __init__(self, party, name, link=("mqtt",), at=5, around=None):
        self.party, self.name, self.link, self.at = party, name, link, at
        self.around = around or surroundings(party, link)
        self.switch_on()

    def switch_on(self):
        setup = TableSetup(RULE_SET, link=self.link)
        self.seat, self.person = arrive(self.at, self.name, setup, self.around, self.party.folder)
        self.device = self.seat.device
        self.running = asyncio.ensure_future(self.seat.run())

    async def switch_off(self):
        """Lose power; the journal stays."""
        self.running.cancel()
        await asyncio.wait([self.running])
        self.around.air.switch_off(self.at)

    def come(self):
        """Enter the party's room, if it can, and join."""

        async def come():
            if "mqtt" in self.link:
                await self.person.enter_room(self.party.table.lobby.gathering.code)
            await self.person.join(HOST)

        self.coming = asyncio.ensure_future(come())

    def play(self):
        self.playing = asyncio.ensure_future(self.person.play(clumsy=False))

    @property
    def numbers(self):
        """Those that it shows, to compare."""
        core = self.device.core
        return core.pairing.state.numbers if isinstance(core, Lobby) and core.pairing else None

    def shows(self, alert):
        return self.device.screen == AlertPage(alert)
