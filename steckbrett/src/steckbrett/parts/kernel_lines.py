"""Parts on lines that the kernel drives by itself: 1-Wire, and the serial port."""

from collections import deque
from collections.abc import Callable
from random import Random
from typing import ClassVar

from . import PartModel, steady

_FAMILY = 0x28
_STEP_C = 0.0625
_POLYNOMIAL = 0x8C


class DS18B20(PartModel):
    """A thermometer on 1-Wire, as the kernel's w1_therm sees it (sheet: DS18B20, revision 6).

    Its world ``temperature`` is °C as a function of the time in µs. Its wire is that of the
    kernel's 1-Wire bus, GPIO 4. Checked against the example of Maxim's application note 27.

    Decided here: it is off by up to 0.5 °C and converts in 600 to 750 ms, by the seed. Resolution
    is always 12 bits.
    """

    name = "DS18B20"
    inputs = ("dq",)
    worlds = ("temperature",)
    usual: ClassVar = {"dq": 4}
    pulls: ClassVar = {"dq": 1}

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__(seed, t_us)
        chance = Random(f"ds18b20 {seed}")
        self.temperature: Callable[[int], float] = steady(21.0)
        self._offset_c = chance.uniform(-0.5, 0.5)
        self.conversion_us = chance.randrange(600_000, 750_001)

    def scratchpad(self, t_us: int) -> bytes:
        """Return the nine bytes after a conversion that ended at ``t_us``."""
        celsius = min(125.0, max(-55.0, self.temperature(t_us) + self._offset_c))
        raw = round(celsius / _STEP_C) & 0xFFFF
        eight = raw.to_bytes(2, "little") + b"\x4b\x46\x7f\xff" + bytes((0x10 - (raw & 0xF), 0x10))
        return eight + bytes((crc8(eight),))


def rom_of(name: str) -> str:
    """Return family and serial number, as the kernel writes them, of the part of this name."""
    return f"{_FAMILY:02x}-{Random(f'ds18b20 {name}').randrange(1 << 32):012x}"


def crc8(data: bytes) -> int:
    """Return the checksum of 1-Wire: x⁸ + x⁵ + x⁴ + 1, the lowest bit first."""
    found = 0
    for octet in data:
        found ^= octet
        for _ in range(8):
            found = found >> 1 ^ _POLYNOMIAL * (found & 1)
    return found


BITS_PER_BYTE = 10
"""A start bit, eight bits and a stop bit, by definition of 8N1."""


def _silent(_data: bytes) -> bytes:
    return b""


class SerialPeer(PartModel):
    """Somebody at the other end of the serial port, whose words the test writes (no sheet).

    The peer is at GPIO 14 and 15, its bits are not drawn. Its world ``baud`` is bits a second.

    ``heard`` is all that the host has written; ``answer`` gets each piece and returns what to send
    back. ``deliver`` takes what arrives at the host; the port sets it. Checked against pyserial
    3.5.

    Decided here: a byte takes ten bits; at another rate than the host's, bytes arrive with wrong
    bits.
    """

    name = "Serial"
    inputs = ("rx", "tx")
    worlds = ("baud",)
    usual: ClassVar = {"tx": 15, "rx": 14}

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__(seed, t_us)
        self.baud: Callable[[int], float] = steady(9600.0)
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
