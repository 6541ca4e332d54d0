"""Commands to a table from outside, one frozen class for each.

A page sends one as a JSON object: ``do`` names it, the other keys are those of its fields, within
their bounds. A session keeps it as ``do``, seat and the values of its other fields in their order;
see `encode` and `decode`. A session keeps commands to the whole table with seat 0.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta, Struct, field

from firmware.display.text.language import Language, check_language

FaultName = Literal["display", "accelerometer", "light", "stuck", "brownout", "link", "battery"]
FAULTS: tuple[FaultName, ...] = get_args(FaultName)
"""The faults by name; all but the brown-out last until they are taken back."""
KeyName = Literal["shake", "left", "right", "tap", "hold"]
"""The keys of `hw_sim.hand.control.browser_hand.KEYS`."""
_MOST_US = 10**12
"""The latest time of a sample; no session lasts so long."""
Seat = Annotated[int, Meta(ge=0, le=7)]

_TimeUs = Annotated[int, Meta(ge=-_MOST_US, le=_MOST_US)]
_Metres = Annotated[float, Meta(ge=-1000, le=1000)]
_Mps2 = Annotated[float, Meta(ge=-1000, le=1000)]
_SOME = Meta(max_length=1024)


class TaggedMessage(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """A message whose ``do`` names its kind; it has exactly the keys of its fields."""


class Drag(TaggedMessage, frozen=True, tag="drag"):
    """Drag a handheld about: (virtual µs, x m to the right, y m to the far edge) in turn."""

    seat: Seat
    samples: Annotated[tuple[tuple[_TimeUs, _Metres, _Metres], ...], _SOME]


class FollowPhone(TaggedMessage, frozen=True, tag="felt"):
    """Move it as a phone was moved: (virtual µs, x, y, z in m/s², gravity included) in turn."""

    seat: Seat
    samples: Annotated[tuple[tuple[_TimeUs, _Mps2, _Mps2, _Mps2], ...], _SOME]


class LiftCup(TaggedMessage, frozen=True, tag="lift"):
    """Lift the cup (True), or let it fall closed, once the lift has lasted long enough."""

    seat: Seat
    open: bool = field(name="on")


class CoverCup(TaggedMessage, frozen=True, tag="cover"):
    """Cover the cup at once, however short it was lifted: it takes a doubt back."""

    seat: Seat


class PressPad(TaggedMessage, frozen=True, tag="touch"):
    """Put a finger on the pad (True), or take it off."""

    seat: Seat
    down: bool = field(name="on")


class Tilt(TaggedMessage, frozen=True, tag="tilt"):
    """Tilt it away from the held pose: right edge down, far edge down, in degrees."""

    seat: Seat
    roll_deg: Annotated[float, Meta(ge=-70, le=70)] = field(name="roll")
    pitch_deg: Annotated[float, Meta(ge=-60, le=60)] = field(name="pitch")


class PressKey(TaggedMessage, frozen=True, tag="key"):
    """Press a key (True), or let it go."""

    seat: Seat
    key: KeyName
    down: bool = field(name="on")


class TurnDial(TaggedMessage, frozen=True, tag="turn"):
    """Tilt it until its dial has moved by a number of entries: right, or (negative) left."""

    seat: Seat
    entries: Annotated[int, Meta(ge=-40, le=40)] = field(name="by")


class Drop(TaggedMessage, frozen=True, tag="drop"):
    """Let it fall; it is taken up again after a moment."""

    seat: Seat


class SetLanguage(TaggedMessage, frozen=True, tag="language"):
    """Let its panel speak another language."""

    seat: Seat
    language: Language

    def __post_init__(self) -> None:
        check_language(self.language)


class SetFault(TaggedMessage, frozen=True, tag="fault"):
    """Break something of a handheld (``there``) by one of `FAULTS`, or mend it."""

    seat: Seat
    fault: FaultName = field(name="name")
    there: bool = field(name="on")


class SetLight(TaggedMessage, frozen=True, tag="lux"):
    """Change the light of the room to a level in lux."""

    lux: Annotated[float, Meta(ge=0, le=20_000)] = field(name="value")


class SetNoise(TaggedMessage, frozen=True, tag="noise"):
    """Add noise to what all accelerometers feel: m/s² r.m.s. on each axis."""

    mps2: Annotated[float, Meta(ge=0, le=10)] = field(name="value")


class SetBusErrors(TaggedMessage, frozen=True, tag="errors"):
    """Let transactions fail on every bus at a mean rate per second of virtual time."""

    per_s: Annotated[float, Meta(ge=0, le=50)] = field(name="value")


GripCommand = LiftCup | CoverCup | PressPad | Tilt | PressKey | TurnDial | Drop
"""The actions of a hand on the handheld of its seat, besides moving it as it is itself moved."""
BenchCommand = SetFault | SetLight | SetNoise | SetBusErrors
"""Actions on the bench, which nobody at the table could do."""
Command = GripCommand | SetLanguage | Drag | FollowPhone | BenchCommand

_KINDS: Mapping[str, type[Command]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(Command)
}


def encode(command: Command) -> tuple[int, str, tuple[Any, ...]]:
    """Seat, kind and the other values of a command, as a session keeps them."""
    values = msgspec.structs.astuple(command)
    of_seat = command.__struct_fields__[:1] == ("seat",)
    seat, values = (values[0], values[1:]) if of_seat else (0, values)
    return seat, str(command.__struct_config__.tag), values


def decode(seat: int, kind: str, values: Sequence[Any]) -> Command:
    """The command that `encode` made these of, be they lists by now.

    Raises:
        KeyError, ValueError: there is no such command.
    """
    names = _KINDS[kind].__struct_encode_fields__
    all_values = (seat, *values) if names[:1] == ("seat",) else values
    message = {"do": kind, **dict(zip(names, all_values, strict=True))}
    try:
        return msgspec.convert(message, _KINDS[kind])
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None
