"""The state that host and guest share while a table forms: people, keys, commitments.

One key has two uses: key agreement (X25519) and signatures (Ed25519).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from hashlib import sha256
from hmac import compare_digest
from typing import NamedTuple

from firmware.table.crypto import KEY_BYTES, hkdf, public, seal, shared_secret, unseal
from firmware.table.protocol import Retry
from firmware.table.protocol import invitations as wire
from game import RULES, AnyRules

COMPARED_NUMBERS = 5
"""Numbers on a display: 20 bits, and few enough to read out; chosen."""
NUMBERS = tuple(10 * tens + ones for tens in range(1, 10) for ones in range(tens))
"""The 45 numbers of two digits, the higher one first, from which the compared ones are drawn.

People compare in any order, and over a telephone "vierundzwanzig" is easily heard as 24 or 42. The
numbers are therefore a set, shown from low to high, and none is the mirror image of another. A
player who ignores order still distinguishes 45 over 5 = 1,221,759 transcripts: 20.2 bits.
"""
_NONCE = bytes(12)
"""The key seals one message only."""
_FAIR = 225
"""The largest multiple of 45 in a byte's range: bytes from here on are passed over."""


@dataclass(frozen=True)
class Agreed:
    """A table that stands.

    Attributes:
        session: of its pairing.
        me: this handheld's place; the players have the first ones.
        people: by place.
        rules: the game with its options.
        first: the seat that opens.
        lost: by place, how many matches were lost at the host's table before.
        key: 32 bytes that everybody at the table knows.
        pairs: by place, 32 bytes that only it and this handheld know.
        seed: the 32 bytes of this handheld's signatures.
        signers: by place, its public key for signatures.
        stands: by place, the host's answer to a tap; empty at a guest.
        carrier: the place of the carrier; None for none.
    """

    session: bytes
    me: int
    people: tuple[wire.Attendee, ...]
    rules: AnyRules
    first: int
    lost: tuple[int, ...]
    key: bytes = field(repr=False)
    pairs: dict[int, bytes] = field(repr=False)
    seed: bytes = field(repr=False)
    signers: dict[int, bytes]
    stands: dict[int, bytes] = field(repr=False)
    carrier: int | None = None


def commitment(session: bytes, person: tuple[bytes, str, bool], key: bytes, nonce: bytes) -> bytes:
    """Return the 32-byte hash that fixes a key and a nonce for one person at one table.

    ``person``: device, name and whether the person watches.
    """
    device, name, watches = person
    fixed = session + device + bytes((watches,)) + wire.name_bytes(name) + key + nonce
    return sha256(b"maexchen commitment\0" + fixed).digest()


def nonce_of(secret: bytes) -> bytes:
    """Return the nonce (`NONCE_BYTES`) whose preimage is a secret of as many bytes."""
    return sha256(b"maexchen nonce\0" + secret).digest()[: wire.NONCE_BYTES]


def numbers_of(transcript: bytes) -> tuple[int, ...]:
    """Return five of `NUMBERS` for a transcript, low to high; each set is equally likely."""
    drawn: list[int] = []
    block = transcript
    while len(drawn) < COMPARED_NUMBERS:
        block = sha256(b"maexchen numbers\0" + block).digest()
        drawn += [NUMBERS[byte % len(NUMBERS)] for byte in block if byte < _FAIR]
        drawn = list(dict.fromkeys(drawn))
    return tuple(sorted(drawn[:COMPARED_NUMBERS]))


def transcript_of(
    session: bytes,
    terms: wire.Terms,
    people: Sequence[wire.Attendee],
    reveals: Sequence[wire.Reveal],
) -> bytes:
    """Return the 32-byte hash of the pairing; ``people`` and ``reveals`` by place."""
    fields = [session, wire.terms_bytes(terms), *(each.pack() for each in people)]
    fields += [each.key + each.nonce for each in reveals]
    return sha256(b"maexchen transcript\0" + b"".join(fields)).digest()


def _sealing_key(pair: bytes) -> bytes:
    """Return the key that seals the table's secret for a guest, by the key of its pair."""
    return hkdf(pair, b"maexchen stands")


