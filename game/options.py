"""The options of a match: the sheet of house rules as data, and the checks before a match.

``sheet.toml`` has the customs by family, with their values, sources and sentences, and the presets
by name. The record of a game says which of them it has. Rules, menus, links, settings and texts are
made from it.
"""

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from importlib.resources import files
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple, TypeVar

from game.names import BadNameError, check_alike, check_name, is_readable

_DATA: Final[Mapping[str, Any]] = tomllib.loads((files("game") / "sheet.toml").read_text("utf-8"))
_FAMILIES: Final = ("bluff", "coaster", "sevens")
_YES_OR_NO: Final = (False, True)
_YES_OR_NO_WRITTEN: Final = ("no", "yes")


class Option(NamedTuple):
    """One option of a game. ``default`` holds unless the table agrees otherwise.

    Its values are ``choices``. If these are empty, it is a whole number from ``least`` to
    ``greatest``. ``steps`` are the values that a dial offers of a wide range, often none.
    ``source`` says who plays so. ``reach`` is how far solvers know it: "exact", "taken", "near" or
    "none".
    """

    name: str
    default: object
    choices: tuple[object, ...] = ()
    least: int = 0
    greatest: int = 0
    steps: tuple[int, ...] = ()
    source: str = ""
    reach: str = "exact"


class Preset(NamedTuple):
    """A known table: ``game`` with ``options`` that differ from its usual ones.

    ``name`` is a proper name, the same in every language. ``source`` says who plays so.
    """

    game: str
    name: str
    options: Mapping[str, object]
    source: str


PRESETS: Final[Mapping[str, Preset]] = MappingProxyType(
    {
        key: Preset(each["game"], each["name"], MappingProxyType(each["options"]), each["source"])
        for key, each in _DATA["presets"].items()
    }
)
"""The known tables by key, besides the games as they are."""


def options_of(family: str, game: str, usual: Mapping[str, object]) -> tuple[Option, ...]:
    """Return the options of a game, in the order of the sheet; often none.

    ``usual`` are fields of its usual rules. Those that the sheet has under ``family`` are options.
    """
    return tuple(
        _option(name, game, usual[name], custom)
        for name, custom in _DATA[family].items()
        if name in usual
    )


def _option(name: str, game: str, usual: object, custom: Mapping[str, Any]) -> Option:
    reach = custom["reach"]
    return Option(
        name,
        usual,
        () if "least" in custom else tuple(custom.get("choices", _YES_OR_NO)),
        custom.get("least", 0),
        custom.get("greatest", 0),
        tuple(custom.get("steps", ())),
        custom["source"],
        reach if isinstance(reach, str) else reach.get(game, reach["any"]),
    )


def texts_of(language: str) -> dict[str, str]:
    """Return the sentences and the labels of values by dotted keys.

    A sentence is ``option.NAME`` or ``preset.KEY``, a label ``choice.VALUE``, a line about a value
    ``short.NAME``, and a rule with this value ``told.NAME.VALUE``. Raises KeyError for a
    language that the sheet does not have.
    """
    customs = [each for family in _FAMILIES for each in _DATA[family].items()]
    return {
        **{f"choice.{value}": each[language] for value, each in _DATA["values"].items()},
        **{f"option.{name}": custom[language] for name, custom in customs},
        **{f"short.{name}": custom["short"][language] for name, custom in customs},
        **{f"preset.{key}": each[language] for key, each in _DATA["presets"].items()},
        **{
            f"told.{name}.{value}": each[language]
            for name, custom in customs
            for value, each in custom.get("told", {}).items()
            if each
        },
    }


def idle_beside(family: str, name: str, values: Mapping[str, object]) -> str | None:
    """Return the other option whose value leaves this one without effect; None for none.

    ``values`` are all fields of the rules.
    """
    for conditions in _DATA[family][name].get("idle", ()):
        if _hold(conditions.split(), name, values):
            return str(conditions.partition("=")[0])
    return None


