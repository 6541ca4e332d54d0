"""The current of a handheld in each state of its firmware.

Every number comes from ``parts.toml``; what the display does comes from `firmware.runtime.wake`.
"""

from typing import NamedTuple

from firmware.runtime.wake import DIM_US, OFF_US
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
