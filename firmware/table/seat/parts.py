"""The parts of one seat as data, its mode, and the facts that need several parts.

Each part knows one thing, and no other part: the log and the progress of the others (`LogSync`),
the cup (`Handover`), the dice (`FairThrows`), the votes (`Votes`), wishes (`Wishes`). The modules
of functions beside this one bring them together.
"""

from collections.abc import Callable
from enum import Enum, auto
from typing import NamedTuple

from firmware.effects import earliest
from firmware.table.commitment.ledger import Committer
from firmware.table.handover import (
    BY_LIGHT,
    RETRY,
    Cup,
    Handover,
    PendingOffer,
    Where,
    answer_of,
)
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol import Retry
from firmware.table.protocol.messages import CupAnswer, Vote, Want
from firmware.table.protocol.sealing import Sealer
from firmware.table.seat.cup_custody import (
    SILENT_AFTER_US,
    Accusation,
    CupProgress,
    FairThrows,
    NoProofs,
    Position,
    Trouble,
    at_table,
)
from firmware.table.seat.log_sync import LogSync
from firmware.table.seat.mail import Inbox, Mail, Outbox
from firmware.table.seat.memory import PeerMemory, RecallQuestion, SeatState
from firmware.table.seat.votes import EPOCHS_PER_MATCH, Decision, Votes
from firmware.table.seat.wishes import WishAction, Wishes
from game import AnyMatch, AnyStep
from game.actions import Action, FaultKind
from game.dice import Dice


class Mode(Enum):
    """The mode of a seat in its match. If several apply, it is the last of them."""

    PLAYING = auto()
    """It has all entries that its epoch began with."""
    WATCHING = auto()
    """It has no seat among the players."""
    SYNCING = auto()
    """It came late into an epoch, which may have begun without some entries of its log."""
    LOST = auto()
    """Its memory of the match is lost. It sends WANT, RECALL, WISH, and an asker's own votes."""
    RETURNING = auto()
    """It comes back from a power cut, and waits for the others' answers: see ``recall``."""
    STOPPED = auto()
    """It cannot go on."""

    @property
    def may_serve_log(self) -> bool:
        """True if this seat may send its log to others: the epoch began with it."""
        return self in (Mode.PLAYING, Mode.WATCHING)

    @property
    def may_vote(self) -> bool:
        """True if this seat may vote for a new epoch, and begin one as its keeper.

        A syncing seat may: if all others sync as well, no seat is left to sync with.
        """
        return self in (Mode.PLAYING, Mode.SYNCING)


class WaitingAnswer(NamedTuple):
    """An answer that waits for signatures; it counts for one offer in one epoch only."""

    epoch: int
    offer: PendingOffer | None
    choice: CupAnswer | None


ASK_AGAIN_US = 2_000_000
"""Least wait between two requests for the votes behind an unknown epoch; chosen."""


