"""Wishes that only the holder of the cup can enter, and questions about faults.

Leaving is a player's own affair: the holder enters it at once. Voiding a round, stopping the match
and booking a mistake that no sensor knows concern the table: they are entered when more than half
of those who play wish for them (B-10, R-PHYS-7, R-HF-5). Such wishes count in their round; a wish
to leave holds until it is granted. Wishes live in memory alone, and their seats repeat them. A wish
is signed: the log has the signatures beside the entry.

A question about a sensed fault goes to all once, so that no player answers it in secret.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from firmware.effects import earliest
from firmware.table.log.entries import Wished, encode_entry, wish_statement, wished_in
from firmware.table.protocol import Retry
from firmware.table.protocol.messages import AskedFault, Question, Wish, WishKind
from game import AnyMatch, illegality
from game.actions import Fault, FaultKind, Leave, StopMatch, VoidRound

REPEAT_US = 3_000_000
"""Wait before a wish is repeated, until the log shows its outcome; chosen."""
QUESTION_US = 20_000_000
"""Time after which an unanswered question is dropped; chosen."""

WishAction = Leave | VoidRound | StopMatch | Fault
"""An action to wish for; a fault has kind OTHER."""

_FAULTS: dict[FaultKind | None, AskedFault] = {
    None: AskedFault.NOTHING,
    FaultKind.DROP: AskedFault.DROP,
    FaultKind.MOVE: AskedFault.MOVE,
    FaultKind.LOOK: AskedFault.LOOK,
}
_KINDS = {fault: kind for kind, fault in _FAULTS.items()}


class FaultQuestion(NamedTuple):
    """Seat ``seat`` is asked whether it did ``kind``, until ``until_us``."""

    seat: int
    kind: FaultKind
    until_us: int


class Wishes:
    """The known wishes, and the open question.

    Args:
        seat: this handheld's seat.
        epoch: of the wishes.
        sign: signs a statement for this seat.
    """

    def __init__(self, seat: int, epoch: int, sign: Callable[[bytes], bytes]) -> None:
        self.question: FaultQuestion | None = None
        """The open question of another seat; None for none."""
        self._seat = seat
        self._epoch = epoch
        self._sign = sign
        self._signed: dict[tuple[int, WishKind], Wish] = {}
        self._retry = Retry(REPEAT_US, REPEAT_US)

    @property
    def open(self) -> tuple[tuple[int, WishAction], ...]:
        """The open wishes, by seat."""
        return tuple((seat, _action(seat, wished)) for seat, wished in sorted(self._signed))

    @property
    def signed(self) -> tuple[tuple[int, Wish], ...]:
        """The open wishes with their signatures, by seat."""
        return tuple((seat, wish) for (seat, _), wish in sorted(self._signed.items()))

    @property
    def next_timer_us(self) -> int | None:
        """When to call ``due`` and ``forget``; None if nothing is open."""
        until_us = None if self.question is None else self.question.until_us
        return earliest((self._retry.due_us, until_us))

    def wish(self, action: WishAction, round_number: int, now_us: int) -> Wish:
        """Add a wish of the player here. Return the message for the others."""
        self._retry = self._retry.sent(now_us)
        wish = Wish(wished_in(action, round_number), _wished(action))
        wish = replace(wish, signature=self._sign(self.statement(self._seat, wish)))
        self._signed[self._seat, wish.wished] = wish
        return wish

    def statement(self, seat: int, wish: Wish) -> bytes:
        """Return the statement that a seat signs for a wish in this epoch."""
        entry = encode_entry(_action(seat, wish.wished))
        return wish_statement(seat, self._epoch, wish.round, entry)

    def receive(self, seat: int, wish: Wish, round_number: int) -> None:
        """Add a wish of another seat; one of the current round is not replaced."""
        before = self._signed.get((seat, wish.wished))
        if before is None or before.round != round_number:
            self._signed[seat, wish.wished] = wish

    def own_question(self, kind: FaultKind | None, round_number: int) -> Question:
        """Return the message about this seat's fault question; None: the player has answered."""
        return Question(round_number, _FAULTS[kind])

    def receive_question(self, seat: int, question: Question, match: AnyMatch, now_us: int) -> None:
        """Take another seat's question, or its end.

        A late question, about a cup that the other seat no longer has, is ignored.
        """
        kind = _KINDS[question.fault]
        if kind is None:
            if self.question is not None and self.question.seat == seat:
                self.question = None
        elif question.round == match.round and illegality(match, Fault(kind, seat)) is None:
            self.question = FaultQuestion(seat, kind, now_us + QUESTION_US)

    def forget(self, round_number: int, at_table: tuple[int, ...], now_us: int) -> None:
        """Drop wishes for another round or of seats that left, and stale questions."""
        self._signed = {
            (seat, wished): wish
            for (seat, wished), wish in self._signed.items()
            if seat in at_table and (wish.round == round_number or wished is WishKind.LEAVE)
        }
        if not any(seat == self._seat for seat, _ in self._signed):
            self._retry = self._retry.answered()
        if self.question is not None and now_us >= self.question.until_us:
            self.question = None

    def due(self, now_us: int) -> tuple[Wish, ...]:
        """Return the own wishes, if it is time to repeat them."""
        if not self._retry.due(now_us):
            return ()
        self._retry = self._retry.sent(now_us)
        return tuple(wish for seat, wish in self.signed if seat == self._seat)

    def granted(self, at_table: tuple[int, ...]) -> tuple[tuple[WishAction, Wished], ...]:
        """Return the actions that the holder of the cup has to enter now, with their wishes.

        Leaving takes the wish of one seat, other actions those of more than half.
        """
        granted = list[tuple[WishAction, Wished]]()
        for seat, wished in sorted(self._signed):
            if wished is WishKind.LEAVE and seat in at_table:
                granted.append((Leave(seat), self._by(wished, [seat])))
        for wished in sorted({wished for _, wished in self._signed} - {WishKind.LEAVE}):
            wishing = [seat for seat in at_table if (seat, wished) in self._signed]
            if 2 * len(wishing) > len(at_table):
                by = self._by(wished, wishing[: len(at_table) // 2 + 1])
                granted.append((_action(at_table[0], wished), by))
        return tuple(granted)

    def _by(self, wished: WishKind, seats: Iterable[int]) -> Wished:
        return Wished(tuple((seat, self._signed[seat, wished].signature) for seat in seats))


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
