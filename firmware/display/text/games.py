"""The names of the games, and the keys of explanations of the lobby's choices."""

from collections.abc import Mapping

from firmware.display.text.labels import VOLUME_TEXTS, Text

GAME_NAMES = {
    "class": Text.GAME_CLASS,
    "physicist": Text.GAME_PHYSICIST,
    "holy-family": Text.GAME_HOLY_FAMILY,
    "maxen": Text.GAME_MAXEN,
    "chicago": Text.GAME_CHICAGO,
    "sevens": Text.GAME_SEVENS,
}
"""The name of each game in ``game.RULES`` on the display."""

HOW = "about.HOW"
ANY_GAME = "about.ANY_GAME"
ABOUT_ROOMS = "about.ABOUT_ROOMS"
_EXPLAINED = (
    Text.OPEN_TABLE,
    Text.JOIN_TABLE,
    Text.WATCH_TABLE,
    Text.ONE_HANDHELD,
    Text.FIRST_MATCH,
    Text.PRACTICE,
    Text.OTHER_NAME,
)
ABOUT: Mapping[object, str] = {
    **{text: f"about.{text.name}" for text in _EXPLAINED},
    **dict.fromkeys(VOLUME_TEXTS, "about.VOLUME"),
}
"""Keys of the explanations of the first answers, by the entry of the dial (``Item``)."""
