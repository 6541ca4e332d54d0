"""The family of the coaster games."""

from game.actions import Give, Lift, Roll, SeatAction, Stop
from game.coaster import chance, legality, moves
from game.coaster.legality import KEEPS
from game.coaster.rounds import TABLE_MOVES
from game.coaster.rules import COASTER_GAMES
from game.coaster.state import CoasterMatch, CoasterPosition, covers_next, view
from game.family import Family


def _seat_actions(players: int) -> tuple[SeatAction, ...]:
    gives = (Give(to) for to in (None, *range(players)))
    return (Roll(), Stop(), Lift(), *KEEPS, *gives)


COASTER = Family(
    games=COASTER_GAMES,
    position=CoasterPosition,
    match=CoasterMatch,
    new_match=moves.new_match,
    seat_actions=_seat_actions,
    legal_actions=legality.legal_actions,
    checks=legality.CHECKS,
    moves={**moves.MOVES, **TABLE_MOVES},
    view=view,
    hides_dice=False,
    covers_next=covers_next,
    dice_to_roll=lambda match: match.in_play,
    rolls=chance.rolls,
    laid_open=chance.laid_open,
)
