"""Cues for a recording: gestures to do at known times, so that their events are known."""

from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple

from firmware.display.text.words import Words


class Cue(Enum):
    """A gesture that is requested again and again."""

    SHAKE = "shake"
    LIFT = "lift"
    TAP = "tap"


class Beat(NamedTuple):
    """The texts of a round: at its start, and ``do_us`` later; a round lasts ``round_us``."""

    do: Words
    then: Words
    do_us: int
    round_us: int


LEAD_IN_US: Final = 3_000_000
"""The first cue comes this long after the start."""
BEFORE_NEXT_US: Final = 1_500_000
"""An event ends this long before the next round: a person reacts late."""

BEATS: Final[Mapping[Cue, Beat]] = {
    Cue.SHAKE: Beat(
        Words("Schütteln …", "Shake …"), Words("… und ruhig.", "… and rest."), 2_000_000, 7_000_000
    ),
    Cue.LIFT: Beat(
        Words("Heben …", "Lift …"), Words("… und zudecken.", "… and cover."), 2_500_000, 7_000_000
    ),
    Cue.TAP: Beat(Words("Tippen.", "Tap."), Words("", ""), 500_000, 4_000_000),
}


class CueLine(NamedTuple):
    """A text to show at ``at_us`` after the start of a recording."""

    at_us: int
    words: Words


class CuedGesture(NamedTuple):
    """A requested gesture between two times in µs after the start of a recording."""

    start_us: int
    end_us: int
    label: str


def asked_within(cue: Cue, seconds: float) -> tuple[CuedGesture, ...]:
    """Return the rounds that fit wholly into a recording, as events of it."""
    beat = BEATS[cue]
    starts = range(LEAD_IN_US, round(seconds * 1e6) - beat.round_us + 1, beat.round_us)
    return tuple(
        CuedGesture(start_us, start_us + beat.round_us - BEFORE_NEXT_US, cue.value)
        for start_us in starts
    )


def lines_for(cue: Cue, seconds: float) -> tuple[CueLine, ...]:
    """Return the texts of those rounds, by time."""
    beat = BEATS[cue]
    lines: list[CueLine] = []
    for asked in asked_within(cue, seconds):
        lines.append(CueLine(asked.start_us, beat.do))
        if beat.then.en:
            lines.append(CueLine(asked.start_us + beat.do_us, beat.then))
    return tuple(lines)
