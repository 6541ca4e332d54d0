"""Wires between parts and pins: levels that parts drive, and edges that they sense."""

from collections.abc import Callable, Iterable
from typing import Any

from ..clock.clock import Clock, Due
from .pins import Pins
from .plan import PlanError


class Links:
    """The wires of one board, and who has to be told of what when.

    ``now_us`` is the board's clock.
    """

    def __init__(self, pins: Pins, clock: Clock, now_us: Callable[[], int]) -> None:
        self._pins, self._clock, self._now_us = pins, clock, now_us
        self._links: dict[str, _Link] = {}
        self._on_bus: list[_Link] = []

    def wire(self, name: str, part: Any, leg: str, pin: int) -> None:
        """Lead a wire from a pin of a part to BCM ``pin``.

        Raises:
            PlanError: the part has no such pin; the text has those there are.
        """
        legs = (*part.outputs, *part.inputs)
        if leg not in legs:
            known = ", ".join(legs) or "none"
            raise PlanError(f"{name} has no pin {leg!r} to wire: it has {known}")
        link = self._links.setdefault(name, _Link(name, part))
        (link.outputs if leg in part.outputs else link.inputs).append((leg, pin))
        part.wired.add(leg)

    def begin(self, on_bus: Iterable[str]) -> None:
        """Follow every part from now on; those ``on_bus`` also after each transaction."""
        self._pins.on_change.append(self._sense)
        self._on_bus = [self._links[name] for name in on_bus if name in self._links]
        for link in self._links.values():
            self._follow(link)

    def close(self) -> None:
        """Take all timers off the clock."""
        for link in self._links.values():
            if link.timer is not None:
                link.timer.cancel()
            link.timer = link.due_us = None

    def pin_at(self, end: str) -> int:
        """Return the BCM number that a wire leads to from ``part.pin``."""
        name, _, leg = end.rpartition(".")
        link = self._links.get(name)
        for wired, pin in () if link is None else (*link.outputs, *link.inputs):
            if wired == leg:
                return pin
        raise PlanError(f"no wire at {end}")

    def pins_of(self, name: str) -> set[int]:
        """Return the BCM numbers that wires lead to from a part."""
        link = self._links.get(name)
        return set() if link is None else {pin for _, pin in (*link.outputs, *link.inputs)}

    def wired_to(self, pin: int) -> list[str]:
        """Return what wires lead to from a pin, as ``part.pin``."""
        return [
            f"{link.name}.{leg}"
            for link in self._links.values()
            for leg, wired in (*link.outputs, *link.inputs)
            if self._pins[wired].net is self._pins[pin].net
        ]

    def power(self, name: str, on: bool, part: Any = None) -> None:
        """Follow a part that has power or has lost it; ``part``: another one in its place."""
        link = self._links.get(name)
        if link is None:
            return
        if part is not None:
            link.fit(part)
        link.on = on
        self._follow(link)

    def follow(self, name: str) -> None:
        """Bring the pins to where a part has them."""
        if name in self._links:
            self._follow(self._links[name])

    def follow_host(self) -> None:
        """Follow what the host did to parts on the bus; others only go on."""
        for link in self._on_bus:
            if link.part.accesses != link.accesses:
                self._follow(link)
            elif link.on:
                link.part.advance(self._now_us())

    def _follow(self, link: "_Link") -> None:
        """Bring the pins to where a part has them, and come back when it may change by itself."""
        part, due_us = link.part, None
        link.accesses = part.accesses
        if not link.on:
            for leg, pin in link.outputs:
                self._pins.drive(pin, None, f"{link.name}.{leg}")
        else:
            part.advance(self._now_us())
            for leg, pin in link.outputs:
                self._pins.drive(pin, part.output(leg), f"{link.name}.{leg}")
            due_us = part.next_event_us()
        if due_us == link.due_us:
            return
        link.due_us = due_us
        if link.timer is not None:
            link.timer.cancel()
            link.timer = None
        if due_us is not None:
            link.timer = self._clock.call_at(due_us / 1e6, self._came_due, link)

    def _came_due(self, link: "_Link") -> None:
        link.timer = link.due_us = None
        self._follow(link)

    def _sense(self, pin: int, level: int) -> None:
        for link in self._links.values():
            for leg, wired in link.inputs:
                if wired == pin:
                    link.part.sense(leg, level, self._now_us())
                    self._follow(link)


class _Link:
    """A part that is wired to pins: which, and when it may next change one."""

    def __init__(self, name: str, part: Any) -> None:
        self.name, self.part = name, part
        self.on = True
        self.outputs: list[tuple[str, int]] = []
        self.inputs: list[tuple[str, int]] = []
        self.accesses = 0
        self.due_us: int | None = None
        self.timer: Due | None = None

    def fit(self, part: Any) -> None:
        """Let another part have the wires of those pins that it has too."""
        self.part, self.accesses = part, part.accesses
        self.outputs = [wire for wire in self.outputs if wire[0] in part.outputs]
        self.inputs = [wire for wire in self.inputs if wire[0] in part.inputs]
        part.wired.update(leg for leg, _ in (*self.outputs, *self.inputs))