def told_key(family: str, name: str, values: Mapping[str, object]) -> str | None:
    """Return the key of the rule that an option makes; None if it needs no words.

    ``values`` are all fields of the rules, since another option may change the words. The place
    ``{n}`` of the rule is for the value.
    """
    custom = _DATA[family][name]
    if idle_beside(family, name, values):
        return f"told.{name}.{custom['idle_as']}" if "idle_as" in custom else None
    for key, words in custom.get("told", {}).items():
        value, *conditions = key.split()
        if value in (_written(values[name]), "any") and _hold(conditions, name, values):
            return f"told.{name}.{key}" if words else None
    return None


def _hold(conditions: list[str], name: str, values: Mapping[str, object]) -> bool:
    """Return whether all ``conditions`` of an option hold, such as "rolls=2" or "rolls=n"."""
    asked = (each.split("=") for each in conditions)
    return all(
        _written(values[other]) == (_written(values[name]) if wanted == "n" else wanted)
        for other, wanted in asked
    )


def _written(value: object) -> str:
    return _YES_OR_NO_WRITTEN[value] if isinstance(value, bool) else str(value)


FEWEST_PLAYERS, MOST_PLAYERS = 2, 9
"""The players of a table, unless the source of a game allows fewer numbers."""


class SetupError(ValueError):
    """A match cannot be set up like this; the message is one line with the right values."""


class ClashError(SetupError):
    """Two options contradict each other.

    ``options`` has the name and the value of both.
    """

    def __init__(self, one: tuple[str, object], other: tuple[str, object], why: str) -> None:
        self.options = one, other
        said = " and ".join(f"{name} = {_written(value)}" for name, value in self.options)
        super().__init__(f"{said} contradict each other: {why}")


