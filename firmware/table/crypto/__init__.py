"""The six primitives of the table, and the derivation of keys.

The package cryptography does the work on a handheld and on a computer, the package noble in a page.
Both give the same bytes and refuse the same input, so all seats of a table agree about each frame.

May import: nothing of ours.
"""

import hmac
import sys

if sys.platform == "emscripten":
    from firmware.table.crypto import noble as provider
else:
    from firmware.table.crypto import openssl as provider

SIGNATURE_BYTES = 64
_HASH = "sha256"
_HASH_BYTES = 32
_PRIME = 2**255 - 19
_Y = 2**255 - 1
"""The bits of an Ed25519 key that are its coordinate y; the highest bit is the sign of x."""
_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDER = frozenset({0, 1, _PRIME - 1, _PRIME, _PRIME + 1, _ORDER_8, _PRIME - _ORDER_8})
"""The coordinates y of the points of order 1, 2, 4 and 8, reduced and not reduced."""


def seal(key: bytes, nonce: bytes, body: bytes, header: bytes) -> bytes:
    """Return a body sealed with its 16-byte tag (ChaCha20-Poly1305, RFC 8439).

    Args:
        key: 32 bytes.
        nonce: 12 bytes, never the same ones with this key for another body.
        body: any bytes.
        header: any bytes; they stay outside, and the tag covers them.
    """
    return provider.seal(key, nonce, body, header)


def unseal(key: bytes, nonce: bytes, sealed: bytes, header: bytes) -> bytes | None:
    """Return the body that `seal` sealed; None if the tag fits neither these bytes nor this key."""
    return provider.unseal(key, nonce, sealed, header)


def public(seed: bytes) -> bytes:
    """Return the public key, 32 bytes, of a seed of 32 bytes (Ed25519, RFC 8032)."""
    return provider.public(seed)


def sign(seed: bytes, statement: bytes) -> bytes:
    """Return the signature, 64 bytes, of a statement; equal statements have equal signatures."""
    return provider.sign(seed, statement)


def verify(key: bytes, signature: bytes, statement: bytes) -> bool:
    """Return whether the holder of a public key of 32 bytes has signed a statement.

    The equation of RFC 8032, 5.1.7 must hold without the cofactor, and S must be below the order.
    A key of small order has signed nothing: one signature of it would fit many statements.
    """
    if len(signature) != SIGNATURE_BYTES or int.from_bytes(key, "little") & _Y in _SMALL_ORDER:
        return False
    return provider.verify(key, signature, statement)


def exchange(private: bytes, key: bytes) -> bytes | None:
    """Return the shared secret, 32 bytes, of a private and a public key (X25519, RFC 7748).

    None stands for a public key of small order, with which every secret would be the same.
    """
    return provider.exchange(private, key)


def hkdf(key: bytes, info: bytes, length: int = 32, salt: bytes = b"") -> bytes:
    """Derive ``length`` bytes, at most 8160, from a key (HKDF-SHA256, RFC 5869)."""
    extracted = hmac.digest(salt, key, _HASH)
    block, blocks = b"", b""
    for number in range(1, -(-length // _HASH_BYTES) + 1):
        block = hmac.digest(extracted, block + info + bytes((number,)), _HASH)
        blocks += block
    return blocks[:length]
