"""The tables that can be heard, as long as they are heard."""

from typing import NamedTuple

from firmware.table.protocol.invitations import Head, TableNotice
from game import RULES

MOST_NEARBY = 12
"""More tables than fit in a room are noise."""
HEARD_FOR_US = 6_000_000
"""A table that has not been heard of for so long is no longer offered."""


class TableNearby(NamedTuple):
    """A table that can be heard: whose it is, what is played there, and by how many so far."""

    host: bytes
    session: bytes
    name: str
    game: str
    people: int


class TablesNearby:
    """Open tables by their host, in the order in which they were first heard."""

    def __init__(self) -> None:
        self._tables: dict[bytes, TableNearby] = {}
        self._heard_us: dict[bytes, int] = {}

    @property
    def tables(self) -> tuple[TableNearby, ...]:
        """The tables that are offered."""
        return tuple(self._tables.values())

    @property
    def next_timer_us(self) -> int | None:
        """When ``tick`` has a table to forget; None while there is none."""
        return min(self._heard_us.values()) + HEARD_FOR_US if self._heard_us else None

    def add(self, head: Head, notice: TableNotice, now_us: int) -> None:
        """Remember what a host announces; a table that was closed, or an unknown game, is not."""
        host = head.sender
        if not notice.is_open:
            self._forget(host)
        elif (host in self._tables or len(self._tables) < MOST_NEARBY) and notice.game < len(RULES):
            game = tuple(RULES)[notice.game]
            self._tables[host] = TableNearby(host, head.session, notice.name, game, notice.people)
            self._heard_us[host] = now_us

    def name_of(self, host: bytes) -> str | None:
        """The name of a table's host; None where it is not heard any more."""
        return self._tables[host].name if host in self._tables else None

    def tick(self, now_us: int) -> None:
        """Forget the tables that have fallen silent."""
        for host, heard_us in tuple(self._heard_us.items()):
            if heard_us + HEARD_FOR_US <= now_us:
                self._forget(host)

    def clear(self) -> None:
        """Forget all."""
        self._tables.clear()
        self._heard_us.clear()

    def _forget(self, host: bytes) -> None:
        self._tables.pop(host, None)
        self._heard_us.pop(host, None)
