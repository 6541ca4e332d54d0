"""Keys with commitments: one handheld's key and nonce, those revealed, and the keys of all.

One key has two uses: key agreement (X25519) and signatures (Ed25519).
"""

from collections.abc import Callable, Sequence
from hmac import compare_digest

from firmware.table.crypto.primitives import hkdf, public
from firmware.table.pairing.transcript import (
    commitment,
    nonce_of,
    numbers_of,
    opened_secret,
    sealed_secret,
    transcript_of,
)
from firmware.table.protocol.invitations import (
    KEY_BYTES,
    MAC_BYTES,
    NONCE_BYTES,
    Attendee,
    InvitationKind,
    Reveal,
    Terms,
)
from firmware.table.protocol.keys import shared_secret


class KeyExchange:
    """A fresh key with its nonce, the revealed ones of others, and the keys derived from them.

    Args:
        entropy: returns that many random bytes.
    """

    def __init__(self, entropy: Callable[[int], bytes]) -> None:
        self.seed = entropy(KEY_BYTES)
        """The seed of this handheld's signatures; ``mine.key`` is its public key."""
        self._parting = entropy(NONCE_BYTES)
        """The preimage of the nonce. A reveal does not hold it, so nobody makes a LEAVE of one."""
        self.mine = Reveal(0, public(self.seed), nonce_of(self._parting))
        """The own key and nonce; its ``number`` is 0 until ``freeze``."""
        self._secret = entropy(KEY_BYTES)
        self.reveals: dict[int, Reveal] = {}
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

    def add(self, session: bytes, person: Attendee, reveal: Reveal) -> bool:
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
    def opens(session: bytes, person: Attendee, opening: bytes) -> bool:
        """Return whether a person has committed to this opening; see ``opening``."""
        return _fits(session, person, opening[:KEY_BYTES], nonce_of(opening[KEY_BYTES:]))

    def compare(self, session: bytes, terms: Terms, people: Sequence[Attendee]) -> None:
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

    def word(self, kind: InvitationKind, speaker: int, pair: int) -> bytes:
        """Return the MAC (`MAC_BYTES`) of a LEAVE or DIFFER from place ``speaker``.

        ``pair``: the other place of the pair whose key makes it. The sender passes the receiver's
        place, the receiver the sender's.
        """
        purpose = b"maexchen %s %d" % (kind.name.lower().encode(), speaker)
        return hkdf(self.pairs[pair], purpose, MAC_BYTES)

    def is_mac_of(self, kind: InvitationKind, at: int | None, mac: bytes) -> bool:
        """Return whether ``mac`` is the LEAVE or DIFFER of ``at``; False before ``compare``."""
        return at in self.pairs and compare_digest(mac, self.word(kind, at, at))

    def tap(self, tapper: int, pair: int) -> bytes:
        """Return the MAC (`MAC_BYTES`) of a TAP from place ``tapper`` to the host.

        ``pair``: the other place of the pair whose key makes it: the host's at a guest, the guest's
        at the host.
        """
        purpose = b"maexchen tap %d" % tapper
        return hkdf(self.pairs[pair], purpose, MAC_BYTES, self._transcript)

    def tapped(self, at: int, mac: bytes) -> bool:
        """At the host, return whether ``mac`` is the tap of the guest at place ``at``."""
        return at in self.pairs and compare_digest(mac, self.tap(at, at))

    def sealed(self) -> dict[int, bytes]:
        """At the host, return the table's secret by place, sealed for each guest."""
        return {
            at: sealed_secret(pair, self._secret, self._transcript)
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
        secret = opened_secret(self.pairs[host], sealed, self._transcript)
        return None if secret is None else self._table_key(secret)

    def _table_key(self, secret: bytes) -> bytes:
        return hkdf(secret, b"maexchen table", salt=self._transcript)


def _fits(session: bytes, person: Attendee, key: bytes, nonce: bytes) -> bool:
    """Return whether a person has committed to this key and nonce."""
    named = (person.device, person.name, person.watches)
    return compare_digest(commitment(session, named, key, nonce), person.commitment)