class KeyExchange:
    """A fresh key with its nonce, the revealed ones of others, and the keys derived from them.

    Args:
        entropy: returns that many random bytes.
    """

    def __init__(self, entropy: Callable[[int], bytes]) -> None:
        self.seed = entropy(KEY_BYTES)
        """The seed of this handheld's signatures; ``mine.key`` is its public key."""
        self._parting = entropy(wire.NONCE_BYTES)
        """The preimage of the nonce. A reveal does not hold it, so nobody makes a LEAVE of one."""
        self.mine = wire.Reveal(0, public(self.seed), nonce_of(self._parting))
        """The own key and nonce; its ``number`` is 0 until ``freeze``."""
        self._secret = entropy(KEY_BYTES)
        self.reveals: dict[int, wire.Reveal] = {}
        """Checked reveals by place; the own one from ``freeze`` on."""
        self.pairs: dict[int, bytes] = {}
        """By place, the key of 32 bytes of the pair; empty before ``compare``."""
        self._transcript = b""

    @property
    def numbers(self) -> tuple[int, ...] | None:
        """The numbers to compare, low to high; None before ``compare``."""
        return numbers_of(self._transcript) if self._transcript else None

    def commitment(self, session: bytes, device: bytes, name: str, watches: bool) -> bytes:
        """Return the 32-byte hash that fixes the own key and nonce, for a person and a table."""
        return commitment(session, (device, name, watches), self.mine.key, self.mine.nonce)

    def freeze(self, at: int) -> None:
        """Take place ``at`` for good, and count the own reveal as known."""
        self.mine = self.mine._replace(number=at)
        self.reveals[at] = self.mine

    def missing(self, people: int) -> int:
        """Return bits of the places, of so many people, without a known key (bit 0: place 0)."""
        return sum(1 << at for at in range(people) if at not in self.reveals)

    def add(self, session: bytes, person: wire.Attendee, reveal: wire.Reveal) -> bool:
        """Add a reveal; return False and add nothing if the person committed to another one.

        A key of small order is not added, either: it would make every shared secret the same.
        """
        if not _fits(session, person, reveal.key, reveal.nonce):
            return False
        if shared_secret(self.seed, reveal.key) is None:
            return False
        self.reveals[reveal.number] = reveal
        return True

    @staticmethod
    def opens(session: bytes, person: wire.Attendee, opening: bytes) -> bool:
        """Return whether a person has committed to this opening; see ``opening``."""
        return _fits(session, person, opening[:KEY_BYTES], nonce_of(opening[KEY_BYTES:]))

    def compare(self, session: bytes, terms: wire.Terms, people: Sequence[wire.Attendee]) -> None:
        """Derive ``numbers`` and ``pairs``; all reveals must be known.

        ``people``: by place, in the order in which everybody hashes them.
        """
        reveals = [reveal for _, reveal in sorted(self.reveals.items())]
        self._transcript = transcript_of(session, terms, people, reveals)
        for at, reveal in self.reveals.items():
            if at != self.mine.number:
                shared = shared_secret(self.seed, reveal.key)
                assert shared is not None, "a reveal of small order is not added"
                self.pairs[at] = hkdf(shared, b"maexchen pair", salt=self._transcript)

    @property
    def opening(self) -> bytes:
        """The own key and the nonce's preimage (`OPENING_BYTES`): a LEAVE while the host gathers.

        PROTOCOL.md, "Before a table stands".
        """
        return self.mine.key + self._parting

    def word(self, kind: wire.InvitationKind, speaker: int, pair: int) -> bytes:
        """Return the MAC (`MAC_BYTES`) of a LEAVE or DIFFER from place ``speaker``.

        ``pair``: the other place of the pair whose key makes it. The sender passes the receiver's
        place, the receiver the sender's.
        """
        purpose = b"maexchen %s %d" % (kind.name.lower().encode(), speaker)
        return hkdf(self.pairs[pair], purpose, wire.MAC_BYTES)

    def is_mac_of(self, kind: wire.InvitationKind, at: int | None, mac: bytes) -> bool:
        """Return whether ``mac`` is the LEAVE or DIFFER of ``at``; False before ``compare``."""
        return at in self.pairs and compare_digest(mac, self.word(kind, at, at))

    def tap(self, tapper: int, pair: int) -> bytes:
        """Return the MAC (`MAC_BYTES`) of a TAP from place ``tapper`` to the host.

        ``pair``: the other place of the pair whose key makes it: the host's at a guest, the guest's
        at the host.
        """
        purpose = b"maexchen tap %d" % tapper
        return hkdf(self.pairs[pair], purpose, wire.MAC_BYTES, self._transcript)

    def tapped(self, at: int, mac: bytes) -> bool:
        """At the host, return whether ``mac`` is the tap of the guest at place ``at``."""
        return at in self.pairs and compare_digest(mac, self.tap(at, at))

    def sealed(self) -> dict[int, bytes]:
        """At the host, return the table's secret by place, sealed for each guest."""
        return {
            at: seal(_sealing_key(pair), _NONCE, self._secret, self._transcript)
            for at, pair in self.pairs.items()
        }

    def table_key(self) -> bytes:
        """At the host, return the key of the table, 32 bytes."""
        return self._table_key(self._secret)

    def opened_table_key(self, host: int, sealed: bytes) -> bytes | None:
        """At a guest, return the key of the table, 32 bytes; None if another handheld sealed it.

        Args:
            host: the host's place.
            sealed: the secret that the host sealed for this place.
        """
        secret = unseal(_sealing_key(self.pairs[host]), _NONCE, sealed, self._transcript)
        return None if secret is None else self._table_key(secret)

    def _table_key(self, secret: bytes) -> bytes:
        return hkdf(secret, b"maexchen table", salt=self._transcript)


def _fits(session: bytes, person: wire.Attendee, key: bytes, nonce: bytes) -> bool:
    """Return whether a person has committed to this key and nonce."""
    named = (person.device, person.name, person.watches)
    return compare_digest(commitment(session, named, key, nonce), person.commitment)


AGAIN_US = 1_000_000
"""A frame that has had no effect is sent again after this long; chosen."""


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
    OTHER_RULES = auto()
    """This release does not play the host's terms."""
    NO_ANSWER = auto()
    """A handheld did not reveal in time, or refused the terms: it has another release, maybe."""


_FAILURES = {
    wire.InvitationKind.DIFFER: PairingFailure.DIFFERS,
    wire.InvitationKind.LEAVE: PairingFailure.GIVEN_UP,
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

    def send(self, to: bytes | None, kind: wire.InvitationKind, body: wire.Body) -> None:
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
        self.send(None if self.is_host else self.host, wire.InvitationKind.REVEAL, self.proof.mine)

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
            self.send(None, wire.InvitationKind.REVEAL, reveal)
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

    def send_verdict(self, kind: wire.InvitationKind, places: Iterable[int]) -> None:
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
