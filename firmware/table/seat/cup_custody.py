"""The cup at one seat: its position, its progress, and the handover on the disk and on the air.

Each call lets `Handover` decide, queues its writes and frames, and returns the facts.
"""

from dataclasses import dataclass
from enum import Enum, auto

from firmware.journal import CUP_KEY, Put
from firmware.table.handover.cup import Cup, CupFact, HopSecrets, SendFrame, StoreCup, Where
from firmware.table.handover.handover import (
    BY_LIGHT,
    RETRY,
    Accepts,
    Change,
    Handover,
    PendingOffer,
)
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol.layout import LAST_BYTES, LogPosition
from firmware.table.protocol.messages import Contents, CupAnswer, Message
from firmware.table.seat.mail import Mail, Outbox
from game import AnyMatch, Phase, hides_dice
from game.actions import Announce
from game.status import AWAY


class Position(Enum):
    """The position of this handheld towards the cup."""

    WATCHING = auto()
    """The cup is elsewhere."""
    OFFERED = auto()
    """The cup is offered to this seat, which owes an answer."""
    TAKING = auto()
    """The answer is given, and the cup is on its way here."""
    MINE = auto()
    """The cup is here, and this seat acts."""
    TO_PASS = auto()
    """The cup is here, but another seat acts next."""
    PASSING = auto()
    """The cup is on its way to another seat."""
    OVER = auto()
    """The match has ended."""
    STOPPED = auto()
    """The handheld cannot go on: the journal or the log is at fault."""


ACTING = (Position.OFFERED, Position.MINE, Position.TO_PASS)
"""Positions in which the player of this seat has to act."""


def at_table(match: AnyMatch) -> tuple[int, ...]:
    """Return the seats that are still in the match; none when it is over."""
    if match.to_act is None:
        return ()
    return tuple(seat for seat, status in enumerate(match.status) if status not in AWAY)


SILENT_AFTER_US = 6_000_000
"""A peer without a sign of life for this long counts as silent."""


class CupProgress(Enum):
    """The progress of a cup that leaves this seat."""

    CALLING = auto()
    """The other handheld has not been heard of yet."""
    OFFERED = auto()
    """It shows the offer; its player thinks."""
    GIVING = auto()
    """It has answered, and the cup is on its way."""
    SILENT = auto()
    """It has not been heard of for a while."""


def position_of(cup: Cup, offer: PendingOffer | None, match: AnyMatch, seat: int) -> Position:
    """Return a handheld's position, except STOPPED, which is unknown here."""
    if match.to_act is None:
        return Position.OVER
    match cup.where:
        case Where.HOLDING:
            return Position.MINE if match.to_act == seat else Position.TO_PASS
        case Where.PROPOSED | Where.OFFERED:
            return Position.PASSING
        case Where.ANSWERED:
            return Position.TAKING
        case _ if offer is not None and offer.asks and offer.ready:
            return Position.OFFERED
        case _:
            return Position.WATCHING


def progress_of(where: Where, *, shown: bool, silent_us: int) -> CupProgress:
    """Return the progress of a proposed or offered cup.

    Args:
        where: the state of the handover.
        shown: whether the taker has confirmed the whole log.
        silent_us: the time since the taker's last frame.
    """
    silent = silent_us > SILENT_AFTER_US
    if where is Where.OFFERED:
        return CupProgress.SILENT if silent else CupProgress.GIVING
    if shown:
        return CupProgress.OFFERED
    return CupProgress.SILENT if silent else CupProgress.CALLING


@dataclass(frozen=True, slots=True)
class AnswerTakenBack:
    """Seat ``taker`` refuses a cup after its answer: it has seen the dice, and cheats."""

    taker: int


CupFacts = tuple[CupFact | AnswerTakenBack, ...]


