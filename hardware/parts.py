"""The parts list: what is bought, each number with its source, and the power that it takes."""

import tomllib
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec

from firmware.runtime.sleep import DIM_US, OFF_US

ROOT = Path.cwd()
"""The checkout: the kit runs in it, and writes into its ``docs`` and ``hardware/made``."""
WHERE = Path(__file__).with_name("parts.toml")
Certainty = Literal["high", "medium", "low"]


class Figure(NamedTuple):
    """A number and where it comes from.

    Attributes:
        value: in the unit that its name in the list says; mm under ``mm``.
        source: a key of ``sources``.
        certainty: low: measure it before you trust it.
    """

    value: float
    source: str
    certainty: Certainty


class Limit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number that a check or a budget uses, and why it is needed."""

    figure: Figure
    why: str


class BoughtPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of the parts list.

    Attributes:
        take, instead: what to buy, and equivalents.
        sheet: key of the source that describes it.
        fits: the parts of the netlist that it is.
        one, four: how many are needed for one handheld, and for four.
        number: what its maker calls it; empty if anybody's will do.
        mm: dimensions by name.
    """

    role: str
    take: str
    instead: tuple[str, ...]
    look_for: str
    sheet: str
    fits: tuple[str, ...]
    one: int
    four: int
    number: str = ""
    mm: dict[str, Figure] = {}


class PartsList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that stands in ``parts.toml``; ``power`` is in mA at 5 V unless its name says."""

    limits: dict[str, Limit]
    parts: dict[str, BoughtPart]
    power: dict[str, Limit]
    sources: dict[str, str]

    def mm(self, part: str, name: str) -> float:
        """Return a dimension in mm.

        Raises:
            KeyError: there is no such part, or it has no such dimension.
        """
        return self.parts[part].mm[name].value

    def limit(self, name: str) -> float:
        """Return a limit, in the unit at the end of its name; `KeyError` if there is none."""
        return self.limits[name].figure.value

    def figures(self) -> dict[str, Figure]:
        """Return every number by its place in the file."""
        found = {f"limits.{name}": one.figure for name, one in self.limits.items()}
        found |= {f"power.{name}": one.figure for name, one in self.power.items()}
        for part, bought in self.parts.items():
            found |= {f"parts.{part}.mm.{name}": one for name, one in bought.mm.items()}
        return found

    def with_values(self, values: Mapping[str, float]) -> "PartsList":
        """Return the list with other numbers at these places of `figures`; of parts and limits."""

        def other(place: str, figure: Figure) -> Figure:
            return figure._replace(value=values.get(place, figure.value))

        limits = {
            name: Limit(other(f"limits.{name}", one.figure), one.why)
            for name, one in self.limits.items()
        }
        parts = {
            part: msgspec.structs.replace(
                one, mm={n: other(f"parts.{part}.mm.{n}", mm) for n, mm in one.mm.items()}
            )
            for part, one in self.parts.items()
        }
        return msgspec.structs.replace(self, limits=limits, parts=parts)


def read(text: str) -> PartsList:
    """Return the list that ``text`` holds.

    Raises:
        ValueError: it is no TOML, a field is missing or unknown, or a number names no source.
    """
    try:
        parts = msgspec.convert(tomllib.loads(text), PartsList)
    except msgspec.ValidationError as error:
        raise ValueError(f"parts.toml: {error}") from None
    named = {place: one.source for place, one in parts.figures().items()}
    named |= {f"parts.{name}.sheet": one.sheet for name, one in parts.parts.items()}
    for place, source in named.items():
        if source not in parts.sources:
            raise ValueError(f"parts.toml: {place} names {source!r}, which is not under [sources]")
    return parts


TRIED: ContextVar[PartsList | None] = ContextVar("TRIED", default=None)
"""A list that is tried in place of the project's own."""


def bought() -> PartsList:
    """Return the parts list of the project, or the one that is tried."""
    return TRIED.get() or _bought()


@cache
def _bought() -> PartsList:
    return read(WHERE.read_text(encoding="utf-8"))


class PowerState(NamedTuple):
    """A state of a handheld; ``takes`` names entries of ``power``, each with its share of time."""

    name: str
    takes: dict[str, float]

    def current_ma(self) -> float:
        """Return the current in mA at 5 V."""
        power = bought().power
        return sum(power[name].figure.value * share for name, share in self.takes.items())


