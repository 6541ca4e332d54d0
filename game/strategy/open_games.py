"""The worth of every choice in a game of open dice: the basis of bots, hints and the coach."""

from collections.abc import Mapping

from game.actions import SeatAction
from game.coaster.rules import CoasterRules
from game.coaster.state import CoasterMatch
from game.sevens.rules import SevensRules
from game.sevens.state import SevensMatch
from game.status import Phase
from game.strategy import among, sevens, three_dice
from game.strategy.coasters import are_solved

OpenRules = CoasterRules | SevensRules
OpenMatch = CoasterMatch | SevensMatch


def for_the_match(rules: OpenRules, players: int) -> bool:
    """Return whether worths are chances not to lose the match; else they are of one round."""
    if isinstance(rules, SevensRules):
        return sevens.is_small(rules, players)
    return players == 2 and are_solved(rules)


def prepare(rules: OpenRules, players: int) -> None:
    """Make the tables now that later choices are looked up in."""
    if isinstance(rules, SevensRules):
        sevens.prepare(rules, players)
    else:
        among.prepare(rules, players)


def prepare_round(match: OpenMatch) -> None:
    """Make the tables of the round that begins; without one there is nothing to do."""
    if match.phase is not Phase.TO_THROW:
        return
    if isinstance(match, SevensMatch):
        _ = sevens.running(match).worths
    else:
        three_dice.prepare_round(match)


def worths(match: OpenMatch) -> Mapping[SeatAction, float]:
    """Return the worth of each legal action to the seat that has thrown, or may give a coaster.

    ``match`` may be any view of it: covered dice are not used. See ``sevens.worths`` and
    ``three_dice.worths`` for the unit.
    """
    return sevens.worths(match) if isinstance(match, SevensMatch) else three_dice.worths(match)


def chances(match: OpenMatch) -> tuple[float, ...]:
    """Return by seat the chance not to lose the match, between rounds, if ``for_the_match``.

    A seat that has left has chance 0.
    """
    if isinstance(match, SevensMatch):
        by_seat = dict(zip(match.order, sevens.running(match).worths))
        by_seat = dict.fromkeys(match.at_table, 1.0) | by_seat
    else:
        by_seat = {seat: three_dice.chance(match, seat) for seat in match.order}
    return tuple(by_seat.get(seat, 0.0) for seat in range(len(match.players)))
