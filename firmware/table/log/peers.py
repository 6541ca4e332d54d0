"""Who knows how much of the public record, and whom to tell more.

Whoever appended the last entry speaks: he sends every other seat the entries that it lacks, and
again, ever more slowly, until it has said that it lacks none. A seat says so with the index of the
first entry that it lacks, which is also how it asks. Nothing else keeps the handhelds in step. Who
lacks more than one telling holds gets the next as soon as he has said how far the last one brought.
"""

from firmware.table.protocol.sizes import TOLD_AT_ONCE

FIRST_RESEND_US = 1_500_000
"""An unanswered telling is repeated after this long …"""
LAST_RESEND_US = 8_000_000
"""… then after twice as long each time, up to this."""


class PeerProgress:
    """What the other seats are known to know.

    Args:
        seats: how many seats the table has.
        me: this handheld's seat.
    """

    def __init__(self, seats: int, me: int) -> None:
        self.lacks = [0] * seats
        """By seat: the first entry that it lacks, as far as it has said."""
        self.speaking = False
        self._others = [seat for seat in range(seats) if seat != me]
        self._told = [0] * seats
        self._due_us: list[int | None] = [None] * seats
        self._wait_us = [FIRST_RESEND_US] * seats

    def spoke(self, index: int, now_us: int) -> list[int]:
        """I appended up to ``index``. Returns the seats to tell now."""
        self.speaking = True
        return [seat for seat in self._others if self._tell(seat, index, now_us, fresh=True)]

    def heard(self) -> None:
        """Somebody else appended after me: telling the others is up to him."""
        self.speaking = False
        self._due_us = [None] * len(self._due_us)

    def lacking(self, seat: int, first: int, index: int, now_us: int) -> bool:
        """``seat`` says that ``first`` is the first entry it lacks. Returns whether to tell it now.

        An answer to an older telling, with a newer one under way, asks for nothing.
        """
        self.lacks[seat] = first
        if first >= index:
            self._due_us[seat] = None
            return False
        due_us = self._due_us[seat]
        if due_us is not None and first < self._told[seat] and now_us < due_us:
            return False
        return self._tell(seat, index, now_us, fresh=True)

    def due(self, index: int, now_us: int) -> list[int]:
        """The seats to tell again now, because they have not answered."""
        return [
            seat
            for seat in self._others
            if (due_us := self._due_us[seat]) is not None
            and due_us <= now_us
            and self._tell(seat, index, now_us, fresh=False)
        ]

    @property
    def next_timer_us(self) -> int | None:
        """When ``due`` wants to be asked; None when everybody has answered."""
        return min((due_us for due_us in self._due_us if due_us is not None), default=None)

    def _tell(self, seat: int, index: int, now_us: int, *, fresh: bool) -> bool:
        if self.lacks[seat] >= index:
            self._due_us[seat] = None
            return False
        wait_us = FIRST_RESEND_US if fresh else min(2 * self._wait_us[seat], LAST_RESEND_US)
        self._wait_us[seat] = wait_us
        self._told[seat] = min(index, self.lacks[seat] + TOLD_AT_ONCE)
        self._due_us[seat] = now_us + wait_us
        return True
