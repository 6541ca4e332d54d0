"""The state that a host and a guest share while a table is made up."""

from collections.abc import Callable, Iterable
from enum import Enum, auto
from typing import NamedTuple

from firmware.table.pairing.key_exchange import KeyExchange
from firmware.table.pairing.transcript import Agreed
from firmware.table.protocol import invitations as wire
from firmware.table.protocol.invitations import InvitationKind
from firmware.table.protocol.retry import Retry
from game import RULES

AGAIN_US = 1_000_000
"""A frame that has had no effect is sent again after this long."""


class PairingPhase(Enum):
    """How far a pairing has come (the steps of ``firmware.table.pairing.pairing``)."""

    GATHERING = auto()
    REVEALING = auto()
    """The list of places is closed; not all keys are known."""
    COMPARING = auto()
    """All keys are known, so there are numbers; this player has not tapped."""
    TAPPED = auto()
    """This player has tapped; not all others are known to have."""
    STANDS = auto()
    BROKEN = auto()
    """The pairing failed; ``PairingState.broken`` is the reason."""


COMPARES = (PairingPhase.COMPARING, PairingPhase.TAPPED)
"""Phases with numbers on the display, and a key for each pair."""


class PairingFailure(Enum):
    """The reason why a pairing failed."""

    DIFFERS = auto()
    """A player saw other numbers: an attacker may be in between."""
    GIVEN_UP = auto()
    """The host gave the table up, or a player left."""
    NO_PLACE = auto()
    """The host refused: all places are taken, or the name is, or it is too late."""


_FAILURES = {
    InvitationKind.DIFFER: PairingFailure.DIFFERS,
    InvitationKind.LEAVE: PairingFailure.GIVEN_UP,
}


class Outgoing(NamedTuple):
    """A clear frame for a device (six bytes), or for everybody near (None)."""

    device: bytes | None
    frame: bytes


