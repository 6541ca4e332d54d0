"""A match to look at: its moments, a card of its lies and catches, a curve of its worths as SVG.

Everybody at a table looks up for a moment. The curve shows worths from action to action.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import islice, pairwise
from textwrap import wrap
from typing import Final, NamedTuple

from firmware.display.text.labels import game_name
from firmware.display.text.language import Language, say
from game import AnyStep, events, hides_dice
from game.coach import Analysis
from game.coach.bluff import is_lie
from game.coach.judged import FREE
from game.dice import Dice
from game.events import Announced, RoundBegan
from game.record import Record, replay, statistics
from hw_sim.story import drawing, label
from hw_sim.story.judging import dearest, played

_BLUFF: Final = ("LIED", "CAUGHT", "DOUBTED", "RIGHTLY")
_OPEN: Final = ("THROWS", "WON", "LOST")


class Card(NamedTuple):
    """A card's content: the loser; a head, and a row with as many numbers for each name; facts."""

    game: str
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    facts: tuple[str, ...]


class Chain(NamedTuple):
    """Announcements of one round, one after the other: how many, in which, and the last value."""

    length: int
    round: int
    value: int


def card(record: Record, language: Language, *, lies_are_told: bool = True) -> Card:
    """Sum a match up.

    ``lies_are_told``: whether lies that nobody found out count, too; else none is counted.

    Raises:
        RecordError: the record has an illegal action.
    """
    steps = list(replay(record))
    names = record.players
    found = statistics(len(names), steps)
    outcome = steps[-1].match.outcome if steps else None
    losers = [names[seat] for seat in outcome.losers] if outcome else []
    title = ("NOBODY", "LOSES", "LOSE")[min(len(losers), 2)]
    is_bluff = bool(steps) and hides_dice(steps[0].match)
    lies = _lies(len(names), steps)
    rows: list[tuple[int, ...]] = [
        (told, each.lies_caught, each.doubts, each.right_doubts) for told, each in zip(lies, found)
    ]
    if not is_bluff:
        rows = [(each.throws, each.rounds_won, each.rounds_lost) for each in found]
    head: tuple[str, ...] = _BLUFF if is_bluff else _OPEN
    facts = _facts(names, lies, longest_chain(steps), language) if is_bluff else iter(())
    if is_bluff and not lies_are_told:
        head, rows, facts = head[1:], [row[1:] for row in rows], islice(facts, 1, None)
    return Card(
        say(game_name(record.rules.game), language),
        say(f"card.{title}", language, names=", ".join(losers)),
        tuple(say(f"card.{each}", language) for each in head),
        tuple(zip(names, rows)),
        tuple(facts),
    )


def longest_chain(steps: list[AnyStep]) -> Chain | None:
    """Return the longest chain of announcements, the first of several; None if there is none."""
    best: Chain | None = None
    round_, count = 1, 0
    for step in steps:
        for event in step.events:
            if isinstance(event, RoundBegan):
                round_, count = event.round, 0
            elif isinstance(event, Announced):
                stands = step.match.announced if hides_dice(step.match) else None
                if stands is None:  # it was not admissible, and ended the round
                    continue
                count += 1
                if best is None or count > best.length:
                    best = Chain(count, round_, stands)
    return best


def _lies(players: int, steps: list[AnyStep]) -> list[int]:
    """Return by seat how many announcements a doubt would have shown to be false."""
    lies = [0] * players
    for step in steps:
        for event in step.events:
            if isinstance(event, Announced):
                match = step.match
                assert hides_dice(match), "somebody announces"
                if match.announced is not None and match.dice is not None:
                    lies[event.seat] += is_lie(match, match.announced)
    return lies


def _facts(
    names: tuple[str, ...], lies: list[int], chain: Chain | None, language: Language
) -> Iterator[str]:
    most = max(lies)
    if most:
        name = ", ".join(name for name, count in zip(names, lies) if count == most)
        yield say("card.LIAR", language, name=name, count=most)
    else:
        yield say("card.HONEST", language)
    if chain is not None and chain.length > 1:
        yield say("card.CHAIN", language, **chain._asdict())


