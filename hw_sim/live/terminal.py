"""A match in the terminal, in real time: panels in Braille, one of them in your hands.

A panel of 128×64 pixels is 64×16 characters of Braille and a line for its title. The others share
the room beside and below the first: all of the same size, whole, halved or quartered.

A panel is drawn from its display's memory while it is lit. An honest person looks away when
somebody else peeks: then "peeking" stands there instead, unless peeks are open.

The terminal is as it was afterwards, come what may.

Numbers without a source are chosen, in columns and rows of characters.

May import: table, hand.control, panel, clock; firmware.cli, firmware.display; game.
"""

import asyncio
import logging
import os
import select
import signal
import sys
import termios
import tty
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from shutil import get_terminal_size
from textwrap import shorten
from types import TracebackType
from typing import Any, NamedTuple, Self

from firmware.cli.console import CommandError
from firmware.display.screens import LookPage, RevealPage, Screen
from firmware.display.text.language import Language, say
from hw_sim import panel
from hw_sim.clock import HurriedLoop
from hw_sim.hand.control.keyboard_hand import Doing, Key, KeyboardHand, KeyReader
from hw_sim.panel import COLUMNS, MEMORY_BYTES, PAGE_ROWS, ROWS
from hw_sim.table import MatchReport, TableSetup
from hw_sim.table.handheld import SimulatedHandheld
from hw_sim.table.headless import FrameWriter, Story
from hw_sim.table.table import SimulatedTable


class ScreenSize(NamedTuple):
    """Characters of a terminal."""

    columns: int
    rows: int


FALLBACK_SIZE = ScreenSize(80, 24)
"""For a terminal that does not tell."""

_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J"
"""A screen of its own, no cursor, no line wrap, cleared (xterm control sequences)."""
_LEAVE = "\x1b[0m\x1b[2J\x1b[?7h\x1b[?25h\x1b[?1049l"
PATIENCE_S = 1.0
"""At the end, wait this long for a terminal that takes nothing: its connection may hang."""


class RawTerminal:
    """The terminal at stdin and stdout while a match is drawn on it; use it in a ``with`` block.

    Keys come at once and are not echoed. Ctrl-C still interrupts; Ctrl-Z and Ctrl-S do nothing,
    because the match goes on in real time. Nothing waits for a terminal that takes no more: nobody
    could end the match meanwhile.

    Raises:
        CommandError: it cannot show Braille.
    """

    def __init__(self) -> None:
        if (sys.stdout.encoding or "").lower().replace("-", "") != "utf8":
            raise CommandError(
                f"this terminal is set to {sys.stdout.encoding}, but panels are drawn in Braille: "
                "set LC_ALL=C.UTF-8, or play in the browser: maexchen-sim serve"
            )
        self.keyboard = sys.stdin.fileno()
        """File descriptor to wait at for keys."""
        self._before = termios.tcgetattr(self.keyboard)
        self._unsent = b""

    def __enter__(self) -> Self:
        try:  # opened anew, because whoever shares stdout is to go on waiting
            path = os.ttyname(sys.stdout.fileno())
            self._screen = os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:  # in some containers it has no name: better to wait for it than nothing
            self._screen = os.dup(sys.stdout.fileno())
        tty.setcbreak(self.keyboard)
        mode = termios.tcgetattr(self.keyboard)
        mode[0] &= ~termios.IXON
        mode[6][termios.VSUSP] = b"\x00"
        termios.tcsetattr(self.keyboard, termios.TCSADRAIN, mode)
        self.write(_ENTER)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._leave()
            termios.tcsetattr(self.keyboard, termios.TCSADRAIN, self._before)
        except (OSError, termios.error):
            if error is None:
                raise
        finally:
            os.close(self._screen)

    def _leave(self) -> None:
        """Leave the screen as it was; throw away what a terminal that takes nothing has not read.

        A sequence that was cut short ends with the next one.
        """
        self._unsent = _LEAVE.encode()
        if self.takes_more():
            return
        select.select([], [self._screen], [], PATIENCE_S)
        if not self.takes_more():
            termios.tcflush(self._screen, termios.TCOFLUSH)
            self.takes_more()

    def takes_more(self) -> bool:
        """Whether it has taken all that was written; what it has not is sent on now.

        Raises:
            OSError: the terminal has gone.
        """
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._screen, self._unsent) :]
        except BlockingIOError:
            return False
        return True

    def write(self, text: str) -> None:
        """Send text, as much of it as the terminal takes now, and the rest with `takes_more`.

        Raises:
            OSError: the terminal has gone.
        """
        self._unsent += text.encode()
        self.takes_more()

    def read(self) -> bytes:
        """Read the bytes that were typed; empty when the terminal has gone."""
        try:
            return os.read(self.keyboard, 1024)
        except OSError:
            return b""

    def size(self) -> ScreenSize:
        """How large it is now."""
        return ScreenSize(*get_terminal_size(FALLBACK_SIZE))