SIZES: Final = ("fewest_players", "most_players")
"""The fields of rules that bound how many may sit at the table."""
Handicap = tuple[int, ...]
"""By seat, what each has lost before the first round; the seats beyond it have lost nothing."""
_SAID: Final[Mapping[object, str]] = {False: "no (False)", True: "yes (True)"}
_OPTIONS: Final[dict[str, tuple[Option, ...]]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCustoms:
    """The values that the text of a game fixes; each family adds its own.

    ``usual`` are the options and their usual values, ``fixed`` the fields that have no option.

    ``pieces`` are the rules in the order in which they are told, by their ids. Behind a colon stand
    the options that a piece tells, in the words of the sheet. Without one the words are fixed; a
    piece that another game words otherwise ends with the game.
    """

    usual: Mapping[str, Any]
    fixed: Mapping[str, Any] = field(default_factory=dict)
    pieces: tuple[str, ...]


class Rules:
    """The rules of a game: a frozen dataclass for each family, with a field for each option.

    ``game`` is its name in ``RULES``. ``fewest_players`` to ``most_players`` may sit at the table.
    ``handicap`` is no option of the sheet: what each seat has lost before the first round.
    """

    __slots__ = ()
    family: ClassVar[str]
    games: ClassVar[Mapping[str, GameCustoms]]
    """By name: the games of the family, without what their options add."""
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    game: str
    fewest_players: int
    most_players: int
    handicap: Handicap

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of the game, in the order of the sheet."""
        if self.game not in _OPTIONS:
            _OPTIONS[self.game] = options_of(self.family, self.game, self.games[self.game].usual)
        return _OPTIONS[self.game]

    @property
    def pieces(self) -> tuple[str, ...]:
        """The ids of the rules, in the order in which they are told."""
        return self.games[self.game].pieces

    def check(self, sizes: Collection[str] = SIZES) -> None:
        """Check that all fields but the handicap have values they can have.

        ``sizes`` are fields that are a whole number from 2. Raises SetupError for the first wrong
        one, and ClashError for an option that has no effect beside another one and is not as usual.
        """
        check_choice("game", self.game, tuple(self.games))
        customs = self.games[self.game]
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        for each in fields(self):
            name, fixed = each.name, customs.fixed.get(each.name, each.default)
            if name in sizes:
                _check_number(name, values[name], 2, None)
            elif name not in ("game", "handicap", *customs.usual) and (
                type(values[name]) is not type(fixed) or values[name] != fixed
            ):
                raise SetupError(f"{name} is no option of {self.game}: leave it at {fixed!r}")
        for option in self.options:
            name, value = option.name, values[option.name]
            if option.choices:
                check_choice(name, value, option.choices)
            else:
                _check_number(name, value, option.least, option.greatest)
            other = idle_beside(self.family, name, values) if value != option.default else None
            if other is not None:
                why = f"{name} has no effect there, leave it at {_written(option.default)}"
                raise ClashError((name, value), (other, values[other]), why)

    def check_handicap(self, most: int, whole: int | None = None) -> None:
        """Keep the handicap as numbers without its last zeros; it may be a text such as "0,2".

        ``most`` is the most that one seat may have lost; 0 if the game has nothing to start with.
        All together may have lost ``whole``; None means no bound. Raises SetupError if it is
        something else, or more than that.
        """
        given: Any = self.handicap
        if isinstance(given, str) and re.fullmatch("[0-9]{1,3}(,[0-9]{1,3})*", given):
            given = [int(each) for each in given.split(",")]
        by_seat = tuple(given) if isinstance(given, list | tuple) else (None,)
        if any(type(each) is not int or each < 0 for each in by_seat):
            said = f"handicap is a whole number for each seat, such as 0,0,2, not {given!r}"
            raise SetupError(said)
        while by_seat and not by_seat[-1]:
            by_seat = by_seat[:-1]
        if by_seat and not most:
            raise SetupError(f"{self.game} has nothing to start with here: leave the handicap out")
        if by_seat and max(by_seat) > most:
            raise SetupError(f"a handicap here is {most} at most, not {max(by_seat)}")
        if whole is not None and sum(by_seat) > whole:
            raise SetupError(f"all handicaps together are {whole} at most here, not {sum(by_seat)}")
        object.__setattr__(self, "handicap", by_seat)


R = TypeVar("R", bound=Rules)


def _check_number(name: str, value: object, least: int, greatest: int | None) -> None:
    if type(value) is not int or value < least or (greatest is not None and value > greatest):
        span = f"from {least}" if greatest is None else f"from {least} to {greatest}"
        raise SetupError(f"{name} is a whole number {span}, not {value!r}")


def check_choice(name: str, value: object, known: Collection[object]) -> None:
    """Raise SetupError unless a value is one of those that are ``known``, and of its type."""
    if not any(type(value) is type(choice) and value == choice for choice in known):
        said = (_SAID.get(choice, choice) for choice in known)
        raise SetupError(f"{name} is one of {', '.join(map(str, said))}, not {value!r}")


def check_seat(players: tuple[str, ...], seat: int | None) -> None:
    """Raise ValueError unless ``seat`` is one of ``players``, from 0, or None, a spectator."""
    if seat is not None and (type(seat) is not int or seat not in range(len(players))):
        raise ValueError(f"there is no seat {seat!r} at a table of {len(players)}")


def check_table(rules: Rules, players: tuple[str, ...], first: int) -> None:
    """Raise SetupError for a wrong number of players, a bad or double name, or a bad ``first``.

    A handicap of a seat that nobody has raises it, too.
    """
    fewest, most = rules.fewest_players, rules.most_players
    if not fewest <= len(players) <= most:
        allowed = FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS
        why = ": its source says so" if allowed else ""
        raise SetupError(f"{rules.game} is for {fewest} to {most} players, not {len(players)}{why}")
    if len(rules.handicap) > len(players):
        raise SetupError(
            f"the handicap names seat {len(rules.handicap) - 1}: the last one is {len(players) - 1}"
        )
    for seat, name in enumerate(players):
        if type(name) is not str or not is_readable(name):
            raise SetupError(f"seat {seat} needs a name that can be shown, not {name!r}")
        if name in players[:seat]:
            raise SetupError(f"seats {players.index(name)} and {seat} are both called {name!r}")
        try:
            check_name(name)
            check_alike(name, players[:seat])
        except BadNameError as error:
            raise SetupError(f"seat {seat}: {error}") from None
    if type(first) is not int or not 0 <= first < len(players):
        raise SetupError(f"the first opener is a seat from 0 to {len(players) - 1}: {first!r}")


def level(rules: R) -> R:
    """Return the same rules without a handicap: those of a match, which begins with it."""
    return replace(rules, handicap=()) if rules.handicap else rules


def start_of(rules: Rules, players: int) -> Handicap:
    """Return what each of the ``players`` has lost before the first round, by seat."""
    return (*rules.handicap, *(0,) * (players - len(rules.handicap)))