WIDE, _LINE, _LEFT = 720, 46, 40
"""The width of a card, its line and its left margin in px; chosen."""
_LETTER = 0.64
"""Width of a letter as a share of its size, where letters are wide and bold."""
_FONTS = "Avenir Next,Segoe UI,Noto Sans,DejaVu Sans,sans-serif"


def svg(told: Card) -> str:
    """Draw a card, 720 units wide."""
    top = 190
    facts_top = top + _LINE * len(told.rows) + 26
    high = facts_top + 34 * len(told.facts) + 24
    columns = [WIDE - _LEFT - 118 * (len(told.head) - 1 - place) for place in range(len(told.head))]
    parts = [
        f'<rect width="{WIDE}" height="{high}" rx="28" fill="#0b2a1d"/>',
        f'<rect x="8" y="8" width="{WIDE - 16}" height="{high - 16}" rx="22" fill="#14452f" '
        'stroke="#f2c45a" stroke-width="3"/>',
        f'<g transform="translate({WIDE - 128} 26) scale(1.5)"><path d="M12 6h36l5 44q-23 8-46 0z" '
        'fill="#8a5a34"/><path d="M12 6h10l-2 46q-8-.6-13-2z" fill="#b27a48"/><path d="M9 36q21 6 '
        '42 0l.8 6q-22 7-43.6 0z" fill="#e9c46a"/></g>',
        _text(_LEFT, 62, f"Mäxchen · {told.game}", 24, "#f2c45a"),
        _text(_LEFT, 112, told.title, _fitting(told.title, 40, WIDE - 200), "#f4efe4", weight=700),
        *(_text(x, 160, head, 19, "#cfc6b4", "end") for x, head in zip(columns, told.head)),
    ]
    for place, (name, numbers) in enumerate(told.rows):
        y = top + _LINE * place
        parts.append(f'<path d="M{_LEFT} {y - 14}H{WIDE - _LEFT}" stroke="#ffffff26"/>')
        parts.append(_text(_LEFT, y + 20, name, 28, "#f4efe4"))
        parts += [
            _text(x, y + 20, str(n), 28, "#ffd9a0" if n else "#8fa99a", "end", 700)
            for x, n in zip(columns, numbers)
        ]
    for place, fact in enumerate(told.facts):
        size = _fitting(fact, 23, WIDE - 2 * _LEFT)
        parts.append(_text(_LEFT, facts_top + 14 + 34 * place, fact, size, "#ffe3a1"))
    return drawing(WIDE, high, "".join(parts))


def _fitting(text: str, size: int, room: int) -> int:
    """The size, ``size`` at most, at which a text of wide letters fits into the room."""
    return min(size, round(room / (_LETTER * len(text))))


def _text(
    x: int, y: int, text: str, size: int, fill: str, anchor: str = "start", weight: int = 500
) -> str:
    return (
        f'<text x="{x}" y="{y}" font-family="{_FONTS}" '
        f'font-size="{size}" font-weight="{weight}" fill="{fill}" text-anchor="{anchor}">'
        f"{escape(text)}</text>"
    )


_WIDE: Final = 640
_HIGH: Final = 280
_EDGE: Final = 16
_AXIS: Final = 68
"""The curve begins here, right of its worths."""
_TOP: Final = 64
_ROW: Final = 20
_LETTERS: Final = 76
"""The letters in a row below the curve."""
COLOURS: Final = (
    *("#1565c0", "#c62828", "#2e7d32", "#6a1b9a", "#ef6c00", "#00838f", "#5d4037", "#455a64"),
)
"""The colours of the lines, by seat."""


def match_picture(analysis: Analysis, language: Language) -> str:
    """Draw the curve, and below it how everybody decided, and the dearest decisions in words."""
    told = [*played(analysis, language).lines(), ""]
    for _, head, better in dearest(analysis, language):
        told += [head, *wrap(better, _LETTERS), ""]
    high = _HIGH + _ROW * len(told)
    size = _fitting(max(told, key=len), 13, _WIDE - 2 * _EDGE)
    rows = "".join(
        f'<text x="{_EDGE}" y="{_HIGH + _ROW * place}" font-family="DejaVu Sans Mono,monospace" '
        f'font-size="{size}" fill="#222" xml:space="preserve">{escape(line, quote=False)}</text>'
        for place, line in enumerate(told, start=1)
    )
    return drawing(_WIDE, high, match_curve(analysis, language) + rows, "#fff")


