"""The gestures that do something at a screen. All that acts on gestures or names them reads this.

The core looks up here what a gesture means, and ignores a gesture that is not listed. The hint
line, lessons, and the page beside a display are made of the same list.
"""

from collections.abc import Iterable

from firmware.display import screens
from firmware.display.screens import (
    DialStrip,
    GestureKind,
    GestureOption,
    Meaning,
    Screen,
    ThrowStage,
)
from firmware.display.text.labels import Alert, Text, hint_of

_THROW = GestureOption(GestureKind.SHAKE, Meaning.THROW)
_HIDE = GestureOption(GestureKind.COVER, Meaning.HIDE, due=False)
_CHOOSE = GestureOption(GestureKind.TILT, Meaning.CHOOSE)
_GO_ON = GestureOption(GestureKind.TAP, Meaning.GO_ON)
_CLOSE = GestureOption(GestureKind.TAP, Meaning.CLOSE)
_SCORES = GestureOption(GestureKind.TAP, Meaning.SCORES, due=False)
_SHOW = GestureOption(GestureKind.LIFT, Meaning.SHOW)


def gesture_options(screen: Screen | None) -> tuple[GestureOption, ...]:
    """Return the gestures that do something at ``screen``; none at a display that is off."""
    match screen:
        case screens.OfferPage(armed=False, dial=dial):
            return _aside(each for each in _dial(dial) if each == _CHOOSE)
        case screens.OfferPage():
            doubt, answers = GestureOption(GestureKind.LIFT, Meaning.DOUBT), _dial(screen.dial)
            if screen.doubt is None:
                return doubt, *answers
            return (
                doubt,
                GestureOption(GestureKind.COVER, Meaning.TAKE_BACK, due=False),
                *_aside(answers),
            )
        case screens.ClosedPage():
            look = GestureOption(GestureKind.LIFT, Meaning.LOOK)
            return _if(_THROW, screen.may_throw) + _if(look, screen.may_look) + _dial(screen.dial)
        case screens.ThrowClosedPage():
            lift = GestureOption(GestureKind.LIFT, Meaning.LIFT)
            shown = screen.stage is ThrowStage.LIFT and not screen.thrown
            cup = _if(_THROW, screen.may_throw) + _if(_SHOW, screen.thrown) + _if(lift, shown)
            return cup + _dial(screen.dial)
        case screens.ThrowOpenPage(who=None, dial=DialStrip() as dial):
            throw = _if(_THROW._replace(due=False), screen.may_throw)
            return *_dial(dial), *throw, _HIDE
        case screens.ThrowOpenPage(who=None):
            return _SCORES, _HIDE
        case screens.LiftingPage(dial=DialStrip() as dial):
            return GestureOption(GestureKind.LIFT, Meaning.LIFT), *_dial(dial)
        case screens.RevealPage() | screens.RoundEndPage():
            return _round_end(screen)
        case screens.WaitingPage(dial=DialStrip() as dial):
            return _if(_SHOW._replace(due=False), screen.thrown) + _dial(dial)
        case (
            screens.WaitingPage()
            | screens.OnItsWayPage()
            | screens.LiftingPage()
            | screens.ThrowOpenPage()
        ):
            return (_SCORES,)
        case screens.LookPage():
            under = (each for each in screen.under if each.meaning is not Meaning.LOOK)
            return *under, _HIDE._replace(due=True)
        case screens.AnnouncingPage():
            return (GestureOption(GestureKind.TILT, Meaning.TAKE_BACK, due=False),)
        case screens.MatchOverPage(more=more):
            return (_GO_ON if more else _SCORES,)
        case _:
            return _overlay(screen)


def options_under(screen: Screen) -> tuple[GestureOption, ...]:
    """Return what cup and dial do while another page lies over ``screen``: nothing of it is due."""
    touch = (GestureKind.TAP, GestureKind.HOLD)
    return _aside(each for each in gesture_options(screen) if each.gesture not in touch)


def meaning_of(screen: Screen | None, gesture: GestureKind) -> Meaning | None:
    """Return what a gesture means at ``screen``; None if it does nothing there."""
    return next((each.meaning for each in gesture_options(screen) if each.gesture is gesture), None)


def _overlay(screen: Screen | None) -> tuple[GestureOption, ...]:
    match screen:
        case screens.StandingsPage():
            return _CLOSE, GestureOption(GestureKind.HOLD, Meaning.MENU, due=False), *screen.under
        case screens.MenuPage(dial):
            return *_dial(dial), *screen.under
        case screens.HelpPage():
            return _CLOSE, GestureOption(GestureKind.TILT, Meaning.PAGES), *screen.under
        case screens.FaultQuestionPage(who=None):
            return GestureOption(GestureKind.HOLD, Meaning.COUNT), GestureOption(
                GestureKind.TILT, Meaning.DENY
            )
        case screens.FaultQuestionPage() | screens.ShakingPage():
            return screen.under
        case screens.AlertPage(Alert.RETURNING | Alert.MEMORY_LOST):
            return (_SCORES,)
        case screens.AlertPage(alert):
            covers = (screen.hint or hint_of(alert)) is Text.HINT_COVER
            covers = covers and all(each.gesture is not GestureKind.COVER for each in screen.under)
            return screen.under + _if(GestureOption(GestureKind.COVER, Meaning.COVER), covers)
        case screens.QuestionPage():
            return _dial(screen.dial)
        case _:
            return ()


def _round_end(screen: screens.RevealPage | screens.RoundEndPage) -> tuple[GestureOption, ...]:
    if isinstance(screen, screens.RoundEndPage):
        aside = _if(_SHOW._replace(due=False), screen.thrown)
    else:
        aside = _if(_HIDE, screen.holding)
    if not screen.mine_to_go_on:
        return _GO_ON._replace(due=False) if screen.over else _SCORES, *aside
    if screen.dial is not None:
        return _dial(screen.dial) + aside
    return *_if(_THROW, screen.may_throw), _GO_ON, *aside, _CHOOSE._replace(due=False)


def _dial(dial: DialStrip | None) -> tuple[GestureOption, ...]:
    """Return the options of a dial, which has other entries than the neutral one."""
    if dial is None:
        return ()
    entry = GestureOption(GestureKind.HOLD if dial.holds else GestureKind.TAP, Meaning.ENTRY)
    return *_if(entry, not dial.neutral), _CHOOSE


def _aside(some: Iterable[GestureOption]) -> tuple[GestureOption, ...]:
    return tuple(each._replace(due=False) for each in some)


def _if(option: GestureOption, works: bool) -> tuple[GestureOption, ...]:
    return (option,) if works else ()
