"""A number of the parts list that breaks a fit: which one it is, and the smallest way back.

`FITS` holds the numbers with which all checks passed last. Each number that differs from them is
tried alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from hardware.case.checks import CHECKS, build
from hardware.case.light import forget_light
from hardware.case.sizes import CUP
from hardware.parts import TRIED, PartsList

FITS: Final = Path(__file__).with_name("fits.json")
FINE_MM: Final = 0.05
"""How exactly the nearest value that fits is found."""


def fits() -> dict[str, float]:
    """Return the numbers that fitted last, by place."""
    return msgspec.json.decode(FITS.read_bytes(), type=dict[str, float])


def remember(parts: PartsList) -> None:
    """Write the numbers of a list that fits."""
    values = {place: one.value for place, one in parts.figures().items()}
    FITS.write_bytes(msgspec.json.format(msgspec.json.encode(values)) + b"\n")


def faults_with(parts: PartsList, names: Sequence[str] = tuple(CHECKS)) -> dict[str, str]:
    """Return the first fault that each of these checks finds when these parts are bought."""
    token = TRIED.set(parts)
    forget_light()
    try:
        case = build(CUP)
        found = {name: next(CHECKS[name](case), "") for name in names}
        return {name: fault for name, fault in found.items() if fault}
    except (ArithmeticError, LookupError, RuntimeError, ValueError) as error:
        return dict.fromkeys(names[:1], f"no body can be built: {error}")
    finally:
        TRIED.reset(token)
        forget_light()


def broken_fits(parts: PartsList, good: Mapping[str, float]) -> Iterator[str]:
    """Yield one line for each number that breaks a fit by itself.

    It names place, number, source, the fault, and the nearest value that has none.
    """
    figures = parts.figures()
    changed = {place for place in good.keys() & figures.keys() if figures[place][0] != good[place]}
    for place in sorted(changed):
        value, source, certainty = figures[place]
        alone = parts.with_values({other: good[other] for other in changed - {place}})
        faults = faults_with(alone)
        if not faults:
            continue
        fitting, broken = good[place], value
        while abs(broken - fitting) > FINE_MM:
            middle = (fitting + broken) / 2
            if faults_with(alone.with_values({place: middle}), tuple(faults)):
                broken = middle
            else:
                fitting = middle
        steps = int((fitting - good[place]) / FINE_MM)  # towards what is known to fit
        nearest = round(good[place] + steps * FINE_MM, 3)
        if faults_with(alone.with_values({place: nearest})):
            nearest = good[place]
        name, fault = next(iter(faults.items()))
        yield (
            f"parts.toml: {place} = {value:g} ({source}, {certainty}) breaks {name}: {fault}; "
            f"the nearest value that fits is {nearest:g}, {nearest - value:+.2f}"
        )
