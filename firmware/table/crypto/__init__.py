"""The six primitives of the table, and the derivation of keys.

The package cryptography does the work on a handheld and on a computer, the package noble in a page,
which loads it beside Python (``noble.js``). Both give the same bytes and refuse the same input, so
all seats of a table agree about each frame.

May import: nothing of ours.
"""

import hmac
import sys
from hashlib import sha512

if sys.platform == "emscripten":
    from js import noble
    from pyodide.ffi import to_js

    def _seal(key: bytes, nonce: bytes, body: bytes, header: bytes) -> bytes:
        return bytes(noble.seal(to_js(key), to_js(nonce), to_js(body), to_js(header)).to_bytes())

    def _unseal(key: bytes, nonce: bytes, sealed: bytes, header: bytes) -> bytes | None:
        body = noble.unseal(to_js(key), to_js(nonce), to_js(sealed), to_js(header))
        return None if body is None else bytes(body.to_bytes())

    def _public(seed: bytes) -> bytes:
        return bytes(noble.public(to_js(seed)).to_bytes())

    def _sign(seed: bytes, statement: bytes) -> bytes:
        return bytes(noble.sign(to_js(seed), to_js(statement)).to_bytes())

    def _verify(key: bytes, signature: bytes, statement: bytes) -> bool:
        return bool(noble.verify(to_js(key), to_js(signature), to_js(statement)))

    def _exchange(private: bytes, key: bytes) -> bytes | None:
        secret = noble.exchange(to_js(private), to_js(key))
        return None if secret is None else bytes(secret.to_bytes())

else:
    from cryptography.exceptions import InvalidSignature, InvalidTag
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    def _seal(key: bytes, nonce: bytes, body: bytes, header: bytes) -> bytes:
        return ChaCha20Poly1305(key).encrypt(nonce, body, header)

    def _unseal(key: bytes, nonce: bytes, sealed: bytes, header: bytes) -> bytes | None:
        try:
            return ChaCha20Poly1305(key).decrypt(nonce, sealed, header)
        except InvalidTag:
            return None

    def _public(seed: bytes) -> bytes:
        return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()

    def _sign(seed: bytes, statement: bytes) -> bytes:
        return Ed25519PrivateKey.from_private_bytes(seed).sign(statement)

    def _verify(key: bytes, signature: bytes, statement: bytes) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(key).verify(signature, statement)
        except InvalidSignature:
            return False
        return True

    def _exchange(private: bytes, key: bytes) -> bytes | None:
        other = X25519PublicKey.from_public_bytes(key)
        try:
            return X25519PrivateKey.from_private_bytes(private).exchange(other)
        except ValueError:  # of small order
            return None


KEY_BYTES = 32
"""The length of a key, of the seed of one, and of a shared secret; RFC 7748 (X25519), RFC 8032
(Ed25519), RFC 8439 (ChaCha20)."""
SIGNATURE_BYTES = 64
"""The length of a signature (Ed25519, RFC 8032)."""
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
    return _seal(key, nonce, body, header)


def unseal(key: bytes, nonce: bytes, sealed: bytes, header: bytes) -> bytes | None:
    """Return the body that `seal` sealed; None if the tag fits neither these bytes nor this key."""
    return _unseal(key, nonce, sealed, header)


def public(seed: bytes) -> bytes:
    """Return the public key, 32 bytes, of a seed of 32 bytes (Ed25519, RFC 8032)."""
    return _public(seed)


def sign(seed: bytes, statement: bytes) -> bytes:
    """Return the signature, 64 bytes, of a statement; equal statements have equal signatures."""
    return _sign(seed, statement)


def verify(key: bytes, signature: bytes, statement: bytes) -> bool:
    """Return whether the holder of a public key of 32 bytes has signed a statement.

    The equation of RFC 8032, 5.1.7 must hold without the cofactor, and S must be below the order.
    A key of small order has signed nothing: one signature of it would fit many statements.
    """
    if len(signature) != SIGNATURE_BYTES or int.from_bytes(key, "little") & _Y in _SMALL_ORDER:
        return False
    return _verify(key, signature, statement)


def exchange(private: bytes, key: bytes) -> bytes | None:
    """Return the shared secret, 32 bytes, of a private and a public key (X25519, RFC 7748).

    None stands for a public key of small order, with which every secret would be the same.
    """
    return _exchange(private, key)


def shared_secret(seed: bytes, signer: bytes) -> bytes | None:
    """Return the 32 bytes that two handhelds share, by keys that also sign.

    Args:
        seed: 32 bytes, of the one handheld.
        signer: the public key of the other one, 32 bytes.

    Returns:
        None for a key of small order, which would make every shared secret the same.
    """
    y = int.from_bytes(signer, "little") & _Y
    u = (1 + y) * pow(1 - y, _PRIME - 2, _PRIME) % _PRIME  # RFC 7748, 4.1; without inverse: 0
    return exchange(sha512(seed).digest()[:32], u.to_bytes(32, "little"))


def hkdf(key: bytes, info: bytes, length: int = 32, salt: bytes = b"") -> bytes:
    """Derive ``length`` bytes, at most 8160, from a key (HKDF-SHA256, RFC 5869)."""
    extracted = hmac.digest(salt, key, _HASH)
    block, blocks = b"", b""
    for number in range(1, -(-length // _HASH_BYTES) + 1):
        block = hmac.digest(extracted, block + info + bytes((number,)), _HASH)
        blocks += block
    return blocks[:length]
