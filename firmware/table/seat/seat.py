"""The record and the cup between this handheld and the others.

Whatever the player does becomes an entry of the record; whoever must act next gets the cup. This
module joins those who know how: the record and what the others know of it
(``firmware.table.log.replication``), the cup's way (``firmware.table.handover.handover``) and what
players wish for (``firmware.table.seat.wishes``). What they decide in one call is one transaction,
and no frame leaves before what it depends on is on the disk.

What does not wait for the seat that is to act (a fault, or a wish that is granted) is entered by
whoever has the cup, at once. A cup that is proposed by then is withdrawn first, in the same
transaction, and proposed again under a new hop: an answer on its way is worth nothing any more, and
who gave it is asked again, if it is still his turn. A cup that was given away is not called back.

A cup on a handheld that is gone for good is declared void by a vote, and a new epoch begins with an
empty one (``firmware.table.seat.votes``): a new seal, a new cup, and a record that goes on.
"""

from collections.abc import Callable

from firmware.effects.effects import Send, Store
from firmware.journal.keys import CAUGHT_KEY, CUP_KEY, FAIR_KEY, LEARNING_KEY, VOTES_KEY
from firmware.journal.writes import Cut, Put
from firmware.table.commitment.charges import Charge
from firmware.table.commitment.committer import Committer
from firmware.table.commitment.ledger import Cheated, ProofNote
from firmware.table.commitment.unbiased import UnbiasedDice
from firmware.table.handover import handover as way
from firmware.table.handover.cup import Cup, Where
from firmware.table.handover.effects import (
    Conflict,
    CupGone,
    CupTaken,
    HopRefused,
    OfferAnswered,
    OfferArrived,
    OfferWithdrawn,
    SendFrame,
    StoreCup,
)
from firmware.table.handover.handover import Handover
from firmware.table.handover.hop_secrets import NO_SECRETS, HopSecrets
from firmware.table.handover.legality import answer_of, can_be, choice_of, is_offered
from firmware.table.log.public_log import LogConflict, PublicLog
from firmware.table.log.replication import Replication
from firmware.table.protocol.codec import Message
from firmware.table.protocol.contents import EMPTY, Contents
from firmware.table.protocol.cup_messages import Propose
from firmware.table.protocol.dice_messages import Caught, Fresh, Share
from firmware.table.protocol.header import FrameError, FrameProblem
from firmware.table.protocol.log_messages import Log, Want
from firmware.table.protocol.sealing import Sealer
from firmware.table.protocol.sizes import LAST_BYTES, TOLD_AT_ONCE
from firmware.table.protocol.table_messages import Question, Vote, Wish
from firmware.table.seat.accusation import Accusation
from firmware.table.seat.outbox import Outbox
from firmware.table.seat.position import Position
from firmware.table.seat.progress import CupProgress, position_of, progress_of
from firmware.table.seat.storage import SeatState
from firmware.table.seat.trouble import StoreFailed, Trouble
from firmware.table.seat.votes import EPOCHS_PER_MATCH, Decision, Votes, packed_votes
from firmware.table.seat.wishes import WishAction, Wishes
from game import AnyMatch, AnyStep, Match, Phase, hides_dice, illegality
from game.actions import (
    Action,
    Announce,
    Fault,
    FaultKind,
    Keep,
    Leave,
    Lift,
    Roll,
    ShowMaexchen,
    ShowTower,
    TableAction,
    VoidRound,
)
from game.dice import Dice
from game.status import AWAY

GONE_AFTER_US = 20_000_000
"""A peer that has shown no sign of life for this long may be gone for good."""
ASK_AGAIN_US = 2_000_000
"""What others voted, to begin an epoch that is not known here, is asked this often at most."""


_EMPTY_AFTER = (Phase.OPENING, Phase.ROLL_AGAIN)
"""Phases in which nothing lies under the cup of a bluff game."""


