"""A room whose frames only the holders of its key can read, send or even find at a broker."""

from collections.abc import Callable
from typing import Final

from firmware.table.crypto.primitives import hkdf, seal, unseal

LEAST_KEY_BYTES: Final = 16
NONCE_BYTES: Final = 12
"""That of ChaCha20-Poly1305. It is random: after 2**32 frames two share one with 2**-33."""
MORE_BYTES: Final = NONCE_BYTES + 16
"""The nonce and the tag, by which a sealed frame is longer."""
_NAME_BYTES = 16
_REMEMBERED = 4096
"""Nonces of frames that came; the link admits 100 messages a second."""


class SealedRoom:
    """The seal of a room's frames, at one handheld.

    Args:
        code: of the room.
        key: at least `LEAST_KEY_BYTES` random bytes.
        entropy: returns that many random bytes.

    Raises:
        ValueError: the key is too short.

    Attributes:
        name: stands for the room at a broker, and does not reveal code or key.
    """

    def __init__(self, code: str, key: bytes, entropy: Callable[[int], bytes]) -> None:
        if len(key) < LEAST_KEY_BYTES:
            raise ValueError(f"a room's key has {LEAST_KEY_BYTES} bytes or more, not {len(key)}")
        salt = code.encode()
        self.name = hkdf(key, b"maexchen room", _NAME_BYTES, salt).hex()
        self._key = hkdf(key, b"maexchen room frames", salt=salt)
        self._entropy = entropy
        self._seen: dict[bytes, None] = {}

    def name_of(self, device: bytes) -> str:
        """Return what stands for a device at a broker, and does not reveal it."""
        return hkdf(self._key, b"maexchen room device" + device, _NAME_BYTES).hex()

    def seal(self, frame: bytes) -> bytes:
        """Return a frame as it goes to the room."""
        nonce = self._entropy(NONCE_BYTES)
        return nonce + seal(self._key, nonce, frame, b"")

    def opened(self, sealed: bytes) -> bytes | None:
        """Return a frame that came from the room; None if it is forged, or came before."""
        nonce = sealed[:NONCE_BYTES]
        if len(sealed) < MORE_BYTES or nonce in self._seen:
            return None
        frame = unseal(self._key, nonce, sealed[NONCE_BYTES:], b"")
        if frame is not None:
            self._seen[nonce] = None
            if len(self._seen) > _REMEMBERED:
                del self._seen[next(iter(self._seen))]
        return frame
