"""What the display shows: the screen for every state a handheld can be in.

A screen says what lies before the player and what he can do now. Covered dice are in it in two
cases only: while their holder looks at them, and after a lift before everybody.
"""

from typing import TYPE_CHECKING

from firmware.display.screens import (
    AlertPage,
    FaultQuestionPage,
    HelpPage,
    LookPage,
    MatchOverPage,
    MenuPage,
    OnItsWayPage,
    Screen,
    ShakingPage,
    StandingsPage,
    WaitingPage,
    Way,
)
from firmware.display.text.alerts import Alert
from firmware.play.presenter import bluff
from firmware.play.presenter import open_dice as throwing
from firmware.play.presenter.alerts import trouble_page
from firmware.play.presenter.labels import dial_of, name_of, rows_of, tally_of
from firmware.play.turn.offers import REPEAT_SHAKE_US
from firmware.table.seat.position import Position
from firmware.table.seat.progress import CupProgress
from game import Match, Phase
from game.bluff.values import value_of

if TYPE_CHECKING:
    from firmware.play.handheld import Handheld


SHAKE_STEPS = 4
"""The bar of a repeated throw moves in quarters, so that it costs little traffic."""

_WAYS = {
    CupProgress.CALLING: Way.CALLING,
    CupProgress.OFFERED: Way.OFFERED,
    CupProgress.GIVING: Way.GIVING,
    CupProgress.SILENT: Way.SILENT,
}


def screen_of(handheld: "Handheld") -> Screen:
    """The screen that a handheld shows now: what is most urgent, then the game."""
    position, reading = handheld.position, handheld.reading
    own_dice = handheld.sees_own_dice
    if position is Position.STOPPED and handheld.passing.trouble is not None:
        return trouble_page(handheld.passing.trouble, handheld.match.players)
    if handheld.faults:
        return next(iter(handheld.faults.values()))
    if handheld.asking is not None:
        return FaultQuestionPage(handheld.asking.kind, None, handheld.hold_progress)
    if own_dice is not None:
        return LookPage(own_dice, value_of(own_dice), handheld.passing.tower)
    if reading.notice is not None:
        return AlertPage(reading.notice.message, reading.notice.name)
    if (asked := handheld.passing.asked) is not None:
        return FaultQuestionPage(asked[1], name_of(handheld, asked[0]))
    if reading.help is not None:
        return HelpPage(handheld.match.rules.game, reading.help.index)
    if reading.scores_until_us is not None:
        return StandingsPage(rows_of(handheld), notes=throwing.state_of_match(handheld))
    if handheld.menu_open:
        return MenuPage(dial_of(handheld))
    if handheld.shaking_us is not None:
        return _shaking(handheld)
    return _game(handheld)


def _game(handheld: "Handheld") -> Screen:
    position, reading, match = handheld.position, handheld.reading, handheld.match
    if not isinstance(match, Match):
        thrown = throwing.thrown_of(handheld)
        if thrown is not None:
            return thrown
    if position is Position.OVER and not _reads(handheld):
        return _match_over(handheld)
    if reading.ending is not None and (_reads(handheld) or position is Position.TO_PASS):
        return _ending(handheld)
    match position:
        case Position.OFFERED:
            return bluff.offered(handheld)
        case Position.TAKING:
            return bluff.taking(handheld) or _waiting(handheld)
        case Position.MINE:
            return bluff.mine(handheld) if isinstance(match, Match) else throwing.mine(handheld)
        case Position.PASSING:
            return _passing(handheld)
        case _:
            return _waiting(handheld)


def _reads(handheld: "Handheld") -> bool:
    """Whether the end of the last round is still to be read, dice and all."""
    return handheld.reading.ending is not None and handheld.reading.ending_open


def _shaking(handheld: "Handheld") -> Screen:
    match = handheld.match
    said, announcer = bluff.standing(handheld)
    if match.phase is not Phase.THROWN:
        return ShakingPage(None, False, said, announcer)
    done = min(handheld.shaking_us or 0, REPEAT_SHAKE_US) * SHAKE_STEPS // REPEAT_SHAKE_US
    return ShakingPage(done / SHAKE_STEPS, True, said, announcer)


def _passing(handheld: "Handheld") -> Screen:
    said, _ = bluff.standing(handheld)
    way = _WAYS[handheld.passing.progress(handheld.now_us)]
    return OnItsWayPage(name_of(handheld, handheld.match.to_act), said, way)


def _waiting(handheld: "Handheld") -> Screen:
    match = handheld.match
    said, announcer = bluff.standing(handheld)
    if handheld.passing.waits_to_leave:
        return AlertPage(Alert.MEMORY_LOST)
    return WaitingPage(
        turn_of=name_of(handheld, match.to_act),
        said=said,
        announcer=announcer,
        mine=tally_of(match, handheld.seat) if handheld.seat < len(match.players) else None,
        as_of=match.round if handheld.passing.behind else None,
        dial=dial_of(handheld) if handheld.position is Position.TO_PASS else None,
    )


def _ending(handheld: "Handheld") -> Screen:
    passes = handheld.position is Position.TO_PASS
    dial = dial_of(handheld) if passes else None
    if isinstance(handheld.match, Match):
        return bluff.reveal(handheld, dial)
    return throwing.round_end(handheld, dial)


def _match_over(handheld: "Handheld") -> Screen:
    ended = handheld.match.outcome
    assert ended is not None, "the match is over"
    loser = ", ".join(name_of(handheld, seat) for seat in ended.losers) or None
    return MatchOverPage(loser, ended.rule, rows_of(handheld))
