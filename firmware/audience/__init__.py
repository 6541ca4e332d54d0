"""Readers of what tables publish at a broker: spectators of a table.

The messages of a table's seats are each checked, compared and put into words. PROTOCOL.md, "Over a
broker", and ``firmware.device.feed`` define them. They may come in any order
and more than once; kept messages come first. A block of entries waits for the notice of its match.

Readers trust nobody: the rules replay every entry, and its signature is checked.

Numbers without a source are chosen.

May import: device.feed, link.broker, story, table, display.text; game.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from firmware.device.feed import BLOCK, EntryBlock, FeedError, MatchNotice
from firmware.display.text.labels import game_name
from firmware.display.text.language import Language, say
from firmware.link.broker import Message
from firmware.link.broker.topics import public
from firmware.story import tell
from firmware.table.commitment.ledger import Cheated
from firmware.table.log.entries import Readers
from firmware.table.log.public_log import LogConflict, PublicLog
from firmware.table.protocol.messages import Log
from game import AnyMatch, AnyStep
from game.events import MatchEnded, RoundBegan
from game.record import RecordError, read
from game.status import Status


class DoubtedError(ValueError):
    """A published log or message fails a check; the text is one line that says why."""


@dataclass
class Checked:
    """A log that passed its checks, the results of its entries, and the seat to open its match."""

    log: PublicLog
    steps: list[AnyStep]
    first: int
    belief: Readers

    @property
    def count(self) -> int:
        """Number of entries that passed."""
        return self.log.index

    def digest(self, count: int) -> bytes:
        """The digest of the first ``count`` entries."""
        return self.log.position(count).digest


def begun(told: MatchNotice) -> Checked:
    """Return the log of a match without entries.

    Raises:
        DoubtedError: its header or a key is invalid.
    """
    try:
        record = read(told.header)
        log = PublicLog(record.rules, record.players, record.first)
        belief = Readers([bytes.fromhex(each) for each in told.signers], told.match)
    except (RecordError, ValueError) as error:
        raise DoubtedError(f"its header is none: {error}") from None
    if record.actions or log.header.decode() != told.header:
        raise DoubtedError("its header is not as one is written")
    return Checked(log, [], record.first, belief)


def follow(checked: Checked, told: Log) -> list[AnyStep]:
    """Check published entries; return the results of those that are new.

    Raises:
        DoubtedError: one of them fails a check; then none is accepted.
    """
    before = checked.count
    try:
        steps = list(checked.log.adopt(told, belief=checked.belief))
    except (LogConflict, Cheated) as error:
        raise DoubtedError(" ".join(str(error).split())) from None
    if checked.count == before:
        raise DoubtedError(f"entry {before} is not signed by who made it, or is none")
    checked.steps.extend(steps)
    return steps


_STATUS = frozenset((Status.SWIMS, Status.OUT, Status.LEFT, Status.SAFE))


class Teller:
    """Puts the events of a match into one language."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def begins(self, number: int, checked: Checked) -> str:
        """Report that a match is followed from here on."""
        match = checked.log.match
        names, first = ", ".join(match.players), match.players[checked.first]
        game = say(game_name(match.rules.game), self._language)
        return self.say("BEGINS", number=number, game=game, names=names, first=first)

    def happened(self, step: AnyStep) -> list[str]:
        """Describe the effects of an entry; after a round, all standings."""
        told = [f"{each[:1].upper()}{each[1:]}." for each in tell(step, self._language)]
        if any(isinstance(event, RoundBegan | MatchEnded) for event in step.events):
            told.append(f"  {self.standings(step.match)}")
        return told

    def standings(self, match: AnyMatch) -> str:
        """Return matches left, penalties or coasters of all players, in one line."""
        rows = (
            f"{name} {count}{self._status(status)}"
            for name, count, status in zip(match.players, match.score, match.status)
        )
        return " · ".join(rows)

    def say(self, key: str, **places: object) -> str:
        """Return a text about what the seats tell."""
        return say(f"audience.{key}", self._language, **places)

    def _status(self, status: Status) -> str:
        return f" ({say(status, self._language)})" if status in _STATUS else ""


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


MOST_LINES = 2000
"""Most lines of a story; newer ones replace the oldest."""
_SEATS = frozenset(map(str, range(16)))


