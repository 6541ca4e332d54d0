"""``maexchen-sim games`` and ``maexchen-sim rules``: the games and their rules in words."""

import argparse
import json
from typing import Any

from firmware.cli.arguments import add_locale_language
from firmware.cli.console import DONE, CommandError
from game import SetupError, rule_set
from hw_sim.cli.arguments import add_json, add_option, options
from hw_sim.story.games import games_as_json, games_in_words, rules_as_json, rules_in_words


def add_commands(commands: Any) -> None:
    """Add ``games`` and ``rules`` to what argparse calls subparsers."""
    listed = commands.add_parser(
        "games",
        help="list the games and their options",
        description="List all games with their options.",
        epilog="examples:\n  maexchen-sim games\n  maexchen-sim games --lang de\n",
    )
    listed.set_defaults(command=_games)
    told = commands.add_parser(
        "rules",
        help="tell the rules of a game or preset",
        description="Tell the rules of a game as they are played here.",
        epilog="examples:\n  maexchen-sim rules class\n"
        "  maexchen-sim rules wikipedia --option credit=5\n",
    )
    told.add_argument("game", metavar="GAME", help="as maexchen-sim games lists it")
    add_option(told)
    told.set_defaults(command=_rules)
    for command in (listed, told):
        add_json(command)
        add_locale_language(command)


def _games(args: argparse.Namespace) -> int:
    print(_json(games_as_json(args.language)) if args.json else games_in_words(args.language))
    return DONE


def _rules(args: argparse.Namespace) -> int:
    language = args.language
    try:
        rules = rule_set(args.game, options(args.game, args.option))
    except SetupError as error:
        raise CommandError(str(error)) from None
    print(_json(rules_as_json(rules, language)) if args.json else rules_in_words(rules, language))
    return DONE


def _json(found: dict[str, Any]) -> str:
    return json.dumps(found, ensure_ascii=False)
