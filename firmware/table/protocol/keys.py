"""The keys of a table, each for one direction between two seats."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES = 32


class Keys(NamedTuple):
    """What a seat needs to talk to the others.

    ``table`` is the number that names the table in headers; ``pairs`` holds for every other seat
    the 32 bytes that only it and this seat know.
    """

    table: int
    pairs: Mapping[int, bytes]

    def __repr__(self) -> str:
        """What may stand in a log: with whom there is a key."""
        return f"Keys({self.table}, pairs with {sorted(self.pairs)})"


def keys_of_table(table_key: bytes, me: int, seats: Iterable[int]) -> Keys:
    """Derive the keys of seat ``me`` from a key that the whole table shares (HKDF-SHA256).

    They keep strangers out. Against a player of the same table they cannot: he can derive the key
    of any two others. Keys that two handhelds agree on in secret would stand in another ``Keys``.

    Args:
        table_key: 32 bytes, the same at every seat.
        me: the own seat.
        seats: all seats; whether the own one is among them does not matter.

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
    return Keys(number_of_table(table_key), pairs)


def number_of_table(table_key: bytes) -> int:
    """Return the number that names a table in headers."""
    return int.from_bytes(derived(table_key, b"maexchen table", 2), "big")


def derived(
    key: bytes, purpose: bytes, length: int = KEY_BYTES, salt: bytes | None = None
) -> bytes:
    """So many bytes of a key for one purpose (HKDF-SHA256, RFC 5869)."""
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=purpose).derive(key)
