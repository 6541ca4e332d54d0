"""Which engine plays which game, behind functions that are the same for all of them.

The bluff games are one engine, the coaster games another, ``sevens`` a third: a new engine only
where the actions differ. The rules name their family, and each family has its type of match.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar, overload

from game import actions, open_dice
from game.actions import Action, Roll, SeatAction, TableAction
from game.bluff import chance as bluff_chance
from game.bluff import legality as bluff_legality
from game.bluff import moves as bluff_moves
from game.bluff.rules import BluffRules
from game.bluff.state import Match, Position
from game.bluff.state import view as bluff_view
from game.coaster import chance as coaster_chance
from game.coaster import legality as coaster_legality
from game.coaster import moves as coaster_moves
from game.coaster import state as coaster_state
from game.coaster.rules import CoasterRules
from game.coaster.state import CoasterMatch, CoasterPosition
from game.events import Step, Told
from game.frozen import freeze
from game.reasons import IllegalAction, Reason
from game.rules import AnyRules
from game.sevens import legality as sevens_legality
from game.sevens import moves as sevens_moves
from game.sevens import state as sevens_state
from game.sevens.rules import SevensRules
from game.sevens.state import SevensMatch, SevensPosition
from game.status import Outcome

AnyMatch = Match | CoasterMatch | SevensMatch
"""A match of any game."""

AnyStep = Step[AnyMatch]
"""What an action led to in any game."""

M = TypeVar("M", bound=AnyMatch)
A = TypeVar("A", bound=Action)

_BLUFF_DICE = 2


@dataclass(frozen=True, slots=True)
class Engine:
    """The functions of one family; the functions of this module of the same names describe them."""

    new_match: Callable[..., Any]
    legal_actions: Callable[[Any], tuple[SeatAction, ...]]
    table_actions: Callable[[Any], tuple[TableAction, ...]]
    checks: Mapping[type, Callable[[Any, Any], Reason | None]]
    """By action: why it is not possible now, None if it is."""
    moves: Mapping[type, Callable[[Any, Any, Any], Told]]
    """By action: writes it on a draft, for the seat that is to act, and returns what it tells."""
    view: Callable[[Any, int | None], Any]
    hides_dice: bool
    covers_next: Callable[[Any], bool]
    dice_to_roll: Callable[[Any], int]
    rolls: Callable[[Any], tuple[tuple[Roll, Fraction], ...]]
    laid_open: Callable[[Any, Any], Any]


ENGINES: Mapping[str, Engine] = {
    BluffRules.family: Engine(
        new_match=bluff_moves.new_match,
        legal_actions=bluff_legality.legal_actions,
        table_actions=bluff_legality.table_actions,
        checks=bluff_legality.CHECKS,
        moves=bluff_moves.MOVES,
        view=bluff_view,
        hides_dice=True,
        covers_next=lambda _: True,
        dice_to_roll=lambda _: _BLUFF_DICE,
        rolls=bluff_chance.rolls,
        laid_open=bluff_chance.laid_open,
    ),
    CoasterRules.family: Engine(
        new_match=coaster_moves.new_match,
        legal_actions=coaster_legality.legal_actions,
        table_actions=open_dice.table_actions,
        checks=coaster_legality.CHECKS,
        moves=coaster_moves.MOVES,
        view=coaster_state.view,
        hides_dice=False,
        covers_next=coaster_state.covers_next,
        dice_to_roll=lambda match: match.in_play,
        rolls=coaster_chance.rolls,
        laid_open=coaster_chance.laid_open,
    ),
    SevensRules.family: Engine(
        new_match=sevens_moves.new_match,
        legal_actions=sevens_legality.legal_actions,
        table_actions=open_dice.table_actions,
        checks=sevens_legality.CHECKS,
        moves=sevens_moves.MOVES,
        view=sevens_state.view,
        hides_dice=False,
        covers_next=lambda _: False,
        dice_to_roll=lambda match: match.rules.dice,
        rolls=lambda match: open_dice.open_rolls(match.rules.dice),
        laid_open=lambda _, action: action,
    ),
}
"""The engine of every family."""

_of_type: Mapping[type, Engine] = {
    Match: ENGINES[BluffRules.family],
    Position: ENGINES[BluffRules.family],
    CoasterMatch: ENGINES[CoasterRules.family],
    CoasterPosition: ENGINES[CoasterRules.family],
    SevensMatch: ENGINES[SevensRules.family],
    SevensPosition: ENGINES[SevensRules.family],
}

_Act = tuple[Callable[[Any], bool], Callable[[Any, Any], Reason | None], Callable[..., Told]]
"""Of an action: whether its numbers are whole, why it is not possible now, and its move."""


def _no_numbers(_: Action) -> bool:
    return True


def _not_in_this_game(_match: AnyMatch, _action: Action) -> Reason:
    return Reason.NOT_IN_THIS_GAME


def _no_move(*_: object) -> Told:
    raise AssertionError("what is not in this game is refused")


_NO_ACT: _Act = (_no_numbers, _not_in_this_game, _no_move)
_acts: Mapping[type, Mapping[type, _Act]] = {
    kind: {
        action: (
            actions.WHOLE.get(action, _no_numbers),
            engine.checks.get(action, _not_in_this_game),
            engine.moves.get(action, _no_move),
        )
        for action in (*actions.WHOLE, *engine.checks)
    }
    for kind, engine in _of_type.items()
}
"""By match and action."""


@overload
def new_match(rules: BluffRules, players: tuple[str, ...], first: int) -> Match: ...
@overload
def new_match(rules: CoasterRules, players: tuple[str, ...], first: int) -> CoasterMatch: ...
@overload
def new_match(rules: SevensRules, players: tuple[str, ...], first: int) -> SevensMatch: ...
def new_match(rules: AnyRules, players: tuple[str, ...], first: int) -> AnyMatch:
    """Return a match of ``players`` (names by seat, clockwise) that begins with seat ``first``.

    He opens the first round of a bluff game, and throws first for the lead in the others. Raises
    SetupError for a number of players the game is not for, for names that are empty, unprintable or
    equal, and for a seat nobody has.
    """
    return ENGINES[rules.family].new_match(rules, players, first)  # type: ignore[no-any-return]


def legal_actions(match: AnyMatch) -> tuple[SeatAction, ...]:
    """Return what the seat that is to act may do now; empty when the match is over.

    ``Roll(None)`` and ``Lift(None)`` mean any dice. The list depends only on what that seat
    may know.
    """
    return _of_type[type(match)].legal_actions(match)


def table_actions(match: AnyMatch) -> tuple[TableAction, ...]:
    """Return what can happen whoever is to act (B-10); empty when the match is over."""
    return _of_type[type(match)].table_actions(match)


def illegality(match: AnyMatch, action: Action) -> Reason | None:
    """Return why ``action`` is not possible now, or None if it is.

    With dice unknown to this copy of the match, an action is refused only if no dice allow it.
    """
    is_whole, check, _ = _acts[type(match)].get(type(action), _NO_ACT)
    return check(match, action) if is_whole(action) else Reason.NOT_WHOLE_NUMBERS


def apply(match: M, action: Action) -> Step[M]:
    """Return the match after ``action`` and what happened.

    Raises IllegalAction, also for an action that leaves out dice which lie open then and which this
    copy of the match does not know. The match is untouched in any case.
    """
    is_whole, check, move = _acts[type(match)].get(type(action), _NO_ACT)
    reason = check(match, action) if is_whole(action) else Reason.NOT_WHOLE_NUMBERS
    if reason is not None:
        raise IllegalAction(reason, action)
    after = match.draft()
    after.turn += 1
    told = move(after, match.to_act, action)
    return Step(freeze(after, type(match)), told)


def advance(draft: Any, action: Action) -> Told:
    """Write what ``action`` does on a draft of a match, and return what it tells.

    For who plays on and on by ``legal_actions`` alone, as playouts do: nothing is checked and no
    position kept, which takes half the time of ``apply``. ``match.draft()`` is where to begin, and
    all that is told of a match here can be asked of a draft.
    """
    draft.turn += 1
    return _of_type[type(draft)].moves[type(action)](draft, draft.to_act, action)


def view(match: M, seat: int | None) -> M:
    """Return the match as ``seat`` may know it; ``seat`` None is a spectator.

    It is a copy in which covered dice are unknown, unless this seat has just looked at them. All
    else about a match is public. Raises ValueError for a seat nobody has.
    """
    return _of_type[type(match)].view(match, seat)  # type: ignore[no-any-return]


def outcome(match: AnyMatch) -> Outcome | None:
    """Return how the match ended, None while it goes on."""
    return match.outcome


def public(action: Action, match: AnyMatch | None = None) -> Action:
    """Return what everybody may know of an action that is about to be applied to ``match``.

    That is the action without dice that stay covered (B-7, T-5). Without a match every roll counts
    as covered, as it is in the bluff games.
    """
    if type(action) is Roll and match is not None and not covers_next(match):
        return action
    return actions.public(action)


def hides_dice(match: AnyMatch) -> bool:
    """Tell whether dice lie under a cup that goes round (B-7), and not before everybody.

    A match of ``maxen``, where third throws are covered for a while (T-5), has no such cup: for the
    next throw alone see ``covers_next``.
    """
    return _of_type[type(match)].hides_dice


def covers_next(match: AnyMatch) -> bool:
    """Tell whether the dice of the next roll stay under the cup: see ``Roll``."""
    return _of_type[type(match)].covers_next(match)


def dice_to_roll(match: AnyMatch) -> int:
    """Return how many dice the seat that is to act throws with its next roll."""
    return _of_type[type(match)].dice_to_roll(match)


def rolls(match: AnyMatch) -> tuple[tuple[Roll, Fraction], ...]:
    """Return what the next roll can be, each with its exact chance; they add up to 1.

    A third throw of ``maxen``, which nobody sees, is ``Roll(None)`` for certain.
    """
    return _of_type[type(match)].rolls(match)


def laid_open(match: AnyMatch, action: A) -> A:
    """Return a legal action that lays dice open with those this copy knows; others as they are."""
    return _of_type[type(match)].laid_open(match, action)  # type: ignore[no-any-return]
