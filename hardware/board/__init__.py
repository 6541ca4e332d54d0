"""Boards: plans of breadboards, and the proof that a plan is the netlist.

Here is what its modules share: the signals and the legs of the simulator's netlist. May import:
hw_sim.board, hardware.parts. Begin with ``plan``.
"""

from collections.abc import Iterable, Mapping

from hw_sim.board import PARTS

Netlist = Mapping[str, tuple[str, ...]]
"""The legs that each signal joins, as ``part.leg``."""


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
        f"{name}.{leg}" for name in names for leg in PARTS[name].legs if leg not in PARTS[name].free
    }


def called(part: str) -> str:
    """Return the name of ``part`` with what is written on its bag: ``R3 10 kΩ``, ``C1 4.7 µF``."""
    kind, _, what, value, _ = PARTS[part]
    match kind:
        case "resistor" if value is not None:
            return f"{part} {value / 1000:g} kΩ" if value >= 1000 else f"{part} {value:g} Ω"
        case "capacitor" if value is not None:
            return f"{part} {value * 1e6:g} µF"
        case "piezo":
            return part
        case _:
            return f"{part} {what}"
