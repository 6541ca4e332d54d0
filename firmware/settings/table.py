"""The keys of a fixed table, from the secret of one seat and the public keys of all."""

from collections.abc import Sequence
from typing import Literal

from firmware.table.crypto.primitives import hkdf, public
from firmware.table.protocol.keys import Keys, key_to_all, number_of_table, shared_secret

Faults = Literal["ask", "strict", "off"]
"""Treatment of faults that the sensors notice (R-PHYS-7, R-HF-5): ask first, count, or ignore."""


def keys_of_seat(key: bytes, me: int, secret: bytes, signers: Sequence[bytes]) -> Keys:
    """Return the keys of seat ``me`` at a fixed table: only it can sign for itself.

    Args:
        key: 32 bytes that everybody at the table knows.
        me: the own seat.
        secret: 32 bytes that only this seat knows.
        signers: by seat, the public key of its secret, 32 bytes.

    Raises:
        ValueError: the own public key is not that of the secret, or another one is no key.
    """
    if public(secret) != signers[me]:
        raise ValueError(f"the key of seat {me} is not that of the secret")
    pairs = {}
    for seat, signer in enumerate(signers):
        if seat != me:
            shared = shared_secret(secret, signer)
            if shared is None:
                raise ValueError(f"the key of seat {seat} is no key")
            pairs[seat] = hkdf(shared, b"maexchen pair", salt=key)
    return Keys(number_of_table(key), pairs, secret, dict(enumerate(signers)), key_to_all(key))
