"""The stage of a bluff game: somebody who has seen his roll announces, the next one doubts or not.

He who has nothing to tell the truth with is worth some ``level`` that is the same for every lie he
may tell, for the answerer doubts each announcement just often enough for that. So one number
settles the stage: what it is worth is convex and piecewise linear in the level, and the least of it
lies at one of few known levels. Where lies and truths balance there, the roller's shares follow.
"""

from collections.abc import Sequence
from typing import NamedTuple

from game.bluff.values import MAEXCHEN, PLACE, RANKING
from game.dice import throws

PLACES = len(RANKING)
TOP = PLACE[MAEXCHEN]
"""The place of a Mäxchen."""
_NEAR = 1e-12
"""Worths that differ by less are the same."""


def _chances() -> tuple[float, ...]:
    chances = [0.0] * PLACES
    for (high, low), chance in throws(2):
        chances[PLACE[10 * high + low]] = float(chance)
    return tuple(chances)


CHANCES = _chances()
"""The chance of every value, by its place (V-4)."""


class Terms(NamedTuple):
    """What the ends of a stage are worth to the roller.

    Sequences are by the place of the announced value. ``lowest`` is the lowest place that may be
    announced. ``believed`` is what it is worth to be believed; ``lie`` and ``truth`` to be doubted
    with dice below the announcement and with dice just as announced. ``outside`` is what it is
    worth not to announce at all, minus infinity where that cannot be. ``forced`` announcements
    are doubted for certain. A share ``towers`` of the rolls may be shown instead, which is worth
    ``shown`` (R-HF-8). ``veiled`` is set where lifted Mäxchen cost more however they were announced
    (R-PHYS-4): what it is worth to have a Mäxchen and be handed the cup back with one announced.
    """

    lowest: int
    believed: Sequence[float]
    lie: Sequence[float]
    truth: Sequence[float]
    outside: float
    forced: frozenset[int] = frozenset()
    towers: float = 0.0
    shown: float = 0.0
    veiled: float | None = None


class Signal(NamedTuple):
    """How a stage is played, and what it is ``worth`` to the roller.

    By place of the announcement: ``doubts`` are the chances that it is doubted, and ``lies`` the
    shares of each in all lies. By place of the roll: ``truths`` are the chances that it is
    announced as it is, ``lied`` that a lie is told; else the roller does not announce. ``towers``
    are the chances that a seen tower is shown. ``handed_on`` is the chance that a pair of sixes is
    answered by handing the dice on as a Mäxchen, and ``veils`` that a Mäxchen is announced as a
    pair of sixes.
    """

    worth: float
    level: float
    doubts: tuple[float, ...]
    truths: tuple[float, ...]
    lied: tuple[float, ...]
    lies: tuple[float, ...]
    towers: tuple[float, ...]
    handed_on: float = 0.0
    veils: float = 0.0


def signal(terms: Terms) -> Signal:
    """Return how a stage is played in equilibrium; ``worth`` alone costs less."""
    level = _level(terms)
    return _balanced(terms, level, _worth_at(terms, level))


def worth(terms: Terms) -> float:
    """Return what a stage is worth to the roller."""
    return _worth_at(terms, _level(terms))


def _level(terms: Terms) -> float:
    """The level at which the stage is worth least; the worth is convex in it."""
    levels = _levels(terms)
    low, high = 0, len(levels) - 1
    while low < high:
        middle = (low + high) // 2
        if _worth_at(terms, levels[middle]) <= _worth_at(terms, levels[middle + 1]):
            high = middle
        else:
            low = middle + 1
    return levels[low]


def _levels(terms: Terms) -> list[float]:
    """The levels, ascending, between which the worth is linear in the level."""
    lies = [terms.lie[place] for place in _free(terms)]
    bottom = max(lies, default=terms.lie[TOP])
    bottom = max(bottom, terms.outside)
    levels = {bottom}
    for place in _free(terms):
        believed, truth = terms.believed[place], terms.truth[place]
        levels.add(believed)
        if terms.towers and truth > believed:
            short = (terms.shown - believed) / (truth - believed)
            levels.add(believed - short * (believed - terms.lie[place]))
    if terms.towers:
        levels.add(terms.shown)
    return sorted(level for level in levels if level >= bottom)


