"""What a change of the cup's way asks for: stores, frames, and what has happened."""

from dataclasses import dataclass
from typing import NamedTuple

from firmware.table.handover.cup import Cup
from firmware.table.protocol.contents import Contents
from firmware.table.protocol.cup_messages import CupAnswer
from firmware.table.protocol.layout import LogPosition
from firmware.table.protocol.sizes import NO_CONTRIBUTION


class StoreCup(NamedTuple):
    """Write this state of the cup to the disk."""

    cup: Cup


class SendFrame(NamedTuple):
    """Send a sealed frame to a seat, once every StoreCup returned before it is written."""

    seat: int
    frame: bytes


@dataclass(frozen=True, slots=True)
class OfferArrived:
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


@dataclass(frozen=True, slots=True)
class OfferWithdrawn:
    """The hop that was offered here, answered or not, is void."""

    hop: int


@dataclass(frozen=True, slots=True)
class CupTaken:
    """The cup is here, with its contents; ``choice`` is the answer that was given for it.

    ``contribution`` is the giver's to the dice that are thrown here.
    """

    hop: int
    giver: int
    contents: Contents
    choice: CupAnswer
    contribution: bytes = NO_CONTRIBUTION


@dataclass(frozen=True, slots=True)
class CupImpossible:
    """A cup came with contents that it cannot have, after ``choice``. It is not taken."""

    hop: int
    giver: int
    choice: CupAnswer
    contents: Contents


@dataclass(frozen=True, slots=True)
class OfferAnswered:
    """The seat I proposed the cup to has answered; the cup is on its way there."""

    hop: int
    taker: int
    choice: CupAnswer
    root: bytes


@dataclass(frozen=True, slots=True)
class CupGone:
    """The seat I offered the cup to has it."""

    hop: int
    taker: int


@dataclass(frozen=True, slots=True)
class HopRefused:
    """The seat I proposed or offered the cup to will never take this hop. The cup is here."""

    hop: int
    taker: int


@dataclass(frozen=True, slots=True)
class Conflict:
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
