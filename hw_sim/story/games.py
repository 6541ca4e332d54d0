"""Games, their options and their rules, in words and as plain values."""

from textwrap import fill
from typing import Any

from firmware.display.text.labels import GAME_NAMES
from firmware.display.text.language import Language, say
from firmware.display.text.rulebook import GAME_TEXTS, option_key
from game import OPTIONS, RULES, Option

WIDTH = 80
_INDENT = "  "


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
                "sentence": say(GAME_TEXTS[game].sentence, language),
                "fewest_players": rules.fewest_players,
                "most_players": rules.most_players,
                "options": [_option_as_json(game, option, language) for option in OPTIONS[game]],
            }
            for game, rules in RULES.items()
        ]
    }


def rules_in_words(game: str, language: Language) -> str:
    """The rules of a game in ``RULES``, a paragraph each."""
    rules = [fill(say(rule.key, language), WIDTH) for rule in GAME_TEXTS[game].rules]
    options = _options(game, language)
    if options:
        rules.append("\n".join((say("listing.OPTIONS", language), *options)))
    return "\n\n".join((_head(game, language), *rules))


def rules_as_json(game: str, language: Language) -> dict[str, Any]:
    """The rules of a game in ``RULES`` as plain values, ready for JSON."""
    texts = GAME_TEXTS[game]
    return {
        "game": game,
        "sentence": say(texts.sentence, language),
        "rules": [{"ids": rule.ids, "text": say(rule.key, language)} for rule in texts.rules],
        "options": [_option_as_json(game, option, language) for option in OPTIONS[game]],
    }


def _head(game: str, language: Language) -> str:
    rules = RULES[game]
    players = say("listing.PLAYERS", language, least=rules.fewest_players, most=rules.most_players)
    sentence = say(GAME_TEXTS[game].sentence, language)
    shown = say(GAME_NAMES[game], language)
    name = "" if shown.casefold() == game else f"{shown}. "
    return fill(f"{game}: {name}{sentence} {players}.", WIDTH)


def _options(game: str, language: Language) -> list[str]:
    return [
        fill(
            f"{option.name} ({_values(option, language)}): "
            f"{say(option_key(game, option.name), language)}",
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
        values = say("listing.FROM", language, least=option.least)
    else:
        values = say("listing.FROM_TO", language, least=option.least, greatest=option.greatest)
    return say("listing.DEFAULT", language, values=values, default=_written(option.default))


def _option_as_json(game: str, option: Option, language: Language) -> dict[str, Any]:
    numbers = {} if option.choices else {"least": option.least, "greatest": option.greatest}
    choices = {"choices": option.choices} if option.choices else {}
    return {
        "name": option.name,
        "default": option.default,
        **choices,
        **numbers,
        "sentence": say(option_key(game, option.name), language),
    }


def _written(value: object) -> str:
    """A value as ``--option`` takes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
