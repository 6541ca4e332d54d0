"""A room of friends: it makes up one table after the other for those who know its key. Pure.

One of them invites, and hosts the tables. The others come. The next match begins once all who play
want it: each of them tells the others.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from firmware.lobby.host import WAITS_US, AutoLobby
from firmware.table.pairing.standing import StandingTable
from firmware.table.pairing.state import Outgoing
from firmware.table.protocol import Retry
from firmware.table.protocol import invitations as wire
from game import RULES, AnyRules
from game.names import check_name

TELLS_US: Final = 1_000_000
"""A wish for another match is told again after this long, for it may be lost."""
CLOSED_US: Final = 5_000_000
"""A host at a full table says so after this long again: whoever comes late is told."""


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


class FriendsLobby:
    """The handheld of one friend in a room. Times are in µs on its clock.

    Args:
        device: six bytes that name the handheld.
        name: the player's.
        entropy: returns that many random bytes.
        stood: the last table that was made up here; None for none.
        rules: of the matches that this one hosts; None at a guest.
        players: how many play, with the host.

    Raises:
        SetupError: these rules are not for so many players.
        ValueError: the name cannot be used.
    """

    def __init__(
        self,
        device: bytes,
        name: str,
        entropy: Callable[[int], bytes],
        stood: StandingTable | None,
        rules: AnyRules | None = None,
        players: int = 0,
    ) -> None:
        check_name(name)
        self._device, self._name, self._entropy = device, name, entropy
        self._rules, self._players = rules, players
        self._lobby = (
            AutoLobby.guest(device, name, entropy, stood)
            if rules is None
            else AutoLobby.host(device, name, rules, players, entropy, stood)
        )
        self._next: StandingTable | None = None
        """The table of the next match, as this player wants it; None while they do not."""
        self._wants: set[int] = set()
        self._retry = Retry(TELLS_US, TELLS_US)
        self._closed_us = 0
        self._full_since_us: int | None = None
        self._is_full, self._was_open = False, False
        self._out: list[Outgoing] = []

    @property
    def numbers(self) -> tuple[int, ...]:
        """Those to compare, of the last table; empty for none."""
        return self._lobby.numbers

    @property
    def stood(self) -> StandingTable | None:
        """The last table that has been made up; None for none."""
        return self._lobby.stood

    @property
    def room(self) -> RoomOfFriends:
        """The state of the room."""
        lobby, stood = self._lobby, self.stood
        people = tuple(each.name for each in lobby.people)
        is_double = lobby.is_refused and self._was_open
        full = "full" if lobby.is_refused or self._is_full else ""
        if stood is not None and not people:
            return RoomOfFriends(stood.names, len(stood.names), True, (*sorted(self._wants),), "")
        return RoomOfFriends(people, self._players, False, (), "double" if is_double else full)

    def want(self, next_one: StandingTable) -> None:
        """Want another match: ``next_one`` is the table after the one that is over."""
        stood = self.stood
        if stood is not None and next_one.agreed.session == stood.agreed.session:
            self._next = next_one
            self._wants.add(next_one.agreed.me)
            self._retry = self._retry.at(0)

    def receive(self, frame: bytes, now_us: int) -> None:
        """React to a frame of the room; ignore what does not fit."""
        before = self.stood
        self._lobby.receive(frame, now_us)
        try:
            head, body = wire.head_of(frame), wire.body_of(frame)
        except wire.InvitationError:
            return
        if isinstance(body, wire.TableNotice):
            self._notice(body, now_us)
        if before is not None and head.kind is wire.InvitationKind.AGAIN:
            wish = before.wanted(frame)
            if wish is not None and wish[1] == before.number + 1:
                self._wants.add(wish[0])

    def tick(self, now_us: int) -> None:
        """Repeat what has had no effect; to be called some times a second."""
        before = self.stood
        self._lobby.tick(now_us)
        stood = self.stood
        if stood is not before or stood is None:
            return
        if self._next is not None and self._retry.due(now_us):
            self._retry = self._retry.sent(now_us)
            for seat in range(len(stood.names)):
                if seat != stood.agreed.me:
                    wish = stood.wants(stood.number + 1, seat)
                    self._out.append(Outgoing(stood.device(seat), wish))
        if self._rules is not None:
            self._host(self._rules, stood, now_us)

    def take(self) -> list[Outgoing]:
        """Return the frames to send since the last call, in order."""
        out, self._out = self._out, []
        return [*self._lobby.take(), *out]

    def begun(self) -> None:
        """Forget the wishes: another match has begun."""
        self._next = None
        self._wants.clear()

    def _host(self, rules: AnyRules, stood: StandingTable, now_us: int) -> None:
        """At a host whose table stands: open the next one if all want it; else say it is full."""
        if self._lobby.people:
            return  # the next table is open
        if self._next is not None and len(self._wants) == len(stood.names):
            self._lobby = AutoLobby.host(
                self._device, self._name, rules, self._players, self._entropy, None, self._next
            )
        elif now_us - self._closed_us >= CLOSED_US:
            self._closed_us = now_us
            kind, session = wire.InvitationKind.TABLE, stood.agreed.session
            head = wire.Head(kind, self._device, wire.EVERYBODY, session)
            game, people = tuple(RULES).index(rules.game), len(stood.names)
            notice = wire.TableNotice(False, people, 0, game, self._name)
            self._out.append(Outgoing(None, wire.packed(head, notice)))

    def _notice(self, notice: wire.TableNotice, now_us: int) -> None:
        """At a newcomer: note whether the host has room; a table may be made up anew."""
        self._was_open = notice.is_open
        if notice.is_open or self._rules is not None or self.stood is not None:
            self._full_since_us, self._is_full = None, False
        elif self._full_since_us is None:
            self._full_since_us = now_us
        else:
            self._is_full = now_us - self._full_since_us > WAITS_US
