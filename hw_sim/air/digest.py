"""A digest of what crosses the air: of times, seats and bytes, whatever classes they come in."""

from hashlib import sha256
from struct import Struct, pack

from hw_sim.air.bluetooth import HeardPacket

_PACKET = Struct("<cQBBI").pack
_TRANSMISSION = Struct("<cQBI").pack


class AirDigest:
    """Takes in all that is said over both media, in the order in which it crosses.

    `packet` and `transmission` are what the airs' ``observe`` is set to.
    """

    def __init__(self) -> None:
        self._hash = sha256()

    @property
    def hex(self) -> str:
        """SHA-256, in hex, over all that was said so far."""
        return self._hash.hexdigest()

    def packet(self, heard: HeardPacket) -> None:
        """Take in what crossed by Bluetooth."""
        size = len(heard.payload)
        self._hash.update(_PACKET(b"B", heard.t_us, heard.sender, heard.receiver, size))
        self._hash.update(heard.payload)

    def transmission(self, sent: tuple[int, int, tuple[int, ...]]) -> None:
        """Take in what was sent by infrared light."""
        t_us, sender, lengths_us = sent
        count = len(lengths_us)
        self._hash.update(_TRANSMISSION(b"I", t_us, sender, count))
        self._hash.update(pack(f"<{count}I", *lengths_us))