class Watching:
    """Follows all that the seats of a table publish.

    Args:
        tag: of the table, as its topics have it.
        language: of the lines.

    Attributes:
        topic: to subscribe to, with its kept messages.
        lines: all lines so far; the last `MOST_LINES`.
    """

    def __init__(self, tag: str, language: Language) -> None:
        self.lines: list[str] = []
        self._count = 0
        self.topic = public(tag)
        self._teller = Teller(language)
        self._readers: dict[int, Reader] = {}
        self._match = -1
        self._told: list[bytes] = []
        """Digests of the log after each entry that has been put into words."""
        self._said: set[tuple[int, str]] = set()

    @property
    def match(self) -> AnyMatch | None:
        """The match as far as it passed its checks; None before there is one."""
        best = self._best()
        return None if best is None or best.checked is None else best.checked.log.match

    @property
    def standings(self) -> str:
        """All players' standings in one line; empty before there is a match."""
        return "" if self.match is None else self._teller.standings(self.match)

    def take(self, message: Message) -> list[str]:
        """Store a message and return the new lines.

        A message that belongs to no feed is reported and ignored.
        """
        told = _part_of(message.topic.removeprefix(self.topic[:-1]), message.payload)
        if told is None:
            return []
        seat, part = told
        if isinstance(part, FeedError):
            lines = self._once((self._match, self._teller.say("LIES", seat=seat, why=part)))
        else:
            self._readers.setdefault(seat, Reader()).take(part)
            lines = [*self._news(), *self._once(*self._remarks())]
        self.lines = [*self.lines, *lines][-MOST_LINES:]
        self._count += len(lines)
        return lines

    def since(self, count: int) -> tuple[list[str], int]:
        """Return the kept lines after the first ``count``, and the number of all lines."""
        new = min(self._count - count, len(self.lines))
        return self.lines[len(self.lines) - new :], self._count

    def _best(self) -> Reader | None:
        """Return the seat to follow: the believed one that knows most of the newest match."""
        known = [each for each in self._readers.values() if each.is_followed]
        return max(known, key=lambda each: (each.match, each.epoch, each.count), default=None)

    def _news(self) -> Iterator[str]:
        best = self._best()
        if best is None or best.checked is None or best.match < self._match:
            return
        checked, told = best.checked, self._told
        if best.match != self._match:
            self._match, told = best.match, []
            yield self._teller.begins(best.match, checked)
        self._told = [checked.digest(at + 1) for at in range(checked.count)]
        pairs = enumerate(zip(told, self._told))
        same = next((at for at, (a, b) in pairs if a != b), min(len(told), checked.count))
        if same < len(told):
            yield self._teller.say("TAKEN_BACK", count=len(told) - same)
        for step in checked.steps[same:]:
            yield from self._teller.happened(step)

    def _remarks(self) -> Iterator[tuple[int, str]]:
        """Return remarks on the seats and the match now, with the number of the match."""
        for seat, reader in self._readers.items():
            if reader.trouble is not None:
                yield reader.match, self._teller.say("LIES", seat=seat, why=reader.trouble)
        for (one, first), (other, second) in combinations(sorted(self._readers.items()), 2):
            if not first.differs_from(second):
                continue
            differ = first.match, self._teller.say("DIFFER", one=one, other=other)
            yield differ
            if differ not in self._said and (name := first.caught_by(second)) is not None:
                yield first.match, self._teller.say("CAUGHT", name=name)
        best = self._best()
        if best is not None and best.is_complete and self._is_over:
            yield best.match, self._teller.say("HOLDS", count=best.count)

    @property
    def _is_over(self) -> bool:
        return self.match is not None and self.match.outcome is not None

    def _once(self, *lines: tuple[int, str]) -> list[str]:
        """Return the lines that were not yet returned for their match."""
        if len(self._said) > MOST_LINES:
            self._said.clear()
        new = [each for each in lines if each not in self._said]
        self._said.update(new)
        return [line for _, line in new]


def _part_of(place: str, payload: bytes) -> tuple[int, MatchNotice | EntryBlock | FeedError] | None:
    """Return the part of a feed under a topic below the table's; None for another topic."""
    seat, _, kind = place.partition("/")
    if seat not in _SEATS or not payload:
        return None
    try:
        if kind == "match":
            return int(seat), MatchNotice.decode(payload)
        if kind.startswith("entries/"):
            return int(seat), EntryBlock.decode(payload)
    except FeedError as error:
        return int(seat), error
    return None
