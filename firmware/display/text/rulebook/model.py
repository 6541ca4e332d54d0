"""The rules in words as values, read from ``rules.toml``."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from firmware.display.text.words import Words


class Rule(NamedTuple):
    """A piece of the rules: ``ids`` of its rules, such as "R-HF-9", and its ``words``."""

    ids: tuple[str, ...]
    words: Words


class GameTexts(NamedTuple):
    """The texts about a game.

    ``sentence`` says in one sentence what it is. ``rules`` are in the order of an explanation.
    ``options`` has a sentence for each option, by its name.
    """

    sentence: Words
    rules: tuple[Rule, ...]
    options: Mapping[str, Words]


_BOOK: Mapping[str, Any] = tomllib.loads(
    Path(__file__).with_name("rules.toml").read_text(encoding="utf-8")
)


def _words(of: Mapping[str, str]) -> Words:
    return Words(of["de"], of["en"])


def _rules(pieces: Iterable[Mapping[str, str]]) -> Iterator[Rule]:
    for piece in pieces:
        if "all" in piece:
            yield from _rules(_BOOK[piece["all"]])
        else:
            yield Rule(tuple(piece["ids"].split()), _words(piece))


GAME_TEXTS: Mapping[str, GameTexts] = {
    game: GameTexts(
        _words(of),
        tuple(_rules(of["rules"])),
        {name: _words(option) for name, option in of.get("options", {}).items()},
    )
    for game, of in _BOOK["games"].items()
}
"""The texts about each game in ``game.RULES``."""
