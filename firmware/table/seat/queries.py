"""The queries of a seat, for the display and the player's part of the core."""

from collections.abc import Callable

from firmware.table.commitment.committer import Committer
from firmware.table.handover.cup import Cup
from firmware.table.handover.handover import Heard
from firmware.table.handover.legality import answer_of
from firmware.table.log.entries import decode_entries
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol.cup_messages import CupAnswer
from firmware.table.protocol.sealing import Sealer
from firmware.table.protocol.table_messages import Vote
from firmware.table.seat.accusation import Accusation
from firmware.table.seat.cup_custody import CupCustody
from firmware.table.seat.epochs import Epochs
from firmware.table.seat.fair_throws import FairThrows, NoProofs
from firmware.table.seat.inbox import Inbox
from firmware.table.seat.log_sync import LogSync
from firmware.table.seat.mail import Mail
from firmware.table.seat.mode import Mode
from firmware.table.seat.outbox import Outbox
from firmware.table.seat.position import Position, at_table
from firmware.table.seat.progress import CupProgress, position_of
from firmware.table.seat.recall import Asking, Recollections
from firmware.table.seat.storage import SeatState
from firmware.table.seat.trouble import Trouble
from firmware.table.seat.votes import Votes
from firmware.table.seat.wishes import WishAction, Wishes
from game import AnyMatch, AnyStep, hides_dice
from game.actions import Action, FaultKind, Leave, Lift, Roll
from game.dice import Dice

GONE_AFTER_US = 20_000_000
"""A peer without a sign of life for this long may be gone for good."""


