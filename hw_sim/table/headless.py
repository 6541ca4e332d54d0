"""Matches in virtual time, from power on or from the first shake: their story and their pictures.

An evening begins with handhelds that know nobody: they come together, play, and play again. A
picture is made of the SSD1306's memory whenever a panel has settled on something new. The names of
the files sort by time::

    000123.456-seat1-ben.png

is the panel of seat 1 as it was last written at 123.456 s of the loop's time.

Numbers without a source are chosen.
"""

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

from firmware.cli.console import CommandError, because
from firmware.display.text.language import Language
from firmware.journal import write_file
from firmware.link.broker import BrokerError
from firmware.settings import Settings
from firmware.story import tell
from firmware.table.log.entries import decode_entries
from game import AnyMatch, apply, new_match, public
from game.events import Event, Revealed
from hw_sim.air import bluetooth_address
from hw_sim.clock import HurriedLoop, run
from hw_sim.panel import panel, png
from hw_sim.players.player import LobbyError, LobbyPlayer
from hw_sim.story.card import Moment, moments_of
from hw_sim.table import MatchReport, TableSetup
from hw_sim.table.handheld import SharedServices, SimulatedHandheld
from hw_sim.table.table import SimulatedTable


class Story:
    """The public events of a table.

    Attributes:
        lines: what has happened so far, a sentence for each event.
        moments: what all looked up for so far.
        events: what happened so far.
        match: how the match stands.
        before_lift: how it stood before a cup was lifted for the last time.
    """

    def __init__(self, table: SimulatedTable, language: Language) -> None:
        self.lines: list[str] = []
        self.moments: list[Moment] = []
        self.events: list[Event] = []
        self._table = table
        self._language = language
        setup = table.setup
        self.match: AnyMatch = new_match(setup.rules, setup.names, setup.first)
        self.before_lift = self.match
        self._heard = 0

    def update(self) -> None:
        """Add the entries of the seats here since the last call.

        An open throw waits until its cup is lifted: before that one seat knows it.
        """
        own_seats = (seat.handheld.own_seat for seat in self._table.seats)
        knows = max(own_seats, key=lambda own_seat: own_seat.public_end)
        if knows.public_end <= self._heard:  # as almost always
            return
        new = knows.log.since(self._heard)[: knows.public_end - self._heard]
        self._heard += len(new)
        for action in decode_entries(b"".join(new)):
            step = apply(self.match, public(action, self.match))
            if any(isinstance(each, Revealed) for each in step.events):
                self.before_lift = self.match
            self.match = step.match
            self.moments += moments_of(step)
            self.events += step.events
            self.lines += [_sentence(clause) for clause in tell(step, self._language)]


def _sentence(clause: str) -> str:
    return f"{clause[:1].upper()}{clause[1:]}."


T = TypeVar("T")
MEMORY_FOLDER = Path("/dev/shm")
"""Memory with the face of a disk, where the system has one: journals sync every write."""


HURRY = 10.0
"""How many times as fast as life a match over a real broker goes, usually."""
LONGEST_S = 10_800.0
"""No match takes so long: eight players until one is left play for less than an hour."""


def play_match(
    setup: TableSetup,
    folder: Path,
    prepare: Callable[[SimulatedTable], object] | None = None,
    hurry: float = HURRY,
) -> MatchReport:
    """Play a match to its end, every seat by a simulated player.

    Args:
        setup: what is to be played.
        folder: an empty folder for the journals; `journal_folder` makes one.
        prepare: is given the table before anything moves, to watch it.
        hurry: how many times as fast as life it goes over a real broker.

    Raises:
        ClockError: the simulation itself cannot go on.
        KeyboardInterrupt: Ctrl-C was pressed; the table is closed.
    """
    interrupted = threading.Event()

    async def main() -> MatchReport:
        table = SimulatedTable(setup, folder)
        if prepare is not None:
            prepare(table)
        with _cancelled_by_interrupt(interrupted):
            return await table.play()

    try:
        return run_with(setup, main(), hurry)
    except asyncio.CancelledError:
        if interrupted.is_set():
            raise KeyboardInterrupt from None
        raise


def run_with(setup: TableSetup, main: Coroutine[Any, Any, T], hurry: float = HURRY) -> T:
    """Run ``main`` with a table's handhelds: in virtual time, or ``hurry`` times as fast as life.

    It is hurried over a real broker.

    Raises:
        BrokerError: over a real broker it takes longer than `LONGEST_S`.
    """
    if setup.carriage.broker is None:
        return run(main)

    async def bounded() -> T:
        try:
            async with asyncio.timeout(LONGEST_S):
                return await main
        except TimeoutError:
            raise BrokerError(
                f"broker {setup.carriage.broker}: no end after {LONGEST_S:g} s of play: "
                "look at the broker"
            ) from None

    with asyncio.Runner(loop_factory=lambda: HurriedLoop(hurry)) as runner:
        return runner.run(bounded())


