"""The stage of a bluff game: somebody who has seen his roll announces, the next one doubts or not.

He who has nothing to tell the truth with is worth some ``level`` that is the same for every lie he
may tell, for the answerer doubts each announcement just often enough for that. The higher the
level, the more rolls would rather lie and the fewer lies the answerer puts up with: the stage is
settled at the one level, of few, where both are the same.

Nobody is taken to announce less than he has. Between two who have the same at stake that is never
better; else it is now and then, a little: by how much is measured where it matters.
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
ALWAYS = 1e12
"""So many lies to a truth that a doubt is never worth it."""


def _chances() -> tuple[float, ...]:
    chances = [0.0] * PLACES
    for (high, low), chance in throws(2):
        chances[PLACE[10 * high + low]] = float(chance)
    return tuple(chances)


CHANCES = _chances()
"""The chance of every value, by its place (V-4)."""
_BELOW = tuple(sum(CHANCES[:place]) for place in range(PLACES))


class Terms(NamedTuple):
    """What the ends of a stage are worth to the roller, and what its answerer puts up with.

    Sequences are by the place of the announced value. ``lowest`` is the lowest place that may be
    announced. ``believed`` is what it is worth to be believed; ``lie`` and ``truth`` to be doubted
    with dice below the announcement and with dice just as announced. ``ratios`` are the lies to one
    truth at which a doubt is worth the same as to believe: 0 where the answerer doubts even the
    truth, ``ALWAYS`` where he would not doubt a lie. ``outside`` is what it is worth not to
    announce at all, minus infinity where that cannot be. A share ``towers`` of the rolls may be
    shown instead, which is worth ``shown`` (R-HF-8). ``veiled`` is set where two play and lifted
    Mäxchen cost more however they were announced (R-PHYS-4): what it is worth to have a Mäxchen and
    be handed the cup back with one announced.
    """

    lowest: int
    believed: Sequence[float]
    lie: Sequence[float]
    truth: Sequence[float]
    ratios: Sequence[float]
    outside: float
    towers: float = 0.0
    shown: float = 0.0
    veiled: float | None = None


class Signal(NamedTuple):
    """How a stage is played.

    By place of the announcement: ``doubts`` are the chances that it is doubted, and ``lies`` the
    shares of each in all lies. By place of the roll: ``truths`` are the chances that it is
    announced as it is, ``lied`` that a lie is told; else the roller does not announce. ``towers``
    are the chances that a seen tower is shown. ``handed_on`` is the chance that a pair of sixes is
    answered by handing the dice on as a Mäxchen, and ``veils`` that a Mäxchen is announced as a
    pair of sixes.
    """

    level: float
    doubts: tuple[float, ...]
    truths: tuple[float, ...]
    lied: tuple[float, ...]
    lies: tuple[float, ...]
    towers: tuple[float, ...]
    handed_on: float = 0.0
    veils: float = 0.0


class _Told(NamedTuple):
    """What is told at a level, by place.

    ``truths`` are the rolls that are announced as they are, ``lies`` so many of them are put up
    with, ``towers`` those that are told of rather than shown.
    """

    truths: list[bool]
    lies: list[float]
    towers: list[bool]
    handed_on: float
    veils: float


def signal(terms: Terms) -> Signal:
    """Return how a stage is played in equilibrium."""
    levels = _levels(terms)
    low, high = 0, len(levels) - 1
    while low < high:
        middle = (low + high) // 2
        if _lacking(terms, _told(terms, levels[middle])) <= 0:
            high = middle
        else:
            low = middle + 1
    level = levels[low]
    above = _told(terms, level)
    below = _told(terms, level - _NEAR) if low else above
    return _balanced(terms, level, above, below)


def _levels(terms: Terms) -> list[float]:
    """The levels, ascending, between which the same rolls lie."""
    free = _free(terms)
    bottom = max(terms.outside, max((terms.lie[p] for p in free), default=terms.lie[TOP]))
    levels = {bottom}
    for place in free:
        believed, truth = terms.believed[place], terms.truth[place]
        levels.add(believed if terms.ratios[place] else truth)
        if terms.towers and truth > believed:
            short = (terms.shown - believed) / (truth - believed)
            levels.add(believed - short * (believed - terms.lie[place]))
    if terms.towers:
        levels.add(terms.shown)
    return sorted(level for level in levels if level >= bottom)


def _free(terms: Terms) -> list[int]:
    """The places whose doubts follow from the level."""
    veil = TOP - 1 if terms.veiled is not None else None
    return [p for p in range(terms.lowest, PLACES) if p != veil]


def _doubt(terms: Terms, place: int, level: float) -> float:
    """The chance of a doubt that makes a lie worth no more than ``level``."""
    if not terms.ratios[place]:
        return 1.0
    believed = terms.believed[place]
    if believed <= level:
        return 0.0
    return min(1.0, (believed - level) / (believed - terms.lie[place]))


def _told(terms: Terms, level: float) -> _Told:
    worths = []
    for place in range(terms.lowest, PLACES):
        believed = terms.believed[place]
        worths.append(believed + _doubt(terms, place, level) * (terms.truth[place] - believed))
    handed_on = veils = 0.0
    if terms.veiled is not None and terms.lowest < TOP:
        # A pair of sixes may be a Mäxchen, and that a doubt pays for twice. Now and then it is
        # handed on as one: just so often that a Mäxchen gains nothing by the smaller name.
        once, twice = terms.truth[TOP - 1], terms.truth[TOP]
        handed_on = (twice - worths[-1]) / (twice - terms.veiled)
        worths[-2] = once + handed_on * (twice - once)
        share = CHANCES[TOP - 1] * (twice - once) / (twice - terms.veiled) / CHANCES[TOP]
        veils = share if handed_on else 0.0
    truths, lies, towers = [False] * PLACES, [0.0] * PLACES, [False] * PLACES
    for place, worth in enumerate(worths, terms.lowest):
        if worth <= level:
            continue
        truths[place] = True
        share = CHANCES[place]
        if worth > terms.shown + _NEAR:
            towers[place] = True
        else:
            share *= 1 - terms.towers
        if place == TOP:
            share *= 1 - veils
        lies[place] = share * terms.ratios[place]
    return _Told(truths, lies, towers, handed_on, veils)


def _lacking(terms: Terms, told: _Told) -> float:
    """How many more lies are put up with than there are rolls to tell them."""
    rolls = sum(chance for chance, truth in zip(CHANCES, told.truths) if not truth)
    return sum(told.lies) - (1 - terms.towers) * rolls


def _balanced(terms: Terms, level: float, above: _Told, below: _Told) -> Signal:
    """How both play at the level that settles the stage; it is told just above it and below."""
    doubts = [0.0] * terms.lowest
    doubts += [_doubt(terms, place, level) for place in range(terms.lowest, PLACES)]
    if above.handed_on:
        doubts[TOP - 1] = 1 - above.handed_on
    flat, lies = 1 - terms.towers, list(above.lies)
    truths = [float(told) for told in above.truths]
    switch = [p for p in range(PLACES) if below.truths[p] and not above.truths[p]]
    mass = flat * sum(CHANCES[place] for place in switch)
    pool = flat * sum(chance for chance, told in zip(CHANCES, truths) if not told) - mass
    rest = pool - sum(lies)
    for place in switch:
        truths[place] = min(1.0, max(0.0, 1 + rest / mass))
    lied = [1 - told for told in truths]
    if rest > 0 and level <= terms.outside + _NEAR:
        told_lies = (pool - rest) / pool
        lied = [told_lies * share for share in lied]
    elif rest > 0:
        rooms = [0.0] * PLACES
        for place in switch:
            rooms[place] = flat * CHANCES[place] * terms.ratios[place]
        whole = sum(rooms) or 1.0
        lies = [lie + rest * room / whole for lie, room in zip(lies, rooms)]
    total = sum(lies)
    shares = tuple(lie / total if total else 0.0 for lie in lies)
    towers = tuple(0.0 if told else 1.0 for told in above.towers)
    return Signal(
        level, tuple(doubts), tuple(truths), tuple(lied), shares, towers,
        above.handed_on, above.veils,
    )  # fmt: skip
