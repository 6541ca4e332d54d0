"""Screens of lines: standings, help, questions, the end of a match, faults and requests.

All numbers are chosen, in rows if they do not count lines.
"""

from collections.abc import Sequence
from functools import cache

from firmware.display import screens
from firmware.display.oled import bitmap, font
from firmware.display.oled.canvas import (
    FULL,
    HEADLINE_BASELINE,
    HEADLINE_FONTS,
    Align,
    PageCanvas,
    Span,
    shortened,
    wrapped,
)
from firmware.display.oled.marks import (
    dial_and_hint,
    due_hint,
    hold_bar,
    item_text,
    name_in,
    strip,
    tally,
    track,
)
from firmware.display.screens import Item, Phrase
from firmware.display.text.labels import Alert, Text, ending_key, hint_of
from firmware.display.text.language import LANGUAGES, Language, key_of, say
from firmware.display.text.rulebook import rules_of, sentence_of
from game import AnyRules
from game.actions import FaultKind
from game.options import MOST_PLAYERS

LINE_BASELINES = (17, 26, 35, 44, 53)
"""Lines of a page; the title is above, the hint below."""


@cache
def pages(rules: AnyRules, language: Language) -> tuple[tuple[str, ...], ...]:
    """Return the rules of a table as pages of up to five lines; a rule begins on its own line."""
    told = (rule.text(language) for rule in rules_of(rules))
    paragraphs = [say(sentence_of(rules), language), *told]
    lines = [line for each in paragraphs for line in wrapped(each, font.SMALL, FULL)]
    size = len(LINE_BASELINES)
    return tuple(tuple(lines[at : at + size]) for at in range(0, len(lines), size))


def most_pages(rules: AnyRules) -> int:
    """Return how many pages a table's help has in the language that needs more."""
    return max(len(pages(rules, language)) for language in LANGUAGES)


def help_page(page: PageCanvas, screen: screens.HelpPage) -> None:
    """Draw page ``screen.page``, from 0; beyond the last one, the last."""
    every = pages(screen.rules, page.language)
    number = min(screen.page, len(every) - 1)
    page.text(page.say(Text.HELP), HEADLINE_BASELINE, (font.STRONG,))
    place = f"{number + 1}/{len(every)}"
    page.text(place, HEADLINE_BASELINE, (font.SMALL,), FULL, Align.RIGHT)
    for line, baseline in zip(every[number], LINE_BASELINES):
        page.text(line, baseline, (font.SMALL,))
    page.hint(Text.HINT_PAGES)


MOST_ROWS = MOST_PLAYERS
"""The number of players at the largest table."""
ROWS_PER_COLUMN = 4
"""The second column has five if there are nine rows."""
_CROWD_BASELINES = range(23, 56, 8)
"""Rows where there are nine."""
_TITLE_BASELINE = 9
_NAME_IN_TEXT: Span = (0, 66)
"""Room for a name in running text; a longer one is cut."""
_COLUMNS: tuple[Span, Span] = ((FULL[0], 61), (67, FULL[1]))


def standings(page: PageCanvas, screen: screens.StandingsPage) -> None:
    """Draw up to nine players with their tally, and the first of the notes."""
    taken = page.text(page.say(Text.STANDINGS), _TITLE_BASELINE, (font.BOLD, font.SMALL))
    for note in screen.notes[:1]:
        span = (taken[1] + 4, FULL[1])
        page.small(note.text, _TITLE_BASELINE, span, Align.RIGHT, count=note.count)
    page.hint(Text.HINT_MORE)
    _rows(page, screen.rows, range(21, 52, 10))


def match_over(page: PageCanvas, screen: screens.MatchOverPage) -> None:
    """Draw the loser, the rule that ended the match, and the tallies of all.

    Raises:
        KeyError: no such rule ends a match.
    """
    is_crowd = len(screen.rows) > 2 * ROWS_PER_COLUMN
    fonts = HEADLINE_FONTS if is_crowd else (font.HEADING, font.BOLD, font.SMALL)
    baseline = HEADLINE_BASELINE if is_crowd else 12
    page.sentence(screen.lost, baseline, fonts=fonts, name=screen.loser or "")
    page.small(ending_key(screen.rule), 15 if is_crowd else 23)
    page.hint(Text.HINT_TAP if screen.more else Text.HINT_OVER)
    _rows(page, screen.rows, range(31, 56, 8))


