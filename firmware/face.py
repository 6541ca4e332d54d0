"""What the display shows: the screen for every state a handheld can be in.

A screen says what lies before the player and what he can do now. It holds dice in two cases only:
while their holder looks at them, and after a lift before everybody.
"""

from typing import TYPE_CHECKING

from firmware import dial as dials
from firmware.passing import Journey
from firmware.screens import (
    Announcing,
    Closed,
    CupKind,
    Dial,
    Item,
    Lifting,
    Look,
    MatchOver,
    Offered,
    OnItsWay,
    Reveal,
    Row,
    Screen,
    Shaking,
    Standings,
    Tally,
    Told,
    Unit,
    Verdict,
    Waiting,
    Way,
)
from firmware.texts import Text
from firmware.turn import REPEAT_SHAKE_US, Position, may_look
from game import Phase, illegality
from game.actions import (
    Action,
    Announce,
    Believe,
    Doubt,
    EndMatch,
    GiveIn,
    OwnUp,
    Roll,
    ShowMaexchen,
)
from game.actions import Look as LookAction
from game.values import value_of

if TYPE_CHECKING:
    from firmware.handheld import Handheld

SHAKE_STEPS = 4
"""The bar of a repeated throw moves in quarters, so that it costs little traffic."""

_WORDS: dict[type[dials.Choice], Text] = {
    Roll: Text.THROW,
    LookAction: Text.LOOK,
    Believe: Text.BELIEVE,
    Doubt: Text.DOUBT,
    GiveIn: Text.GIVE_IN,
    ShowMaexchen: Text.SHOW_MAEXCHEN,
    OwnUp: Text.OWN_UP,
    EndMatch: Text.END_MATCH,
    dials.Go: Text.GO_ON,
    dials.Scores: Text.SCORES,
}

_CUP = {
    Phase.OPENING: CupKind.OPENING,
    Phase.BELIEVED: CupKind.BELIEVED,
    Phase.THROWN: CupKind.THROWN,
}

_WAYS = {
    Journey.CALLING: Way.CALLING,
    Journey.OFFERED: Way.OFFERED,
    Journey.GIVING: Way.GIVING,
    Journey.SILENT: Way.SILENT,
}


def shows_dice(screen: Screen) -> bool:
    """Whether there are dice in the screen."""
    return isinstance(screen, Look) or (isinstance(screen, Reveal) and screen.dice is not None)


def screen_of(handheld: "Handheld") -> Screen:
    """The screen that a handheld shows now."""
    position = handheld.position
    own_dice = handheld.sees_own_dice
    if position is Position.STOPPED and handheld.passing.trouble is not None:
        return handheld.passing.trouble
    if handheld.faults:
        return next(iter(handheld.faults.values()))
    if own_dice is not None:
        return Look(own_dice, value_of(own_dice))
    if handheld.notice is not None:
        return Told(handheld.notice.message)
    if handheld.scores_until_us is not None:
        return Standings(_rows(handheld))
    if handheld.shaking_us is not None:
        return _shaking(handheld)
    if position is Position.OVER and not _reading(handheld):
        return _match_over(handheld)
    if handheld.ending is not None and (_reading(handheld) or position is Position.TO_PASS):
        return _reveal(handheld)
    match position:
        case Position.OFFERED:
            return _offered(handheld)
        case Position.TAKING:
            return _taking(handheld)
        case Position.MINE:
            return _mine(handheld)
        case Position.PASSING:
            return _passing(handheld)
        case _:
            return _waiting(handheld)


def _reading(handheld: "Handheld") -> bool:
    """Whether the end of the last round is still to be read, dice and all."""
    return handheld.ending is not None and handheld.ending_open


def _name(handheld: "Handheld", seat: int | None) -> str:
    return "" if seat is None else handheld.match.players[seat]


def _unit(handheld: "Handheld") -> Unit:
    return Unit.MATCH if handheld.match.rules.stakes == "matches" else Unit.DRINK


def _tally(handheld: "Handheld", seat: int) -> Tally:
    match = handheld.match
    unit = _unit(handheld)
    count = match.matches[seat] if unit is Unit.MATCH else match.tally[seat]
    return Tally(count, unit, match.status[seat])