class SeatParts:
    """The state of a seat: its parts, and what is only its own.

    Args:
        log: the log so far.
        sealer: seals and opens frames for this seat, in the cup's epoch.
        state: from the journal, or just written there.
        entropy: returns so many random bytes, for dice without a commitment.
        fair: dice have a commitment, if this seat plays and has its memory.
        by_light: infrared alone carries frames.
    """

    def __init__(
        self,
        log: PublicLog,
        sealer: Sealer,
        state: SeatState,
        entropy: Callable[[int], bytes],
        *,
        fair: bool = True,
        by_light: bool = False,
    ) -> None:
        players = len(log.match.players)
        self.seat = seat = sealer.me
        self.log = log
        self.can_be_gone = True
        """False if all seats are on this device: then no silent seat is gone."""
        self.trouble: Trouble | None = None
        """The reason why this handheld has stopped; None while it goes on."""
        self.lost = state.lost
        """True if this handheld has lost its memory of the match."""
        self.resumed = state.resumed
        """True if it comes from a journal, which may be an old copy."""
        self.returning = False
        """True while it waits for answers to ``question``."""
        self.question: RecallQuestion | None = None
        """The last question after a power cut, also after its answers; None if none was asked."""
        self.peers = PeerMemory()
        self.heartbeats: dict[int, int] = {}
        """By seat, the last beat that it was sent."""
        self.waiting = WaitingAnswer(0, None, None)
        self.entropy = entropy
        self.outbox = Outbox()
        self.mail = Mail(sealer, players, self.outbox, by_light=by_light)
        self.fair: FairThrows | NoProofs = NoProofs(entropy)
        if fair and not state.lost and seat < players:
            committer = Committer(seat, log.ledger.match, state.committer)
            self.fair = FairThrows(committer, self.mail, self.outbox)
        self.handover = self.new_handover(state.cup)
        self.left_us = 0
        """When the newest cup was proposed, or this seat went on from the journal."""
        self.sync = LogSync(log, self.mail, self.outbox, unsynced=state.unsynced)
        sign = self.mail.signed
        self.votes = Votes(seat, players, state.votes, sign=sign, forgot=state.lost)
        self.entered: Decision | None = None
        """The decision by which this seat entered its epoch; None if it began there."""
        self.requests = Retry(ASK_AGAIN_US, ASK_AGAIN_US).at(0)
        """When the others may be asked for votes again."""
        self.wishes = Wishes(seat, self.mail.epoch, self.mail.sign)
        self.inbox = Inbox()
        self.steps: list[AnyStep] = []
        """The steps of the match that nobody has taken."""
        self.accusation: Accusation | None = None
        if state.caught:
            self.accusation = Accusation.decode(seat, state.caught)
            self.trouble = self.accusation.trouble

    def new_handover(self, cup: Cup) -> Handover:
        """Return the handover of a cup in this seat's epoch, with no frame under way."""
        retry = BY_LIGHT if self.mail.by_light else RETRY
        return Handover(self.mail.seal, cup, self.fair.secrets, retry=retry)

    # Facts

    @property
    def match(self) -> AnyMatch:
        """The match as it is known here; covered dice only if they were rolled here."""
        return self.log.match

    @property
    def mode(self) -> Mode:
        """The mode of this seat."""
        if self.trouble is not None:
            return Mode.STOPPED
        if self.returning:
            return Mode.RETURNING
        if self.lost:
            return Mode.LOST
        if self.unsynced:
            return Mode.SYNCING
        return Mode.PLAYING if self.seat < len(self.match.players) else Mode.WATCHING

    @property
    def unsynced(self) -> bool:
        """True if this seat came late into an epoch, and does not know what it began with."""
        return self.sync.unsynced

    @property
    def epoch(self) -> int:
        """The epoch of this seat."""
        return self.mail.epoch

    def is_same_match(self, epoch: int) -> bool:
        """Return whether an epoch is one of this match."""
        return epoch // EPOCHS_PER_MATCH == self.epoch // EPOCHS_PER_MATCH

    @property
    def can_vote(self) -> bool:
        """True if this seat may vote now, and the match has an epoch left."""
        return self.mode.may_vote and self.votes.can_vote(self.epoch)

    @property
    def want(self) -> Want:
        """The WANT for the first missing entry; it asks all that this seat has to ask."""
        nonce = self.question.nonce if self.returning and self.question is not None else 0
        return Want(self.sync.first_missing, nonce)

    @property
    def cup(self) -> Cup:
        """The cup's state at this seat."""
        return self.handover.cup

    @property
    def hop(self) -> int:
        """The newest hop known here; changes whenever the cup or an offer moves."""
        offer = self.handover.offer
        return offer.hop if offer is not None else self.cup.last

    @property
    def holding(self) -> bool:
        """True if the cup is here; False until answers confirm it after a power cut."""
        return not self.returning and self.cup.is_here

    @property
    def dice(self) -> Dice | None:
        """The dice in the cup that is here; None if it is empty or elsewhere."""
        return self.cup.contents.dice or None

    @property
    def tower(self) -> bool:
        """True if the dice in the cup that is here form a tower (R-HF-8)."""
        return self.cup.contents.tower

    @property
    def unchecked(self) -> bool:
        """True if the newest open dice have no proof."""
        return self.fair.proves and self.log.ledger.checked is False

    @property
    def open_wishes(self) -> tuple[tuple[int, WishAction], ...]:
        """The open wishes that the holder of the cup has to enter, by seat (B-10)."""
        return self.wishes.open

    @property
    def open_question(self) -> tuple[int, FaultKind] | None:
        """The other seat with an open fault question, and the fault; None for none."""
        question = self.wishes.question
        return None if question is None else (question.seat, question.kind)

    @property
    def open_votes(self) -> tuple[tuple[int, Vote], ...]:
        """The open votes of the other seats for a new epoch, by seat."""
        return self.votes.open_of_others(self.epoch, self.log.signed_at)

    @property
    def waits_to_leave(self) -> bool:
        """True if this handheld has lost its memory, and is still in the match."""
        return self.lost and self.seat in at_table(self.match)

    @property
    def given_answer(self) -> Action | None:
        """The answer of this seat for the cup on its way here; None for none."""
        choice = self.waiting_choice or self.cup.choice
        return None if choice is None else answer_of(choice)

    @property
    def waiting_choice(self) -> CupAnswer | None:
        """The answer that waits for signatures of the entries before it; else None."""
        epoch, offer, choice = self.waiting
        stands = offer is not None and (epoch, offer) == (self.epoch, self.handover.offer)
        return choice if stands else None

    @property
    def position(self) -> Position:
        """The position of this handheld towards the cup."""
        if self.trouble is not None:
            return Position.STOPPED
        if self.returning:
            return Position.WATCHING
        if self.waiting_choice is not None:
            return Position.TAKING
        if self.match.to_act is None:
            return Position.OVER
        offer = self.handover.offer
        match self.cup.where:
            case Where.HOLDING:
                return Position.MINE if self.match.to_act == self.seat else Position.TO_PASS
            case Where.PROPOSED | Where.OFFERED:
                return Position.PASSING
            case Where.ANSWERED:
                return Position.TAKING
            case _ if offer is not None and offer.asks and offer.ready:
                return Position.OFFERED
            case _:
                return Position.WATCHING

    @property
    def public_end(self) -> int:
        """The number of entries that the others may know; an open throw waits for ``show``."""
        return self.sync.end

    @property
    def behind(self) -> bool:
        """True if an offer shows that its giver has more entries."""
        offer = self.handover.offer
        return offer is not None and not offer.ready

    def progress(self, now_us: int) -> CupProgress:
        """Return the progress of a cup that leaves this seat."""
        peer = self.cup.peer or 0
        heard_us = max(self.inbox.last_frame_us(peer), self.left_us)
        is_silent = now_us - heard_us > SILENT_AFTER_US
        if self.cup.where is Where.OFFERED:
            return CupProgress.SILENT if is_silent else CupProgress.GIVING
        if self.cup.peer is not None and self.sync.knows_all(peer):
            return CupProgress.OFFERED
        return CupProgress.SILENT if is_silent else CupProgress.CALLING

    @property
    def next_timer_us(self) -> int | None:
        """When to call ``Seat.tick``; None if only other seats can change anything."""
        if self.accusation is not None:
            return self.accusation.next_timer_us
        match self.mode:
            case Mode.STOPPED:
                return None
            case Mode.RETURNING if self.question is not None:
                return self.question.next_timer_us
        return earliest(
            (
                self.fair.due_us if self.holding else None,
                self.handover.next_timer_us,
                self.sync.next_timer_us,
                self.wishes.next_timer_us,
                self.votes.next_timer_us,
            )
        )