class Seat:
    """One handheld's share in the record and the cup.

    Args:
        log: the record so far.
        sealer: seals and opens frames for this seat, in the cup's epoch.
        state: what the journal has, or what it has just been given.
        entropy: returns that many random bytes: what dice fall from that are committed to by
            nothing.
        fair: the dice are committed to, where this seat plays and remembers what it committed to.
    """

    def __init__(
        self,
        log: PublicLog,
        sealer: Sealer,
        state: SeatState,
        entropy: Callable[[int], bytes],
        *,
        fair: bool = True,
    ) -> None:
        self.seat = seat = sealer.me
        self.log = log
        self.trouble: Trouble | None = None
        """Why this handheld cannot go on; None while it can."""
        self.lost = lost = state.lost
        self.can_be_gone = True
        """Whether a seat that stays silent may be gone for good; not where all are here."""
        self.refused_frames = 0
        """Frames that were not for this seat, forged or malformed."""
        commits = fair and not lost and seat < len(log.match.players)
        self.fair = Committer(seat, log.ledger.match, state.committer) if commits else None
        self._dice = UnbiasedDice(entropy if self.fair is None else self.fair.draw)
        self._kept = None if self.fair is None else self.fair.kept
        self._sealer = sealer
        self._handover = Handover(sealer.seal, state.cup, self._stakes)
        self._wishes = Wishes(seat)
        self._votes = Votes(seat, len(log.match.players), state.votes, forgot=lost)
        self._keeper: int | None = None
        """Who began this epoch; None if that is not known here."""
        self._asked_us: int | None = None
        self._learning = state.learning
        self._outbox = Outbox()
        self._telling = Replication(log, seat, self._outbox, self._send, sealer.places)
        self._steps: list[AnyStep] = []
        self._left_us = self._began_us = 0
        self._heard_us: dict[int, int] = {}
        self._throw: ProofNote | None = None
        self._accusation: Accusation | None = None
        self._watch_tenures()
        if state.caught:
            self._accusation = Accusation.decode(seat, state.caught)
            self.trouble = self._accusation.trouble

    # What the display and the player's part of the core ask

    @property
    def match(self) -> AnyMatch:
        """The match as far as it is known here; dice only if they were rolled here."""
        return self.log.match

    @property
    def hop(self) -> int:
        """The newest hop known here; changes whenever the cup or an offer moves."""
        heard = self._handover.heard
        return heard.hop if heard is not None else self._handover.cup.last

    @property
    def holding(self) -> bool:
        """Whether the cup is here."""
        return self._handover.cup.is_here

    @property
    def dice(self) -> Dice | None:
        """The dice in the cup that is here; None if it is empty or elsewhere."""
        return self._handover.cup.contents.dice or None

    @property
    def tower(self) -> bool:
        """Whether the dice in the cup that is here lie on top of each other (R-HF-8)."""
        return self._handover.cup.contents.tower

    @property
    def unchecked(self) -> bool:
        """Whether the dice that were laid open last are not proven to have fallen so."""
        return self.fair is not None and self.log.ledger.checked is False

    @property
    def wishes(self) -> tuple[tuple[int, WishAction], ...]:
        """What players wish for that the holder of the cup has to enter, by seat (B-10)."""
        return self._wishes.known

    @property
    def asked(self) -> tuple[int, FaultKind] | None:
        """Another seat that is being asked about a fault; None if none is."""
        asking = self._wishes.asked
        return None if asking is None else (asking.seat, asking.kind)

    @property
    def epoch(self) -> int:
        """The epoch of the table that is played in here."""
        return self._sealer.epoch

    @property
    def votes(self) -> tuple[tuple[int, Vote], ...]:
        """The open votes of the other seats for a new epoch, by seat."""
        return self._votes.open_of_others(self.epoch, self.log.at)

    @property
    def waits_to_leave(self) -> bool:
        """Whether this handheld has lost its memory, and the others have not let it go yet."""
        return self.lost and self.seat in self._at_table

    def gone(self, now_us: int) -> tuple[int, ...]:
        """The seats at the table that may be gone for good.

        Nothing was heard of them for long, or they ask to leave and nobody has the cup to grant it.
        """
        if not self.can_be_gone or self._learning or not self._votes.can_vote(self.epoch):
            return ()
        leaving = {seat for seat, action in self.wishes if isinstance(action, Leave)}
        others = (seat for seat in self._at_table if seat != self.seat)
        return tuple(
            seat
            for seat in others
            if seat in leaving or now_us - self._heard_us.get(seat, self._began_us) > GONE_AFTER_US
        )

    @property
    def answered(self) -> Action | None:
        """The answer that was given for the cup on its way here; None without one."""
        choice = self._handover.cup.choice
        return None if choice is None else answer_of(choice)

    @property
    def position(self) -> Position:
        """Where this handheld stands on the cup's way."""
        if self.trouble is not None:
            return Position.STOPPED
        return position_of(self._handover, self.match, self.seat)

    @property
    def learning(self) -> bool:
        """Whether this handheld came late into an epoch, and still learns what it began with."""
        return self._learning

    @property
    def behind(self) -> bool:
        """Whether somebody is known to know more than this handheld."""
        heard = self._handover.heard
        return heard is not None and not heard.ready

    def progress(self, now_us: int) -> CupProgress:
        """How far the cup that leaves here has come."""
        cup = self._handover.cup
        silent_us = now_us - max(self._heard_us.get(cup.peer or 0, 0), self._left_us)
        shown = cup.peer is not None and self._telling.knows_all(cup.peer)
        return progress_of(cup.where, shown=shown, silent_us=silent_us)

    @property
    def next_timer_us(self) -> int | None:
        """When ``tick`` has something to do; None if only others can move anything."""
        if self._accusation is not None:
            return self._accusation.next_timer_us
        if self.trouble is not None:
            return None
        due_us = [
            self.fair.due_us if self.fair is not None and self.holding else None,
            self._handover.next_timer_us,
            self._telling.next_timer_us,
            self._wishes.next_timer_us,
            self._votes.next_timer_us,
        ]
        return min((due for due in due_us if due is not None), default=None)

    # What the player does

    def throw(self, keep: Keep | None, now_us: int) -> Roll:
        """Throw the dice, with the cup here, and return what fell.

        A covered throw is told at once, an open one by ``show``.

        Args:
            keep: what is set aside of the throw before; None for nothing.
            now_us: the time.
        """
        if keep is not None:
            self._enter(keep, now_us)
        if self.fair is not None:
            self._throw = self.fair.begin_throw(self.match, self.log.ledger)
        roll = self._dice.roll(self.match)
        self._enter(roll, now_us)
        if isinstance(self.match, Match):
            self.show(now_us)
        return roll

    def act(self, action: Action, now_us: int) -> None:
        """Enter something legal that the player here or the table does, with the cup here."""
        self._enter(action, now_us)
        self.show(now_us)

    def _enter(self, action: Action, now_us: int) -> None:
        note = self._note(action)
        step = self._telling.append(action, note)
        self._take_in(step)
        match = step.match
        if isinstance(match, Match):  # in the other games nothing hidden lies in the cup
            if isinstance(action, Roll) and action.dice is not None:
                contents = self._contents(action.dice, action.tower)
                self._change(self._handover.fill(contents), now_us)
            elif match.phase in _EMPTY_AFTER and self.dice is not None:
                self._change(self._handover.fill(EMPTY), now_us)
        if self.fair is not None and isinstance(action, ShowTower):
            self.fair.opened()
        self._prepare(now_us)

    def show(self, now_us: int) -> None:
        """Tell the others what was entered here and not told yet."""
        self._telling.speak(now_us)

    def request(self, action: Fault, now_us: int) -> None:
        """Enter a fault of the player here, if the cup still is: one on offer is taken back first.

        A cup that has been given away by now knows no fault of this player any more.
        """
        free = self.trouble is None and self.holding
        if free and illegality(self.match, action) is None:
            self._interrupt(action, now_us)

    def wish(self, action: WishAction, now_us: int) -> None:
        """The player of this seat wishes for something. Who has the cup enters it."""
        if self.trouble is None:
            self._say_to_all(self._wishes.wish(action, self.match.round, now_us))
            self._grant(now_us)

    def go_on_without(self, seat: int, now_us: int) -> None:
        """The player here is for going on without ``seat``, and without the cup it may have."""
        learned = self.trouble is None and not self._learning
        if learned and self._votes.can_vote(self.epoch):
            vote = self._votes.vote(seat, self._at_table, self.epoch, self.log.at, now_us)
            self._cast(vote)
            self._conclude(now_us)

    def ask(self, kind: FaultKind | None, now_us: int) -> None:
        """Tell the others what the player here is asked; None: he has answered."""
        del now_us  # said once, and never again
        if self.trouble is None:
            self._say_to_all(self._wishes.ask(kind, self.match.round))

    def pass_on(self, now_us: int) -> None:
        """Propose the cup to the seat that acts next, if that is another one."""
        to = self.match.to_act
        if to is None or to == self.seat or self._handover.cup.where is not Where.HOLDING:
            return
        self.show(now_us)
        asks = self.match.phase is Phase.OFFERED
        said = self.match.said if isinstance(self.match, Match) and asks else None
        announced = said.value if isinstance(said, Announce) else None
        self._left_us = now_us
        last = self.log.last(LAST_BYTES)
        proposed = self._handover.propose(to, asks, announced, self.log.at, now_us, last)
        self._change(proposed, now_us)

    def answer(self, action: Action, now_us: int) -> None:
        """Answer the cup that is offered here. It comes by itself then."""
        self._change(self._handover.answer(choice_of(action), now_us), now_us)

    # What others and time do

    def start(self, now_us: int) -> None:
        """Go on from what the journal had."""
        self._left_us = self._began_us = now_us
        self._change(self._handover.resumed(now_us), now_us)
        self._votes.resumed(self.epoch, now_us)
        self._prepare(now_us)
        if not self._learning and self.seat < len(self.match.players):
            self._telling.speak_again(now_us)  # who spoke before a power cut may have to go on
        self._come_back(now_us)

    def receive(self, frame: bytes, now_us: int) -> None:
        """Act on a frame. Who sealed it counts; what no seat of this table sealed is ignored."""
        if self.trouble is not None:
            return
        try:
            sender, message = self._sealer.open(frame)
        except FrameError as error:
            self._refuse(error, frame, now_us)
            return
        if sender >= len(self.match.players):
            self._asked_by_watcher(sender, message, now_us)
            return
        self._heard_us[sender] = now_us
        if self.lost and not isinstance(message, Log | Vote):
            return
        match message:
            case Log():
                self._adopt(sender, message, now_us)
                self._conclude(now_us)
            case Want(first):
                self._votes.knows(sender, first)
                self._tell_votes_after(self.epoch, sender)
                if not self._learning:
                    self._telling.wanted(sender, first, now_us)
            case Vote():
                if self._votes.heard(sender, message, self.epoch):
                    self._follow_vote(now_us)
                    self._ask_for_votes(now_us)
                    self._conclude(now_us)
            case Wish():
                self._wishes.heard(sender, message)
                self._grant(now_us)
            case Question():
                self._wishes.heard_question(sender, message, self.match, now_us)
            case Fresh():
                self._contribute(sender, message)
            case Share() if self.fair is not None:
                self.fair.shared(sender, self.epoch, message, self.log.ledger)
                self._keep_fair()
            case Share():
                pass
            case Caught(accused, charge) if accused < len(self.match.players):
                self._stop(Accusation(self.seat, sender, accused, Charge(charge)))
            case Caught():
                pass
            case Propose() if not self._can_propose(sender, message, now_us):
                pass
            case _:
                self._change(self._handover.received(sender, message, self.log.at, now_us), now_us)
                self._grant(now_us)

    def _asked_by_watcher(self, sender: int, message: Message, now_us: int) -> None:
        """Who watches may ask what was played, and nothing else."""
        if not isinstance(message, Want):
            self.refused_frames += 1
        elif not self._learning:
            self._telling.wanted(sender, message.first, now_us)

    def stored(self, ticket: int, trouble: str | None) -> None:
        """A transaction has ended. One that failed stops this handheld (nothing was sent)."""
        if trouble is not None:
            self.trouble = StoreFailed()
        else:
            self._outbox.stored(ticket)

    def tick(self, now_us: int) -> None:
        """Let time pass: send again what nobody reacted to."""
        if self._accusation is not None and (caught := self._accusation.due(now_us)) is not None:
            self._say_to_all(caught)
        if self.trouble is not None:
            return
        self._ask_before(now_us)
        self._change(self._handover.tick(now_us), now_us)
        self._telling.tick(now_us)
        self._wishes.forget(self.match.round, self._at_table, now_us)
        for wish in self._wishes.due(self.match.round, now_us):
            self._say_to_all(wish)
            if self.lost:
                self._say_to_all(Want(self._lacks))
        vote = self._votes.due(self.epoch, self.log.at, now_us)
        if vote is not None:
            self._tell_vote(vote)
            self._conclude(now_us)

    def take_steps(self) -> tuple[AnyStep, ...]:
        """What has become of the match since the last call."""
        steps, self._steps = tuple(self._steps), []
        return steps

    def take_effects(self) -> list[Store | Send]:
        """What is to be written and sent since the last call, in this order."""
        return self._outbox.take()

    # How

    @property
    def _at_table(self) -> tuple[int, ...]:
        """The seats that are still in the match; none when it is over."""
        if self.match.to_act is None:
            return ()
        return tuple(seat for seat, status in enumerate(self.match.status) if status not in AWAY)

    def _grant(self, now_us: int) -> None:
        """With the cup here, enter what players wish for and may have."""
        self._wishes.forget(self.match.round, self._at_table, now_us)
        while self.trouble is None and self.holding and self.match.to_act is not None:
            granted = self._wishes.granted(self._at_table)
            action = next((a for a in granted if illegality(self.match, a) is None), None)
            if action is None:
                return
            self._interrupt(action, now_us)
            self._wishes.forget(self.match.round, self._at_table, now_us)

    def _interrupt(self, action: Action, now_us: int) -> None:
        """Enter what does not wait for the seat that is to act; a cup on offer is taken back."""
        offered = self._handover.cup.where is Where.PROPOSED
        if offered:
            self._change(self._handover.withdraw(), now_us)
        self.act(action, now_us)
        if offered or self.match.phase is Phase.OFFERED or self.seat not in self._at_table:
            self.pass_on(now_us)

    @property
    def _others(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(len(self.match.players)) if seat != self.seat)

    def _say_to_all(self, message: Message) -> None:
        for seat in self._others:
            self._send(seat, message)

    # Fair dice

    @property
    def _stakes(self) -> HopSecrets:
        return NO_SECRETS if self.fair is None else self.fair.stakes(self._sealer.epoch)

    def _watch_tenures(self) -> None:
        watches = self.fair is not None and not self._learning
        self.log.testify = self.fair.testify if self.fair is not None and watches else None

    def _note(self, action: Action) -> ProofNote | None:
        """What is told beside an action that is entered here."""
        contents = self._handover.cup.contents
        match action:
            case Roll():
                note, self._throw = self._throw, None
                return note
            case Lift() if self.fair is not None and not hides_dice(self.match):
                bound = self.log.ledger.thrown.get(self.seat)
                if bound is None:
                    return None
                return ProofNote(bound.throw, None, self.fair.proof(bound.tenure, bound.throw))
            case Lift() | ShowTower() | ShowMaexchen() if contents.throw:
                return ProofNote(contents.throw, None, contents.opening)
            case _:
                return None

    def _contents(self, dice: Dice, tower: bool) -> Contents:
        """The cup after a throw that was made here."""
        bound = self.log.ledger.newest
        if self.fair is None or bound is None:
            return Contents(dice, tower=tower)
        return Contents(dice, bound.throw, self.fair.proof(bound.tenure, bound.throw), tower)

    def _keep_fair(self) -> None:
        """Have what is to survive a power cut written, if it has changed."""
        if self.fair is not None and self.fair.kept is not self._kept:
            self._kept = self.fair.kept
            self._outbox.write(Put(FAIR_KEY, self._kept.encode()))

    def _prepare(self, now_us: int) -> None:
        """With the cup here, have a tenure to throw in."""
        if self.fair is None or self.trouble is not None:
            return
        if self.holding and self.match.to_act is not None:
            cup = self._handover.cup
            self.fair.prepare(cup.epoch, cup.last, self.log.ledger, now_us)
        self._keep_fair()
        self._ask_before(now_us)

    def _ask_before(self, now_us: int) -> None:
        if self.fair is None or not self.holding:
            return
        fresh = self.fair.ask(now_us)
        before = self._before(self.seat)
        if fresh is not None and before is not None:
            self._send(before, fresh)

    def _before(self, seat: int) -> int | None:
        """The seat that contributes to the chance of ``seat``; None if there is no other."""
        count = len(self.match.players)
        there = ((seat - away) % count for away in range(1, count))
        return next((other for other in there if other in self._at_table), None)

    def _contribute(self, sender: int, fresh: Fresh) -> None:
        if self.fair is None or self._before(sender) != self.seat:
            return
        ledger = self.log.ledger
        thrown = any(tenure.epoch == self.epoch for tenure, _ in ledger.tenures.values())
        first = not thrown and self.match.to_act is not None
        share = self.fair.asked(sender, self.epoch, fresh, ledger, first=first)
        if isinstance(share, Charge):
            self._accuse(sender, share)
        elif share is not None:
            self._keep_fair()
            self._send(sender, share)

    def _accuse(self, seat: int, charge: Charge) -> None:
        """Go no further. Everybody is told why, now and then."""
        tells = self.fair is not None
        self._stop(Accusation(self.seat, self.seat, seat, charge, tells=tells))

    def _stop(self, accusation: Accusation) -> None:
        self._accusation = accusation
        if accusation.is_proof_bound:
            self._outbox.write(Put(CAUGHT_KEY, accusation.encode()))
        self.trouble = accusation.trouble

    # A new epoch

    def _cast(self, vote: Vote) -> None:
        self._outbox.write(Put(VOTES_KEY, packed_votes(self._votes.mine)))
        self._tell_vote(vote)

    def _follow_vote(self, now_us: int) -> None:
        if self._learning or not self._votes.can_vote(self.epoch):
            return
        vote = self._votes.follow(self.epoch, self.log.at, now_us)
        if vote is not None:
            self._cast(vote)

    def _tell_vote(self, vote: Vote, *seats: int) -> None:
        sealer = self._sealer.at(vote.epoch)
        for seat in seats or self._others:
            self._outbox.send(seat, sealer.seal(vote, seat))

    def _tell_votes_after(self, epoch: int, seat: int) -> None:
        """Tell a seat in ``epoch`` how this one voted: it may have to follow."""
        for vote in self._votes.mine_after(epoch):
            self._tell_vote(vote, seat)

    def _ask_for_votes(self, now_us: int) -> None:
        """Ask everybody, now and then: whoever voted for a newer epoch answers with its votes."""
        if self._asked_us is None or now_us >= self._asked_us + ASK_AGAIN_US:
            self._asked_us = now_us
            self._say_to_all(Want(self._lacks))

    def _refuse(self, error: FrameError, frame: bytes, now_us: int) -> None:
        """Refuse a frame; one that was sealed in another epoch is worth an answer."""
        self.refused_frames += 1
        if error.sender is None or error.epoch is None:
            return
        if error.problem is FrameProblem.OLD_EPOCH:
            self._tell_votes_after(error.epoch, error.sender)
            if error.epoch // EPOCHS_PER_MATCH == self.epoch // EPOCHS_PER_MATCH:
                self._send(error.sender, Want(self._lacks))  # votes alone bring nobody over
        else:
            decision = self._votes.decided(error.epoch)
            if decision is not None and decision.keeper == self.seat and not self.lost:
                self._conclude(now_us)  # who began it was not this seat: it can only do so itself
            elif decision is not None:
                self.refused_frames -= 1
                self._begin_epoch(decision, now_us)
                self.receive(frame, now_us)
            else:
                self._ask_for_votes(now_us)

    def _conclude(self, now_us: int) -> None:
        """Begin a new epoch, if this seat is to and has the longest record of its voters."""
        decision = self._votes.to_begin(self.epoch, self.log.at)
        if decision is None or self.trouble is not None or self._learning:
            return
        longest = decision.base[decision.longest]
        if longest.index > self.log.index:
            self._send(decision.longest, Want(self._lacks))
        elif self.log.position(longest.index) != longest:
            self._stop_differing(decision.longest)
        else:
            self._begin_epoch(decision, now_us)
            void: tuple[TableAction, ...] = (VoidRound(),) if hides_dice(self.match) else ()
            for action in (*void, *(Leave(seat) for seat in sorted(decision.without))):
                if illegality(self.match, action) is None:
                    self._enter(action, now_us)
            self._telling.speak_again(now_us)
            self.pass_on(now_us)

    def _begin_epoch(self, decision: Decision, now_us: int) -> None:
        """Go over to a new epoch: whatever cup was here is void."""
        if self._votes.vouch(decision, self.epoch, self.log.at):
            self._outbox.write(Put(VOTES_KEY, packed_votes(self._votes.mine)))
        self._sealer = self._sealer.at(decision.epoch)
        keeps = decision.keeper == self.seat and not self.lost
        where = Where.HOLDING if keeps else Where.IDLE
        cup = Cup(decision.epoch, where)
        self._keeper = decision.keeper
        self._outbox.write(Put(CUP_KEY, cup.encode()))
        self._handover = Handover(self._sealer.seal, cup, self._stakes)
        self._wishes = Wishes(self.seat)
        self._telling = Replication(
            self.log, self.seat, self._outbox, self._send, self._sealer.places
        )
        self._set_learning(where is Where.IDLE)
        self._watch_tenures()
        self._prepare(now_us)
        self._left_us = self._began_us = now_us
        self._come_back(now_us)
        if self._learning and not self.lost:
            self._send(decision.keeper, Want(self._lacks))

    def _come_back(self, now_us: int) -> None:
        """Without a memory, ask what was played, and to be let go."""
        if self.lost:
            self._say_to_all(Want(self._lacks))
        if self.waits_to_leave:
            self._say_to_all(self._wishes.wish(Leave(self.seat), self.match.round, now_us))

    def _set_learning(self, learning: bool) -> None:
        if learning is not self._learning:
            self._learning = learning
            self._outbox.write(Put(LEARNING_KEY, bytes([learning])))
            self._watch_tenures()

    @property
    def _lacks(self) -> int:
        """The first entry that is missing here, as the others are told."""
        return 0 if self._learning else self.log.index

    def _take_in(self, *steps: AnyStep) -> None:
        self._steps.extend(steps)
        self._wishes.answered()

    def _send(self, seat: int, message: Message) -> None:
        self._outbox.send(seat, self._sealer.seal(message, seat))

    def _adopt(self, sender: int, message: Log, now_us: int) -> None:
        beyond = message.first + message.count
        known = self.log.index
        lacks = beyond if message.first <= known else self._lacks
        if self.holding and beyond > known:
            self._stop_differing(sender)  # only who has the cup enters anything
            return
        try:
            steps = self._telling.adopt(message)
        except Cheated as cheated:
            self._accuse(cheated.seat, cheated.charge)
            return
        except LogConflict as conflict:
            if not self._learning or (message.first == 0 and conflict.index >= self.log.index):
                self._stop_differing(sender)
                return
            steps, lacks = (), 0
            if message.first <= conflict.index < min(self.log.index, beyond):
                lacks = conflict.index
                self._cut(lacks)
        else:
            if message.first <= known:
                self._verified(message)
        if steps:
            self._take_in(*steps)
        self._send(sender, Want(lacks if self._learning else self.log.index))
        heard = self._handover.heard
        if heard is not None and heard.at == self.log.at and not self._can_hold(heard.giver):
            self._stop_differing(heard.giver)
            return
        self._change(self._handover.caught_up(self.log.at, now_us), now_us)

    def _can_propose(self, sender: int, proposal: Propose, now_us: int) -> bool:
        """Whether the cup can be with who proposes it, by the record.

        A seat that waits for a cup, or for word that one has arrived, believes in a newer hop only
        with a record that says how the cup came there; until then the proposal is repeated.
        """
        self._take_last(sender, proposal, now_us)
        cup = self._handover.cup
        if self.trouble is not None:
            return False
        if proposal.at != self.log.at:
            waits = cup.peer is not None and cup.peer != sender
            if waits and proposal.at.index > self.log.index:
                self._send(sender, Want(self._lacks))
            return not waits
        if not self._can_hold(sender):
            self._stop_differing(sender)
        return self.trouble is None

    def _can_hold(self, seat: int) -> bool:
        """Whether a seat can have the cup, by the record or because this epoch began with it."""
        voted = self.epoch % EPOCHS_PER_MATCH != 0
        return seat in self.log.holders or (voted and self._keeper in (None, seat))

    def _take_last(self, sender: int, proposal: Propose, now_us: int) -> None:
        """A proposal has come with the last entries of its giver's record, who holds the cup."""
        if self._learning and proposal.at.index < self.log.index:
            self._cut(proposal.at.index)
        elif not self._learning and proposal.at.index > self.log.index:
            first = proposal.at.index - proposal.count
            told = Log(first, proposal.count, proposal.entries, proposal.at.digest)
            self._adopt(sender, told, now_us)

    def _verified(self, told: Log) -> None:
        """Nothing that was told contradicts the record here; it is right, as far as that goes.

        Only who is not learning tells anything, so what is told in this epoch is what it began
        with. What is here beyond the end of it the table went on without.
        """
        end = told.first + told.count
        if self._learning and (end >= self.log.index or told.count < TOLD_AT_ONCE):
            if end < self.log.index:
                self._cut(end)
            self._set_learning(False)

    def _cut(self, index: int) -> None:
        """Forget entries that the table went on without: nobody else has them."""
        self.log.cut(index)
        self._outbox.write(Cut(index))

    def _change(self, change: way.Change, now_us: int) -> None:
        """Take over what the cup's way decided; follow it with what depends on it."""
        handover, effects = change
        taken = next((effect for effect in effects if isinstance(effect, CupTaken)), None)
        if taken and not can_be(self.match, self.seat, taken.choice, taken.contents):
            self._stop_differing(taken.giver)
            return
        charge = self.log.ledger.problem(taken.contents) if taken else None
        if taken and charge is not None and isinstance(self.match, Match):
            self._accuse(taken.giver, charge)
            return
        before = self._handover
        returned = before.cup.where is Where.OFFERED and handover.cup.is_here
        if returned and not before.cancelling and before.cup.peer is not None:
            # It has been shown what lies in the cup, and may not think again.
            self._accuse(before.cup.peer, Charge.ANSWER)
            return
        if returned and self.fair is not None and self._fell_here(handover.cup.contents):
            self.fair.opened()
        self._handover = handover
        heard = handover.heard
        if handover.cup.where is not Where.IDLE or (heard is not None and heard.ready):
            self._set_learning(False)  # a holder has the same record
        for effect in effects:
            match effect:
                case StoreCup(cup):
                    self._outbox.write(Put(CUP_KEY, cup.encode()))
                case SendFrame(seat, frame):
                    self._outbox.send(seat, frame)
                case OfferArrived(giver=giver, ready=ready):
                    if not ready:
                        self._send(giver, Want(self._lacks))
                    elif not is_offered(self.match, self.seat):
                        self._stop_differing(giver)
                case CupTaken():
                    if self.fair is not None:
                        at = (self.epoch, effect.hop, effect.giver)
                        self.fair.took(*at, effect.contribution)
                    self._take_cup(effect, now_us)
                case OfferAnswered(hop, taker, _, root) if self.fair is not None:
                    self.fair.gave(taker, self.epoch, hop, root)
                case Conflict(peer=peer):
                    if not self._learning:
                        self._stop_differing(peer)
                case OfferWithdrawn() | OfferAnswered() | CupGone() | HopRefused():
                    pass
        self._prepare(now_us)

    def _fell_here(self, contents: Contents) -> bool:
        bound = self.log.ledger.newest
        return bool(contents.dice) and bound is not None and bound.seat == self.seat

    def _take_cup(self, taken: CupTaken, now_us: int) -> None:
        """The cup is here: the answer given for it is this seat's first action as its holder."""
        action = answer_of(taken.choice)
        if action is None:
            return
        self.act(action, now_us)
        if self.match.phase is Phase.DOUBTED:
            self.act(Lift(self.dice, self.tower), now_us)

    def _stop_differing(self, peer: int) -> None:
        if self.trouble is None:
            self._accuse(peer, Charge.RECORD)
