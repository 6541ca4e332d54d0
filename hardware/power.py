"""The current of a handheld in each state of its firmware, how long a cell lasts, its last warning.

Every number comes from ``parts.toml``; what the display does comes from `firmware.runtime.idle`.
"""

from typing import Final, NamedTuple

from firmware.runtime.idle import DIM_US, OFF_US
from hardware.parts import bought

CELLS_MAH: Final = (1200, 2000)
USB_VOLTS: Final = 5.0


class PowerState(NamedTuple):
    """A state of a handheld; ``takes`` names entries of ``power``, each with its share of time."""

    name: str
    takes: dict[str, float]

    def current_ma(self) -> float:
        """Return the current in mA at 5 V, without the booster's own."""
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


def hours(charge_mah: float, state_ma: float) -> float:
    """Return for how many hours a cell of ``charge_mah`` feeds ``state_ma`` at 5 V."""
    power = {name: one.figure.value for name, one in bought().power.items()}
    watt_hours = charge_mah / 1000 * power["cell_volts"] * power["usable_share"]
    return watt_hours * power["booster_share"] / (USB_VOLTS * (state_ma + power["booster"]) / 1000)


def pin_volts(cell_volts: float, pull_ohms: float, r6_ohms: float) -> float:
    """Return the voltage of the low-cell pin while the charger does not pull it down.

    The charger pulls up to the cell, the Pi to 3.3 V by ``pull_ohms`` (infinity: not joined), and
    R6 down.
    """
    charger = bought().power["low_cell_ohms"].figure.value
    up = cell_volts / charger + 3.3 / pull_ohms
    return up / (1 / charger + 1 / pull_ohms + 1 / r6_ohms)


def power_table() -> list[str]:
    """Return the states and running times as lines of Markdown."""
    lines = ["| state | mA at 5 V | " + " | ".join(f"{cell} mAh" for cell in CELLS_MAH) + " |"]
    lines.append("|---|---" + "|---" * len(CELLS_MAH) + "|")
    for state in power_states():
        now = state.current_ma()
        times = " | ".join(f"{hours(cell, now):.1f} h" for cell in CELLS_MAH)
        lines.append(f"| {state.name} | {now:.0f} | {times} |")
    return lines
