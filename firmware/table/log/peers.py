"""The progress of each seat in the public log, and the next entries to send.

The seat that appended the last entry sends every other seat the entries that it lacks. It repeats
them, ever more slowly, until WANT shows that the seat lacks none. WANT names the first entry that a
seat lacks, and is also the request for it. Nothing else keeps the handhelds in step. A seat that
lacks more than one LOG holds gets the next LOG after each WANT.

Over infrared alone every handheld hears every frame, and each costs time: PROTOCOL.md, "Told to
all".
"""

from collections.abc import Sequence

from firmware.table.protocol.layout import ENTRIES_AT_ONCE
from firmware.table.protocol.retry import Retry

FIRST_RESEND_US = 1_500_000
"""First wait before an unanswered LOG is repeated."""
LAST_RESEND_US = 8_000_000
"""Longest wait; each is twice as long as the one before."""
_RETRY = Retry(FIRST_RESEND_US, LAST_RESEND_US)
QUEUED_US, UNDER_WAY_US = 500_000, 2_000_000
"""Longest time until a frame over infrared begins, and until all have heard it."""
ANSWER_LATER_US = 2_000_000
"""Delay of the first WANT after a LOG for all: that of the seat behind its sender."""
OTHERS_LATER_US, EACH_LATER_US = 4_000_000, 300_000
"""Further delay of the others, and of each next one: an answer is on the air for 0.22 s."""


def turn_of(seat: int, teller: int, places: int) -> int:
    """Return how many seats answer a LOG of ``teller`` before ``seat``."""
    return (seat - teller - 1) % places


def answer_later_us(turn: int) -> int:
    """Return the delay before a seat that lacks nothing answers."""
    return ANSWER_LATER_US + (OTHERS_LATER_US + turn * EACH_LATER_US if turn else 0)


class PeerProgress:
    """The progress of the other seats in the log, as far as it is known here.

    Args:
        seats: the number of places at the table: its seats, and behind them the watchers.
        me: this handheld's seat.
        by_light: infrared alone carries; all hear every frame, and one can send at a time. One LOG
            then goes to several seats. All count as having heard it, unless they ask for it.
    """

    def __init__(self, seats: int, me: int, *, by_light: bool = False) -> None:
        self.lacks = [0] * seats
        """By seat: the first entry that it lacks, by its last WANT."""
        self._others = [seat for seat in range(seats) if seat != me]
        self._sent_to = [0] * seats
        self._by_light = by_light
        self._all_have = 0
        self._sent_us = [0] * seats
        self._sent_from = 0
        self._laggards: set[int] = set()
        self._fresh = [_RETRY] * seats
        if by_light:
            for seat in self._others:
                first_us = QUEUED_US + FIRST_RESEND_US + answer_later_us(turn_of(seat, me, seats))
                self._fresh[seat] = Retry(first_us, max(first_us, LAST_RESEND_US))
        self._retries = [*self._fresh]

    def groups(self, seats: Sequence[int], end: int) -> list[tuple[int, Sequence[int]]]:
        """Return the seats that share one LOG, with its first entry.

        A seat that lacks much gets a LOG alone: it would delay new entries for the others.
        """
        if not self._by_light:
            return [(min(self.lacks[seat], end), [seat]) for seat in seats]
        firsts = [min(self._first(seat), end) for seat in seats]
        if seats and end - min(firsts) <= ENTRIES_AT_ONCE:
            return [(min(firsts), seats)]
        return [
            (first, [seat for seat, one in zip(seats, firsts) if one == first])
            for first in dict.fromkeys(firsts)
        ]

    def _first(self, seat: int) -> int:
        lacks = self.lacks[seat]
        return lacks if seat in self._laggards else max(lacks, self._all_have)

    def note_sent(self, seats: Sequence[int], first: int, index: int) -> None:
        """Note that entries from ``first`` up to ``index`` are on their way to seats."""
        self._sent_from = first
        for seat in seats:
            self._sent_to[seat] = index

    def appended(self, index: int, now_us: int) -> list[int]:
        """Note own entries up to ``index``. Return the seats to send entries to now."""
        if self._by_light and now_us > max(self._sent_us) + QUEUED_US:
            self._all_have = max(self._all_have, *self._sent_to)
        return self._all(index, now_us)

    def peer_appended(self) -> None:
        """Note a newer entry of another seat, which has to send it to the others."""
        self._retries = [*self._fresh]

    def sent_to_all(self, seat: int, index: int) -> None:
        """Note that a seat has sent a LOG for all up to ``index``."""
        self.lacks[seat] = max(self.lacks[seat], index)
        self._all_have = index

    def wanted(self, seat: int, first: int, index: int, now_us: int) -> list[int]:
        """Take a WANT: ``first`` is the first entry that ``seat`` lacks, of ``index``.

        Return the seats to send entries to now. A WANT that answers older entries, while newer ones
        are under way, asks for nothing.
        """
        self.lacks[seat] = first
        if self._by_light:
            return self._wanted_by_light(seat, first, index, now_us)
        retry = self._retries[seat]
        under_way = retry.due_us is not None and not retry.due(now_us)
        if first < index and under_way and first < self._sent_to[seat]:
            return []
        return [seat] if self._send(seat, index, self._fresh[seat], now_us) else []

    def _wanted_by_light(self, seat: int, first: int, index: int, now_us: int) -> list[int]:
        """Take a WANT over infrared: entries that one seat lacks, others may lack, too."""
        self._laggards.discard(seat)
        if first >= index:
            self._all_have = max(self._all_have, index)
            self._send(seat, index, self._fresh[seat], now_us)
            return []
        under_way = now_us < self._sent_us[seat] + UNDER_WAY_US
        if under_way and self._sent_from <= first < self._sent_to[seat]:
            return []
        if index - first > ENTRIES_AT_ONCE:
            self._laggards.add(seat)
            return [seat] if self._send(seat, index, self._fresh[seat], now_us) else []
        self._all_have = first
        return self._all(index, now_us)

    def _all(self, index: int, now_us: int) -> list[int]:
        return [seat for seat in self._others if self._send(seat, index, self._fresh[seat], now_us)]

    def due(self, index: int, now_us: int) -> list[int]:
        """Return the seats to send entries to again, as they have not answered."""
        late = [
            seat
            for seat in self._others
            if (retry := self._retries[seat]).due(now_us) and self._send(seat, index, retry, now_us)
        ]
        if late and self._by_light:
            self._all_have = min(self._all_have, self._sent_from)
            rest = [seat for seat in self._others if seat not in late]
            late += [seat for seat in rest if self._send(seat, index, self._fresh[seat], now_us)]
        return late

    @property
    def next_timer_us(self) -> int | None:
        """When to call ``due``; None when all have answered."""
        due_us = (retry.due_us for retry in self._retries)
        return min((due for due in due_us if due is not None), default=None)

    def _send(self, seat: int, index: int, retry: Retry, now_us: int) -> bool:
        if self.lacks[seat] >= index:
            self._retries[seat] = self._fresh[seat]
            return False
        self._retries[seat] = retry.sent(now_us)
        self._sent_us[seat] = now_us
        return True
