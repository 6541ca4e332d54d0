"""The primitives by the package cryptography, which contains OpenSSL."""

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305


def seal(key: bytes, nonce: bytes, body: bytes, header: bytes) -> bytes:
    """See `firmware.table.crypto`, as all of these."""
    return ChaCha20Poly1305(key).encrypt(nonce, body, header)


def unseal(key: bytes, nonce: bytes, sealed: bytes, header: bytes) -> bytes | None:
    """Return None if the tag does not fit."""
    try:
        return ChaCha20Poly1305(key).decrypt(nonce, sealed, header)
    except InvalidTag:
        return None


def public(seed: bytes) -> bytes:
    """Return the public key of a seed."""
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()


def sign(seed: bytes, statement: bytes) -> bytes:
    """Return the signature of a statement."""
    return Ed25519PrivateKey.from_private_bytes(seed).sign(statement)


def verify(key: bytes, signature: bytes, statement: bytes) -> bool:
    """Return whether the signature fits."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, statement)
    except InvalidSignature:
        return False
    return True


def exchange(private: bytes, key: bytes) -> bytes | None:
    """Return the shared secret."""
    other = X25519PublicKey.from_public_bytes(key)
    try:
        return X25519PrivateKey.from_private_bytes(private).exchange(other)
    except ValueError:  # of small order
        return None
