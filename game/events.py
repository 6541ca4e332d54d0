"""Events of a match, as everybody may know them: dice are in them once they lie open (B-7).

Seats count from 0 in playing order; rounds from 1. Events compare by kind and content.
"""

from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from game.actions import FaultKind, Flourish, Words
from game.dice import Dice
from game.status import Outcome


@dataclass(frozen=True, slots=True)
class _OfSeat:
    """An action of ``seat``, or a change of it, with no more to tell."""

    seat: int


@dataclass(frozen=True, slots=True)
class Rolled:
    """``seat`` rolled under the cup, for the ``number``-th time since it has the cup (from 1)."""

    seat: int
    number: int


class Looked(_OfSeat):
    """``seat`` looked at its own roll."""


@dataclass(frozen=True, slots=True)
class Announced:
    """``seat`` announced ``value`` and offered the cup to seat ``to``.

    ``value`` is None for an announcement in ``words`` (R-HF-9): displays then show these, and no
    value. ``wrong_way``: ``to`` is the neighbour against the direction of play (R-HF-5).
    """

    seat: int
    value: int | None
    to: int
    words: Words | None = None
    flourish: Flourish | None = None
    wrong_way: bool = False


class Believed(_OfSeat):
    """``seat`` accepted the cup."""


class Doubted(_OfSeat):
    """``seat`` doubts and will lift the cup."""


@dataclass(frozen=True, slots=True)
class Revealed:
    """``seat`` lifted the cup: ``announcer`` had announced ``announced`` and lied, or not (B-4).

    ``tower``: the dice lay on top of each other (R-HF-8).
    """

    seat: int
    dice: Dice
    announced: int
    announcer: int
    lied: bool
    tower: bool = False


class MaexchenShown(_OfSeat):
    """``seat`` showed the Mäxchen under its cup to all (R-CLASS-6)."""


class GaveIn(_OfSeat):
    """``seat`` gave in to an announced Mäxchen (R-CLASS-7)."""


class OwnedUp(_OfSeat):
    """``seat`` admitted that its roll does not beat the announcement (R-CLASS-10)."""


class Refused(_OfSeat):
    """``seat`` refused the cup that came the wrong way (R-HF-5)."""


@dataclass(frozen=True, slots=True)
class WentWrongWay:
    """``seat`` passed the cup against the direction of play to ``taker``, None if it was refused.

    Both pay (R-HF-5).
    """

    seat: int
    taker: int | None


@dataclass(frozen=True, slots=True)
class Mishandled:
    """``seat`` mishandled the cup, or made another mistake (R-PHYS-7, R-HF-5)."""

    seat: int
    kind: FaultKind


class Inadmissible(_OfSeat):
    """The last announcement of ``seat`` was not admissible (R-HF-5)."""


@dataclass(frozen=True, slots=True)
class TowerShown:
    """``seat`` showed the tower under its cup to all and rolls again (R-HF-8)."""

    seat: int
    dice: Dice


class TowerSpared(_OfSeat):
    """The lifted dice are a tower: ``seat``, who lied, rolls again instead of paying (R-HF-8)."""


@dataclass(frozen=True, slots=True)
class Reversed:
    """A Mäxchen was lifted: play now runs in ``direction``, +1 or -1 (R-HF-7)."""

    direction: int


@dataclass(frozen=True, slots=True)
class Penalised:
    """``seat`` pays ``cost`` and has ``left`` matches, None if no matches are played for."""

    seat: int
    cost: int
    left: int | None


class Swam(_OfSeat):
    """``seat`` has lost its last match and swims (R-CLASS-2)."""


class WentOut(_OfSeat):
    """``seat`` is out: penalised while swimming (R-CLASS-2), or at its limit of points (R-HF-4)."""


@dataclass(frozen=True, slots=True)
class Threw:
    """``seat`` threw ``dice`` openly: its ``number``-th throw of the round or roll-off, from 1."""

    seat: int
    dice: Dice
    number: int


