"""The lobby's labels for games, options and their values."""

from dataclasses import replace

from firmware.display.screens import Item
from firmware.display.text.labels import Text
from game import OPTIONS, AnyRules, Option
from game.options import SetupError

_VALUES: dict[object, Text] = {
    "first_out": Text.OPTION_FIRST_OUT,
    "last_standing": Text.OPTION_LAST_STANDING,
    "matches": Text.OPTION_MATCHES,
    "drinks": Text.OPTION_DRINKS,
    "no_lie": Text.OPTION_NO_LIE,
    "lie": Text.OPTION_LIE,
}
_STEPS: dict[str, tuple[int, ...]] = {"tower_one_in": (50, 100, 200, 500)}
"""The dial's values of options whose range is too wide for steps of one."""
_MOST_STEPS = 10
"""The dial has so many values of any other number, from its least on."""


def option_item(value: object) -> Item:
    """Return the label of an option's value on the dial."""
    if isinstance(value, bool):
        return Text.YES if value else Text.NO
    return _VALUES[value] if value in _VALUES else str(value)


def next_value(option: Option, value: object) -> object:
    """Return the value after a tap; after the last comes the first."""
    values: tuple[object, ...] = option.choices or _STEPS.get(option.name, ())
    if not values:
        greatest = option.least + _MOST_STEPS - 1
        if option.greatest is not None:
            greatest = min(greatest, option.greatest)
        values = tuple(range(option.least, greatest + 1))
    if value not in values:
        return values[0]
    return values[(values.index(value) + 1) % len(values)]


def changed(rules: AnyRules, number: int) -> AnyRules:
    """Return the rules with option ``number`` of ``game.OPTIONS`` at its next legal value.

    It skips values that the other options forbid; if none is left, it returns the same rules.
    """
    option = OPTIONS[rules.game][number]
    value = getattr(rules, option.name)
    while (value := next_value(option, value)) != getattr(rules, option.name):
        try:
            return replace(rules, **{option.name: value})  # type: ignore[arg-type]
        except SetupError:
            continue
    return rules
