"""Screens of dice that lie open: the closed cup between throws, the throw, the end of a round."""

from firmware.display import screens
from firmware.display.oled import bitmap, font
from firmware.display.oled.canvas import (
    FULL,
    HEADLINE_BASELINE,
    HEADLINE_FONTS,
    Align,
    PageCanvas,
    Span,
)
from firmware.display.oled.marks import (
    FACE,
    big_value,
    cup,
    dial_and_hint,
    die_left,
    draw_dice,
    draw_small_dice,
)
from firmware.display.screens import ThrowStage
from firmware.display.text.labels import Text
from game.coaster.rules import Kind, chicago_points, kind
from game.dice import Dice
from game.sevens import score

_LARGE = 3
"""The most dice that are drawn 32 px high."""
_SEVEN = 7
_MARK_TOP = 41
"""Two rows under a die that is set aside."""
_SELECTED_TOP = 45
"""Two rows under the die that a tap changes."""
_MARK_WIDTH = 24
_SELECTED_WIDTH = 10
_TURNED_BASELINE = 47
_ROUND_BASELINES = (7, 15)
"""Baselines of the best and the worst player."""
_NOTE_BASELINES = (23, 31, 39, 47)
_WHO: Span = (FULL[0], 85)


def throw_closed(page: PageCanvas, screen: screens.ThrowClosedPage) -> None:
    """Draw the number of the throw, the dice aside, and the next gesture for the closed cup."""
    number = screen.number if screen.thrown else screen.number + 1
    page.sentence(screen.stage, number=number, limit=screen.limit)
    if screen.aside:
        page.beside(Text.DICE_ASIDE, 0, dice=_digits(screen.aside))
    if screen.thrown:
        page.beside(Text.LIFT_SHOWS, 1)
    elif screen.stage in (ThrowStage.TURN, ThrowStage.BONUS, ThrowStage.ROLL_OFF):
        page.beside(Text.DICE_TO_THROW, 1, count=screen.to_throw)
    cup(page)
    dial_and_hint(page, screen)


def throw_open(page: PageCanvas, screen: screens.ThrowOpenPage) -> None:
    """Draw a throw with its worth, and the state of each die."""
    dice = screen.aside + screen.dice
    value = _worth(page, screen.game, dice, roll_off=screen.roll_off)
    worth = page.text(value, HEADLINE_BASELINE, HEADLINE_FONTS, FULL, Align.RIGHT)
    span = (FULL[0], worth[0] - 4)
    if screen.who is None:
        page.sentence(Text.YOUR_THROW, span=span, number=screen.number)
    else:
        name, number = screen.who, screen.number
        page.small(Text.NAMES_THROW, HEADLINE_BASELINE, span, name=name, number=number)
    if len(dice) <= _LARGE:
        draw_dice(page, dice)
        if screen.dial is None or screen.dial.progress is None:
            _marks(page, screen)
    else:
        draw_small_dice(page, dice)
        big_value(page, sum(dice) if screen.roll_off else _score(dice))
    dial_and_hint(page, screen)


def _marks(page: PageCanvas, screen: screens.ThrowOpenPage) -> None:
    """Draw a line under dice that stay, and a short one under the die that a tap changes."""
    states = (screens.DieState.ASIDE,) * len(screen.aside) + screen.states
    for place, state in enumerate(states):
        left = die_left(place)
        if state is not screens.DieState.IN_PLAY:
            page.bar(left + (FACE - _MARK_WIDTH) // 2, _MARK_TOP, _MARK_WIDTH, 2)
        if state is screens.DieState.TURNED:
            page.paste(bitmap.TO_ONE, left + FACE - bitmap.TO_ONE.width, _TURNED_BASELINE - 3)
        if screen.selected is not None and place == len(screen.aside) + screen.selected:
            page.bar(left + (FACE - _SELECTED_WIDTH) // 2, _SELECTED_TOP, _SELECTED_WIDTH, 2)


def round_end(page: PageCanvas, screen: screens.RoundEndPage) -> None:
    """Draw the best and the worst player, and the consequences."""
    notes = _NOTE_BASELINES if screen.best is not None else (_ROUND_BASELINES[1], *_NOTE_BASELINES)
    for who, text, baseline in zip(
        (screen.best, screen.worst), (Text.BEST, Text.WORST), _ROUND_BASELINES
    ):
        if who is not None:
            name, dice = who
            left = page.small(text, baseline, _WHO)[1] + 3
            worth = _worth(page, screen.game, dice)
            right = page.text(worth, baseline, (font.SMALL,), FULL, Align.RIGHT)[0]
            page.sentence(Text.RECIPIENT, baseline, span=(left, right - 3), name=name)
    for note, baseline in zip(screen.notes, notes):
        page.note(note, baseline)
    dial_and_hint(page, screen)


def _digits(dice: Dice) -> str:
    return " ".join(map(str, sorted(dice, reverse=True)))


def _worth(page: PageCanvas, game: str, dice: Dice, *, roll_off: bool = False) -> str:
    """Return the worth of a throw (M-1, C-1, C-2, S-1, S-3); for the lead only the sum counts."""
    if roll_off:
        return _sum(page, dice)
    return _WORTHS.get(game, _sum)(page, dice)


def _sum(page: PageCanvas, dice: Dice) -> str:
    return page.say(Text.SUM, value=sum(dice))


def _maxen(page: PageCanvas, dice: Dice) -> str:
    found = kind(dice)
    value = max(dice) if found is Kind.MAX else _digits(dice).replace(" ", "")
    return page.say(found, value=value)


def _chicago(page: PageCanvas, dice: Dice) -> str:
    return page.say(Text.CHICAGO) if set(dice) == {1} else str(chicago_points(dice))


def _sevens(page: PageCanvas, dice: Dice) -> str:
    return page.say(Text.SCORE, value=_score(dice))


_WORTHS = {"maxen": _maxen, "chicago": _chicago, "sevens": _sevens}
"""By game: how the worth of a throw is written; of other games the sum is."""


def _score(dice: Dice) -> int:
    return score(tuple(sorted(dice, reverse=True)), seven_dice=len(dice) == _SEVEN)
