"""Records: a match as text, one JSON object a line.

The first line is the header, every other one an action in the order played::

    {"format": "maexchen-record", "version": 1, "rules": {"game": "class", ...},
     "players": ["Ana", "Ben", "Cem"], "first": 0}
    {"action": "roll", "dice": [6, 3]}
    {"action": "announce", "value": 63}

``"dice": null`` is a roll its writer did not know. Options that a header leaves out have the game's
defaults. A line leaves out ``tower``, ``flourish`` and ``wrong_way`` if there is none.

The counts of a match by player follow from its record:

>>> from game import RULES
>>> from game.actions import Announce, Doubt, Lift, Roll
>>> record = Record(
...     RULES["class"],
...     ("Ana", "Ben", "Cem"),
...     0,
...     (Roll((3, 1)), Announce(62), Doubt(), Lift()),
... )
>>> ana, ben, _ = statistics(3, replay(record))
>>> ana.lies_caught, ben.right_doubts
(1, 1)
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, NamedTuple, get_args

from game import events
from game.actions import Action, FaultKind, Flourish, GiveCoaster, Words
from game.engines import AnyMatch, AnyStep, apply, new_match, public
from game.options import SetupError
from game.reasons import IllegalAction
from game.rules import RULES, AnyRules

FORMAT = "maexchen-record"
VERSION = 1
"""The version of the format; chosen."""

_NAMES: dict[type[Action], str] = {
    kind: re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower() for kind in get_args(Action)
} | {GiveCoaster: "give"}  # as records since the first version have it
"""The name of an action in a record: its class, as ``show_tower`` for ``ShowTower``."""
_KINDS = {name: kind for kind, name in _NAMES.items()}
_LEFT_OUT: dict[str, object] = {"tower": False, "flourish": None, "wrong_way": False}
"""Fields a line leaves out where they have these values."""
_HEADER = ("format", "version", "rules", "players", "first")
_ALWAYS = (
    *("game", "fewest_players", "most_players", "credit", "rolls", "looks", "ends", "stakes"),
    *("understating", "points", "losers", "tower_one_in", "coasters", "levelling"),
    *("seven_dice", "rounds"),
)
"""The rules in every header; others are written only where they differ from the game's usual."""

_ONCE_MOST = 8
"""The most players that a header of an earlier release tells. Digests of logs begin with it."""


class Record(NamedTuple):
    """A played match: its rules, names by seat, first opener and actions in order."""

    rules: AnyRules
    players: tuple[str, ...]
    first: int
    actions: tuple[Action, ...]


