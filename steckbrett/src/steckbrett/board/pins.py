"""The pins of a board as electronics: parts, wires between pins, pulls, and what the host does.

A *net* is a pin with everything wired to it, other pins included. On a net an output of the host
beats a part, a part beats a pull, and a pull on the board beats one inside the Pi.
"""

from collections import deque
from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple

from ..parts import Offence, OffenceLog

HIGHEST: Final = 53
"""The highest BCM number of a pin (data sheet of the BCM2835); a 40-pin header has 0 to 27."""
KEPT: Final = 100_000
"""The number of changes that the trace keeps, chosen: the last ones."""


class Change(NamedTuple):
    """From ``t_us`` on, BCM ``pin`` has ``level``."""

    t_us: int
    pin: int
    level: int


class Pin:
    """One pin. ``number`` is its BCM number, ``level`` its present level.

    ``host``: what the host puts on it; None while it is an input. ``host_pull``: the Pi's own
    resistor, 1 up, 0 down. ``on_edge`` is called with each new level. ``rises`` and ``falls``
    count edges; ``rose_us`` and ``fell_us`` are the times of the first ones, None before.
    """

    __slots__ = (
        "falls",
        "fell_us",
        "host",
        "host_pull",
        "level",
        "net",
        "number",
        "on_edge",
        "rises",
        "rose_us",
    )

    def __init__(self, number: int) -> None:
        self.number = number
        self.level = 0
        self.host: int | None = None
        self.host_pull: int | None = None
        self.on_edge: Callable[[int], None] | None = None
        self.rises = self.falls = 0
        self.rose_us: int | None = None
        self.fell_us: int | None = None
        self.net = Net(self)

    @property
    def rose_at(self) -> float | None:
        """When it first went high, in s; None if it never did."""
        return None if self.rose_us is None else self.rose_us / 1e6

    @property
    def fell_at(self) -> float | None:
        """When it first went low, in s; None if it never did."""
        return None if self.fell_us is None else self.fell_us / 1e6

    @property
    def floating(self) -> bool:
        """Whether nothing drives or pulls it."""
        return self.net.value() is None


class Net:
    """Pins that wires join, with the parts that drive them.

    ``parts``: levels by the name of who drives. ``pull``: a resistor on the board. ``cut``: the
    wires to the parts are broken. ``short``: the level of the supply that it touches, or None.
    """

    __slots__ = ("cut", "parts", "pins", "pull", "short")

    def __init__(self, pin: Pin) -> None:
        self.pins = [pin]
        self.parts: dict[str, int] = {}
        self.pull: int | None = None
        self.cut = False
        self.short: int | None = None

    @property
    def driven(self) -> int | None:
        """The level that a part or a short puts on it, low before high; None for none."""
        if self.short is not None:
            return self.short
        if self.cut or not self.parts:
            return None
        return min(self.parts.values())

    def value(self) -> int | None:
        """Return the level; None while nothing drives or pulls it."""
        for pin in self.pins:
            if pin.host is not None:
                return pin.host
        driven = self.driven
        if driven is not None:
            return driven
        if self.pull is not None:
            return self.pull
        for pin in self.pins:
            if pin.host_pull is not None:
                return pin.host_pull
        return None


