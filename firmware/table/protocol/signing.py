"""Signatures (Ed25519, RFC 8032): anybody can forward a signed statement.

A seal proves the sender to its receiver alone. Statements that others must believe are signed.
"""

from collections.abc import Mapping
from hashlib import sha512

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from firmware.table.protocol.keys import Keys

_PRIME = 2**255 - 19
_NO_SIGN = 2**255 - 1


class Verifier:
    """Checks the signatures of seats by their public keys.

    Args:
        signers: by seat, 32 bytes.

    Raises:
        ValueError: a key has not 32 bytes.
    """

    def __init__(self, signers: Mapping[int, bytes]) -> None:
        self._public = {
            seat: Ed25519PublicKey.from_public_bytes(key) for seat, key in signers.items()
        }

    def has_signed(self, seat: int, statement: bytes, signature: bytes) -> bool:
        """Return whether a seat has signed a statement; False for a seat without a key."""
        if seat not in self._public:
            return False
        try:
            self._public[seat].verify(signature, statement)
        except InvalidSignature:
            return False
        return True


class Signer(Verifier):
    """Signs for one seat, and checks the signatures of the others.

    Args:
        keys: of the table, as the seat knows them.
    """

    def __init__(self, keys: Keys) -> None:
        super().__init__(keys.signers)
        self._private = Ed25519PrivateKey.from_private_bytes(keys.seed)

    def sign(self, statement: bytes) -> bytes:
        """Return this seat's signature of a statement, 64 bytes; equal statements, equal bytes."""
        return self._private.sign(statement)


def agreeing_key(seed: bytes) -> X25519PrivateKey:
    """Return the private key of a seed for key agreement (RFC 7748)."""
    return X25519PrivateKey.from_private_bytes(sha512(seed).digest()[:32])


def agreeing_public_key(public: bytes) -> X25519PublicKey:
    """Return a public key in the coordinates of key agreement (RFC 7748, 4.1).

    Raises:
        ValueError: it has none there.
    """
    y = int.from_bytes(public, "little") & _NO_SIGN
    u = (1 + y) * pow(1 - y, -1, _PRIME) % _PRIME
    return X25519PublicKey.from_public_bytes(u.to_bytes(32, "little"))
