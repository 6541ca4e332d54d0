"""Bluetooth's air as a table knows it, without the extra ``bluetooth``; a digest of all traffic.

The digest is of times, seats and bytes, whatever their classes.
"""

from collections.abc import Callable
from hashlib import sha256
from struct import Struct, pack
from typing import Literal, NamedTuple, Protocol

from firmware.link.broker.session import Message
from firmware.link.link import OpenController

ControllerProfile = Literal["ideal", "pi"]
"""``ideal``: bumble's virtual controller, which can do everything at once; ``pi``: the built-in one
of a Raspberry Pi (`hw_sim.air.controller`)."""


class HeardPacket(NamedTuple):
    """A data packet that crossed the air, from seat to seat: L2CAP header and payload."""

    t_us: int
    sender: int
    receiver: int
    payload: bytes


def bluetooth_address(seat: int) -> str:
    """Return the static random address of a seat's controller: ``C0:4D:58:00:00:05`` of 5."""
    return f"C0:4D:58:00:00:{seat:02X}"


class Air(Protocol):
    """The air around one table. ``observers`` get every data packet at the time it crosses."""

    observers: list[Callable[[HeardPacket], None]]

    def opener(self, seat: int) -> OpenController:
        """Return a function that opens the controller of ``seat`` at each call."""

    def absent(self, seat: int) -> None:
        """Take a seat out of everybody's range; its links stall and end if it stays away."""

    def present(self, seat: int) -> None:
        """Bring a seat back into range."""

    def switch_off(self, seat: int) -> None:
        """Cut the power of a seat's controller: it sends no more, to the air or to its host."""


class NoAir:
    """The air around a table without Bluetooth."""

    def __init__(self) -> None:
        self.observers: list[Callable[[HeardPacket], None]] = []

    def opener(self, seat: int) -> OpenController:
        """Raise ValueError: there is no controller."""
        raise ValueError(f"seat {seat} has no Bluetooth")

    def absent(self, seat: int) -> None:
        """Do nothing, as `present` and `switch_off` do."""

    present = switch_off = absent


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
