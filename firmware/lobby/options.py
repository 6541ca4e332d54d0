"""How the lobby names games, options and their values."""

from dataclasses import replace

from firmware.display.screens import Item
from firmware.display.text.labels import Text, Words
from firmware.effects.sounds import VOLUME_TEXTS
from game import OPTIONS, AnyRules, Option
from game.options import SetupError

GAME_NAMES = {
    "class": Text.GAME_CLASS,
    "physicist": Text.GAME_PHYSICIST,
    "holy-family": Text.GAME_HOLY_FAMILY,
    "maxen": Text.GAME_MAXEN,
    "chicago": Text.GAME_CHICAGO,
    "sevens": Text.GAME_SEVENS,
}
"""What each game in ``game.RULES`` is called on the display."""
_VALUES: dict[object, Text] = {
    "first_out": Text.OPTION_FIRST_OUT,
    "last_standing": Text.OPTION_LAST_STANDING,
    "matches": Text.OPTION_MATCHES,
    "drinks": Text.OPTION_DRINKS,
    "no_lie": Text.OPTION_NO_LIE,
    "lie": Text.OPTION_LIE,
}
_STEPS: dict[str, tuple[int, ...]] = {"tower_one_in": (50, 100, 200, 500)}
"""Numbers to choose from where there are too many."""
_MOST_STEPS = 10

HOW = Words(
    "Neigen zeigt, was es gibt, tippen wählt. Der Strich wählt nichts.",
    "Tilt to see what there is, tap to choose. The dash chooses nothing.",
)
ANY_GAME = Words(
    "Neigen: jedes Spiel sagt, worum es geht.", "Tilt: each game says what it is about."
)
ABOUT: dict[Item, Words] = {
    Text.OPEN_TABLE: Words(
        "Einen Tisch aufmachen: die anderen spielen mit oder schauen zu.",
        "Open a table: the others join it, or watch.",
    ),
    Text.JOIN_TABLE: Words(
        "An einen Tisch gehen, zu dem jemand hier einlädt.",
        "Go to a table that somebody near invites to.",
    ),
    Text.WATCH_TABLE: Words(
        "An einem Tisch zuschauen, ohne mitzuspielen.",
        "Watch at a table, and do not play.",
    ),
    Text.ONE_HANDHELD: Words(
        "Dieses Gerät geht reihum. Jeder sieht nur, was er darf.",
        "This handheld goes round. Each sees only what he may.",
    ),
    Text.PRACTICE: Words(
        "Gegen dieses Gerät: es spielt alle anderen.",
        "Against this handheld: it plays all the others.",
    ),
    Text.OTHER_NAME: Words("Einen anderen Namen wählen.", "Choose another name."),
    **dict.fromkeys(
        VOLUME_TEXTS,
        Words(
            "So laut sind die Töne. Tippen ändert es.", "So loud are the sounds. Tap to change it."
        ),
    ),
}
"""What the first answers mean."""

NAMES = (
    "Ana", "Ben", "Cem", "Dea", "Eli", "Fay", "Gus", "Hal", "Ida", "Jan", "Kim", "Leo", "Mia",
    "Nils", "Ole", "Pia", "Rosa", "Sam", "Tom", "Uta", "Vera", "Willi", "Zoe",
)  # fmt: skip
"""Names to choose from by tilting."""


def option_item(value: object) -> Item:
    """What an option is set to, as the dial says it."""
    if isinstance(value, bool):
        return Text.YES if value else Text.NO
    return _VALUES[value] if value in _VALUES else str(value)


def next_value(option: Option, value: object) -> object:
    """Return the value that a tap leads to; after the last one comes the first."""
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
    """Return the rules with option ``number`` set to its next value that goes with the others."""
    option = OPTIONS[rules.game][number]
    value = getattr(rules, option.name)
    while (value := next_value(option, value)) != getattr(rules, option.name):
        try:
            return replace(rules, **{option.name: value})  # type: ignore[arg-type]
        except SetupError:
            continue
    return rules
