"""A match judged, counted and drawn, and its hints put in words.

May import: firmware, game.
Begin with ``judging``.
"""

from collections import Counter
from dataclasses import asdict
from html import escape
from typing import Any

from game.actions import Doubt, Look, Roll
from game.record import Record, replay, statistics


def in_numbers(record: Record) -> dict[str, Any]:
    """Return a record in numbers, ready for JSON: who lost by which rule, what was done how often.

    Raises:
        RecordError: the record has an illegal action.
    """
    steps, names = list(replay(record)), record.players
    match = steps[-1].match if steps else None
    ended = None if match is None else match.outcome
    losers = [names[seat] for seat in ended.losers] if ended else []
    done = Counter(map(type, record.actions))
    counted = statistics(len(names), steps)
    return {
        "game": record.rules.game,
        "players": len(names),
        "loser": losers[0] if losers else None,
        "losers": losers,
        "ended_by": ended.rule if ended else None,
        "rounds": 1 if match is None else match.round,
        "rolls": done[Roll],
        "peeks": done[Look],
        "doubts": done[Doubt],
        "faults": sum(one.faults for one in counted),
        "statistics": {name: asdict(one) for name, one in zip(names, counted)},
    }


def drawing(width: int, height: int, body: str, ground: str = "") -> str:
    """Return an SVG of this size in units; ``ground`` is the colour behind it, "" for none."""
    behind = f'<rect width="{width}" height="{height}" fill="{ground}"/>' if ground else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}">{behind}{body}</svg>'
    )


def label(x: float, y: float, text: str, fill: str, size: int) -> str:
    """Return a text of an SVG that begins at a place, in a colour and of a size."""
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" font-family="DejaVu Sans,sans-serif" font-size="{size}" '
        f'fill="{fill}">{escape(text, quote=False)}</text>'
    )
