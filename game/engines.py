"""The engine of every game, behind functions that are the same for all of them.

The rules name their family, and ``FAMILIES`` has its functions. A game needs a new family only if
its actions differ. Each family has its own type of match.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeGuard, TypeVar, overload

from game import actions
from game.actions import (
    Action,
    Fault,
    FaultKind,
    Keep,
    Leave,
    Roll,
    SeatAction,
    StopMatch,
    TableAction,
    VoidRound,
)
from game.bluff.rules import BluffRules, Match
from game.coaster.rules import CoasterMatch, CoasterRules
from game.events import EventTuples, Step
from game.family import Family
from game.open_dice import OpenMatch, OpenRules
from game.options import check_seat, check_table
from game.reasons import Check, IllegalAction, Reason
from game.rules import FAMILIES, AnyRules
from game.status import Outcome, freeze

AnyMatch = Match | OpenMatch
"""A match of any game."""

AnyStep = Step[AnyMatch]
"""The result of an action in any game."""

M = TypeVar("M", bound=AnyMatch)
A = TypeVar("A", bound=Action)

_of_type: Mapping[type, Family] = {
    kind: family for family in FAMILIES.values() for kind in (family.match, family.position)
}

_Act = tuple[Callable[[Any], bool] | None, Check, Callable[..., EventTuples]]
"""For one action: the check of its numbers, its legality check, and its move."""


_UNKNOWN_ACTION: _Act = (None, lambda *_: Reason.NOT_IN_THIS_GAME, lambda *_: ())
_acts: Mapping[type, Mapping[type, _Act]] = {
    kind: {
        action: (actions.INTEGER_CHECKS.get(action), check, family.moves[action])
        for action, check in family.checks.items()
    }
    for kind, family in _of_type.items()
}
"""By type of match, then by action."""


@overload
def new_match(rules: BluffRules, players: tuple[str, ...], first: int) -> Match: ...
@overload
def new_match(rules: CoasterRules, players: tuple[str, ...], first: int) -> CoasterMatch: ...
@overload
def new_match(rules: OpenRules, players: tuple[str, ...], first: int) -> OpenMatch: ...
def new_match(rules: AnyRules, players: tuple[str, ...], first: int) -> AnyMatch:
    """Return a match of ``players`` (names by seat, clockwise) that begins with seat ``first``.

    Seat ``first`` opens the first round of a bluff game; in the others it throws first for the
    lead.

    Raises:
        SetupError: the game is not for that number of players, or they are too few for two losers;
            a name is empty, unprintable or double; or seat ``first`` does not exist.
    """
    players, family = tuple(players), FAMILIES[rules.family]
    check_table(rules, players, first)
    return freeze(family.start(rules, players, first), family.match)


def seat_actions(rules: AnyRules, players: int) -> tuple[SeatAction, ...]:
    """Return all actions that a seat can ever have in a match of so many players."""
    return FAMILIES[rules.family].seat_actions(players)


def legal_actions(match: AnyMatch) -> tuple[SeatAction, ...]:
    """Return what the seat that is to act may do now; empty when the match is over.

    ``Roll(None)`` and ``Lift(None)`` stand for any dice. The list depends only on what that seat
    may know.
    """
    return _of_type[type(match)].legal_actions(match)


def table_actions(match: AnyMatch) -> tuple[TableAction, ...]:
    """Return the actions legal whichever seat is to act (B-10); empty when the match is over."""
    checks, seats = _of_type[type(match)].checks, range(len(match.players))
    kinds = tuple(FaultKind) if Fault in checks else ()
    faults = [Fault(kind, seat) for kind in kinds for seat in seats]
    possible: tuple[TableAction, ...] = (*map(Leave, seats), VoidRound(), StopMatch(), *faults)
    return tuple(each for each in possible if checks[type(each)](match, each) is None)


def illegality(match: AnyMatch, action: Action) -> Reason | None:
    """Return why ``action`` is not possible now, or None if it is.

    If this copy of the match does not know the dice, an action is refused only if no dice allow it.
    """
    is_whole, check, _ = _acts[type(match)].get(type(action), _UNKNOWN_ACTION)
    fits = is_whole is None or is_whole(action)
    return check(match, action) if fits else Reason.NOT_WHOLE_NUMBERS


def apply(match: M, action: Action) -> Step[M]:
    """Return the match after ``action`` and what happened.

    Raises IllegalAction. An action must also carry the dice that it lays open if this copy of the
    match does not know them. The given match never changes.
    """
    kind = type(match)
    is_whole, check, move = _acts[kind].get(type(action), _UNKNOWN_ACTION)
    fits = is_whole is None or is_whole(action)
    reason = check(match, action) if fits else Reason.NOT_WHOLE_NUMBERS
    if reason is not None:
        raise IllegalAction(reason, action)
    after = match.draft()
    after.turn += 1
    told = move(after, match.to_act, action)
    after.__class__ = kind  # as ``freeze`` does, without a call
    return Step(after, told)


def advance(draft: Any, action: Action) -> EventTuples:
    """Write ``action`` on a draft of a match, and return its events.

    This is for programs that play by ``legal_actions`` alone, such as playouts. It checks nothing
    and keeps no position, which takes half the time of ``apply``. ``match.draft()`` makes the first
    draft. A draft has all the fields and properties of a match.
    """
    draft.turn += 1
    return _of_type[type(draft)].moves[type(action)](draft, draft.to_act, action)


def view(match: M, seat: int | None) -> M:
    """Return the match as ``seat`` may know it; ``seat`` None is a spectator.

    It is a copy without covered dice, unless this seat has just looked at them. All else about a
    match is public. Raises ValueError for a seat that does not exist.
    """
    check_seat(match.players, seat)
    return _of_type[type(match)].view(match, seat)  # type: ignore[no-any-return]


def outcome(match: AnyMatch) -> Outcome | None:
    """Return how the match ended, None while it goes on."""
    return match.outcome


def public(action: Action, match: AnyMatch | None = None) -> Action:
    """Return the part of an action that everybody may know before it is applied to ``match``.

    Dice that stay covered are left out (B-7, T-5). If ``match`` is None, every roll counts as
    covered, as it is in the bluff games.
    """
    if type(action) is Roll and match is not None and not covers_next(match):
        return action
    return actions.public(action)


def hides_dice(match: AnyMatch) -> TypeGuard[Match]:
    """Return whether dice lie under a cup that goes round (B-7), and not before everybody.

    Only a ``Match`` has such a cup. False for ``maxen``: its third throws are covered for a while
    (T-5), but its cup does not go round. See ``covers_next`` for the next throw alone.
    """
    return _of_type[type(match)].hides_dice


def keeps_dice(match: AnyMatch) -> bool:
    """Return whether dice can be set aside in this game, so that fewer are thrown next (T-2)."""
    return Keep in _of_type[type(match)].checks


def covers_next(match: AnyMatch) -> bool:
    """Return whether the dice of the next roll stay under the cup: see ``Roll``."""
    return _of_type[type(match)].covers_next(match)


def dice_to_roll(match: AnyMatch) -> int:
    """Return how many dice the seat that is to act throws with its next roll."""
    return _of_type[type(match)].dice_to_roll(match)


def rolls(match: AnyMatch) -> tuple[tuple[Roll, Fraction], ...]:
    """Return the possible next rolls, each with its exact chance; the chances add up to 1.

    A third throw of ``maxen``, which nobody sees, is ``Roll(None)`` for certain.
    """
    return _of_type[type(match)].rolls(match)


def laid_open(match: AnyMatch, action: A) -> A:
    """Fill in the dice of a legal action that lays dice open, if this copy knows them.

    Return any other action as it is.
    """
    return _of_type[type(match)].laid_open(match, action)  # type: ignore[no-any-return]
