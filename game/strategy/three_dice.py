"""How ``maxen`` and ``chicago`` are thrown best: which dice to keep and turn, and when to stop.

Two players throw for not losing, worked out to the end of the match (``coasters``). More players
throw for it by the worths of the standings that follow (``among``).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from struct import Struct

from game.actions import GiveCoaster, SeatAction
from game.coaster.rules import COASTER_GAMES, MOST_THROWS, CoasterMatch, CoasterRules
from game.engines import legal_actions
from game.open_dice import playing_order
from game.status import Phase, with_item
from game.strategy import among
from game.strategy.among import TopWorths, by_top, tops
from game.strategy.coasters import (
    GENERAL,
    Standing,
    are_solved,
    at_stake,
    booked,
    solved,
    standings,
)
from game.strategy.ends import is_here, table
from game.strategy.turns import CoasterTurn, ladder


def for_the_match(rules: CoasterRules, players: int) -> bool:
    """Return whether the match decides; with other coasters than usual, more play for a round."""
    return are_solved(rules) if players == 2 else is_told(rules, players)


def prepare(rules: CoasterRules, players: int) -> None:
    """Make the tables that many decisions with so many players need."""
    for aim in {among.aim_of(rules, players, stage) for stage in (1, 2)}:
        for to_come in range(players - 1):
            for limit in range(1, MOST_THROWS + 1):
                for mark in ladder(rules.game):
                    among.facing(rules.game, aim, to_come, limit, mark)
    if rules.customs.third_covered:
        for mark in ladder(rules.game):
            among.lifting(rules.game, mark)


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
        solved(match.rules).duel(_standing(match)).opening()
    else:
        _turn(match, match.order[0])  # its tables are those of all turns, if a player has left


def chances(match: CoasterMatch) -> Mapping[int, float]:
    """Return the chance not to lose the match by seat, before a round; of all who have not left."""
    found = dict.fromkeys((*match.at_table, *match.safe), 1.0)
    by_place = told(match.rules).worths(_standing(match))
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
    leads = solved(rules).chance((rules.coasters, (0, 0)))  # the third half
    if not lost:  # who has lost leads the second one
        first, *others = told(rules).worths((rules.coasters, (0,) * seats))
        return first * leads, 1 - (1 - others[0]) * leads
    return (0.0, leads) if seat == lost[0] else (1 - leads, 1.0)


def _standing(match: CoasterMatch) -> Standing:
    return match.pile, tuple(match.coasters[seat] for seat in match.order)


def _turn(match: CoasterMatch, seat: int) -> CoasterTurn:
    """Return the best turn of ``seat`` among three and more, for the match."""
    own, standing = match.order.index(seat), _standing(match)
    return among.turn(match, told(match.rules).ends(standing, own))


def _thrown(match: CoasterMatch, seat: int) -> Mapping[SeatAction, float]:
    """Return the chances of a player not to lose, after each possible action."""
    if len(match.order) > 2:
        return _turn(match, seat).options(match)
    duel = solved(match.rules).duel(_standing(match))
    first, second = (match.hands[seat] for seat in match.order)
    if seat == match.order[1]:
        assert first is not None, "the first one throws first"
        worths = duel.answer(first, match.limit).options(match)
        return {action: 1 + worth for action, worth in worths.items()}  # ``CoasterStandings.price``
    if second is not None:
        return duel.bonus(second).options(match)
    return duel.opening(0 if seat == match.leader else match.limit).options(match)


def _given(match: CoasterMatch) -> Mapping[SeatAction, float]:
    """Return the giver's chance after each gift, and after none (R-CHI-4)."""
    giver, leader, found = match.to_act, match.leader, dict[SeatAction, float]()
    assert giver is not None, "he decides"
    assert leader is not None, "phase two has one"
    for give in legal_actions(match):
        assert isinstance(give, GiveCoaster), "he gives one, or none"
        order, held = playing_order(match, leader), match.coasters
        if give.to is not None:
            order = playing_order(match, give.to)
            held = with_item(with_item(held, giver, held[giver] - 1), give.to, held[give.to] + 1)
        worths = told(match.rules).worths((0, tuple(held[seat] for seat in order)))
        found[give] = worths[order.index(giver)]
    return found


def _gifts(match: CoasterMatch) -> Mapping[SeatAction, float]:
    gift = len(match.playing) / (len(match.playing) - 1)
    return {give: gift * (give != GiveCoaster(None)) for give in legal_actions(match)}


class TableStandings:
    """The worths of the standings of a half of ``maxen``, or of a match of ``chicago``.

    ``known`` returns the worths of a standing of three and more whose others are sorted: the chance
    of each not to lose. All seats but the leader's count as equal.
    """

    def __init__(self, rules: CoasterRules, known: Callable[[Standing], Sequence[float]]) -> None:
        self._rules, self._known = rules, known

    def worths(self, standing: Standing) -> Sequence[float]:
        """Return the chance of each player in play not to lose, from the leader on."""
        pile, held = standing
        if len(held) == 1:
            return (0.0,)
        if len(held) == 2:
            leads = solved(self._rules).chance(standing)
            return leads, 1 - leads
        first, *others = self._known((pile, (held[0], *sorted(held[1:]))))
        found = iter(others)
        by_place = {p: next(found) for p in sorted(range(1, len(held)), key=held.__getitem__)}
        return (first, *[by_place[place] for place in range(1, len(held))])

    def after(self, standing: Standing, best: int, worst: int, stake: int) -> tuple[float, ...]:
        """Return the worths of a round's end to its players, from the leader on: see ``booked``."""
        places = range(len(standing[1]))
        if self._rules.customs.halves and stake == GENERAL:
            return tuple(float(place != worst) for place in places)
        following, order = booked(self._rules, standing, best, worst, stake)
        by_place = dict(zip(order, self.worths(following)))
        return tuple(by_place.get(place, 1.0) for place in places)

    def ends(self, standing: Standing, own: int) -> tuple[TopWorths, ...]:
        """Return the ends of a round to the player at place ``own``, in chances not to lose."""
        game = self._rules.game

        def worth(stake: int, best: int, worst: int) -> float:
            return self.after(standing, best, worst, stake)[own] if best != worst else 0.0

        stakes = list(tops(game, lambda hand: at_stake(game, hand)))
        return by_top(stakes, len(standing[1]), worth)


_USUAL = {rules.game: rules for rules in COASTER_GAMES}


@cache
def told(rules: CoasterRules) -> TableStandings:
    """Return what standings are worth, by the shipped tables; made once."""
    return TableStandings(rules, partial(_known, rules))


def is_told(rules: CoasterRules, players: int) -> bool:
    """Return whether three and more play for the match: with as many coasters as usual."""
    usual = _USUAL[rules.game]
    is_usual = rules.coasters == usual.coasters and players <= usual.most_players
    return is_usual and is_here(rules.game, players)


def _known(rules: CoasterRules, standing: Standing) -> Sequence[float]:
    """Return the worths of a standing; with coasters that somebody took along, an estimate."""
    pile, held = standing
    found = _table(rules.game, len(held)).get(standing)
    if found is None:
        each = pile / len(held)
        found = tuple(1 - (own + each) / (pile + sum(held)) for own in held)
    return found


@cache
def _table(game: str, players: int) -> Mapping[Standing, Sequence[float]]:
    rows = Struct(f">{players}e").iter_unpack(table(game, players))
    every = standings(_USUAL[game], players)
    return {at: tuple([1.0 - each for each in row]) for at, row in zip(every, rows)}
