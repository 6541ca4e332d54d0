"""The seats that have left, may be gone for good, or are back."""

from firmware.table.seat.epochs import Around
from firmware.table.seat.parts import SeatParts
from firmware.table.seat.position import at_table
from game.actions import Leave

GONE_AFTER_US = 20_000_000
"""A peer without a sign of life for this long may be gone for good."""


def gone(parts: SeatParts, now_us: int) -> tuple[int, ...]:
    """Return the seats that may be gone for good.

    They were silent for long, or wish to leave and nobody has the cup to enter it. The log of an
    unsynced seat does not show who has left.
    """
    if not parts.can_be_gone or not parts.mode.may_vote or not parts.epochs.can_vote:
        return ()
    leaving = {seat for seat, action in parts.open_wishes if isinstance(action, Leave)}
    left = _left(parts)
    there = frozenset(range(len(parts.match.players))) - left
    return tuple(
        seat
        for seat in (*sorted(there), *sorted(left & parts.log.holders))
        if seat != parts.seat
        and (seat in leaving or parts.inbox.silent_us(seat, now_us) > GONE_AFTER_US)
    )


def _left(parts: SeatParts) -> frozenset[int]:
    """Return the seats that have left, as all seats in this epoch know it.

    An unsynced seat ignores its log, which may have entries that this epoch began without.
    """
    if parts.unsynced:
        return parts.epochs.left_behind
    return frozenset(range(len(parts.match.players))) - {*at_table(parts.match)}


def _is_back(parts: SeatParts, seat: int, now_us: int) -> bool:
    """Return whether a seat is heard of again; if it wishes to leave, it must also vote."""
    leaves = (seat, Leave(seat)) in parts.open_wishes and seat not in dict(parts.open_votes)
    return parts.inbox.has_news(seat, now_us - GONE_AFTER_US) and not leaves


def around(parts: SeatParts, now_us: int) -> Around:
    """Return the seats that have left, and those that are heard of again."""
    seats = range(len(parts.match.players))
    back = sum(1 << seat for seat in seats if _is_back(parts, seat, now_us))
    return Around(sum(1 << seat for seat in _left(parts)), back)
