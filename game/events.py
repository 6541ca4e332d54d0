"""What happened, as everybody may know it: events carry dice only once they lie open (B-7).

Seats count from 0 in playing order; rounds from 1. Events compare by kind and content.
"""

from dataclasses import dataclass

from game.match import Outcome
from game.values import Dice


@dataclass(frozen=True, slots=True)
class Rolled:
    """``seat`` rolled under the cup, for the ``number``-th time since the cup is his (from 1)."""

    seat: int
    number: int


@dataclass(frozen=True, slots=True)
class Looked:
    """``seat`` looked at his roll."""

    seat: int


@dataclass(frozen=True, slots=True)
class Announced:
    """``seat`` announced ``value`` and offered the cup to seat ``to``."""

    seat: int
    value: int
    to: int


@dataclass(frozen=True, slots=True)
class Believed:
    """``seat`` accepted the cup."""

    seat: int


@dataclass(frozen=True, slots=True)
class Doubted:
    """``seat`` doubts and will lift the cup."""

    seat: int


@dataclass(frozen=True, slots=True)
class Revealed:
    """``seat`` lifted the cup: ``announcer`` had announced ``announced`` and lied, or not (B-4)."""

    seat: int
    dice: Dice
    announced: int
    announcer: int
    lied: bool


@dataclass(frozen=True, slots=True)
class MaexchenShown:
    """``seat`` showed the Mäxchen under his cup to all (R-CLASS-6)."""

    seat: int


@dataclass(frozen=True, slots=True)
class GaveIn:
    """``seat`` gave in to an announced Mäxchen (R-CLASS-7)."""

    seat: int


@dataclass(frozen=True, slots=True)
class OwnedUp:
    """``seat`` admitted that he does not beat what stands (R-CLASS-10)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Penalised:
    """``seat`` pays ``cost``; ``left`` matches remain to him, None where the stakes are drinks."""

    seat: int
    cost: int
    left: int | None


@dataclass(frozen=True, slots=True)
class Swam:
    """``seat`` has lost his last match and swims (R-CLASS-2)."""

    seat: int


@dataclass(frozen=True, slots=True)
class WentOut:
    """``seat`` was penalised swimming: he is out and pays the next round of drinks (R-CLASS-2)."""

    seat: int


@dataclass(frozen=True, slots=True)
class LeftTable:
    """``seat`` left the table (B-10)."""

    seat: int


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """Round number ``round`` counts for nothing (B-10)."""

    round: int


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """Round number ``round`` begins with an empty cup at ``opener``, who must roll (B-6)."""

    round: int
    opener: int


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over."""

    outcome: Outcome


Event = (
    Rolled
    | Looked
    | Announced
    | Believed
    | Doubted
    | Revealed
    | MaexchenShown
    | GaveIn
    | OwnedUp
    | Penalised
    | Swam
    | WentOut
    | LeftTable
    | RoundVoided
    | RoundBegan
    | MatchEnded
)
