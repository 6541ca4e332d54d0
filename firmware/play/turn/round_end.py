"""How a round ended: what a step's events say about who pays and why."""

from typing import NamedTuple

from firmware.display.screens import Judgement
from game import AnyMatch, AnyStep, CoasterMatch, Hand, Match, Phase, SevensMatch, Status
from game.actions import FaultKind
from game.bluff.values import MAEXCHEN
from game.dice import Dice
from game.events import (
    CoastersMoved,
    DecidingRound,
    Event,
    GaveIn,
    GotSafe,
    HalfBegan,
    HalfLost,
    Inadmissible,
    LeftTable,
    LevellingDeclined,
    Lifted,
    MaexchenShown,
    Mishandled,
    OwnedUp,
    Penalised,
    PhaseTwoBegan,
    Revealed,
    Reversed,
    RoundBegan,
    RoundDecided,
    RoundVoided,
    Stopped,
    Threw,
    Tied,
    TowerShown,
    TowerSpared,
    WentWrongWay,
)

SHOWN_DICE: Dice = (MAEXCHEN // 10, MAEXCHEN % 10)


class BluffRoundEnd(NamedTuple):
    """The end of a round of a bluff game, by seats; or what else was laid open before all.

    Attributes:
        judgement: why somebody pays, or why the round goes no further.
        payer: who pays ``cost`` for it; None if the round is void and nobody is to blame.
        stands: what he has left, or has collected so far; ``status`` how he stands now.
        dice: what lay under the cup for all to see; None if nothing was lifted.
        announced, announcer, lifter: the doubted announcement and who lifted; else None.
        also: a second player who pays the same (R-HF-5); None for nobody.
        reversed: the direction of play was turned (R-HF-7).
        tower: ``dice`` lie on top of each other (R-HF-8).
    """

    judgement: Judgement
    payer: int | None
    cost: int
    stands: int
    status: Status
    dice: Dice | None = None
    announced: int | None = None
    announcer: int | None = None
    lifter: int | None = None
    also: int | None = None
    reversed: bool = False
    tower: bool = False


class OpenRoundEnd(NamedTuple):
    """The end of a round of dice that lie open, or of the throws for the lead.

    Attributes:
        best, worst: who threw best and worst, each with all his dice; None where nobody did.
        told: what came of it, as the core tells it, in order.
        dice: always None; a look at all dice would be none of this display's business any more.
    """

    best: tuple[int, Dice] | None
    worst: tuple[int, Dice] | None
    told: tuple[Event, ...]
    dice: None = None


_FAULTS = {
    FaultKind.DROP: Judgement.DROPPED,
    FaultKind.MOVE: Judgement.MOVED,
    FaultKind.LOOK: Judgement.LOOKED,
}
_ENDS = (RoundDecided, Tied, LevellingDeclined, RoundVoided, CoastersMoved)
"""With any of these, a round of open dice is over or voided, or a coaster was given (R-CHI-4)."""
_TOLD = (
    Tied,
    CoastersMoved,
    PhaseTwoBegan,
    GotSafe,
    LevellingDeclined,
    HalfLost,
    HalfBegan,
    DecidingRound,
    LeftTable,
    RoundVoided,
)


def round_end_of(before: AnyMatch, step: AnyStep) -> BluffRoundEnd | OpenRoundEnd | None:
    """How the round ended in this step, or None if it goes on.

    Args:
        before: the match that the step moved on.
        step: what became of it.
    """
    if isinstance(step.match, Match):
        return _bluff_ending(step.match, step.events)
    assert not isinstance(before, Match), "a match stays of its kind"
    return _settled(before, step.events)


def _bluff_ending(match: Match, events: tuple[Event, ...]) -> BluffRoundEnd | None:
    payers = [event for event in events if isinstance(event, Penalised)]
    if payers:
        seat, cost, left = payers[0].seat, payers[0].cost, payers[0].left
        stands = match.tally[seat] if left is None else left
        pays = BluffRoundEnd(Judgement.LIE, seat, cost, stands, match.status[seat])
        if len(payers) > 1:
            pays = pays._replace(also=payers[1].seat)
    else:
        pays = BluffRoundEnd(Judgement.VOIDED, None, 0, 0, Status.IN)
    ending: BluffRoundEnd | None = None
    for event in events:
        match event:
            case Revealed(lifter, dice, announced, announcer, lied, tower):
                ending = pays._replace(
                    judgement=Judgement.LIE if lied else Judgement.TRUE,
                    dice=dice,
                    announced=announced,
                    announcer=announcer,
                    lifter=lifter,
                    tower=tower,
                )
            case TowerSpared(seat) if ending is not None:
                ending = ending._replace(judgement=Judgement.TOWER_SPARED, payer=seat)
            case TowerShown(seat, dice):
                ending = pays._replace(
                    judgement=Judgement.TOWER_SHOWN, payer=seat, dice=dice, lifter=seat, tower=True
                )
            case Reversed() if ending is not None:
                ending = ending._replace(reversed=True)
            case MaexchenShown(shower):
                ending = pays._replace(judgement=Judgement.SHOWN, dice=SHOWN_DICE, lifter=shower)
            case GaveIn():
                ending = pays._replace(judgement=Judgement.GAVE_IN)
            case OwnedUp():
                ending = pays._replace(judgement=Judgement.OWNED_UP)
            case Inadmissible():
                ending = pays._replace(judgement=Judgement.INADMISSIBLE)
            case WentWrongWay():
                ending = pays._replace(judgement=Judgement.WRONG_WAY)
            case Mishandled(_, kind):
                ending = pays._replace(judgement=_FAULTS[kind])
            case LeftTable(leaver) if any(isinstance(other, RoundVoided) for other in events):
                ending = pays._replace(judgement=Judgement.LEFT, payer=leaver, status=Status.LEFT)
            case RoundVoided() if ending is None:
                ending = pays
            case _:
                pass
    assert ending is not None or not payers, f"a penalty without a reason: {events}"
    return ending


def _settled(before: CoasterMatch | SevensMatch, events: tuple[Event, ...]) -> OpenRoundEnd | None:
    led_off = before.phase is Phase.ROLL_OFF and any(isinstance(e, RoundBegan) for e in events)
    if not led_off and not any(isinstance(event, _ENDS) for event in events):
        return None
    best = worst = None
    for event in events:
        if isinstance(event, RoundDecided):
            best = (event.best, _all_dice(before, events, event.best))
            worst = (event.worst, _all_dice(before, events, event.worst))
    told = tuple(
        event
        for event in events
        if isinstance(event, _TOLD) or (led_off and isinstance(event, RoundBegan))
    )
    return OpenRoundEnd(best, worst, told)


def _all_dice(before: CoasterMatch | SevensMatch, events: tuple[Event, ...], seat: int) -> Dice:
    """All dice of a seat at the end of a round, high to low: set aside, thrown and lifted."""
    aside = before.aside if isinstance(before, CoasterMatch) else ()
    dice: Dice | None = None
    for event in events:
        match event:
            case Threw(thrower, thrown, _) if thrower == seat:
                dice = aside + thrown
            case Stopped(stopper) if stopper == seat:
                dice = aside + (before.dice or ())
            case Lifted(lifter, lifted) if lifter == seat:
                dice = aside + lifted
            case _:
                pass
    if dice is None:
        hand = before.hands[seat]
        assert hand is not None, "everybody has thrown when a round is decided"
        dice = hand.aside + (hand.dice or ()) if isinstance(hand, Hand) else hand
    return tuple(sorted(dice, reverse=True))