def _rows(handheld: "Handheld") -> tuple[Row, ...]:
    return tuple(
        Row(name, _tally(handheld, seat), me=seat == handheld.seat)
        for seat, name in enumerate(handheld.match.players)
    )


def _item(entry: dials.Entry, throws: int) -> Item:
    match entry.choice:
        case None:
            return Text.NEUTRAL
        case Announce(value):
            return value
        case Roll() if throws:
            return Text.THROW_AGAIN
        case choice:
            return _WORDS[type(choice)]


def _dial(handheld: "Handheld") -> Dial:
    dial = handheld.dial
    assert dial is not None, "a screen with a dial needs one"
    throws = handheld.match.rolls
    index, entries = dial.index, dial.entries
    return Dial(
        previous=_item(entries[index - 1], throws) if index > 0 else None,
        current=_item(dial.entry, throws),
        following=_item(entries[index + 1], throws) if index + 1 < len(entries) else None,
        index=index,
        count=len(entries),
        holds=dial.entry.holds,
        progress=handheld.hold_progress,
    )


def _shaking(handheld: "Handheld") -> Screen:
    match = handheld.match
    announcer = None if match.announcer is None else _name(handheld, match.announcer)
    if not match.rolls:
        return Shaking(None, False, match.announced, announcer)
    done = min(handheld.shaking_us or 0, REPEAT_SHAKE_US) * SHAKE_STEPS // REPEAT_SHAKE_US
    return Shaking(done / SHAKE_STEPS, True, match.announced, announcer)


def _offered(handheld: "Handheld") -> Screen:
    match = handheld.match
    assert match.announced is not None
    announcer = _name(handheld, match.announcer)
    if handheld.doubting_since_us is not None:
        return Lifting(announcer, match.announced)
    return Offered(announcer, match.announced, _dial(handheld), handheld.offer_armed)


def _taking(handheld: "Handheld") -> Screen:
    match = handheld.match
    if isinstance(handheld.passing.answered, Doubt) and match.announced is not None:
        return Lifting(_name(handheld, match.announcer), match.announced)
    return _waiting(handheld)


def _mine(handheld: "Handheld") -> Screen:
    match = handheld.match
    if handheld.announcing is not None:
        following = handheld.passing.next_after_announcing
        return Announcing(handheld.announcing.value, _name(handheld, following))
    return Closed(
        kind=_CUP[match.phase],
        dial=_dial(handheld),
        announced=match.announced,
        announcer=None if match.announcer is None else _name(handheld, match.announcer),
        throws=match.rolls,
        may_throw=_may(handheld, Roll()),
        may_look=may_look(match),
    )


def _may(handheld: "Handheld", action: Action) -> bool:
    return illegality(handheld.match, action) is None


def _passing(handheld: "Handheld") -> Screen:
    match = handheld.match
    to = _name(handheld, match.to_act)
    return OnItsWay(to, match.announced, _WAYS[handheld.passing.journey(handheld.now_us)])


def _waiting(handheld: "Handheld") -> Screen:
    match = handheld.match
    return Waiting(
        turn_of=_name(handheld, match.to_act),
        announced=match.announced,
        announcer=None if match.announcer is None else _name(handheld, match.announcer),
        mine=_tally(handheld, handheld.seat),
        as_of=match.round if handheld.passing.behind else None,
        dial=_dial(handheld) if handheld.position is Position.TO_PASS else None,
    )


def _reveal(handheld: "Handheld") -> Screen:
    ending = handheld.ending
    assert ending is not None
    passes = handheld.position is Position.TO_PASS
    return Reveal(
        verdict=Verdict(
            ending.judgement,
            _name(handheld, ending.payer),
            ending.cost,
            Tally(ending.stands, _unit(handheld), ending.status),
        ),
        dice=ending.dice if handheld.ending_open else None,
        announced=ending.announced,
        announcer=None if ending.announcer is None else _name(handheld, ending.announcer),
        lifter=None if ending.lifter is None else _name(handheld, ending.lifter),
        mine_to_go_on=passes,
        dial=_dial(handheld) if passes else None,
    )


def _match_over(handheld: "Handheld") -> Screen:
    ended = handheld.match.outcome
    assert ended is not None
    loser = ", ".join(_name(handheld, seat) for seat in ended.losers) or None
    return MatchOver(loser, ended.rule, _rows(handheld))
