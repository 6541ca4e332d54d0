"""The cup at one seat: the cup's way, carried out on the disk and on the air.

Each call does what `Handover` decides, writes and sends it, and returns what has happened.
"""

from dataclasses import dataclass

from firmware.journal.keys import CUP_KEY
from firmware.journal.writes import Put
from firmware.table.handover.cup import Cup, Where
from firmware.table.handover.effects import CupFact, SendFrame, StoreCup
from firmware.table.handover.handover import (
    BY_LIGHT,
    RETRY,
    Accepts,
    Change,
    Handover,
    Heard,
)
from firmware.table.handover.hop_secrets import HopSecrets
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol.codec import Message
from firmware.table.protocol.contents import Contents
from firmware.table.protocol.cup_messages import CupAnswer
from firmware.table.protocol.layout import LogPosition
from firmware.table.protocol.sizes import LAST_BYTES
from firmware.table.seat.mail import Mail
from firmware.table.seat.outbox import Outbox
from firmware.table.seat.progress import CupProgress, progress_of
from game import AnyMatch, Match, Phase
from game.actions import Announce


@dataclass(frozen=True, slots=True)
class AnswerTakenBack:
    """Who was given the cup refuses it: it has been shown what lies in it, and thinks again."""

    taker: int


CupFacts = tuple[CupFact | AnswerTakenBack, ...]


class CupCustody:
    """The cup, as far as this seat has to do with it.

    Args:
        cup: the durable state.
        mail: seals and sends.
        outbox: where writes go.
        secrets: what goes into the dice with each hop.
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
    def heard(self) -> Heard | None:
        """The proposal that waits for the answer of the player here; else None."""
        return self._handover.heard

    @property
    def next_timer_us(self) -> int | None:
        """When ``tick`` has something to do; None when nothing is outstanding."""
        return self._handover.next_timer_us

    @property
    def shares_record(self) -> bool:
        """Whether the cup's way shows that the log here is that of who had the cup."""
        heard = self.heard
        return self.cup.where is not Where.IDLE or (heard is not None and heard.ready)

    def progress(self, now_us: int, heard_us: int, *, shown: bool) -> CupProgress:
        """How far the cup that leaves here has come.

        Args:
            now_us: the time.
            heard_us: when its taker was heard of last.
            shown: whether the taker has said that it knows all of the record.
        """
        silent_us = now_us - max(heard_us, self._left_us)
        return progress_of(self.cup.where, shown=shown, silent_us=silent_us)

    def start(self, now_us: int) -> CupFacts:
        """Go on from what the journal had."""
        self._left_us = now_us
        return self._carry_out(self._handover.resumed(now_us))

    def begin(self, now_us: int, secrets: HopSecrets, *, holds: bool) -> None:
        """Begin a new epoch, with an empty cup here or elsewhere: that of the old one is void."""
        cup = Cup(self._mail.epoch, Where.HOLDING if holds else Where.IDLE)
        self._handover = Handover(self._mail.seal, cup, secrets, retry=self._retry)
        self._left_us = now_us
        self._store(cup)

    def fill(self, contents: Contents) -> CupFacts:
        """Change what lies in the held cup."""
        return self._carry_out(self._handover.fill(contents))

    def propose(self, match: AnyMatch, log: PublicLog, now_us: int) -> CupFacts:
        """Propose the held cup to the seat that is to act."""
        assert match.to_act is not None, "somebody is to act"
        asks = match.phase is Phase.OFFERED
        said = match.said if isinstance(match, Match) and asks else None
        value = said.value if isinstance(said, Announce) else None
        self._left_us = now_us
        last = log.last(LAST_BYTES)
        return self._carry_out(
            self._handover.propose(match.to_act, asks, value, log.at, now_us, last)
        )

    def withdraw(self) -> CupFacts:
        """Take the proposal back."""
        return self._carry_out(self._handover.withdraw())

    def answer(self, choice: CupAnswer, now_us: int) -> CupFacts:
        """Answer the cup that is offered here. It comes by itself then."""
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
        """Look at the proposal again, now that the log here has grown to ``at``."""
        return self._carry_out(self._handover.caught_up(at, now_us))

    def reached(self, seat: int, now_us: int) -> None:
        """A seat knows all that is proposed to it; where all is slow, it has time to answer."""
        if self._mail.by_light and (self.cup.where, self.cup.peer) == (Where.PROPOSED, seat):
            self._handover = self._handover.reached(now_us)

    def tick(self, now_us: int) -> CupFacts:
        """Send again what nobody reacted to."""
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
