"""How strangers become a table: fresh keys, and five dice that show that nobody sits in between.

One handheld is the host; the others, its guests, speak to it, and it passes on what all must know.

1. *Gather.* The host tells of its table. A guest answers with its name and the hash of a fresh
   X25519 key and a nonce: a *commitment*, which fixes both and tells neither.
2. *Close.* The host tells the list of places, every commitment in it, and what is played.
3. *Reveal.* A handheld that knows **all** commitments, and not before, reveals its key and nonce.
   It does so once; from then on it takes no other list, whatever it hears.
4. *Compare.* The hash of all that was said (the transcript) is five dice on every display. The
   players compare them: a tap says they are the same, a hold that they differ.
5. *Stand.* When all have tapped, the host sends each guest the table's secret, sealed for it.

Why commitments: whoever sits in between shows each side keys of his own, so the sides have
different transcripts, and he needs two that give the same dice. He would have to try nonces until
they do, but has committed to his before he sees a single one of theirs: he passes with a chance of
1 in 6⁵ = 7776, once. A handheld that revealed never starts anew by itself, so that he cannot throw
again unseen: that takes a player's hand.

Frames may be lost, doubled, late and out of order: a guest asks for what it misses every second,
and the host answers every tap. A frame that does not fit changes nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Self

from firmware.table.pairing.guest import Guest
from firmware.table.pairing.host import Host
from firmware.table.pairing.state import (
    AGAIN_US,
    Outgoing,
    PairingFailure,
    PairingPhase,
    PairingState,
)
from firmware.table.protocol.invitations import (
    EVERYBODY,
    SESSION_BYTES,
    Body,
    Head,
    InvitationError,
    InvitationKind,
    Plain,
    Reveal,
    body_of,
    head_of,
)
from game import AnyRules

__all__ = ["AGAIN_US", "Outgoing", "Pairing", "PairingFailure", "PairingPhase"]


class Pairing(PairingState):
    """One handheld's share in making up a table; ``open_table`` and ``join`` make one.

    Time is in µs on the handheld's clock.
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
        super().__init__(device, host, session, name, watches=watches, entropy=entropy)
        self.refused = 0
        """Frames that did not fit and changed nothing."""
        self.role = Host(self) if self.is_host else Guest(self)

    @classmethod
    def open_table(cls, device: bytes, name: str, entropy: Callable[[int], bytes]) -> Self:
        """Open a table as its host.

        Raises:
            ValueError: the name cannot be used.
        """
        session = entropy(SESSION_BYTES)
        return cls(device, device, session, name, watches=False, entropy=entropy)

    @classmethod
    def join(
        cls,
        device: bytes,
        name: str,
        host: bytes,
        session: bytes,
        entropy: Callable[[int], bytes],
        *,
        watches: bool = False,
    ) -> Self:
        """Ask for a place at a table that was heard of.

        Raises:
            ValueError: the name cannot be used.
        """
        return cls(device, host, session, name, watches=watches, entropy=entropy)

    @property
    def next_timer_us(self) -> int | None:
        """When ``tick`` has something to say; None if never."""
        return self.due_us

    # What the player does

    def arrange(self, devices: Sequence[bytes]) -> None:
        """The host seats its guests in this order. Devices that have no place are passed over."""
        if isinstance(self.role, Host):
            self.role.arrange(devices)

    def close(
        self, rules: AnyRules, first: int, now_us: int, lost: Mapping[bytes, int] | None = None
    ) -> None:
        """The host lets nobody else join, and reveals.

        ``lost``: by device, how many matches were lost at this table before; None for none.

        Raises:
            SetupError: these rules are not for these players.
        """
        if isinstance(self.role, Host):
            self.role.close(rules, first, lost or {}, now_us)

    def tap(self, now_us: int) -> None:
        """Say that this player sees the same dice as the others."""
        if self.phase is PairingPhase.COMPARING:
            self.phase = PairingPhase.TAPPED
            self.due_us = now_us
            if isinstance(self.role, Host):
                self.role.tap(self.at)
            self.tick(now_us)

    def differ(self) -> None:
        """Say to all that this player sees other dice."""
        if self.phase in (PairingPhase.COMPARING, PairingPhase.TAPPED):
            self.say(None, InvitationKind.DIFFER, Plain(b""))
            self.give_up(PairingFailure.DIFFERS)

    def leave(self) -> None:
        """Go, because this player thought better of it; a host gives the table up."""
        if self.phase not in (PairingPhase.STANDS, PairingPhase.BROKEN):
            self.say(None if self.is_host else self.host, InvitationKind.LEAVE, Plain(b""))
            self.give_up(PairingFailure.GIVEN_UP)

    # What others and time do

    def tick(self, now_us: int) -> None:
        """Say again what has had no effect yet."""
        if self.due_us is not None and self.due_us <= now_us:
            self.due_us = now_us + AGAIN_US
            self.role.tick()

    def receive(self, frame: bytes, now_us: int) -> bool:
        """Take in a frame. Returns whether it fitted; one that did not changed nothing."""
        try:
            head, body = head_of(frame), body_of(frame)
        except InvitationError:
            self.refused += 1
            return False
        fits = (
            head.session == self.session
            and head.sender != self.me.device
            and head.receiver in (EVERYBODY, self.me.device)
            and (self.is_host or head.sender == self.host or head.kind is InvitationKind.DIFFER)
            and self.phase is not PairingPhase.BROKEN
            and self._take_in(head, body, now_us)
        )
        self.refused += not fits
        return fits

    def _take_in(self, head: Head, body: Body, now_us: int) -> bool:
        if head.kind is InvitationKind.DIFFER:
            return self.on_differ(head.sender)
        if isinstance(body, Reveal):
            return self.on_reveal(head.sender, body)
        return self.role.take_in(head, body, now_us)
