"""Lobbies without questions: a handheld that taps by itself, a host that only watches. Pure.

A handheld that taps by itself hosts a table or comes to one.
It is for a room into which only the invited come. Nobody compares numbers, so whoever is in the
room could stand in between: a key of the room keeps strangers out, or a host that is trusted.

The host gathers whoever comes, and closes the list when it is told to. It learns the public log and
no key of any pair. Handhelds of its own join as guests, each with keys of its own, and tap by
themselves. Times are in µs on the host's clock.

Numbers without a source are chosen.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Self

from firmware.table.pairing.pairing import Pairing
from firmware.table.pairing.standing import StandingTable
from firmware.table.pairing.state import COMPARES, Outgoing, PairingFailure, PairingPhase
from firmware.table.protocol.invitations import (
    Attendee,
    InvitationError,
    TableNotice,
    body_of,
    head_of,
)
from game import AnyRules, new_match

CLOSES_US = 8_000_000
"""The time within which all handhelds of a closed list answer; else the host opens anew."""
WAITS_US = CLOSES_US + 2_000_000
"""The longest time for which a table that is nearly formed keeps a guest from the next one."""


class _Wanted(NamedTuple):
    """The table that a host wants: its rules, and how many play.

    ``after``: of the next match of people who have played before: who opens it there opens here,
    and their lost matches count on. None for a first one.
    """

    rules: AnyRules
    players: int
    after: StandingTable | None = None


class AutoLobby:
    """One handheld in a room: ``host`` and ``guest`` make one. Times in µs on its clock.

    Attributes:
        name: the player's, from the next table on.
        numbers: those that show that nobody is in between, of the last table; empty for none.
        stood: the last table that has been formed; None for none.
    """

    def __init__(
        self,
        device: bytes,
        name: str,
        entropy: Callable[[int], bytes],
        wanted: _Wanted | None,
        stood: StandingTable | None,
        *,
        finds: bool,
    ) -> None:
        self.name = name
        self.numbers: tuple[int, ...] = ()
        self.stood = stood
        self._device = device
        self._entropy = entropy
        self._wanted = wanted
        self._finds = finds
        self._pairing: Pairing | None = None
        self._next: tuple[bytes, bytes] | None = None
        """At a guest, the newest host and its session."""
        self._until_us: int | None = None
        self._out: list[Outgoing] = []
        if wanted is not None and stood is None:
            self._open()

    @classmethod
    def host(
        cls,
        device: bytes,
        name: str,
        rules: AnyRules,
        players: int,
        entropy: Callable[[int], bytes],
        stood: StandingTable | None = None,
    ) -> Self:
        """Open a table, and begin as soon as so many players have come.

        ``device``: six bytes; ``players``: with the host; ``entropy``: returns that many random
        bytes; ``stood``: the table that was formed before, for guests that have not heard of it.

        Raises:
            SetupError: these rules are not for so many players.
            ValueError: the device or the name cannot be used.
        """
        new_match(rules, tuple(f"{number}" for number in range(players)), 0)
        return cls(device, name, entropy, _Wanted(rules, players), stood, finds=False)

    @classmethod
    def guest(
        cls,
        device: bytes,
        name: str,
        entropy: Callable[[int], bytes],
        stood: StandingTable | None = None,
        *,
        finds: bool = True,
    ) -> Self:
        """Come to each table that is open in the room.

        ``device``, ``entropy``, ``stood``: as of a host; ``finds``: it believes the notices in the
        room. Else it comes to those that it is told to `meet`.
        """
        return cls(device, name, entropy, None, stood, finds=finds)

    @property
    def people(self) -> tuple[Attendee, ...]:
        """The people at the table that is formed, the host among them; empty for none."""
        return () if self._pairing is None else self._pairing.state.people

    @property
    def is_refused(self) -> bool:
        """Whether this guest gets no place: all are taken, or the name is, or the rules are new."""
        refused = PairingFailure.NO_PLACE, PairingFailure.OTHER_RULES
        return self._pairing is not None and self._pairing.state.broken in refused

    def meet(self, host: bytes, session: bytes, now_us: int) -> None:
        """At a guest: come to a table; one that is nearly formed comes first, for a while."""
        if (host, session) != self._next:
            self._next, self._until_us = (host, session), now_us + WAITS_US
        self._join(now_us)

    def receive(self, frame: bytes, now_us: int) -> None:
        """React to a frame of the room; ignore what does not fit."""
        try:
            head, body = head_of(frame), body_of(frame)
        except InvitationError:
            return
        if self._finds and isinstance(body, TableNotice) and body.is_open:
            self.meet(head.sender, head.session, now_us)
        is_new = self._pairing is not None and self._pairing.receive(frame, now_us)
        answer = None if is_new or self.stood is None else self.stood.answer(frame)
        if answer is not None:
            self._out.append(Outgoing(head.sender, answer))
        self._go_on(now_us)

    def tick(self, now_us: int) -> None:
        """Repeat what has had no effect, open or join anew; to be called some times a second."""
        if self._wanted is not None and self._is_in_vain(now_us):
            assert self._pairing is not None, "it failed"
            self._pairing.leave()
            self._out += self._pairing.take()
            self._open()
        self._join(now_us)
        if self._pairing is not None:
            self._pairing.tick(now_us)
        self._go_on(now_us)

    def take(self) -> list[Outgoing]:
        """Return the frames to send since the last call, in order."""
        out, self._out = self._out, []
        return out

    def _open(self) -> None:
        assert self._wanted is not None, "a host opens"
        self._pairing = Pairing.open_table(self._device, self.name, self._entropy)
        self._pairing.state.game = self._wanted.rules.game
        self._until_us = None

    def _is_in_vain(self, now_us: int) -> bool:
        """Whether the table that this host makes up will not stand."""
        is_late = self._until_us is not None and now_us > self._until_us
        pairing = self._pairing
        return pairing is not None and (is_late or pairing.state.phase is PairingPhase.BROKEN)

    def _join(self, now_us: int) -> None:
        """At a guest: join the newest table, unless it is there or one that is nearly formed."""
        if self._next is None or self._until_us is None:
            return
        host, session = self._next
        if self.stood is not None and self.stood.agreed.session == session:
            return
        if self._pairing is not None:
            state = self._pairing.state
            is_nearly = state.phase in COMPARES and now_us <= self._until_us
            if state.session == session or is_nearly:
                return
        self._pairing = Pairing.join(self._device, self.name, host, session, self._entropy)
        self._go_on(now_us)

    def _go_on(self, now_us: int) -> None:
        """Close a list that is full, tap, and sit down at a table that stands."""
        pairing, wanted = self._pairing, self._wanted
        if pairing is None:
            return
        state = pairing.state
        gathers = state.phase is PairingPhase.GATHERING
        if wanted is not None and gathers and len(state.people) == wanted.players:
            self._until_us = now_us + CLOSES_US
            first, lost = _carried_on(wanted.after, state.people)
            pairing.as_host.close(wanted.rules, first, now_us, lost)
        if state.phase is PairingPhase.COMPARING:
            pairing.tap(now_us)
            self.numbers = state.numbers or ()
        self._out += pairing.take()
        if state.agreed is not None:
            self.stood, self._pairing = StandingTable.of(state.agreed), None


def _carried_on(
    after: StandingTable | None, people: tuple[Attendee, ...]
) -> tuple[int, dict[bytes, int]]:
    """Return the place of who opens, and by device how many matches were lost before."""
    if after is None:
        return 0, {}
    devices = [each.device for each in people]
    opens = after.device(after.first)
    lost = {after.device(seat): count for seat, count in enumerate(after.lost)}
    return (devices.index(opens) if opens in devices else 0), lost


TAPS_US = 60_000_000
"""The time that people have to compare numbers, and to tap."""


class HostedSeat(NamedTuple):
    """A seat of the next match: its player, its device, and whether the host has it."""

    name: str
    device: bytes
    is_here: bool


Standings = Mapping[int, StandingTable]
"""The table as each place at the host knows it; the last one is the host's own."""


