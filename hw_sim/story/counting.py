"""The statistics of a match in words: a line for every player."""

from dataclasses import asdict

from firmware.display.text.language import Language, say_count
from game.record import Record, replay
from game.statistics import statistics

_COUNTED = (
    *("throws", "looks", "lies_caught", "truths_doubted", "right_doubts"),
    *("faults", "rounds_won", "rounds_lost"),
)
"""The counts of a player in their order; 0 is left out."""


def counts(record: Record, language: Language) -> list[str]:
    """Count each player's actions, a line each: "Ana: 12 throws, 9 looks, 2 lies caught".

    Raises:
        RecordError: the record has an illegal action.
    """
    lines = []
    for name, one in zip(record.players, statistics(len(record.players), replay(record))):
        numbers = asdict(one)
        told = [
            say_count(f"count.{what}", language, numbers[what])
            for what in _COUNTED
            if numbers[what]
        ]
        lines.append(f"{name}: {', '.join(told) or '–'}")
    return lines
