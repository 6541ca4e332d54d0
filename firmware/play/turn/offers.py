"""The possible actions: the entries of the dial for every position, its menu, and when it opens.

The entries come from ``game.legal_actions``, so the dial lists every legal action and no other. One
exception keeps a secret, because everybody can see the length of a dial. After a look "show
Mäxchen", or "show tower", is always there, whatever the dice. Trying it in vain does nothing. Dice
are set aside one by one (``firmware.play.turn.draft``), so their entries stand for every ``Keep``.

Numbers without a source are chosen.
"""

from collections.abc import Callable
from typing import NamedTuple

from firmware.input import controls as choices
from firmware.input.controls import Choice, Dial, Entry, LocalChoice, plain, variants
from firmware.table.seat.cup_custody import Position
from firmware.table.seat.wishes import WishAction
from game import AnyMatch, Phase, hides_dice, illegality, legal_actions
from game import actions as do
from game.actions import Announce, Say
from game.status import AWAY


class Offering(NamedTuple):
    """The entries of the dial for a tap, and those for a hold, nearest first.

    ``last`` is the outermost entry on the left: the menu, or the way back out of a second dial.
    """

    tapped: tuple[Choice, ...] = ()
    held: tuple[Choice, ...] = ()
    last: Choice = LocalChoice.MORE

    def entries(self) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
        """Return the two sides of the dial: (held, tapped). The last one is a tap too."""
        held = tuple(Entry(choice, holds=True) for choice in self.held)
        tapped = tuple(Entry(choice) for choice in self.tapped)
        return (*held, Entry(self.last)), tapped


TAPPED = (Announce, Say, do.Believe, do.Refuse, do.GiveCoaster)
"""Kinds of actions that a tap does; all others cannot be taken back and want a hold."""


def menu(
    match: AnyMatch,
    seat: int,
    gone: tuple[int, ...] = (),
    *,
    forgets: bool = False,
    hints: bool = False,
) -> Offering:
    """Return the entries of the menu: pages with a tap, agreements of the table with a hold (B-10).

    Args:
        match: as this handheld knows it.
        seat: its place; from ``len(match.players)`` on it only watches, and can end nothing.
        gone: other seats that may be gone for good, each with an entry to vote it out.
        forgets: there is a lobby to leave for; offered if the match does not need this seat, or
            cannot go on as it is.
        hints: hints are available.
    """
    watches = seat >= len(match.players) or match.status[seat] in AWAY
    may_forget = forgets and (watches or gone)
    forget: tuple[Choice, ...] = (LocalChoice.FORGET_TABLE,) if may_forget else ()
    if seat >= len(match.players):
        return Offering((LocalChoice.SCORES, LocalChoice.HELP), forget, last=LocalChoice.BACK)
    mistakes = (do.Fault(do.FaultKind.OTHER, other) for other in range(len(match.players)))
    early: tuple[WishAction, ...] = (do.Leave(seat), do.VoidRound(), do.StopMatch(), *mistakes)
    held: list[Choice] = [action for action in early if illegality(match, action) is None]
    held += [choices.Without(other) for other in gone]
    pages = (LocalChoice.SCORES, LocalChoice.HELP, *((LocalChoice.HINT,) if hints else ()))
    return Offering((*pages, LocalChoice.LOUDER), (*held, *forget), last=LocalChoice.BACK)


def second_dial(match: AnyMatch, announcement: Announce | Say) -> Offering:
    """Return the additions to an announcement: a flourish, another direction (R-PHYS-6, R-HF-5)."""
    return Offering(variants(match, announcement), last=LocalChoice.BACK)


class OpenDial:
    """The dial on the display, if there is one."""

    def __init__(self) -> None:
        self.dial: Dial | None = None
        self._opened_for: object = None
        self._level_deg: float | None = None

    def follow(self, place: object, offers: Callable[[], Offering | None], now_us: int) -> None:
        """Open another dial, or none, if ``place`` differs from the last call.

        A new dial begins with the neutral pose of the one before.

        Args:
            place: the state that the dial depends on; equal places have equal dials.
            offers: returns the possible actions there; None for nothing.
            now_us: the time.
        """
        if place == self._opened_for:
            return
        self._opened_for = place
        if self.dial is not None:
            self._level_deg = self.dial.level_deg
        offering = offers()
        if offering is None:
            self.dial = None
            return
        held, tapped = offering.entries()
        self.dial = Dial(held, tapped, now_us, self._level_deg)


REPEAT_SHAKE_US = 800_000
"""Vigorous µs that a repeated throw needs; a first one needs only what makes a shake."""


def offering(position: Position, match: AnyMatch, *, shows: bool = False) -> Offering:
    """Return the possible actions of this seat, on the first dial.

    Announcements have no flourish or direction here; ``variants`` returns the additions.

    Args:
        position: the place of the handheld on the cup's way.
        match: its own copy of the match; its dice may be unknown.
        shows: an open throw of this seat lies under its cup.
    """
    show = (LocalChoice.SHOW_THROW,) if shows else ()
    if position is Position.TO_PASS:
        return Offering((LocalChoice.GO_ON,), show)
    if position not in (Position.MINE, Position.OFFERED):
        return Offering()
    tapped: list[Choice] = []
    held: list[Choice] = list(show)
    for action in legal_actions(match):
        if isinstance(action, TAPPED):
            if action == plain(action):
                tapped.append(action)
        elif not isinstance(action, do.Keep):
            held.append(action)
    tapped.sort(key=lambda choice: isinstance(choice, do.Refuse))
    tapped += _dice_of(match)
    if tapped and isinstance(tapped[-1], choices.Die) and do.Roll() not in held:
        held.append(do.Roll())
    if may_look_again(match):
        held.append(do.Look())
        held += [shown for shown in showable(match) if shown not in held]
    held.sort(key=_place)
    return Offering(tuple(tapped), tuple(held))


def may_look(match: AnyMatch) -> bool:
    """Return whether the holder may see the dice now, for the first time or again (R-CLASS-4)."""
    return may_look_again(match) or do.Look() in legal_actions(match)


def may_look_again(match: AnyMatch) -> bool:
    """Return whether the holder has looked at the roll: a second look is no new action."""
    return hides_dice(match) and match.phase is Phase.THROWN and match.seen


def showable(match: AnyMatch) -> tuple[do.SeatAction, ...]:
    """Return the show actions on the dial after a look, whatever the dice (R-CLASS-6, R-HF-8)."""
    if not hides_dice(match) or not may_look_again(match):
        return ()
    maexchen = (do.ShowMaexchen(),) if match.rules.customs.meiern else ()
    return (*maexchen, *((do.ShowTower(),) if match.rules.tower_one_in else ()))


def _dice_of(match: AnyMatch) -> tuple[choices.Die, ...]:
    """Return a dial entry for every die that the draft can set aside or turn."""
    if not any(isinstance(action, do.Keep) for action in legal_actions(match)):
        return ()
    return tuple(choices.Die(place) for place in range(len(match.dice or ())))


_HELD: tuple[type[do.Action] | LocalChoice, ...] = (
    do.Roll, LocalChoice.SHOW_THROW, do.Look, do.ShowMaexchen, do.ShowTower, do.OwnUp, do.Doubt,
    do.GiveIn, do.Lift, do.Stop, do.EndMatch,
)  # fmt: skip
"""Actions of a hold, nearest to the neutral entry first. The order must not depend on the dice."""


def _place(choice: Choice) -> int:
    return _HELD.index(choice if isinstance(choice, LocalChoice) else type(choice))
