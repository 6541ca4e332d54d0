"""What can be done now: the entries of the dial for every position a handheld can be in.

The entries come from ``game.legal_actions``, so the dial lists every legal action and no other. One
exception keeps a secret: after a look "show Mäxchen", or "show tower", is always there, whatever
lies in the cup, for everybody can see the length of a dial. Trying it in vain does nothing. Dice
are set aside one by one (``firmware.play.turn.draft``), so their entries stand for every ``Keep``.
"""

from enum import Enum, auto
from typing import NamedTuple

from firmware.input.controls.dial import (
    Back,
    Choice,
    Die,
    Entry,
    Forget,
    Go,
    Help,
    Loudness,
    More,
    Scores,
    ShowThrow,
    Without,
)
from game import AnyMatch, CoasterMatch, Match, Phase, Status, illegality, legal_actions
from game.actions import (
    Announce,
    Believe,
    Doubt,
    EndMatch,
    Give,
    GiveIn,
    Keep,
    Leave,
    Lift,
    Look,
    OwnUp,
    Refuse,
    Roll,
    Say,
    SeatAction,
    ShowMaexchen,
    ShowTower,
    Stop,
    StopMatch,
    VoidRound,
)

REPEAT_SHAKE_US = 800_000
"""A repeated throw asks for this much vigour; a first one for what makes a shake at all."""


class Position(Enum):
    """Where this handheld stands on the cup's way."""

    WATCHING = auto()
    """The cup is elsewhere."""
    OFFERED = auto()
    """The cup is offered to this seat, which owes an answer."""
    TAKING = auto()
    """The answer is given, and the cup is on its way here."""
    MINE = auto()
    """The cup is here, and this seat acts."""
    TO_PASS = auto()
    """The cup is here, but another seat acts next."""
    PASSING = auto()
    """The cup is on its way to another seat."""
    OVER = auto()
    """The match has ended."""
    STOPPED = auto()
    """The handheld cannot go on: the journal or the record is at fault."""


class Offering(NamedTuple):
    """What the dial offers: what a tap does, and what a hold does, nearest first.

    ``last`` is the outermost entry on the left: the menu, or the way back out of a second dial.
    """

    tapped: tuple[Choice, ...] = ()
    held: tuple[Choice, ...] = ()
    last: Choice = More()

    def entries(self) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
        """The two sides of the dial: (held, tapped). The last one is a tap too."""
        held = tuple(Entry(choice, holds=True) for choice in self.held)
        tapped = tuple(Entry(choice) for choice in self.tapped)
        return (*held, Entry(self.last)), tapped


TAPPED = (Announce, Say, Believe, Refuse, Give)
"""The actions that a tap does; the others cannot be taken back and want a hold."""


_WITHOUT_PART = (Status.OUT, Status.LEFT, Status.SAFE)


def offering(position: Position, match: AnyMatch, *, shows: bool = False) -> Offering:
    """What this seat can do now, on the first dial.

    An announcement stands there plainly, with nothing added: ``variants`` tells what can be.

    Args:
        position: where the handheld stands.
        match: its own copy of the match; its dice may be unknown.
        shows: an open throw of this seat lies under its cup.
    """
    show = (ShowThrow(),) if shows else ()
    if position is Position.TO_PASS:
        return Offering((Go(),), show)
    if position not in (Position.MINE, Position.OFFERED):
        return Offering()
    tapped: list[Choice] = []
    held: list[Choice] = list(show)
    for action in legal_actions(match):
        if isinstance(action, TAPPED):
            if action == plain(action):
                tapped.append(action)
        elif not isinstance(action, Keep):
            held.append(action)
    tapped.sort(key=lambda choice: isinstance(choice, Refuse))
    tapped += _dice_of(match)
    if tapped and isinstance(tapped[-1], Die) and Roll() not in held:
        held.append(Roll())
    if may_look_again(match):
        held.append(Look())
        held += [shown for shown in showable(match) if shown not in held]
    held.sort(key=_place)
    return Offering(tuple(tapped), tuple(held))


def menu(
    match: AnyMatch, seat: int, gone: tuple[int, ...] = (), *, forgets: bool = False
) -> Offering:
    """What the menu offers: to read on with a tap, to end things early with a hold (B-10).

    ``gone``: other seats that may be gone for good. Who watches from a place behind the seats can
    end nothing. ``forgets``: this handheld can leave the table behind where the match does not
    need it, or cannot go on as it is.
    """
    watches = seat >= len(match.players) or match.status[seat] in _WITHOUT_PART
    forget: tuple[Choice, ...] = (Forget(),) if forgets and (watches or gone) else ()
    if seat >= len(match.players):
        return Offering((Scores(), Help()), forget, last=Back())
    early = (Leave(seat), VoidRound(), StopMatch())
    held: list[Choice] = [action for action in early if illegality(match, action) is None]
    held += [Without(other) for other in gone]
    return Offering((Scores(), Help(), Loudness()), (*held, *forget), last=Back())


def second_dial(match: AnyMatch, said: Announce | Say) -> Offering:
    """What can be added to an announcement: a flourish, another direction (R-PHYS-6, R-HF-5)."""
    return Offering(variants(match, said), last=Back())


def variants(match: AnyMatch, said: Announce | Say) -> tuple[Announce | Say, ...]:
    """Every legal way to say this value or these words, the plain one first."""
    return tuple(
        action
        for action in legal_actions(match)
        if isinstance(action, Announce | Say) and plain(action) == plain(said)
    )


def plain(action: SeatAction) -> SeatAction:
    """An announcement as the first dial has it, with nothing added; any other action as it is."""
    match action:
        case Announce(value):
            return Announce(value)
        case Say(words):
            return Say(words)
        case _:
            return action


def may_look(match: AnyMatch) -> bool:
    """Whether the holder may see his dice now, for the first time or again (R-CLASS-4)."""
    return may_look_again(match) or Look() in legal_actions(match)


def may_look_again(match: AnyMatch) -> bool:
    """Whether the holder has looked at the roll in the cup; looking again is no new action."""
    return isinstance(match, Match) and match.phase is Phase.THROWN and match.seen


def showable(match: AnyMatch) -> tuple[SeatAction, ...]:
    """What stands on the dial to be shown after a look, whatever was seen (R-CLASS-6, R-HF-8)."""
    if not isinstance(match, Match) or not may_look_again(match):
        return ()
    maexchen = (ShowMaexchen(),) if match.rules.customs.meiern else ()
    return (*maexchen, *((ShowTower(),) if match.rules.tower_one_in else ()))


def _dice_of(match: AnyMatch) -> tuple[Die, ...]:
    """A dial entry for every die that the draft can set aside or turn."""
    if not isinstance(match, CoasterMatch) or match.phase is not Phase.THROWN:
        return ()
    if not any(isinstance(action, Keep) for action in legal_actions(match)):
        return ()
    return tuple(Die(place) for place in range(len(match.dice or ())))


_HELD: tuple[type[Choice], ...] = (
    Roll, ShowThrow, Look, ShowMaexchen, ShowTower, OwnUp, Doubt, GiveIn, Lift, Stop, EndMatch,
)  # fmt: skip
"""What a hold does, nearest to the neutral entry first. The order must not depend on the dice."""


def _place(choice: Choice) -> int:
    return _HELD.index(type(choice))
