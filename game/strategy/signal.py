"""The stage of a bluff game: a player announces a seen roll, and the next one doubts or not.

A roll that cannot be announced truthfully has some worth, the ``level``. It is the same for every
possible lie, because the answerer doubts each announcement just often enough for that. At a higher
level more rolls would rather lie, and the answerer tolerates fewer lies. The stage is solved at the
one level at which both numbers agree; few levels are candidates.

If two play, one player gains what the other loses. Only a Mäxchen is then ever announced as less
than it is, because a doubt costs other than under its full name. An announcement that may hide one
lets the answerer hand the dice on unrolled, now and then.

Three players who play for a match announce less where that is worth more. They do it so rarely that
the answerer never gains by handing the dice on. In other rounds of three and more nobody announces
less than they have. The errors of both are measured where they matter.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations, pairwise
from math import inf
from typing import NamedTuple, TypeVar

from game.bluff.rules import MAEXCHEN, PLACE, RANKING
from game.dice import throws

_T = TypeVar("_T")
PLACES = len(RANKING)
TOP = PLACE[MAEXCHEN]
"""The place of a Mäxchen."""
_NEAR = 1e-12
"""Worths that differ by less are equal."""
ALWAYS = 1e12
"""The ratio of lies to truths at which a doubt never pays; chosen, as good as infinite."""


def _chances() -> tuple[float, ...]:
    chances = [0.0] * PLACES
    for (high, low), chance in throws(2):
        chances[PLACE[10 * high + low]] = float(chance)
    return tuple(chances)


CHANCES = _chances()
"""The chance of every value, by its place (V-4)."""
_BELOW = tuple(sum(CHANCES[:place]) for place in range(PLACES + 1))


class SignalTerms(NamedTuple):
    """The worths of the ends of a stage to the roller, and the lies that the answerer tolerates.

    Sequences are by the place of the announced value. ``lowest`` is the lowest place that may be
    announced. ``believed`` is the worth of being believed. ``lie`` and ``truth`` are the worths of
    being doubted with dice below the announcement, and with dice just as announced. ``ratios`` are
    the lies to one truth at which the answerer is indifferent: 0 if even the truth is doubted,
    ``ALWAYS`` if no lie is. ``outside`` is the worth of not announcing at all, minus infinity if
    that is impossible. A share ``towers`` of the rolls may be shown instead, which is worth
    ``shown`` (R-HF-8).

    ``hidden`` and ``back`` are for a Mäxchen that may be announced as less. ``hidden`` is the worth
    of being doubted then. ``back`` are the worths of getting the cup back with a pair of sixes, or
    a Mäxchen, announced; else it is empty.

    ``rooms`` are for three and more. A place may name so many higher rolls for each roll that it
    names in truth, or any number if it is infinite. It is empty if nobody announces less than they
    have.
    """

    lowest: int
    believed: Sequence[float]
    lie: Sequence[float]
    truth: Sequence[float]
    ratios: Sequence[float]
    outside: float
    towers: float = 0.0
    shown: float = 0.0
    hidden: float = 0.0
    back: Sequence[float] = ()
    rooms: Sequence[float] = ()


class Signal(NamedTuple):
    """How a stage is played.

    By place of the announcement: ``doubts`` are the chances that it is doubted, and ``lies`` its
    share of all lies. ``handed_on`` is the place with which the dice are handed on unrolled, and
    the chance of that. By place of the roll: ``truths`` are the places as which it is truthfully
    announced, none above it, with their chances. ``lied`` is the chance of a lie; else the roller
    does not announce. ``towers`` are the chances that a seen tower is shown.
    """

    level: float
    doubts: tuple[float, ...]
    handed_on: tuple[tuple[int, float], ...]
    lies: tuple[float, ...]
    truths: tuple[tuple[tuple[int, float], ...], ...]
    lied: tuple[float, ...]
    towers: tuple[float, ...]


class _Announcements(NamedTuple):
    """The announcements at a level.

    By roll: ``truths`` are the places as which it is announced in truth, with their chances;
    ``towers`` the chances that a tower is announced rather than shown. By place: ``lies`` are the
    lies that the answerer tolerates; ``handed_on`` is as in ``Signal``. ``lacking`` is the number
    of tolerated lies minus that of the rolls that could tell them.
    """

    truths: list[dict[int, float]]
    towers: list[float]
    lies: list[float]
    handed_on: dict[int, tuple[int, float]]
    lacking: float


def signal(terms: SignalTerms) -> Signal:
    """Return how a stage is played in equilibrium."""
    levels = _levels(terms)

    @cache
    def at(level: float) -> _Announcements:
        return _told(terms, level)

    low, high = 0, len(levels) - 1
    while low < high:
        middle = (low + high) // 2
        if at(levels[middle]).lacking <= 0:
            high = middle
        else:
            low = middle + 1
    level = levels[low]
    if not low:
        above = at(level)
        return _balanced(terms, level, above.handed_on, above, above)
    points = [levels[low - 1], *_crossings(terms, levels[low - 1], level), level]
    between = [(one + other) / 2 for one, other in pairwise(points)] + [level]
    found = bisect_left(between, 0.0, 1, len(points) - 1, key=lambda each: -at(each).lacking)
    settled, above, below = points[found], at(between[found]), at(between[found - 1])
    return _balanced(terms, settled, at(settled).handed_on, above, below)


def _levels(terms: SignalTerms) -> list[float]:
    """Return the levels, ascending, at which a roll switches; of close levels, the last."""
    places = range(terms.lowest, PLACES)
    bottom = max(terms.outside, *[terms.lie[place] for place in places])
    levels = {bottom}
    for place in places:
        believed, truth = terms.believed[place], terms.truth[place]
        levels.add(believed if terms.ratios[place] else truth)
        if terms.towers and truth > believed:
            short = (terms.shown - believed) / (truth - believed)
            levels.add(believed - short * (believed - terms.lie[place]))
    if terms.towers:
        levels.add(terms.shown)
    found = sorted([level for level in levels if level >= bottom])
    return [one for one, other in pairwise([*found, inf]) if other - one > _NEAR]


def _crossings(terms: SignalTerms, low: float, high: float) -> list[float]:
    """Return the levels between two at which a roll changes the name that it is announced by."""
    if not terms.back and not terms.rooms:
        return []
    marks = low, _doubts(terms, low)
    names = [p for p in range(terms.lowest, PLACES) if _worth(terms, p, marks[1]) > low]
    if terms.rooms:
        sides = (marks[1], _doubts(terms, high))
        return _crossed(low, high, [[_worth(terms, p, each) for p in names] for each in sides])
    names = [place for place in names if place < TOP]
    ends, hides = [], False
    for level, doubts in marks, (high, _doubts(terms, high)):
        full = _worth(terms, TOP, doubts)
        lesser = [_lesser(terms, place, level, doubts) for place in names]
        hides = hides or any(each.worth > full for each in lesser)
        ends.append([full, *[mark for each in lesser for mark in (each.worth, each.floor)]])
    return _crossed(low, high, ends) if hides else []


def _crossed(low: float, high: float, ends: list[list[float]]) -> list[float]:
    """Return the levels between two at which two worths are equal; ``ends`` has them at both."""
    found = []
    for (one, one_later), (other, other_later) in combinations(zip(*ends), 2):
        before, after = one - other, one_later - other_later
        if min(before, after) < -_NEAR < _NEAR < max(before, after):
            found.append(low + before / (before - after) * (high - low))
    return sorted(found)


def _doubts(terms: SignalTerms, level: float) -> list[float]:
    """Return by place the chance of a doubt that makes a lie worth no more than ``level``."""
    doubts, all_believed, lie, ratios = [0.0] * PLACES, terms.believed, terms.lie, terms.ratios
    for place in range(terms.lowest, PLACES):
        believed = all_believed[place]
        if not ratios[place]:
            doubts[place] = 1.0
        elif believed > level:
            share = (believed - level) / (believed - lie[place])
            doubts[place] = share if share < 1 else 1.0
    return doubts


def _worth(
    terms: SignalTerms, place: int, doubts: Sequence[float], truth: float | None = None
) -> float:
    """Return the worth of announcing a place in truth; ``truth`` is the worth of a doubt then."""
    believed, doubted = terms.believed[place], terms.truth[place] if truth is None else truth
    return believed + doubts[place] * (doubted - believed)


def _told(terms: SignalTerms, level: float) -> _Announcements:
    doubts, shown = _doubts(terms, level), terms.shown + _NEAR
    truths: list[dict[int, float]] = [{} for _ in range(PLACES)]
    towers, lies, flat = [0.0] * PLACES, [0.0] * PLACES, 1 - terms.towers
    left, lower, lying = [0.0] * PLACES, list[tuple[float, int]](), _BELOW[terms.lowest]
    for place in range(terms.lowest, PLACES):
        chance, believed, names, rest = CHANCES[place], terms.believed[place], truths[place], 1.0
        worth = most = believed + doubts[place] * (terms.truth[place] - believed)
        if place == TOP and terms.rooms:
            lower = [(_worth(terms, name, doubts, terms.hidden), name) for _, name in lower]
            lower.sort(reverse=True)
        bar = max(worth, level) + _NEAR
        for each, name in lower:
            if each <= bar or not rest:
                break
            if share := min(rest, left[name] / chance):
                names[name], most = share, max(most, each)
                left[name] -= share * chance
                rest -= share
        if worth > level and rest:
            names[place] = rest
        towers[place] = float(most > max(shown, level))
        for name, share in names.items():
            lies[name] += chance * (towers[place] or flat) * share * terms.ratios[name]
        lying += chance * (1 - sum(names.values()))
        if terms.rooms:
            room = terms.rooms[place]
            left[place] = room if room == inf else room * chance * names.get(place, 0.0)
            if left[place]:
                insort(lower, (worth, place), key=lambda each: -each[0])
    told = _Announcements(truths, towers, lies, {}, 0.0)
    if terms.back and truths[TOP]:
        _hide(terms, level, told, doubts)
    return told._replace(lacking=sum(lies) - flat * lying)


class _HiddenMaexchen(NamedTuple):
    """The worth of announcing a Mäxchen as less, with a name that others use truthfully.

    It is ``worth`` until there are ``room`` such Mäxchen for each truthful roll of that name. Then
    handing the dice on as ``higher`` is as good an answer, and a Mäxchen loses ``slope`` times the
    chance of that. The worth never falls below ``floor``: there every answer is a doubt or handing
    on, and any number of Mäxchen may use the name. With each Mäxchen come ``lies``. From the floor
    on there are as many as make a doubt and handing on equally good: see ``_hide``.
    """

    worth: float
    room: float
    higher: int
    slope: float
    floor: float
    lies: float


def _lesser(
    terms: SignalTerms, place: int, level: float, doubts: Sequence[float]
) -> _HiddenMaexchen:
    believed, truth, lie = terms.believed[place], terms.truth[place], terms.lie[place]
    worth = _worth(terms, place, doubts, terms.hidden)
    ratio = terms.ratios[place]
    lies = ratio * (terms.hidden - believed) / (truth - believed) if ratio else 0.0
    found = _HiddenMaexchen(worth, inf, TOP, 0.0, -inf, lies)
    for higher in range(max(place + 1, TOP - 1), PLACES):
        wrong, right = terms.truth[higher], terms.back[higher - TOP - 1]
        room, slope = wrong - truth, terms.hidden - right
        if ratio:
            room = (1 + ratio) * (wrong - believed)
            slope = believed - right - lies * (wrong - believed)
        if slope > 0 and room / slope < found.room:
            floor = terms.hidden - (level - lie) / (wrong - lie) * (terms.hidden - right)
            found = _HiddenMaexchen(worth, room / slope, higher, slope, floor, lies)
    return found


def _hide(terms: SignalTerms, level: float, told: _Announcements, doubts: Sequence[float]) -> None:
    """Let Mäxchen be announced as less, as often as that is worth more than their full name.

    The answerer hands such announcements on just so often that all names have the same worth.
    """
    worth = _worth(terms, TOP, doubts)
    names = {
        place: _lesser(terms, place, level, doubts)
        for place in range(terms.lowest, TOP)
        if told.truths[place] and _worth(terms, place, doubts, terms.hidden) > worth + _NEAR
    }
    if not names:
        return
    steps = [(each.worth, place, False) for place, each in names.items()]
    steps += [(each.floor, place, True) for place, each in names.items()]
    masses = [share * (told_of or 1 - terms.towers) for share, told_of in zip(CHANCES, told.towers)]
    left, hidden = masses[TOP], dict.fromkeys(names, 0.0)
    for step, place, floor in sorted(steps, reverse=True):
        if step <= worth + _NEAR or not left:
            break
        each, mass = names[place], masses[place]
        share = left if floor else min(each.room * mass, left)
        hidden[place] += share
        left -= share
        if not left:
            worth = step
        if floor:
            wrong, lie = terms.truth[each.higher], terms.lie[place]
            pays = hidden[place] * (terms.hidden - terms.back[each.higher - TOP - 1])
            told.lies[place] = (pays - mass * (wrong - terms.truth[place])) / (wrong - lie)
        else:
            told.lies[place] += share * each.lies
    shares = {TOP: left} | hidden
    told.truths[TOP] = {place: share / masses[TOP] for place, share in shares.items() if share}
    told.lies[TOP] *= left / masses[TOP]
    for place, share in hidden.items():
        each = names[place]
        if share and each.worth > worth:
            told.handed_on[place] = each.higher, (each.worth - worth) / each.slope


def _balanced(
    terms: SignalTerms,
    level: float,
    handed_on: dict[int, tuple[int, float]],
    above: _Announcements,
    below: _Announcements,
) -> Signal:
    """Return both players' strategies at the level that settles the stage.

    ``handed_on`` is that of the level; ``above`` and ``below`` are the announcements just above it
    and just below it.
    """
    doubts = _doubts(terms, level)
    for place, (higher, often) in handed_on.items():
        if terms.ratios[place]:
            believed, lie = terms.believed[place], terms.lie[place]
            doubts[place] += often * (terms.truth[higher] - believed) / (believed - lie)
        else:
            doubts[place] -= often
    flat = 1 - terms.towers
    switch = [p for p in range(PLACES) if below.truths[p] and not above.truths[p]]
    told = above if switch or below.lacking <= 0 else _mixed(terms, above, below)
    truths, lies = list(told.truths), list(told.lies)
    mass = flat * sum(CHANCES[place] for place in switch)
    pool = flat * sum(c * (1 - sum(each.values())) for c, each in zip(CHANCES, truths)) - mass
    rest = pool - sum(lies)
    for place in switch:
        share = min(1.0, max(0.0, 1 + rest / mass))
        truths[place] = {name: share * often for name, often in below.truths[place].items()}
    lied = [1 - sum(names.values()) for names in truths]
    if rest > 0 and level <= terms.outside + _NEAR:
        told_lies = (pool - rest) / pool
        lied = [told_lies * share for share in lied]
    elif rest > 0:
        # Put the remaining lies where they change nothing: at names never doubted or always
        # doubted.
        rooms = [0.0] * PLACES
        for place in switch:
            for name, often in below.truths[place].items():
                rooms[name] += CHANCES[place] * often * terms.ratios[name]
        for place in () if switch else range(terms.lowest, PLACES):
            rooms[place] = float(terms.lie[place] == level)
        whole = sum(rooms) or 1.0
        lies = [lie + rest * room / whole for lie, room in zip(lies, rooms)]
    total = sum(lies)
    return Signal(
        level,
        tuple(doubts),
        tuple([handed_on.get(place, (TOP, 0.0)) for place in range(PLACES)]),
        tuple([lie / total if total else 0.0 for lie in lies]),
        tuple([tuple(names.items()) for names in truths]),
        tuple(lied),
        tuple([1.0 - tower for tower in told.towers]),
    )


def _mixed(terms: SignalTerms, above: _Announcements, below: _Announcements) -> _Announcements:
    """Mix both so that exactly the lies that the answerer tolerates are told."""
    share = above.lacking / (above.lacking - below.lacking)

    def mean(one: float, other: float) -> float:
        return (1 - share) * one + share * other

    towers = list(map(mean, above.towers, below.towers))
    truths = []
    for place, tower in enumerate(towers):
        whole = 1 - terms.towers * (1 - tower)
        ways = [
            (told.truths[place], often * (1 - terms.towers * (1 - told.towers[place])) / whole)
            for told, often in ((above, 1 - share), (below, share))
        ]
        truths.append(mixed(ways))
    return _Announcements(truths, towers, list(map(mean, above.lies, below.lies)), {}, 0.0)


def blended(one: Signal, other: Signal, share: float) -> Signal:
    """Mix two equally good signals: ``other`` with chance ``share``, else ``one``."""
    parts = [
        (each, often, [(place, told) for place, told in enumerate(each.lies) if told])
        for each, often in ((one, 1 - share), (other, share))
    ]
    truths, lies, lied = [], [0.0] * PLACES, []
    for roll, chance in enumerate(CHANCES):
        for each, often, told_as in parts:
            for place, told in told_as if each.lied[roll] else ():
                lies[place] += often * chance * each.lied[roll] * told
        names = mixed([(dict(each.truths[roll]), often) for each, often, _ in parts])
        truths.append(tuple(names.items()))
        lied.append(sum(often * each.lied[roll] for each, often, _ in parts))
    total = sum(lies) or 1.0
    return one._replace(
        lies=tuple([lie / total for lie in lies]), truths=tuple(truths), lied=tuple(lied)
    )


def mixed(ways: Iterable[tuple[Mapping[_T, float], float]]) -> dict[_T, float]:
    """Return the chances of what several ways bring, each way with its own share."""
    found: dict[_T, float] = {}
    for chances, share in ways:
        for each, chance in chances.items():
            found[each] = found.get(each, 0.0) + share * chance
    return found
