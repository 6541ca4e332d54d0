"""The sample of mutants: drawn once, and found again in whatever tree."""

import difflib
import random
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from tests.labs.mutants.areas import AREAS, PACKAGES, ROOT
from tests.labs.mutants.units import Unit, units_of

NEIGHBOUR = 0.25
"""What an equal text beside it says for a substitute, where 1 is an equal name or text."""
REWORDED = 0.85
"""A text so like the stored one, in a function of its name, is no substitute but that text."""


class Mutant(NamedTuple):
    """One change of one unit. ``before`` and ``after`` are the texts of the units beside it."""

    area: str
    unit: Unit
    operator: str
    mutated: str
    before: str
    after: str

    @property
    def text(self) -> str:
        return f"{self.unit.kind} {self.unit.text}".strip()

    @property
    def name(self) -> str:
        return own_name(self.unit.function)


def files_of(sources: tuple[str, ...]) -> list[Path]:
    found: list[Path] = []
    for source in sources:
        path = ROOT / source
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path] * path.is_file()
    return found


def mutants_in(area: str, files: list[Path]) -> list[Mutant]:
    """All mutants of some files, in order."""
    mutants = []
    for path in files:
        units = units_of(path.relative_to(ROOT).as_posix(), path.read_bytes())
        for place, unit in enumerate(units):
            before, after = (
                units[beside].text
                if 0 <= beside < len(units) and units[beside].function == unit.function
                else ""
                for beside in (place - 1, place + 1)
            )
            for operator, mutated in unit.changes:
                mutants.append(Mutant(area, unit, operator, mutated, before, after))
    return mutants


def own_name(function: str) -> str:
    """A function's name without its class, however private it is."""
    return function.rpartition(".")[2].lstrip("_")


def loose(text: str) -> str:
    """A text without whom its names belong to, and how private they are."""
    return re.sub(r"\b_+(?=\w)", "", re.sub(r"\b(?:[A-Za-z_]\w*\.)+(?=\w)", "", text))


def likeness(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()


class Found(NamedTuple):
    """A stored mutant in this tree. ``like``: how much of its text a substitute has, 0 to 1."""

    stored: dict[str, Any]
    mutant: Mutant
    how: str
    like: float


class Search:
    """Finds the stored mutants again, each at a place of its own."""

    def __init__(self, sample: dict[str, Any]) -> None:
        self._seed = sample["seed"]
        self._stored = sample["mutants"]
        self._mutants = {name: mutants_in(name, files_of(AREAS[name].sources)) for name in AREAS}
        self._used: set[Mutant] = set()
        self._found: dict[str, Found] = {}

    def found(self) -> list[Found | None]:
        """What there is for each stored mutant: first whatever is sure of its text."""
        for how, strip in (("found", str), ("renamed", loose)):
            self._look(self._mutants, how, strip, same_function=True)
        for how, strip in (("moved", str), ("moved and renamed", loose)):
            self._look(self._mutants, how, strip, same_function=False)
        if len(self._found) < len(self._stored):
            everything = mutants_in("", files_of(PACKAGES))
            anywhere = {
                name: [mutant._replace(area=name) for mutant in everything] for name in AREAS
            }
            self._look(anywhere, "in another area", str, same_function=True)
        for stored in self._stored:
            if stored["id"] not in self._found:
                self._substitute(stored)
        return [self._found.get(stored["id"]) for stored in self._stored]

    def _look(self, mutants: Any, how: str, strip: Any, *, same_function: bool) -> None:
        by_text = defaultdict(list)
        for name, some in mutants.items():
            seen: Counter[tuple[str, str]] = Counter()
            for mutant in some:
                exact = mutant.text, mutant.mutated
                key = name, strip(mutant.text), strip(mutant.mutated)
                by_text[key].append((seen[exact], mutant))
                seen[exact] += 1
        for stored in self._stored:
            if stored["id"] in self._found:
                continue
            name = own_name(stored["function"])
            key = stored["area"], strip(stored["text"]), strip(stored["mutated"])
            there = [
                (mutant.unit.function == stored["function"], *beside(stored, mutant, ordinal), i)
                for i, (ordinal, mutant) in enumerate(by_text[key])
                if self._is_free(mutant) and (mutant.name == name or not same_function)
            ]
            if there:
                self._take(stored, by_text[key][max(there)[-1]][1], how, 1.0)

    def _is_free(self, mutant: Mutant) -> bool:
        return mutant._replace(area="") not in self._used

    def _take(self, stored: dict[str, Any], mutant: Mutant, how: str, like: float) -> None:
        self._used.add(mutant._replace(area=""))
        self._found[stored["id"]] = Found(stored, mutant, how, like)

    def _substitute(self, stored: dict[str, Any]) -> None:
        """Take one of the most similar function, by its name and the most similar of its texts."""
        free = [one for one in self._mutants[stored["area"]] if self._is_free(one)]
        alike = [one for one in free if one.operator == stored["operator"]] or free
        if not alike:
            return
        name = own_name(stored["function"])
        wanted = loose(f"{stored['text']} => {stored['mutated']}")
        names = {one.name: likeness(one.name, name) for one in alike}
        scores = [
            names[one.name]
            + likeness(loose(f"{one.text} => {one.mutated}"), wanted)
            + NEIGHBOUR * beside(stored, one, 0)[0]
            for one in alike
        ]
        most = max(scores)
        best = [one for one, score in zip(alike, scores) if score == most]
        chosen = random.Random(f"{self._seed} {stored['id']}").choice(best)
        like = likeness(loose(chosen.text), loose(stored["text"]))
        is_reworded = chosen.name == name and like >= REWORDED
        self._take(stored, chosen, "reworded" if is_reworded else "substituted", like)


def beside(stored: dict[str, Any], mutant: Mutant, ordinal: int) -> tuple[int, int]:
    """How well the neighbours and the place among equals agree."""
    same = (mutant.before == stored["before"]) + (mutant.after == stored["after"])
    return same, -abs(ordinal - stored["ordinal"])


def mutated(mutant: Mutant, source: bytes) -> bytes:
    """The source of the mutant's file, with the mutant in it."""
    return source[: mutant.unit.start] + mutant.mutated.encode() + source[mutant.unit.end :]


def difference(mutant: Mutant, source: bytes) -> list[str]:
    """Return the change of the mutant, line by line."""
    sides = (source, mutated(mutant, source))
    old, new = (side.decode().splitlines() for side in sides)
    lines = list(difflib.unified_diff(old, new, lineterm="", n=0))[3:]
    return [f"{line[0]} {line[1:].strip()}" for line in lines]