@dataclass(frozen=True, slots=True)
class Tied:
    """``seats`` share the lowest sum of the roll-off and throw again (R-MAX-1, R-CHI-5, S-5)."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """``seat`` set ``aside`` dice aside, and ``turned`` sixes as ones; it throws the rest."""

    seat: int
    aside: Dice
    turned: int


class Stopped(_OfSeat):
    """``seat`` stopped: its throw counts (T-1, S-2)."""


@dataclass(frozen=True, slots=True)
class Lifted:
    """``seat`` lifted the ``dice`` of its covered third throw (T-5)."""

    seat: int
    dice: Dice


@dataclass(frozen=True, slots=True)
class RoundDecided:
    """The round is complete: ``best`` threw best, ``worst`` worst."""

    best: int
    worst: int


@dataclass(frozen=True, slots=True)
class CoastersMoved:
    """``count`` coasters went from seat ``giver`` to seat ``taker``.

    ``giver`` is None if they came from the pile, ``taker`` if they went out of the game.
    """

    giver: int | None
    taker: int | None
    count: int


@dataclass(frozen=True, slots=True)
class PhaseTwoBegan:
    """All coasters are dealt; they are handed on or given back now (R-MAX-3, R-CHI-3)."""


class GotSafe(_OfSeat):
    """``seat`` is out of danger and has left the match (R-CHI-2, R-CHI-3)."""


class LevellingDeclined(_OfSeat):
    """``seat`` gives nobody a coaster (R-CHI-4)."""


@dataclass(frozen=True, slots=True)
class HalfLost:
    """``seat`` has lost half number ``half``, by ``rule`` (R-MAX-3, R-MAX-4)."""

    seat: int
    half: int
    rule: str


@dataclass(frozen=True, slots=True)
class HalfBegan:
    """Half number ``half`` begins with all coasters in the pile; ``seats`` play (R-MAX-5)."""

    half: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DecidingRound:
    """``seats`` have lost equally many rounds; they alone play one that decides (S-4)."""

    seats: tuple[int, ...]


class LeftTable(_OfSeat):
    """``seat`` left the table (B-10)."""


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
    Rolled | Looked | Announced | Believed | Doubted | Revealed | MaexchenShown | GaveIn
    | OwnedUp | Refused | WentWrongWay | Mishandled | Inadmissible | TowerShown | TowerSpared
    | Reversed | Penalised | Swam | WentOut | Threw | Tied | Kept | Stopped | Lifted
    | RoundDecided | CoastersMoved | PhaseTwoBegan | GotSafe | LevellingDeclined | HalfLost
    | HalfBegan | DecidingRound | LeftTable | RoundVoided | RoundBegan | MatchEnded
)  # fmt: skip


M_co = TypeVar("M_co", covariant=True)


@lru_cache(maxsize=2**14)
def _event(kind: Callable[..., Event], *fields: Any) -> Event:
    """Return an event, cached: building it costs more."""
    return kind(*fields)


EventTuples = tuple[tuple[Any, ...], ...]
"""Events not built yet: the kind and the fields of each, in order."""


class Step(Generic[M_co]):
    """The result of an action: the match after it, and what happened. A value that nobody changes.

    It unpacks: ``match, events = apply(match, action)``.
    """

    __slots__ = ("_event_tuples", "match")
    match: M_co
    _event_tuples: EventTuples

    def __init__(self, match: M_co, event_tuples: EventTuples) -> None:
        _set_match(self, match)
        _set_event_tuples(self, event_tuples)

    @property
    def events(self) -> tuple[Event, ...]:
        """The events, in order; built on access."""
        return tuple(_event(*each) for each in self._event_tuples)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.match, self.events))

    def __eq__(self, other: object) -> bool:
        return type(other) is Step and (self.match, self.events) == (other.match, other.events)

    def __hash__(self) -> int:
        return hash((self.match, self.events))

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"a step is a value: {name} stays as it is")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"a step is a value: {name} stays as it is")

    def __reduce__(self) -> tuple[object, ...]:
        return Step, (self.match, self._event_tuples)

    def __repr__(self) -> str:
        return f"Step({self.match!r}, {self.events!r})"


_set_match = Step.__dict__["match"].__set__
_set_event_tuples = Step.__dict__["_event_tuples"].__set__
