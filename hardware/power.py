"""The current of a handheld in each state of its firmware.

Every number comes from ``parts.toml``; what the display does comes from `firmware.runtime.panel`.
"""

from collections.abc import Iterator
from typing import NamedTuple

from firmware.runtime.board import DIM_US, OFF_US
from hardware.parts import bought


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


VOLT = 3.3
BOARDS = 3
"""Boards in the chain of the body: accelerometer, display, light sensor."""


class BusLevels(NamedTuple):
    """A line of the bus that a sensor holds low, with the pull-ups of the Pi and of all boards.

    Attributes:
        ohm: all pull-ups together; of each board one on either side of its level shifter.
        sink_ma: what a sensor sinks at the level of its sheet.
        low_volt: the level that a sensor of no more than its sheet's strength reaches.
    """

    ohm: float
    sink_ma: float
    low_volt: float


def bus_levels(boards: int = BOARDS, board_ohm: float | None = None) -> BusLevels:
    """Return the levels of the bus with so many boards in the chain, and pull-ups of so many Ω."""
    limit = bought().limit
    siemens = 1 / limit("i2c_pi_ohm") + 2 * boards / (board_ohm or limit("i2c_board_ohm"))
    sheet = limit("i2c_sink_volt") / (limit("i2c_sink_ma") / 1000)
    sink = (VOLT - limit("i2c_sink_volt")) * siemens * 1000
    return BusLevels(1 / siemens, sink, VOLT * sheet / (sheet + 1 / siemens))


def bus_faults(boards: int = BOARDS, board_ohm: float | None = None) -> Iterator[str]:
    """Yield a line if a sensor's low level is above half of what the Pi reads as low."""
    volt, most = bus_levels(boards, board_ohm).low_volt, bought().limit("i2c_low_volt") / 2
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
        f"| a sensor sinks at {limit('i2c_sink_volt')} V | {levels.sink_ma:.1f} mA |",
        f"| a sensor of {limit('i2c_sink_ma'):.0f} mA reaches | {levels.low_volt:.2f} V |",
        f"| the Pi reads as low | up to {limit('i2c_low_volt')} V |",
    ]
