"""The effects of a step of the handover: stores, frames and facts."""

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
    """Seat ``giver`` proposes the cup to this seat.

    ``asks`` means that an answer is due, to the announced value ``announced`` (None if there is
    none). If ``ready`` is False, the log here lacks entries of the giver. The offer can be shown
    then, but only be answered after ``caught_up``.
    """

    hop: int
    giver: int
    asks: bool
    announced: int | None
    ready: bool


class OfferWithdrawn(msgspec.Struct, frozen=True):
    """The hop that was offered to this seat, answered or not, is void."""

    hop: int


class CupTaken(msgspec.Struct, frozen=True):
    """The cup is here, with its contents; ``choice`` is this seat's answer for it.

    ``contribution`` is the giver's, for the dice that are thrown here.
    """

    hop: int
    giver: int
    contents: Contents
    choice: CupAnswer
    contribution: bytes = NO_CONTRIBUTION


class CupImpossible(msgspec.Struct, frozen=True):
    """A cup came with impossible contents, after ``choice``. This seat does not take it."""

    hop: int
    giver: int
    choice: CupAnswer
    contents: Contents


class OfferAnswered(msgspec.Struct, frozen=True):
    """The proposed taker has answered; the cup is on its way there."""

    hop: int
    taker: int
    choice: CupAnswer
    root: bytes


class CupGone(msgspec.Struct, frozen=True):
    """The taker has stored the cup."""

    hop: int
    taker: int


class HopRefused(msgspec.Struct, frozen=True):
    """The taker will never take this hop. The cup is here."""

    hop: int
    taker: int


class Conflict(msgspec.Struct, frozen=True):
    """The log of seat ``peer`` differs from the one here. The cup stays where it is."""

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
"""A fact of the handover."""
CupEffect = StoreCup | SendFrame | CupFact
"""A fact, or an instruction to store or send."""
CupEffects = tuple[CupEffect, ...]
