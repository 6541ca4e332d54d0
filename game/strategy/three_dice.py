"""How ``maxen`` and ``chicago`` are thrown best: which dice to keep and turn, and when to stop.

The last two players throw for not losing, worked out to the end of the match (``coasters``). More
players throw for the coasters of a round (``among``).
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from game.actions import Give, SeatAction
from game.coaster.rules import RANKS, CoasterRules
from game.coaster.state import CoasterMatch
from game.coaster.values import ONES, Kind, kind
from game.dice import Dice
from game.engines import legal_actions
from game.open_dice import playing_order
from game.status import Phase
from game.strategy import among
from game.strategy.coasters import Standing, are_solved, solved
from game.strategy.turns import HANDS, CoasterTurn


def for_the_match(rules: CoasterRules, players: int) -> bool:
    """Return whether two play for the match; more play for a round."""
    return players == 2 and are_solved(rules)


def prepare(rules: CoasterRules, players: int) -> None:
    """Make the tables that many decisions with so many players need."""
    among.prepare(rules, players)


def worths(match: CoasterMatch) -> Mapping[SeatAction, float]:
    """Return the worth of each legal action to a seat that has thrown, or may give a coaster.

    ``match`` is the seat's view. In a match of two it is the chance not to lose. Among more it is
    the coasters that the round takes from the seat, more than the mean of the others. For the last
    two of those, it is the chance not to lose, as that part of all coasters.
    """
    if len(match.playing) > 2 or not are_solved(match.rules):
        return _gifts(match) if match.phase is Phase.LEVELLING else among.turn(match).options(match)
    seat = match.to_act
    assert seat is not None, "somebody has thrown"
    lost, won = _ends(match, seat)
    chances = _given(match) if match.phase is Phase.LEVELLING else _thrown(match)
    return {action: lost + (won - lost) * chance for action, chance in chances.items()}


def prepare_round(match: CoasterMatch) -> None:
    """Make the tables of a round in which nothing was thrown so far."""
    if len(match.playing) == 2 and are_solved(match.rules):
        solved(match.rules).duel(_standing(match, match.order)).opening()
    else:
        among.turn(match)  # its tables are those of all turns, if a player has left


def chances(match: CoasterMatch) -> Mapping[int, float]:
    """Return the chance not to lose the match by the two seats that play, before a round."""
    return {seat: chance(match, seat) for seat in match.order}


def chance(match: CoasterMatch, seat: int) -> float:
    """Return the chance of one of two players not to lose the match, before a round."""
    lost, won = _ends(match, seat)
    leads = solved(match.rules).chance(_standing(match, match.order))
    return lost + (won - lost) * (leads if seat == match.order[0] else 1 - leads)


def _ends(match: CoasterMatch, seat: int) -> tuple[float, float]:
    """Return the worth of losing the match, or half of ``maxen``, and of winning it (R-MAX-5)."""
    rules, lost = match.rules, match.lost
    if len(match.players) > 2:
        return 0.0, float(rules.coasters)
    if not rules.customs.halves or len(lost) == 2:
        return 0.0, 1.0
    leads = solved(rules).chance((rules.coasters, 0, 0))
    if not lost:
        return leads * leads, 1 - leads * leads
    return (0.0, leads) if seat == lost[0] else (1 - leads, 1.0)


def _standing(match: CoasterMatch, order: tuple[int, ...]) -> Standing:
    leader, other = order
    return match.pile, match.coasters[leader], match.coasters[other]


def _thrown(match: CoasterMatch) -> Mapping[SeatAction, float]:
    """Return the chances of one of the last two players, after each possible action."""
    duel = solved(match.rules).duel(_standing(match, match.order))
    first, second = (match.hands[seat] for seat in match.order)
    if match.to_act == match.order[1]:
        assert first is not None, "the first one throws first"
        worths = duel.answer(first, match.limit).options(match)
        return {action: 1 + worth for action, worth in worths.items()}  # ``Standings.price``
    if second is not None:
        return duel.bonus(second).options(match)
    return duel.opening(0 if match.to_act == match.leader else match.limit).options(match)


def _given(match: CoasterMatch) -> Mapping[SeatAction, float]:
    """Return the giver's chance after each gift, and after none (R-CHI-4)."""
    giver, leader = match.to_act, match.leader
    assert giver is not None, "he decides"
    assert leader is not None, "phase two has one"
    other = next(seat for seat in match.playing if seat != giver)
    rounds = solved(match.rules)
    order = playing_order(match, leader)
    kept = rounds.chance(_standing(match, order))
    given = 1 - rounds.chance((0, match.coasters[other] + 1, match.coasters[giver] - 1))
    return {Give(other): given, Give(None): kept if order[0] == giver else 1 - kept}


def _gifts(match: CoasterMatch) -> Mapping[SeatAction, float]:
    seats = len(match.playing)
    gift = seats / (seats - 1)
    return {give: gift * (give != Give(None)) for give in legal_actions(match)}


def best(
    rules: CoasterRules, throws: int, worth: Callable[[Any], Fraction | int], turning: bool
) -> Fraction:
    """Return the greatest mean worth of a last hand."""
    ends = [Fraction(worth(hand)) for hand in HANDS]
    turn = CoasterTurn(rules.game, throws, [ends] * throws, turning=turning, exact=True)
    return Fraction(turn.worth)


def mean(rules: CoasterRules, throws: int, turning: bool) -> Fraction:
    """Return the best mean: of coasters in a game of halves, else of points."""
    customs = rules.customs
    worths = customs.worths if customs.halves else customs.ranks
    return best(rules, throws, worths.__getitem__, turning)


def kinds(rules: CoasterRules) -> Mapping[str, Callable[[Any], bool]]:
    """Return the kinds of hands: those of M-1 in a game of halves, else three ones (C-2)."""
    if not rules.customs.halves:
        return {rules.game: ONES.__eq__}
    maxes = {f"max {high}": (high, 1, 1).__eq__ for high in range(2, 7)}
    return {each: partial(_is, each) for each in Kind} | maxes


def _is(wanted: Kind, dice: Dice) -> bool:
    return kind(dice) is wanted


def marks(rules: CoasterRules) -> Mapping[int, str]:
    """Return the ranks of all hands, each with dice that have it."""
    shown = {RANKS[rules.game][hand]: "".join(map(str, hand)) for hand in HANDS}
    return dict(sorted(shown.items()))


def least_loss(rules: CoasterRules, throws: int, mark: int | None, to_come: int) -> float:
    """Return the least chance to have the lowest hand, as ``odds.least_loss``."""
    if mark is None:
        return 1 - float(among.leading(rules.game, among.NOT_LOWEST, to_come).worth)
    return 1 - float(among.aimed(rules.game, among.NOT_LOWEST, to_come, throws, mark).worth)
