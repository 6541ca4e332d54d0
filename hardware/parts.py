"""The parts list: what is bought, each number with its source, and the power that it takes."""

import tomllib
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

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
