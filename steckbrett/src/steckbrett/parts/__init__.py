"""Strict register models of the parts, transcribed from the data sheets a second time.

`PartModel` is the base of all: pins, noise, and what a host did against the data sheet.

May import: nothing of ours.
Begin with ``adxl345``.
"""

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from itertools import cycle
from typing import ClassVar, NamedTuple, TypeVar


class Offence(StrEnum):
    """How bad it is what a host did."""

    REFUSED = "refused"
    """The chip does not do it."""
    TORN = "torn"
    """The chip does it, but the data can be wrong."""
    UNLISTED = "unlisted"
    """Every chip does it, but no sheet says so."""
    UNMODELLED = "unmodelled"
    """The chip does it, and this model does not."""


class CountedOffence(NamedTuple):
    """An offence against part or pin ``who``: first at ``t_us``, ``times`` in all."""

    kind: Offence
    who: str
    t_us: int
    what: str
    times: int

    def __str__(self) -> str:
        more = f" ({self.times} times)" if self.times > 1 else ""
        return f"{self.who} at {self.t_us} µs: {self.what}{more}"


FAILING = (Offence.REFUSED, Offence.UNMODELLED)
"""Kinds that fail a test, unless it allows them."""


class OffenceLog:
    """Offences of a host; equal ones are counted, not repeated."""

    def __init__(self) -> None:
        self._counts: dict[tuple[Offence, str, str], list[int]] = {}

    def add(self, who: str, t_us: int, what: str, kind: Offence = Offence.REFUSED) -> None:
        """Count an offence against part or pin ``who``: at ``t_us`` the host did ``what``."""
        self._counts.setdefault((kind, who, what), [t_us, 0])[1] += 1

    def counted(self, *kinds: Offence) -> list[CountedOffence]:
        """Return each different offence of ``kinds`` (none: any), by first times."""
        return [
            CountedOffence(kind, who, t_us, what, count)
            for (kind, who, what), (t_us, count) in self._counts.items()
            if not kinds or kind in kinds
        ]

    def lines(self, *kinds: Offence) -> list[str]:
        """Return one line for each different offence of ``kinds`` (none: of any)."""
        return [str(one) for one in self.counted(*kinds)]


class PartModel:
    """A part of a board as a strict model.

    ``name`` is the chip's; ``address`` its 7-bit address, or None if it is not on the bus;
    ``other_address`` the one with its select pin tied the other way. ``addresses`` are all that it
    can be strapped to; none means those two, or any where there is no other one. ``worlds`` are the
    attributes that are what it measures, each a function of the time in µs.
    ``identity`` is what its identity register answers, 0 if it has none. ``outputs`` and ``inputs``
    are the pins that a board can wire; ``pulls`` are resistors on the module: 1 up, 0 down, by pin;
    ``usual`` is where a pin leads to that no wire was given for, by BCM number.
    ``wired`` are the outputs that a wire leads from. ``byte_us`` is the time of a byte on the bus.
    ``accesses`` counts how often the host has written or read.

    ``log`` has the offences. ``seed`` decides what differs from part to part; power comes at
    ``t_us``.
    """

    name: ClassVar[str]
    address: ClassVar[int | None] = None
    other_address: ClassVar[int | None] = None
    addresses: ClassVar[tuple[int, ...]] = ()
    worlds: ClassVar[tuple[str, ...]] = ()
    outputs: ClassVar[tuple[str, ...]] = ()
    inputs: ClassVar[tuple[str, ...]] = ()
    pulls: ClassVar[Mapping[str, int]] = {}
    usual: ClassVar[Mapping[str, int]] = {}
    byte_us = 90.0

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        del seed, t_us
        self.log = OffenceLog()
        self.identity = 0
        self.accesses = 0
        self.wired = set[str]()

    def power_up(self, t_us: int) -> None:
        """Apply power at ``t_us``: everything as after a reset."""

    # ---- pins --------------------------------------------------------------------------------

    def output(self, pin: str) -> int | None:
        """Return the level, 0 or 1, that the part puts on ``pin`` of `outputs`; None for none."""
        raise NotImplementedError(f"{self.name} has no output {pin!r}")

    def sense(self, pin: str, level: int, t_us: int) -> None:
        """Take the new ``level`` of ``pin`` of `inputs`."""

    def next_event_us(self) -> int | None:
        """Return when an output may next change by itself, in µs; None if it cannot."""
        return None

    def advance(self, t_us: int) -> None:
        """Let happen what is due up to and including ``t_us``."""

    # ---- offences ----------------------------------------------------------------------------

    @property
    def violations(self) -> list[str]:
        """One line for each different offence of any kind."""
        return self.log.lines()

    def offences(self, *kinds: Offence) -> list[str]:
        """Return one line for each different offence of ``kinds`` (none: of any)."""
        return self.log.lines(*kinds)

    def refuse(self, t_us: int, what: str, kind: Offence = Offence.REFUSED) -> None:
        """Count an offence: at ``t_us`` the host did ``what``."""
        self.log.add(self.name, t_us, what, kind)

    def tear(self, t_us: int, what: str) -> None:
        """Count an offence that the chip bears, but that can give wrong data."""
        self.refuse(t_us, what, Offence.TORN)

    def called(self, data: bytes, t_us: int) -> bool:
        """Take the bytes of a general call; return whether the part acknowledges it."""
        del data, t_us
        return False


T = TypeVar("T")


def steady(value: T) -> Callable[[int], T]:
    """Return a world that is ``value`` at every time."""
    return lambda _t_us: value


def drawn_once(count: int, draw: Callable[[], T]) -> Iterator[T]:
    """Give ``count`` values of ``draw``, each drawn when it is asked for, and then repeat them."""
    return cycle(draw() for _ in range(count))
