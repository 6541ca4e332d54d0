"""The lobby of a host that only watches, with handhelds of its own beside it. Pure.

It gathers whoever comes, and closes the list when it is told to. The host learns the public log and
no key of any pair. Its own handhelds join as guests, each with keys of its own, and tap by
themselves. Times are in µs on the host's clock.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from firmware.lobby.auto import CLOSES_US
from firmware.table.pairing.host import Host
from firmware.table.pairing.pairing import Pairing
from firmware.table.pairing.standing import StandingTable
from firmware.table.pairing.state import COMPARES, Outgoing, PairingPhase
from firmware.table.protocol.invitations import Attendee, InvitationError, head_of
from game import AnyRules

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
    def _role(self) -> Host:
        role = self._pairing.role
        assert isinstance(role, Host), "it opens the table"
        return role

    @property
    def own(self) -> set[bytes]:
        """The devices of the host's own handhelds at the table that is made up."""
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
        """Whether a table is made up."""
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
                pairing.admit(mine.state.me)
        devices = [each.device for each in seats]
        for person in self.people:
            if person.device not in (*devices, self.device) and not person.watches:
                pairing.put_out(person.device)
        pairing.arrange([*devices, self.device])
        self._until_us, self._waits = now_us + CLOSES_US, waits
        pairing.close(rules, first, now_us)
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
        self._pairing.dismiss(device)
        self._go_on(now_us)

    def put_out(self, device: bytes, now_us: int) -> None:
        """Take a guest's place away, and refuse it from then on."""
        self._pairing.put_out(device)
        self._go_on(now_us)

    def take(self) -> list[Outgoing]:
        """Return the frames to send to others since the last call, in order."""
        out, self._out = self._out, []
        return out

    def take_made(self) -> Standings | None:
        """Return, once, the table that has been made up; empty if it has not, None before that."""
        made, self._made = self._made, None
        return made

    def _open(self) -> None:
        self._pairing = Pairing.open_table(self.device, self._name, self._entropy, watches=True)
        self._role.is_known = self._is_known
        self._here: dict[int, Pairing] = {}
        self._until_us = self._broke = None
        self._waits = False

    def _unheard(self) -> frozenset[bytes]:
        """Return who has not answered the closed list, or has broken it off."""
        if self._broke is not None:
            return frozenset((self._broke,))
        state = self._pairing.state
        heard = self._role.taps if state.numbers is not None else state.proof.reveals
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
