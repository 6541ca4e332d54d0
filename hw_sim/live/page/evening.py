"""An evening that a tab hosts: its table and its lobby are here, its guests come over a broker.

Handhelds play over the broker itself; this tab watches, and keeps the cups of bots. A handheld
without a phone comes by the room's digits. The guests' match goes on while this tab is away. The
folder has all that a tab needs to come back: the places, the matches, the code of the room, and the
private key.
"""

import asyncio
from base64 import urlsafe_b64encode
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, quote

import msgspec

from firmware.display.text.language import Language
from firmware.journal import DEVICE_KEY, Put
from firmware.journal.sqlite import Journal, JournalError
from firmware.link.broker.brokers import MOST
from firmware.lobby.host import Standings
from firmware.table.protocol.room_line import host_key_of
from hw_sim.live.page.evening_line import GuestLines
from hw_sim.live.page.kept_handheld import over_brokers, until_kept
from hw_sim.live.page.page_table import WorkerTable, put_aside
from hw_sim.live.page.streams import Browser, Post, WorkLoop, is_broker
from hw_sim.live.web import make_private_folder, replace_file
from hw_sim.live.web.answers import Asker
from hw_sim.live.web.client import NOBODY, serve
from hw_sim.live.web.gathering import TICK_S, Gathering, new_device
from hw_sim.live.web.lobby_feed import UNKNOWN, WISHES, PartyAnswers
from hw_sim.live.web.match_plan import MatchPlan, SeatingError
from hw_sim.live.web.match_store import STORE_ERRORS, MatchStore
from hw_sim.live.web.seats import PartySeats
from hw_sim.live.world.setup import ANY_SEED, WorldSetup
from hw_sim.live.world.world import World
from hw_sim.table import TablePart, TableSetup
from hw_sim.table.handheld import SharedServices

KEY_BYTES: Final = 32
"""The length of a private key (X25519, RFC 7748)."""
SEATS, HOST = "evening.json", "host.json"
"""The files of the places, and of a `StoredHost`, in the folder."""
BACK_S: Final = 2.0
"""The time in which phones come again after a list that has come to nothing; chosen."""


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