class Pins:
    """All pins of one board, by BCM number; ``now_us`` is its clock.

    ``seed`` decides what an open input reads.

    ``on_change`` are called with the pin and its new level after each edge, whoever made it.
    ``trace``: set it to a deque to collect a `Change` for each edge.
    """

    def __init__(self, now_us: Callable[[], int], seed: int | str = 0) -> None:
        self._now_us, self._seed = now_us, seed
        self._pins: dict[int, Pin] = {}
        self.on_change: list[Callable[[int, int], None]] = []
        self.trace: deque[Change] | None = None
        self.offences = OffenceLog()

    def __getitem__(self, number: int) -> Pin:
        pin = self._pins.get(number)
        if pin is None:
            if not (isinstance(number, int) and 0 <= number <= HIGHEST):
                raise ValueError(f"no pin {number!r}: BCM numbers are 0 to {HIGHEST}")
            pin = self._pins[number] = Pin(number)
        return pin

    # ---- wiring ------------------------------------------------------------------------------

    def join(self, first: int, second: int) -> None:
        """Join two pins by a wire."""
        kept, gone = self[first].net, self[second].net
        if kept is gone:
            return
        kept.pins += gone.pins
        kept.parts.update(gone.parts)
        kept.pull = gone.pull if kept.pull is None else kept.pull
        for pin in gone.pins:
            pin.net = kept
        self._settle(kept)

    def pull(self, number: int, level: int) -> None:
        """Fit a resistor from a pin to 3.3 V (1) or to ground (0), before the power is on."""
        net = self[number].net
        net.pull = level
        for pin in net.pins:
            pin.level = net.value() or 0

    def cut(self, number: int) -> None:
        """Break the wires from a pin to its parts."""
        net = self[number].net
        net.cut, net.short = True, None
        self._settle(net)

    def tie(self, number: int, level: int | None) -> None:
        """Short a pin to 3.3 V (1) or to ground (0); None ends it."""
        net = self[number].net
        net.short = level
        self._settle(net)

    # ---- who puts levels on them -------------------------------------------------------------

    def drive(self, number: int, level: int | None, who: str = "part") -> None:
        """Let part ``who`` put a level on a pin; None lets go."""
        net = self[number].net
        if net.parts.get(who) == level:
            return
        if level is None:
            del net.parts[who]
        else:
            net.parts[who] = level
        self._settle(net)

    def press(self, number: int, level: int | None) -> None:
        """Connect a pin to ``level``; None is the opposite of its pull, ground if none."""
        if level is None:
            net = self[number].net
            level = 1 if (self[number].host_pull if net.pull is None else net.pull) == 0 else 0
        self.drive(number, level, "press")

    def put(self, number: int, level: int | None) -> None:
        """Let the host put a level on a pin; None makes it an input."""
        pin = self[number]
        if pin.host == level:
            return
        if level is not None:
            self._look_for_fights(pin, level)
        pin.host = level
        self._settle(pin.net)

    def pull_inside(self, number: int, level: int | None) -> None:
        """Switch the Pi's own resistor: 1 up, 0 down, None off."""
        pin = self[number]
        if pin.host_pull != level:
            pin.host_pull = level
            self._settle(pin.net)

    def read(self, number: int) -> int:
        """Return the level as the host reads it; reading a floating pin is an offence."""
        pin = self[number]
        if pin.host is None and pin.floating:
            what = "read while nothing drives or pulls it"
            self.offences.add(f"GPIO {number}", self._now_us(), what, Offence.TORN)
            return self._floats(number)
        return pin.level

    def watch(self, number: int) -> None:
        """Note that the host waits for edges of a pin; of a floating one it is an offence."""
        if self[number].host is None and self[number].floating:
            what = "edges watched while nothing drives or pulls it"
            self.offences.add(f"GPIO {number}", self._now_us(), what, Offence.TORN)

    def _floats(self, number: int) -> int:
        """Return what an open input reads: 50 Hz of the mains, by the seed and the pin."""
        chance = Random(f"open {self._seed} {number}")
        phase, share = chance.random(), chance.uniform(0.2, 0.8)
        return int((self._now_us() * 50e-6 + phase) % 1 < share)

    # ---- inside ------------------------------------------------------------------------------

    def _look_for_fights(self, pin: Pin, level: int) -> None:
        net = pin.net
        what = None
        if pin.host is None and net.driven is not None:
            what = "set up as an output against a part's pin"
        else:
            for other in net.pins:
                if other is not pin and other.host is not None and other.host != level:
                    what = f"an output of {level} against GPIO {other.number}"
        if what is not None:
            self.offences.add(f"GPIO {pin.number}", self._now_us(), what)

    def _settle(self, net: Net) -> None:
        """Bring every pin of ``net`` to its level, and report the edges."""
        shared = net.value() or 0
        changed = []
        for pin in net.pins:
            level = shared if pin.host is None else pin.host
            if level != pin.level:
                pin.level = level
                changed.append(pin)
        if changed:
            now_us = self._now_us()
            for pin in changed:
                self._report(pin, now_us)

    def _report(self, pin: Pin, now_us: int) -> None:
        level = pin.level
        if level:
            pin.rises += 1
            pin.rose_us = now_us if pin.rose_us is None else pin.rose_us
        else:
            pin.falls += 1
            pin.fell_us = now_us if pin.fell_us is None else pin.fell_us
        if self.trace is not None:
            self.trace.append(Change(now_us, pin.number, level))
        for watcher in self.on_change:
            watcher(pin.number, level)
        if pin.on_edge is not None:
            pin.on_edge(level)
