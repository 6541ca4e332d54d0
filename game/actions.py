"""The actions of a match. The seat that acts is ``match.to_act``, so actions do not name it.

Chance is an action too. ``Roll((3, 6))`` says which dice fell. ``Roll(None)`` says that somebody
rolled, and that this device may not know the dice. Actions compare by kind and content: ``Look() !=
Believe()``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from game.dice import Dice


class Flourish(StrEnum):
    """An addition to an announcement; it travels with it and binds nobody."""

    AIR = "air"
    """"mit Luft": the dice show more than was announced, or so it sounds (R-PHYS-6)."""
    MUCH_AIR = "much_air"
    """"mit viel Luft" (R-PHYS-6)."""
    DRAWN_OUT = "drawn_out"
    """Spoken like "Viiiiieeeererpasch", to get a high value past several players (R-HF-10)."""


class Words(StrEnum):
    """An announcement in words that name no value (R-HF-9)."""

    SAME = "same"
    """"mitgehen": the announced value, again."""
    ONE_MORE = "one_more"
    """"um 1 erhöhen": the next higher value."""


class FaultKind(StrEnum):
    """The kind of a mistake that a player has to report (R-PHYS-7, R-HF-5)."""

    DROP = "drop"
    """A die or the cup fell."""
    MOVE = "move"
    """The dice were moved while the cup was passed."""
    LOOK = "look"
    """A look the rules forbid."""
    OTHER = "other"
    """Any other mistake that the table agrees on: the lists of both games are open."""


class _Brief:
    """Show in ``repr`` the first field, and others only if not at their default."""

    __slots__ = ()

    def __repr__(self) -> str:
        first, *extras = fields(self)  # type: ignore[arg-type]
        shown = [first, *(extra for extra in extras if getattr(self, extra.name) != extra.default)]
        told = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in shown)
        return f"{type(self).__name__}({told})"


@dataclass(frozen=True, slots=True, repr=False)
class Roll(_Brief):
    """Roll. ``dice`` are the dice rolled; None if they are not known.

    They lie under the cup in a bluff game and at a third throw of ``maxen`` (T-5), otherwise open.
    ``tower`` says that they lie on top of each other (R-HF-8); False if ``dice`` is None.
    """

    dice: Dice | None = None
    tower: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """Look at one's own roll under the cup (R-CLASS-4)."""


@dataclass(frozen=True, slots=True, repr=False)
class Announce(_Brief):
    """Announce a value, true or not, and offer the covered cup to the next player (B-1).

    ``wrong_way`` offers it to the neighbour against the direction of play instead (R-HF-5).
    """

    value: int
    flourish: Flourish | None = None
    wrong_way: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Say(_Brief):
    """Announce in words that name no value, and offer the covered cup (R-HF-9)."""

    words: Words
    wrong_way: bool = False


@dataclass(frozen=True, slots=True)
class Believe:
    """Accept the offered cup; bound by the announcement from now on (B-2)."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Doubt the announcement; the cup will be lifted before everybody (B-2)."""


@dataclass(frozen=True, slots=True)
class Refuse:
    """Refuse a cup that came the wrong way, "not mine" (R-HF-5)."""


@dataclass(frozen=True, slots=True, repr=False)
class Lift(_Brief):
    """Lift a doubted cup (B-4). ``dice`` None stands for the dice this copy of the match knows.

    ``tower`` says that the lifted dice lie on top of each other (R-HF-8).
    """

    dice: Dice | None = None
    tower: bool = False


@dataclass(frozen=True, slots=True)
class ShowTower:
    """Show a tower one has seen and roll again (R-HF-8). ``dice`` as in ``Lift``."""

    dice: Dice | None = None


@dataclass(frozen=True, slots=True)
class ShowMaexchen:
    """Show a Mäxchen one has seen, instead of announcing (R-CLASS-6)."""


@dataclass(frozen=True, slots=True)
class GiveIn:
    """Give in to an announced Mäxchen without a lift (R-CLASS-7)."""


@dataclass(frozen=True, slots=True)
class OwnUp:
    """Admit that one's roll does not beat the announcement (R-CLASS-10)."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Set dice of one's last throw aside and throw the rest (T-2, T-3); the throw has to follow.

    ``aside`` are the faces set aside as they lie, high to low. ``turned`` is the number of sixes
    that are turned to ones and set aside. They are not in ``aside``.
    """

    aside: Dice = ()
    turned: int = 0


@dataclass(frozen=True, slots=True)
class Stop:
    """End one's turn with the throw as it lies; decline a bonus throw (T-1, T-4, S-2)."""


@dataclass(frozen=True, slots=True)
class GiveCoaster:
    """Give one coaster to seat ``to``; ``to`` None gives none to anybody (R-CHI-4)."""

    to: int | None


@dataclass(frozen=True, slots=True)
class EndMatch:
    """End a match that has no end of its own, instead of opening a round (B-8)."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the table as the player of ``seat`` (B-10). Legal whichever seat is to act."""

    seat: int


@dataclass(frozen=True, slots=True)
class VoidRound:
    """The table voids the round: nobody is penalised and its opener opens again (B-10)."""


@dataclass(frozen=True, slots=True)
class StopMatch:
    """The table ends the match early, without a loser (B-10)."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Report a mistake of the player of ``seat`` (R-PHYS-7, R-HF-5).

    ``kind`` OTHER is possible for every seat; all other kinds only for the holder of the cup. An
    offered cup still belongs to its announcer. Legal whichever seat is to act.
    """

    kind: FaultKind
    seat: int


SeatAction = (
    Roll | Look | Announce | Say | Believe | Doubt | Refuse | Lift | ShowMaexchen | ShowTower
    | GiveIn | OwnUp | Keep | Stop | GiveCoaster | EndMatch
)  # fmt: skip
"""An action of the seat that is to act."""

TableAction = Leave | VoidRound | StopMatch | Fault
"""An action that is not bound to the seat that is to act (B-10, R-PHYS-7, R-HF-5)."""

Action = SeatAction | TableAction


def are_whole(numbers: object) -> bool:
    """Return whether ``numbers`` is a tuple of ints, none of them a bool."""
    if type(numbers) is not tuple:
        return False
    for number in numbers:  # noqa: SIM110 - half the time of ``all``, in every roll
        if type(number) is not int:
            return False
    return True


def _dice_are_whole(action: Roll | Lift | ShowTower) -> bool:
    return action.dice is None or are_whole(action.dice)


INTEGER_CHECKS: Mapping[type, Callable[[Any], bool]] = {
    Roll: _dice_are_whole,
    Lift: _dice_are_whole,
    ShowTower: _dice_are_whole,
    Keep: lambda keep: type(keep.turned) is int and are_whole(keep.aside),
    Announce: lambda announce: type(announce.value) is int,
}
"""By action with dice or values: the check that these are whole numbers; None is an unknown throw.

An action is checked once, when it enters the core: the rules compare values and look them up."""


_COVERED_ROLL = Roll(None)


def public(action: Action) -> Action:
    """Return the part of an action that everybody may know: a roll without its dice (B-7).

    A lift and a shown tower stay as they are: their dice lie before everybody.
    """
    return _COVERED_ROLL if type(action) is Roll else action
