"""The family of ``sevens``."""

from game.actions import Roll, Stop
from game.family import Family
from game.open_dice import open_rolls
from game.sevens import legality, moves
from game.sevens.rules import SEVENS as GAME
from game.sevens.state import SevensMatch, SevensPosition, view

SEVENS = Family(
    games=(GAME,),
    position=SevensPosition,
    match=SevensMatch,
    new_match=moves.new_match,
    seat_actions=lambda _: (Roll(), Stop()),
    legal_actions=legality.legal_actions,
    checks=legality.CHECKS,
    moves=moves.MOVES,
    view=view,
    hides_dice=False,
    covers_next=lambda _: False,
    dice_to_roll=lambda match: match.rules.dice,
    rolls=lambda match: open_rolls(match.rules.dice),
    laid_open=lambda _, action: action,
)
