"""Games, their options and their rules, in words and as plain values."""

from textwrap import fill
from typing import Any

from firmware.display.oled.marks import item_text
from firmware.display.text.labels import Text, game_name
from firmware.display.text.language import Language, say
from firmware.display.text.rulebook import (
    option_key,
    rules_of,
    sentence_key,
    sentence_of,
    short_key,
    value_key,
)
from firmware.lobby import choices
from game import OPTIONS, PRESETS, TABLES, AnyRules, Option, nearest_table, rule_set
from game.options import ClashError
from game.rules import Reach

WIDTH, _INDENT = 80, "  "


def games_in_words(language: Language) -> str:
    """All games and presets: a sentence each, the number of players, and a line for each option."""
    return "\n\n".join(
        "\n".join((_head(table, language, sentence_key(table)), *_options(table, language)))
        for table in TABLES
    )


def games_as_json(language: Language) -> dict[str, Any]:
    """All games and presets with players and options as plain values, ready for JSON.

    A preset has the options of its game; their defaults are its own.
    """
    return {
        "games": [
            {
                "game": table,
                "sentence": say(sentence_key(table), language),
                "fewest_players": rules.fewest_players,
                "most_players": rules.most_players,
                "options": [_option_as_json(option, language) for option in options_of(table)],
            }
            for table in TABLES
            for rules in (rule_set(table, {}),)
        ]
    }


def options_of(table: str) -> tuple[Option, ...]:
    """Return the options of a game or preset (a name in ``TABLES``), with its own defaults."""
    rules = rule_set(table, {})
    options = OPTIONS[rules.game]
    return tuple(option._replace(default=getattr(rules, option.name)) for option in options)


def rules_in_words(rules: AnyRules, language: Language) -> str:
    """The rules of a table, a paragraph each, and how well anybody can advise there."""
    told = [fill(rule.text(language), WIDTH, break_on_hyphens=False) for rule in rules_of(rules)]
    options = "\n".join((say("listing.OPTIONS", language), *_options(rules.game, language)))
    advice = fill(_advice(rules, language), WIDTH, break_on_hyphens=False)
    head = _head(nearest_table(rules).table, language, sentence_of(rules))
    return "\n\n".join((head, *told, advice, options))


def rules_as_json(rules: AnyRules, language: Language) -> dict[str, Any]:
    """The rules of a table as plain values, ready for JSON."""
    known = nearest_table(rules)
    return {
        "game": known.table,
        "changes": known.changes,
        "sentence": say(sentence_of(rules), language),
        "rules": [{"ids": rule.ids, "text": rule.text(language)} for rule in rules_of(rules)],
        "advice": {str(players): reach.value for players, reach in _reaches(rules).items()},
        "options": [_option_as_json(option, language) for option in options_of(known.table)],
    }


def _reaches(rules: AnyRules) -> dict[int, Reach]:
    """Return how well the coach advises, by the number of players."""
    from game.coach import advice_on  # many modules, for a command that few use

    return {n: advice_on(rules, n) for n in range(rules.fewest_players, rules.most_players + 1)}


def _advice(rules: AnyRules, language: Language) -> str:
    """Return a sentence about the coach: larger tables are harder to solve."""
    reaches = _reaches(rules)
    exact = [players for players, reach in reaches.items() if reach is Reach.EXACT]
    if exact and len(exact) < len(reaches):
        return say("listing.ADVICE_UP_TO", language, most=exact[-1])
    return say(f"listing.ADVICE_{reaches[rules.most_players].name}", language)


def differences(rules: AnyRules, language: Language) -> list[str]:
    """Return what differs from the nearest game, or from a preset, whose name comes first."""
    table, changes = nearest_table(rules)
    named = [table_title(table, language)] if changes and table in PRESETS else []
    return named + [item_text(choices.line_about(*each), language) for each in changes.items()]


def clash_in_words(clash: ClashError, language: Language) -> list[str]:
    """Return the two options that contradict each other, a line each."""
    return [item_text(choices.line_about(*each), language) for each in clash.options]


def table_title(table: str, language: Language) -> str:
    """Return the name of a game or preset, as a person reads it."""
    return PRESETS[table].name if table in PRESETS else say(game_name(table), language)


def value_in_words(value: object, language: Language) -> str:
    """Return the label of an option's value."""
    if isinstance(value, bool):
        return say(Text.YES if value else Text.NO, language)
    return say(value_key(value), language) if isinstance(value, str) else str(value)


def _head(table: str, language: Language, about: str) -> str:
    rules = rule_set(table, {})
    players = say("listing.PLAYERS", language, least=rules.fewest_players, most=rules.most_players)
    sentence = say(about, language)
    shown = table_title(table, language)
    name = "" if shown.casefold() == table else f"{shown}. "
    return fill(f"{table}: {name}{sentence} {players}.", WIDTH)


def _options(table: str, language: Language) -> list[str]:
    if table in PRESETS:
        changes = ", ".join(f"{name}={written(v)}" for name, v in PRESETS[table].options.items())
        told = [f"{PRESETS[table].game}: {changes}"]
    else:
        told = [
            f"{each.name} ({_values(each, language)}): {say(option_key(each.name), language)}"
            for each in OPTIONS[table]
        ]
    more = 2 * _INDENT
    return [fill(each, WIDTH, initial_indent=_INDENT, subsequent_indent=more) for each in told]


def _values(option: Option, language: Language) -> str:
    if option.choices:
        values = ", ".join(map(written, option.choices))
    else:
        values = say("listing.FROM_TO", language, least=option.least, greatest=option.greatest)
    return say("listing.DEFAULT", language, values=values, default=written(option.default))


def _option_as_json(option: Option, language: Language) -> dict[str, Any]:
    values: dict[str, Any] = {"least": option.least, "greatest": option.greatest}
    if option.choices:
        labels = [value_in_words(value, language) for value in option.choices]
        values = {"choices": option.choices, "labels": labels}
    return {
        "name": option.name,
        "default": option.default,
        **values,
        "sentence": say(option_key(option.name), language),
        "short": say(short_key(option.name), language, name="{name}"),
    }


def written(value: object) -> str:
    """A value as ``--option`` takes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
