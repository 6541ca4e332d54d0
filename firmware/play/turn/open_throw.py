"""The open throw: thrown under the cup, sent to the others when the cup is lifted."""

from typing import cast

from firmware.play.turn.draft import Draft, Thrown, changed, new_draft
from firmware.table.seat.parts import SeatParts
from game import AnyMatch, AnyStep, OpenMatch, Phase, hides_dice
from game.dice import Dice
from game.events import Kept, Lifted, Rolled, Stopped, Threw


class OpenThrow:
    """The last open throw of the table, and what this handheld's player does with their own.

    Args:
        seat: the seat of this handheld, with its copy of the match.
    """

    def __init__(self, seat: SeatParts) -> None:
        self.last: Thrown | None = None
        """The last open throw, until its player is done with it."""
        self.lifted = False
        """Whether the cup over my own throw is lifted now."""
        self.fresh = False
        """Whether my own throw has not been lifted yet, and may not have been sent."""
        self.draft: Draft = ()
        self._seat = seat.seat
        if hides_dice(seat.match):
            return
        for before, step in seat.log.steps():
            self.apply(before, step)
        self.lifted, self.fresh = False, self.mine is not None
        if self.fresh and not seat.cup.is_here:
            self.put_away()

    @property
    def mine(self) -> Thrown | None:
        """My own throw, while it lies under my cup."""
        return self.last if self.last is not None and self.last.seat == self._seat else None

    @property
    def can_be_shown(self) -> bool:
        """Whether my own throw lies under my cup, and the cup is closed."""
        return self.mine is not None and not self.lifted

    def lift(self) -> None:
        """Lift the cup over my throw."""
        self.lifted, self.fresh = True, False

    def cover(self) -> None:
        """Close the cup over it again."""
        self.lifted = False

    def put_away(self) -> None:
        """Forget the throw: its player is done with it."""
        self.last = None
        self.lifted = self.fresh = False

    def change(self, match: AnyMatch, place: int) -> None:
        """Give die ``place`` (from 0) of the draft its next state."""
        self.draft = changed(match, self.draft, place)

    def apply(self, before: AnyMatch, step: AnyStep) -> None:
        """Follow a step of the match; ``before``: the match that it moved on."""
        for event in step.events:
            match event:
                case Threw(seat, dice, number):
                    self._lay_open(before, seat, dice, number)
                    self.lifted, self.fresh = False, seat == self._seat
                case Lifted(seat, dice):
                    self._lay_open(before, seat, dice, cast(OpenMatch, before).throws)
                    self.lifted, self.fresh = seat == self._seat, False
                case Kept() | Stopped() | Rolled():
                    self.put_away()
                case _:
                    pass
        if step.match.outcome is not None:
            self.put_away()
        self.draft = new_draft(step.match) if step.match.to_act == self._seat else ()

    def _lay_open(self, before: AnyMatch, seat: int, dice: Dice, number: int) -> None:
        match, for_the_lead = cast(OpenMatch, before), before.phase is Phase.ROLL_OFF
        self.last = Thrown(seat, dice, match.aside, number, match.limit, for_the_lead)
