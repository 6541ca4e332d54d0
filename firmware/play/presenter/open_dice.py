"""The screens of dice that lie open: thrown, drafted, lifted, and what a round came to."""

from typing import TYPE_CHECKING

from firmware.display.screens import (
    DialStrip,
    NoteLine,
    RoundEndPage,
    Screen,
    ThrowClosedPage,
    ThrowOpenPage,
    ThrowStage,
)
from firmware.display.text.labels import Text
from firmware.input.controls.choice import Die
from firmware.play.presenter.labels import dial_of, name_of
from firmware.play.turn.open_throw import Thrown
from firmware.play.turn.round_end import OpenRoundEnd
from firmware.table.seat.position import Position
from game import CoasterMatch, Match, Phase, SevensMatch, dice_to_roll
from game.events import (
    CoastersMoved,
    DecidingRound,
    Event,
    GotSafe,
    HalfBegan,
    HalfLost,
    LeftTable,
    LevellingDeclined,
    PhaseTwoBegan,
    RoundBegan,
    RoundVoided,
    Tied,
)

if TYPE_CHECKING:
    from firmware.play.handheld import Handheld

LIMIT = 3
"""How often a leader may throw (T-1); what comes after it is a bonus."""
_STAGES = {
    Phase.ROLL_OFF: ThrowStage.ROLL_OFF,
    Phase.TO_LIFT: ThrowStage.LIFT,
    Phase.LEVELLING: ThrowStage.LEVELLING,
}


def thrown_of(handheld: "Handheld") -> Screen | None:
    """The last open throw: mine while its cup is lifted, or another's as everybody sees it."""
    throw, position = handheld.throw, handheld.position
    if throw.last is None:
        return None
    if throw.mine is not None:
        if throw.shown:
            return _open(handheld, throw.last, mine=True)
        if throw.fresh and position in (Position.MINE, Position.TO_PASS):
            return mine(handheld)
        return None
    if position in (Position.WATCHING, Position.PASSING) and not handheld.reading.ending_open:
        return _open(handheld, throw.last, mine=False)
    return None


def _open(handheld: "Handheld", thrown: Thrown, *, mine: bool) -> Screen:
    acts = mine and handheld.position in (Position.MINE, Position.TO_PASS)
    entry = handheld.dial.entry.choice if acts and handheld.dial is not None else None
    return ThrowOpenPage(
        game=handheld.match.rules.game,
        who=None if mine else name_of(handheld, thrown.seat),
        dice=thrown.dice,
        aside=thrown.aside,
        states=handheld.throw.states,
        number=thrown.number,
        limit=thrown.limit,
        dial=dial_of(handheld) if acts else None,
        selected=entry.place if isinstance(entry, Die) else None,
        roll_off=thrown.for_the_lead,
    )


def mine(handheld: "Handheld") -> Screen:
    """My turn, and the cup is closed."""
    match = handheld.match
    assert not isinstance(match, Match), "the bluff games have other screens"
    thrown = handheld.throw.mine
    number, limit = match.throws, match.limit
    aside = match.aside if isinstance(match, CoasterMatch) else ()
    stage = _STAGES.get(match.phase, ThrowStage.TURN)
    if thrown is not None:
        number, limit, aside = thrown.number, thrown.limit, thrown.aside
        stage = ThrowStage.ROLL_OFF if thrown.for_the_lead else ThrowStage.TURN
    if stage is ThrowStage.TURN and (number > LIMIT or (number == LIMIT and thrown is None)):
        stage = ThrowStage.BONUS
    acts = handheld.position is Position.MINE
    return ThrowClosedPage(
        game=match.rules.game,
        stage=stage,
        number=number,
        limit=limit,
        aside=aside,
        to_throw=dice_to_roll(match) if acts else 0,
        dial=dial_of(handheld),
        thrown=thrown is not None,
        may_throw=handheld.may_throw,
    )


def round_end(handheld: "Handheld", dial: DialStrip | None) -> Screen:
    """What the last round came to."""
    ended = handheld.ending
    assert isinstance(ended, OpenRoundEnd), "a round of open dice ends so"
    return RoundEndPage(
        game=handheld.match.rules.game,
        best=None if ended.best is None else (name_of(handheld, ended.best[0]), ended.best[1]),
        worst=None if ended.worst is None else (name_of(handheld, ended.worst[0]), ended.worst[1]),
        notes=_notes(handheld, ended.told),
        dial=dial,
        mine_to_go_on=dial is not None,
    )


def _notes(handheld: "Handheld", events: tuple[Event, ...]) -> tuple[NoteLine, ...]:
    """One line for each event; all who got safe share one."""
    safe = [name_of(handheld, event.seat) for event in events if isinstance(event, GotSafe)]
    notes = [_note(handheld, event) for event in events if not isinstance(event, GotSafe)]
    if safe:
        notes.append(NoteLine(Text.GOT_SAFE, ", ".join(safe)))
    return tuple(notes)


def _note(handheld: "Handheld", event: Event) -> NoteLine:
    match event:
        case Tied(seats):
            return NoteLine(Text.TIED, count=len(seats))
        case RoundBegan(_, leader):
            return NoteLine(Text.LEADS, name_of(handheld, leader))
        case CoastersMoved(None, taker, _) if isinstance(handheld.match, SevensMatch):
            return NoteLine(Text.ROUND_LOST, name_of(handheld, taker))
        case CoastersMoved(None, taker, count):
            return NoteLine(Text.WORST_TAKES, name_of(handheld, taker), count=count)
        case CoastersMoved(giver, None, count):
            return NoteLine(Text.BEST_GIVES_AWAY, name_of(handheld, giver), count=count)
        case CoastersMoved(giver, taker, count):
            names = name_of(handheld, giver), name_of(handheld, taker)
            return NoteLine(Text.BEST_GIVES, *names, count=count)
        case PhaseTwoBegan():
            return NoteLine(Text.PHASE_TWO)
        case LevellingDeclined(seat):
            return NoteLine(Text.DECLINED, name_of(handheld, seat))
        case HalfLost(seat, half, _):
            return NoteLine(Text.HALF_LOST, name_of(handheld, seat), count=half)
        case HalfBegan(half, _):
            return NoteLine(Text.HALF_BEGINS, count=half)
        case DecidingRound():
            return NoteLine(Text.DECIDING)
        case LeftTable(seat):
            return NoteLine(Text.LEFT_TABLE, name_of(handheld, seat))
        case RoundVoided():
            return NoteLine(Text.VOIDED)
        case _:
            raise AssertionError(f"{event} ends no round")


def state_of_match(handheld: "Handheld") -> tuple[NoteLine, ...]:
    """How far the match is: the half, the coasters in the pile, or the round."""
    match = handheld.match
    if isinstance(match, CoasterMatch):
        if match.stage > 1:
            return (NoteLine(Text.PHASE_TWO),)
        return (NoteLine(Text.PILE, count=match.pile),)
    return ()
