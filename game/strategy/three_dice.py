"""How ``maxen`` and ``chicago`` are thrown best: which dice to keep and turn, and when to stop.

The last two players throw for not losing, worked out to the end of the match (``coasters``). More
players throw for the coasters of a round (``among``).
"""

from collections.abc import Mapping

from game.actions import Give, SeatAction
from game.coaster.state import CoasterMatch
from game.engines import legal_actions
from game.open_dice import playing_order
from game.status import Phase
from game.strategy import among
from game.strategy.coasters import Standing, are_solved, solved


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
    if rules.game == "chicago" or len(lost) == 2:
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
