"""Signatures (Ed25519, RFC 8032): anybody can forward a signed statement.

A seal proves the sender to its receiver alone. Statements that others must believe are signed.
"""

from collections.abc import Mapping

from firmware.table.crypto import primitives
from firmware.table.protocol.keys import KEY_BYTES, Keys


class Verifier:
    """Checks the signatures of seats by their public keys.

    Args:
        signers: by seat, 32 bytes.

    Raises:
        ValueError: a key has not 32 bytes.
    """

    def __init__(self, signers: Mapping[int, bytes]) -> None:
        if any(len(key) != KEY_BYTES for key in signers.values()):
            raise ValueError(f"a public key has {KEY_BYTES} bytes")
        self._public = signers

    def has_signed(self, seat: int, statement: bytes, signature: bytes) -> bool:
        """Return whether a seat has signed a statement; False for a seat without a key."""
        key = self._public.get(seat)
        return key is not None and primitives.verify(key, signature, statement)


class Signer(Verifier):
    """Signs for one seat, and checks the signatures of the others.

    Args:
        keys: of the table, as the seat knows them.
    """

    def __init__(self, keys: Keys) -> None:
        super().__init__(keys.signers)
        self._seed = keys.seed

    def sign(self, statement: bytes) -> bytes:
        """Return this seat's signature of a statement, 64 bytes; equal statements, equal bytes."""
        return primitives.sign(self._seed, statement)
