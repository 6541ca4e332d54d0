"""The person's terminal: keys in, text at places out. It is as it was afterwards, come what may."""

import os
import sys
import termios
import tty
from collections.abc import Mapping
from enum import Enum, auto
from types import TracebackType
from typing import NamedTuple, Self

from firmware.cli.console import CommandError


class Key(Enum):
    """What the keys of the keyboard mean here."""

    SHAKE = auto()
    LIFT = auto()
    LIFT_TOGGLE = auto()
    LEFT = auto()
    RIGHT = auto()
    TAP = auto()
    HOLD = auto()
    QUIT = auto()


_SEQUENCES: Mapping[bytes, Key] = {
    b"\x1b[D": Key.LEFT,
    b"\x1b[C": Key.RIGHT,
    b"\x1bOD": Key.LEFT,
    b"\x1bOC": Key.RIGHT,
}
"""Cursor keys in both modes of a terminal (ECMA-48, and DEC's application mode)."""

_CHARACTERS: Mapping[bytes, Key] = {
    b" ": Key.SHAKE,
    b"l": Key.LIFT,
    b"u": Key.LIFT_TOGGLE,
    b"a": Key.LEFT,
    b"d": Key.RIGHT,
    b"\r": Key.TAP,
    b"\n": Key.TAP,
    b"t": Key.TAP,
    b"h": Key.HOLD,
    b"q": Key.QUIT,
    b"\x04": Key.QUIT,
}
_ESCAPE = b"\x1b"
_LONGEST_SEQUENCE = 8


class KeyReader:
    """Makes keys of the bytes a terminal sends; a sequence may come in pieces."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[Key]:
        """Take in bytes and return the keys they complete. What means nothing is left out."""
        data = self._rest + data
        keys: list[Key] = []
        while data:
            length = _first_length(data)
            if length is None:
                break
            first, data = data[:length], data[length:]
            key = _SEQUENCES.get(first) or _CHARACTERS.get(first.lower())
            if key is not None:
                keys.append(key)
        self._rest = data
        return keys


def _first_length(data: bytes) -> int | None:
    """How many bytes the first key has; None while it may go on."""
    if data[:1] != _ESCAPE:
        return 1
    if len(data) == 1:
        return None
    if data[1:2] == b"O":
        return 3 if len(data) >= 3 else None
    if data[1:2] != b"[":
        return 1
    for place in range(2, min(len(data), _LONGEST_SEQUENCE)):
        if 0x40 <= data[place] <= 0x7E:
            return place + 1
    return None if len(data) < _LONGEST_SEQUENCE else 1


class Size(NamedTuple):
    """Characters of a terminal."""

    columns: int
    rows: int


FALLBACK_SIZE = Size(80, 24)
"""For a terminal that does not tell."""

_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J"
"""A screen of its own, no cursor, no line wrap, cleared (xterm control sequences)."""
_LEAVE = "\x1b[0m\x1b[2J\x1b[?7h\x1b[?25h\x1b[?1049l"


class Terminal:
    """The terminal at stdin and stdout while a match is drawn on it; use it in a ``with`` block.

    Keys come at once and are not echoed. Ctrl-C still interrupts; Ctrl-Z does nothing, because the
    match goes on in real time.

    Raises:
        CommandError: it cannot show Braille.
    """

    def __init__(self) -> None:
        if (sys.stdout.encoding or "").lower().replace("-", "") != "utf8":
            raise CommandError(
                f"this terminal is set to {sys.stdout.encoding}, but panels are drawn in Braille: "
                "set LC_ALL=C.UTF-8, or play without --watch"
            )
        self.keyboard = sys.stdin.fileno()
        """File descriptor to wait at for keys."""
        self._screen = sys.stdout.fileno()
        self._before = termios.tcgetattr(self.keyboard)

    def __enter__(self) -> Self:
        tty.setcbreak(self.keyboard)
        mode = termios.tcgetattr(self.keyboard)
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
            self.write(_LEAVE)
            termios.tcsetattr(self.keyboard, termios.TCSADRAIN, self._before)
        except (OSError, termios.error):
            if error is None:
                raise

    def write(self, text: str) -> None:
        """Send text, all of it. Raises OSError if the terminal has gone."""
        data = text.encode()
        while data:
            data = data[os.write(self._screen, data) :]

    def read(self) -> bytes:
        """Read what has been typed; nothing means that the terminal has gone."""
        try:
            return os.read(self.keyboard, 1024)
        except OSError:
            return b""

    def size(self) -> Size:
        """How large it is now."""
        try:
            columns, rows = os.get_terminal_size(self._screen)
        except OSError:
            return FALLBACK_SIZE
        return Size(columns, rows) if columns and rows else FALLBACK_SIZE


class Place(NamedTuple):
    """A character of the screen, from 0 at the top left."""

    row: int
    column: int


class Canvas:
    """Remembers what stands where, so that only what has changed is sent."""

    def __init__(self) -> None:
        self._shown: dict[Place, str] = {}
        self._size: Size | None = None

    def show(self, texts: Mapping[Place, str], size: Size) -> str:
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
