"""The durable state of the cup, as one handheld knows it."""

import struct
from enum import IntEnum
from typing import NamedTuple

from firmware.table.protocol.contents import EMPTY, Contents, packed_dice, unpacked_dice
from firmware.table.protocol.cup_messages import CupAnswer
from firmware.table.protocol.sizes import OPENING_BYTES

_VERSION = 3
_NOBODY = 0xFF
_NO_CODE = 0xFF
_LAYOUT = struct.Struct(f">BBHIIIBBHB{OPENING_BYTES}s")


class Where(IntEnum):
    """The place of the cup, as far as this handheld can know."""

    IDLE = 0
    """Elsewhere."""
    ANSWERED = 1
    """Elsewhere; this seat has answered for it, and the holder may give it."""
    HOLDING = 2
    """Here."""
    PROPOSED = 3
    """Here, and proposed to another seat."""
    OFFERED = 4
    """On its way to another seat; it comes back only by that seat's NAK."""


class CupError(ValueError):
    """Bytes that are no state of a cup; the text is the reason."""


class Cup(NamedTuple):
    """One handheld's durable part in the handover. Replaced as a whole, and only on the disk.

    Attributes:
        epoch: the epoch of the table it belongs to.
        where: the place of the cup.
        last: the newest hop that was taken, refused or numbered here; 0 at the beginning. It never
            falls. If the cup is here or offered, this is the cup's hop.
        answered: the hop answered for, newer than ``last``; 0 unless ANSWERED.
        choice: the answer to it; None unless ANSWERED.
        peer: the seat the cup is proposed or offered to, or expected from; else None.
        frame: the sealed bytes for ``peer``, sent until it reacts; else empty.
        contents: of the cup; EMPTY if it is elsewhere.
        taken: the newest hop that was taken here; 0 for none. Later hops, up to ``last``, are
            burnt.
    """

    epoch: int
    where: Where = Where.IDLE
    last: int = 0
    answered: int = 0
    choice: CupAnswer | None = None
    peer: int | None = None
    frame: bytes = b""
    contents: Contents = EMPTY
    taken: int = 0

    @property
    def is_here(self) -> bool:
        """True if this handheld holds the cup, proposed or not."""
        return self.where is Where.HOLDING or self.where is Where.PROPOSED

    def encode(self) -> bytes:
        """Return the state in 53 bytes and the frame."""
        state = _LAYOUT.pack(
            _VERSION,
            self.where,
            self.epoch,
            self.last,
            self.answered,
            self.taken,
            _NO_CODE if self.choice is None else self.choice,
            _NOBODY if self.peer is None else self.peer,
            packed_dice(self.contents.dice, self.contents.tower),
            self.contents.throw,
            self.contents.opening,
        )
        return state + self.frame

    @classmethod
    def decode(cls, data: bytes) -> "Cup":
        """Read what ``encode`` wrote.

        Raises:
            CupError: too short, another version, or an impossible state.
        """
        if len(data) < _LAYOUT.size or data[0] != _VERSION:
            raise CupError(f"{len(data)} bytes are no state of a cup, version {_VERSION}")
        (_, where, epoch, last, answered, taken, choice, peer, dice, throw, opening) = (
            _LAYOUT.unpack_from(data)
        )
        try:
            unpacked, tower = unpacked_dice(dice)
            cup = cls(
                epoch,
                Where(where),
                last,
                answered,
                None if choice == _NO_CODE else CupAnswer(choice),
                None if peer == _NOBODY else peer,
                data[_LAYOUT.size :],
                Contents(unpacked, throw, opening, tower),
                taken,
            )
        except ValueError as error:
            raise CupError(f"no state of a cup: {error}") from None
        outstanding = cup.where in (Where.ANSWERED, Where.PROPOSED, Where.OFFERED)
        answering = cup.where is Where.ANSWERED
        if not (
            (bool(cup.frame) is (cup.peer is not None) is outstanding)
            and ((cup.answered > cup.last) is (cup.choice is not None) is answering)
            and cup.taken <= cup.last
        ):
            raise CupError(f"a state that cannot be: {cup}")
        return cup
