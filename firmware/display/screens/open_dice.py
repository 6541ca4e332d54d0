"""Pages of the games with open dice."""

from dataclasses import dataclass

from firmware.display.screens.dial import DialStrip
from firmware.display.screens.dice import DieState, NoteLine, ThrowStage
from firmware.display.screens.page import Page
from game.dice import Dice


@dataclass(frozen=True, slots=True)
class ThrowClosedPage(Page):
    """It is my turn with dice that lie open, and the cup is closed.

    ``number`` counts my throws in this round, of at most ``limit``. ``aside`` were set aside
    before, ``to_throw`` dice are thrown next. ``thrown``: a lift shows a throw that lies there.
    ``may_throw``: a shake works.
    """

    game: str
    stage: ThrowStage
    number: int
    limit: int
    aside: Dice
    to_throw: int
    dial: DialStrip
    thrown: bool = False
    may_throw: bool = False


@dataclass(frozen=True, slots=True)
class ThrowOpenPage(Page):
    """An open throw: mine (``who`` None) while its cup is lifted, or another player's.

    ``states`` has the state of each of ``dice``; ``aside`` were set aside before. It is the
    ``number``-th throw of at most ``limit``; a bonus goes beyond it. ``selected`` is the place of
    the die under the highlight, None for none. ``roll_off``: only its sum counts. ``may_throw``: a
    shake works, once the cup is covered.
    """

    game: str
    who: str | None
    dice: Dice
    aside: Dice
    states: tuple[DieState, ...]
    number: int
    limit: int
    dial: DialStrip | None = None
    selected: int | None = None
    roll_off: bool = False
    may_throw: bool = False

    @property
    def concerns_player(self) -> bool:
        return self.who is None


@dataclass(frozen=True, slots=True)
class RoundEndPage(Page):
    """The end of a round of open dice, or of the throws for the lead.

    ``best`` and ``worst`` are players with all their dice, high to low; None if nothing was
    compared. ``notes`` are the consequences. ``mine_to_go_on``, ``dial``, ``may_throw`` and
    ``over`` are as in ``RevealPage``. ``thrown``: a lift shows my throw.
    """

    game: str
    best: tuple[str, Dice] | None
    worst: tuple[str, Dice] | None
    notes: tuple[NoteLine, ...]
    dial: DialStrip | None = None
    mine_to_go_on: bool = False
    may_throw: bool = False
    over: bool = False
    thrown: bool = False


OpenDiceScreen = ThrowClosedPage | ThrowOpenPage | RoundEndPage
