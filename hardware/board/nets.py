"""The whole netlist of a handheld: what the simulator has, and the supply with its cell.

A handheld on a power bank has no supply of its own; `WITHOUT_CELL` is its netlist.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from hw_sim.board.board import NETS, PARTS, NetlistPart

Netlist = Mapping[str, tuple[str, ...]]
"""The legs that each signal joins, as ``part.leg``."""

SUPPLY: Final[Mapping[str, NetlistPart]] = {
    "cell": NetlistPart("module", ("+", "-"), "LiPo cell"),
    "charger": NetlistPart(
        "module", ("BAT", "EN", "5V", "GND", "LBO", "B-"), "charger and booster"
    ),
    "switch": NetlistPart("module", ("1", "2", "3"), "slide switch", free=("3",)),
    "R6": NetlistPart("resistor", ("1", "2"), "¼ W", 470_000),
}
"""Parts of the supply. ``BAT`` and ``B-`` of the charger are its plug for the cell."""

LOW_CELL_PIN: Final = "Pi.18"
"""BCM 24, free in `drivers.pins`: the kernel's ``gpio-shutdown`` watches it."""

WITHOUT_CELL: Final[Netlist] = NETS
WITH_CELL: Final[Netlist] = {
    **NETS,
    "5V": (*NETS["5V"], "charger.5V"),
    "GND": (*NETS["GND"], "charger.GND", "switch.2", "R6.2"),
    "cell +": ("cell.+", "charger.BAT"),
    "cell -": ("cell.-", "charger.B-"),
    "enable": ("charger.EN", "switch.1"),
    "low cell": ("charger.LBO", "R6.1", LOW_CELL_PIN),
}
"""The netlist with a cell, of the body that is being redesigned: nobody may wire it.

The charger's ``LBO`` is pulled up to the cell, at most 4.2 V, by about 52 kΩ (the charger's board
file). R6 leaves 3.8 V of that, more than the 3.3 V that a pin of the Pi bears.
"""
ALL_PARTS: Final[Mapping[str, NetlistPart]] = {**PARTS, **SUPPLY}


def signals(nets: Netlist) -> dict[str, str]:
    """Return the signal of every leg.

    Raises:
        ValueError: a leg belongs to two signals.
    """
    found: dict[str, str] = {}
    for signal, legs in nets.items():
        for leg in legs:
            if leg in found:
                raise ValueError(f"{leg} belongs to {found[leg]!r} and to {signal!r}")
            found[leg] = signal
    return found


def legs_of(names: Iterable[str]) -> set[str]:
    """Return every leg of the parts with these names that something is soldered to."""
    return {
        f"{name}.{leg}"
        for name in names
        for leg in ALL_PARTS[name].legs
        if leg not in ALL_PARTS[name].free
    }
