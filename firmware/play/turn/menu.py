"""The menu behind the last entry of the dial."""

from firmware.input.controls.announcements import variants
from firmware.input.controls.choice import (
    Back,
    Choice,
    Forget,
    Help,
    Hint,
    Loudness,
    Scores,
    Without,
)
from firmware.play.turn.offering import Offering
from firmware.table.seat.wishes import WishAction
from game import AnyMatch, illegality
from game.actions import Announce, Fault, FaultKind, Leave, Say, StopMatch, VoidRound
from game.status import AWAY


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
    forget: tuple[Choice, ...] = (Forget(),) if forgets and (watches or gone) else ()
    if seat >= len(match.players):
        return Offering((Scores(), Help()), forget, last=Back())
    mistakes = (Fault(FaultKind.OTHER, other) for other in range(len(match.players)))
    early: tuple[WishAction, ...] = (Leave(seat), VoidRound(), StopMatch(), *mistakes)
    held: list[Choice] = [action for action in early if illegality(match, action) is None]
    held += [Without(other) for other in gone]
    pages = (Scores(), Help(), Hint()) if hints else (Scores(), Help())
    return Offering((*pages, Loudness()), (*held, *forget), last=Back())


def second_dial(match: AnyMatch, announcement: Announce | Say) -> Offering:
    """Return the additions to an announcement: a flourish, another direction (R-PHYS-6, R-HF-5)."""
    return Offering(variants(match, announcement), last=Back())
