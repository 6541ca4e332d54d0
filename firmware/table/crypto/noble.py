"""The primitives by the package noble, which a page loads beside Python; see ``noble.js``."""

from js import noble
from pyodide.ffi import to_js


def seal(key: bytes, nonce: bytes, body: bytes, header: bytes) -> bytes:
    """See `firmware.table.crypto`, as all of these."""
    return bytes(noble.seal(to_js(key), to_js(nonce), to_js(body), to_js(header)).to_bytes())


def unseal(key: bytes, nonce: bytes, sealed: bytes, header: bytes) -> bytes | None:
    """Return None if the tag does not fit."""
    body = noble.unseal(to_js(key), to_js(nonce), to_js(sealed), to_js(header))
    return None if body is None else bytes(body.to_bytes())


def public(seed: bytes) -> bytes:
    """Return the public key of a seed."""
    return bytes(noble.public(to_js(seed)).to_bytes())


def sign(seed: bytes, statement: bytes) -> bytes:
    """Return the signature of a statement."""
    return bytes(noble.sign(to_js(seed), to_js(statement)).to_bytes())


def verify(key: bytes, signature: bytes, statement: bytes) -> bool:
    """Return whether the signature fits."""
    return bool(noble.verify(to_js(key), to_js(signature), to_js(statement)))


def exchange(private: bytes, key: bytes) -> bytes | None:
    """Return the shared secret."""
    secret = noble.exchange(to_js(private), to_js(key))
    return None if secret is None else bytes(secret.to_bytes())