class PairingState:
    """The pairing at this handheld, shared by ``Pairing`` and its role.

    Args:
        device: the six bytes that name this handheld.
        host: those that name the host's.
        session: the `SESSION_BYTES` that name this pairing of the host.
        name: the player's.
        watches: the player has no seat.
        entropy: returns that many random bytes.

    Raises:
        ValueError: the device or the name cannot be used.
    """

    def __init__(
        self,
        device: bytes,
        host: bytes,
        session: bytes,
        name: str,
        *,
        watches: bool,
        entropy: Callable[[int], bytes],
    ) -> None:
        if len(device) != wire.DEVICE_BYTES or device == wire.EVERYBODY:
            raise ValueError(f"a device is {wire.DEVICE_BYTES} bytes that are not all zero")
        self.host = host
        self.session = session
        self.phase = PairingPhase.GATHERING
        self.broken: PairingFailure | None = None
        self.agreed: Agreed | None = None
        self.people: tuple[wire.Attendee, ...] = ()
        """The known people, by place."""
        self.game = next(iter(RULES))
        """Key of ``game.RULES``, as announced; settled with ``terms``."""
        self.proof = KeyExchange(entropy)
        fixed = self.proof.commitment(session, device, name, watches)
        self.me = wire.Attendee(device, name, watches, fixed)
        self.terms: wire.Terms | None = None
        """The terms, once the list of places is closed."""
        self.retry = Retry(AGAIN_US, AGAIN_US).at(0)
        """When to repeat frames that have had no effect."""
        self._out: list[Outgoing] = []

    @property
    def is_host(self) -> bool:
        """True if this handheld opened the table."""
        return self.me.device == self.host

    @property
    def host_name(self) -> str | None:
        """The name of the host; None while its place is not known here."""
        place = self.place_of(self.host)
        return None if place is None else self.people[place].name

    @property
    def place(self) -> int | None:
        """The place of this handheld; None while it has none."""
        return next((at for at, each in enumerate(self.people) if each == self.me), None)

    @property
    def at(self) -> int:
        """``place``, for a handheld that has one."""
        place = self.place
        assert place is not None, "a list without this handheld is not taken"
        return place

    @property
    def numbers(self) -> tuple[int, ...] | None:
        """The numbers to compare, low to high; None until all is revealed."""
        return self.proof.numbers

    def place_of(self, device: bytes) -> int | None:
        """Return the place of a device; None if it has none."""
        return next((at for at, each in enumerate(self.people) if each.device == device), None)

    def send(self, to: bytes | None, kind: InvitationKind, body: wire.Body) -> None:
        """Queue a frame for a device, or for everybody near (None)."""
        head = wire.Head(kind, self.me.device, to or wire.EVERYBODY, self.session)
        self._out.append(Outgoing(to, wire.packed(head, body)))

    def take(self) -> list[Outgoing]:
        """Return the frames to send since the last call, in order."""
        out, self._out = self._out, []
        return out

    def freeze(self) -> None:
        """Close the list of places for good."""
        self.phase = PairingPhase.REVEALING
        self.proof.freeze(self.at)

    def reveal(self) -> None:
        """Send the own key and nonce: to the host, or as the host to all."""
        self.send(None if self.is_host else self.host, InvitationKind.REVEAL, self.proof.mine)

    def on_reveal(self, sender: bytes, reveal: wire.Reveal) -> bool:
        """Store a reveal; the host forwards it, and the last one makes the numbers.

        Return False and change nothing before the list of places is closed. The same holds for a
        place that does not exist or, at the host, is not the sender's, and for a wrong commitment.
        """
        if self.phase is PairingPhase.GATHERING or reveal.number >= len(self.people):
            return False
        person = self.people[reveal.number]
        if self.is_host and sender != person.device:
            return False
        before = self.proof.reveals.get(reveal.number)
        if before is not None:
            return reveal == before
        if not self.proof.add(self.session, person, reveal):
            return False
        if self.is_host:
            self.send(None, InvitationKind.REVEAL, reveal)
        if not self.proof.missing(len(self.people)):
            assert self.terms is not None, "nothing is revealed before the terms are known"
            self.proof.compare(self.session, self.terms, self.people)
            self.phase = PairingPhase.COMPARING
        return True

    def opens(self, sender: bytes, opening: bytes) -> bool:
        """Return whether the sender, who must have a place, has committed to this opening."""
        at = self.place_of(sender)
        return at is not None and self.proof.opens(self.session, self.people[at], opening)

    def take_verdict(self, head: wire.Head, mac: bytes) -> bool:
        """Give up on a LEAVE or DIFFER; the host forwards it.

        Return False and change nothing while the display has no numbers, and for a MAC that is not
        the sender's.
        """
        at = self.place_of(head.sender)
        if self.phase not in COMPARES or not self.proof.is_mac_of(head.kind, at, mac):
            return False
        if self.is_host:
            self.send_verdict(head.kind, range(len(self.people)))
        self.give_up(_FAILURES[head.kind])
        return True

    def send_verdict(self, kind: InvitationKind, places: Iterable[int]) -> None:
        """Send LEAVE or DIFFER to these places, each with a MAC; skip the own place."""
        for at in places:
            if at != self.at:
                mac = self.proof.word(kind, self.at, at)
                self.send(self.people[at].device, kind, wire.Plain(mac))

    def agree(self, key: bytes, stands: dict[int, bytes]) -> None:
        """Make the table stand, as all have tapped. ``key``, ``stands``: see ``Agreed``."""
        assert self.terms is not None, "only a table with terms can stand"
        terms, pairs = self.terms, dict(self.proof.pairs)
        signers = {at: reveal.key for at, reveal in self.proof.reveals.items()}
        self.agreed = Agreed(
            self.session,
            self.at,
            self.people,
            terms.rules,
            terms.first,
            terms.lost,
            key,
            pairs,
            self.proof.seed,
            signers,
            stands,
            terms.carrier,
        )
        self.phase = PairingPhase.STANDS
        self.broken = None

    def give_up(self, why: PairingFailure) -> None:
        """End the pairing for good; no frame is repeated."""
        self.phase = PairingPhase.BROKEN
        self.broken = why
        self.retry = self.retry.answered()