class CupCustody:
    """One seat's part in the way of the cup.

    Args:
        cup: the durable state.
        mail: seals and sends.
        outbox: takes writes.
        secrets: this seat's roots and contributions.
    """

    def __init__(self, cup: Cup, mail: Mail, outbox: Outbox, secrets: HopSecrets) -> None:
        self._retry = BY_LIGHT if mail.by_light else RETRY
        self._handover = Handover(mail.seal, cup, secrets, retry=self._retry)
        self._mail = mail
        self._outbox = outbox
        self._left_us = 0

    @property
    def cup(self) -> Cup:
        """The cup's state here."""
        return self._handover.cup

    @property
    def offer(self) -> PendingOffer | None:
        """The proposal that waits for the answer of the player here; else None."""
        return self._handover.offer

    @property
    def next_timer_us(self) -> int | None:
        """When to call ``tick``; None when nothing is outstanding."""
        return self._handover.next_timer_us

    @property
    def confirms_log(self) -> bool:
        """True if the cup's state proves that the log here equals the holder's."""
        offer = self.offer
        return self.cup.where is not Where.IDLE or (offer is not None and offer.ready)

    def progress(self, now_us: int, last_frame_us: int, *, shown: bool) -> CupProgress:
        """Return the progress of a cup that leaves this seat.

        Args:
            now_us: the time.
            last_frame_us: the time of the taker's last frame.
            shown: whether the taker has confirmed the whole log.
        """
        silent_us = now_us - max(last_frame_us, self._left_us)
        return progress_of(self.cup.where, shown=shown, silent_us=silent_us)

    def start(self, now_us: int) -> CupFacts:
        """Go on from the journal's state."""
        self._left_us = now_us
        return self._carry_out(self._handover.resumed(now_us))

    def begin(self, now_us: int, secrets: HopSecrets, *, holds: bool) -> None:
        """Begin a new epoch, with an empty cup here or elsewhere: the old epoch's cup is void."""
        cup = Cup(self._mail.epoch, Where.HOLDING if holds else Where.IDLE)
        self._handover = Handover(self._mail.seal, cup, secrets, retry=self._retry)
        self._left_us = now_us
        self._store(cup)

    def fill(self, contents: Contents) -> CupFacts:
        """Change the contents of the held cup."""
        return self._carry_out(self._handover.fill(contents))

    def propose(self, match: AnyMatch, log: PublicLog, now_us: int) -> CupFacts:
        """Propose the held cup to the seat that is to act."""
        assert match.to_act is not None, "somebody is to act"
        asks = match.phase is Phase.OFFERED
        announced = match.said if asks and hides_dice(match) else None
        value = announced.value if isinstance(announced, Announce) else None
        self._left_us = now_us
        last = log.last(LAST_BYTES)
        return self._carry_out(
            self._handover.propose(match.to_act, asks, value, log.at, now_us, last)
        )

    def withdraw(self) -> CupFacts:
        """Withdraw the proposal."""
        return self._carry_out(self._handover.withdraw())

    def answer(self, choice: CupAnswer, now_us: int) -> CupFacts:
        """Answer the offered cup. The giver then sends it."""
        return self._carry_out(self._handover.answer(choice, now_us))

    def receive(
        self,
        sender: int,
        message: Message,
        at: LogPosition,
        now_us: int,
        accepts: Accepts,
    ) -> CupFacts:
        """React to a message of a seat: see `Handover.received`."""
        return self._carry_out(self._handover.received(sender, message, at, now_us, accepts))

    def catch_up(self, at: LogPosition, now_us: int) -> CupFacts:
        """Check the proposal again, as the log here has grown to ``at``."""
        return self._carry_out(self._handover.caught_up(at, now_us))

    def reached(self, seat: int, now_us: int) -> None:
        """Note that a seat has the whole log of its offer; over infrared, lengthen the wait."""
        if self._mail.by_light and (self.cup.where, self.cup.peer) == (Where.PROPOSED, seat):
            self._handover = self._handover.reached(now_us)

    def tick(self, now_us: int) -> CupFacts:
        """Repeat the outstanding frame, if it is time."""
        return self._carry_out(self._handover.tick(now_us))

    def _carry_out(self, change: Change) -> CupFacts:
        handover, effects = change
        before = self.cup
        if before.where is Where.OFFERED and handover.cup.is_here and before.peer is not None:
            return (AnswerTakenBack(before.peer),)  # and the cup stays on its way
        self._handover = handover
        facts: list[CupFact] = []
        for effect in effects:
            match effect:
                case StoreCup(cup):
                    self._store(cup)
                case SendFrame(seat, frame):
                    self._mail.send_frame(seat, frame)
                case _:
                    facts.append(effect)
        return tuple(facts)

    def _store(self, cup: Cup) -> None:
        self._outbox.write(Put(CUP_KEY, cup.encode()))
