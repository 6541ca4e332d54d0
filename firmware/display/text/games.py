"""The names of the games, and explanations of the lobby's choices."""

from collections.abc import Mapping

from firmware.display.text.labels import VOLUME_TEXTS, Text
from firmware.display.text.words import Words

GAME_NAMES = {
    "class": Text.GAME_CLASS,
    "physicist": Text.GAME_PHYSICIST,
    "holy-family": Text.GAME_HOLY_FAMILY,
    "maxen": Text.GAME_MAXEN,
    "chicago": Text.GAME_CHICAGO,
    "sevens": Text.GAME_SEVENS,
}
"""The name of each game in ``game.RULES`` on the display."""

HOW = Words(
    "Neigen zeigt, was es gibt, tippen wählt. Der Strich wählt nichts.",
    "Tilt to see what there is, tap to choose. The dash chooses nothing.",
)
ANY_GAME = Words(
    "Neigen: jedes Spiel sagt, worum es geht.", "Tilt: each game says what it is about."
)
ABOUT_ROOMS = Words(
    "Mit Freunden anderswo: einer macht einen Raum und liest den Code vor.",
    "With friends elsewhere: one makes a room and reads its code out.",
)
ABOUT: Mapping[object, Words] = {
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
    Text.FIRST_MATCH: Words(
        "Mäxchen lernen, ein Schritt nach dem anderen.",
        "Learn Mäxchen, one step at a time.",
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
"""Explanations of the first answers, by the entry of the dial (``Item``)."""
