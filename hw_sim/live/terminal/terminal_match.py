"""A match in the terminal, in real time: the panels of all handhelds, one of them in your hands."""

import asyncio
import logging
import signal
from pathlib import Path
from random import Random
from typing import Any

from firmware.cli.console import CommandError
from hw_sim.clock import HurriedLoop
from hw_sim.hand.control.keyboard_hand import Key, KeyboardHand, KeyReader
from hw_sim.live.terminal.raw_terminal import RawTerminal
from hw_sim.live.terminal.view import LiveView
from hw_sim.table import MatchReport, TableSetup
from hw_sim.table.headless import FrameWriter
from hw_sim.table.table import SimulatedTable

FRAME_S = 0.05
"""Between two looks at what has changed, in real time."""


def watch_match(
    setup: TableSetup,
    folder: Path,
    frames: FrameWriter | None,
    *,
    peeks_open: bool,
    speed: float = 1.0,
) -> MatchReport | None:
    """Play a match in real time on the terminal at stdin and stdout.

    ``setup.person`` is the seat at the keyboard, None to watch only. ``folder``: for the journals.
    ``speed`` is how many times as fast as life it goes. Returns None if the person quits before the
    end.

    Raises:
        CommandError: the terminal cannot show it, or something in the match failed unnoticed.
    """
    # Log lines of libraries would end up in the middle of the picture.
    logging.getLogger().addHandler(logging.NullHandler())
    with asyncio.Runner(loop_factory=lambda: HurriedLoop(speed)) as runner:
        return runner.run(_watch(setup, folder, frames, peeks_open, speed))


async def _watch(
    setup: TableSetup, folder: Path, frames: FrameWriter | None, peeks_open: bool, speed: float
) -> MatchReport | None:
    loop = asyncio.get_running_loop()
    failed: list[str] = []
    loop.set_exception_handler(lambda _, context: failed.append(_reason(context)))
    table = SimulatedTable(setup, folder)
    if frames is not None:
        frames.follow(table)
    view = LiveView(table, setup.person, setup.language, peeks_open=peeks_open)
    hand = None
    if setup.person is not None:
        seat = table.seats[setup.person]
        seat.calibrate()  # a key moves no thumb
        hand = KeyboardHand(seat.held, Random(f"keys {setup.seed}"))
    with RawTerminal() as terminal:
        sitting = TerminalMatch(table, view, hand, terminal, FRAME_S * speed)
        loop.add_signal_handler(signal.SIGTERM, sitting.quit)
        outcome = await sitting.play()
    if failed:
        raise CommandError(f"the game went on, but: {failed[0]}")
    return outcome


def _reason(context: dict[str, Any]) -> str:
    return f"{context['message']} ({context.get('exception')!r})"


class TerminalMatch:
    """One match at one terminal, from the first picture to the last key.

    ``frame_s``: time between two pictures, on the loop's clock.
    """

    def __init__(
        self,
        table: SimulatedTable,
        view: LiveView,
        hand: KeyboardHand | None,
        terminal: RawTerminal,
        frame_s: float,
    ) -> None:
        self._table = table
        self._view = view
        self._hand = hand
        self._terminal = terminal
        self._keys = KeyReader()
        self._frame_s = frame_s
        self._gone = asyncio.Event()

    def quit(self) -> None:
        """End `play` soon, whether the match is over or not."""
        self._gone.set()

    async def play(self) -> MatchReport | None:
        """Play until the match is over and has been looked at; None if the person left before."""
        loop = asyncio.get_running_loop()
        loop.add_reader(self._terminal.keyboard, self._typed)
        playing = asyncio.create_task(self._table.play())
        tasks: list[asyncio.Task[Any]] = [playing]
        if self._hand is not None:
            tasks.append(asyncio.create_task(self._hand.play()))
        try:
            await self._show_until(playing)
            if not playing.done():
                return None
            outcome = playing.result()
            self._view.over = True
            await self._show_until(None)
            return outcome
        finally:
            loop.remove_reader(self._terminal.keyboard)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _show_until(self, playing: "asyncio.Task[MatchReport] | None") -> None:
        """Keep the picture up to date until the match is over or the person leaves."""
        while not self._gone.is_set() and (playing is None or not playing.done()):
            doing = self._hand.doing if self._hand is not None else []
            try:
                if self._terminal.takes_more():
                    self._terminal.write(self._view.frame(self._terminal.size(), doing))
            except OSError:
                self.quit()
            await asyncio.sleep(self._frame_s)

    def _typed(self) -> None:
        data = self._terminal.read()
        if not data or self._view.over:
            self.quit()
            return
        for key in self._keys.feed(data):
            if key is Key.QUIT:
                self.quit()
            elif self._hand is not None:
                self._hand.press(key)
