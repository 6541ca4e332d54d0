"""The seam to an infrared transmitter and receiver, and its error."""

from collections.abc import Callable
from typing import Protocol

from firmware.link.infrared.modulation import Pulse


class InfraredError(OSError):
    """An infrared device cannot be used. One line that says what to do."""


class Port(Protocol):
    """An infrared transmitter and receiver."""

    def open(self, on_pulses: Callable[[list[Pulse]], None]) -> None:
        """Begin to listen: ``on_pulses`` gets marks on the loop's clock, soon after they ended.

        The marks of ``transmit`` may be among them.
        """
        ...

    def transmit(self, lengths_us: list[int]) -> None:
        """Send marks and spaces in turn (µs), a mark first and last. Returns at once."""
        ...

    def close(self) -> None:
        """Stop listening and release the device."""
        ...
