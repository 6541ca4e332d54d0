"""The table of a party, and the lobby in which its handhelds gather."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from secrets import token_bytes

from firmware.journal.sqlite import Journal
from firmware.journal.writes import DEVICE_KEY, Put
from firmware.link.broker.session import Session
from firmware.lobby.host import Standings
from firmware.table.pairing.standing import StandingTable
from hw_sim.live.web.gathering import Gathering, SeatWanted
from hw_sim.live.web.match_store import STORE_ERRORS, MatchStore
from hw_sim.live.web.pages_table import PagesTable
from hw_sim.live.web.party_seats import PartySeats
from hw_sim.live.world.setup import WorldSetup
from hw_sim.table.handheld import SharedServices
from hw_sim.table.setup import TablePart, TableSetup


async def open_party(
    store: MatchStore,
    seats: PartySeats,
    template: TableSetup,
    outside: Session,
    fit: Callable[[SharedServices], SharedServices],
    draw: Callable[[WorldSetup], WorldSetup],
    entropy: Callable[[int], bytes] = token_bytes,
) -> tuple[PagesTable, Gathering]:
    """Open the table of a party, and its lobby.

    Args:
        store: the matches, of which one may have begun.
        seats: the guests' places.
        template: see `PagesTable`.
        outside: see `Gathering`.
        fit: of each match, which has sessions at the broker; see `MatchStore`.
        draw: see `PagesTable`.
        entropy: of the lobby; see `Gathering`.
    """
    met: dict[int, StandingTable] = {}

    def met_at(around: SharedServices) -> SharedServices:
        tables = dict(met)
        met.clear()
        return fit(replace(around, broker=None, met=tables))

    store.fit = met_at
    table = PagesTable(store, seats, template, draw=draw)
    gathering = Gathering(seats, table.lobby.plan, outside, entropy)
    if table.match is not None and store.setup.table.part is not None:
        gathering.lobby.stood = table.match.world.table.seats[-1].device.standing
    table.lobby.gathering = gathering
    table.gather = partial(_gather, gathering, seats, table, met)
    await gathering.start()
    return table, gathering


def _gather(
    gathering: Gathering,
    seats: PartySeats,
    table: PagesTable,
    met: dict[int, StandingTable],
    people: tuple[str, ...],
) -> None:
    """Make a table of the guests' handhelds, soon.

    Args:
        gathering: has those that have come.
        seats: the guests' places.
        table: begins the match.
        met: takes the tables of the places here, for the match's first world.
        people: the guests' names, by place.
    """
    devices = [gathering.device_of(place) for place in seats.players]
    wanted = [SeatWanted(name, device) for name, device in zip(people, devices)]
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


def _paired(
    setup: WorldSetup, tables: Standings, met: dict[int, StandingTable]
) -> tuple[WorldSetup, Callable[[Path], None]]:
    """Return the setup of a match at a table that a lobby has made up, and what prepares it."""
    part = TablePart(tuple(sorted(tables)), setup.table.first)
    table = replace(setup.table, part=part, link=("mqtt",))

    def prepare(folder: Path) -> None:
        met.update(tables)
        for place, standing in tables.items():
            with Journal(folder / f"seat{place}.sqlite") as journal:
                journal.write((Put(DEVICE_KEY, standing.device(place)),))

    return replace(setup, table=table), prepare
