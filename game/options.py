"""The checks before a match: its options and its players."""

import re
from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from typing import Any, Final, Protocol, TypeVar

from game.names import BadNameError, check_alike, check_name, is_readable
from game.sheet import idle_beside

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
        said = " and ".join(f"{name} = {_said(value)}" for name, value in self.options)
        super().__init__(f"{said} contradict each other: {why}")


def _said(value: object) -> object:
    return {True: "yes", False: "no"}[value] if type(value) is bool else value


class _Game(Protocol):
    """A rule set of any family, as far as the table matters."""

    @property
    def game(self) -> str: ...
    @property
    def handicap(self) -> tuple[int, ...]: ...
    @property
    def fewest_players(self) -> int: ...
    @property
    def most_players(self) -> int: ...


SIZES: Final = ("fewest_players", "most_players")
"""The fields of rules that bound how many may sit at the table."""
Handicap = tuple[int, ...]
"""By seat, what each has lost before the first round; the seats beyond it have lost nothing."""
_Rules = TypeVar("_Rules", bound=_Game)
_SAID: Final[Mapping[object, str]] = {False: "no (False)", True: "yes (True)"}


def check_options(rules: Any, sizes: Collection[str] = SIZES) -> None:
    """Check that the options of ``rules`` have values they can have.

    ``sizes`` are fields that are a whole number from 2. Raises SetupError for the first wrong one,
    and ClashError for an option that has no effect beside another one and is not as usual.
    """
    for name in sizes:
        _check_number(name, getattr(rules, name), 2, None)
    values = {each.name: getattr(rules, each.name) for each in fields(rules)}
    for option in rules.options:
        name, value = option.name, values[option.name]
        if option.choices:
            check_choice(name, value, option.choices)
        else:
            _check_number(name, value, option.least, option.greatest)
        other = idle_beside(rules.family, name, values) if value != option.default else None
        if other is not None:
            why = f"{name} has no effect there, leave it at {_said(option.default)}"
            raise ClashError((name, value), (other, values[other]), why)


def _check_number(name: str, value: object, least: int, greatest: int | None) -> None:
    if type(value) is not int or value < least or (greatest is not None and value > greatest):
        span = f"from {least}" if greatest is None else f"from {least} to {greatest}"
        raise SetupError(f"{name} is a whole number {span}, not {value!r}")


def check_choice(name: str, value: object, known: Collection[object]) -> None:
    """Raise SetupError unless a value is one of those that are ``known``, and of its type."""
    if not any(type(value) is type(choice) and value == choice for choice in known):
        said = (_SAID.get(choice, choice) for choice in known)
        raise SetupError(f"{name} is one of {', '.join(map(str, said))}, not {value!r}")


def checked_handicap(game: str, given: object, most: int, whole: int | None = None) -> Handicap:
    """Return a handicap without its last zeros: by seat, what each has lost before the first round.

    Args:
        game: its name, for messages.
        given: the numbers of the first seats, or a text such as "0,2"; further seats have lost 0.
        most: the most that one seat may have lost; 0 if the game has nothing to start with.
        whole: the most that all together may have lost; None means no bound.

    Raises:
        SetupError: it is something else, or more than that.
    """
    if isinstance(given, str) and re.fullmatch("[0-9]{1,3}(,[0-9]{1,3})*", given):
        given = [int(each) for each in given.split(",")]
    by_seat = tuple(given) if isinstance(given, list | tuple) else (None,)
    if any(type(each) is not int or each < 0 for each in by_seat):
        raise SetupError(f"handicap is a whole number for each seat, such as 0,0,2, not {given!r}")
    while by_seat and not by_seat[-1]:
        by_seat = by_seat[:-1]
    if by_seat and not most:
        raise SetupError(f"{game} has nothing to start with here: leave the handicap out")
    if by_seat and max(by_seat) > most:
        raise SetupError(f"a handicap here is {most} at most, not {max(by_seat)}")
    if whole is not None and sum(by_seat) > whole:
        raise SetupError(f"all handicaps together are {whole} at most here, not {sum(by_seat)}")
    return by_seat


def check_seat(players: tuple[str, ...], seat: int | None) -> None:
    """Raise ValueError unless ``seat`` is one of ``players``, from 0, or None, a spectator."""
    if seat is not None and (type(seat) is not int or seat not in range(len(players))):
        raise ValueError(f"there is no seat {seat!r} at a table of {len(players)}")


def check_table(rules: _Game, players: tuple[str, ...], first: int) -> None:
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


def level(rules: _Rules) -> _Rules:
    """Return the same rules without a handicap: those of a match, which begins with it."""
    return replace(rules, handicap=()) if rules.handicap else rules  # type: ignore[type-var]


def start_of(rules: _Game, players: int) -> Handicap:
    """Return what each of the ``players`` has lost before the first round, by seat."""
    return (*rules.handicap, *(0,) * (players - len(rules.handicap)))
