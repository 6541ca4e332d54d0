"""What can be done in a match. The seat that acts is ``match.to_act``, so actions do not name it.

Chance is an action too: ``Roll((3, 6))`` says what fell, ``Roll(None)`` that somebody rolled and
this device may not know what. Actions compare by kind and content: ``Look() != Believe()``.
"""

from dataclasses import dataclass

from game.values import Dice


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll under the cup. ``dice`` is None where they are not known."""

    dice: Dice | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """Look at one's own roll under the cup (R-CLASS-4)."""


@dataclass(frozen=True, slots=True)
class Announce:
    """Announce a value, true or not, and offer the covered cup to the next player (B-1)."""

    value: int


@dataclass(frozen=True, slots=True)
class Believe:
    """Accept the offered cup; bound by the announcement from now on (B-2)."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Doubt the announcement; the cup will be lifted before everybody (B-2)."""


@dataclass(frozen=True, slots=True)
class Lift:
    """Lift a doubted cup (B-4). ``dice`` None stands for those this copy of the match knows."""

    dice: Dice | None = None


@dataclass(frozen=True, slots=True)
class ShowMaexchen:
    """Show a Mäxchen one has seen, instead of announcing (R-CLASS-6)."""


@dataclass(frozen=True, slots=True)
class GiveIn:
    """Give in to an announced Mäxchen without a lift (R-CLASS-7)."""


@dataclass(frozen=True, slots=True)
class OwnUp:
    """Admit that one's roll does not beat what stands (R-CLASS-10)."""


@dataclass(frozen=True, slots=True)
class EndMatch:
    """End a match that has no end of its own, instead of opening a round (B-8)."""


@dataclass(frozen=True, slots=True)
class Leave:
    """The player of a seat leaves the table (B-10). Whoever is to act, this can happen."""

    seat: int


@dataclass(frozen=True, slots=True)
class VoidRound:
    """The table voids the round: nobody is penalised and its opener opens again (B-10)."""


@dataclass(frozen=True, slots=True)
class StopMatch:
    """The table ends the match early, without a loser (B-10)."""


SeatAction = (
    Roll | Look | Announce | Believe | Doubt | Lift | ShowMaexchen | GiveIn | OwnUp | EndMatch
)
"""An action of the seat that is to act."""

TableAction = Leave | VoidRound | StopMatch
"""An action of the table, whoever is to act (B-10)."""

Action = SeatAction | TableAction

_COVERED_ROLL = Roll(None)


def public(action: Action) -> Action:
    """Return what everybody may know of an action: a roll without its dice (B-7).

    A lift stays as it is: its dice lie before everybody.
    """
    return _COVERED_ROLL if type(action) is Roll else action
