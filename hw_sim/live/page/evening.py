"""An evening that a tab hosts: its table and its lobby are here, its guests come over a broker.

Handhelds play over the broker itself; this tab watches, and keeps the cups of bots. A handheld
without a phone comes by the room's digits. The guests' match goes on while this tab is away. The
folder has all that a tab needs to come back: the places, the matches, the code of the room, and the
private key.
"""

import asyncio
import logging
import shutil
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from pathlib import Path
from secrets import token_bytes
from typing import Any, Final
from urllib.parse import parse_qs, quote

import msgspec

from firmware.display.text.language import Language
from firmware.journal import DEVICE_KEY, Put
from firmware.journal.sqlite import Journal, JournalError
from firmware.link.broker.brokers import MOST, SILENT_S
from firmware.link.broker.link import BrokerLink
from firmware.lobby.host import Standings
from firmware.table.pairing.standing import StandingTable
from firmware.table.protocol.room_line import HostLines, host_key_of, room_of
from hw_sim.air.broker import BridgedSession
from hw_sim.clock import PacedLoop
from hw_sim.live.page.evening_line import UNREACHED_S
from hw_sim.live.page.guest_lines import TICK_S, GuestLines
from hw_sim.live.page.kept_handheld import until_kept
from hw_sim.live.page.page_table import PageTable, put_aside
from hw_sim.live.page.streams import PageStreams, Post, RunningTasks, is_broker
from hw_sim.live.web import make_private_folder, replace_file
from hw_sim.live.web.answers import Asker
from hw_sim.live.web.client import NOBODY, serve
from hw_sim.live.web.gathering import Gathering, SeatWanted, new_device
from hw_sim.live.web.lobby_feed import UNKNOWN, WISHES, PartyAnswers
from hw_sim.live.web.match_store import STORE_ERRORS, MatchStore
from hw_sim.live.web.pages_table import PagesTable
from hw_sim.live.web.seating import MatchPlan, SeatingError
from hw_sim.live.web.seats import PartySeats
from hw_sim.live.world.setup import ANY_SEED, WorldSetup
from hw_sim.table import TablePart, TableSetup
from hw_sim.table.handheld import SharedServices

KEY_BYTES: Final = 32
SEATS, HOST = "evening.json", "host.json"
"""The files of the places, and of a `StoredHost`, in the folder."""
BACK_S: Final = 2.0
"""The time in which phones come again after a list that has come to nothing."""
log = logging.getLogger(__name__)


class NoBrokerError(ValueError):
    """An evening has no broker: one line that says what to do."""


class StoredHost(msgspec.Struct, frozen=True):
    """The host's private key, 32 bytes, and the addresses of the broker and of the next ones."""

    private: bytes
    broker: str
    others: tuple[str, ...] = ()

    @property
    def brokers(self) -> tuple[str, ...]:
        """All addresses, the usual one first."""
        return self.broker, *self.others


@dataclass
class HostedEvening(PageTable):
    """An evening's table, and the lines of its guests.

    ``guests``: their lines. ``streams``: to the broker. ``reaches``: whether the broker is there.
    ``ends``: puts away what else there is.
    """

    _: KW_ONLY
    guests: GuestLines
    streams: PageStreams
    reaches: Callable[[], bool]
    broker: str
    link: str
    ends: Callable[[], None]

    def __post_init__(self) -> None:
        super().__post_init__()
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._reached_s = self._loop.time()
        self.opened, self.heard = self.streams.opened, self.streams.heard
        self.ended = self.streams.ended
        self._tick()

    def _link(self) -> str:
        """Return the link of the guests."""
        return self.table.lobby.guests_link

    def lead(self, sites: Sequence[str], secure: str | None) -> tuple[str, str]:
        """Lead guests to addresses of the server that sends these pages, the best first.

        ``secure``: one over TLS. Returns the code that they type there, and the link behind it.
        """
        lobby, seats = self.table.lobby, self.table.seats
        assert isinstance(seats, PartySeats), "an evening has them"
        code = seats.stored.code
        first, *others = list(sites)
        reached = f"{first}{code}".upper(), tuple(others), secure
        if reached != (lobby.guests_link, lobby.others, lobby.secure):
            lobby.guests_link, lobby.others, lobby.secure = reached
            lobby.plan()
        return code, self.link

    def close(self) -> None:
        """Put the evening away; matches go on without this tab."""
        if self._timer is not None:
            self._timer.cancel()
        self._lines.close()
        self.guests.close()
        self.ends()
        super().close()

    def _tick(self) -> None:
        self._timer = self._loop.call_later(TICK_S, self._tick)
        self.guests.tick()
        now_s, lobby = self._loop.time(), self.table.lobby
        if self.reaches():
            self._reached_s = now_s
        lost = self.broker if now_s - self._reached_s > UNREACHED_S else ""
        if lobby.unreached != lost:
            if lost:
                self.guests.drop()
            lobby.unreached = lost
            lobby.plan()