class ScreenPlace(NamedTuple):
    """A character of the screen, from 0 at the top left."""

    row: int
    column: int


class TerminalCanvas:
    """Remembers what stands where, so that only what has changed is sent."""

    def __init__(self) -> None:
        self._shown: dict[ScreenPlace, str] = {}
        self._size: ScreenSize | None = None

    def show(self, texts: Mapping[ScreenPlace, str], size: ScreenSize) -> str:
        """Return what to send so that these texts, and nothing else, stand there.

        A text at a place is expected to keep its width from one call to the next; when places come
        or go, or the size changes, everything is drawn anew.
        """
        sent: list[str] = []
        if size != self._size or texts.keys() != self._shown.keys():
            sent.append("\x1b[0m\x1b[2J")
            self._shown = {}
            self._size = size
        for place, text in texts.items():
            if self._shown.get(place) != text:
                sent.append(f"\x1b[{place.row + 1};{place.column + 1}H{text}")
        self._shown = dict(texts)
        return "".join(sent)


PANEL_COLUMNS = COLUMNS // 2
"""A letter of Braille has two columns of pixels …"""
PANEL_ROWS = ROWS // 4
"""… and four rows."""
TITLE_ROWS = 1
"""Above each panel."""
KEY_ROWS = 2
"""The lines that say what the keys do."""
LEAST_STORY_ROWS = 4
"""The fewest lines of the story."""
SHRINKS = (1, 2, 4)
"""How many times smaller other panels may be."""


class Layout(NamedTuple):
    """Places of the panels' titles, the pictures below them; and of the lines at the bottom.

    ``shrinks`` are those of the first panel and of the others. Panels without a place are left out.
    """

    panels: tuple[ScreenPlace, ...]
    shrinks: tuple[int, int]
    story_row: int
    story_rows: int


def arrange(size: ScreenSize, count: int) -> Layout | None:
    """Arrange ``count`` panels; None if not even the first has room."""
    rows = size.rows - KEY_ROWS - LEAST_STORY_ROWS
    large = PANEL_ROWS + TITLE_ROWS
    if size.columns < PANEL_COLUMNS or rows < large:
        return None
    for shrink in SHRINKS:
        others = _places(size.columns, rows, shrink)
        if len(others) >= count - 1:
            break
    panels = (ScreenPlace(0, 0), *others[: count - 1])
    height = PANEL_ROWS // shrink + TITLE_ROWS
    bottom = max([large, *(place.row + height for place in panels[1:])])
    return Layout(panels, (1, shrink), bottom, size.rows - KEY_ROWS - bottom)


def _places(columns: int, rows: int, shrink: int) -> list[ScreenPlace]:
    """Return the places for smaller panels beside the first one and below it."""
    width, height = PANEL_COLUMNS // shrink, PANEL_ROWS // shrink + TITLE_ROWS
    # A gap of a column beside each, but not where it would cost the last one its place.
    gap = 1 if columns - PANEL_COLUMNS > width else 0
    beside = PANEL_COLUMNS + gap, columns, 0
    below = 0, PANEL_COLUMNS, PANEL_ROWS + TITLE_ROWS
    return [
        ScreenPlace(row, column)
        for left, right, top in (beside, below)
        for row in range(top, rows - height + 1, height)
        for column in range(left, right - width + 1, width + 1)
    ]


