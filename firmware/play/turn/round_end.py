"""The end of a round: the payers and the reasons, from a step's events."""

from typing import NamedTuple, cast

from firmware.display.screens import Judgement
from game import AnyMatch, AnyStep, Match, OpenMatch, Phase, Status, events, hides_dice
from game.actions import FaultKind
from game.bluff.rules import MAEXCHEN
from game.dice import Dice
from game.events import Event

SHOWN_DICE: Dice = (MAEXCHEN // 10, MAEXCHEN % 10)
"""The dice of a `MAEXCHEN` that is shown: its two digits."""


class BluffRoundEnd(NamedTuple):
    """The end of a round of a bluff game, by seats; or another reveal before all players.

    Attributes:
        judgement: why a seat pays, or why the round goes no further.
        payer: the seat that pays ``cost``; None if the round is void and nobody is to blame.
        stands: the payer's matches left, or units collected; ``status``: the payer's standing now.
        dice: the dice under the cup, for all to see; None if nothing was lifted.
        announced, announcer, lifter: the doubted announcement, and the seat that lifted; else None.
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
        best, worst: the seats that threw best and worst, each with all its dice; None if nobody
            did.
        notes: the events of it that the page has a line for, in order.
    """

    best: tuple[int, Dice] | None
    worst: tuple[int, Dice] | None
    notes: tuple[Event, ...]


_FAULTS = {
    FaultKind.DROP: Judgement.DROPPED,
    FaultKind.MOVE: Judgement.MOVED,
    FaultKind.LOOK: Judgement.LOOKED,
    FaultKind.OTHER: Judgement.MISTAKEN,
}
_ENDS = (
    events.RoundDecided, events.Tied, events.LevellingDeclined, events.RoundVoided,
    events.CoastersMoved,
)  # fmt: skip
"""Events that end or void a round of open dice, or give a coaster away (R-CHI-4)."""
_TOLD = (
    events.Tied, events.CoastersMoved, events.PhaseTwoBegan, events.GotSafe,
    events.LevellingDeclined, events.HalfLost, events.HalfBegan, events.DecidingRound,
    events.LeftTable, events.RoundVoided,
)  # fmt: skip


def round_end_of(before: AnyMatch, step: AnyStep) -> BluffRoundEnd | OpenRoundEnd | None:
    """Return how the round ended in this step, or None if it goes on.

    Args:
        before: the match that the step moved on.
        step: the result of the action.
    """
    if hides_dice(step.match):
        return _bluff_ending(step.match, step.events)
    return _settled(cast(OpenMatch, before), step.events)


def _bluff_ending(match: Match, happened: tuple[Event, ...]) -> BluffRoundEnd | None:
    payers = [event for event in happened if isinstance(event, events.Penalised)]
    if payers:
        seat, cost, left = payers[0].seat, payers[0].cost, payers[0].left
        stands = match.tally[seat] if left is None else left
        pays = BluffRoundEnd(Judgement.LIE, seat, cost, stands, match.status[seat])
        if len(payers) > 1:
            pays = pays._replace(also=payers[1].seat)
    else:
        pays = BluffRoundEnd(Judgement.VOIDED, None, 0, 0, Status.IN)
    ending: BluffRoundEnd | None = None
    for event in happened:
        match event:
            case events.Revealed(lifter, dice, announced, announcer, lied, tower):
                ending = pays._replace(
                    judgement=Judgement.LIE if lied else Judgement.TRUE,
                    dice=dice,
                    announced=announced,
                    announcer=announcer,
                    lifter=lifter,
                    tower=tower,
                )
            case events.TowerSpared(seat) if ending is not None:
                ending = ending._replace(judgement=Judgement.TOWER_SPARED, payer=seat)
            case events.TowerShown(seat, dice):
                ending = pays._replace(
                    judgement=Judgement.TOWER_SHOWN, payer=seat, dice=dice, lifter=seat, tower=True
                )
            case events.Reversed() if ending is not None:
                ending = ending._replace(reversed=True)
            case events.MaexchenShown(shower):
                ending = pays._replace(judgement=Judgement.SHOWN, dice=SHOWN_DICE, lifter=shower)
            case events.GaveIn():
                ending = pays._replace(judgement=Judgement.GAVE_IN)
            case events.OwnedUp():
                ending = pays._replace(judgement=Judgement.OWNED_UP)
            case events.Inadmissible():
                ending = pays._replace(judgement=Judgement.INADMISSIBLE)
            case events.WentWrongWay():
                ending = pays._replace(judgement=Judgement.WRONG_WAY)
            case events.Mishandled(_, kind):
                ending = pays._replace(judgement=_FAULTS[kind])
            case events.LeftTable(leaver) if _has(happened, events.RoundVoided):
                ending = pays._replace(judgement=Judgement.LEFT, payer=leaver, status=Status.LEFT)
            case events.RoundVoided() if ending is None:
                ending = pays
            case _:
                pass
    assert ending is not None or not payers, f"a penalty without a reason: {happened}"
    return ending


def _settled(before: OpenMatch, happened: tuple[Event, ...]) -> OpenRoundEnd | None:
    led_off = before.phase is Phase.ROLL_OFF and _has(happened, events.RoundBegan)
    if not led_off and not _has(happened, *_ENDS):
        return None
    best = worst = None
    for event in happened:
        if isinstance(event, events.RoundDecided):
            best = (event.best, _all_dice(before, happened, event.best))
            worst = (event.worst, _all_dice(before, happened, event.worst))
    notes = tuple(
        event
        for event in happened
        if isinstance(event, _TOLD) or (led_off and isinstance(event, events.RoundBegan))
    )
    return OpenRoundEnd(best, worst, notes)


def _has(happened: tuple[Event, ...], *kinds: type[Event]) -> bool:
    return any(isinstance(event, kinds) for event in happened)


def _all_dice(before: OpenMatch, happened: tuple[Event, ...], seat: int) -> Dice:
    """Return all dice of a seat after a round, high to low: set aside, thrown and lifted."""
    aside, dice = before.aside, before.shown(seat) or ()
    for event in happened:
        match event:
            case events.Threw(thrower, thrown, _) if thrower == seat:
                dice = aside + thrown
            case events.Stopped(stopper) if stopper == seat:
                dice = aside + (before.dice or ())
            case events.Lifted(lifter, lifted) if lifter == seat:
                dice = aside + lifted
            case _:
                pass
    return tuple(sorted(dice, reverse=True))
