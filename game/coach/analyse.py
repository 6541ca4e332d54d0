"""Judging a record of any game, and the handicap that such records suggest.

``bluff`` judges bluff games. A match of open dice is judged here, decision by decision, by the same
worths as the solved players use: the chance not to lose the match if that is solved, else the mean
result of a round. All dice lie open, or nobody has seen them, so every seat knows the same. Luck is
the rest: the dice, and who leads.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import islice, permutations
from math import factorial, fsum
from typing import NamedTuple, cast

from game.actions import Action, GiveCoaster, Keep, Leave, Roll, Stop
from game.bluff.rules import BluffRules
from game.coach.bluff import analyse_bluff, basis_of_bluff
from game.coach.judged import (
    Account,
    Analysis,
    CoachError,
    CurvePoint,
    Judged,
    Model,
    Turning,
    WorthUnit,
    check_solved,
)
from game.engines import apply, new_match
from game.events import CoastersMoved, Event, HalfLost, RoundDecided, Step
from game.open_dice import OpenMatch, OpenRules
from game.options import Handicap, SetupError, level, start_of
from game.record import Record, replay
from game.rules import RULES, AnyRules, Reach, reach_of, unsolved
from game.sevens import SEVENS, SevensRules
from game.status import Phase, Unit, with_item
from game.strategy import open_games
from game.strategy.book import MOST, standings
from game.strategy.ends import Worths

SEEN = 4
"""Beside so many level matches count the results from which a handicap is suggested; chosen."""
_LEAST = 0.001
"""Nobody is taken to lose more surely than by this."""
_ORDERS = 24
"""About so many orders of players are tried at most."""
_KEPT = 512
"""The number of starts, the last ones asked for, that are kept."""


def analyse(record: Record) -> Analysis:
    """Judge a match that was played; it need not have ended.

    Raises:
        CoachError: some of its dice are unknown, or no reference plays by such rules.
    """
    found = (analyse_bluff if _is_bluff(record.rules) else analyse_open)(record)
    model = found.model._replace(caveat="BY_LOT")
    return found._replace(model=model) if _goes_beyond_tables(found, record) else found


def _goes_beyond_tables(found: Analysis, record: Record) -> bool:
    """Return whether a player has left a match that is judged by tables of its standings.

    The standing then follows from no round: tables do not have it, and its worth is an estimate.
    """
    has_tables = record.rules.family != SevensRules.family and len(record.players) > 2
    is_sure = found.unit == "chance" and found.model.caveat is None
    return is_sure and has_tables and any(isinstance(each, Leave) for each in record.actions)


def basis(rules: AnyRules, players: int) -> tuple[WorthUnit, Model]:
    """Return the unit in which matches of so many players are judged, and the reference's play.

    Raises:
        CoachError: nobody can judge them.
    """
    return (basis_of_bluff if _is_bluff(rules) else basis_of_open)(rules, players)


def advice_on(rules: AnyRules, players: int) -> Reach:
    """Return how well the coach advises so many players, 2 or more.

    It is none beside solved rules: bots play by the nearest solved ones, a judge does not. It is
    exact if the match of so many is solved, or has no end of its own that a round could be for.

    Raises:
        CoachError: the game is not for so many.
    """
    if unsolved(rules):
        return Reach.NONE
    reach = reach_of(rules)
    _, model = basis(rules, players)
    is_endless = getattr(rules, "stakes", None) == "drinks"
    is_known = model.caveat is None or is_endless
    return Reach.APPROXIMATE if reach is Reach.EXACT and not is_known else reach


def _is_bluff(rules: AnyRules) -> bool:
    return rules.family == BluffRules.family


_WHOLE = Model("match", 0.0, None)
_ROUND = Model("round", None, "NO_SCORE")
_UNITS: Mapping[Unit, WorthUnit] = {Unit.COASTER: "coasters", Unit.ROUND: "rounds"}
_DECIDES = (Phase.THROWN, Phase.LEVELLING)


def analyse_open(record: Record) -> Analysis:
    """Judge a match of open dice, decision by decision. Raises CoachError if nobody can."""
    match, seats = _begun(record), len(record.players)
    unit, model = basis_of_open(record.rules, seats)
    whole = unit == "chance"
    stood = starts = starts_of(match, record.rules.handicap) if whole else (0.0,) * seats
    decisions: list[Judged] = []
    brought = [[0.0] for _ in range(seats)]
    turning: Turning | None = None
    curve = list[CurvePoint]()
    steps = cast(Iterator[Step[OpenMatch]], replay(record))
    for line, (action, step) in enumerate(zip(record.actions, steps), start=2):
        if (judged := _judged(line, match, action, unit)) is not None:
            decisions.append(judged)
        changes = [0.0] * seats
        decided = [event for event in step.events if isinstance(event, RoundDecided)]
        if whole and (step.match.outcome is not None or step.match.round != match.round):
            before, stood = stood, _stood(step.match)
            changes = [now - was for now, was in zip(stood, before)]
        elif decided and not whole:
            changes = _brought(match, decided[0].worst, step.events)
            for seat, each in enumerate(changes):
                brought[seat].append(each)
        most = max(range(seats), key=lambda seat: abs(changes[seat]))
        if changes[most] and (turning is None or abs(changes[most]) > abs(turning.change)):
            turning = Turning(line, match.round, match.to_act, action, most, changes[most])
        match = step.match
        worths = stood if whole else tuple(map(fsum, brought))
        curve.append(CurvePoint(line, match.round, worths))
    costs = [fsum(d.cost for d in decisions if d.seat == seat) for seat in range(seats)]
    accounts = []
    for seat, result in enumerate(stood if whole else map(fsum, brought)):
        others = (fsum(costs) - costs[seat]) / (seats - 1)
        start = starts[seat]
        luck = fsum((result, -start, costs[seat], -others))
        accounts.append(Account(start, luck, -costs[seat], 0.0, others, 0.0, result))
    return Analysis(
        record.rules.game, record.players, unit,
        model, match.outcome is not None, tuple(decisions), tuple(accounts),
        turning, tuple(curve),
    )  # fmt: skip


def judge_open(record: Record) -> Judged | None:
    """Judge the last action of a record of open dice alone; None if it was no decision.

    Raises:
        CoachError: as ``analyse``.
    """
    match = _begun(record)
    unit, _ = basis_of_open(record.rules, len(record.players))
    for action in record.actions[:-1]:
        match = apply(match, action).match
    return _judged(len(record.actions) + 1, match, record.actions[-1], unit)


def basis_of_open(rules: AnyRules, players: int) -> tuple[WorthUnit, Model]:
    """Return the unit of worths, and the reference's play: see ``basis``."""
    check_solved(rules)
    most = RULES[rules.game].most_players
    if rules.family not in open_games.SOLVERS:
        raise CoachError(f"line 1: nobody can judge {rules.game}: it is not solved")
    if players > most:
        raise CoachError(
            f"line 1: nobody can judge {rules.game} of {players} players: it is a game for {most} "
            "at most"
        )
    if open_games.for_the_match(level(cast(OpenRules, rules)), players):
        return "chance", _WHOLE
    return _UNITS[rules.unit], _ROUND


