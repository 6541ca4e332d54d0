"""Random playouts: a match in which every seat picks among its legal actions with equal chance.

They exercise the rules and measure their speed; they are no model of how people play.
"""

from typing import Protocol

from game.actions import Action, Lift, Roll
from game.bluff.legality import legal_actions
from game.bluff.moves import apply, new_match
from game.match import Match
from game.rules import RuleSet
from game.values import DICE

_ROLLS = tuple(Roll(dice) for dice in DICE)
_LIFTS = {dice: Lift(dice) for dice in DICE}


class Chance(Protocol):
    """A source of chance, such as ``random.Random(seed)``."""

    def random(self) -> float:
        """Return a number from 0 up to, not including, 1."""
        ...


def playout(
    rules: RuleSet, players: tuple[str, ...], rng: Chance, first: int = 0
) -> tuple[list[Action], Match]:
    """Play a match to its end and return its actions, dice filled in, and the match when over.

    Raises SetupError as ``new_match`` does.
    """
    random = rng.random
    match = new_match(rules, players, first)
    actions: list[Action] = []
    while match.to_act is not None:
        legal = legal_actions(match)
        action: Action = legal[int(random() * len(legal))]
        if type(action) is Roll:
            action = _ROLLS[int(random() * len(_ROLLS))]
        elif type(action) is Lift and match.dice is not None:
            action = _LIFTS[match.dice]
        actions.append(action)
        match = apply(match, action).match
    return actions, match
