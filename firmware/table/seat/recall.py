"""A handheld that had no power asks the others what they know of it: its journal may be an old one.

A copy of a whole journal is as good as the journal, so nothing at the handheld can tell. But what
it said since, others have heard. They say so by RECALL, which has no body, and tell their log; who
hears of himself what he does not know has lost his memory. Until all have answered, or those that
have not are silent for long, it says nothing but WANT, RECALL and wishes.

Every question has a number of its own, drawn at random, and an answer repeats it: an answer to an
older question counts for nothing. What was still on the air when the power went can arrive after
the answers. A seat that has asked is therefore told every vote that comes from it, and is named a
cheat for no two statements of which it brings the second one itself: that can be the older one.
"""

from collections.abc import Callable, Iterable

from firmware.table.handover.cup import Cup, Where
from firmware.table.protocol.codec import Message
from firmware.table.protocol.cup_messages import Answer, Cancel, Give, Propose, Taken
from firmware.table.protocol.header import HEADER_BYTES, Header
from firmware.table.protocol.kinds import MessageKind
from firmware.table.protocol.layout import MessageError, Parts
from firmware.table.protocol.log_messages import Recall, Want
from firmware.table.protocol.retry import Retry
from firmware.table.protocol.table_messages import Vote

FIRST_ASK_US, LAST_ASK_US = 500_000, 4_000_000
"""Who has not answered is asked again after so long, then twice as long, up to the last."""
PATIENCE_US = 20_000_000
"""Who has been silent for so long is not waited for, once anybody was heard of."""


class Recollections:
    """What the other seats said that they must not forget. In memory: who had no power has none."""

    def __init__(self) -> None:
        self._epochs: dict[int, int] = {}
        self._hops: dict[int, tuple[int, bool]] = {}
        self._back: dict[int, int] = {}

    def note(self, seat: int, epoch: int, message: Message) -> None:
        """Seat ``seat`` has said something in ``epoch``; a vote is none: it is for a later one."""
        if isinstance(message, Vote):
            return
        if epoch != self._epochs.get(seat):
            self._epochs[seat] = epoch
            self._hops[seat] = (0, False)
        if isinstance(message, Propose | Answer | Give | Taken | Cancel):
            said = (message.hop, isinstance(message, Give | Taken))
            self._hops[seat] = max(self._hops[seat], said)

    def asked(self, seat: int, nonce: int) -> None:
        """A seat has asked, for it had no power."""
        self._back[seat] = nonce

    def nonce(self, seat: int) -> int:
        """The nonce of the last question of a seat; 0 where it has asked nothing."""
        return self._back.get(seat, 0)

    def of(self, seat: int, epoch: int, voted: int) -> Recall:
        """The answer to the last question of a seat, which is in ``epoch`` now.

        ``voted``: the newest epoch of the match that it has voted for; 0 for none.
        """
        nonce = self.nonce(seat)
        heard_in = self._epochs.get(seat, 0)
        if heard_in > epoch:
            return Recall(nonce, later=True)
        hop, moved = self._hops[seat] if heard_in == epoch else (0, False)
        return Recall(nonce, hop, moved, voted % Recall.EPOCHS)


def question_in(frame: bytes) -> int:
    """The nonce of the question that a frame of any epoch asks; 0 if it asks none."""
    header = Header.unpack(frame[:HEADER_BYTES])
    if header.kind != MessageKind.WANT:
        return 0
    try:
        return Want.of(Parts(header.kind, header.number, header.count, b"")).nonce
    except MessageError:
        return 0


def contradicts(recall: Recall, cup: Cup, votes: Iterable[Vote]) -> bool:
    """Whether another seat knows something that this one said and does not know any more."""
    outstanding = {Where.ANSWERED: cup.answered, Where.PROPOSED: cup.last}.get(cup.where)
    voted = max((vote.epoch for vote in votes), default=0) % Recall.EPOCHS
    return (
        recall.later
        or recall.hop > max(cup.last, cup.answered)
        or (recall.moved and recall.hop == outstanding)
        or recall.voted > voted
    )


class Asking:
    """Whom a handheld that had no power has still to hear from.

    Args:
        seats: the others at the table.
        nonce: the number of the question, 1 to 32767.
        now_us: the time.
    """

    def __init__(self, seats: Iterable[int], nonce: int, now_us: int) -> None:
        self.open = set(seats)
        """Those that have not answered."""
        self.nonce = nonce
        self._heard = False
        self._retry = Retry(FIRST_ASK_US, LAST_ASK_US).at(now_us)

    @property
    def next_timer_us(self) -> int | None:
        """When ``due`` or ``is_over`` may have changed."""
        return self._retry.due_us

    def heard(self) -> None:
        """Somebody is there, and has heard the question."""
        self._heard = True

    def answered(self, seat: int) -> None:
        """A seat has said all that it knows."""
        self.open.discard(seat)

    def due(self, now_us: int) -> bool:
        """Whether it is time to ask those that have not answered."""
        if not self._retry.due(now_us):
            return False
        self._retry = self._retry.sent(now_us)
        return True

    def is_over(self, silent_us: Callable[[int], int]) -> bool:
        """Whether nobody else is waited for. ``silent_us``: how long a seat was not heard of."""
        gone = all(silent_us(seat) >= PATIENCE_US for seat in self.open)
        return not self.open or (self._heard and gone)
