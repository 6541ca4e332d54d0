"""Bluetooth's air as a table knows it. This module does not need the extra ``bluetooth``."""

from collections.abc import Callable
from typing import Literal, NamedTuple, Protocol

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
