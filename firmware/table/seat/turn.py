"""The plain path of a turn: throw, act, show, pass the cup on, answer one, take it."""

from dataclasses import replace

from firmware.journal.keys import CAUGHT_KEY
from firmware.journal.writes import Put
from firmware.table.commitment.charges import Charge
from firmware.table.handover.cup import Where
from firmware.table.handover.effects import (
    Conflict,
    CupImpossible,
    CupTaken,
    OfferAnswered,
    OfferArrived,
)
from firmware.table.handover.legality import answer_of, can_be, choice_of, is_offered
from firmware.table.log.entries import Note, Wished
from firmware.table.protocol.contents import EMPTY, Contents
from firmware.table.protocol.cup_messages import CupAnswer
from firmware.table.protocol.log_messages import Log, Want
from firmware.table.protocol.sizes import TOLD_AT_ONCE
from firmware.table.seat.accusation import Accusation
from firmware.table.seat.cup_custody import AnswerTakenBack, CupFacts
from firmware.table.seat.queries import SeatQueries
from game import AnyStep, Phase, hides_dice
from game.actions import Action, Keep, Lift, Roll

_EMPTY_AFTER = (Phase.OPENING, Phase.ROLL_AGAIN)
"""Phases in which nothing lies under the cup of a bluff game."""


class SeatTurn(SeatQueries):
    """The turn of a seat's player, and the way of the cup after it."""

    def throw(self, keep: Keep | None, now_us: int) -> Roll:
        """Throw the dice, with the cup here, and return what fell.

        A covered throw is sent at once, an open one by ``show``.

        Args:
            keep: the dice set aside from the throw before; None for none.
            now_us: the time.
        """
        if keep is not None:
            self._enter(keep, None, now_us)
        roll, note = self.fair.throw(self.match, self.log.ledger)
        self._enter(roll, note, now_us)
        if hides_dice(self.match):
            self.show(now_us)
        return roll

    def act(self, action: Action, now_us: int, wished: Wished | None = None) -> None:
        """Enter a legal action of the player here or of the table, with the cup here.

        ``wished``: the signed wishes for it, if it takes any.
        """
        proof = self.fair.note(action, self.match, self.cup.contents, self.log.ledger)
        self._enter(action, wished or proof, now_us)
        self.show(now_us)

    def show(self, now_us: int) -> None:
        """Send the others the own entries that were not sent yet."""
        self._sync.replication.send_new(now_us)

    def pass_on(self, now_us: int) -> None:
        """Propose the cup to the seat that acts next, if it is another one."""
        if self.match.to_act not in (None, self.seat) and self.cup.where is Where.HOLDING:
            self.show(now_us)
            self._react(self._custody.propose(self.match, self.log, now_us), now_us)

    def answer(self, action: Action, now_us: int) -> None:
        """Answer the offered cup. The giver then sends it.

        The entries before the answer must be signed, so that no seat gets other ones. An earlier
        answer waits for the giver's signature. It counts for no other offer, not even for the same
        hop in the next epoch.
        """
        self._answer = (self.epoch, self._custody.heard, choice_of(action))
        self._answer_if_signed(now_us)

    def _answer_if_signed(self, now_us: int) -> None:
        choice = self._answering
        if choice is not None and self.log.signed_at == self.log.at:
            self._answer = (0, None, None)
            self._react(self._custody.answer(choice, now_us), now_us)

    # The log

    @property
    def _want(self) -> Want:
        return Want(self._sync.lacks, 0 if self._asking is None else self._asking.nonce)

    @property
    def _want_before(self) -> Want:
        """The WANT for recent entries, which another seat may have otherwise."""
        return replace(self._want, first=max(0, self.log.index - TOLD_AT_ONCE))

    def _enter(self, action: Action, note: Note | None, now_us: int) -> None:
        """Enter an action; the next LOG carries it."""
        self._add_steps(self._sync.append(action, note))
        match = self.match
        if hides_dice(match):  # in the other games nothing hidden lies in the cup
            if isinstance(action, Roll) and action.dice is not None:
                contents = self.fair.contents(action, self.log.ledger)
                self._react(self._custody.fill(contents), now_us)
            elif match.phase in _EMPTY_AFTER and self.dice is not None:
                self._react(self._custody.fill(EMPTY), now_us)
        self._prepare(now_us)

    def _add_steps(self, *steps: AnyStep) -> None:
        self._steps.extend(steps)
        self._wishes.record_moved()

    # The cup

    def _accepts(self, choice: CupAnswer, contents: Contents) -> bool:
        return self._objection(choice, contents) is None

    def _objection(self, choice: CupAnswer, contents: Contents) -> Charge | None:
        """Return the charge against a cup that comes; None for none."""
        if not can_be(self.match, self.seat, choice, contents):
            return Charge.LOG
        return self.log.ledger.problem(contents) if hides_dice(self.match) else None

    def _react(self, facts: CupFacts, now_us: int) -> None:
        """React to facts of the handover."""
        if self._custody.shares_record:
            self._sync.set_learning(False)
        for fact in facts:
            match fact:
                case OfferArrived(giver=giver, ready=False):
                    self._mail.send(giver, self._want)
                case OfferArrived(giver=giver) if not is_offered(self.match, self.seat):
                    self._accuse(giver, Charge.CUP)
                case CupTaken():
                    self.fair.cup_taken(fact)
                    self._give_answer(fact.choice, now_us)
                case OfferAnswered():
                    self.fair.cup_given(fact)
                case CupImpossible(_, giver, choice, contents):
                    charge = self._objection(choice, contents)
                    if charge is None or charge is Charge.LOG:
                        self._differ()  # the log here may have grown since the answer
                    else:
                        self._accuse(giver, charge)
                case AnswerTakenBack(taker):
                    self._accuse(taker, Charge.ANSWER)
                case Conflict(peer=peer) if not self._sync.learning:
                    self._mail.send(peer, self._want_before)
                case _:
                    pass
        self._prepare(now_us)

    def _give_answer(self, choice: CupAnswer, now_us: int) -> None:
        """Enter the answer given for the cup, as this seat's first action as its holder."""
        action = answer_of(choice)
        if action is None:
            return
        self.act(action, now_us)
        if self.match.phase is Phase.DOUBTED:
            self.act(Lift(self.dice, self.tower), now_us)

    def _prepare(self, now_us: int) -> None:
        if self.trouble is None:
            self.fair.prepare(self.cup, self.match, self.log.ledger, now_us)

    # Accusations

    def _differ(self) -> None:
        """Stop, as another seat's log differs from the one here. This names nobody."""
        self._accuse(self.seat, Charge.LOG)

    def _accuse(self, seat: int, charge: Charge, proof: tuple[Log, ...] = ()) -> None:
        """Stop, and accuse a seat. All get the reason, repeatedly. It needs first-hand proof."""
        if self.trouble is None:
            sends = self.fair.proves
            self._stop(Accusation(self.seat, self.seat, seat, charge, sends=sends, proof=proof))

    def _stop(self, accusation: Accusation) -> None:
        self._accusation = accusation
        if accusation.is_proof_bound:
            self._outbox.write(Put(CAUGHT_KEY, accusation.encode()))
        self.trouble = accusation.trouble
