"""The family of the bluff games."""

from game.bluff import chance, legality, moves
from game.bluff.rules import BLUFF_GAMES
from game.bluff.state import BluffPosition, Match, view
from game.family import Family

_DICE = 2

BLUFF = Family(
    games=BLUFF_GAMES,
    position=BluffPosition,
    match=Match,
    new_match=moves.new_match,
    seat_actions=lambda _: legality.SEAT_ACTIONS,
    legal_actions=legality.legal_actions,
    checks=legality.CHECKS,
    moves=moves.MOVES,
    view=view,
    hides_dice=True,
    covers_next=lambda _: True,
    dice_to_roll=lambda _: _DICE,
    rolls=chance.rolls,
    laid_open=chance.laid_open,
)
