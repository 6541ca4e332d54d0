"""The screen for every view. Covered dice are in it while their holder peeks, and after a lift.

Numbers without a source are chosen.
"""

from dataclasses import replace

from firmware.display import screens
from firmware.display.oled.font import letters
from firmware.display.screens import AlertPage, Delivery, GestureKind, GestureOption, Screen
from firmware.display.screens.gesture_options import options_under
from firmware.display.text.labels import Alert
from firmware.play.presenter import PlayView, bluff, dial_of, open_dice, rows_of, tally_of
from firmware.play.turn.offers import REPEAT_SHAKE_US
from firmware.table.seat.cup_custody import (
    Accused,
    Accusing,
    Charge,
    LogsDiffer,
    Position,
    StoreFailed,
    Trouble,
)
from game import Phase, hides_dice
from game.bluff.rules import value_of

MOST_LETTERS = 6
"""Most letters of each of two names in one line; longer ones end in a point."""

_CHARGES = {
    Charge.DICE: Alert.CAUGHT_DICE,
    Charge.PROOF: Alert.CAUGHT_PROOF,
    Charge.ROOT: Alert.CAUGHT_ROOT,
    Charge.ORDER: Alert.CAUGHT_ORDER,
    Charge.ANSWER: Alert.CAUGHT_ANSWER,
    Charge.CUP: Alert.CAUGHT_CUP,
    Charge.VOTE: Alert.CAUGHT_TWICE,
    Charge.STORIES: Alert.CAUGHT_TWICE,
}


def trouble_page(trouble: Trouble, names: tuple[str, ...]) -> AlertPage:
    """Return the page for a trouble; ``names`` of the players by seat."""
    match trouble:
        case StoreFailed():
            return AlertPage(Alert.STORE)
        case LogsDiffer():
            return AlertPage(Alert.RECORDS_DIFFER)
        case Accusing(seat, charge):
            return AlertPage(_CHARGES[charge], names[seat])
        case Accused(accuser, seat):
            return AlertPage(Alert.ACCUSED, f"{_short(names[accuser])}: {_short(names[seat])}")


def _short(name: str) -> str:
    parts = letters(name)
    return name if len(parts) <= MOST_LETTERS else f"{''.join(parts[: MOST_LETTERS - 1])}."


SHAKE_STEPS = 4
"""The number of steps of a repeated throw's bar: each costs traffic on the bus."""


def screen_of(view: PlayView) -> Screen:
    """Return the screen of a view: trouble, failed parts, questions, overlays, then the game."""
    if view.position is Position.STOPPED and view.trouble is not None:
        return trouble_page(view.trouble, view.match.players)
    if view.prompt is not None and view.part_alert is None:
        return screens.FaultQuestionPage(view.prompt, None, view.hold_progress)
    game = _game(view)
    return _over_the_game(view, _under(view, game)) or game


def _over_the_game(view: PlayView, under: tuple[GestureOption, ...]) -> Screen | None:
    """Return the page that lies over that of the game; None without one."""
    cup = tuple(each for each in under if each.gesture is not GestureKind.TILT)
    if view.part_alert is not None:
        return replace(view.part_alert, under=under)
    if view.own_dice is not None:
        return screens.LookPage(view.own_dice, value_of(view.own_dice), view.tower, under=under)
    if view.notice is not None:
        return screens.AlertPage(view.notice.message, view.notice.name, under=under)
    if view.open_question is not None:
        seat, kind = view.open_question
        return screens.FaultQuestionPage(kind, view.name_of(seat), under=under)
    if view.help_page is not None:
        return screens.HelpPage(view.match.rules, view.help_page, under=cup)
    if view.scores:
        return screens.StandingsPage(rows_of(view), notes=open_dice.state_of_match(view), under=cup)
    if view.menu_open:
        return screens.MenuPage(dial_of(view), under=cup)
    if view.shaking_us is not None:
        return _shaking(view, under)
    return None


def _under(view: PlayView, game: Screen) -> tuple[GestureOption, ...]:
    """Return what cup and dial do while another page lies over ``game``.

    Nobody lifts the cup while the light sensor may be broken, or a player is asked.
    """
    if view.prompt is not None:
        return ()
    no_lift = view.part_alert is not None or view.open_question is not None
    below = options_under(game)
    return tuple(each for each in below if not (no_lift and each.gesture is GestureKind.LIFT))


def _game(view: PlayView) -> Screen:
    position, match = view.position, view.match
    reads = view.round_end is not None and view.reads_end
    if not hides_dice(match):
        thrown = open_dice.thrown_of(view)
        if thrown is not None:
            return thrown
    if position is Position.OVER and not reads:
        return _match_over(view)
    if reads or (view.round_end is not None and position is Position.TO_PASS):
        return _ending(view)
    match position:
        case Position.OFFERED:
            return bluff.offered(view)
        case Position.TAKING:
            return bluff.taking(view) or _waiting(view)
        case Position.MINE:
            return bluff.mine(view) if hides_dice(match) else open_dice.mine(view)
        case Position.PASSING:
            return _passing(view)
        case _:
            return _waiting(view)


def _shaking(view: PlayView, under: tuple[GestureOption, ...]) -> Screen:
    match = view.match
    said, announcer = bluff.standing(view)
    if match.phase is not Phase.THROWN:
        return screens.ShakingPage(None, False, said, announcer, under=under)
    done = min(view.shaking_us or 0, REPEAT_SHAKE_US) * SHAKE_STEPS // REPEAT_SHAKE_US
    return screens.ShakingPage(done / SHAKE_STEPS, True, said, announcer, under=under)


def _passing(view: PlayView) -> Screen:
    said, _ = bluff.standing(view)
    way = Delivery[view.progress.name]
    if view.is_gone and way in (Delivery.CALLING, Delivery.SILENT):
        way = Delivery.GONE
    return screens.OnItsWayPage(view.name_of(view.match.to_act), said, way, _missed(view))


def _waiting(view: PlayView) -> Screen:
    match = view.match
    said, announcer = bluff.standing(view)
    if view.returning:
        return screens.AlertPage(Alert.RETURNING)
    if view.leaving:
        return screens.AlertPage(Alert.MEMORY_LOST)
    return screens.WaitingPage(
        turn_of=view.name_of(match.to_act),
        said=said,
        announcer=announcer,
        mine=tally_of(match, view.seat) if view.seat < len(match.players) else None,
        as_of=match.round if view.behind else None,
        dial=dial_of(view) if view.position is Position.TO_PASS else None,
        carrier=_missed(view),
        thrown=view.position is Position.TO_PASS and view.may_show,
    )


def _missed(view: PlayView) -> str | None:
    return None if view.missed is None else view.name_of(view.missed)


def _ending(view: PlayView) -> Screen:
    passes = view.position is Position.TO_PASS
    dial = dial_of(view) if passes else None
    if hides_dice(view.match):
        return bluff.reveal(view, dial)
    return open_dice.round_end(view, dial)


def _match_over(view: PlayView) -> Screen:
    ended = view.match.outcome
    assert ended is not None, "the match is over"
    loser = ", ".join(view.name_of(seat) for seat in ended.losers) or None
    mine = ended.losers == (view.seat,)
    rows, are_many = rows_of(view), len(ended.losers) > 1
    return screens.MatchOverPage(loser, ended.rule, rows, of_reader=mine, are_many=are_many)
