"""The phase of a match, the status of its players, its outcome; and frozen matches.

Nobody can change a match: the rules write the next one on a copy. Each family lists the fields of
its matches as a position, a dataclass with slots. Its match is a position that is ``Frozen``.
``draft`` copies a position, so a move names only its changes. ``apply`` freezes the draft after the
move. The match before never changes.
"""

from dataclasses import FrozenInstanceError, fields
from enum import StrEnum
from typing import Any, NamedTuple, Self, TypeVar

_T = TypeVar("_T")


class Phase(StrEnum):
    """The decision due from the seat that is to act."""

    OPENING = "opening"
    """The cup is empty; its opener must roll (B-6)."""
    BELIEVED = "believed"
    """The seat accepted the cup and has not rolled: it rolls, or announces higher unrolled."""
    THROWN = "thrown"
    """The seat has thrown and decides on: announce, throw again, stop, ..."""
    OFFERED = "offered"
    """The cup is offered to the seat; its answer is due (B-2)."""
    DOUBTED = "doubted"
    """The seat doubted; it lifts the cup (B-2)."""
    ROLL_AGAIN = "roll_again"
    """The seat's dice were a tower and are void; it must roll again (R-HF-8)."""
    OVER = "over"
    """The match is over; nobody is to act."""
    ROLL_OFF = "roll_off"
    """One throw each decides who leads the first round (R-MAX-1, R-CHI-5, S-5)."""
    TO_THROW = "to_throw"
    """The seat has to throw: the first time, or the dice it has not set aside (T-1, T-2, S-2)."""
    TO_LIFT = "to_lift"
    """The seat's covered third throw has to be lifted (T-5)."""
    LEVELLING = "levelling"
    """The seat may give one of its coasters to a player with one (R-CHI-4)."""


(OPENING, BELIEVED, THROWN, OFFERED, DOUBTED, ROLL_AGAIN, OVER) = tuple(Phase)[:7]
(ROLL_OFF, TO_THROW, TO_LIFT, LEVELLING) = tuple(Phase)[7:]
"""The phases by name: looking one up in its class costs as much as a whole check."""


class Status(StrEnum):
    """The standing of a seat: whether it still plays, and if not, why."""

    IN = "in"
    SWIMS = "swims"
    """The player has lost their last match; the next penalty puts them out (R-CLASS-2)."""
    OUT = "out"
    LEFT = "left"
    WAITS = "waits"
    """The player sits out for now (R-MAX-3, R-MAX-5, S-4)."""
    SAFE = "safe"
    """The player cannot lose any more and has left the match (R-CHI-2, R-CHI-3)."""


class Unit(StrEnum):
    """The unit in which a game counts."""

    MATCH = "match"
    """Matches that a player has left (R-CLASS-1)."""
    DRINK = "drink"
    """Drinks that the player owes (R-CLASS-3)."""
    POINT = "point"
    """Points against the player."""
    GLASS = "glass"
    """Small glasses that the player owes (R-PHYS-4)."""
    COASTER = "coaster"
    """Coasters before the player (R-MAX-2, R-CHI-1)."""
    ROUND = "round"
    """Rounds that the player has lost (S-4)."""


IN, SWIMS, OUT, LEFT, WAITS, SAFE = Status
"""The standings by name, like the phases."""
PLAYING = (IN, SWIMS)
"""The standings in which a seat takes part."""
AWAY = (OUT, LEFT, SAFE)
"""The standings of a seat that is no longer in the match: it has no vote (B-10)."""


def with_item(by_seat: tuple[_T, ...], seat: int, item: _T) -> tuple[_T, ...]:
    """Return a copy of ``by_seat`` with ``item`` at ``seat``, from 0."""
    changed = list(by_seat)
    changed[seat] = item
    return tuple(changed)


class Outcome(NamedTuple):
    """The end of a match.

    ``rule`` is the rule that ended it. ``losers`` are the seats that lost, in the order they went
    out or by seat; empty if nobody did (B-10). ``out`` are the seats that went out, in order,
    ``left`` the seats that left the table, by seat. ``tally`` counts the penalties of every seat.
    """

    rule: str
    losers: tuple[int, ...]
    out: tuple[int, ...]
    left: tuple[int, ...]
    tally: tuple[int, ...]


class Frozen:
    """A position that nobody can write on any more; compared and hashed by its fields."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"a match is moved by apply alone: {name} stays as it is")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"a match is moved by apply alone: {name} stays as it is")

    def __reduce__(self) -> tuple[object, ...]:
        return freeze, (self.draft(), type(self))

    def draft(self) -> Any:
        """Return a copy that is not frozen."""
        raise NotImplementedError

    def replace(self, **changes: object) -> Self:
        """Return a copy that differs in these fields."""
        after = self.draft()
        for name, value in changes.items():
            setattr(after, name, value)
        return freeze(after, type(self))


F = TypeVar("F", bound=Frozen)


def freeze(draft: Any, kind: type[F]) -> F:
    """Return the draft itself, frozen: from now on it is a ``kind``."""
    draft.__class__ = kind
    return draft  # type: ignore[no-any-return]


K = TypeVar("K", bound=type)


def drafting(kind: K) -> K:
    """Give a position its method ``draft``, which returns a copy that is no match.

    It is written out field by field, as a dataclass writes its ``__init__``: a loop over the fields
    makes ``apply`` half as slow again.
    """
    copies = "".join(f"    after.{each.name} = self.{each.name}\n" for each in fields(kind))
    made: dict[str, Any] = {"new": object.__new__, "kind": kind}
    exec(f"def draft(self):\n    after = new(kind)\n{copies}    return after\n", made)
    position: Any = kind
    position.draft = made["draft"]
    return kind