def _begun(record: Record) -> OpenMatch:
    basis_of_open(record.rules, len(record.players))
    return new_match(cast(OpenRules, record.rules), record.players, record.first)


def starts_of(match: OpenMatch, handicap: Handicap) -> tuple[float, ...]:
    """Return the chances not to lose by seat, before the throws for the lead."""
    seats = len(match.players)
    if not handicap:
        return ((seats - 1) / seats,) * seats
    leads = [match.order[seat:] + match.order[:seat] for seat in range(seats)]
    stood = [_stood(match.replace(order=each, leader=each[0])) for each in leads]
    return tuple(fsum(each) / seats for each in zip(*stood))


def _stood(match: OpenMatch) -> tuple[float, ...]:
    """Return the chances not to lose by seat, before a round or when the match is over."""
    if match.outcome is None:
        return open_games.chances(match)
    gone = (*match.outcome.losers, *match.outcome.left)
    return tuple(float(seat not in gone) for seat in range(len(match.players)))


def _judged(line: int, match: OpenMatch, action: Action, unit: WorthUnit) -> Judged | None:
    if match.phase not in _DECIDES or not isinstance(action, Keep | Stop | Roll | GiveCoaster):
        return None
    done = Roll() if isinstance(action, Roll) else action
    chances = dict(open_games.worths(match))
    best = max(chances, key=lambda way: chances[way])
    assert match.to_act is not None, "somebody has thrown"
    cost = chances[best] - chances[done]
    share = float(best == done)
    whole = None
    if unit == "coasters" and open_games.for_the_match(match.rules, len(match.playing)):
        whole = float(match.rules.coasters)
    return Judged(
        line, match.round, match.to_act, done, chances, best, cost, None, share=share, whole=whole,
        thrown=match,
    )  # fmt: skip


def _brought(match: OpenMatch, worst: int, events: Sequence[Event]) -> list[float]:
    """Return by seat what a round took off it, more than off the mean of the others."""
    moved = [0.0] * len(match.players)
    for event in events:
        if isinstance(event, CoastersMoved):
            if event.giver is not None:
                moved[event.giver] += event.count
            if event.taker is not None:
                moved[event.taker] -= event.count
        elif isinstance(event, HalfLost) and event.rule == "R-MAX-4":
            moved[worst] -= match.rules.coasters
    if not any(isinstance(event, CoastersMoved | HalfLost) for event in events):
        moved[worst] -= 1  # a deciding round
    others = len(match.order) - 1
    whole = fsum(moved)
    return [
        each - (whole - each) / others if seat in match.order else 0.0
        for seat, each in enumerate(moved)
    ]


