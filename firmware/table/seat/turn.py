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
    """What the player of a seat does in his turn, and what becomes of the cup then."""

    def throw(self, keep: Keep | None, now_us: int) -> Roll:
        """Throw the dice, with the cup here, and return what fell.

        A covered throw is told at once, an open one by ``show``.

        Args:
            keep: what is set aside of the throw before; None for nothing.
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
        """Enter something legal that the player here or the table does, with the cup here.

        ``wished``: who wished for it, where it takes that.
        """
        proof = self.fair.note(action, self.match, self.cup.contents, self.log.ledger)
        self._enter(action, wished or proof, now_us)
        self.show(now_us)

    def show(self, now_us: int) -> None:
        """Tell the others what was entered here and not told yet."""
        self._sync.replication.send_new(now_us)

    def pass_on(self, now_us: int) -> None:
        """Propose the cup to the seat that acts next, if that is another one."""
        if self.match.to_act not in (None, self.seat) and self.cup.where is Where.HOLDING:
            self.show(now_us)
            self._react(self._custody.propose(self.match, self.log, now_us), now_us)

    def answer(self, action: Action, now_us: int) -> None:
        """Answer the cup that is offered here. It comes by itself then.

        What it is an answer to must be signed, so that nobody can be told otherwise: an answer that
        is given before its giver's signature has come waits for it. It is given to no other offer,
        were it of the same hop in the next epoch.
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
        """Asks for what another has entered otherwise, lately."""
        return replace(self._want, first=max(0, self.log.index - TOLD_AT_ONCE))

    def _enter(self, action: Action, note: Note | None, now_us: int) -> None:
        """Enter an action; the others hear of it with what is told next."""
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
        """What is wrong with a cup that comes; None if nothing."""
        if not can_be(self.match, self.seat, choice, contents):
            return Charge.LOG
        return self.log.ledger.problem(contents) if hides_dice(self.match) else None

    def _react(self, facts: CupFacts, now_us: int) -> None:
        """Follow what has become of the cup with what depends on it."""
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
        """The cup is here: the answer given for it is this seat's first action as its holder."""
        action = answer_of(choice)
        if action is None:
            return
        self.act(action, now_us)
        if self.match.phase is Phase.DOUBTED:
            self.act(Lift(self.dice, self.tower), now_us)

    def _prepare(self, now_us: int) -> None:
        if self.trouble is None:
            self.fair.prepare(self.cup, self.match, self.log.ledger, now_us)

    # Who cheats

    def _differ(self) -> None:
        """Go no further: the log of another seat is not the one here. That names nobody."""
        self._accuse(self.seat, Charge.LOG)

    def _accuse(self, seat: int, charge: Charge, proof: tuple[Log, ...] = ()) -> None:
        """Go no further. Everybody is told why, now and then. It needs first-hand proof."""
        if self.trouble is None:
            sends = self.fair.proves
            self._stop(Accusation(self.seat, self.seat, seat, charge, sends=sends, proof=proof))

    def _stop(self, accusation: Accusation) -> None:
        self._accusation = accusation
        if accusation.is_proof_bound:
            self._outbox.write(Put(CAUGHT_KEY, accusation.encode()))
        self.trouble = accusation.trouble
