"""What can be done to a table from outside, one frozen class for each command.

A session keeps a command as ``kind``, seat and the values of its other fields in their order; see
`encode` and `decode`. What is done to the whole table stands there with seat 0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

FAULTS = (
    "display", "accelerometer", "light", "stuck", "brownout", "link", "battery",
)  # fmt: skip
"""What can go wrong, by name; all but the brown-out last until they are taken back."""


@dataclass(frozen=True, slots=True)
class Drag:
    """Drag a handheld about: (virtual µs, x m to the right, y m to the far edge) in turn."""

    seat: int
    samples: tuple[tuple[int, float, float], ...]


@dataclass(frozen=True, slots=True)
class Feel:
    """Move it as a phone was moved: (virtual µs, x, y, z in m/s², gravity included) in turn."""

    seat: int
    samples: tuple[tuple[int, float, float, float], ...]


@dataclass(frozen=True, slots=True)
class Lift:
    """Lift the cup (``open`` True), or cover it."""

    seat: int
    open: bool


@dataclass(frozen=True, slots=True)
class Touch:
    """Put a finger on the pad (``down``), or take it off."""

    seat: int
    down: bool


@dataclass(frozen=True, slots=True)
class Tilt:
    """Tilt it so far from how it is held: right edge down, far edge down, in degrees."""

    seat: int
    roll_deg: float
    pitch_deg: float


@dataclass(frozen=True, slots=True)
class PressKey:
    """Press one of the keys of `hw_sim.hand.control.grip.KEYS`, or let it go; others do nothing."""

    seat: int
    key: str
    down: bool


@dataclass(frozen=True, slots=True)
class Drop:
    """Let it fall; it is taken up again after a moment."""

    seat: int


@dataclass(frozen=True, slots=True)
class SetFault:
    """Break something of a handheld (``there``) by one of `FAULTS`, or mend it."""

    seat: int
    fault: str
    there: bool


@dataclass(frozen=True, slots=True)
class SetLight:
    """Change the light of the room to a level in lux."""

    lux: float


@dataclass(frozen=True, slots=True)
class SetNoise:
    """Add noise to what all accelerometers feel: m/s² r.m.s. on each axis."""

    mps2: float


@dataclass(frozen=True, slots=True)
class SetBusErrors:
    """Let transactions fail on every bus, so many a second of virtual time in the mean."""

    per_s: float


GripCommand = Lift | Touch | Tilt | PressKey | Drop
"""What a hand does to the handheld of its seat, besides moving it as it is itself moved."""
BenchCommand = SetFault | SetLight | SetNoise | SetBusErrors
"""What nobody at the table could do."""
Command = GripCommand | Drag | Feel | BenchCommand

_KINDS: Mapping[str, type[Command]] = {
    "drag": Drag,
    "felt": Feel,
    "lift": Lift,
    "touch": Touch,
    "tilt": Tilt,
    "key": PressKey,
    "drop": Drop,
    "fault": SetFault,
    "lux": SetLight,
    "noise": SetNoise,
    "errors": SetBusErrors,
}
_KIND_OF = {command: kind for kind, command in _KINDS.items()}


def encode(command: Command) -> tuple[int, str, tuple[Any, ...]]:
    """Seat, kind and the other values of a command, as a session keeps them."""
    names = [field.name for field in fields(command)]
    seat = getattr(command, names.pop(0)) if names[0:1] == ["seat"] else 0
    values = tuple(getattr(command, name) for name in names)
    return seat, _KIND_OF[type(command)], values


def decode(seat: int, kind: str, values: Sequence[Any]) -> Command:
    """The command that `encode` made these of, be they lists by now.

    Raises:
        KeyError, TypeError: there is no such command.
    """
    make: Any = _KINDS[kind]
    of_seat = (seat,) if fields(make)[0].name == "seat" else ()
    command: Command = make(*of_seat, *map(_frozen, values))
    return command


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value
