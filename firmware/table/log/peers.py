"""Who knows how much of the public log, and whom to send more.

Whoever appended the last entry sends every other seat the entries that it lacks, and again, ever
more slowly, until it has said that it lacks none. A seat says so with the index of the first entry
that it lacks, which is also how it asks. Nothing else keeps the handhelds in step. Who lacks more
than one LOG holds gets the next as soon as he has said how far the last one brought him.
"""

from firmware.table.protocol.retry import Retry

FIRST_RESEND_US = 1_500_000
"""An unanswered telling is repeated after this long …"""
LAST_RESEND_US = 8_000_000
"""… then after twice as long each time, up to this."""
_RETRY = Retry(FIRST_RESEND_US, LAST_RESEND_US)


class PeerProgress:
    """What the other seats are known to know.

    Args:
        seats: how many seats the table has.
        me: this handheld's seat.
    """

    def __init__(self, seats: int, me: int) -> None:
        self.lacks = [0] * seats
        """By seat: the first entry that it lacks, as far as it has said."""
        self._others = [seat for seat in range(seats) if seat != me]
        self._sent_to = [0] * seats
        self._retries = [_RETRY] * seats

    def told(self, seat: int, index: int) -> None:
        """Entries up to ``index`` are on their way to a seat."""
        self._sent_to[seat] = index

    def appended(self, index: int, now_us: int) -> list[int]:
        """The seat here has appended up to ``index``. Returns the seats to send entries to now."""
        return [seat for seat in self._others if self._send(seat, index, _RETRY, now_us)]

    def peer_appended(self) -> None:
        """Another seat has appended after this one: telling the others is up to it."""
        self._retries = [_RETRY] * len(self._retries)

    def wanted(self, seat: int, first: int, index: int, now_us: int) -> bool:
        """``seat`` says that ``first`` is the first entry it lacks of ``index``.

        Returns whether to send it entries now: an answer to older ones, with newer ones under way,
        asks for nothing.
        """
        self.lacks[seat] = first
        retry = self._retries[seat]
        under_way = retry.due_us is not None and not retry.due(now_us)
        if first < index and under_way and first < self._sent_to[seat]:
            return False
        return self._send(seat, index, _RETRY, now_us)

    def due(self, index: int, now_us: int) -> list[int]:
        """The seats to send entries again now, because they have not answered."""
        return [
            seat
            for seat in self._others
            if (retry := self._retries[seat]).due(now_us) and self._send(seat, index, retry, now_us)
        ]

    @property
    def next_timer_us(self) -> int | None:
        """When ``due`` wants to be asked; None when everybody has answered."""
        due_us = (retry.due_us for retry in self._retries)
        return min((due for due in due_us if due is not None), default=None)

    def _send(self, seat: int, index: int, retry: Retry, now_us: int) -> bool:
        if self.lacks[seat] >= index:
            self._retries[seat] = _RETRY
            return False
        self._retries[seat] = retry.sent(now_us)
        return True
