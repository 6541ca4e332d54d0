"""Open tables nearby, for as long as their hosts announce them."""

from typing import NamedTuple

from firmware.table.protocol.invitations import Head, TableNotice
from game import RULES

MOST_NEARBY = 12
"""Most tables kept; while there are so many, others' announcements are ignored."""
HEARD_FOR_US = 6_000_000
"""A table that was not announced for this long is dropped."""


class TableNearby(NamedTuple):
    """An open table: ``host`` and ``session`` name it, ``name`` is the host's.

    ``game``: a key of ``game.RULES``; ``people``: how many have a place so far.
    """

    host: bytes
    session: bytes
    name: str
    game: str
    people: int


class TablesNearby:
    """The newest notice of each host, by the order of first notices. Times in µs on one clock."""

    def __init__(self) -> None:
        self._tables: dict[bytes, TableNearby] = {}
        self._heard_us: dict[bytes, int] = {}

    @property
    def tables(self) -> tuple[TableNearby, ...]:
        """The tables to choose from, at most `MOST_NEARBY`."""
        return tuple(self._tables.values())

    @property
    def next_timer_us(self) -> int | None:
        """When ``tick`` has a table to drop; None while there is none."""
        return min(self._heard_us.values()) + HEARD_FOR_US if self._heard_us else None

    def add(self, head: Head, notice: TableNotice, now_us: int) -> None:
        """Keep the notice of a host; drop its table if closed."""
        host = head.sender
        if not notice.is_open:
            self._forget(host)
        elif host in self._tables or len(self._tables) < MOST_NEARBY:
            game = tuple(RULES)[notice.game]
            self._tables[host] = TableNearby(host, head.session, notice.name, game, notice.people)
            self._heard_us[host] = now_us

    def name_of(self, host: bytes) -> str | None:
        """The name of a host; None for one without an open table."""
        return self._tables[host].name if host in self._tables else None

    def tick(self, now_us: int) -> None:
        """Drop the tables that were not announced for `HEARD_FOR_US`."""
        for host, heard_us in tuple(self._heard_us.items()):
            if heard_us + HEARD_FOR_US <= now_us:
                self._forget(host)

    def clear(self) -> None:
        """Drop all tables."""
        self._tables.clear()
        self._heard_us.clear()

    def _forget(self, host: bytes) -> None:
        self._tables.pop(host, None)
        self._heard_us.pop(host, None)