def power_states() -> tuple[PowerState, ...]:
    """Return the states from the least current to the largest."""
    dim, dark = DIM_US // 1_000_000, OFF_US // 1_000_000
    return (
        PowerState(
            f"others play, {dark} s after the last touch: display off", {"idle": 1, "senses": 1}
        ),
        PowerState(
            f"others play, {dim} s after the last touch: display dim",
            {"idle": 1, "senses": 1, "display_fifth": bought().power["dim_share"].figure.value},
        ),
        PowerState("lobby: display lit, radio on", {"idle": 1, "senses": 1, "display_fifth": 1}),
        PowerState("a match over Bluetooth, all the time your turn", {"play": 1}),
        PowerState("the same, and the infrared LED sends", {"play": 1, "sender": 1}),
        PowerState("the maker's typical figure of a bare board under load", {"typical": 1}),
    )


def power_table() -> list[str]:
    """Return the states and their currents as lines of Markdown."""
    rows = [f"| {state.name} | {state.current_ma():.0f} |" for state in power_states()]
    return ["| state | mA at 5 V |", "|---|---|", *rows]


BOARDS: Final = 3
"""The number of boards in the chain of the body: accelerometer, display, light sensor
(wiring.md)."""


class BusLevels(NamedTuple):
    """A line of the bus that a sensor holds low, with the pull-ups of the Pi and of all boards.

    Attributes:
        ohm: all pull-ups together; of each board one on either side of its level shifter.
        sink_ma: what they carry at the level of the sensors' sheets.
        usual_volt, most_volt: the line stays below this with usual parts, and with the worst ones.
            A transistor sinks the current of its sheet at any higher voltage, too.
    """

    ohm: float
    sink_ma: float
    usual_volt: float
    most_volt: float


def bus_levels(pulls: float = 2 * BOARDS, board_ohm: float | None = None) -> BusLevels:
    """Return the levels of the bus with so many pull-ups of boards, of so many Ω each."""
    limit = bought().limit
    ohm = 1 / (1 / limit("i2c_pi_ohm") + pulls / (board_ohm or limit("i2c_board_ohm")))
    rail, sink = limit("i2c_rail_volt"), limit("i2c_sink_ma") / 1000
    off, high = limit("i2c_pull_off_share"), limit("i2c_rail_off_share")
    return BusLevels(
        ohm,
        (rail - limit("i2c_sink_volt")) / ohm * 1000,
        rail - sink * ohm,
        rail * (1 + high) - sink * ohm * (1 - off),
    )


def bus_faults(pulls: float = 2 * BOARDS, board_ohm: float | None = None) -> Iterator[str]:
    """Yield a line if the weakest sensor might not pull a line as low as the Pi needs it."""
    volt, most = bus_levels(pulls, board_ohm).most_volt, bought().limit("i2c_low_volt")
    if volt > most:
        yield f"a sensor pulls the bus down to {volt:.2f} V, and {most:.2f} V are needed"


def bus_table() -> list[str]:
    """Return the pull-ups and the levels as lines of Markdown."""
    levels, limit = bus_levels(), bought().limit
    return [
        "| on each line | |",
        "|---|---|",
        f"| pull-up of the Pi | {limit('i2c_pi_ohm') / 1000:.1f} kΩ |",
        f"| pull-ups of {BOARDS} boards | {2 * BOARDS} × {limit('i2c_board_ohm') / 1000:.0f} kΩ |",
        f"| together | {levels.ohm:.0f} Ω |",
        f"| they carry at {limit('i2c_sink_volt')} V | {levels.sink_ma:.1f} mA |",
        f"| each sensor sinks there, by its sheet | {limit('i2c_sink_ma'):.0f} mA or more |",
        "| the display's sheet names no such current | the last check proves its answers |",
        f"| so the line stays below | {levels.usual_volt:.2f} V |",
        f"| the same with the worst parts | {levels.most_volt:.2f} V |",
        f"| the Pi reads as low | up to {limit('i2c_low_volt')} V |",
        f"| with one of the six cut | {bus_levels(2 * BOARDS - 1).sink_ma:.1f} mA, "
        f"{bus_levels(2 * BOARDS - 1).most_volt:.2f} V with the worst parts |",
    ]
