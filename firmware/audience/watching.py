"""A watched table: the messages of its seats, each checked, compared and put into words."""

from collections.abc import Iterator
from itertools import combinations

from firmware.audience.reading import Reader
from firmware.audience.words import Teller
from firmware.device.feed import EntryBlock, FeedError, MatchNotice
from firmware.display.text.language import Language
from firmware.link.broker.session import Message
from firmware.link.broker.topics import public
from game import AnyMatch

MOST_LINES = 2000
_SEATS = frozenset(map(str, range(16)))


class Watching:
    """Follows all that the seats of a table publish.

    Args:
        tag: of the table, as its topics have it.
        language: of the lines.

    Attributes:
        lines: all lines so far; the last `MOST_LINES`.
    """

    def __init__(self, tag: str, language: Language) -> None:
        self.lines: list[str] = []
        self._count = 0
        self._topic = public(tag)
        self._teller = Teller(language)
        self._readers: dict[int, Reader] = {}
        self._match = -1
        self._told: list[bytes] = []
        """Digests of the log after each entry that has been put into words."""
        self._said: set[tuple[int, str]] = set()

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics to subscribe to, each with its kept messages."""
        return (self._topic,)

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
        told = _part_of(message.topic.removeprefix(self._topic[:-1]), message.payload)
        if told is None:
            return []
        seat, part = told
        if isinstance(part, FeedError):
            lines = self._once((self._match, self._teller.lies(seat, part)))
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
            yield self._teller.taken_back(len(told) - same)
        for step in checked.steps[same:]:
            yield from self._teller.happened(step)

    def _remarks(self) -> Iterator[tuple[int, str]]:
        """Return remarks on the seats and the match now, with the number of the match."""
        for seat, reader in self._readers.items():
            if reader.trouble is not None:
                yield reader.match, self._teller.lies(seat, reader.trouble)
        for (one, first), (other, second) in combinations(sorted(self._readers.items()), 2):
            if not first.differs_from(second):
                continue
            differ = first.match, self._teller.differ(one, other)
            yield differ
            if differ not in self._said and (name := first.caught_by(second)) is not None:
                yield first.match, self._teller.caught(name)
        best = self._best()
        if best is not None and best.is_complete and self._is_over:
            yield best.match, self._teller.holds(best.count)

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
