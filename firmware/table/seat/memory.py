"""The state of one seat in the journal, and what the others know of a seat that had no power.

A copy of a whole journal looks like the journal, but other seats have heard newer frames of the
handheld. They report them by RECALL, which has no body, and send their log. A handheld that hears
of an own statement that it does not know has lost its memory. Until all have answered, or the
others are silent for long, it sends nothing but WANT, RECALL, wishes, and votes as it stored them.

Every question has a random nonce, and an answer repeats it: an answer to an older question does not
count. Frames from before the power cut can arrive after the answers. Each seat therefore sends an
asker every vote that comes from it. An asker that itself brings the second of two contradicting
statements is not named a cheat: that can be the older one.

An old journal stays unnoticed if no seat that heard the newer frames answers in time. No medium
delays a frame that long: a broker keeps one for 5 s, and a power cut takes at least 15 s.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from firmware.journal import CAUGHT_KEY, CUP_KEY, FAIR_KEY, LEARNING_KEY, LOST_KEY, VOTES_KEY, Put
from firmware.table.commitment.fair_dice import SEED_BYTES, CommitterError, CommitterState
from firmware.table.handover import Cup, CupError, Where
from firmware.table.protocol import (
    HEADER_BYTES,
    Header,
    MessageError,
    MessageKind,
    Parts,
    Retry,
    messages,
)
from firmware.table.seat.votes import EPOCHS_PER_MATCH, packed_votes, unpacked_votes

_OF_A_HOP = messages.Propose | messages.Answer | messages.Give | messages.Taken | messages.Cancel
_NOTHING_COMMITTED = CommitterState(bytes(SEED_BYTES))


class SeatStateError(ValueError):
    """Bytes that are no state of a seat; the text is the reason."""


@dataclass(frozen=True, slots=True)
class SeatState:
    """The durable state of a seat.

    Attributes:
        cup: the durable part of the handover.
        votes: the votes for new epochs that are known here.
        committer: the own part in fair dice.
        caught: the value of CAUGHT_KEY.
        unsynced: whether this epoch may have begun without some entries of the log.
        lost: whether this handheld has lost its memory of the match.
        resumed: whether it comes from a journal, which may be an old copy. Not written.
    """

    cup: Cup
    votes: tuple[messages.Vote, ...] = ()
    committer: CommitterState = _NOTHING_COMMITTED
    caught: bytes = b""
    unsynced: bool = False
    lost: bool = False
    resumed: bool = False

    @classmethod
    def fresh(cls, match: int, *, holds: bool, secret: bytes | None = None) -> Self:
        """Return the state at the beginning of a match.

        Args:
            match: the number of the match at its table; it takes up EPOCHS_PER_MATCH epochs.
            holds: whether this seat begins with the cup.
            secret: 32 random bytes that its dice come from; None if it commits to nothing.
        """
        cup = Cup(EPOCHS_PER_MATCH * match, Where.HOLDING if holds else Where.IDLE)
        return cls(cup, committer=CommitterState(secret) if secret else _NOTHING_COMMITTED)

    @classmethod
    def forgotten(cls, match: int) -> Self:
        """Return the state of a seat that has lost its memory of a match: no cup, and no dice."""
        return cls(Cup(EPOCHS_PER_MATCH * match), unsynced=True, lost=True)

    @classmethod
    def load(cls, state: Mapping[str, bytes]) -> Self | None:
        """Read what ``writes`` wrote. Return None if the journal has no cup, and so no match.

        ``firmware.device.open`` adds the log.

        Args:
            state: the values in the journal, by key.

        Raises:
            SeatStateError: ``writes`` never wrote such a value.
        """
        kept = {key: state.get(key, b"") for key in _KEYS}
        if not kept[CUP_KEY]:
            return None
        try:
            return cls(
                Cup.decode(kept[CUP_KEY]),
                unpacked_votes(kept[VOTES_KEY]),
                CommitterState.decode(kept[FAIR_KEY]),
                kept[CAUGHT_KEY],
                kept[LEARNING_KEY] == b"\1",
                kept[LOST_KEY] == b"\1",
                resumed=True,
            )
        except (CupError, CommitterError, ValueError) as error:
            raise SeatStateError(str(error)) from None

    @property
    def match(self) -> int:
        """The number of the match at its table."""
        return self.cup.epoch // EPOCHS_PER_MATCH

    def writes(self) -> tuple[Put, ...]:
        """Return the writes that must be on the disk before the seat does anything."""
        values = (
            self.cup.encode(),
            packed_votes(self.votes),
            bytes([self.unsynced]),
            self.committer.encode(),
            self.caught,
            bytes([self.lost]),
        )
        return tuple(map(Put, _KEYS, values))


_KEYS = (CUP_KEY, VOTES_KEY, LEARNING_KEY, FAIR_KEY, CAUGHT_KEY, LOST_KEY)


FIRST_ASK_US, LAST_ASK_US = 500_000, 4_000_000
"""First and longest wait before a question is repeated; each doubles the last; chosen."""
PATIENCE_US = 20_000_000
"""A seat silent for this long is not waited for, once any seat has answered; chosen."""


class PeerMemory:
    """Newest statements of the other seats, in memory only: a power cut deletes them."""

    def __init__(self) -> None:
        self._epochs: dict[int, int] = {}
        self._hops: dict[int, tuple[int, bool]] = {}
        self.questions: dict[int, int] = {}
        """By seat that had no power, the nonce of its last question."""

    def note(self, seat: int, epoch: int, message: messages.Message) -> None:
        """Note a message of a seat in ``epoch``. Votes do not count: they are for a later epoch."""
        if isinstance(message, messages.Vote):
            return
        if epoch != self._epochs.get(seat):
            self._epochs[seat] = epoch
            self._hops[seat] = (0, False)
        if isinstance(message, _OF_A_HOP):
            hop = (message.hop, isinstance(message, messages.Give | messages.Taken))
            self._hops[seat] = max(self._hops[seat], hop)

    def recall(self, seat: int, epoch: int, voted: int) -> messages.Recall:
        """Return the answer to the last question of a seat, which is in ``epoch`` now.

        ``voted``: the newest epoch of the match that it has voted for; 0 for none.
        """
        nonce = self.questions.get(seat, 0)
        newest = self._epochs.get(seat, 0)
        if newest > epoch:
            return messages.Recall(nonce, later=True)
        hop, moved = self._hops[seat] if newest == epoch else (0, False)
        return messages.Recall(nonce, hop, moved, voted % messages.Recall.EPOCHS)


def question_in(frame: bytes) -> int:
    """Return the nonce of the question in a frame of any epoch; 0 for none."""
    header = Header.unpack(frame[:HEADER_BYTES])
    if header.kind != MessageKind.WANT:
        return 0
    try:
        return messages.Want.of(Parts(header.kind, header.number, header.count, b"")).nonce
    except MessageError:
        return 0


def proves_rollback(recall: messages.Recall, cup: Cup, votes: Iterable[messages.Vote]) -> bool:
    """Return whether another seat knows a statement of this one that the journal lacks."""
    outstanding = {Where.ANSWERED: cup.answered, Where.PROPOSED: cup.last}.get(cup.where)
    voted = max((vote.epoch for vote in votes), default=0) % messages.Recall.EPOCHS
    return (
        recall.later
        or recall.hop > max(cup.last, cup.answered)
        or (recall.moved and recall.hop == outstanding)
        or recall.voted > voted
    )


class RecallQuestion:
    """The question of a handheld that had no power, and the seats that have not answered.

    Args:
        seats: the others at the table.
        nonce: of the question, 1 to 32767.
        now_us: the time.
    """

    def __init__(self, seats: Iterable[int], nonce: int, now_us: int) -> None:
        self.open = set(seats)
        """Those that have not answered."""
        self.nonce = nonce
        self.has_reaction = False
        """True once any seat has reacted to the question."""
        self._retry = Retry(FIRST_ASK_US, LAST_ASK_US).at(now_us)

    @property
    def next_timer_us(self) -> int | None:
        """When to call ``due`` and ``is_over``."""
        return self._retry.due_us

    def due(self, now_us: int) -> bool:
        """Return whether it is time to repeat the question."""
        if not self._retry.due(now_us):
            return False
        self._retry = self._retry.sent(now_us)
        return True

    def is_over(self, silent_us: Callable[[int], int]) -> bool:
        """Return whether to stop waiting. ``silent_us`` returns how long a seat was silent."""
        gone = all(silent_us(seat) >= PATIENCE_US for seat in self.open)
        return not self.open or (self.has_reaction and gone)
