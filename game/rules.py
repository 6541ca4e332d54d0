"""Rule sets: a game is data, and its options are fields.

``RULES["class"]`` is a game with its default options, and
``dataclasses.replace(RULES["class"], stakes="drinks")`` a variant of it. Every rule set is checked
when it is built.
"""

from collections.abc import Mapping
from types import MappingProxyType

from game.bluff.rules import BLUFF_GAMES, CLASS_CHOICES, HOLY_FAMILY_NUMBERS, BluffRules
from game.coaster.rules import COASTER_CHOICES, COASTER_GAMES, CoasterRules
from game.options import Option
from game.sevens.rules import SEVENS, SEVENS_CHOICES, SEVENS_NUMBERS, SevensRules

AnyRules = BluffRules | CoasterRules | SevensRules
"""The rule set of any game."""

_GAMES: tuple[AnyRules, ...] = (*BLUFF_GAMES, *COASTER_GAMES, SEVENS)

RULES: Mapping[str, AnyRules] = MappingProxyType({rules.game: rules for rules in _GAMES})
"""The games by name, each with its default options."""

_CHOICES: Mapping[str, Mapping[str, tuple[object, ...]]] = {
    "class": CLASS_CHOICES,
    "chicago": COASTER_CHOICES,
    "sevens": SEVENS_CHOICES,
}
_NUMBERS: Mapping[str, Mapping[str, tuple[int, int | None]]] = {
    "holy-family": HOLY_FAMILY_NUMBERS,
    "sevens": SEVENS_NUMBERS,
}


def _options(rules: AnyRules) -> tuple[Option, ...]:
    choices = _CHOICES.get(rules.game, {})
    numbers = _NUMBERS.get(rules.game, {})
    return (
        *(Option(name, getattr(rules, name), values) for name, values in choices.items()),
        *(
            Option(name, getattr(rules, name), least=least, greatest=greatest)
            for name, (least, greatest) in numbers.items()
        ),
    )


OPTIONS: Mapping[str, tuple[Option, ...]] = MappingProxyType(
    {game: _options(rules) for game, rules in RULES.items()}
)
"""The options of every game in ``RULES``, in the order in which they are told; often none."""
