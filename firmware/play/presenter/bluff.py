"""The screens of the bluff games: a cup that is closed, offered, doubted or looked into."""

from typing import cast

from firmware.display import screens
from firmware.display.screens import Screen
from firmware.play.presenter import PlayView, dial_of, recipient
from firmware.play.turn.offers import may_look
from firmware.play.turn.round_end import BluffRoundEnd
from firmware.table.seat.cup_custody import Position
from game import Match, Phase, hides_dice
from game.actions import Doubt

_CUP = {
    Phase.OPENING: screens.CupKind.OPENING,
    Phase.BELIEVED: screens.CupKind.BELIEVED,
    Phase.THROWN: screens.CupKind.THROWN,
    Phase.ROLL_AGAIN: screens.CupKind.AGAIN,
}


def standing(view: PlayView) -> tuple[screens.Said | None, str | None]:
    """Return the last announcement as it was made, and its announcer; None for none (R-HF-9)."""
    match = view.match
    if not hides_dice(match) or match.said is None:
        return None, None
    return match.said, view.name_of(match.announcer)


def offered(view: PlayView) -> Screen:
    """Return the page of a cup that is offered here."""
    said, announcer = standing(view)
    assert said is not None, "an offer has an announcement"
    assert announcer is not None, "an announcement has an announcer"
    return screens.OfferPage(
        announcer,
        said,
        dial_of(view),
        view.offer_armed,
        doubt=view.doubt,
        too_short=view.doubt_fell_short,
    )


def taking(view: PlayView) -> Screen | None:
    """Return the page while a doubted cup comes here; None after any other answer."""
    said, announcer = standing(view)
    if isinstance(view.answered, Doubt) and said is not None and announcer is not None:
        return screens.LiftingPage(announcer, said)
    return None


def mine(view: PlayView) -> Screen:
    """Return the page of the seat that holds the cup and acts."""
    match = cast(Match, view.match)
    said, announcer = standing(view)
    if match.phase is Phase.DOUBTED and said is not None and announcer is not None:
        return screens.LiftingPage(announcer, said, dial=dial_of(view))
    if view.announcing is not None:
        to = recipient(match, view.announcing)
        return screens.AnnouncingPage(view.announcing, view.name_of(to))
    return screens.ClosedPage(
        kind=_CUP[match.phase],
        dial=dial_of(view),
        said=said,
        announcer=announcer,
        throws=match.rolls,
        may_throw=view.may_throw,
        may_look=may_look(match),
        choosing=view.choosing,
    )


def reveal(view: PlayView, dial: screens.DialStrip | None) -> Screen:
    """Return the page of how the last round ended."""
    ending = view.round_end
    assert isinstance(ending, BluffRoundEnd), "a bluff game ends so"
    lied = ending.judgement is screens.Judgement.LIE
    return screens.RevealPage(
        verdict=screens.Verdict(
            ending.judgement,
            view.name_of(ending.payer),
            ending.cost,
            screens.Tally(ending.stands, view.match.rules.unit, ending.status),
            also=None if ending.also is None else view.name_of(ending.also),
            of_reader=view.seat == (ending.announcer if lied else ending.payer),
        ),
        dice=ending.dice if view.reads_end else None,
        announced=ending.announced,
        announcer=None if ending.announcer is None else view.name_of(ending.announcer),
        mine_to_go_on=dial is not None or view.position is Position.MINE,
        dial=dial,
        reversed=ending.reversed,
        unchecked=ending.dice is not None and view.unchecked,
        may_throw=view.may_throw,
        over=view.position is Position.OVER,
        holding=view.holding and view.reads_end and (dial is None or ending.dice is not None),
    )
