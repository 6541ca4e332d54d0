"""A digest of the traffic on the air: of times, seats and bytes, whatever their classes."""

from hashlib import sha256
from struct import Struct, pack

from firmware.link.broker.session import Message
from hw_sim.air.air import HeardPacket

_PACKET = Struct("<cQBBI").pack
_TRANSMISSION = Struct("<cQBI").pack
_MESSAGE = Struct("<cII").pack


class AirDigest:
    """Hashes all that is sent over all media, in the order in which it crosses.

    `packet` and `transmission` are observers of the two airs, `message` is one of the broker.
    """

    def __init__(self) -> None:
        self._hash = sha256()

    @property
    def hex(self) -> str:
        """SHA-256, in hex, over all that was sent so far."""
        return self._hash.hexdigest()

    def packet(self, heard: HeardPacket) -> None:
        """Add a packet that crossed by Bluetooth."""
        size = len(heard.payload)
        self._hash.update(_PACKET(b"B", heard.t_us, heard.sender, heard.receiver, size))
        self._hash.update(heard.payload)

    def transmission(self, sent: tuple[int, int, tuple[int, ...]]) -> None:
        """Add a transmission by infrared light: time in µs, sender, marks and spaces in µs."""
        t_us, sender, lengths_us = sent
        count = len(lengths_us)
        self._hash.update(_TRANSMISSION(b"I", t_us, sender, count))
        self._hash.update(pack(f"<{count}I", *lengths_us))

    def message(self, message: Message) -> None:
        """Add a message that reached the broker."""
        topic = message.topic.encode()
        self._hash.update(_MESSAGE(b"M", len(topic), len(message.payload)))
        self._hash.update(topic + message.payload)
