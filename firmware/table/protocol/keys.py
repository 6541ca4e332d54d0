"""The keys of a table: one for each pair of seats, one for a LOG for all, one to sign with."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES = 32
_TAG_BYTES = 16


class Keys(NamedTuple):
    """The keys of one seat.

    Attributes:
        table: the number that names the table in headers.
        pairs: by every other seat, the 32 bytes that only it and this seat know.
        seed: 32 bytes that only this seat knows; it signs with them.
        signers: by seat, its public key for signatures, 32 bytes.
        everybody: the 32 bytes that seal a LOG for all seats.
    """

    table: int
    pairs: Mapping[int, bytes]
    seed: bytes
    signers: Mapping[int, bytes]
    everybody: bytes

    def __repr__(self) -> str:
        """Return a text without secrets: the seats with which there is a key."""
        return f"Keys({self.table}, pairs with {sorted(self.pairs)})"


def keys_of_table(table_key: bytes, me: int, seats: Iterable[int]) -> Keys:
    """Derive the keys of seat ``me`` from a key that the whole table shares (HKDF-SHA256).

    A holder of that key can sign for all seats, so one handheld has all of them.

    Args:
        table_key: 32 bytes, the same at every seat.
        me: the own seat.
        seats: all seats, with or without the own one.

    Raises:
        ValueError: the table key is not 32 bytes long.
    """
    if len(table_key) != KEY_BYTES:
        raise ValueError(f"a table key has {KEY_BYTES} bytes, not {len(table_key)}")
    pairs = {
        seat: derived(table_key, b"maexchen pair %d %d" % (min(me, seat), max(me, seat)))
        for seat in seats
        if seat != me
    }
    seeds = {seat: derived(table_key, b"maexchen signer %d" % seat) for seat in (*seats, me)}
    signers = {seat: public_key(seed) for seat, seed in seeds.items()}
    return Keys(number_of_table(table_key), pairs, seeds[me], signers, key_to_all(table_key))


def public_key(seed: bytes) -> bytes:
    """Return the public key, 32 bytes, of a seed of 32 bytes."""
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()


def key_to_all(table_key: bytes) -> bytes:
    """Return the key that seals a LOG for all seats."""
    return derived(table_key, b"maexchen all")


def number_of_table(table_key: bytes) -> int:
    """Return the number that names a table in headers."""
    return int.from_bytes(derived(table_key, b"maexchen table", 2), "big")


def tag_of_table(table_key: bytes) -> str:
    """Return the tag of a table at a broker, 32 hex digits; it reveals nothing of the key."""
    return derived(table_key, b"maexchen broker tag", _TAG_BYTES).hex()


def broker_password(seed: bytes) -> str:
    """Return a seat's password for a broker, 32 hex digits; it reveals nothing of the seed."""
    return derived(seed, b"maexchen broker password", _TAG_BYTES).hex()


def derived(
    key: bytes, purpose: bytes, length: int = KEY_BYTES, salt: bytes | None = None
) -> bytes:
    """Derive ``length`` bytes from a key for one purpose (HKDF-SHA256, RFC 5869)."""
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=purpose).derive(key)
