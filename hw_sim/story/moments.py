"""Events for which everybody at a table looks up."""

from dataclasses import dataclass

from game import AnyStep, events
from game.dice import Dice


@dataclass(frozen=True)
class Moment:
    """An event for which everybody looks up: an open cup, a Mäxchen, a player who swims or is out.

    ``dice``: the dice under the lifted cup, else empty. ``announced`` is the announcement of
    ``announcer``, both None if there was none. ``payers`` are the players who pay; those in
    ``swims`` have lost their last match, those in ``out`` are out now.
    """

    dice: Dice
    announced: int | None
    announcer: int | None
    lied: bool
    payers: tuple[int, ...]
    swims: tuple[int, ...]
    out: tuple[int, ...]


def moments_of(step: AnyStep) -> list[Moment]:
    """Return the moments of a step, if there are any."""
    payers = tuple(each.seat for each in step.events if isinstance(each, events.Penalised))
    swims = tuple(each.seat for each in step.events if isinstance(each, events.Swam))
    out = tuple(each.seat for each in step.events if isinstance(each, events.WentOut))
    for event in step.events:
        match event:
            case events.Revealed(_, dice, announced, announcer, lied):
                return [Moment(dice, announced, announcer, lied, payers, swims, out)]
            case events.MaexchenShown():
                return [Moment((2, 1), None, None, False, payers, swims, out)]
    return [Moment((), None, None, False, payers, swims, out)] if swims or out else []