class HostedEvening(WorkerTable):
    """An evening's table, its lobby, and the lines of its guests, on the running loop.

    Args:
        store: the matches.
        host: the key and the brokers.
        site, language, post, browser, release: as of `open_evening`.
        told: as of a `WorkerTable`.

    Attributes:
        broker: the usual one.
        link: the guests', at the site.
        guests: their lines.
    """

    def __init__(
        self,
        store: MatchStore,
        host: StoredHost,
        site: str,
        language: Language,
        post: Post,
        browser: Browser,
        release: str,
        told: tuple[str, str] | None,
    ) -> None:
        self._browser, entropy = browser, browser.entropy
        self._loop = WorkLoop()
        self._brokers = browser.to(host.brokers, seeks=True)
        self._met: Standings = {}
        """The tables of the places here, for the next match's first world."""
        self._seats = seats = PartySeats(store.folder / SEATS)
        store.customise = self._customise
        template = TableSetup(MatchPlan().rules, language=language)
        draw = partial(WorldSetup.with_any_seed, any_seed=partial(_seed, entropy))
        super().__init__(store, seats, template, draw=draw, post=post, told=told)
        gathering = Gathering(seats, self.lobby.plan, self._brokers.session(), entropy)
        if self.match is not None and store.setup.table.part is not None:
            gathering.lobby.stood = self.match.world.table.seats[-1].device.standing
        self._gathering = self.lobby.gathering = gathering
        self.gather = self._gather
        self.broker, self.link = host.broker, guests_link(site, seats.stored.code, host)
        self.lobby.guests_link = self.link
        self._answers = PartyAnswers(seats, self.lobby)
        self.guests = GuestLines(
            seats.stored.code,
            new_device(entropy),
            host.private,
            self._brokers,
            self._answer,
            partial(serve, self),
            gathering.phones.serve,
            entropy,
            release,
        )

    async def start(self) -> None:
        """Begin to gather, and to answer guests."""
        await self._gathering.start()
        await self.guests.start()
        self._loop.every(TICK_S, self._tick)

    def close(self) -> None:
        """Put the evening away; matches go on without this tab."""
        self._loop.cancel()
        self._lines.close()
        self.guests.close()
        self._gathering.close()
        super().close()

    def lead(self, sites: Sequence[str], secure: str | None) -> tuple[str, str]:
        """Lead guests to addresses of the server that sends these pages, the best first.

        ``secure``: one over TLS. Returns the code that they type there, and the link behind it.
        """
        lobby, code = self.lobby, self._seats.stored.code
        first, *others = list(sites)
        reached = f"{first}{code}".upper(), tuple(others), secure
        if reached != (lobby.guests_link, lobby.others, lobby.secure):
            lobby.guests_link, lobby.others, lobby.secure = reached
            lobby.plan()
        return code, self.link

    def _link(self) -> str:
        """Return the link of the guests."""
        return self.lobby.guests_link

    def _tick(self) -> None:
        lobby, lost = self.lobby, self.broker if self.guests.is_unreached else ""
        if lobby.unreached != lost:
            lobby.unreached = lost
            lobby.plan()

    async def _answer(self, path: str, body: str) -> tuple[int, str]:
        """Return the status and the text of what a guest asks for, such as ``/card.svg``."""
        if path in WISHES:
            status, found = self._answers.answer(path, body)
            await self._browser.keep()  # a place that somebody has been told of is kept
            return status, msgspec.json.encode(found).decode()
        asker = Asker(self.match, self.store.folder, NOBODY, is_party=True)
        status, _, read = asker.answer(path)
        try:
            return status, read.decode()
        except UnicodeDecodeError:
            return UNKNOWN, "That cannot be read.\n"

    def _customise(self, services: SharedServices) -> SharedServices:
        """Return the services of a world that begins, or begins anew, on the running loop."""
        world = asyncio.get_running_loop()

        async def written() -> None:
            match = self.match  # none yet while the table begins
            if match is not None and match.world.loop is world:
                await until_kept(match, self._browser.keep, self._loop)

        async def begun() -> None:
            with suppress(JournalError):  # the page is told
                await self._browser.keep()

        # Phones play on without this tab, so it has to know the match.
        self._loop.soon(lambda: self._loop.run(begun()))
        tables, self._met = dict(self._met), {}
        return over_brokers(services, self._brokers, tables, written)

    # ---- the next match ----------------------------------------------------------------------

    def _gather(self, people: tuple[str, ...]) -> None:
        """Make a table of the guests' handhelds, soon; ``people``: their names, by place."""
        devices = [self._gathering.device_of(place) for place in self._seats.players]
        setup = self.setup_of(people)
        table, stands = setup.table, partial(self._stand, setup)
        self._gathering.stand(table.rules, table.names, devices, table.first, stands)

    def _stand(self, setup: WorldSetup, tables: Standings | None) -> None:
        """Begin the match at a table that stands; None: its list has come to nothing."""
        lobby = self.lobby
        try:
            if tables is not None:
                self.play(self._world(setup, tables))
            else:
                self._brokers.widen()  # whoever was silent may be at the others alone
                self._loop.after(BACK_S, self._go_on)
        except STORE_ERRORS:
            lobby.refuse("disk")
        lobby.plan()

    def _go_on(self) -> None:
        """Begin without the phones that let a list come to nothing, unless too few are left."""
        lobby = self.lobby
        if self._seats.hindrance:
            self._gathering.forgive()
        elif self._gathering.goes_on:
            try:
                self.begin("")
            except SeatingError as error:
                lobby.refuse(error.why)
            return
        lobby.refuse("silent")
        lobby.plan()

    def _world(self, setup: WorldSetup, tables: Standings) -> World:
        """Return the world of a match at a table that the lobby has formed."""
        part = TablePart(tuple(sorted(tables)), setup.table.first)
        table = replace(setup.table, part=part, link=("mqtt",))

        def prepare(folder: Path) -> None:
            self._met = dict(tables)
            for place, standing in tables.items():
                with Journal(folder / f"seat{place}.sqlite") as journal:
                    journal.write((Put(DEVICE_KEY, standing.device(place)),))

        return self.store.next(replace(setup, table=table), prepare)


async def open_evening(
    folder: Path,
    site: str,
    link: str,
    language: Language,
    post: Post,
    browser: Browser,
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
        browser: keeps the folder, and has the streams to brokers.
        release: of the pages; guests are told it.

    Raises:
        NoBrokerError: neither the link nor the folder names a broker.
    """
    named, told = parse_qs(link).get("broker", []), None
    wanted = [each for each in named if is_broker(each)][:MOST]
    host = _host_in(folder, wanted, browser.entropy)
    if wrong := [each for each in named if not is_broker(each)]:
        told = ("site_badBroker", ", ".join(wrong))
    try:
        store = MatchStore(folder, None, any_seed=True)
    except STORE_ERRORS as error:
        told = put_aside(folder, error, SEATS, HOST)
        host = _host_in(folder, host.brokers, browser.entropy)
        store = MatchStore(folder, None, any_seed=True)
    evening = HostedEvening(store, host, site, language, post, browser, release, told)
    await evening.start()
    return evening


def guests_link(site: str, code: str, host: StoredHost) -> str:
    """Return the link that leads guests to an evening; the secrets behind the # reach no server.

    The key comes last, so that a link is known to be cut short at any length.
    """
    key = urlsafe_b64encode(host_key_of(host.private)).decode().rstrip("=")
    brokers = "".join(f"broker={quote(each, safe=':/')}&" for each in host.brokers)
    return f"{site}join.html#{brokers}room={code}&key={key}"


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
