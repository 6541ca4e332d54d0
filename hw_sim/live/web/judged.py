"""A match that is over: its card for all; for who plays it alone the coach's advice and page."""

from html import escape

from firmware.bots.hint import hint
from firmware.display.text.words import Words, words
from firmware.table.log.merged_log import merged_log
from game.coach import CoachError, analyse
from game.coach.analysis import Analysis
from game.record import Record
from game.spoken import Language
from hw_sim.live.world.world import World
from hw_sim.story.card import card, svg
from hw_sim.story.judging import Told, accounts, decisions, model, moments, told, unit

_TITLE = Words("Das Spiel, nachgerechnet", "The match, judged")
_NO_HINT = Words("Gerade gibt es keinen Tipp.", "There is no hint now.")
_PAGE = """\
<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="/static/icon.svg">
<link rel="stylesheet" href="/static/style.css">
</head>
<body class="judged-page">
<header><h1>{title}</h1></header>
<main>{body}</main>
</body>
</html>
"""


def record_of(world: World) -> Record:
    """Return the match of a table, with all dice that anybody rolled."""
    table = world.table
    logs = [seat.log for seat in table.seats]
    return merged_log(table.setup.rules, table.setup.names, table.first, logs)[0]


def card_of(world: World, language: Language) -> str:
    """Return the card of the match of a table, as SVG."""
    return svg(card(record_of(world), language))


def page(record: Record, language: Language) -> str:
    """Return the page of a match, as HTML; it takes up to some seconds."""
    try:
        body = _body(analyse(record), language)
    except CoachError as error:
        body = _tag("p", str(error))
    return _PAGE.format(language=language, title=escape(words(_TITLE, language)), body=body)


def advice(record: Record, seat: int, language: Language) -> str:
    """Return what ``seat`` should do now, in a few words; it takes up to a second."""
    shares = hint(record, seat)
    ways = (f"{told(each, language)}: {share:.0%}" for each, share in shares.items())
    return " · ".join(ways) or words(_NO_HINT, language)


def _body(analysis: Analysis, language: Language) -> str:
    items = [_tag("li", line) for line in moments(analysis, language)]
    return "".join(
        (
            _table(accounts(analysis, language)),
            _tag("p", unit(analysis, language)),
            f"<ul>{''.join(items)}</ul>",
            _table(decisions(analysis, language)),
            _tag("p", model(analysis, language)),
        )
    )


def _table(table: Told) -> str:
    head = "".join(_tag("th", cell) for cell in table.head)
    rows = "".join(f"<tr>{''.join(_tag('td', c) for c in row)}</tr>" for row in table.rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _tag(name: str, text: str) -> str:
    return f"<{name}>{escape(text)}</{name}>"