@contextmanager
def _cancelled_by_interrupt(interrupted: threading.Event) -> Iterator[None]:
    """Let Ctrl-C cancel the current task between two callbacks instead of anywhere inside one."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    task = asyncio.current_task()
    assert task is not None, "a coroutine runs in a task"

    def interrupt(_number: int, _frame: object) -> None:
        interrupted.set()
        task.cancel()

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def journal_folder() -> Iterator[Path]:
    """Make an empty folder for the journals of a match; it is gone afterwards."""
    parent = MEMORY_FOLDER if MEMORY_FOLDER.is_dir() else None
    with TemporaryDirectory(prefix="maexchen-", dir=parent) as folder:
        yield Path(folder)


SETTLED_US = 150_000
"""A panel that is not written for this time has settled; a whole picture takes a third."""
MOST_FRAMES = 2000
"""No more pictures than this of one match."""


class FrameWriter:
    """Writes the pictures of a table's panels into a folder, which is made if need be.

    ``count`` are written. ``full_at_us`` is when the limit ``most`` was reached, in µs, and
    ``trouble`` why nothing can be written any more; both None as long as all is well.

    Raises:
        CommandError: the folder cannot be used.
    """

    def __init__(self, folder: Path, most: int = MOST_FRAMES) -> None:
        self.folder = folder
        self.count = 0
        self.full_at_us: int | None = None
        self.trouble: str | None = None
        self._most = most
        try:
            folder.mkdir(parents=True, exist_ok=True)
            probe = folder / ".writable"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise CommandError(
                f"frames {folder}: {because(error)}: name a folder that may be written to"
            ) from None

    def follow(self, table: SimulatedTable) -> None:
        """Write the pictures of all panels of a table from now on."""
        for seat in table.seats:
            _Panel(self, seat)

    def summary(self) -> str:
        """How many pictures were written and where, and whether the limit was met: a line."""
        told = f"frames: {self.count} pictures in {self.folder}"
        if self.full_at_us is not None:
            told += f", the limit; none after {self.full_at_us / 1e6:.3f} s"
        return told

    def keep(self, seat: SimulatedHandheld, memory: bytes, t_us: int) -> None:
        """Write a seat's panel as it was at ``t_us`` (µs), from its 1024 bytes.

        Beyond the limit it sets ``full_at_us``, after an error ``trouble``; it does not raise.
        """
        if self.trouble is not None or self.full_at_us is not None:
            return
        if self.count == self._most:
            self.full_at_us = t_us
            return
        name = seat.handheld.match.players[seat.seat].casefold()
        path = self.folder / f"{t_us / 1e6:010.3f}-seat{seat.seat}-{name}.png"
        try:
            write_file(path, png(panel(memory)))
        except OSError as error:
            self.trouble = f"frames {path}: {because(error)}: make room, or leave --frames out"
            return
        self.count += 1


class _Panel:
    """Waits for one panel to settle."""

    def __init__(self, writer: FrameWriter, seat: SimulatedHandheld) -> None:
        self._writer = writer
        self._seat = seat
        self._loop = asyncio.get_running_loop()
        self._changed_us = 0
        self._kept: bytes | None = None
        self._timer: asyncio.TimerHandle | None = None
        seat.board.display.on_write.append(self._changed)
        seat.board.display.on_switch.append(self._changed)

    def _changed(self, t_us: int) -> None:
        self._changed_us = t_us
        if self._timer is None:
            self._look_at(t_us + SETTLED_US)

    def _look_at(self, t_us: int) -> None:
        self._timer = self._loop.call_at(t_us / 1e6, self._look)

    def _look(self) -> None:
        self._timer = None
        settled_us = self._changed_us + SETTLED_US
        if self._seat.runtime.now_us < settled_us:
            self._look_at(settled_us)
            return
        display = self._seat.board.display
        if display.is_lit and display.memory != self._kept:
            self._kept = display.memory
            self._writer.keep(self._seat, display.memory, self._changed_us)


@dataclass(frozen=True)
class Evening:
    """The result of an evening: every match at its end, and its violations.

    ``virtual_s``: from power on to the end; ``violations``: lines, as of a `MatchReport`;
    ``leaks``: as of a `DiceWatch`; ``digest``: SHA-256 in hex over all buses and the air.
    """

    matches: tuple[AnyMatch, ...]
    lost: tuple[int, ...]
    """Matches lost by seat, as the handhelds count them."""
    virtual_s: float
    gathered_s: float
    """From power on to the first match on every handheld."""
    violations: tuple[str, ...]
    leaks: tuple[str, ...]
    digest: str

    def summary(self) -> dict[str, Any]:
        """Return the evening in numbers, ready for JSON."""
        return {
            "players": list(self.matches[0].players),
            "matches": [
                {
                    "ended_by": match.outcome.rule if match.outcome else None,
                    "losers": [match.players[seat] for seat in _losers(match)],
                    "rounds": match.round,
                }
                for match in self.matches
            ],
            "lost": list(self.lost),
            "gathered_s": round(self.gathered_s, 3),
            "virtual_s": round(self.virtual_s, 3),
            "violations": list(self.violations),
            "secret_leaks": len(self.leaks),
            "digest": self.digest,
        }

    def in_words(self) -> str:
        """Return the evening as lines of English text."""
        names = self.matches[0].players
        lines = [f"{', '.join(names)} sat down after {self.gathered_s:.0f} s."]
        for number, match in enumerate(self.matches, start=1):
            losers = [names[seat] for seat in _losers(match)]
            lines.append(f"Match {number}: {', '.join(losers) or 'nobody'} lost.")
        lines.append(f"All of it took {self.virtual_s:.0f} s at the table.")
        return "\n".join([*lines, *self.violations, *self.leaks])


class SimulatedGuest(NamedTuple):
    """A handheld that has just been switched on, and the person who holds it."""

    handheld: SimulatedHandheld
    person: LobbyPlayer


def arrive(
    at: int, name: str, setup: TableSetup, services: SharedServices, folder: Path
) -> SimulatedGuest:
    """Switch a handheld on that knows nobody; its `run` has to be started.

    ``at`` tells it from others on the air, ``folder`` is for its journal.
    """
    settings = Settings(
        name=name,
        language=setup.language,
        journal=folder / f"{name}.sqlite",
        link=setup.link_of(at),
        address=bluetooth_address(at),
        light=setup.conditions.light,
    )
    handheld = SimulatedHandheld(at, setup.seed, settings, services)
    person = LobbyPlayer(
        name, handheld.name, handheld.device,
        lambda: handheld.held, handheld.read_dice, lambda: handheld.watch.leaks,
    )  # fmt: skip
    return SimulatedGuest(handheld, person)


async def meet_afar(people: list[LobbyPlayer]) -> None:
    """Let the first make a room at the broker, and the others enter its code, one by one."""
    host, *others = people
    code = await host.make_room()
    for person in others:
        await person.enter_room(code)


async def gather(setup: TableSetup, folder: Path, matches: int = 2) -> Evening:
    """Let people come together and play a number of matches; return the outcome.

    ``folder`` is an empty one, for the journals.

    Raises:
        LobbyError: a person waited in vain.
    """
    try:
        return await _played(setup, folder, matches)
    except BaseExceptionGroup as several:
        waited: BaseException | None = several.subgroup(LobbyError)
        while isinstance(waited, BaseExceptionGroup):
            waited = waited.exceptions[0]
        if waited is None:
            raise
        raise waited from None


@asynccontextmanager
async def switched_on(
    setup: TableSetup, names: Sequence[str], folder: Path
) -> AsyncIterator[tuple[list[SimulatedGuest], SharedServices]]:
    """Switch a handheld on for each name, and run them for as long as the block lasts."""
    services = SharedServices.of(setup)
    guests = [arrive(at, name, setup, services, folder) for at, name in enumerate(names)]
    async with asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(guest.handheld.run()) for guest in guests]
        try:
            yield guests, services
        finally:
            for task in running:
                task.cancel()


async def _played(setup: TableSetup, folder: Path, matches: int) -> Evening:
    loop = asyncio.get_running_loop()
    async with switched_on(setup, setup.names, folder) as (guests, services):
        people = [guest.person for guest in guests]
        host, *others = people
        if setup.link == ("mqtt",):
            await meet_afar(people)
        first = Random(f"first {setup.seed}").choice(setup.names)
        inviting = host.invite(setup.rules, setup.names, first)
        await _together(inviting, *(person.join(host.name) for person in others))
        gathered_s = loop.time()
        for number in range(matches):
            await _together(*(person.play(clumsy=True) for person in people))
            if number + 1 < matches:
                await _together(*(person.again() for person in people))
    digest = sha256(services.air_digest.hex.encode())
    for guest in guests:
        digest.update(guest.handheld.board.bus.digest.encode())
    standing = guests[0].handheld.device.standing
    return Evening(
        matches=tuple(host.over),
        lost=() if standing is None else standing.after(_losers(host.over[-1])).lost,
        virtual_s=loop.time(),
        gathered_s=gathered_s,
        violations=tuple(_violations(guests)),
        leaks=tuple(leak for person in people for leak in person.leaks),
        digest=digest.hexdigest(),
    )


async def _together(*doing: Coroutine[Any, Any, None]) -> None:
    """Do several things at the same time, until all are done."""
    async with asyncio.TaskGroup() as tasks:
        for each in doing:
            tasks.create_task(each)


def _losers(match: AnyMatch) -> tuple[int, ...]:
    return tuple(match.outcome.losers) if match.outcome else ()


def _violations(guests: list[SimulatedGuest]) -> list[str]:
    lines = [
        f"{person.name}: {line}"
        for handheld, person in guests
        for line in handheld.board.violations
    ]
    _, host = guests[0]
    for _, person in guests[1:]:
        if [match.outcome for match in person.over] != [match.outcome for match in host.over]:
            lines.append(f"{person.name}: matches ended otherwise than {host.name} knows")
    return lines
