"""The checks before a match: its options and its players."""

from collections.abc import Collection, Mapping
from typing import Final, Protocol

from game.names import BadNameError, check_alike, check_name, is_readable
from game.sheet import Choices, Numbers


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
    def fewest_players(self) -> int: ...
    @property
    def most_players(self) -> int: ...


_SAID: Final[Mapping[object, str]] = {False: "no (False)", True: "yes (True)"}


def check_options(rules: object, choices: Choices, numbers: Numbers) -> None:
    """Check that the options of ``rules`` have values they can have.

    ``choices`` lists the values of an option. ``numbers`` has the least and the greatest whole
    number of an option; None means no upper bound. Raises SetupError for the first wrong option.
    """
    for option, known in choices.items():
        check_choice(option, getattr(rules, option), known)
    for option, (least, greatest) in numbers.items():
        value = getattr(rules, option)
        if type(value) is not int or value < least or (greatest is not None and value > greatest):
            span = f"from {least}" if greatest is None else f"from {least} to {greatest}"
            raise SetupError(f"{option} is a whole number {span}, not {value!r}")


def check_choice(name: str, value: object, known: Collection[object]) -> None:
    """Raise SetupError unless a value is one of those that are ``known``, and of its type."""
    if not any(type(value) is type(choice) and value == choice for choice in known):
        said = (_SAID.get(choice, choice) for choice in known)
        raise SetupError(f"{name} is one of {', '.join(map(str, said))}, not {value!r}")


def check_seat(players: tuple[str, ...], seat: int | None) -> None:
    """Raise ValueError unless ``seat`` is one of ``players``, from 0, or None, a spectator."""
    if seat is not None and (type(seat) is not int or seat not in range(len(players))):
        raise ValueError(f"there is no seat {seat!r} at a table of {len(players)}")


def check_table(rules: _Game, players: tuple[str, ...], first: int) -> None:
    """Raise SetupError for a wrong number of players, a bad or double name, or a bad ``first``."""
    fewest, most = rules.fewest_players, rules.most_players
    if not fewest <= len(players) <= most:
        raise SetupError(f"{rules.game} is for {fewest} to {most} players, not {len(players)}")
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
