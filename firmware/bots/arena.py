"""Bots among themselves, by the rules alone: no handheld, no hands, no waiting."""

from collections.abc import Sequence
from copy import deepcopy
from random import Random
from typing import Protocol

from firmware.bots import Sight, Tells
from firmware.input.controls import Choice, plain
from firmware.play.turn.round_end import BluffRoundEnd, round_end_of
from game import (
    AnyMatch,
    AnyRules,
    AnyStep,
    Phase,
    apply,
    dice_to_roll,
    hides_dice,
    laid_open,
    legal_actions,
    new_match,
    view,
)
from game.actions import Action, Look, Roll, SeatAction
from game.dice import Dice
from game.record import Record
from game.strategy.position import stood_after


class Decides(Protocol):
    """The player of a seat."""

    def decide(self, sight: Sight, rng: Random) -> Choice:
        """Return what to do next: see ``Bot.decide``."""
        ...


class Arena:
    """A running match, with the private knowledge of each of its seats.

    Attributes:
        match: the true match, with all dice.
        own: by seat, the dice it has seen and that still lie under the cup, and whether they are a
            tower; None for none.
        stood: as in ``Sight``.
    """

    def __init__(self, rules: AnyRules, players: Sequence[str], first: int = 0) -> None:
        self.match: AnyMatch = new_match(rules, tuple(players), first)
        self.own: list[tuple[Dice, bool] | None] = [None] * len(players)
        self.stood: int | None = None
        self._tells = [Tells() for _ in players]

    def copy(self) -> "Arena":
        """Return an independent copy."""
        other = object.__new__(Arena)
        other.match, other.own, other.stood = self.match, list(self.own), self.stood
        other._tells = deepcopy(self._tells)
        return other

    def sight(self) -> Sight:
        """Return the knowledge of the seat that is to act; the match must not be over."""
        match, seat = self.match, self.match.to_act
        assert seat is not None, "the match goes on"
        options = tuple(action for action in legal_actions(match) if action == plain(action))
        if not hides_dice(match):
            seen = match.dice if match.phase is Phase.THROWN else None
            return Sight(view(match, seat), options, seen)
        here = match.phase is Phase.THROWN
        dice, tower = self.own[seat] or (None, False)
        sight = Sight(view(match, None), options, dice if here else None, tower and here)
        return sight._replace(own=None if here else dice, stood=self.stood, tells=self._tells[seat])

    def act(self, action: Action) -> AnyStep:
        """Apply an action, a roll with its dice if they are known; return the step.

        Raises:
            IllegalAction: as ``game.apply`` does.
        """
        match, seat = self.match, self.match.to_act
        step = apply(match, laid_open(match, action))
        if hides_dice(match) and hides_dice(step.match):
            self.stood = stood_after(match, action, self.stood)
            if isinstance(action, Roll):
                self.own = [None] * len(self.own)
            elif isinstance(action, Look) and match.dice is not None and seat is not None:
                self.own[seat] = match.dice, match.tower
            ended = round_end_of(match, step)
            assert ended is None or isinstance(ended, BluffRoundEnd), "a bluff game"
            for each in self._tells:
                each.watch(step.match, ended, self.stood)
        self.match = step.match
        return step


def followed(record: Record) -> Arena:
    """Return the position after all actions of a record."""
    arena = Arena(record.rules, record.players, record.first)
    for action in record.actions:
        arena.act(action)
    return arena


def filled(match: AnyMatch, action: SeatAction, rng: Random) -> SeatAction:
    """Return a roll with random dice; any other action as it is."""
    if not isinstance(action, Roll):
        return action
    dice = tuple(sorted((rng.randint(1, 6) for _ in range(dice_to_roll(match))), reverse=True))
    once_in = match.rules.tower_one_in
    return Roll(dice, tower=bool(once_in) and rng.randrange(once_in) == 0)
