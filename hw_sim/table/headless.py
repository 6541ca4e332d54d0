"""A whole match from the first shake to the last verdict, in virtual time."""

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from firmware.link.broker.session import BrokerError
from hw_sim.steckbrett.clock.hurried import HurriedLoop
from hw_sim.steckbrett.clock.virtual import run
from hw_sim.table.outcome import MatchReport
from hw_sim.table.setup import TableSetup
from hw_sim.table.table import SimulatedTable

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
    if setup.broker is None:
        return run(main)

    async def bounded() -> T:
        try:
            async with asyncio.timeout(LONGEST_S):
                return await main
        except TimeoutError:
            raise BrokerError(
                f"broker {setup.broker}: no end after {LONGEST_S:g} s of play: look at the broker"
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