class SeatQueries:
    """The parts of a seat, and queries that change nothing.

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
        self._resumed = state.resumed
        self._asking: Asking | None = None
        self._asked: Asking | None = None
        """The last question, also after its answers; None if none was asked."""
        self._recollections = Recollections()
        self._shown: dict[int, int] = {}
        self._reminded = False
        self._answer: tuple[int, Heard | None, CupAnswer | None] = (0, None, None)
        self._entropy = entropy
        self._outbox = Outbox()
        self._mail = Mail(sealer, players, self._outbox, by_light=by_light)
        self.fair: FairThrows | NoProofs = NoProofs(entropy)
        if fair and not state.lost and seat < players:
            committer = Committer(seat, log.ledger.match, state.committer)
            self.fair = FairThrows(committer, self._mail, self._outbox)
        self._custody = CupCustody(state.cup, self._mail, self._outbox, self.fair.secrets)
        self._sync = LogSync(log, self._mail, self._outbox, learning=state.learning)
        votes = Votes(seat, players, state.votes, sign=self._mail.signed, forgot=state.lost)
        self._epochs = Epochs(votes, self._mail, self._outbox)
        self._wishes = Wishes(seat, self._mail.epoch, self._mail.sign)
        self._inbox = Inbox(self._mail)
        self._steps: list[AnyStep] = []
        self._accusation: Accusation | None = None
        if state.caught:
            self._accusation = Accusation.decode(seat, state.caught)
            self.trouble = self._accusation.trouble

    @property
    def match(self) -> AnyMatch:
        """The match as it is known here; covered dice only if they were rolled here."""
        return self.log.match

    @property
    def mode(self) -> Mode:
        """The mode of this seat."""
        return Mode.of(
            stopped=self.trouble is not None,
            lost=self.lost,
            learning=self.learning,
            watches=self.seat >= len(self.match.players),
            returning=self._asking is not None,
        )

    @property
    def learning(self) -> bool:
        """True if this seat came late into an epoch, and still learns what it began with."""
        return self._sync.learning

    @property
    def cup(self) -> Cup:
        """The cup's state at this seat."""
        return self._custody.cup

    @property
    def hop(self) -> int:
        """The newest hop known here; changes whenever the cup or an offer moves."""
        heard = self._custody.heard
        return heard.hop if heard is not None else self.cup.last

    @property
    def holding(self) -> bool:
        """True if the cup is here; False until answers confirm it after a power cut."""
        return self._asking is None and self.cup.is_here

    @property
    def dice(self) -> Dice | None:
        """The dice in the cup that is here; None if it is empty or elsewhere."""
        return self.cup.contents.dice or None

    @property
    def tower(self) -> bool:
        """True if the dice in the cup that is here form a tower (R-HF-8)."""
        return self.cup.contents.tower

    @property
    def _throw_lies_here(self) -> bool:
        """True if the last entry is an open throw: its player passes the cup on."""
        if hides_dice(self.match) or not self.log.index:
            return False
        (last,) = decode_entries(self.log.since(self.log.index - 1)[0])
        return isinstance(last, Roll | Lift)

    @property
    def unchecked(self) -> bool:
        """True if the newest open dice have no proof."""
        return self.fair.proves and self.log.ledger.checked is False

    @property
    def wishes(self) -> tuple[tuple[int, WishAction], ...]:
        """The open wishes that the holder of the cup has to enter, by seat (B-10)."""
        return self._wishes.known

    @property
    def asked(self) -> tuple[int, FaultKind] | None:
        """The other seat that is asked about a fault, and the fault; None for none."""
        asking = self._wishes.asked
        return None if asking is None else (asking.seat, asking.kind)

    @property
    def epoch(self) -> int:
        """The epoch of this seat."""
        return self._mail.epoch

    @property
    def votes(self) -> tuple[tuple[int, Vote], ...]:
        """The open votes of the other seats for a new epoch, by seat."""
        return self._epochs.open_of_others(self.log.signed_at)

    @property
    def waits_to_leave(self) -> bool:
        """True if this handheld has lost its memory, and is still in the match."""
        return self.lost and self.seat in at_table(self.match)

    def gone(self, now_us: int) -> tuple[int, ...]:
        """Return the seats that may be gone for good.

        They were silent for long, or wish to leave and nobody has the cup to enter it. The log of a
        learning seat does not show who has left.
        """
        if not self.can_be_gone or not self.mode.may_vote or not self._epochs.can_vote:
            return ()
        leaving = {seat for seat, action in self.wishes if isinstance(action, Leave)}
        there = frozenset(range(len(self.match.players))) - self._left
        return tuple(
            seat
            for seat in (*sorted(there), *sorted(self._may_have_left_with_the_cup))
            if seat != self.seat
            and (seat in leaving or self._inbox.silent_us(seat, now_us) > GONE_AFTER_US)
        )

    @property
    def _left(self) -> frozenset[int]:
        """The seats that have left, as all seats in this epoch know it.

        A learning seat ignores its log, which may have entries that this epoch began without.
        """
        if self.learning:
            return self._epochs.left_behind
        return frozenset(range(len(self.match.players))) - {*at_table(self.match)}

    @property
    def _may_have_left_with_the_cup(self) -> frozenset[int]:
        return self._left & self.log.holders

    def _is_back(self, seat: int, now_us: int) -> bool:
        """Return whether a seat is heard of again; if it wishes to leave, it must also vote."""
        leaves = (seat, Leave(seat)) in self.wishes and seat not in dict(self.votes)
        return self._inbox.is_heard(seat, now_us - GONE_AFTER_US) and not leaves

    @property
    def answered(self) -> Action | None:
        """The answer of this seat for the cup on its way here; None for none."""
        choice = self._answering or self.cup.choice
        return None if choice is None else answer_of(choice)

    @property
    def _answering(self) -> CupAnswer | None:
        """The answer that waits for signatures of the entries before it; else None."""
        epoch, heard, choice = self._answer
        stands = heard is not None and (epoch, heard) == (self.epoch, self._custody.heard)
        return choice if stands else None

    @property
    def position(self) -> Position:
        """The position of this handheld towards the cup."""
        if self.trouble is not None:
            return Position.STOPPED
        if self._asking is not None:
            return Position.WATCHING
        if self._answering is not None:
            return Position.TAKING
        return position_of(self.cup, self._custody.heard, self.match, self.seat)

    @property
    def told(self) -> int:
        """The number of entries that the others may know; an open throw waits for ``show``."""
        return self._sync.replication.end

    @property
    def behind(self) -> bool:
        """True if an offer shows that its giver has more entries."""
        heard = self._custody.heard
        return heard is not None and not heard.ready

    def progress(self, now_us: int) -> CupProgress:
        """Return the progress of a cup that leaves this seat."""
        peer = self.cup.peer
        shown = peer is not None and self._sync.replication.knows_all(peer)
        return self._custody.progress(now_us, self._inbox.heard_us(peer or 0), shown=shown)

    @property
    def next_timer_us(self) -> int | None:
        """When to call ``tick``; None if only other seats can change anything."""
        if self._accusation is not None:
            return self._accusation.next_timer_us
        if self.trouble is not None:
            return None
        if self._asking is not None:
            return self._asking.next_timer_us
        due_us = (
            self.fair.due_us if self.holding else None,
            self._custody.next_timer_us,
            self._sync.next_timer_us,
            self._wishes.next_timer_us,
            self._epochs.next_timer_us,
        )
        return min((due for due in due_us if due is not None), default=None)
