"""The messages of one seat about its table's matches, checked as they come.

PROTOCOL.md, "Over a broker", and ``firmware.device.feed`` define them. They may come in any order
and more than once; kept messages come first. A block of entries waits for the notice of its match.
"""

from firmware.audience.checking import Checked, DoubtedError, begun, follow
from firmware.device.feed import BLOCK, EntryBlock, MatchNotice
from firmware.table.commitment.ledger import Cheated
from firmware.table.log.public_log import LogConflict

MOST_BLOCKS = 256
"""No match has more entries than fit into so many blocks …"""
MOST_DIGITS = 2_000_000
"""… nor more hex digits than these; a seat's surplus is dropped."""


class Reader:
    """Checks the messages of one seat.

    Attributes:
        notice: how the match stands by the seat's own message; None before the first.
        checked: the match as far as it passed; None before there is one.
        trouble: why the seat is no longer believed in this match; None while it is.
        cuts: how often entries were taken back.
    """

    def __init__(self) -> None:
        self.notice: MatchNotice | None = None
        self.checked: Checked | None = None
        self.trouble: str | None = None
        self.cuts = 0
        self._blocks: dict[int, EntryBlock] = {}

    @property
    def match(self) -> int:
        """Number of the match; -1 for none."""
        return -1 if self.notice is None else self.notice.match

    @property
    def epoch(self) -> int:
        """Epoch of the seat's table; -1 for none."""
        return -1 if self.notice is None else self.notice.epoch

    @property
    def is_followed(self) -> bool:
        """Whether the seat is believed and is not resending entries that it took back."""
        told = self.checked is not None and self.trouble is None
        return told and (self.is_complete or not self.cuts)

    @property
    def count(self) -> int:
        """Number of the seat's entries that passed."""
        return 0 if self.checked is None else self.checked.count

    @property
    def is_complete(self) -> bool:
        """Whether all announced entries came and passed."""
        told = self.notice
        return told is not None and self.trouble is None and self.count == told.count

    def differs_from(self, other: "Reader") -> bool:
        """Return whether another seat sends a different log of the same match and epoch."""
        if self.notice is None or other.notice is None or not self.checked or not other.checked:
            return False
        at = min(self.count, other.count)
        same = self.notice.match == other.notice.match and self.notice.epoch == other.notice.epoch
        return same and self.checked.digest(at) != other.checked.digest(at)

    def caught_by(self, other: "Reader") -> str | None:
        """Return the name of the seat that signed both of two different logs; None if none did."""
        if self.notice is None or not self.checked or not other.checked:
            return None
        both = begun(self.notice)
        try:
            for each in (self.checked.log, other.checked.log):
                tuple(both.log.adopt(each.part(0, each.index), belief=both.belief))
        except Cheated as found:
            return both.log.match.players[found.seat]
        except LogConflict:
            return None
        return None

    def take(self, part: MatchNotice | EntryBlock) -> None:
        """Store and check a message of the seat."""
        if isinstance(part, EntryBlock):
            number, rest = divmod(part.first, BLOCK)
            others = sum(len(each.entries) for at, each in self._blocks.items() if at != number)
            if rest or number >= MOST_BLOCKS or others + len(part.entries) > MOST_DIGITS:
                return
            self._blocks[number] = part
        elif self.notice is not None and part.epoch < self.notice.epoch:
            return
        else:
            self._note(part)
        if self.trouble is None:
            try:
                self._follow()
            except DoubtedError as error:
                self.trouble = str(error)

    def _note(self, notice: MatchNotice) -> None:
        before, self.notice = self.notice, notice
        if before is None or (before.match, before.header) != (notice.match, notice.header):
            self.checked = self.trouble = None
        elif before.epoch != notice.epoch:  # its entries are told anew, and may be fewer
            self.checked, self.cuts = None, self.cuts + 1

    def _follow(self) -> None:
        notice = self.notice
        if notice is None:
            return
        if self.checked is None:
            self.checked = begun(notice)
        checked = self.checked
        while checked.count < notice.count:
            block = self._blocks.get(checked.count // BLOCK)
            if block is None or (block.match, block.epoch) != (notice.match, notice.epoch):
                return
            if block.first + block.count <= checked.count:
                return
            follow(checked, block.log)
        if checked.digest(notice.count).hex() != notice.digest:
            raise DoubtedError("its digest is not that of its entries")
