"""The statistics of a match in words: a line for every player, in German and English."""

from collections.abc import Mapping
from dataclasses import asdict

from firmware.display.text.words import Words, words
from game.record import Record, replay
from game.spoken import Language
from game.statistics import statistics

_COUNTED: Mapping[str, tuple[Words, Words]] = {
    "throws": (Words("{} Wurf", "{} throw"), Words("{} Würfe", "{} throws")),
    "looks": (Words("{} Blick", "{} look"), Words("{} Blicke", "{} looks")),
    "lies_caught": (
        Words("{} Lüge ertappt", "{} lie caught"),
        Words("{} Lügen ertappt", "{} lies caught"),
    ),
    "truths_doubted": (
        Words("{} Wahrheit bezweifelt", "{} truth doubted"),
        Words("{} Wahrheiten bezweifelt", "{} truths doubted"),
    ),
    "right_doubts": (
        Words("{} Mal zu Recht gezweifelt", "{} right doubt"),
        Words("{} Mal zu Recht gezweifelt", "{} right doubts"),
    ),
    "faults": (Words("{} Fehler", "{} fault"), Words("{} Fehler", "{} faults")),
    "rounds_won": (
        Words("{} Runde vorn", "{} round won"),
        Words("{} Runden vorn", "{} rounds won"),
    ),
    "rounds_lost": (
        Words("{} Runde verloren", "{} round lost"),
        Words("{} Runden verloren", "{} rounds lost"),
    ),
}
"""The counts of a player in their order, with the words for one and for more; 0 is left out."""


def counts(record: Record, language: Language) -> list[str]:
    """Count each player's actions, a line each: "Ana: 12 throws, 9 looks, 2 lies caught".

    Raises:
        RecordError: the record has an illegal action.
    """
    lines = []
    for name, one in zip(record.players, statistics(len(record.players), replay(record))):
        numbers = asdict(one)
        told = [
            words(forms[numbers[what] != 1], language).format(numbers[what])
            for what, forms in _COUNTED.items()
            if numbers[what]
        ]
        lines.append(f"{name}: {', '.join(told) or '–'}")
    return lines