def _rows(page: PageCanvas, rows: tuple[screens.Row, ...], usual: Sequence[int]) -> None:
    """Draw rows in one or two columns on the ``usual`` baselines, or on those of a crowd."""
    if len(rows) > MOST_ROWS:
        page.misfits.append(f"{len(rows)} rows: {MOST_ROWS} fit")
    baselines = usual if len(rows) <= 2 * ROWS_PER_COLUMN else _CROWD_BASELINES
    columns = (FULL,) if len(rows) <= ROWS_PER_COLUMN else _COLUMNS
    for place, row in enumerate(rows[:MOST_ROWS]):
        column = int(place >= ROWS_PER_COLUMN)
        left, right = columns[column]
        at = baselines[place - column * ROWS_PER_COLUMN]
        end = tally(page, row.tally, right, at)
        if row.me:
            page.paste(bitmap.RIGHTWARDS, left, at - bitmap.RIGHTWARDS.height + 1)
        span = (left + 7, end - 3)
        page.text(shortened(row.name, (font.SMALL,), span), at, (font.SMALL,), span)


def alert(page: PageCanvas, screen: screens.AlertPage) -> None:
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
    alert(page, screens.AlertPage(Alert.CANNOT_BE_DRAWN))


def menu(page: PageCanvas, screen: screens.MenuPage) -> None:
    """Draw the menu: its title, and its entries as a dial."""
    page.text(page.say(Text.MENU), 13, (font.HEADING, font.BOLD))
    dial_and_hint(page, screen, tracked=True)


_QUESTIONS = {
    FaultKind.DROP: (Alert.ASK_DROP, Alert.ASKED_DROP),
    FaultKind.MOVE: (Alert.ASK_MOVE, Alert.ASKED_MOVE),
    FaultKind.LOOK: (Alert.ASK_LOOK, Alert.ASKED_LOOK),
}


def fault_question(page: PageCanvas, screen: screens.FaultQuestionPage) -> None:
    """Draw the question about a sensed fault, and the bar of the hold that says yes."""
    mine, others = _QUESTIONS[screen.kind]
    kind, name = (mine, "") if screen.who is None else (others, screen.who)
    alert(page, screens.AlertPage(kind, name))
    if screen.progress is not None:
        hold_bar(page, screen.progress)


ROW_BASELINES = (16, 24, 32, 40)
"""Lines below the title, in two columns where there are more of them."""
_CROWD_COLUMNS: tuple[Span, Span] = ((FULL[0], 57), (67, FULL[1] - 4))
"""Columns of nine lines: a closed cup stays dark beside its own display."""
_CROWD_LINES = range(15, 48, 8)
"""Lines below the title where there are nine. Only the second column reaches the bar of a hold."""
ABOUT_PITCH = 9
"""From a line of an explanation to the next."""
_NUMBER_PITCH = 26
_NUMBERS_BASELINE = 35
_LARGE_BASELINE = 31


def question(page: PageCanvas, screen: screens.QuestionPage) -> None:
    """Draw a question; of too many lines the last ones are shown."""
    _line(page, screen.title, HEADLINE_BASELINE, FULL, (font.STRONG, font.SMALL))
    if screen.about is not None:
        page.paragraph(say(screen.about, page.language), ROW_BASELINES[0], ABOUT_PITCH)
    lines = screen.lines[-MOST_ROWS:]
    is_crowd = len(lines) == MOST_ROWS
    baselines = _CROWD_LINES if is_crowd else ROW_BASELINES
    columns: Sequence[Span] = _CROWD_COLUMNS if is_crowd else _COLUMNS
    if len(lines) <= ROWS_PER_COLUMN:
        columns = (FULL,)
    for place, line in enumerate(lines):
        column = int(place >= ROWS_PER_COLUMN)
        baseline = baselines[place - column * ROWS_PER_COLUMN]
        _line(page, line, baseline, columns[column], (font.SMALL,))
    if screen.large:
        fonts = (font.HEADING, font.STRONG, font.SMALL)
        large = shortened(screen.large, fonts, FULL)
        page.text(large, _LARGE_BASELINE, fonts, FULL, Align.CENTRE)
    for place, number in enumerate(screen.numbers):
        span = (place * _NUMBER_PITCH, (place + 1) * _NUMBER_PITCH - 2)
        page.text(str(number), _NUMBERS_BASELINE, (font.HEADING,), span, Align.CENTRE)
    if screen.dial is not None:
        strip(page, screen.dial)
        if not lines or len(lines) < len(ROW_BASELINES):
            track(page, screen.dial)
    if screen.progress is not None:
        hold_bar(page, screen.progress)
    page.hint(screen.hint or due_hint(screen))


def _line(page: PageCanvas, item: Item, baseline: int, span: Span, fonts: tuple[str, ...]) -> None:
    if isinstance(item, Phrase):
        name, pips = name_in(item, page.language), item.pips
        page.sentence(item.text, baseline, fonts=fonts, span=span, name=name, pips=pips)
    else:
        text = item_text(item, page.language)
        cut = shortened(text, fonts, span) if isinstance(item, str) else text
        page.text(cut, baseline, fonts, span)
