"""The rules core: pure. No input or output, no clock, no chance of its own.

Only ``apply`` moves a match::

    match = new_match(RULES["class"], ("Ana", "Ben", "Cem"), first=0)
    match, events = apply(match, Roll((6, 3)))

``illegality`` decides what is possible; ``legal_actions``, ``table_actions`` and ``apply`` use it.
These functions are the same for all games in ``RULES``. A bluff game is a ``Match``, a coaster game
a ``CoasterMatch``, and ``sevens`` a ``SevensMatch``. The last two are an ``OpenMatch``.

``view`` is the only way hidden dice leave a match.

May import: nothing of ours. Begin with ``engines``.
"""

from game.bluff.rules import BluffRules, Match
from game.coaster.rules import CoasterHand, CoasterMatch, CoasterRules
from game.engines import (
    AnyMatch,
    AnyStep,
    advance,
    apply,
    covers_next,
    dice_to_roll,
    hides_dice,
    illegality,
    keeps_dice,
    laid_open,
    legal_actions,
    new_match,
    outcome,
    public,
    rolls,
    seat_actions,
    table_actions,
    view,
)
from game.events import Step
from game.open_dice import OpenMatch, OpenRules
from game.options import PRESETS, Option, SetupError
from game.reasons import IllegalAction, Reason
from game.rules import (
    OPTIONS,
    RULES,
    TABLES,
    AnyRules,
    game_of,
    nearest_table,
    parsed_option,
    rule_set,
    to_plain,
)
from game.sevens import SevensMatch, SevensRules
from game.status import Outcome, Phase, Status, Unit
