"""What players wish for that only the holder of the cup can enter, and what they are being asked.

Leaving is a player's own affair: who has the cup enters it at once. Voiding a round, stopping the
match and booking a mistake that no sensor knows are the table's: they are entered when more than
half of those who play wish for them (B-10, R-PHYS-7, R-HF-5). These count in the round they were
made in; leaving holds until it is done. Wishes live in memory alone, and who still wishes repeats
it.

A question about a sensed fault is told to everybody once, so that nobody answers it in secret.
"""

from collections.abc import Iterable
from struct import Struct
from typing import NamedTuple

from firmware.table.protocol.retry import Retry
from firmware.table.protocol.table_messages import AskedFault, Question, Wish, WishKind
from game import AnyMatch, illegality
from game.actions import Fault, FaultKind, Leave, StopMatch, VoidRound
from game.status import AWAY

REPEAT_US = 3_000_000
"""A wish is said again this often until the log shows it done."""
QUESTION_US = 20_000_000
"""A question that nobody answers is forgotten after this long."""

WishAction = Leave | VoidRound | StopMatch | Fault
"""What can be wished for; a fault of kind OTHER."""

_ASKED: dict[FaultKind | None, AskedFault] = {
    None: AskedFault.NOTHING,
    FaultKind.DROP: AskedFault.DROP,
    FaultKind.MOVE: AskedFault.MOVE,
    FaultKind.LOOK: AskedFault.LOOK,
}
_KINDS = {asked: kind for kind, asked in _ASKED.items()}


class FaultQuestion(NamedTuple):
    """Seat ``seat`` is asked whether it did ``kind``, until ``until_us``."""

    seat: int
    kind: FaultKind
    until_us: int


class Wishes:
    """The wishes and the question that are known here.

    Args:
        seat: this handheld's seat.
        said: what its player has wished for before, in this epoch.
    """

    def __init__(self, seat: int, said: Iterable[Wish] = ()) -> None:
        self.asked: FaultQuestion | None = None
        self._seat = seat
        self._open: dict[tuple[int, WishKind], int] = {}
        self._said = dict.fromkeys(said)
        self._retry = Retry(REPEAT_US, REPEAT_US)

    @property
    def known(self) -> tuple[tuple[int, WishAction], ...]:
        """The open wishes, by seat."""
        return tuple((seat, _action(seat, wished)) for seat, wished in sorted(self._open))

    @property
    def next_timer_us(self) -> int | None:
        """When ``due`` or ``forget`` has something to do; None if not."""
        times = (self._retry.due_us, None if self.asked is None else self.asked.until_us)
        return min((time for time in times if time is not None), default=None)

    def wish(self, action: WishAction, round_number: int, now_us: int) -> Wish:
        """The player of this seat wishes for something. Returns what the others are told."""
        wished = _wished(action)
        self._open[self._seat, wished] = round_number
        self._retry = self._retry.sent(now_us)
        self._said[Wish(round_number, wished)] = None
        return Wish(round_number, wished)

    @property
    def said(self) -> tuple[Wish, ...]:
        """All that the player here has wished for since the epoch began."""
        return tuple(self._said)

    def bears_out(self, action: WishAction, others: Iterable[int], match: AnyMatch) -> bool:
        """Whether those have wished for something whose wish it takes, as far as is known here.

        ``others`` count as if they had: who tells of it, and who cannot tell any more.
        """
        wishing = {seat for seat, wished in self._open if wished is _wished(action)}
        wishing |= set(others)
        wishing |= {self._seat for wish in self._said if wish == Wish(match.round, _wished(action))}
        if isinstance(action, Leave):
            return action.seat in wishing | {self._seat}
        there = {seat for seat, status in enumerate(match.status) if status not in AWAY}
        return 2 * len(wishing & there) > len(there)

    def receive(self, seat: int, wish: Wish, round_number: int) -> None:
        """Another seat wishes for something; that of the round here is not lost over another."""
        if self._open.get((seat, wish.wished)) != round_number:
            self._open[seat, wish.wished] = wish.round

    def ask(self, kind: FaultKind | None, round_number: int) -> Question:
        """The player of this seat is asked something, or has answered; what the others are told."""
        return Question(round_number, _ASKED[kind])

    def receive_question(self, seat: int, question: Question, match: AnyMatch, now_us: int) -> None:
        """Another seat is asked something, or has answered.

        A question that comes late, about a cup that this seat has not got any more, is none.
        """
        kind = _KINDS[question.asked]
        if kind is None:
            if self.asked is not None and self.asked.seat == seat:
                self.asked = None
        elif question.round == match.round and illegality(match, Fault(kind, seat)) is None:
            self.asked = FaultQuestion(seat, kind, now_us + QUESTION_US)

    def forget(self, round_number: int, at_table: tuple[int, ...], now_us: int) -> None:
        """Drop what is done or over: wishes for another round, of who left, stale questions."""
        self._open = {
            (seat, wished): said
            for (seat, wished), said in self._open.items()
            if seat in at_table and (said == round_number or wished is WishKind.LEAVE)
        }
        if not any(seat == self._seat for seat, _ in self._open):
            self._retry = self._retry.answered()
        if self.asked is not None and now_us >= self.asked.until_us:
            self.asked = None

    def record_moved(self) -> None:
        """An entry was made: no question is open any more."""
        self.asked = None

    def due(self, round_number: int, now_us: int) -> tuple[Wish, ...]:
        """The own wishes, if it is time to say them again."""
        if not self._retry.due(now_us):
            return ()
        self._retry = self._retry.sent(now_us)
        mine = [wished for seat, wished in sorted(self._open) if seat == self._seat]
        return tuple(Wish(round_number, wished) for wished in mine)

    def granted(self, at_table: tuple[int, ...]) -> tuple[WishAction, ...]:
        """What the holder of the cup has to enter now."""
        leavers = [seat for seat, wished in sorted(self._open) if wished is WishKind.LEAVE]
        granted: list[WishAction] = [Leave(seat) for seat in leavers if seat in at_table]
        for wished in sorted({wished for _, wished in self._open} - {WishKind.LEAVE}):
            votes = sum((seat, wished) in self._open for seat in at_table)
            if 2 * votes > len(at_table):
                granted.append(_action(at_table[0], wished))
        return tuple(granted)


def _wished(action: WishAction) -> WishKind:
    match action:
        case Leave():
            return WishKind.LEAVE
        case VoidRound():
            return WishKind.VOID_ROUND
        case StopMatch():
            return WishKind.STOP_MATCH
        case Fault(seat=offender):
            return WishKind(WishKind.MISTAKE_OF_0 + offender)


def _action(seat: int, wished: WishKind) -> WishAction:
    match wished:
        case WishKind.LEAVE:
            return Leave(seat)
        case WishKind.VOID_ROUND:
            return VoidRound()
        case WishKind.STOP_MATCH:
            return StopMatch()
        case mistake:
            return Fault(FaultKind.OTHER, mistake - WishKind.MISTAKE_OF_0)


_WISH = Struct(">IB")


def packed_wishes(wishes: Iterable[Wish]) -> bytes:
    """The wishes as the journal keeps them, 5 bytes each."""
    return b"".join(_WISH.pack(wish.round, wish.wished) for wish in wishes)


def unpacked_wishes(data: bytes) -> tuple[Wish, ...]:
    """The inverse of ``packed_wishes``. Raises ValueError for what it never wrote."""
    if len(data) % _WISH.size:
        raise ValueError(f"{len(data)} bytes are no wishes")
    return tuple(Wish(number, WishKind(wished)) for number, wished in _WISH.iter_unpack(data))
