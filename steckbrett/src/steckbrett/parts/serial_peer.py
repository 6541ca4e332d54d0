"""Somebody at the other end of the serial port, whose words the test writes (no sheet).

Checked against pyserial 3.5.

Decided here: a byte takes ten bits; at another rate than the host's, bytes arrive with wrong bits.
"""

from collections import deque
from collections.abc import Callable
from typing import ClassVar

from . import PartModel

BITS_PER_BYTE = 10


def _usual(_t_us: int) -> float:
    return 9600.0


def _silent(_data: bytes) -> bytes:
    return b""


class SerialPeer(PartModel):
    """A peer at GPIO 14 and 15, whose bits are not drawn. Its world ``baud`` is bits a second.

    ``heard`` is all that the host has written; ``answer`` gets each piece and returns what to send
    back. ``deliver`` takes what arrives at the host; the port sets it.
    """

    name = "Serial"
    inputs = ("rx", "tx")
    worlds = ("baud",)
    usual: ClassVar = {"tx": 15, "rx": 14}

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__(seed, t_us)
        self.baud: Callable[[int], float] = _usual
        self.answer: Callable[[bytes], bytes] = _silent
        self.deliver: Callable[[bytes, int], object] = lambda _data, _t_us: None
        self.heard = b""
        self._due = deque[tuple[int, bytes]]()

    def send(self, data: bytes, t_us: int) -> None:
        """Send bytes from ``t_us`` on, after those that are on their way."""
        begins_us = max(t_us, self._due[-1][0] if self._due else t_us)
        lasts_us = round(len(data) * BITS_PER_BYTE * 1e6 / self.baud(t_us))
        self._due.append((begins_us + lasts_us, data))

    def take(self, data: bytes, baud: float, t_us: int) -> None:
        """Take what the host wrote at its own rate."""
        data = self.garbled(data, baud, t_us)
        self.heard += data
        answer = self.answer(data)
        if answer:
            self.send(answer, t_us)

    def garbled(self, data: bytes, baud: float, t_us: int) -> bytes:
        """Return bytes as they arrive where the rates of both ends are more than 4 % apart."""
        own = self.baud(t_us)
        if abs(own / baud - 1) <= 0.04:
            return data
        self.tear(t_us, f"the host has {baud:.0f} baud, the peer {own:.0f}")
        return bytes(octet * 37 + 0x80 & 0xFF for octet in data)

    def advance(self, t_us: int) -> None:
        """Let arrive what is due."""
        while self._due and self._due[0][0] <= t_us:
            at_us, data = self._due.popleft()
            self.deliver(data, at_us)

    def next_event_us(self) -> int | None:
        """Return when bytes arrive next."""
        return self._due[0][0] if self._due else None
