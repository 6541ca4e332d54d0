"""The cup's way from one handheld to the next: never two cups, never none.

Four messages bring the cup to the seat that acts next. In brackets: what is on the disk before the
line below it is sent::

    giver                                        receiver
    HOLDING k-1                                  IDLE
    propose()        [PROPOSED k, PROPOSE]
         PROPOSE k  ------------------------>    Offered; its player decides
                                                 answer()   [ANSWERED k, ANSWER]
                    <------------------------    ANSWER k
    Answered         [OFFERED k, GIVE]
         GIVE k     ------------------------>
                                                 CupTaken   [HOLDING k, the answer's log entry]
                    <------------------------    TAKEN k
    CupGone          [IDLE]

Only GIVE and TAKEN move the cup, and they are all that its safety needs:

1. A hop has one number, used once. The holder of hop k-1 numbers the next one. A hop that was
   withdrawn or refused is burnt, and the next try takes the next number.
2. A cup is offered on the disk, GIVE's sealed bytes included, before a byte of it is sent, and only
   those bytes are ever sent again. A crash therefore cannot make two offers of one cup.
3. A cup is taken on the disk before TAKEN is sent. A crash therefore cannot lose it.
4. A hop that is not newer than the last one taken or refused here changes nothing, but is answered
   again: its giver may have missed the answer, and would wait for ever.
5. An offered cup never comes back by itself, however long it takes: the giver cannot know whether
   it arrived. It comes back by NAK: on the receiver's disk it says that this hop will never be
   taken.
6. A newer hop proves that an older one, offered by this seat, arrived even if its TAKEN did not. It
   also proves that an older one, answered by this seat, was withdrawn.
7. A seat that has no part in a hop cannot end it. CANCEL counts only from the known proposer, and
   for a hop that could be answered. A GIVE without an answer changes nothing.

`Handover` is a value: every call returns the next one and its effects. A ``StoreCup`` is not yet
written when it is returned. The caller writes all Stores of one change in one transaction, together
with the log entry of the answer that a cup is taken with. Every ``SendFrame`` waits for all Stores
returned before it, in this change and in earlier ones.

A seat takes a cup only if its contents are possible. With other dice than the log allows, no later
action could be judged.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from firmware.table.protocol import NO_CONTRIBUTION, NO_SECRET, OPENING_BYTES, LogPosition, Retry
from firmware.table.protocol import messages as cups
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
    choice: cups.CupAnswer | None = None
    peer: int | None = None
    frame: bytes = b""
    contents: cups.Contents = cups.EMPTY
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
            cups.packed_dice(self.contents.dice, self.contents.tower),
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
            unpacked, tower = cups.unpacked_dice(dice)
            cup = cls(
                epoch,
                Where(where),
                last,
                answered,
                None if choice == _NO_CODE else cups.CupAnswer(choice),
                None if peer == _NOBODY else peer,
                data[_LAYOUT.size :],
                cups.Contents(unpacked, throw, opening, tower),
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
    """Seat ``giver`` proposes the cup to this seat; see `PendingOffer`.

    If ``ready`` is False, the log here lacks entries of the giver. The offer can be shown then, but
    only be answered after ``caught_up``.
    """

    giver: int
    ready: bool


class CupTaken(msgspec.Struct, frozen=True):
    """The cup is here, with its contents; ``choice`` is this seat's answer for it.

    ``contribution`` is the giver's, for the dice that are thrown here.
    """

    hop: int
    giver: int
    contents: cups.Contents
    choice: cups.CupAnswer
    contribution: bytes = NO_CONTRIBUTION


class CupImpossible(msgspec.Struct, frozen=True):
    """A cup came with impossible contents, after ``choice``. This seat does not take it."""

    hop: int
    giver: int
    choice: cups.CupAnswer
    contents: cups.Contents


class OfferAnswered(msgspec.Struct, frozen=True):
    """The proposed taker has answered; the cup is on its way there."""

    hop: int
    taker: int
    choice: cups.CupAnswer
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

    peer: int


CupFact = OfferArrived | CupTaken | CupImpossible | OfferAnswered | CupGone | HopRefused | Conflict
"""A fact of the handover."""
CupEffect = StoreCup | SendFrame | CupFact
"""A fact, or an instruction to store or send."""
CupEffects = tuple[CupEffect, ...]


_DICE = 2
_ANSWERS: dict[cups.CupAnswer, Action] = {
    cups.CupAnswer.BELIEVE: Believe(),
    cups.CupAnswer.DOUBT: Doubt(),
    cups.CupAnswer.GIVE_IN: GiveIn(),
    cups.CupAnswer.REFUSE: Refuse(),
}
_CHOICES = {type(action): choice for choice, action in _ANSWERS.items()}


def choice_of(answer: Action) -> cups.CupAnswer:
    """Return the choice for an answer.

    Raises:
        KeyError: the action is no answer to an offer.
    """
    return _CHOICES[type(answer)]


def answer_of(choice: cups.CupAnswer) -> Action | None:
    """Return the action of a choice; None if there was nothing to answer."""
    return _ANSWERS.get(choice)


def is_offered(match: AnyMatch, seat: int) -> bool:
    """Return whether ``seat`` has to answer, by the log."""
    return match.to_act == seat and match.phase is Phase.OFFERED


def can_be(match: AnyMatch, seat: int, choice: cups.CupAnswer, contents: cups.Contents) -> bool:
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


FIRST_RESEND_US, LAST_RESEND_US = 500_000, 2_000_000
"""First and longest wait for a reaction to a frame; each doubles the last; chosen."""

Change = tuple["Handover", CupEffects]
Seal = Callable[[cups.Message, int], bytes]
Accepts = Callable[[cups.CupAnswer, cups.Contents], bool]
"""Tells whether a cup can have these contents, after this answer for it."""


RETRY = Retry(FIRST_RESEND_US, LAST_RESEND_US)
BY_LIGHT = Retry(1_500_000, 8_000_000)
"""Over infrared alone an answer takes longer, and a needless frame keeps others silent."""


class HandoverError(RuntimeError):
    """The caller asked for a step that the cup's state does not allow."""


