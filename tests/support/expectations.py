"""Exact expectations of a game through its rules alone.

``expectation`` returns the worth of a position: exact over chance, by a rule of yours over
decisions.

``options`` computes a worth only on access, so a rule that always stops costs little:
``options[Stop()]``. ``choose`` gets the match it decides in: use ``view(match, seat)`` if dice are
covered. Third throws of ``maxen`` need no such care: nobody has seen them, so they fall when they
are lifted.
"""

from collections.abc import Mapping
from fractions import Fraction

from game import apply, laid_open, legal_actions, rolls
from game.actions import Lift, Roll, ShowTower


def chances(match, action):
    """Return the possible outcomes of a legal action, with exact chances that add up to 1.

    The outcomes of a roll are ``rolls(match)``; so are those of a lift of dice that this copy of
    the match does not know. An action without chance is itself, for certain.
    """
    if type(action) is Roll and action.dice is None:
        return rolls(match)
    if type(action) in (Lift, ShowTower):
        action = laid_open(match, action)
    if type(action) is Lift and action.dice is None:
        return tuple((Lift(roll.dice, roll.tower), chance) for roll, chance in rolls(match))
    return ((action, Fraction(1)),)


def successors(match):
    """Yield every action of the seat that is to act, dice filled in, and the match after it."""
    for legal in legal_actions(match):
        for action, _ in chances(match, legal):
            yield action, apply(match, action).match


class Options(Mapping):
    """The legal actions of a position with their worths, each computed on access."""

    def __init__(self, actions, worth):
        self._actions, self._worth = actions, worth

    def __getitem__(self, action):
        if action not in self._actions:
            raise KeyError(action)
        return self._worth(action)

    def __iter__(self):
        return iter(self._actions)

    def __len__(self):
        return len(self._actions)


def expectation(match, worth, choose):
    """Return the worth of a position: exact over all dice, by ``choose`` over all decisions.

    ``worth`` is asked first; None means that play goes on. For a decision, ``choose(match,
    options)`` gets every legal action with its worth, and returns the worth of the position. That
    may be the greatest of them, the smallest, a mean, or the worth of one action, if you know how
    the seat decides.

    Positions that are equal but for ``turn`` are worked out once.

    Raises:
        ValueError: play can come back to a position, as in a tied roll-off: end it there with
            ``worth``; or ``worth`` returns None for a match that is over.
    """
    known = {}

    def value(match):
        given = worth(match)
        if given is not None:
            return Fraction(given)
        position = match.replace(turn=0)
        if position in known:
            found = known[position]
            if found is None:
                raise ValueError(f"play comes back to {match.phase} of seat {match.to_act}")
            return found
        known[position] = None
        legal = legal_actions(match)
        if not legal:
            raise ValueError("worth has to say what a match is worth that is over")
        options = Options(legal, lambda action: after(match, action))
        result = options[legal[0]] if len(legal) == 1 else Fraction(choose(match, options))
        known[position] = result
        return result

    def after(match, action):
        outcomes = chances(match, action)
        return sum(chance * value(apply(match, each).match) for each, chance in outcomes)

    return value(match)