class HostLobby:
    """The host of one table after the other.

    Args:
        device: the host's six bytes.
        name: the host's.
        entropy: returns that many random bytes.
        is_known: returns whether a device is that of a guest whom the host knows. It gets its place
            at once, and waits for no other guest who comes.

    Attributes:
        stood: the table that stood last; None before the first.
        numbers: those that its people have compared; None for none.
        silent: the devices that let the last closed list come to nothing.
    """

    def __init__(
        self,
        device: bytes,
        name: str,
        entropy: Callable[[int], bytes],
        is_known: Callable[[bytes], bool] = lambda _device: False,
    ) -> None:
        self.device, self._is_known = device, is_known
        self.stood: StandingTable | None = None
        self.numbers: tuple[int, ...] | None = None
        self.silent: frozenset[bytes] = frozenset()
        self._name, self._entropy = name, entropy
        self._out: list[Outgoing] = []
        self._made: Standings | None = None
        self._until_us: int | None = None
        self._broke: bytes | None = None
        self._open()

    @property
    def people(self) -> tuple[Attendee, ...]:
        """All who have come, and this host."""
        return self._pairing.state.people

    @property
    def own(self) -> set[bytes]:
        """The devices of the host's own handhelds at the table that is formed."""
        return {each.state.me.device for each in self._here.values()}

    @property
    def session(self) -> bytes:
        """The session of the table that is open."""
        return self._pairing.state.session

    @property
    def gathers(self) -> bool:
        """Whether the list of people is open."""
        return self._pairing.state.phase is PairingPhase.GATHERING

    @property
    def closes(self) -> bool:
        """Whether a table is formed."""
        return self._until_us is not None

    @property
    def comparing(self) -> tuple[int, ...] | None:
        """The numbers that people compare and tap for now; None for none."""
        state = self._pairing.state
        return state.numbers if self._waits and state.phase in COMPARES else None

    def stand(
        self,
        rules: AnyRules,
        seats: Sequence[HostedSeat],
        first: int,
        now_us: int,
        *,
        waits: bool,
    ) -> None:
        """Close the list with these seats; `take_made` tells what becomes of it.

        ``first``: the seat that opens; ``waits``: there are people who tap themselves.

        Raises:
            SetupError: these rules are not for these players.
        """
        pairing = self._pairing
        pairing.state.game = rules.game
        for at, (name, device, is_here) in enumerate(seats):
            if is_here:
                mine = Pairing.join(device, name, self.device, self.session, self._entropy)
                self._here[at] = mine
                pairing.as_host.admit(mine.state.me)
        devices = [each.device for each in seats]
        for person in self.people:
            if person.device not in (*devices, self.device) and not person.watches:
                pairing.as_host.put_out(person.device)
        pairing.as_host.arrange([*devices, self.device])
        self._until_us, self._waits = now_us + CLOSES_US, waits
        pairing.as_host.close(rules, first, now_us)
        self._go_on(now_us)

    def receive(self, frame: bytes, now_us: int) -> None:
        """React to a frame of the room; ignore what does not fit."""
        try:
            sender = head_of(frame).sender
        except InvitationError:
            return
        is_new = self._pairing.receive(frame, now_us)
        if self._pairing.state.phase is PairingPhase.BROKEN and self._broke is None:
            self._broke = sender
        answer = None if is_new or self.stood is None else self.stood.answer(frame)
        if answer is not None:
            self._out.append(Outgoing(sender, answer))
        self._go_on(now_us)

    def tick(self, now_us: int) -> None:
        """Repeat what has had no effect; open anew in place of a table that will not stand."""
        for each in (self._pairing, *self._here.values()):
            each.tick(now_us)
        self._go_on(now_us)
        if self._until_us is None:
            return
        patience_us = TAPS_US if self.comparing is not None else 0
        is_broken = self._pairing.state.phase is PairingPhase.BROKEN
        if is_broken or now_us > self._until_us + patience_us:
            self.silent = self._unheard()
            self._pairing.leave()
            self._go_on(now_us)
            self._made = {}
            self._open()

    def dismiss(self, device: bytes, now_us: int) -> None:
        """Take a guest's place away; the guest may come again."""
        self._pairing.as_host.dismiss(device)
        self._go_on(now_us)

    def put_out(self, device: bytes, now_us: int) -> None:
        """Take a guest's place away, and refuse it from then on."""
        self._pairing.as_host.put_out(device)
        self._go_on(now_us)

    def take(self) -> list[Outgoing]:
        """Return the frames to send to others since the last call, in order."""
        out, self._out = self._out, []
        return out

    def take_made(self) -> Standings | None:
        """Return, once, the table that has been formed; empty if it has not, None before that."""
        made, self._made = self._made, None
        return made

    def _open(self) -> None:
        self._pairing = Pairing.open_table(self.device, self._name, self._entropy, watches=True)
        self._pairing.as_host.is_known = self._is_known
        self._here: dict[int, Pairing] = {}
        self._until_us = self._broke = None
        self._waits = False

    def _unheard(self) -> frozenset[bytes]:
        """Return who has not answered the closed list, or has broken it off."""
        if self._broke is not None:
            return frozenset((self._broke,))
        state = self._pairing.state
        heard = self._pairing.as_host.taps if state.numbers is not None else state.proof.reveals
        return frozenset(each.device for at, each in enumerate(state.people) if at not in heard)

    def _go_on(self, now_us: int) -> None:
        """Deliver all frames between this host and its own handhelds; the others get theirs."""
        host, here, own = self._pairing, self._here.values(), self.own
        goes_on = True
        while goes_on:
            goes_on = False
            for each in (host, *here):
                each.tap(now_us)
            for said in host.take():
                goes_on = True
                if said.device not in own:
                    self._out.append(said)
                for guest in here:
                    guest.receive(said.frame, now_us)
            for guest in here:
                for _, frame in guest.take():
                    goes_on = True
                    host.receive(frame, now_us)
        if host.state.agreed is not None and self.closes:
            known = {at: each.state.agreed for at, each in self._here.items()}
            made = {at: StandingTable.of(each) for at, each in known.items() if each}
            self.stood, self.numbers = StandingTable.of(host.state.agreed), host.state.numbers
            self._made = made | {len(self.stood.lost): self.stood}
            self.silent = frozenset()
            self._open()
