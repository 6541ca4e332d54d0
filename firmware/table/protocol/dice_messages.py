"""The messages by which dice stay fair: contributions, and who was caught."""

from dataclasses import dataclass

from firmware.table.protocol.kinds import MessageKind
from firmware.table.protocol.layout import Layout, MessageError, raw
from firmware.table.protocol.sizes import CONTRIBUTION_BYTES, SECRET_BYTES

_CHARGES = 9


@dataclass(frozen=True, slots=True)
class Fresh:
    """I have the cup and begin a tenure: this is my root, contribute to it.

    The holder asks the seat before him, where no giver has contributed: at the beginning of a
    match or an epoch, or when the throws of a tenure are used up. The count is the attempt: how
    many tenures were begun with this cup before.

    ======  =====  ======  ======================================================
    offset  bytes  field   meaning
    ======  =====  ======  ======================================================
    0       16     root    commits to the coming throws
    ======  =====  ======  ======================================================

    >>> encode(Fresh(7, 1, bytes(16))).body.hex(" ")
    '00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00'
    """

    hop: int
    attempt: int
    root: bytes


@dataclass(frozen=True, slots=True)
class Share:
    """My contribution to the tenure that a FRESH told of. I have its root on the disk.

    ======  =====  ============  ================================================
    offset  bytes  field         meaning
    ======  =====  ============  ================================================
    0       8      contribution  mine to the holder's chance
    ======  =====  ============  ================================================

    >>> encode(Share(7, 1, bytes.fromhex("0011223344556677"))).body.hex(" ")
    '00 11 22 33 44 55 66 77'
    """

    hop: int
    attempt: int
    contribution: bytes


@dataclass(frozen=True, slots=True)
class Caught:
    """I have caught the handheld of a seat at something, and go no further. No body.

    The number is one more than the seat; the count says at what: 1 dice, 2 proof, 3 root or
    contribution, 4 order of throws, 6 answer taken back, 7 a cup that cannot be there, 8 two votes,
    9 two stories (`firmware.table.commitment.charges`). With 5, two logs differ, which names
    nobody: the seat is the sender's own.

    >>> encode(Caught(2, 1)).number
    3
    """

    seat: int
    charge: int


def _check_caught(caught: Caught) -> None:
    if not 1 <= caught.charge <= _CHARGES:
        raise MessageError(f"CAUGHT tells no charge: {caught.charge}")


_ATTEMPT = ("attempt", int)
LAYOUTS = (
    Layout(MessageKind.FRESH, Fresh, (("root", raw(SECRET_BYTES)),), least=0, count=_ATTEMPT),
    Layout(
        MessageKind.SHARE,
        Share,
        (("contribution", raw(CONTRIBUTION_BYTES)),),
        least=0,
        count=_ATTEMPT,
    ),
    Layout(
        MessageKind.CAUGHT, Caught, number=("seat", 1), count=("charge", int), check=_check_caught
    ),
)