def _free(terms: Terms) -> list[int]:
    """The places whose doubts follow from the level."""
    veil = TOP - 1 if terms.veiled is not None else None
    return [p for p in range(terms.lowest, PLACES) if p != veil and p not in terms.forced]


def _doubt(terms: Terms, place: int, level: float) -> float:
    """The chance of a doubt that makes a lie worth no more than ``level``."""
    if place in terms.forced:
        return 1.0
    believed = terms.believed[place]
    if believed <= level:
        return 0.0
    return min(1.0, (believed - level) / (believed - terms.lie[place]))


def _told(terms: Terms, level: float) -> tuple[list[float], float]:
    """What the truth is worth from the lowest place on, and how often a cup is handed on."""
    told = []
    for place in range(terms.lowest, PLACES):
        believed = terms.believed[place]
        told.append(believed + _doubt(terms, place, level) * (terms.truth[place] - believed))
    if terms.veiled is None or terms.lowest == TOP:
        return told, 0.0
    # A pair of sixes may be a Mäxchen, and that a doubt pays for twice. Now and then it is handed
    # on as one: just so often that a Mäxchen gains nothing by the smaller name.
    once, twice = terms.truth[TOP - 1], terms.truth[TOP]
    handed_on = (twice - told[-1]) / (twice - terms.veiled)
    told[-2] = once + handed_on * (twice - once)
    return told, handed_on


def _worth_at(terms: Terms, level: float) -> float:
    told = _told(terms, level)[0]
    towers, shown = terms.towers, max(level, terms.shown)
    below = sum(CHANCES[: terms.lowest])
    result = below * ((1 - towers) * level + towers * shown)
    for chance, truth in zip(CHANCES[terms.lowest :], told):
        result += chance * ((1 - towers) * max(level, truth) + towers * max(shown, truth))
    return result


def _balanced(terms: Terms, level: float, worth: float) -> Signal:
    """How the roller plays at the level at which the stage is worth least."""
    told, handed_on = _told(terms, level)
    doubts, truths, lied = [0.0] * PLACES, [0.0] * PLACES, [1.0] * PLACES
    towers, needs, free = [1.0] * PLACES, [0.0] * PLACES, _free(terms)
    flat, veils = 1 - terms.towers, 0.0
    if handed_on:
        once, twice, veiled = terms.truth[TOP - 1], terms.truth[TOP], terms.veiled
        assert veiled is not None, "who hands on does so for a veiled Mäxchen"
        veils = CHANCES[TOP - 1] * (twice - once) / (twice - veiled) / CHANCES[TOP]
    ratios = [0.0] * PLACES
    for place in range(terms.lowest, PLACES):
        doubts[place] = _doubt(terms, place, level)
        truth = told[place - terms.lowest]
        if place in free and terms.believed[place] > terms.lie[place]:
            ratios[place] = (terms.truth[place] - terms.believed[place]) / (
                terms.believed[place] - terms.lie[place]
            )
        if truth > level + _NEAR:
            truths[place], lied[place] = 1.0, 0.0
            share = flat
            if truth > terms.shown + _NEAR:
                towers[place], share = 0.0, 1.0
            if place == TOP:
                share *= 1 - veils
            needs[place] = CHANCES[place] * share * ratios[place]
    if handed_on:
        doubts[TOP - 1] = 1 - handed_on
    level_with = [p for p in free if abs(terms.believed[p] - level) <= _NEAR and lied[p]]
    pool = flat * sum(CHANCES[p] for p in range(PLACES) if lied[p] and p not in level_with)
    rest = pool - sum(needs)
    if rest < 0:
        mass = flat * sum(CHANCES[p] for p in level_with)
        for place in level_with:
            lied[place] = min(1.0, -rest / mass)
            truths[place] = 1 - lied[place]
    else:
        for place in level_with:
            truths[place], lied[place] = 1.0, 0.0
        if level <= terms.outside + _NEAR:
            told_lies = (pool - rest) / pool if pool else 0.0
            lied = [told_lies if share else 0.0 for share in lied]
        else:
            rooms = {p: flat * CHANCES[p] * ratios[p] for p in level_with}
            whole = sum(rooms.values())
            for place, room in rooms.items():
                needs[place] += rest * room / whole
    total = sum(needs)
    lies = tuple(need / total if total else 0.0 for need in needs)
    return Signal(
        worth, level, tuple(doubts), tuple(truths), tuple(lied), lies, tuple(towers),
        handed_on, veils,
    )  # fmt: skip
