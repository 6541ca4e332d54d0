"""The screens of dice that lie open: thrown, drafted, lifted, and the end of a round."""

from typing import cast

from firmware.display import screens
from firmware.display.screens import NoteLine, Screen, ThrowStage
from firmware.display.text.labels import Text
from firmware.input.controls import Die
from firmware.play.presenter import PlayView, dial_of
from firmware.play.turn.draft import Thrown
from firmware.play.turn.round_end import OpenRoundEnd
from firmware.table.seat.cup_custody import Position
from game import OpenMatch, Phase, Unit, dice_to_roll, events, hides_dice
from game.events import Event

_HERE = (Position.MINE, Position.TO_PASS)
LIMIT = 3
"""Throws of a leader (T-1); a later one is a bonus."""
_STAGES = {
    Phase.ROLL_OFF: ThrowStage.ROLL_OFF,
    Phase.TO_LIFT: ThrowStage.LIFT,
    Phase.LEVELLING: ThrowStage.LEVELLING,
}


def thrown_of(view: PlayView) -> Screen | None:
    """Return the page of the last open throw: mine while its cup is lifted, or another player's."""
    thrown, position = view.thrown, view.position
    if thrown is None:
        return None
    if thrown.seat == view.seat:
        if view.lifted:
            return _open(view, thrown, mine=True)
        return mine(view) if view.fresh and position in _HERE else None
    elsewhere = position in (Position.WATCHING, Position.PASSING)
    return _open(view, thrown, mine=False) if elsewhere and not view.reads_end else None


def _open(view: PlayView, thrown: Thrown, *, mine: bool) -> Screen:
    acts = mine and view.position in _HERE
    entry = view.dial.entry.choice if acts and view.dial is not None else None
    return screens.ThrowOpenPage(
        game=view.match.rules.game,
        who=None if mine else view.name_of(thrown.seat),
        dice=thrown.dice,
        aside=thrown.aside,
        states=view.draft or (screens.DieState.IN_PLAY,) * len(thrown.dice),
        number=thrown.number,
        limit=thrown.limit,
        dial=dial_of(view) if acts else None,
        selected=entry.place if isinstance(entry, Die) else None,
        roll_off=thrown.for_the_lead,
        may_throw=acts and view.may_throw,
    )


def mine(view: PlayView) -> Screen:
    """Return the page of this seat's turn while its cup is closed."""
    match = cast(OpenMatch, view.match)
    thrown = view.thrown if view.thrown and view.thrown.seat == view.seat else None
    number, limit = match.throws, match.limit
    aside = match.aside
    stage = _STAGES.get(match.phase, ThrowStage.TURN)
    if thrown is not None:
        number, limit, aside = thrown.number, thrown.limit, thrown.aside
        stage = ThrowStage.ROLL_OFF if thrown.for_the_lead else ThrowStage.TURN
    if stage is ThrowStage.TURN and (number > LIMIT or (number == LIMIT and thrown is None)):
        stage = ThrowStage.BONUS
    acts = view.position is Position.MINE
    return screens.ThrowClosedPage(
        game=match.rules.game,
        stage=stage,
        number=number,
        limit=limit,
        aside=aside,
        to_throw=dice_to_roll(match) if acts else 0,
        dial=dial_of(view),
        thrown=thrown is not None,
        may_throw=view.may_throw,
    )


def round_end(view: PlayView, dial: screens.DialStrip | None) -> Screen:
    """Return the page of how the last round ended; ``dial`` goes on from it, None elsewhere."""
    ended = view.round_end
    assert isinstance(ended, OpenRoundEnd), "a round of open dice ends so"
    return screens.RoundEndPage(
        game=view.match.rules.game,
        best=None if ended.best is None else (view.name_of(ended.best[0]), ended.best[1]),
        worst=None if ended.worst is None else (view.name_of(ended.worst[0]), ended.worst[1]),
        notes=_notes(view, ended.notes),
        dial=dial,
        mine_to_go_on=dial is not None or view.position is Position.MINE,
        may_throw=view.may_throw,
        over=view.position is Position.OVER,
        thrown=view.may_show and view.position in _HERE,
    )


def _notes(view: PlayView, happened: tuple[Event, ...]) -> tuple[NoteLine, ...]:
    """Return one line for each event; all players who got safe share one."""
    safe = [view.name_of(event.seat) for event in happened if isinstance(event, events.GotSafe)]
    notes = [_note(view, event) for event in happened if not isinstance(event, events.GotSafe)]
    if safe:
        notes.append(NoteLine(Text.GOT_SAFE, ", ".join(safe)))
    return tuple(notes)


def _note(view: PlayView, event: Event) -> NoteLine:
    match event:
        case events.Tied(seats):
            return NoteLine(Text.TIED, count=len(seats))
        case events.RoundBegan(_, leader):
            return NoteLine(Text.LEADS, view.name_of(leader))
        case events.CoastersMoved(None, taker, _) if view.match.rules.unit is Unit.ROUND:
            return NoteLine(Text.ROUND_LOST, view.name_of(taker))
        case events.CoastersMoved(None, taker, count):
            return NoteLine(Text.WORST_TAKES, view.name_of(taker), count=count)
        case events.CoastersMoved(giver, None, count):
            return NoteLine(Text.BEST_GIVES_AWAY, view.name_of(giver), count=count)
        case events.CoastersMoved(giver, taker, count):
            names = view.name_of(giver), view.name_of(taker)
            return NoteLine(Text.BEST_GIVES, *names, count=count)
        case events.PhaseTwoBegan():
            return NoteLine(Text.PHASE_TWO)
        case events.LevellingDeclined(seat):
            return NoteLine(Text.DECLINED, view.name_of(seat))
        case events.HalfLost(seat, half, _):
            return NoteLine(Text.HALF_LOST, view.name_of(seat), count=half)
        case events.HalfBegan(half, _):
            return NoteLine(Text.HALF_BEGINS, count=half)
        case events.DecidingRound():
            return NoteLine(Text.DECIDING)
        case events.LeftTable(seat):
            return NoteLine(Text.LEFT_TABLE, view.name_of(seat))
        case events.RoundVoided():
            return NoteLine(Text.VOIDED)
        case _:
            raise AssertionError(f"{event} ends no round")


def state_of_match(view: PlayView) -> tuple[NoteLine, ...]:
    """Return how far a match with a pile is: its second phase, or the pile; empty in others."""
    if hides_dice(view.match):
        return ()
    match = cast(OpenMatch, view.match)
    if match.stage > 1:
        return (NoteLine(Text.PHASE_TWO),)
    return (NoteLine(Text.PILE, count=match.pile),) if match.stage else ()
