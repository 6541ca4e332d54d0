"""Signatures (Ed25519, RFC 8032): what a seat has signed, anybody can pass on.

A seal shows a receiver alone who speaks. What others have to believe as well is signed.
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
    """Checks what seats have signed, by their public keys alone.

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
        """Whether a seat has signed a statement; False for one without a key."""
        if seat not in self._public:
            return False
        try:
            self._public[seat].verify(signature, statement)
        except InvalidSignature:
            return False
        return True


class Signer(Verifier):
    """Signs for one seat, and checks what the others have signed.

    Args:
        keys: of the table, as the seat knows them.
    """

    def __init__(self, keys: Keys) -> None:
        super().__init__(keys.signers)
        self._private = Ed25519PrivateKey.from_private_bytes(keys.seed)

    def sign(self, statement: bytes) -> bytes:
        """The signature of this seat, 64 bytes; the same statement, the same bytes."""
        return self._private.sign(statement)


def agreeing_key(seed: bytes) -> X25519PrivateKey:
    """The private key of a seed for agreeing on secrets (RFC 7748)."""
    return X25519PrivateKey.from_private_bytes(sha512(seed).digest()[:32])


def agreeing_public_key(public: bytes) -> X25519PublicKey:
    """The same point in the coordinates that secrets are agreed on in (RFC 7748, 4.1).

    Raises:
        ValueError: it has none there.
    """
    y = int.from_bytes(public, "little") & _NO_SIGN
    u = (1 + y) * pow(1 - y, -1, _PRIME) % _PRIME
    return X25519PublicKey.from_public_bytes(u.to_bytes(32, "little"))
