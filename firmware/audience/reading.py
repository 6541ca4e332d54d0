"""What one seat tells anybody of its table's matches, followed and checked as it comes.

What they are is in PROTOCOL.md, "Over a broker", and in ``firmware.device.feed``. They may come in
any order and more than once; what was kept comes first. A block of entries waits for the notice of
its match.
"""

from firmware.audience.checking import Checked, DoubtedError, begun, follow
from firmware.device.feed import BLOCK, EntryBlock, MatchNotice
from firmware.table.commitment.ledger import Cheated
from firmware.table.log.public_log import LogConflict

MOST_BLOCKS = 256
"""More entries than in so many blocks no match has …"""
MOST_DIGITS = 2_000_000
"""… nor have those more digits in hex: so much and no more is kept for a seat."""


class Reader:
    """Follows what one seat tells.

    Attributes:
        notice: how the match stands, by its own word; None before it has said so.
        checked: the match, as far as it holds; None before there is one.
        trouble: why this seat is not believed any more in this match; None while it is.
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
        """The number of the match that is followed; -1 for none."""
        return -1 if self.notice is None else self.notice.match

    @property
    def epoch(self) -> int:
        """The epoch of its table; -1 for none."""
        return -1 if self.notice is None else self.notice.epoch

    @property
    def is_followed(self) -> bool:
        """Whether it is believed, and not telling anew what it has taken back in part."""
        told = self.checked is not None and self.trouble is None
        return told and (self.is_complete or not self.cuts)

    @property
    def count(self) -> int:
        """How many entries of it hold."""
        return 0 if self.checked is None else self.checked.count

    @property
    def is_complete(self) -> bool:
        """Whether all that the seat says there is came, and holds."""
        told = self.notice
        return told is not None and self.trouble is None and self.count == told.count

    def differs_from(self, other: "Reader") -> bool:
        """Whether another seat tells otherwise of the same match, in the same epoch."""
        if self.notice is None or other.notice is None or not self.checked or not other.checked:
            return False
        at = min(self.count, other.count)
        same = self.notice.match == other.notice.match and self.notice.epoch == other.notice.epoch
        return same and self.checked.digest(at) != other.checked.digest(at)

    def caught_by(self, other: "Reader") -> str | None:
        """Who has signed both where two tell different things, by name; None where nobody has."""
        if self.notice is None or not self.checked or not other.checked:
            return None
        both = begun(self.notice)
        try:
            for each in (self.checked.log, other.checked.log):
                tuple(both.log.adopt(each.told(0, each.index), belief=both.belief))
        except Cheated as found:
            return both.log.match.players[found.seat]
        except LogConflict:
            return None
        return None

    def take(self, part: MatchNotice | EntryBlock) -> None:
        """Take in what the seat has told."""
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
