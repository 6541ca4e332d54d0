"""Keys as a terminal sends them."""

from collections.abc import Mapping
from enum import Enum, auto


class Key(Enum):
    """The meanings of the keyboard's keys here."""

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
        """Add bytes, and return the keys that are complete now; what is no key here is left out."""
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
