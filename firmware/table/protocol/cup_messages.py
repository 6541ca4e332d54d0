"""The messages that bring the cup to the next seat (rules 1 to 7 of PROTOCOL.md)."""

from dataclasses import dataclass
from enum import IntEnum

from firmware.table.protocol.contents import Contents, packed_dice, unpacked_dice
from firmware.table.protocol.kinds import MessageKind
from firmware.table.protocol.layout import (
    BYTE,
    BYTE_OR_NONE,
    FLAG,
    POSITION,
    REST,
    Codec,
    Layout,
    LogPosition,
    MessageError,
    one_of,
    raw,
)
from firmware.table.protocol.sizes import (
    CONTRIBUTION_BYTES,
    NO_CONTRIBUTION,
    NO_SECRET,
    OPENING_BYTES,
    SECRET_BYTES,
)


class CupAnswer(IntEnum):
    """What the receiver of a proposed cup answers."""

    NOTHING = 0
    """There was nothing to answer."""
    BELIEVE = 1
    DOUBT = 2
    GIVE_IN = 3
    REFUSE = 4
    """The cup came the wrong way, and is not taken (R-HF-5)."""


@dataclass(frozen=True, slots=True)
class Propose:
    """The cup is to come to you. Public; the giver has it on the disk.

    ======  =====  =========  ===================================================
    offset  bytes  field      meaning
    ======  =====  =========  ===================================================
    0       2      index      entries in the giver's log
    2       8      digest     of those entries
    10      1      flags      bit 0: it asks for an answer; the others are 0
    11      1      announced  the standing announcement, 0 for none
    12      rest   entries    the last ones of the log, as many as the count says
    ======  =====  =========  ===================================================

    The entries are there so that a receiver who has heard all but the last few can answer at once.

    >>> at = LogPosition(19, bytes.fromhex("0011223344556677"))
    >>> encode(Propose(7, at, asks=True, announced=62)).body.hex(" ")
    '00 13 00 11 22 33 44 55 66 77 01 3e'
    """

    hop: int
    at: LogPosition
    asks: bool
    announced: int | None
    count: int = 0
    entries: bytes = b""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a PROPOSE. The receiver has it on the disk.

    ======  =====  ======  ===================================================
    offset  bytes  field   meaning
    ======  =====  ======  ===================================================
    0       1      choice  0 nothing, 1 believe, 2 doubt, 3 give in, 4 refuse
    1       2      index   entries in the receiver's log
    3       8      digest  of those entries
    11      16     root    commits to the receiver's coming rolls; 0 for none
    ======  =====  ======  ===================================================

    >>> at = LogPosition(19, bytes.fromhex("0011223344556677"))
    >>> encode(Answer(7, CupAnswer.DOUBT, at)).body.hex(" ")
    '02 00 13 00 11 22 33 44 55 66 77 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00'
    """

    hop: int
    choice: CupAnswer
    at: LogPosition
    root: bytes = NO_SECRET


@dataclass(frozen=True, slots=True)
class Give:
    """The cup itself. The giver has these very bytes on the disk.

    ======  =====  ============  ==================================================
    offset  bytes  field         meaning
    ======  =====  ============  ==================================================
    0       2      dice          three bits a die, the first lowest; 0: no die; bit 15: a tower
    2       1      throw         which throw of its tenure they are, 0 for none
    3       8      contribution  the giver's to the receiver's chance; 0 for none
    11      32     opening       proves the dice; 0 for none
    ======  =====  ============  ==================================================

    >>> encode(Give(7, Contents((3, 6)), bytes.fromhex("0011223344556677"))).body.hex(" ")[:32]
    '00 33 00 00 11 22 33 44 55 66 77'
    """

    hop: int
    contents: Contents
    contribution: bytes = NO_CONTRIBUTION


@dataclass(frozen=True, slots=True)
class Taken:
    """I have had the cup of this hop on the disk. No body.

    >>> encode(Taken(7)).body.hex(" ")
    ''
    """

    hop: int


@dataclass(frozen=True, slots=True)
class Cancel:
    """Refuse this hop, unless you have taken it. No body.

    >>> encode(Cancel(7)).body.hex(" ")
    ''
    """

    hop: int


@dataclass(frozen=True, slots=True)
class Nak:
    """I shall never take this hop. The refuser has it on the disk. No body.

    >>> encode(Nak(7)).body.hex(" ")
    ''
    """

    hop: int


def _check_propose(propose: Propose) -> None:
    count, size = propose.count, len(propose.entries)
    if count > propose.at.index or bool(count) is not bool(size):
        raise MessageError(f"PROPOSE has {count} entries of {size} bytes")


def _give(
    hop: int,
    contents: tuple[tuple[int, ...], bool],
    throw: int,
    contribution: bytes,
    opening: bytes,
) -> Give:
    dice, tower = contents
    return Give(hop, Contents(dice, throw, opening, tower), contribution)


_DICE = Codec("H", lambda cup: (packed_dice(cup.dice, cup.tower),), unpacked_dice)
LAYOUTS = (
    Layout(
        MessageKind.PROPOSE,
        Propose,
        (("at", POSITION), ("asks", FLAG), ("announced", BYTE_OR_NONE), ("entries", REST)),
        count=("count", int),
        check=_check_propose,
    ),
    Layout(
        MessageKind.ANSWER,
        Answer,
        (("choice", one_of(CupAnswer)), ("at", POSITION), ("root", raw(SECRET_BYTES))),
    ),
    Layout(
        MessageKind.GIVE,
        Give,
        (
            ("contents", _DICE),
            ("contents.throw", BYTE),
            ("contribution", raw(CONTRIBUTION_BYTES)),
            ("contents.opening", raw(OPENING_BYTES)),
        ),
        make=_give,
    ),
    Layout(MessageKind.TAKEN, Taken),
    Layout(MessageKind.CANCEL, Cancel),
    Layout(MessageKind.NAK, Nak),
)
