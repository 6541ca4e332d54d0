"""An open match, judged decision by decision by the same worths as the solved players use.

The worth is the chance not to lose the match if that is solved, else the mean result of a round.
All dice lie open, or nobody has seen them, so every seat knows the same. Luck is the rest: the
dice, and who leads.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import fsum
from typing import cast

from game.actions import Action, Give, Keep, Roll, Stop
from game.coach.analysis import (
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
from game.options import Handicap, level
from game.record import Record, replay
from game.rules import RULES, AnyRules
from game.status import Phase, Unit
from game.strategy import open_games

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
    """Judge the last action of a record alone: see ``judge``."""
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
    if match.phase not in _DECIDES or not isinstance(action, Keep | Stop | Roll | Give):
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
