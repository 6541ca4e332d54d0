"""Two chains of hashes: a root commits to every throw of a tenure, an opening reveals one."""

import hmac
from hashlib import sha256

from firmware.table.commitment.dice_commitment import THROWS, CommitmentPlace
from firmware.table.protocol.sizes import SECRET_BYTES

SEED_BYTES = 32


def root_of(seed: bytes, place: CommitmentPlace) -> bytes:
    """Return the root, 16 bytes, of the eight throws that a seed (32 bytes) makes at a place."""
    falling = hashed(_derived(seed, b"falling"), THROWS)
    rising = hashed(_derived(seed, b"rising"), THROWS)
    return first_root(falling, rising, place)


def opening_of(seed: bytes, throw: int) -> bytes:
    """Return the opening of throw 1 to 8 of a seed, 32 bytes; secret until its dice lie open."""
    falling = hashed(_derived(seed, b"falling"), THROWS - throw)
    return falling + hashed(_derived(seed, b"rising"), throw - 1)


def source_of(
    opening: bytes, contribution: bytes, throw: int, place: CommitmentPlace
) -> "DiceSource":
    """Return the random bytes of a throw."""
    parts = opening + contribution + bytes([throw]) + place.pack()
    return DiceSource(sha256(b"maexchen throw" + parts).digest())


class DiceSource:
    """Endless random bytes from a key: the SHA-256 of the key and a counter, block by block."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._block = 0
        self._left = b""

    def __call__(self, number: int) -> bytes:
        """Return the next ``number`` bytes."""
        while len(self._left) < number:
            self._left += sha256(self._key + self._block.to_bytes(4, "big")).digest()
            self._block += 1
        drawn, self._left = self._left[:number], self._left[number:]
        return drawn


def keyed(secret: bytes, purpose: bytes, *parts: bytes) -> bytes:
    """Return 32 bytes that only an owner of the secret can compute (HMAC-SHA256)."""
    return hmac.digest(secret, purpose + b"".join(parts), "sha256")


def first_root(falling: bytes, rising: bytes, place: CommitmentPlace) -> bytes:
    return sha256(b"maexchen root" + falling + rising + place.pack()).digest()[:SECRET_BYTES]


def _derived(seed: bytes, purpose: bytes) -> bytes:
    return keyed(seed, purpose)[:SECRET_BYTES]


def hashed(value: bytes, times: int) -> bytes:
    for _ in range(times):
        value = sha256(b"maexchen chain" + value).digest()[:SECRET_BYTES]
    return value
