"""What one handheld commits to while a table is made up, and what follows once all is revealed."""

from collections.abc import Callable, Sequence
from hmac import compare_digest

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from firmware.table.pairing.transcript import (
    commitment,
    dice_of,
    opened_secret,
    sealed_secret,
    transcript_of,
)
from firmware.table.protocol.invitations import (
    KEY_BYTES,
    MAC_BYTES,
    NONCE_BYTES,
    Attendee,
    Reveal,
    Terms,
)
from firmware.table.protocol.keys import derived
from game.dice import Dice


class KeyExchange:
    """A fresh key with its nonce, those that the others revealed, and the keys that come of them.

    Args:
        entropy: returns that many random bytes.
    """

    def __init__(self, entropy: Callable[[int], bytes]) -> None:
        self._private = X25519PrivateKey.from_private_bytes(entropy(KEY_BYTES))
        self.mine = Reveal(0, self._private.public_key().public_bytes_raw(), entropy(NONCE_BYTES))
        """What this handheld reveals, once it has a place."""
        self._secret = entropy(KEY_BYTES)
        self.reveals: dict[int, Reveal] = {}
        """What was revealed, by place."""
        self.pairs: dict[int, bytes] = {}
        """By place, 32 bytes that only it and this handheld know; none before ``compare``."""
        self._transcript = b""

    @property
    def dice(self) -> Dice | None:
        """The dice to compare; None until everything is revealed."""
        return dice_of(self._transcript) if self._transcript else None

    def commitment(self, session: bytes, device: bytes, name: str, watches: bool) -> bytes:
        """The hash that fixes what this handheld will reveal."""
        return commitment(session, (device, name, watches), self.mine.key, self.mine.nonce)

    def freeze(self, at: int) -> None:
        """Have place ``at`` for good, and reveal."""
        self.mine = self.mine._replace(number=at)
        self.reveals[at] = self.mine

    def missing(self, people: int) -> int:
        """The places whose keys are not known yet, a bit for each."""
        return sum(1 << at for at in range(people) if at not in self.reveals)

    def add(self, session: bytes, person: Attendee, reveal: Reveal) -> bool:
        """Add what a person reveals. Returns False and adds nothing that was not committed to."""
        named = (person.device, person.name, person.watches)
        fixed = commitment(session, named, reveal.key, reveal.nonce)
        if not compare_digest(fixed, person.commitment):
            return False
        try:
            self._private.exchange(X25519PublicKey.from_public_bytes(reveal.key))
        except ValueError:  # a key that makes every secret the same
            return False
        self.reveals[reveal.number] = reveal
        return True

    def compare(self, session: bytes, terms: Terms, people: Sequence[Attendee]) -> None:
        """All is revealed: from here on there are dice, and keys."""
        reveals = [reveal for _, reveal in sorted(self.reveals.items())]
        self._transcript = transcript_of(session, terms, people, reveals)
        for at, reveal in self.reveals.items():
            if at != self.mine.number:
                shared = self._private.exchange(X25519PublicKey.from_public_bytes(reveal.key))
                self.pairs[at] = derived(shared, b"maexchen pair", salt=self._transcript)

    def tap(self, tapper: int, pair: int) -> bytes:
        """What only ``tapper`` and the host can say; ``pair``: whose key it is made with here."""
        purpose = b"maexchen tap %d" % tapper
        return derived(self.pairs[pair], purpose, MAC_BYTES, self._transcript)

    def tapped(self, at: int, mac: bytes) -> bool:
        """Whether the guest at place ``at`` has said that his dice are the same."""
        return at in self.pairs and compare_digest(mac, self.tap(at, at))

    def sealed(self) -> dict[int, bytes]:
        """The secret of the host's table, sealed for each guest."""
        return {
            at: sealed_secret(pair, self._secret, self._transcript)
            for at, pair in self.pairs.items()
        }

    def table_key(self, host: int | None = None, sealed: bytes = b"") -> bytes:
        """The key of the table: the own one's, or what the host at a place has sealed.

        Raises:
            InvalidTag: it was sealed by somebody else.
        """
        secret = self._secret
        if host is not None:
            secret = opened_secret(self.pairs[host], sealed, self._transcript)
        return derived(secret, b"maexchen table", salt=self._transcript)
