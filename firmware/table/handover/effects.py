"""What a change of the cup's way asks for: stores, frames, and what has happened."""

import msgspec

from firmware.table.handover.cup import Cup
from firmware.table.protocol.contents import Contents
from firmware.table.protocol.cup_messages import CupAnswer
from firmware.table.protocol.layout import LogPosition
from firmware.table.protocol.sizes import NO_CONTRIBUTION


class StoreCup(msgspec.Struct, frozen=True):
    """Write this state of the cup to the disk."""

    cup: Cup


class SendFrame(msgspec.Struct, frozen=True):
    """Send a sealed frame to a seat, once every StoreCup returned before it is written."""

    seat: int
    frame: bytes


class OfferArrived(msgspec.Struct, frozen=True):
    """Seat ``giver`` proposes to give the cup here.

    ``asks`` tells that an answer is due, to the announced value ``announced`` (None where nothing
    stands). With ``ready`` False the log here lacks entries that the giver has: it can be shown,
    but only be answered after ``caught_up``.
    """

    hop: int
    giver: int
    asks: bool
    announced: int | None
    ready: bool


class OfferWithdrawn(msgspec.Struct, frozen=True):
    """The hop that was offered here, answered or not, is void."""

    hop: int


class CupTaken(msgspec.Struct, frozen=True):
    """The cup is here, with its contents; ``choice`` is the answer that was given for it.

    ``contribution`` is the giver's to the dice that are thrown here.
    """

    hop: int
    giver: int
    contents: Contents
    choice: CupAnswer
    contribution: bytes = NO_CONTRIBUTION


class CupImpossible(msgspec.Struct, frozen=True):
    """A cup came with contents that it cannot have, after ``choice``. It is not taken."""

    hop: int
    giver: int
    choice: CupAnswer
    contents: Contents


class OfferAnswered(msgspec.Struct, frozen=True):
    """The seat I proposed the cup to has answered; the cup is on its way there."""

    hop: int
    taker: int
    choice: CupAnswer
    root: bytes


class CupGone(msgspec.Struct, frozen=True):
    """The seat I offered the cup to has it."""

    hop: int
    taker: int


class HopRefused(msgspec.Struct, frozen=True):
    """The seat I proposed or offered the cup to will never take this hop. The cup is here."""

    hop: int
    taker: int


class Conflict(msgspec.Struct, frozen=True):
    """The log of seat ``peer`` is not the same as here. The cup stays where it is."""

    hop: int
    peer: int
    here: LogPosition
    there: LogPosition


CupFact = (
    OfferArrived
    | OfferWithdrawn
    | CupTaken
    | CupImpossible
    | OfferAnswered
    | CupGone
    | HopRefused
    | Conflict
)
"""What has happened …"""
CupEffect = StoreCup | SendFrame | CupFact
"""… and what is to be done for it."""
CupEffects = tuple[CupEffect, ...]
