"""Cues for a recording: gestures to do at known times, so that their events are known."""

from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple

from firmware.display.text.language import key_of


class Cue(Enum):
    """A gesture that is requested again and again."""

    SHAKE = "shake"
    LIFT = "lift"
    TAP = "tap"


class Beat(NamedTuple):
    """The times of a round of ``round_us``: the second text comes ``then_us`` after the first.

    ``then_us`` is None if there is no second text.
    """

    then_us: int | None
    round_us: int


LEAD_IN_US: Final = 3_000_000
"""The first cue comes this long after the start."""
BEFORE_NEXT_US: Final = 1_500_000
"""An event ends this long before the next round: a person reacts late."""

BEATS: Final[Mapping[Cue, Beat]] = {
    Cue.SHAKE: Beat(2_000_000, 7_000_000),
    Cue.LIFT: Beat(2_500_000, 7_000_000),
    Cue.TAP: Beat(None, 4_000_000),
}


class CueLine(NamedTuple):
    """A text to show at ``at_us`` after the start of a recording, by its key."""

    at_us: int
    key: str


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
        lines.append(CueLine(asked.start_us, key_of(cue, "do")))
        if beat.then_us is not None:
            lines.append(CueLine(asked.start_us + beat.then_us, key_of(cue, "then")))
    return tuple(lines)
