"""Screens of lines: standings, the end of a match, faults and requests."""

from firmware.display.oled import font, icons
from firmware.display.oled.canvas import FULL, Align, Span, shortened
from firmware.display.oled.dial_strip import dial_and_hint, hold_bar
from firmware.display.oled.page import PageCanvas
from firmware.display.oled.tally import tally
from firmware.display.screens.overlays import (
    AlertPage,
    FaultQuestionPage,
    MatchOverPage,
    MenuPage,
    StandingsPage,
)
from firmware.display.screens.tally import Row
from firmware.display.text.alerts import Alert, hint_of
from firmware.display.text.labels import ENDINGS, Text
from firmware.display.text.language import key_of, say
from game.actions import FaultKind

MOST_ROWS = 8
"""The number of players at the largest table."""
ROWS_PER_COLUMN = 4
_TITLE_BASELINE = 9
_NAME_IN_TEXT: Span = (0, 66)
"""Room for a name in running text; a longer one is cut."""
_COLUMNS: tuple[Span, Span] = ((FULL[0], 61), (67, FULL[1]))


def standings(page: PageCanvas, screen: StandingsPage) -> None:
    """Draw up to eight players with their tally, and the first of the notes."""
    title = page.say(Text.STANDINGS) if screen.title is None else screen.title
    fonts = (font.BOLD, font.SMALL)
    taken = page.text(shortened(title, fonts, FULL), _TITLE_BASELINE, fonts)
    for note in screen.notes[:1]:
        span = (taken[1] + 4, FULL[1])
        page.small(note.text, _TITLE_BASELINE, span, Align.RIGHT, count=note.count)
    page.hint(Text.HINT_MORE)
    _rows(page, screen.rows, 21, 10)


def match_over(page: PageCanvas, screen: MatchOverPage) -> None:
    """Draw the loser, the rule that ended the match, and the tallies of all.

    Raises:
        KeyError: no such rule ends a match.
    """
    fonts = (font.HEADING, font.BOLD, font.SMALL)
    lost = Text.NOBODY_LOST if screen.loser is None else Text.LOST
    if screen.of_reader:
        lost = Text.YOU_LOSE
    page.sentence(lost, 12, fonts=fonts, name=screen.loser or "")
    page.small(ENDINGS[screen.rule], 23)
    page.hint(Text.HINT_TAP if screen.more else Text.HINT_OVER)
    _rows(page, screen.rows, 31, 8)


def _rows(page: PageCanvas, rows: tuple[Row, ...], baseline: int, pitch: int) -> None:
    if len(rows) > MOST_ROWS:
        page.misfits.append(f"{len(rows)} rows: {MOST_ROWS} fit")
    columns = (FULL,) if len(rows) <= ROWS_PER_COLUMN else _COLUMNS
    for place, row in enumerate(rows[:MOST_ROWS]):
        column, line = divmod(place, ROWS_PER_COLUMN)
        left, right = columns[column]
        at = baseline + line * pitch
        end = tally(page, row.tally, right, at)
        if row.me:
            page.paste(icons.RIGHTWARDS, left, at - icons.RIGHTWARDS.height + 1)
        span = (left + 7, end - 3)
        page.text(shortened(row.name, (font.SMALL,), span), at, (font.SMALL,), span)


def alert(page: PageCanvas, screen: AlertPage) -> None:
    """Draw a fault or a request: its title, its text, and the possible answers."""
    name = shortened(screen.name, (font.SMALL,), _NAME_IN_TEXT)
    title, body = (
        say(key_of(screen.alert, part), page.language, name=name) for part in ("title", "body")
    )
    fonts = (font.HEADING, font.BOLD, font.SMALL)
    page.text(shortened(title, fonts, FULL), 13, fonts, FULL, Align.LEFT)
    page.paragraph(body, 26, 10)
    page.hint(screen.hint or hint_of(screen.alert))


def cannot_be_drawn(page: PageCanvas) -> None:
    """Draw, in place of a screen with a defect, that the match goes on all the same."""
    alert(page, AlertPage(Alert.CANNOT_BE_DRAWN))


def menu(page: PageCanvas, screen: MenuPage) -> None:
    """Draw the menu: its title, and its entries as a dial."""
    page.text(page.say(Text.MENU), 13, (font.HEADING, font.BOLD))
    dial_and_hint(page, screen, tracked=True)


_QUESTIONS = {
    FaultKind.DROP: (Alert.ASK_DROP, Alert.ASKED_DROP),
    FaultKind.MOVE: (Alert.ASK_MOVE, Alert.ASKED_MOVE),
    FaultKind.LOOK: (Alert.ASK_LOOK, Alert.ASKED_LOOK),
}


def fault_question(page: PageCanvas, screen: FaultQuestionPage) -> None:
    """Draw the question about a sensed fault, and the bar of the hold that says yes."""
    mine, others = _QUESTIONS[screen.kind]
    alert(page, AlertPage(mine) if screen.who is None else AlertPage(others, screen.who))
    if screen.progress is not None:
        hold_bar(page, screen.progress)
