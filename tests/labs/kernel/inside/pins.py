"""Levels of pins in the kernel: a line of its simulated chip is driven from outside by its pull.

As a program it takes levels off a serial line, two bytes each: the BCM number and the level. It
says when it is `READY` for them, and each is answered with `KNOWN` when the line has it.
"""

import os
import sys
from pathlib import Path

READY, KNOWN = b"!", b"."

_LINES = Path("/sys/devices/platform/gpio-sim.0/gpiochip0")


class Lines:
    """The lines that something outside drives."""

    def __init__(self) -> None:
        self._files: dict[int, int] = {}

    @property
    def driven(self) -> list[int]:
        """Which lines something was put on."""
        return list(self._files)

    def level(self, pin: int) -> int:
        """Return the level of the line ``pin``, whoever drives it."""
        return int((_LINES / f"sim_gpio{pin}/value").read_text())

    def drive(self, pin: int, level: int) -> None:
        """Put ``level`` on the line ``pin``; 0 also stands for nothing and a pull-down."""
        if pin not in self._files:
            self._files[pin] = os.open(_LINES / f"sim_gpio{pin}/pull", os.O_WRONLY)
        os.pwrite(self._files[pin], b"pull-up" if level else b"pull-down", 0)


def main() -> None:
    lines = Lines()
    line = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
    print("pins are driven", flush=True)
    os.write(line, READY)
    rest = b""
    while True:
        rest += os.read(line, 256)
        while len(rest) > 1:
            lines.drive(rest[0], rest[1])
            rest = rest[2:]
            os.write(line, KNOWN)


if __name__ == "__main__":
    main()
