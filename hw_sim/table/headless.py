"""A whole match from the first shake to the last verdict, in virtual time; and its story."""

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from firmware.display.text.language import Language
from firmware.link.broker.session import BrokerError
from firmware.story.telling import tell
from firmware.table.log.entries import decode_entries
from game import AnyMatch, apply, new_match, public
from game.events import Event, Revealed
from hw_sim.clock.hurried import HurriedLoop
from hw_sim.clock.virtual import run
from hw_sim.story.moments import Moment, moments_of
from hw_sim.table.outcome import MatchReport
from hw_sim.table.setup import TableSetup
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
        new = knows.log.since(self._heard)[: max(0, knows.public_end - self._heard)]
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
        KeyboardInterrupt: Ctrl-C was pressed; the table has been put away.
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