class PendingOffer(msgspec.Struct, frozen=True):
    """A proposal to this seat, kept in memory: its giver repeats it until this seat answers.

    ``asks``: an answer is due; else the cup is taken without one. ``ready``: see `OfferArrived`.
    """

    hop: int
    giver: int
    asks: bool
    at: LogPosition
    ready: bool = False


class Handover(NamedTuple):
    """One handheld's side of the handover. One class: the proof covers rules 1 to 7 together.

    Attributes:
        seal: makes the frame that brings a message to a seat; equal messages, equal bytes.
        cup: the durable state, as last returned in a Store.
        secrets: this seat's roots and contributions, hop by hop.
        offer: the proposal that waits for this player's answer; else None.
        retry: when the outstanding frame is sent again.
    """

    seal: Seal
    cup: Cup
    secrets: HopSecrets = NO_SECRETS
    offer: PendingOffer | None = None
    retry: Retry = RETRY

    # Steps of the player and the table

    def fill(self, contents: cups.Contents) -> Change:
        """Change the held cup's contents: a roll, or a cup emptied for a new round.

        Raises:
            HandoverError: the cup is not here, or is proposed.
        """
        self._require(Where.HOLDING, "fill")
        return self._stored(self.cup._replace(contents=contents))

    def propose(
        self,
        to: int,
        asks: bool,
        announced: int | None,
        at: LogPosition,
        now_us: int,
        last: tuple[int, bytes] = (0, b""),
    ) -> Change:
        """Propose the held cup to a seat. The log stops until the cup is taken or back.

        Args:
            to: the seat that acts next.
            asks: whether it has to answer ``announced``; if not, it takes the cup by itself.
            announced: the standing announcement, None for none.
            at: the end of the log here.
            now_us: the time.
            last: the newest entries of the log: their number and their bytes.

        Raises:
            HandoverError: the cup is not here, or is proposed already.
        """
        self._require(Where.HOLDING, "propose")
        hop = self.cup.last + 1
        frame = self.seal(cups.Propose(hop, at, asks, announced, *last), to)
        cup = self.cup._replace(where=Where.PROPOSED, last=hop, peer=to, frame=frame)
        return self._stored(cup, SendFrame(to, frame), now_us=now_us)

    def withdraw(self) -> Change:
        """Withdraw a proposal; its hop is burnt. Nothing has moved yet.

        Raises:
            HandoverError: nothing is proposed, or its answer has come.
        """
        self._require(Where.PROPOSED, "withdraw")
        hop, peer = self.cup.last, self._peer
        return self._stored(_back(self.cup), SendFrame(peer, self.seal(cups.Cancel(hop), peer)))

    def answer(self, choice: cups.CupAnswer, now_us: int) -> Change:
        """Answer the offer, which must be ready.

        Raises:
            HandoverError: there is no offer, or it is not ready.
        """
        offer = self.offer
        if offer is None or not offer.ready:
            raise HandoverError("answer: no cup is offered, or the log lacks entries")
        hop, giver = offer.hop, offer.giver
        frame = self.seal(cups.Answer(hop, choice, offer.at, self.secrets.root(hop)), giver)
        cup = self.cup._replace(
            where=Where.ANSWERED, answered=hop, choice=choice, peer=giver, frame=frame
        )
        return self._stored(cup, SendFrame(giver, frame), now_us=now_us)

    # Messages

    def received(
        self,
        sender: int,
        message: cups.Message,
        at: LogPosition,
        now_us: int,
        accepts: Accepts = lambda _choice, _contents: True,
    ) -> Change:
        """React to a message. Messages of other kinds do nothing.

        Args:
            sender: the seat that sealed it.
            message: the message.
            at: the end of the log here.
            now_us: the time.
            accepts: returns whether a cup that comes is possible; else this is CupImpossible.
        """
        match message:
            case cups.Propose():
                return self._on_propose(sender, message, at, now_us)
            case cups.Answer():
                return self._on_answer(sender, message, at, now_us)
            case cups.Give():
                return self._on_give(sender, message, accepts)
            case cups.Taken():
                if self._awaits(sender, message.hop, Where.OFFERED):
                    return self._released()
            case cups.Nak():
                if self._awaits(sender, message.hop, Where.OFFERED, Where.PROPOSED):
                    back = HopRefused(message.hop, sender)
                    return self._stored(_back(self.cup), back)
            case cups.Cancel():
                return self._on_cancel(sender, message.hop)
        return self, ()

    def caught_up(self, at: LogPosition, now_us: int) -> Change:
        """Check the proposal again, as the log here has grown to ``at``."""
        offer = self.offer
        if offer is not None and at.index > offer.at.index:
            # Only the cup's holder appends, so this proposal was withdrawn.
            return self._replace(offer=None), ()
        if offer is None or offer.ready or at.index < offer.at.index:
            return self, ()
        if at != offer.at:  # checked again when the proposal comes again
            return self._replace(offer=None), (Conflict(offer.giver),)
        ready = self._replace(offer=replace(offer, ready=True))
        if offer.asks:
            return ready, (OfferArrived(offer.giver, ready=True),)
        return ready.answer(cups.CupAnswer.NOTHING, now_us)

    def _on_propose(
        self, sender: int, message: cups.Propose, at: LogPosition, now_us: int
    ) -> Change:
        cup, hop = self.cup, message.hop
        if cup.taken < hop <= cup.last:
            return self, self._repeated_end(sender, hop)
        if (hop, sender) == (cup.answered, cup.peer):
            return self, (self._again(),)
        awaited = self.offer.hop if self.offer else cup.answered
        # A proposal that goes beyond the log here proves nothing yet, and blocks no other.
        can_follow = self.offer is None or self.offer.ready or self.offer.giver == sender
        newest = max(cup.last, awaited if can_follow else 0)
        if hop <= newest or cup.is_here or message.at.index < at.index:
            return self, ()  # known already, or a replay from long ago
        after, effects = self._outdated()
        offer = PendingOffer(hop, sender, message.asks, message.at)
        after = after._replace(offer=offer, retry=self.retry.answered())
        if message.at.index > at.index:
            return after, (*effects, OfferArrived(sender, ready=False))
        after, more = after.caught_up(at, now_us)
        return after, effects + more

    def _on_answer(self, sender: int, message: cups.Answer, at: LogPosition, now_us: int) -> Change:
        cup, hop = self.cup, message.hop
        if self._awaits(sender, hop, Where.PROPOSED):
            if message.at != at:
                return self, (Conflict(sender),)
            added = self.secrets.contribution(sender, hop, message.root)
            frame = self.seal(cups.Give(hop, cup.contents, added), sender)
            offered = cup._replace(where=Where.OFFERED, frame=frame)
            fact = OfferAnswered(hop, sender, message.choice, message.root)
            return self._stored(offered, SendFrame(sender, frame), fact, now_us=now_us)
        if self._awaits(sender, hop, Where.OFFERED):
            return self, (self._again(),)
        if hop <= cup.last:
            return self, (SendFrame(sender, self.seal(cups.Cancel(hop), sender)),)
        return self, ()

    def _on_give(self, sender: int, message: cups.Give, accepts: Accepts) -> Change:
        cup, hop = self.cup, message.hop
        if hop <= cup.last:
            return self, self._repeated_end(sender, hop)
        if hop != cup.answered or sender != cup.peer or cup.choice is None:
            return self, ()
        if not accepts(cup.choice, message.contents):
            return self, (CupImpossible(hop, sender, cup.choice, message.contents),)
        return self._stored(
            Cup(cup.epoch, Where.HOLDING, last=hop, contents=message.contents, taken=hop),
            SendFrame(sender, self.seal(cups.Taken(hop), sender)),
            CupTaken(hop, sender, message.contents, cup.choice, message.contribution),
        )

    def _on_cancel(self, sender: int, hop: int) -> Change:
        cup, offer = self.cup, self.offer
        if hop <= cup.last:
            return self, self._repeated_end(sender, hop)
        offered = offer is not None and offer.ready and (hop, sender) == (offer.hop, offer.giver)
        if offered or (hop, sender) == (cup.answered, cup.peer):
            return self._cancelled(sender, hop)
        if offer is not None and sender == offer.giver and hop >= offer.hop:
            # This seat could not answer yet, so it need not refuse the hop.
            return self._replace(offer=None), ()
        return self, ()

    # Time

    @property
    def next_timer_us(self) -> int | None:
        """When ``tick`` has something to do; None when nothing is outstanding."""
        return self.retry.due_us

    def reached(self, now_us: int) -> "Handover":
        """Lengthen the wait: the outstanding frame has arrived."""
        return self._replace(retry=self.retry.sent(now_us))

    def tick(self, now_us: int) -> Change:
        """Send the outstanding frame again, if it is time."""
        if not self.retry.due(now_us):
            return self, ()
        return self._replace(retry=self.retry.sent(now_us)), (self._again(),)

    def resumed(self, now_us: int) -> Change:
        """Go on after a restart, from a cup that was read from the disk."""
        if not self.cup.frame:
            return self, ()
        return self._replace(retry=self.retry.answered().sent(now_us)), (self._again(),)

    # Durability: no other function changes ``cup``

    def _stored(
        self,
        cup: Cup,
        *effects: CupEffect,
        now_us: int | None = None,
    ) -> Change:
        retry = self.retry.answered() if now_us is None else self.retry.answered().sent(now_us)
        after = Handover(self.seal, cup, self.secrets, retry=retry)
        return after, (StoreCup(cup), *effects)

    def _released(self) -> Change:
        gone = CupGone(self.cup.last, self._peer)
        return self._stored(_elsewhere(self.cup), gone)

    def _outdated(self) -> Change:
        """End the outstanding hop, as a newer one exists: see 6."""
        cup = self.cup
        match cup.where:
            case Where.OFFERED:
                return self._released()
            case Where.ANSWERED:
                return self._stored(_elsewhere(cup)._replace(last=cup.answered))
            case _:
                return self, ()

    def _cancelled(self, sender: int, hop: int) -> Change:
        """Refuse a withdrawn hop for ever, answered or not."""
        nak = SendFrame(sender, self.seal(cups.Nak(hop), sender))
        return self._stored(_elsewhere(self.cup)._replace(last=hop), nak)

    # Helpers

    def _repeated_end(self, sender: int, hop: int) -> CupEffects:
        end = cups.Taken(hop) if hop <= self.cup.taken else cups.Nak(hop)
        return (SendFrame(sender, self.seal(end, sender)),)

    def _awaits(self, sender: int, hop: int, *where: Where) -> bool:
        cup = self.cup
        return cup.where in where and hop == cup.last and sender == cup.peer

    def _again(self) -> SendFrame:
        """Return the outstanding bytes: see 2."""
        return SendFrame(self._peer, self.cup.frame)

    @property
    def _peer(self) -> int:
        if self.cup.peer is None:
            raise HandoverError("no frame of the cup is outstanding")
        return self.cup.peer

    def _require(self, where: Where, what: str) -> None:
        if self.cup.where is not where:
            raise HandoverError(f"{what}: the cup is {self.cup.where.name}, not {where.name}")


def _elsewhere(cup: Cup) -> Cup:
    """Return the state in which the cup is not here, and nothing is outstanding."""
    return Cup(cup.epoch, last=cup.last, taken=cup.taken)


def _back(cup: Cup) -> Cup:
    """Return the state in which a proposed or offered cup is here again; its hop stays burnt."""
    return Cup(cup.epoch, Where.HOLDING, cup.last, contents=cup.contents, taken=cup.taken)
