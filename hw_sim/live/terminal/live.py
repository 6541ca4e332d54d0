"""A match in the terminal, in real time: the panels of all handhelds, one of them in your hands.

What is drawn of a panel is what its display's memory holds while it is lit. An honest person looks
away when somebody else peeks: then "peeking" stands there instead, unless peeks are open.
"""

import asyncio
import logging
import signal
from collections.abc import Mapping
from enum import Enum, auto
from pathlib import Path
from random import Random
from textwrap import shorten
from typing import Any

from firmware.cli.console import CommandError
from firmware.display.text.words import Words, words
from game.spoken import Language
from hw_sim.clock.hurried import HurriedLoop
from hw_sim.hand.control.keyed_hand import Doing, KeyedHand
from hw_sim.hand.control.keys import Key, KeyReader
from hw_sim.live.terminal.glass import Glass, drawn
from hw_sim.live.terminal.layout import Layout, arrange
from hw_sim.live.terminal.terminal import Place, Size, Terminal, TerminalCanvas
from hw_sim.panel import picture
from hw_sim.table.frames import FrameWriter
from hw_sim.table.outcome import MatchReport
from hw_sim.table.setup import TableSetup
from hw_sim.table.story import Story
from hw_sim.table.table import SimulatedTable

FRAME_S = 0.05
"""Between two looks at what has changed, in real time."""

_DIM, _BOLD, _GLOW, _PLAIN = "\x1b[2m", "\x1b[1m", "\x1b[96m", "\x1b[0m"


class _Said(Enum):
    YOU = auto()
    CUP = auto()
    PEEKING = auto()
    KEYS = auto()
    KEYS_TOO = auto()
    WATCHING = auto()
    OVER = auto()
    SMALL = auto()
    SHAKING = auto()
    TILTING = auto()
    TOUCHING = auto()
    LIFTING = auto()


_WORDS: Mapping[_Said, Words] = {
    _Said.YOU: Words("du", "you"),
    _Said.CUP: Words("Becher", "cup"),
    _Said.PEEKING: Words("schaut nach …", "peeking …"),
    _Said.KEYS: Words(
        "Leertaste schütteln · l (gehalten) oder u heben · ← → neigen",
        "space shake · l (held) or u lift · ← → tilt",
    ),
    _Said.KEYS_TOO: Words("Eingabe tippen · h halten · q aufhören", "enter tap · h hold · q quit"),
    _Said.WATCHING: Words("q aufhören", "q quit"),
    _Said.OVER: Words("Das Spiel ist aus. Taste drücken.", "The match is over. Press a key."),
    _Said.SMALL: Words("Das Fenster ist zu klein: 80×24.", "The window is too small: 80×24."),
    _Said.SHAKING: Words("schüttelt", "shaking"),
    _Said.TILTING: Words("neigt", "tilting"),
    _Said.TOUCHING: Words("berührt", "touching"),
    _Said.LIFTING: Words("Becher offen", "cup lifted"),
}
_DOING = {
    Doing.SHAKING: _Said.SHAKING,
    Doing.TILTING: _Said.TILTING,
    Doing.TOUCHING: _Said.TOUCHING,
    Doing.LIFTING: _Said.LIFTING,
}


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
        self._glasses = {
            seat: Glass(table.seats[seat], masked=me is not None and seat != me and not peeks_open)
            for seat in order
        }

    def frame(self, size: Size, doing: list[Doing]) -> str:
        """Return what to send to a terminal of this size so that it shows the present moment."""
        self._story.listen()
        layout = arrange(size, len(self._glasses))
        if layout is None:
            return self._canvas.show({Place(0, 0): self._say(_Said.SMALL)}, size)
        texts: dict[Place, str] = {}
        for seat, place in zip(self._glasses, layout.panels):
            self._put_panel(texts, seat, place, layout.shrinks[seat != next(iter(self._glasses))])
        self._put_footer(texts, layout, size, doing)
        return self._canvas.show(texts, size)

    def _put_panel(self, texts: dict[Place, str], seat: int, place: Place, shrink: int) -> None:
        glass = self._glasses[seat]
        width = picture.COLUMNS // 2 // shrink
        height = picture.ROWS // 4 // shrink
        texts[place] = self._title(seat, width)
        if glass.peeking:
            lines = [""] * height
            lines[(height - 1) // 2] = self._say(_Said.PEEKING)
            lines = [line.center(width) for line in lines]
        else:
            lines = drawn(glass.memory, shrink)
        for row, line in enumerate(lines, start=1):
            texts[Place(place.row + row, place.column)] = f"{_GLOW}{line}{_PLAIN}"

    def _title(self, seat: int, width: int) -> str:
        title = self._table.setup.names[seat]
        if seat == self._me:
            title += f" ({self._say(_Said.YOU)})"
        if self._table.seats[seat].holds_cup:
            title += f" ● {self._say(_Said.CUP)}"
        return f"{_BOLD}{_fit(title, width)}{_PLAIN}"

    def _put_footer(
        self, texts: dict[Place, str], layout: Layout, size: Size, doing: list[Doing]
    ) -> None:
        heard = self._story.lines[-layout.story_rows :]
        for row in range(layout.story_rows):
            line = heard[row] if row < len(heard) else ""
            texts[Place(layout.story_row + row, 0)] = _fit(line, size.columns)
        if self.over:
            keys = [self._say(_Said.OVER), ""]
        elif self._me is None:
            keys = [self._say(_Said.WATCHING), ""]
        else:
            hand = ", ".join(self._say(_DOING[one]) for one in doing)
            keys = [self._say(_Said.KEYS), self._say(_Said.KEYS_TOO) + (f"  [{hand}]" * bool(hand))]
        for row, line in enumerate(keys, start=size.rows - len(keys)):
            texts[Place(row, 0)] = f"{_DIM}{_fit(line, size.columns)}{_PLAIN}"

    def _say(self, said: _Said) -> str:
        return words(_WORDS[said], self._language)


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
    # What libraries have to say would end up in the middle of the picture.
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
    language: Language = "de" if setup.language == "de" else "en"
    view = LiveView(table, setup.person, language, peeks_open=peeks_open)
    hand = None
    if setup.person is not None:
        hand = KeyedHand(table.seats[setup.person].held, Random(f"keys {setup.seed}"))
    with Terminal() as terminal:
        sitting = Sitting(table, view, hand, terminal, FRAME_S * speed)
        loop.add_signal_handler(signal.SIGTERM, sitting.quit)
        outcome = await sitting.play()
    if failed:
        raise CommandError(f"the match went on, but: {failed[0]}")
    return outcome


def _reason(context: dict[str, Any]) -> str:
    return f"{context['message']} ({context.get('exception')!r})"


class Sitting:
    """One match at one terminal, from the first picture to the last key.

    ``frame_s``: time between two pictures, on the loop's clock.
    """

    def __init__(
        self,
        table: SimulatedTable,
        view: LiveView,
        hand: KeyedHand | None,
        terminal: Terminal,
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
        """Leave the match, or what is left of it to be looked at."""
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
            frame = self._view.frame(self._terminal.size(), doing)
            try:
                self._terminal.write(frame)
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


def _fit(text: str, width: int) -> str:
    """Cut or fill a line to its width."""
    return (text if len(text) <= width else shorten(text, width, placeholder=" …")).ljust(width)
