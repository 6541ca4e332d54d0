"""How strangers become a table: fresh keys, and five numbers that show that nobody is in between.

One handheld is the host. The others, its guests, send frames to it, and it forwards them to all.

1. *Gather.* The host announces its table. A guest answers with its name and the hash of a fresh
   X25519 key and a nonce: a *commitment*, which fixes both and reveals neither.
2. *Close.* The host sends the list of places, every commitment in it, and the game.
3. *Reveal.* A handheld that knows **all** commitments, and not before, reveals its key and nonce.
   It does so once; from then on it takes no other list.
4. *Compare.* The hash of all frames (the transcript) gives five numbers on every display. The
   players compare them, in any order: a tap means that they are the same, a hold that they differ.
5. *Stand.* When all have tapped, the host sends each guest the table's secret, sealed for it.

Why commitments: an attacker in between shows each side its own keys. The sides then have different
transcripts, and the attacker needs two that give the same numbers. It cannot try nonces, as it has
committed to its own before it sees any of theirs. It passes with a chance of 1 in 1,221,759 (20.2
bits), once: a handheld that revealed does not start anew without its player.

A guest or host that leaves while the host gathers opens its commitment, which nobody else can. Once
there are numbers, each pair has a key, and LEAVE and DIFFER carry a MAC under it. A tap is final: a
guest that has broken off since sits down when STANDS comes. No half of a table stands therefore.

Frames may be lost, doubled, late and out of order. A guest asks for missing frames every second,
and the host answers a tap once all have tapped. A frame that does not fit changes nothing. A guest
that does not play the terms opens its commitment, too. An older one says nothing, and nobody waits
for it longer than `REVEALS_US`.
"""

from collections.abc import Callable
from typing import Self

from firmware.table.pairing.roles import Guest, Host
from firmware.table.pairing.state import (
    COMPARES,
    Outgoing,
    PairingFailure,
    PairingPhase,
    PairingState,
)
from firmware.table.protocol import invitations as wire
from firmware.table.protocol.invitations import InvitationKind

REVEALS_US = 30_000_000
"""The time for everybody to reveal: a handheld of another release may never do so; chosen."""
SILENT_US = 6_000_000
"""A host, or a guest who passes its frames on, is out of reach after so long in silence; chosen."""


class Pairing:
    """One handheld's share in making up a table; ``open_table`` and ``join`` make one.

    Time is in µs on the handheld's clock.

    ``is_silent``: this is a guest that waits for a host out of reach.
    """

    def __init__(self, state: PairingState) -> None:
        self.state = state
        self.role = Host(state) if state.is_host else Guest(state)
        self.is_silent = False
        self._heard_us: int | None = None
        self._reveals_until_us: int | None = None

    @classmethod
    def open_table(
        cls,
        device: bytes,
        name: str,
        entropy: Callable[[int], bytes],
        *,
        watches: bool = False,
    ) -> Self:
        """Open a table of a new session as its host.

        ``device``: six bytes; ``entropy``: returns that many random bytes; ``watches``: the host
        wants no seat.

        Raises:
            ValueError: the device or the name cannot be used.
        """
        session = entropy(wire.SESSION_BYTES)
        return cls(PairingState(device, device, session, name, watches=watches, entropy=entropy))

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
        """Ask for a place at a table that was announced.

        Args:
            device: the six bytes that name this handheld.
            name: the player's.
            host: the six bytes that name the host.
            session: of the table, as its host announced it.
            entropy: returns that many random bytes.
            watches: the player wants no seat.

        Raises:
            ValueError: the device or the name cannot be used.
        """
        return cls(PairingState(device, host, session, name, watches=watches, entropy=entropy))

    @property
    def as_host(self) -> Host:
        """The role of the host; the table must have been opened here."""
        assert isinstance(self.role, Host), "it has opened the table"
        return self.role

    @property
    def next_timer_us(self) -> int | None:
        """When ``tick`` has something to send; None if never."""
        return self.state.retry.due_us

    def take(self) -> list[Outgoing]:
        """Return the frames to send since the last call, in order."""
        return self.state.take()

    # The player

    def tap(self, now_us: int) -> None:
        """While COMPARING: confirm that the numbers are the same; send a TAP to the host."""
        state = self.state
        if state.phase is PairingPhase.COMPARING:
            state.phase = PairingPhase.TAPPED
            state.retry = state.retry.at(now_us)
            if isinstance(self.role, Host):
                self.role.tap(state.at)
            self.tick(now_us)

    def differ(self) -> None:
        """While COMPARING: report other numbers; send DIFFER to all, and give up."""
        state = self.state
        if state.phase is PairingPhase.COMPARING:
            state.send_verdict(InvitationKind.DIFFER, range(len(state.people)))
            state.give_up(PairingFailure.DIFFERS)

    def leave(self) -> None:
        """Leave before the table stands; at the host, give the table up for all.

        No frame reports it while keys are revealed: it could be a stranger's.
        """
        state = self.state
        if state.phase in (PairingPhase.STANDS, PairingPhase.BROKEN):
            return
        if state.phase is PairingPhase.GATHERING:
            to = None if state.is_host else state.host
            state.send(to, InvitationKind.LEAVE, wire.Plain(state.proof.opening))
        elif state.phase in COMPARES:
            host = state.place_of(state.host)
            assert host is not None, "a list without the host is not taken"
            state.send_verdict(
                InvitationKind.LEAVE, range(len(state.people)) if state.is_host else (host,)
            )
        state.give_up(PairingFailure.GIVEN_UP)

    # Others and time

    def tick(self, now_us: int) -> None:
        """Repeat frames without an effect, if ``next_timer_us`` has come.

        Give up if somebody has not revealed for `REVEALS_US`.
        """
        if self.state.phase is PairingPhase.REVEALING:
            if self._reveals_until_us is None:
                self._reveals_until_us = now_us + REVEALS_US
            elif now_us >= self._reveals_until_us:
                self.state.give_up(PairingFailure.NO_ANSWER)
        if self.state.retry.due(now_us):
            self.state.retry = self.state.retry.sent(now_us)
            self.role.tick()
            self._heard_us = now_us if self._heard_us is None else self._heard_us
            self.is_silent = not self.state.is_host and now_us - self._heard_us >= SILENT_US

    def receive(self, frame: bytes, now_us: int) -> bool:
        """React to a clear frame; return False if it does not fit and changed nothing."""
        try:
            head, body = wire.head_of(frame), wire.body_of(frame)
        except wire.InvitationError:
            return False
        state = self.state
        if (
            head.session != state.session
            or head.sender == state.me.device
            or head.receiver not in (wire.EVERYBODY, state.me.device)
        ):
            return False
        if head.sender == state.host:
            self._heard_us, self.is_silent = now_us, False
        if state.phase is PairingPhase.BROKEN:
            return self.role.remember(head, body)
        match head.kind, body:
            case InvitationKind.DIFFER, wire.Plain(mac):
                return state.take_verdict(head, mac)
            case InvitationKind.LEAVE, wire.Plain(mac) if len(mac) == wire.MAC_BYTES:
                return (state.is_host or head.sender == state.host) and state.take_verdict(
                    head, mac
                )
        if not state.is_host and head.sender != state.host:
            return False
        if isinstance(body, wire.Reveal):
            return state.on_reveal(head.sender, body)
        return self.role.receive(head, body, now_us)
