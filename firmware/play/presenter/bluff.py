"""The screens of the bluff games: a cup that is closed, offered, doubted or looked into."""

from typing import TYPE_CHECKING

from firmware.display.screens import (
    AnnouncingPage,
    ClosedPage,
    CupKind,
    DialStrip,
    LiftingPage,
    OfferPage,
    RevealPage,
    Said,
    Screen,
    Tally,
    Verdict,
)
from firmware.play.presenter.labels import dial_of, name_of, recipient, unit_of
from firmware.play.turn.offers import may_look
from firmware.play.turn.round_end import BluffRoundEnd
from game import Match, Phase
from game.actions import Doubt

if TYPE_CHECKING:
    from firmware.play.handheld import Handheld

_CUP = {
    Phase.OPENING: CupKind.OPENING,
    Phase.BELIEVED: CupKind.BELIEVED,
    Phase.THROWN: CupKind.THROWN,
    Phase.ROLL_AGAIN: CupKind.AGAIN,
}


def standing(handheld: "Handheld") -> tuple[Said | None, str | None]:
    """What was said last, as it was said, and by whom; None while nothing stands (R-HF-9)."""
    match = handheld.match
    if not isinstance(match, Match) or match.said is None:
        return None, None
    return match.said, name_of(handheld, match.announcer)


def offered(handheld: "Handheld") -> Screen:
    """The cup is offered to me, or I am doubting it."""
    said, announcer = standing(handheld)
    assert said is not None, "an offer has an announcement"
    assert announcer is not None, "an announcement has an announcer"
    if handheld.doubting_since_us is not None:
        return LiftingPage(announcer, said)
    return OfferPage(announcer, said, dial_of(handheld), handheld.offer_armed)


def taking(handheld: "Handheld") -> Screen | None:
    """I have doubted and the cup is on its way here; None after any other answer."""
    said, announcer = standing(handheld)
    if isinstance(handheld.passing.answered, Doubt) and said is not None and announcer is not None:
        return LiftingPage(announcer, said)
    return None


def mine(handheld: "Handheld") -> Screen:
    """The cup is mine, and I act."""
    match = handheld.match
    assert isinstance(match, Match), "the other games have other screens"
    said, announcer = standing(handheld)
    if match.phase is Phase.DOUBTED and said is not None and announcer is not None:
        return LiftingPage(announcer, said, dial=dial_of(handheld))
    if handheld.announcing is not None:
        to = recipient(match, handheld.announcing.said)
        return AnnouncingPage(handheld.announcing.said, name_of(handheld, to))
    return ClosedPage(
        kind=_CUP[match.phase],
        dial=dial_of(handheld),
        said=said,
        announcer=announcer,
        throws=match.rolls,
        may_throw=handheld.may_throw,
        may_look=may_look(match),
        choosing=handheld.choosing,
    )


def reveal(handheld: "Handheld", dial: DialStrip | None) -> Screen:
    """How the last round ended."""
    ending = handheld.ending
    assert isinstance(ending, BluffRoundEnd), "a bluff game ends so"
    return RevealPage(
        verdict=Verdict(
            ending.judgement,
            name_of(handheld, ending.payer),
            ending.cost,
            Tally(ending.stands, unit_of(handheld.match), ending.status),
            also=None if ending.also is None else name_of(handheld, ending.also),
        ),
        dice=ending.dice if handheld.reading.ending_open else None,
        announced=ending.announced,
        announcer=None if ending.announcer is None else name_of(handheld, ending.announcer),
        lifter=None if ending.lifter is None else name_of(handheld, ending.lifter),
        mine_to_go_on=dial is not None,
        dial=dial,
        reversed=ending.reversed,
        tower=ending.tower,
        unchecked=ending.dice is not None and handheld.passing.unchecked,
    )