async def open_evening(
    folder: Path,
    site: str,
    link: str,
    language: Language,
    post: Post,
    dial: Callable[[int, str], None],
    say: Callable[[int, str], None],
    hang_up: Callable[[int], None],
    keep: Callable[[], Awaitable[None]],
    entropy: Callable[[int], bytes] = token_bytes,
    release: str = "",
) -> HostedEvening:
    """Host the evening that is kept in a folder, or begin one.

    Args:
        folder: keeps all of it. One that cannot be read is put aside, and a line says so.
        site: the address of the pages, with a slash at the end.
        link: behind the # of the page, with the address of a ``broker``, and of others for when it
            is lost; without one the evening goes on at those that are kept.
        language: of the panels.
        post: gets what is sent to the pages of this browser.
        dial: opens a stream of a number to an address.
        say: sends a text over a stream.
        hang_up: closes a stream.
        keep: keeps the folder in the browser; what it returns fails if that is not possible.
        entropy: returns that many random bytes; the only source of chance.
        release: of the pages; guests are told it.

    Raises:
        NoBrokerError: neither the link nor the folder names a broker.
    """
    named, told = parse_qs(link).get("broker", []), None
    wanted = [each for each in named if is_broker(each)][:MOST]
    host = _host_in(folder, wanted, entropy)
    if wrong := [each for each in named if not is_broker(each)]:
        told = ("site_badBroker", ", ".join(wrong))
    try:
        store = MatchStore(folder, None, any_seed=True)
    except STORE_ERRORS as error:
        log.warning("the kept evening is put aside: %s", error)
        aside = put_aside(folder)
        for name in (SEATS, HOST):
            with suppress(OSError):
                shutil.copy(aside / name, folder)
        host, told = _host_in(folder, host.brokers, entropy), ("site_badStore", "")
        store = MatchStore(folder, None, any_seed=True)
    seats = PartySeats(folder / SEATS)
    streams = PageStreams(dial, say, hang_up)
    brokers = streams.to(host.brokers, entropy)
    loop, tasks = asyncio.get_running_loop(), RunningTasks()
    met: dict[int, StandingTable] = {}
    hosted: list[PagesTable] = []

    async def kept() -> None:
        try:
            await keep()
        except Exception as error:  # whatever a browser's store throws
            raise JournalError(str(error)) from None

    def soon(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        loop.call_soon(lambda: tasks.run(work()))

    async def begun() -> None:
        with suppress(JournalError):  # the page is told
            await kept()

    def customise(services: SharedServices) -> SharedServices:
        world = asyncio.get_running_loop()
        assert isinstance(world, PacedLoop), "a world has one"
        tables = dict(met)
        met.clear()

        async def written() -> None:
            match = hosted[0].match if hosted else None
            if match is not None and match.world.loop is world:
                await until_kept(match, kept, soon)

        def new_session() -> BridgedSession:
            return BridgedSession(world, brokers.session())

        soon(begun)  # phones play on without this tab, so it has to know the match
        return replace(
            services, broker=None, agreed_tables=tables, new_session=new_session, flushed=written
        )

    store.customise = customise
    template = TableSetup(MatchPlan().rules, language=language)
    table = PagesTable(
        store,
        seats,
        template,
        draw=lambda setup: setup.with_any_seed(partial(_seed, entropy)),
    )
    hosted.append(table)
    gathering = Gathering(seats, table.lobby.plan, brokers.session(), entropy)
    if table.match is not None and store.setup.table.part is not None:
        gathering.lobby.stood = table.match.world.table.seats[-1].device.standing
    table.lobby.gathering = gathering
    table.gather = partial(_gather, gathering, seats, table, met)
    await gathering.start()
    table.lobby.guests_link = guests_link(site, seats.stored.code, host)
    answers = PartyAnswers(seats, table.lobby)

    async def answer(path: str, body: str) -> tuple[int, str]:
        if path not in WISHES:
            return _read(table, path)
        status, found = answers.answer(path, body)
        await keep()  # a place that somebody has been told of is kept
        return status, msgspec.json.encode(found).decode()

    device = new_device(entropy)
    guests = GuestLines(
        HostLines(device, host.private, entropy),
        answer,
        partial(serve, table),
        gathering.phones.serve,
        release,
        brokers.widen,
    )
    session = brokers.session(silent_s=SILENT_S)
    guests.link = BrokerLink(session, guests.receive, entropy=entropy)
    guests.link.listen_at(room_of(seats.stored.code, host_key_of(host.private), device))
    await guests.link.start()

    def ends() -> None:
        guests.link.abandon()
        gathering.close()

    return HostedEvening(
        table,
        post,
        told,
        guests=guests,
        streams=streams,
        reaches=lambda: session.is_connected,
        broker=host.broker,
        link=table.lobby.guests_link,
        ends=ends,
    )


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

    def again() -> None:
        try:
            table.begin("")
        except SeatingError as error:
            table.lobby.refuse(error.why)

    def stands(tables: Standings | None) -> None:
        try:
            if tables is None and gathering.goes_on:
                asyncio.get_running_loop().call_later(BACK_S, again)
            elif tables is None:
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


def guests_link(site: str, code: str, host: StoredHost) -> str:
    """Return the link that leads guests to an evening; the secrets behind the # reach no server."""
    key = urlsafe_b64encode(host_key_of(host.private)).decode().rstrip("=")
    brokers = "".join(f"&broker={quote(each, safe=':/')}" for each in host.brokers)
    return f"{site}join.html#room={code}&key={key}{brokers}"


def _host_in(folder: Path, brokers: Sequence[str], entropy: Callable[[int], bytes]) -> StoredHost:
    """Return what is kept in a folder, with other brokers if any are named; keep that."""
    broker, *others = brokers or ("",)
    path = folder / HOST
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=StoredHost)
        private = kept.private if len(kept.private) == KEY_BYTES else entropy(KEY_BYTES)
        if not broker:
            broker, *others = kept.brokers
        host = StoredHost(private, broker, tuple(others))
    except (OSError, msgspec.DecodeError, RecursionError):
        host = StoredHost(entropy(KEY_BYTES), broker, tuple(others))
    if not host.broker:
        raise NoBrokerError("No broker is chosen: begin the evening on the first page")
    make_private_folder(folder)
    replace_file(path, msgspec.json.encode(host).decode())
    return host


def _seed(entropy: Callable[[int], bytes]) -> int:
    return int.from_bytes(entropy(8)) % ANY_SEED


def _read(table: PagesTable, address: str) -> tuple[int, str]:
    """Return the status and the text of what a guest reads, such as ``/card.svg``."""
    status, _, found = Asker(table.match, table.store.folder, NOBODY, is_party=True).answer(address)
    try:
        return status, found.decode()
    except UnicodeDecodeError:
        return UNKNOWN, "That cannot be read.\n"
