"""The rules core: pure. No input or output, no clock, no chance of its own.

A match is moved by ``apply`` alone::

    match = new_match(RULES["class"], ("Ana", "Ben", "Cem"), first=0)
    match, events = apply(match, Roll((6, 3)))

``illegality`` decides what is possible; ``legal_actions``, ``table_actions`` and ``apply`` use it.
``view`` is the only way hidden dice leave a match.
"""

from game.actions import public
from game.bluff.legality import illegality, legal_actions, table_actions
from game.bluff.moves import apply, new_match
from game.match import Match, Outcome, Phase, Status, Step, outcome
from game.reasons import IllegalAction, Reason
from game.rules import RULES, RuleSet, SetupError
from game.views import view

__all__ = [
    "RULES",
    "IllegalAction",
    "Match",
    "Outcome",
    "Phase",
    "Reason",
    "RuleSet",
    "SetupError",
    "Status",
    "Step",
    "apply",
    "illegality",
    "legal_actions",
    "new_match",
    "outcome",
    "public",
    "table_actions",
    "view",
]