def match_curve(analysis: Analysis, language: Language) -> str:
    """Draw the curve with the dearest decisions as numbered dots, and with the turning point.

    Beside it stand the least, the middle and the greatest worth. Less than two actions give "".
    """
    points = analysis.curve
    if len(points) <= 1:
        return ""
    every = [worth for point in points for worth in point.worths]
    least, most = (0.0, 1.0) if analysis.unit == "chance" else (min(every), max(every))
    written = "{:.0%}" if analysis.unit == "chance" else "{:+.1f}"

    def at(place: int, worth: float) -> tuple[float, float]:
        across = (_WIDE - _AXIS - _EDGE) * place / (len(points) - 1)
        down = (_HIGH - _TOP - _EDGE) * (most - worth) / max(FREE, most - least)
        return _AXIS + across, _TOP + down

    parts = []
    for worth in (most, (most + least) / 2, least):
        y = at(0, worth)[1]
        parts.append(f'<path d="M{_AXIS} {y:.1f}H{_WIDE - _EDGE}" stroke="#ddd"/>')
        parts.append(label(_EDGE, y + 5, written.format(worth), "#555", 16))
    for place, (before, now) in enumerate(pairwise(points), start=1):
        if before.round != now.round:
            x, _ = at(place, most)
            parts.append(f'<path d="M{x:.1f} {_TOP}V{_HIGH - _EDGE}" stroke="#ddd"/>')
    room = (_WIDE - 2 * _EDGE) // len(analysis.players)
    for seat, name in enumerate(analysis.players):
        colour = COLOURS[seat % len(COLOURS)]
        parts.append(label(_EDGE + room * seat, 30, name, colour, _fitting(name, 22, room - 8)))
        spots = [at(place, point.worths[seat]) for place, point in enumerate(points)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
    places = {point.line: place for place, point in enumerate(points)}
    if analysis.turning is not None:
        x, _ = at(places[analysis.turning.line], most)
        parts.append(
            f'<path d="M{x:.1f} {_TOP}V{_HIGH - _EDGE}" stroke="#222" stroke-dasharray="5 4"/>'
        )
        left = min(x, _WIDE - _EDGE - _LETTER * 18 * len(say("judged.TURNING", language)))
        parts.append(label(left, _TOP - 4, say("judged.TURNING", language), "#222", 18))
    for number, judged in enumerate(analysis.dearest, start=1):
        place, colour = places[judged.line], COLOURS[judged.seat % len(COLOURS)]
        x, y = at(place, points[place].worths[judged.seat])
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="12" fill="{colour}"/>')
        parts.append(label(x - 6, y + 6, str(number), "#fff", 18))
    return drawing(_WIDE, _HIGH, "".join(parts), "#fff")


@dataclass(frozen=True)
class Moment:
    """An event for which everybody looks up: an open cup, a Mäxchen, a player who swims or is out.

    ``dice``: the dice under the lifted cup, else empty. ``announced`` is the announcement of
    ``announcer``, both None if there was none. ``payers`` are the players who pay; those in
    ``swims`` have lost their last match, those in ``out`` are out now.
    """

    dice: Dice
    announced: int | None
    announcer: int | None
    lied: bool
    payers: tuple[int, ...]
    swims: tuple[int, ...]
    out: tuple[int, ...]


def moments_of(step: AnyStep) -> list[Moment]:
    """Return the moments of a step, if there are any."""
    payers = tuple(each.seat for each in step.events if isinstance(each, events.Penalised))
    swims = tuple(each.seat for each in step.events if isinstance(each, events.Swam))
    out = tuple(each.seat for each in step.events if isinstance(each, events.WentOut))
    for event in step.events:
        match event:
            case events.Revealed(_, dice, announced, announcer, lied):
                return [Moment(dice, announced, announcer, lied, payers, swims, out)]
            case events.MaexchenShown():
                return [Moment((2, 1), None, None, False, payers, swims, out)]
    return [Moment((), None, None, False, payers, swims, out)] if swims or out else []