class Played(NamedTuple):
    """A match that is over: its rules with their handicap, the names by seat, and who lost."""

    rules: AnyRules
    players: tuple[str, ...]
    losers: tuple[str, ...]


class Suggestion(NamedTuple):
    """A handicap by seat, and the chances to lose by seat, 0 to 1, without it and with it."""

    handicap: Handicap
    level: Worths
    chances: Worths


def suggested_handicap(played: Sequence[Played]) -> Suggestion | None:
    """Return the handicap that makes the chances of the last match's players most equal.

    Earlier matches of the same players by the same rules count with it, in any seats. A player's
    odds to lose are taken to change with a handicap as they do among equals. `SEEN` matches without
    a surprise are added, so that a few results say little.

    Returns: None if the game has nothing to start with, or if no known worths tell such odds.
    """
    last = played[-1]
    rules, names = level(last.rules), last.players
    even = _losing(rules, len(names))
    if even is None:
        return None
    share = fsum(even) / len(names)
    met, lost = [SEEN * share] * len(names), [SEEN * share] * len(names)
    for each in played:
        if level(each.rules) == rules and {*each.players} == {*names}:
            expected = dict(zip(each.players, _losing(each.rules, len(names)) or even))
            met = [so_far + expected[name] for so_far, name in zip(met, names)]
            lost = [so_far + (name in each.losers) for so_far, name in zip(lost, names)]
    whole = fsum(met) / share / len(names)
    own = [_odds(one / whole) / _odds(other / whole) for one, other in zip(lost, met)]

    def chances(handicap: Handicap) -> Worths:
        losing = _losing(replace(rules, handicap=handicap), len(names)) or even
        odds = [_odds(each) * factor for each, factor in zip(losing, own)]
        shares = [each / (1 + each) for each in odds]
        return tuple(each * fsum(even) / fsum(shares) for each in shares)

    def unevenness(handicap: Handicap) -> float:
        return fsum((each - share) ** 2 for each in chances(handicap))

    best, without = (0,) * len(names), chances(())
    weakest = without.index(max(without))
    while True:
        tried = [best]
        all_but_one = tuple(each + (seat != weakest) for seat, each in enumerate(best))
        ones = (with_item(best, seat, each + 1) for seat, each in enumerate(best))
        for more in (all_but_one, *ones):
            with suppress(SetupError):
                if 0 in more and replace(rules, handicap=more):
                    tried.append(more)
        found = min(tried, key=unevenness)
        if found == best:
            return Suggestion(best, without, chances(best))
        best = found


def _odds(chance: float) -> float:
    return chance / max(1 - chance, _LEAST)


def _losing(rules: AnyRules, players: int) -> Worths | None:
    """Return the chance of each seat to lose among equals, if a seat by lot begins; None: unknown.

    Neighbours do not matter: it is the mean over the orders in which players can sit.
    """
    start = start_of(rules, players)
    by_start = _by_start(level(rules), tuple(sorted(start)))
    return None if by_start is None else tuple(by_start[each] for each in start)


@lru_cache(_KEPT)
def _by_start(rules: AnyRules, starts: Handicap) -> Mapping[int, float] | None:
    """Return the chance to lose by the handicap, if these sit at a table; None: unknown.

    In a bluff game the first penalty goes by lot. Sevens takes too long, and levels hardly differ.
    """
    players, names = len(starts), tuple(f"seat {seat}" for seat in range(len(starts)))
    known = standings(cast(BluffRules, rules), players) if _is_bluff(rules) else None
    if known is not None:
        if not known.limit or (known.limit**players > MOST and known.rules.credit):
            return None
    elif rules.family == SEVENS.family or not open_games.for_the_match(
        cast(OpenRules, rules), players
    ):
        return None
    found: dict[int, list[float]] = {each: [] for each in starts}
    for order in islice(permutations(starts), 0, None, max(1, factorial(players) // _ORDERS)):
        if known is not None:
            ends = [known.after((order, 0), ((payer, 1),), False) for payer in range(players)]
            kept = [fsum(each) / players for each in zip(*ends)]
        else:
            begun = cast(OpenRules, replace(rules, handicap=order))
            kept = list(starts_of(new_match(begun, names, 0), begun.handicap))
        for start, chance in zip(order, kept):
            found[start].append(1 - chance)
    return {start: fsum(each) / len(each) for start, each in found.items()}
