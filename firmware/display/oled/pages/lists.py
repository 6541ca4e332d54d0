"""Screens of lines: standings, the end of a match, faults and requests."""

from firmware.display.oled import font, icons
from firmware.display.oled.canvas import FULL, Align, Canvas, DoesNotFitError, Span, shortened
from firmware.display.oled.dial_strip import dial_and_hint, hold_bar
from firmware.display.oled.lines import note_text, paragraph, sentence
from firmware.display.oled.tally import tally
from firmware.display.screens.overlays import (
    AlertPage,
    FaultQuestionPage,
    MatchOverPage,
    MenuPage,
    StandingsPage,
)
from firmware.display.screens.tally import Row
from firmware.display.text.alerts import Alert
from firmware.display.text.labels import ENDINGS, Text, say
from firmware.display.text.words import words
from game.actions import FaultKind
from game.spoken import Language

MOST_ROWS = 8
"""As many players as the largest table has."""
ROWS_PER_COLUMN = 4
_TITLE_BASELINE = 9
_NAME_IN_TEXT: Span = (0, 66)
"""Room for a name in running text; a longer one is cut."""
_COLUMNS: tuple[Span, Span] = ((FULL[0], 61), (67, FULL[1]))


def standings(canvas: Canvas, screen: StandingsPage, language: Language) -> None:
    """Draw every player with what he has left."""
    title = say(Text.STANDINGS, language) if screen.title is None else screen.title
    fonts = (font.BOLD, font.SMALL)
    taken = canvas.text(shortened(title, fonts, FULL), _TITLE_BASELINE, fonts)
    for note in screen.notes[:1]:
        text = note_text(note, language)
        canvas.text(text, _TITLE_BASELINE, (font.SMALL,), (taken[1] + 4, FULL[1]), Align.RIGHT)
    canvas.hint(say(Text.HINT_MORE, language))
    _rows(canvas, screen.rows, language, 21, 10)


def match_over(canvas: Canvas, screen: MatchOverPage, language: Language) -> None:
    """Draw who lost, by which rule, and how all others stand.

    Raises:
        KeyError: no such rule ends a match.
    """
    fonts = (font.HEADING, font.BOLD, font.SMALL)
    if screen.loser is None:
        canvas.text(say(Text.NOBODY_LOST, language), 12, fonts)
    else:
        sentence(canvas, Text.LOST, language, 12, fonts=fonts, name=screen.loser)
    canvas.text(say(ENDINGS[screen.rule], language), 23, (font.SMALL,))
    canvas.hint(say(Text.HINT_TAP if screen.more else Text.HINT_OVER, language))
    _rows(canvas, screen.rows, language, 31, 8)


def _rows(
    canvas: Canvas, rows: tuple[Row, ...], language: Language, baseline: int, pitch: int
) -> None:
    if len(rows) > MOST_ROWS:
        raise DoesNotFitError(f"{len(rows)} rows: {MOST_ROWS} fit")
    columns = (FULL,) if len(rows) <= ROWS_PER_COLUMN else _COLUMNS
    for place, row in enumerate(rows):
        column, line = divmod(place, ROWS_PER_COLUMN)
        left, right = columns[column]
        at = baseline + line * pitch
        end = tally(canvas, row.tally, language, right, at)
        if row.me:
            canvas.paste(icons.RIGHTWARDS, left, at - icons.RIGHTWARDS.height + 1)
        span = (left + 7, end - 3)
        canvas.text(shortened(row.name, (font.SMALL,), span), at, (font.SMALL,), span)


def alert(canvas: Canvas, screen: AlertPage, language: Language) -> None:
    """Draw a fault or a request: its title, its text, and what can be done."""
    name = shortened(screen.name, (font.SMALL,), _NAME_IN_TEXT)
    title, body = (each.format(name=name) for each in words(screen.alert.value, language))
    fonts = (font.HEADING, font.BOLD, font.SMALL)
    canvas.text(shortened(title, fonts, FULL), 13, fonts, FULL, Align.LEFT)
    paragraph(canvas, (body,), 26, 10)
    canvas.hint(say(screen.hint or screen.alert.value.hint, language))


def menu(canvas: Canvas, screen: MenuPage, language: Language) -> None:
    """Draw the menu: its title, and its entries as a dial."""
    canvas.text(say(Text.MENU, language), 13, (font.HEADING, font.BOLD))
    dial_and_hint(canvas, screen.dial, language, tracked=True)


_QUESTIONS = {
    FaultKind.DROP: (Alert.ASK_DROP, Alert.ASKED_DROP),
    FaultKind.MOVE: (Alert.ASK_MOVE, Alert.ASKED_MOVE),
    FaultKind.LOOK: (Alert.ASK_LOOK, Alert.ASKED_LOOK),
}


def fault_question(canvas: Canvas, screen: FaultQuestionPage, language: Language) -> None:
    """Draw the question about a sensed fault, and the bar of the hold that says yes."""
    mine, others = _QUESTIONS[screen.kind]
    alert(
        canvas, AlertPage(mine) if screen.who is None else AlertPage(others, screen.who), language
    )
    if screen.progress is not None:
        hold_bar(canvas, screen.progress)
