"""A room of friends: it makes up one table after the other for those who know its key. Pure.

One of them invites, and hosts the tables. The others come. The next match begins once all who play
want it: each of them tells the others.
"""

from typing import Final

import msgspec

from firmware.lobby.host import WAITS_US, AutoLobby
from firmware.table.pairing.standing import StandingTable
from firmware.table.pairing.state import Outgoing
from firmware.table.protocol import Retry
from firmware.table.protocol import invitations as wire
from game import RULES

TELLS_US: Final = 1_000_000
"""A wish for another match is told again after this long, for it may be lost; chosen."""
CLOSED_US: Final = 5_000_000
"""A host at a full table says so after this long again: whoever comes late is told; chosen."""


class RoomOfFriends(msgspec.Struct, frozen=True):
    """The state of a room, for its page.

    Attributes:
        names: of those who have come, the host first; by seat at a table that stands.
        players: how many play; 0 while a guest does not know.
        stands: whether there is a table.
        wants: the seats that want another match.
        why: "double" if the name is somebody's here, "full" if all places are taken; else empty.
    """

    names: tuple[str, ...]
    players: int
    stands: bool
    wants: tuple[int, ...]
    why: str


class FriendsLobby(AutoLobby):
    """The lobby of one friend in a room: whoever has played there plays again once all want it."""

    _wish: StandingTable | None = None
    """The table of the next match, as this player wants it; None while they do not."""
    _wants: frozenset[int] = frozenset()
    _retry = Retry(TELLS_US, TELLS_US)
    _closed_us = 0
    _full_since_us: int | None = None
    _is_full = _was_open = False

    @property
    def room(self) -> RoomOfFriends:
        """The state of the room."""
        stood, people = self.stood, tuple(each.name for each in self.people)
        players = 0 if self._wanted is None else self._wanted.players
        is_double = self.is_refused and self._was_open
        full = "full" if self.is_refused or self._is_full else ""
        if stood is not None and not people:
            return RoomOfFriends(stood.names, len(stood.names), True, (*sorted(self._wants),), "")
        return RoomOfFriends(people, players, False, (), "double" if is_double else full)

    def want(self, next_one: StandingTable) -> None:
        """Want another match: ``next_one`` is the table after the one that is over."""
        stood = self.stood
        if stood is not None and next_one.agreed.session == stood.agreed.session:
            self._wish = next_one
            self._wants |= {next_one.agreed.me}
            self._retry = self._retry.at(0)

    def receive(self, frame: bytes, now_us: int) -> None:
        """React to a frame of the room; ignore what does not fit."""
        before = self.stood
        super().receive(frame, now_us)
        try:
            head, body = wire.head_of(frame), wire.body_of(frame)
        except wire.InvitationError:
            return
        if isinstance(body, wire.TableNotice):
            self._notice(body, now_us)
        if before is not None and head.kind is wire.InvitationKind.AGAIN:
            wish = before.wanted(frame)
            if wish is not None and wish[1] == before.number + 1:
                self._wants |= {wish[0]}

    def tick(self, now_us: int) -> None:
        """Repeat what has had no effect; to be called some times a second."""
        before = self.stood
        super().tick(now_us)
        stood = self.stood
        if stood is not before or stood is None:
            return
        if self._wish is not None and self._retry.due(now_us):
            self._retry = self._retry.sent(now_us)
            for seat in range(len(stood.names)):
                if seat != stood.agreed.me:
                    wish = stood.wants(stood.number + 1, seat)
                    self._out.append(Outgoing(stood.device(seat), wish))
        self._host(stood, now_us)

    def begun(self) -> None:
        """Forget the wishes: another match has begun."""
        self._wish, self._wants = None, frozenset()

    def _host(self, stood: StandingTable, now_us: int) -> None:
        """At a host whose table stands: open the next one if all want it; else say it is full."""
        wanted = self._wanted
        if wanted is None or self.people:  # a guest, or the next table is open
            return
        if self._wish is not None and len(self._wants) == len(stood.names):
            self._wanted, self.stood = wanted._replace(after=self._wish), None
            self._open()
        elif now_us - self._closed_us >= CLOSED_US:
            self._closed_us = now_us
            kind, session = wire.InvitationKind.TABLE, stood.agreed.session
            head = wire.Head(kind, self._device, wire.EVERYBODY, session)
            game, people = tuple(RULES).index(wanted.rules.game), len(stood.names)
            notice = wire.TableNotice(False, people, 0, game, self.name)
            self._out.append(Outgoing(None, wire.packed(head, notice)))

    def _notice(self, notice: wire.TableNotice, now_us: int) -> None:
        """At a newcomer: note whether the host has room; a table may be formed anew."""
        self._was_open = notice.is_open
        if notice.is_open or self._wanted is not None or self.stood is not None:
            self._full_since_us, self._is_full = None, False
        elif self._full_since_us is None:
            self._full_since_us = now_us
        else:
            self._is_full = now_us - self._full_since_us > WAITS_US
