"""The person's terminal: keys in, text at places out. It is as it was afterwards, come what may."""

import os
import select
import sys
import termios
import tty
from collections.abc import Mapping
from types import TracebackType
from typing import NamedTuple, Self

from firmware.cli.console import CommandError


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
        try:
            columns, rows = os.get_terminal_size(self._screen)
        except OSError:
            return FALLBACK_SIZE
        return ScreenSize(columns, rows) if columns and rows else FALLBACK_SIZE


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
