"""A detector: whether part of a secret stands in what somebody has, however it is written."""

import re
from base64 import b64decode

WINDOW = 8
"""A secret is looked for in pieces of so many bytes: any 15 of its bytes in a row are found."""
_HEX = re.compile(rb"[0-9a-fA-F]{16,}")
_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{8,}={0,2}")


def found(secrets, known):
    """Return the secrets of which a piece is in ``known``: raw, as hex or in base64."""
    view = b"\n\n".join(_views(known))
    pieces = {
        secret: [secret[at : at + WINDOW] for at in range(0, len(secret) - WINDOW + 1, WINDOW)]
        for secret in secrets
    }
    return {secret for secret, parts in pieces.items() if any(part in view for part in parts)}


def _views(known):
    yield known
    for run in _HEX.findall(known):
        for at in (0, 1):
            yield bytes.fromhex(run[at : len(run) - (len(run) - at) % 2].decode())
    for run in _BASE64.findall(known.replace(b"-", b"+").replace(b"_", b"/")):
        for at in range(4):
            part = run.rstrip(b"=")[at:]
            part = part[: len(part) - (len(part) % 4 == 1)]
            yield b64decode(part + b"=" * (-len(part) % 4))
