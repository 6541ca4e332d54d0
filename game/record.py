"""Records: a match as text, one JSON object a line.

The first line is the header, every other one an action in the order played::

    {"format": "maexchen-record", "version": 1, "rules": {"game": "class", ...},
     "players": ["Ana", "Ben", "Cem"], "first": 0}
    {"action": "roll", "dice": [6, 3]}
    {"action": "announce", "value": 63}

``"dice": null`` is a roll its writer did not know. Rules a header leaves out are the game's own.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, fields, replace
from typing import Any, NamedTuple

from game.actions import (
    Action,
    Announce,
    Believe,
    Doubt,
    EndMatch,
    GiveIn,
    Leave,
    Lift,
    Look,
    OwnUp,
    Roll,
    ShowMaexchen,
    StopMatch,
    VoidRound,
    public,
)
from game.bluff.moves import apply, new_match
from game.match import Step
from game.reasons import IllegalAction
from game.rules import RULES, RuleSet, SetupError

FORMAT = "maexchen-record"
VERSION = 1

_KINDS: dict[str, type[Action]] = {
    "roll": Roll,
    "look": Look,
    "announce": Announce,
    "believe": Believe,
    "doubt": Doubt,
    "lift": Lift,
    "show_maexchen": ShowMaexchen,
    "give_in": GiveIn,
    "own_up": OwnUp,
    "end_match": EndMatch,
    "leave": Leave,
    "void_round": VoidRound,
    "stop_match": StopMatch,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}
_HEADER = ("format", "version", "rules", "players", "first")


class Record(NamedTuple):
    """A match as it was played: its rules, names by seat, first opener and actions in order."""

    rules: RuleSet
    players: tuple[str, ...]
    first: int
    actions: tuple[Action, ...]


class RecordError(ValueError):
    """A record that cannot be read or played.

    ``line`` counts from 1 (the header), ``rule`` is the id of the rule that was broken, None where
    the text itself is at fault, and ``reason`` says in words what is wrong.
    """

    def __init__(self, line: int, reason: str, rule: str | None = None) -> None:
        super().__init__(line, reason, rule)
        self.line = line
        self.reason = reason
        self.rule = rule

    def __str__(self) -> str:
        rule = f" ({self.rule})" if self.rule else ""
        return f"line {self.line}: {self.reason}{rule}"


def write(record: Record) -> str:
    """Return a record as text, a line for the header and one for each action."""
    header = {
        "format": FORMAT,
        "version": VERSION,
        "rules": asdict(record.rules),
        "players": record.players,
        "first": record.first,
    }
    actions = ({"action": _NAMES[type(action)], **asdict(action)} for action in record.actions)
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in (header, *actions))


def read(text: str) -> Record:
    """Return the record a text holds. The whole of it is played once, so it can be replayed.

    Raises RecordError for the first line that is no part of a record, is of another version, or is
    against the rules.
    """
    lines = text.removesuffix("\n").split("\n")
    rules, players, first = _read_header(_read_object(1, lines[0]))
    actions = tuple(
        _read_action(number, _read_object(number, line))
        for number, line in enumerate(lines[1:], start=2)
    )
    record = Record(rules, players, first, actions)
    for _ in replay(record):
        pass
    return record


def replay(record: Record) -> Iterator[Step]:
    """Play a record, a step for each action. Raises RecordError at a line against the rules."""
    try:
        match = new_match(record.rules, record.players, record.first)
    except SetupError as error:
        raise RecordError(1, str(error)) from error
    for number, action in enumerate(record.actions, start=2):
        try:
            step = apply(match, action)
        except IllegalAction as error:
            reason = f"{action} is not possible: {error.reason.sentence}"
            raise RecordError(number, reason, error.reason.rule) from error
        yield step
        match = step.match


def public_record(record: Record) -> Record:
    """Return what everybody may know of a record: the rolls without their dice (B-7)."""
    return record._replace(actions=tuple(public(action) for action in record.actions))


def _read_object(number: int, line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise RecordError(number, f"a JSON object is needed, not {line[:40]!r}")
    return found


def _read_header(header: dict[str, Any]) -> tuple[RuleSet, tuple[str, ...], int]:
    if header.get("format") != FORMAT:
        raise RecordError(1, f"no record of this game: a header has the format {FORMAT!r}")
    if header.get("version") != VERSION:
        version = header.get("version")
        raise RecordError(1, f"version {VERSION} can be read, this record is version {version!r}")
    if sorted(header) != sorted(_HEADER):
        raise RecordError(1, f"a header has {', '.join(_HEADER)}, not {', '.join(header)}")
    players = header["players"]
    if not isinstance(players, list):
        raise RecordError(1, f"players are a list of names, not {players!r}")
    return _read_rules(header["rules"]), tuple(players), header["first"]


def _read_rules(options: object) -> RuleSet:
    if not isinstance(options, dict) or not isinstance(options.get("game"), str):
        raise RecordError(1, f"rules are an object that names its game, not {options!r}")
    game = options["game"]
    if game not in RULES:
        raise RecordError(1, f"unknown game {game!r}, known: {', '.join(RULES)}")
    known = [field.name for field in fields(RuleSet)]
    for option in options:
        if option not in known:
            raise RecordError(1, f"unknown rule option {option!r}, known: {', '.join(known)}")
    try:
        return replace(RULES[game], **options)
    except SetupError as error:
        raise RecordError(1, str(error)) from error


def _read_action(number: int, line: dict[str, Any]) -> Action:
    name = line.pop("action", None)
    kind = _KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise RecordError(number, f"unknown action {name!r}, known: {', '.join(_KINDS)}")
    needed = [field.name for field in fields(kind)]
    if sorted(line) != needed:
        given = ", ".join(line) or "nothing"
        raise RecordError(number, f"{name} takes {', '.join(needed) or 'nothing'}, not {given}")
    return kind(**{key: _read_field(number, key, value) for key, value in line.items()})


def _read_field(number: int, key: str, value: object) -> Any:
    """Return an action's one field: dice or a whole number. The rules judge what it says."""
    if key == "dice" and value is None:
        return None
    if key == "dice" and isinstance(value, list) and all(type(die) is int for die in value):
        return tuple(value)
    if key != "dice" and type(value) is int:
        return value
    need = "a list of whole numbers or null" if key == "dice" else "a whole number"
    raise RecordError(number, f"{key} is {need}, not {value!r}")