_LIT_SHARE = 0.235
"""Least share of lit pixels among those that a smaller picture makes one of."""


class SeatPanel:
    """One panel as the person at the keyboard may see it.

    ``masked``: private dice are hidden, because somebody else peeks at them.
    """

    def __init__(self, seat: SimulatedHandheld, *, masked: bool) -> None:
        self._seat = seat
        self._masked = masked
        self._peeked = False
        seat.on_show.append(self._showing)
        seat.board.display.on_switch.append(self._switched)

    @property
    def peeking(self) -> bool:
        """Whether private dice may be in the memory, which are not to be drawn."""
        return self._masked and self._peeked

    @property
    def memory(self) -> bytes:
        """The lit pixels: the display's 1024 bytes, all zero while the panel is off."""
        display = self._seat.board.display
        return display.memory if display.is_lit else bytes(MEMORY_BYTES)

    def _showing(self, screen: Screen) -> None:
        if isinstance(screen, LookPage):
            self._peeked = True
        elif isinstance(screen, RevealPage) and screen.dice is not None:
            self._peeked = False

    def _switched(self, _t_us: int) -> None:
        """Dice leave the panel by its going dark, and it is overwritten before it lights again."""
        if not isinstance(self._seat.handheld.screen, LookPage):
            self._peeked = False


