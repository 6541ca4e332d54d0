"""The durable state of the cup, as one handheld knows it, and the effects of a step with it.

A seat takes a cup only if its contents are possible. With other dice than the log allows, no later
action could be judged.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import msgspec

from firmware.table.protocol.layout import NO_CONTRIBUTION, NO_SECRET, OPENING_BYTES, LogPosition
from firmware.table.protocol.messages import EMPTY, Contents, CupAnswer, packed_dice, unpacked_dice
from game import AnyMatch, Phase, hides_dice, illegality
from game.actions import Action, Believe, Doubt, GiveIn, Lift, Refuse

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


def _no_root(_hop: int) -> bytes:
    return NO_SECRET


def _no_contribution(_taker: int, _hop: int, _root: bytes) -> bytes:
    return NO_CONTRIBUTION


@dataclass(frozen=True, slots=True)
class HopSecrets:
    """The roots and contributions of one seat; equal hops, equal bytes.

    Attributes:
        root: returns this seat's root for its answer to a hop.
        contribution: returns this seat's contribution for a taker, a hop and the taker's root.
    """

    root: Callable[[int], bytes] = _no_root
    contribution: Callable[[int, int, bytes], bytes] = _no_contribution


NO_SECRETS = HopSecrets()
"""No roots and no contributions."""


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


_DICE = 2
_ANSWERS: dict[CupAnswer, Action] = {
    CupAnswer.BELIEVE: Believe(),
    CupAnswer.DOUBT: Doubt(),
    CupAnswer.GIVE_IN: GiveIn(),
    CupAnswer.REFUSE: Refuse(),
}
_CHOICES = {type(action): choice for choice, action in _ANSWERS.items()}


def choice_of(answer: Action) -> CupAnswer:
    """Return the choice for an answer.

    Raises:
        KeyError: the action is no answer to an offer.
    """
    return _CHOICES[type(answer)]


def answer_of(choice: CupAnswer) -> Action | None:
    """Return the action of a choice; None if there was nothing to answer."""
    return _ANSWERS.get(choice)


def is_offered(match: AnyMatch, seat: int) -> bool:
    """Return whether ``seat`` has to answer, by the log."""
    return match.to_act == seat and match.phase is Phase.OFFERED


def can_be(match: AnyMatch, seat: int, choice: CupAnswer, contents: Contents) -> bool:
    """Return whether ``seat`` can get a cup with these contents, after this answer for it.

    Covered dice lie in an offered cup, and in one that has to be lifted again (R-HF-8). Every other
    cup comes empty. Dice that were thrown here must come back unchanged.
    """
    dice, tower, answer = contents.dice, contents.tower, answer_of(choice)
    if answer is None:
        if match.to_act != seat or match.phase is Phase.OFFERED:
            return False
        to_lift = match.phase is Phase.DOUBTED
        return illegality(match, Lift(dice, tower)) is None if to_lift else not dice
    if not (hides_dice(match) and is_offered(match, seat) and len(dice) == _DICE):
        return False
    if illegality(match, answer) is not None or (tower and not match.rules.tower_one_in):
        return False
    return match.dice is None or (match.dice, match.tower) == (dice, tower)
