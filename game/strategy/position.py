"""A player's knowledge of a round of a bluff game, and the positions that it may stand for."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from game.actions import Action, Announce, Believe, Look, Roll, Say, SeatAction, ShowTower
from game.bluff.rules import Match
from game.dice import Dice
from game.engines import advance, illegality, laid_open, view
from game.status import ROLL_AGAIN, THROWN, freeze


class Known(NamedTuple):
    """The knowledge of the seat that is to act.

    ``match`` is its view of the match. ``own`` are the dice of its last roll if it has seen them
    and they still lie under the cup, wherever the cup is; else None. ``tower``: they are one
    (R-HF-8). ``stood`` is the value that stood when the dice were rolled last, None for nothing.
    For dice handed on unrolled it is their announcement before that, None if nobody can have seen
    them.
    """

    match: Match
    own: Dice | None = None
    tower: bool = False
    stood: int | None = None


Strategy = Callable[[Known], Mapping[SeatAction, float]]
"""A way to play: the chances of the seat's next actions, which add up to 1; often of one alone."""


def stood_after(before: Match, action: Action, stood: int | None) -> int | None:
    """Return ``Known.stood`` after an action, from what it and the match were before."""
    if isinstance(action, Roll) and before.phase is not ROLL_AGAIN:
        return before.announced
    if isinstance(action, Announce | Say) and not before.rolls:
        return handed_on(before, stood)
    return stood


def handed_on(believed: Match, stood: int | None) -> int | None:
    """Return ``Known.stood`` for dice that are handed on unrolled after they were believed."""
    rolls = believed.announcer_rolls
    may_be_seen = 0 < rolls <= believed.rules.looks if rolls else stood is not None
    return believed.announced if may_be_seen else None


class State(NamedTuple):
    """One of the positions that the responder may be in.

    ``match`` is all of the match. ``own`` are by seat the dice that it has seen and that still lie
    under the cup, with whether they are a tower. ``stood`` is as in ``Known``.
    """

    match: Match
    own: tuple[tuple[Dice, bool] | None, ...]
    stood: int | None


def believed(state: State, values: tuple[int, ...]) -> State | None:
    """Return the position after ``values`` were announced and believed; None if impossible."""
    for value in values:
        state = after(state, Roll((3, 1)))
        for action in (Announce(value), Believe()):
            if illegality(state.match, action) is not None:
                return None
            state = after(state, action)
    return state


def known(state: State) -> Known:
    """Return what the seat that is to act knows in a position."""
    seat = state.match.to_act
    assert seat is not None, "somebody is to act"
    dice, tower = state.own[seat] or (None, False)
    return Known(view(state.match, seat), dice, tower, state.stood)


def after(state: State, action: SeatAction) -> State:
    """Return the position after ``action``, which must be legal, without what no longer matters.

    Those are the number of actions, the words of the announcement, and, once another player has
    rolled, how often its announcer had.
    """
    before, seat = state.match, state.match.to_act
    assert seat is not None, "somebody acts"
    match = before.draft()
    advance(match, laid_open(before, action))
    match.turn = 0
    if match.said is not None and not match.said.wrong_way:
        match.said = None
    own, stood = state.own, stood_after(before, action, state.stood)
    if type(action) is Roll:
        own = (None,) * len(own)
        if match.phase is THROWN:
            match.announcer_rolls = 0
    elif type(action) is Look:
        assert match.dice is not None, "somebody has rolled"
        own = (*own[:seat], (match.dice, match.tower), *own[seat + 1 :])
    elif type(action) is ShowTower:
        own = (None,) * len(own)
    return State(freeze(match, Match), own, stood)
