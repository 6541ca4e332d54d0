"""The keys of a table: one for each pair of seats, one for a LOG for all, one to sign with."""

from collections.abc import Iterable, Mapping
from hashlib import sha512
from typing import NamedTuple

from firmware.table.crypto.primitives import exchange, hkdf, public

KEY_BYTES = 32
_TAG_BYTES = 16
_PRIME = 2**255 - 19
_NO_SIGN = 2**255 - 1


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
        seat: hkdf(table_key, b"maexchen pair %d %d" % (min(me, seat), max(me, seat)))
        for seat in seats
        if seat != me
    }
    seeds = {seat: hkdf(table_key, b"maexchen signer %d" % seat) for seat in (*seats, me)}
    signers = {seat: public(seed) for seat, seed in seeds.items()}
    return Keys(number_of_table(table_key), pairs, seeds[me], signers, key_to_all(table_key))


def shared_secret(seed: bytes, signer: bytes) -> bytes | None:
    """Return the 32 bytes that two handhelds share, by keys that also sign.

    Args:
        seed: 32 bytes, of the one handheld.
        signer: the public key of the other one, 32 bytes.

    Returns:
        None for a key of small order, which would make every shared secret the same.
    """
    y = int.from_bytes(signer, "little") & _NO_SIGN
    u = (1 + y) * pow(1 - y, _PRIME - 2, _PRIME) % _PRIME  # RFC 7748, 4.1; without inverse: 0
    return exchange(sha512(seed).digest()[:32], u.to_bytes(32, "little"))


def key_to_all(table_key: bytes) -> bytes:
    """Return the key that seals a LOG for all seats."""
    return hkdf(table_key, b"maexchen all")


def number_of_table(table_key: bytes) -> int:
    """Return the number that names a table in headers."""
    return int.from_bytes(hkdf(table_key, b"maexchen table", 2), "big")


def tag_of_table(table_key: bytes) -> str:
    """Return the tag of a table at a broker, 32 hex digits; it reveals nothing of the key."""
    return hkdf(table_key, b"maexchen broker tag", _TAG_BYTES).hex()


def broker_password(seed: bytes) -> str:
    """Return a seat's password for a broker, 32 hex digits; it reveals nothing of the seed."""
    return hkdf(seed, b"maexchen broker password", _TAG_BYTES).hex()
