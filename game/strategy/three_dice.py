"""How ``maxen`` and ``chicago`` are thrown best: which dice to keep and turn, and when to stop.

Two players throw for not losing, worked out to the end of the match (``coasters``). More players
throw for it by the worths of the standings that follow (``among``).
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from game.actions import Give, SeatAction
from game.coaster.rules import ONES, RANKS, CoasterMatch, CoasterRules, Kind, kind
from game.dice import Dice
from game.engines import legal_actions
from game.open_dice import playing_order
from game.status import Phase, with_item
from game.strategy import among
from game.strategy.coasters import Standing, are_solved, solved
from game.strategy.turns import HANDS, CoasterTurn


def for_the_match(rules: CoasterRules, players: int) -> bool:
    """Return whether the match decides; with other coasters than usual, more play for a round."""
    return are_solved(rules) if players == 2 else among.is_told(rules, players)


def prepare(rules: CoasterRules, players: int) -> None:
    """Make the tables that many decisions with so many players need."""
    among.prepare(rules, players)


def worths(match: CoasterMatch) -> Mapping[SeatAction, float]:
    """Return the worth of each legal action to a seat that has thrown, or may give a coaster.

    ``match`` is the seat's view. The worth is the chance not to lose the match. With other coasters
    than usual, among three and more, it is the coasters that the round takes from the seat, more
    than the mean of the others. For the last two of those, it is the chance not to lose, as that
    part of all coasters.
    """
    seat = match.to_act
    assert seat is not None, "somebody has thrown"
    if not for_the_match(match.rules, len(match.playing)):
        if match.phase is Phase.LEVELLING:
            return _gifts(match)
        return among.turn(match, among.ends(match, seat)).options(match)
    lost, won = _ends(match, seat)
    chances = _given(match) if match.phase is Phase.LEVELLING else _thrown(match, seat)
    return {action: lost + (won - lost) * chance for action, chance in chances.items()}


def prepare_round(match: CoasterMatch) -> None:
    """Make the tables of a round in which nothing was thrown so far."""
    if not for_the_match(match.rules, len(match.playing)):
        among.turn(match, among.ends(match, match.order[0]))
    elif len(match.playing) == 2:
        solved(match.rules).duel(_duel_of(match)).opening()
    else:
        _turn(match, match.order[0])  # its tables are those of all turns, if a player has left


def chances(match: CoasterMatch) -> Mapping[int, float]:
    """Return the chance not to lose the match by seat, before a round; of all who have not left."""
    found = dict.fromkeys((*match.at_table, *match.safe), 1.0)
    by_place = among.told(match.rules).worths(_standing(match))
    found |= dict(zip(match.order, by_place))
    for seat, chance in found.items():
        lost, won = _ends(match, seat)
        found[seat] = lost + (won - lost) * chance
    return found


def _ends(match: CoasterMatch, seat: int) -> tuple[float, float]:
    """Return the worth of losing the match, or half of ``maxen``, and of winning it (R-MAX-5)."""
    rules, lost, seats = match.rules, match.lost, len(match.at_table)
    if not for_the_match(rules, len(match.players)):
        return 0.0, float(rules.coasters)
    if not rules.customs.halves:
        return 0.0, 1.0
    if len(lost) == 2:
        return (0.0, 1.0) if seat in lost else (1.0, 1.0)
    leads = solved(rules).chance((rules.coasters, 0, 0))  # the third half
    if not lost:  # who has lost leads the second one
        first, *others = among.told(rules).worths((rules.coasters, (0,) * seats))
        return first * leads, 1 - (1 - others[0]) * leads
    return (0.0, leads) if seat == lost[0] else (1 - leads, 1.0)


def _standing(match: CoasterMatch) -> among.Standing:
    return match.pile, tuple(match.coasters[seat] for seat in match.order)


def _duel_of(match: CoasterMatch) -> Standing:
    pile, (leader, other) = _standing(match)
    return pile, leader, other


def _turn(match: CoasterMatch, seat: int) -> CoasterTurn:
    """Return the best turn of ``seat`` among three and more, for the match."""
    own, standing = match.order.index(seat), _standing(match)
    return among.turn(match, among.told(match.rules).ends(standing, own))


def _thrown(match: CoasterMatch, seat: int) -> Mapping[SeatAction, float]:
    """Return the chances of a player not to lose, after each possible action."""
    if len(match.order) > 2:
        return _turn(match, seat).options(match)
    duel = solved(match.rules).duel(_duel_of(match))
    first, second = (match.hands[seat] for seat in match.order)
    if seat == match.order[1]:
        assert first is not None, "the first one throws first"
        worths = duel.answer(first, match.limit).options(match)
        return {action: 1 + worth for action, worth in worths.items()}  # ``Standings.price``
    if second is not None:
        return duel.bonus(second).options(match)
    return duel.opening(0 if seat == match.leader else match.limit).options(match)


def _given(match: CoasterMatch) -> Mapping[SeatAction, float]:
    """Return the giver's chance after each gift, and after none (R-CHI-4)."""
    giver, leader, found = match.to_act, match.leader, dict[SeatAction, float]()
    assert giver is not None, "he decides"
    assert leader is not None, "phase two has one"
    for give in legal_actions(match):
        assert isinstance(give, Give), "he gives one, or none"
        order, held = playing_order(match, leader), match.coasters
        if give.to is not None:
            order = playing_order(match, give.to)
            held = with_item(with_item(held, giver, held[giver] - 1), give.to, held[give.to] + 1)
        worths = among.told(match.rules).worths((0, tuple(held[seat] for seat in order)))
        found[give] = worths[order.index(giver)]
    return found


def _gifts(match: CoasterMatch) -> Mapping[SeatAction, float]:
    gift = len(match.playing) / (len(match.playing) - 1)
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