@lru_cache(maxsize=64)
def drawn(memory: bytes, shrink: int) -> list[str]:
    """Draw a panel in Braille, 64 by 16 characters divided by ``shrink`` (1, 2 or 4)."""
    if shrink > 1:
        memory = _smaller(memory, shrink)
    lines = panel.terminal(memory)[: ROWS // 4 // shrink]
    width = COLUMNS // 2 // shrink
    return [line[:width].replace("\u2800", " ") for line in lines]


def _smaller(memory: bytes, shrink: int) -> bytes:
    """The same picture, smaller, in the upper left corner of the memory."""
    rows = panel.pixels(memory)
    packed = bytearray(MEMORY_BYTES)
    for y in range(ROWS // shrink):
        for x in range(COLUMNS // shrink):
            cells = [row[x * shrink : (x + 1) * shrink] for row in rows[y * shrink :][:shrink]]
            if sum(map(sum, cells)) >= _LIT_SHARE * shrink**2:
                packed[y // PAGE_ROWS * COLUMNS + x] |= 1 << y % PAGE_ROWS
    return bytes(packed)


_DIM, _BOLD, _GLOW, _PLAIN = "\x1b[2m", "\x1b[1m", "\x1b[96m", "\x1b[0m"


class LiveView:
    """Draws a table: panels, what was said, the keys.

    Args:
        table: whose panels.
        me: the seat of the person at the keyboard; None if nobody plays.
        language: of everything that is not on a panel.
        peeks_open: show the others' peeks to the person too.
    """

    def __init__(
        self, table: SimulatedTable, me: int | None, language: Language, *, peeks_open: bool
    ) -> None:
        self.over = False
        self._table = table
        self._me = me
        self._language = language
        self._canvas = TerminalCanvas()
        self._story = Story(table, language)
        order = sorted(range(len(table.seats)), key=lambda seat: (seat != me, seat))
        self._panels = {
            seat: SeatPanel(
                table.seats[seat], masked=me is not None and seat != me and not peeks_open
            )
            for seat in order
        }

    def frame(self, size: ScreenSize, doing: list[Doing]) -> str:
        """Return what to send to a terminal of this size so that it shows the present moment."""
        self._story.update()
        layout = arrange(size, len(self._panels))
        if layout is None:
            return self._canvas.show({ScreenPlace(0, 0): self._say("SMALL")}, size)
        texts: dict[ScreenPlace, str] = {}
        for seat, place in zip(self._panels, layout.panels):
            self._put_panel(texts, seat, place, layout.shrinks[seat != next(iter(self._panels))])
        self._put_footer(texts, layout, size, doing)
        return self._canvas.show(texts, size)

    def _put_panel(
        self, texts: dict[ScreenPlace, str], seat: int, place: ScreenPlace, shrink: int
    ) -> None:
        panel = self._panels[seat]
        width = PANEL_COLUMNS // shrink
        height = PANEL_ROWS // shrink
        texts[place] = self._title(seat, width)
        if panel.peeking:
            lines = [""] * height
            lines[(height - 1) // 2] = self._say("PEEKING")
            lines = [line.center(width) for line in lines]
        else:
            lines = drawn(panel.memory, shrink)
        for row, line in enumerate(lines, start=1):
            texts[ScreenPlace(place.row + row, place.column)] = f"{_GLOW}{line}{_PLAIN}"

    def _title(self, seat: int, width: int) -> str:
        title = self._table.setup.names[seat]
        if seat == self._me:
            title += f" ({self._say('YOU')})"
        if self._table.seats[seat].holds_cup:
            title += f" ● {self._say('CUP')}"
        return f"{_BOLD}{_fit(title, width)}{_PLAIN}"

    def _put_footer(
        self, texts: dict[ScreenPlace, str], layout: Layout, size: ScreenSize, doing: list[Doing]
    ) -> None:
        story = self._story.lines[-layout.story_rows :]
        for row in range(layout.story_rows):
            line = story[row] if row < len(story) else ""
            texts[ScreenPlace(layout.story_row + row, 0)] = _fit(line, size.columns)
        if self.over:
            keys = [self._say("OVER"), ""]
        elif self._me is None:
            keys = [self._say("WATCHING"), ""]
        else:
            hand = ", ".join(say(one, self._language) for one in doing)
            keys = [self._say("KEYS"), self._say("KEYS_TOO") + (f"  [{hand}]" * bool(hand))]
        for row, line in enumerate(keys, start=size.rows - len(keys)):
            texts[ScreenPlace(row, 0)] = f"{_DIM}{_fit(line, size.columns)}{_PLAIN}"

    def _say(self, key: str) -> str:
        return say(f"terminal.{key}", self._language)


def _fit(text: str, width: int) -> str:
    """Cut or fill a line to its width."""
    return (text if len(text) <= width else shorten(text, width, placeholder=" …")).ljust(width)


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


@dataclass
class TerminalMatch:
    """One match at one terminal, from the first picture to the last key.

    ``frame_s``: time between two pictures, on the loop's clock.
    """

    table: SimulatedTable
    view: LiveView
    hand: KeyboardHand | None
    terminal: RawTerminal
    frame_s: float

    def __post_init__(self) -> None:
        self._keys, self._gone = KeyReader(), asyncio.Event()

    def quit(self) -> None:
        """End `play` soon, whether the match is over or not."""
        self._gone.set()

    async def play(self) -> MatchReport | None:
        """Play until the match is over and has been looked at; None if the person left before."""
        loop = asyncio.get_running_loop()
        loop.add_reader(self.terminal.keyboard, self._typed)
        playing = asyncio.create_task(self.table.play())
        tasks: list[asyncio.Task[Any]] = [playing]
        if self.hand is not None:
            tasks.append(asyncio.create_task(self.hand.play()))
        try:
            await self._show_until(playing)
            if not playing.done():
                return None
            outcome = playing.result()
            self.view.over = True
            await self._show_until(None)
            return outcome
        finally:
            loop.remove_reader(self.terminal.keyboard)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _show_until(self, playing: "asyncio.Task[MatchReport] | None") -> None:
        """Keep the picture up to date until the match is over or the person leaves."""
        while not self._gone.is_set() and (playing is None or not playing.done()):
            doing = self.hand.doing if self.hand is not None else []
            try:
                if self.terminal.takes_more():
                    self.terminal.write(self.view.frame(self.terminal.size(), doing))
            except OSError:
                self.quit()
            await asyncio.sleep(self.frame_s)

    def _typed(self) -> None:
        data = self.terminal.read()
        if not data or self.view.over:
            self.quit()
            return
        for key in self._keys.feed(data):
            if key is Key.QUIT:
                self.quit()
            elif self.hand is not None:
                self.hand.press(key)
