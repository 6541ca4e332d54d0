"""Games, their options and their rules, in words and as plain values."""

from enum import Enum
from textwrap import fill
from typing import Any

from firmware.display.text.rulebook import GAME_TEXTS
from firmware.display.text.words import Words, words
from game import OPTIONS, RULES, Option
from game.spoken import Language

WIDTH = 80
_INDENT = "  "


class _Said(Enum):
    PLAYERS = Words("{least} bis {most} Spieler", "{least} to {most} players")
    DEFAULT = Words("{values}, Standard {default}", "{values}, default {default}")
    FROM = Words("ab {least}", "from {least}")
    FROM_TO = Words("{least} bis {greatest}", "{least} to {greatest}")
    OPTIONS = Words("Optionen", "Options")


def games_in_words(language: Language) -> str:
    """All games: a sentence each, the number of players, and a line for each option."""
    return "\n\n".join(
        "\n".join((_head(game, language), *_options(game, language))) for game in RULES
    )


def games_as_json(language: Language) -> dict[str, Any]:
    """All games with players and options as plain values, ready for JSON."""
    return {
        "games": [
            {
                "game": game,
                "sentence": words(GAME_TEXTS[game].sentence, language),
                "fewest_players": rules.fewest_players,
                "most_players": rules.most_players,
                "options": [_option_as_json(game, option, language) for option in OPTIONS[game]],
            }
            for game, rules in RULES.items()
        ]
    }


def rules_in_words(game: str, language: Language) -> str:
    """The rules of a game in ``RULES``, a paragraph each."""
    rules = [fill(words(rule.words, language), WIDTH) for rule in GAME_TEXTS[game].rules]
    options = _options(game, language)
    if options:
        rules.append("\n".join((f"{_say(_Said.OPTIONS, language)}:", *options)))
    return "\n\n".join((_head(game, language), *rules))


def rules_as_json(game: str, language: Language) -> dict[str, Any]:
    """The rules of a game in ``RULES`` as plain values, ready for JSON."""
    texts = GAME_TEXTS[game]
    return {
        "game": game,
        "sentence": words(texts.sentence, language),
        "rules": [{"ids": rule.ids, "text": words(rule.words, language)} for rule in texts.rules],
        "options": [_option_as_json(game, option, language) for option in OPTIONS[game]],
    }


def _head(game: str, language: Language) -> str:
    rules = RULES[game]
    players = _say(_Said.PLAYERS, language, least=rules.fewest_players, most=rules.most_players)
    sentence = words(GAME_TEXTS[game].sentence, language)
    return fill(f"{game}: {sentence} {players}.", WIDTH)


def _options(game: str, language: Language) -> list[str]:
    return [
        fill(
            f"{option.name} ({_values(option, language)}): "
            f"{words(GAME_TEXTS[game].options[option.name], language)}",
            WIDTH,
            initial_indent=_INDENT,
            subsequent_indent=2 * _INDENT,
        )
        for option in OPTIONS[game]
    ]


def _values(option: Option, language: Language) -> str:
    if option.choices:
        values = ", ".join(map(_written, option.choices))
    elif option.greatest is None:
        values = _say(_Said.FROM, language, least=option.least)
    else:
        values = _say(_Said.FROM_TO, language, least=option.least, greatest=option.greatest)
    return _say(_Said.DEFAULT, language, values=values, default=_written(option.default))


def _option_as_json(game: str, option: Option, language: Language) -> dict[str, Any]:
    numbers = {} if option.choices else {"least": option.least, "greatest": option.greatest}
    choices = {"choices": option.choices} if option.choices else {}
    return {
        "name": option.name,
        "default": option.default,
        **choices,
        **numbers,
        "sentence": words(GAME_TEXTS[game].options[option.name], language),
    }


def _written(value: object) -> str:
    """A value as ``--option`` takes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _say(said: _Said, language: Language, **places: object) -> str:
    return words(said.value, language).format(**places)