class RecordError(ValueError):
    """A record that cannot be read or played.

    ``line`` counts from 1 (the header). ``rule`` is the id of the broken rule, None if the text
    itself is wrong. ``reason`` says in words what is wrong.
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
    """Return a record as text: a JSON line for the header and one for each action."""
    rules = _plain_rules(record.rules, len(record.players))
    header = dict(zip(_HEADER, (FORMAT, VERSION, rules, record.players, record.first)))
    actions = (to_plain(action) for action in record.actions)
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in (header, *actions))


def _plain_rules(rules: AnyRules, players: int) -> dict[str, object]:
    """Return the fields of rules, without options of the sheet that are as usual and came later."""
    usual = RULES[rules.game]
    told = {
        name: value
        for name, value in asdict(rules).items()
        if name in _ALWAYS or value != getattr(usual, name)
    }
    if rules.most_players == usual.most_players:
        told["most_players"] = _told_most(rules.game, players)
    return told


def _told_most(game: str, players: int) -> int:
    """Return the most players in a header: 8 for a table that earlier releases know, too."""
    return min(RULES[game].most_players, max(_ONCE_MOST, players))


def to_plain(action: Action) -> dict[str, object]:
    """Return an action as its line in a record, before it becomes JSON."""
    fields = {
        key: value
        for key, value in asdict(action).items()
        if key not in _LEFT_OUT or value != _LEFT_OUT[key]
    }
    return {"action": _NAMES[type(action)], **fields}


def read(text: str) -> Record:
    """Return the record of a text. It is played through once, so it can be replayed.

    Raises RecordError for the first line that is no part of a record, is of another version, or is
    against the rules.
    """
    lines = text.removesuffix("\n").split("\n")
    rules, players, first = _read_header(_read_object(1, lines[0]))
    actions = tuple(read_action(line, number) for number, line in enumerate(lines[1:], start=2))
    record = Record(rules, players, first, actions)
    for _ in replay(record):
        pass
    return record


def read_action(line: str, number: int = 2) -> Action:
    """Return the action that a line of a record holds. Raises RecordError with its ``number``."""
    return _read_action(number, _read_object(number, line))


def replay(record: Record) -> Iterator[AnyStep]:
    """Yield a step for each action, in order. Raises RecordError at a line against the rules."""
    try:
        match: AnyMatch = new_match(record.rules, record.players, record.first)
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
    """Return the part of a record that everybody may know: no dice of covered rolls (B-7, T-5).

    Raises RecordError as ``replay`` does.
    """
    match: AnyMatch = new_match(record.rules, record.players, record.first)
    known: list[Action] = []
    for action, step in zip(record.actions, replay(record), strict=True):
        known.append(public(action, match))
        match = step.match
    return record._replace(actions=tuple(known))


def _read_object(number: int, line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise RecordError(number, f"a JSON object is needed, not {line[:40]!r}")
    return found


def _read_header(header: dict[str, Any]) -> tuple[AnyRules, tuple[str, ...], int]:
    if header.get("format") != FORMAT:
        raise RecordError(1, f"no record of this game: a header has the format {FORMAT!r}")
    version = header.get("version")
    if not _is_whole(version) or version != VERSION:
        raise RecordError(1, f"version {VERSION} can be read, this record is version {version!r}")
    if sorted(header) != sorted(_HEADER):
        raise RecordError(1, f"a header has {', '.join(_HEADER)}, not {', '.join(header)}")
    players = header["players"]
    if not isinstance(players, list):
        raise RecordError(1, f"players are a list of names, not {players!r}")
    return _read_rules(header["rules"], len(players)), tuple(players), header["first"]


def _read_rules(options: object, players: int) -> AnyRules:
    if not isinstance(options, dict) or not isinstance(options.get("game"), str):
        raise RecordError(1, f"rules are an object that names its game, not {options!r}")
    game = options["game"]
    if game not in RULES:
        raise RecordError(1, f"unknown game {game!r}, known: {', '.join(RULES)}")
    known = [field.name for field in fields(RULES[game])]
    for option in options:
        if option not in known:
            raise RecordError(1, f"unknown rule option {option!r}, known: {', '.join(known)}")
    if options.get("most_players") == _told_most(game, players):
        options = {**options, "most_players": RULES[game].most_players}
    try:
        return replace(RULES[game], **options)
    except SetupError as error:
        raise RecordError(1, str(error)) from error


def _read_action(number: int, line: dict[str, Any]) -> Action:
    name = line.pop("action", None)
    kind = _KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise RecordError(number, f"unknown action {name!r}, known: {', '.join(_KINDS)}")
    known = [field.name for field in fields(kind)]
    needed = [field for field in known if field not in _LEFT_OUT]
    if not set(needed) <= set(line) <= set(known):
        takes = ", ".join(known) or "nothing"
        raise RecordError(number, f"{name} takes {takes}, not {', '.join(line) or 'nothing'}")
    return kind(**{key: _read_field(number, key, value) for key, value in line.items()})


def _is_whole(value: object) -> bool:
    return type(value) is int


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_whole, value))


_NUMBER = ("a whole number", _is_whole)
_NUMBERS = ("a list of whole numbers", _is_list)
_FLAG = ("true or false", lambda value: isinstance(value, bool))
_FIELDS: dict[str, tuple[str, Callable[[object], bool]]] = {
    "dice": (f"{_NUMBERS[0]} or null", lambda value: value is None or _is_list(value)),
    "aside": _NUMBERS,
    "value": _NUMBER,
    "turned": _NUMBER,
    "seat": _NUMBER,
    "to": (f"{_NUMBER[0]} or null", lambda value: value is None or _is_whole(value)),
    "tower": _FLAG,
    "wrong_way": _FLAG,
}
"""By field of an action: its type in words, and the check for it; the rules check its value."""
_ENUMS: dict[str, type[Flourish | Words | FaultKind]] = {
    "flourish": Flourish,
    "words": Words,
    "kind": FaultKind,
}


def _read_field(number: int, key: str, value: object) -> Any:
    """Return a field of an action, as the action has it."""
    if key in _ENUMS:
        named = _ENUMS[key]
        if value not in list(named):
            raise RecordError(number, f"{key} is one of {', '.join(named)}, not {value!r}")
        return named(str(value))
    need, fits = _FIELDS[key]
    if not fits(value):
        raise RecordError(number, f"{key} is {need}, not {value!r}")
    return tuple(value) if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class Statistics:
    """The counts of one player in a match.

    ``throws`` are rolls, covered and open; ``looks`` are peeks at the player's own roll. Only
    doubted ``announcements`` are ever checked: ``lies_caught`` counts the false ones among them,
    ``truths_doubted`` the true ones. ``right_doubts`` are the ``doubts`` that uncovered a lie.
    ``penalties`` are the player's charges, in the unit that the game counts. ``faults`` counts the
    charges for a mistake in play (R-PHYS-7, R-HF-5). ``rounds_won`` and ``rounds_lost`` are the
    rounds of open dice in which the player threw best and worst.
    """

    throws: int = 0
    looks: int = 0
    announcements: int = 0
    lies_caught: int = 0
    truths_doubted: int = 0
    doubts: int = 0
    right_doubts: int = 0
    penalties: int = 0
    faults: int = 0
    rounds_won: int = 0
    rounds_lost: int = 0


_COUNTED: dict[type, tuple[tuple[str, str], ...]] = {
    events.Rolled: (("seat", "throws"),),
    events.Threw: (("seat", "throws"),),
    events.Looked: (("seat", "looks"),),
    events.Announced: (("seat", "announcements"),),
    events.Doubted: (("seat", "doubts"),),
    events.Revealed: (("seat", "right_doubts"), ("announcer", "lies_caught")),
    events.Penalised: (("seat", "penalties"),),
    events.Mishandled: (("seat", "faults"),),
    events.Inadmissible: (("seat", "faults"),),
    events.WentWrongWay: (("seat", "faults"),),
    events.RoundDecided: (("best", "rounds_won"), ("worst", "rounds_lost")),
}
"""By event: its fields that name a seat, and what it counts for that seat."""


def statistics(players: int, steps: Iterable[AnyStep]) -> tuple[Statistics, ...]:
    """Return the counts of every player in a match, by seat.

    ``players`` is the number of seats. ``steps`` are the results of the match's actions, as
    ``game.record.replay`` yields them.
    """
    counted = [Counter[str]() for _ in range(players)]
    for event in (event for step in steps for event in step.events):
        counts = _COUNTED.get(type(event), ())
        if isinstance(event, events.Revealed) and not event.lied:
            counts = (("announcer", "truths_doubted"),)
        for seat, name in counts:
            counted[getattr(event, seat)][name] += getattr(event, "cost", 1)
    return tuple(Statistics(**each) for each in counted)
