"""The table of a party, with the relay that handhelds of phones come over."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from secrets import token_bytes
from typing import Final

from firmware.journal.sqlite import Journal
from firmware.journal.writes import DEVICE_KEY, Put
from firmware.link.broker.session import Session
from firmware.table.pairing.standing import StandingTable
from hw_sim.air.bridged import BridgedSession
from hw_sim.air.broker import MemoryBroker
from hw_sim.clock.paced import PacedLoop
from hw_sim.live.web.frame_relay import FrameRelay
from hw_sim.live.web.gathering import Gathering, SeatWanted, Standings
from hw_sim.live.web.match_store import STORE_ERRORS, MatchStore
from hw_sim.live.web.pages_table import PagesTable
from hw_sim.live.web.party_seats import PartySeats
from hw_sim.live.world.setup import WorldSetup
from hw_sim.table.handheld import Surroundings
from hw_sim.table.setup import TableSetup

AT_ONCE: Final = (0.0, 0.0)
"""The time of one way between a handheld and the broker in this very process."""


async def open_party(
    store: MatchStore,
    seats: PartySeats,
    template: TableSetup,
    *,
    owns: bool = True,
    new_session: Callable[[], Session] | None = None,
    fit: Callable[[Surroundings], Surroundings] = lambda around: around,
    draw: Callable[[WorldSetup], WorldSetup] = WorldSetup.drawn,
    entropy: Callable[[int], bytes] = token_bytes,
    outside: Session | None = None,
) -> tuple[PagesTable, FrameRelay]:
    """Open the table of a party, and its relay.

    Args:
        store: the matches, of which one may have begun.
        seats: the guests' places.
        template: see `PagesTable`.
        owns: whether phones can keep their dice themselves.
        new_session: makes sessions at the broker over which other handhelds come; None: none come,
            and there is a broker in memory.
        fit: of each match, which else talks over the relay; see `MatchStore`.
        draw: see `PagesTable`.
        entropy: of the lobby; see `Gathering`.
        outside: as ``entropy``.
    """
    broker = MemoryBroker(0, AT_ONCE)
    relay = FrameRelay(seats, new_session or broker.session)
    broker.keeps = relay.keeps
    met: dict[int, StandingTable] = {}

    def met_at(around: Surroundings) -> Surroundings:
        world = asyncio.get_running_loop()
        assert isinstance(world, PacedLoop), "a world has one"
        tables = dict(met)
        met.clear()
        relayed = replace(
            around,
            broker=None,
            met=tables,
            new_session=lambda: BridgedSession(world, relay.new_session()),
        )
        return fit(relayed)

    store.fit = met_at
    table = PagesTable(store, seats, template, draw=draw)
    is_open = new_session is not None
    if owns or is_open:
        table.lobby.has_own = owns
        gathering = Gathering(
            relay, seats, table.lobby.plan, entropy, is_open=is_open, outside=outside
        )
        if table.match is not None and store.setup.table.paired:
            standing = table.match.world.table.seats[-1].device.standing
            assert standing is not None, "the match is played at a table that a lobby made"
            relay.seat(standing)
        table.lobby.gathering = gathering
        table.gather = partial(_gather, gathering, seats, table, met)
        await gathering.start()
    return table, relay


def _gather(
    gathering: Gathering,
    seats: PartySeats,
    table: PagesTable,
    met: dict[int, StandingTable],
    people: tuple[str, ...],
) -> bool:
    """Make a table of the guests' handhelds, soon; return False if all their cups are here.

    Args:
        gathering: has those that have come.
        seats: the guests' places.
        table: begins the match.
        met: takes the tables of the places here, for the match's first world.
        people: the guests' names, by place.
    """
    devices = [gathering.device_of(place) for place in seats.players]
    wanted = [SeatWanted(name, device) for name, device in zip(people, devices)]
    if not any(each.device for each in wanted):
        return False
    setup = table.setup_of(people)
    wanted += [SeatWanted(name, None) for name in setup.table.names[len(wanted) :]]

    def stands(tables: Standings | None) -> None:
        try:
            if tables is None:
                table.lobby.refuse("silent")
            else:
                table.play(table.store.next(*_paired(setup, tables, met)))
        except STORE_ERRORS:
            table.lobby.refuse("disk")
        table.lobby.plan()

    gathering.stand(setup.table.rules, wanted, setup.table.first, stands)
    return True


def _paired(
    setup: WorldSetup, tables: Standings, met: dict[int, StandingTable]
) -> tuple[WorldSetup, Callable[[Path], None]]:
    """Return the setup of a match at a table that a lobby has made up, and what prepares it."""
    here, opens = tuple(sorted(tables)), setup.table.first
    table = replace(setup.table, here=here, opens=opens, paired=True, link=("mqtt",))

    def prepare(folder: Path) -> None:
        met.update(tables)
        for place, standing in tables.items():
            with Journal(folder / f"seat{place}.sqlite") as journal:
                journal.write((Put(DEVICE_KEY, standing.device(place)),))

    return replace(setup, table=table), prepare
