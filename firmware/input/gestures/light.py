"""Tell a closed cup from a lifted one by the light on the sensor.

Lifting lets in much more light than any lamp adds under a thumb. An open sensor has 30 to 1000
times the light of a covered one, while lamps, torches and the windows of a bus change a room by 20
times at most. A ratio, measured anew for every cup, therefore decides about a lift. It uses three
quantities:

- D is the light on the covered sensor.
- L is the light on the open sensor.
- K is the ratio of L to D, measured at each closing.

The cup is lifted when two conversions in a row exceed

    the smaller of   0.4 L   and   D + 1 times K / 2, from 4 to 14,

but at least 3 D and D + max(0.5 lx, 4 counts). The one count is the error of a conversion. A
brighter room raises D, and a dimmed room lowers it, so the second term works in any light. The
first term lets thumbs that leak more be told apart in unchanged light. Until the sensor has been
open once, the two floors alone count.

The cup is closed when the light stays for 0.1 s below half of the largest of

    3 D          D + max(0.5 lx, 4 counts)          D + 0.15 (L - D)

The room is too dark, and a lift cannot be told, while L is below 1 lx or below 3.5 times D.

Only fresh conversions count. A conversion measures the 25 ms before it, so darkness is dated back
by as much. D follows quickly downward and slowly upward. At a closing it is at least the least
light of those 0.1 s: the room may have become brighter since the last closing, and the leak of its
light must not pass for the next lift. L follows the other way round. Otherwise D would creep up as
a cup is lifted gently, and L fall as it is closed. L fades while the cup is closed: lights may be
dimmed meanwhile by more than a small D can show, and an old level must not hide a lift. It fades no
further than a lamp reaches.

Numbers without a source are chosen.
"""

from math import sqrt

from firmware.input.gestures import Covered, Light, TooDark, Uncovered

LX_PER_COUNT = 0.1344
"""VEML7700 at gain ×2 and 25 ms (84286, resolution table)."""
CONVERSION_US = 25_000
COVERED_TIMES = 3.0
"""A lifted cup exceeds D by this factor …"""
LEAST_RISE_COUNTS = max(0.5 / LX_PER_COUNT, 4.0)
"""… and D by this many counts."""
OPEN_SHARE = 0.4
"""Share of L that a lifted cup exceeds, if the next bound is not smaller."""
MOST_TIMES, LEAST_TIMES = 14.0, 4.0
"""Bounds of the factor of D + 1 that a lifted cup exceeds."""
CONTRAST_SHARE = 0.5
"""That factor as a share of K."""
COUNT_OFF = 1.0
"""The possible error of D if it is a few counts."""
FADED_TIMES = 12.0
"""L fades until 0.4 L is this many times D + 1. Lamps and torches reach 10 times."""
LIFT_CONVERSIONS = 2
"""Conversions in a row that make a lift."""
CLOSE_SHARE = 0.5
"""A closed cup stays below this share of the largest bound."""
CLOSED_SHARE = 0.15
"""Share of L - D in the last of those bounds."""
CLOSE_US = 100_000
"""A cup is closed after the light has stayed below for this long."""
SETTLED_US = 500_000
"""Time after closing at which D measures the leak of the thumb."""
FIRST_CLOSE_SHARE = 0.25
"""Share of L below which the sensor counts as covered while D is not known yet."""
DARK_DOWN_US, DARK_UP_US = 120_000, 4_000_000
"""Time constants of D."""
OPEN_DOWN, OPEN_UP = 0.1, 0.3
"""Share by which L follows each conversion of the open sensor."""
LEAST_OPEN_COUNTS = 1.0 / LX_PER_COUNT
LEAST_CONTRAST = 3.5
MOST_LEAK_SHARE, LEAST_LEAK_LUX = 0.03, 0.4
"""The leak under a thumb should be less than either: lamps change a room by ten times."""
ADAPT_US = 300_000
"""Time the sensor must have been open before L measures the room: lifting takes time."""
FADE_US = 60_000_000
"""Time constant with which L fades while the sensor is covered."""
BRIGHT_AGAIN = 1.25
"""A dark room must become this much brighter before it counts as bright enough."""

LightGesture = Uncovered | Covered | TooDark


class LightWatch:
    """Follows the light sensor. ``covered`` is None until the first fresh conversion.

    ``dark`` and ``bright`` are the two levels in counts, if they are known from a calibration.
    """

    def __init__(self, dark: float | None = None, bright: float | None = None) -> None:
        self._dark = dark
        self._open = bright
        self._contrast = None if dark is None or bright is None else _contrast(bright, dark)
        self._too_dark = False
        self.reset()

    def reset(self) -> None:
        """Forget whether the cup is closed, as after sleep; the two levels are kept."""
        self.covered: bool | None = None
        self._seen_us: int | None = None
        self._high = 0
        self._low_since_us: int | None = None
        self._lowest = 0
        self._covered_us: int | None = None
        self._uncovered_us: int | None = None
        self._settled_us: int | None = None
        self._open_before = 0.0

    @property
    def lift_threshold_counts(self) -> float:
        """Counts that a lifted cup exceeds, by the levels known so far."""
        dark = self._dark or 0.0
        least = max(COVERED_TIMES * dark, dark + LEAST_RISE_COUNTS)
        if self._open is None:
            return least
        return max(least, min(self._times * (dark + COUNT_OFF), OPEN_SHARE * self._open))

    @property
    def close_threshold_counts(self) -> float:
        """Counts that a closed cup stays below, by the levels known so far."""
        dark = self._dark or 0.0
        bright = self._open or 0.0
        return CLOSE_SHARE * max(
            COVERED_TIMES * dark,
            dark + LEAST_RISE_COUNTS,
            dark + CLOSED_SHARE * (bright - dark),
        )

    @property
    def _times(self) -> float:
        """The least factor from D to the light of a lifted cup."""
        if self._contrast is None:
            return MOST_TIMES
        return min(MOST_TIMES, max(LEAST_TIMES, CONTRAST_SHARE * self._contrast))

    @property
    def lift_suspected(self) -> bool:
        """Whether one conversion on a closed cup was high and the next decides."""
        return self._high > 0

    def covered_throughout(self, start_us: int, end_us: int) -> bool:
        """Return whether the sensor was covered between two times in µs, as far as is known."""
        return (
            self._covered_us is not None
            and self._covered_us <= start_us
            and (self._uncovered_us is None or self._uncovered_us >= end_us)
        )

    def feed(self, reading: Light) -> list[LightGesture]:
        """Add a reading; return its gestures, in order. One that is not fresh changes nothing."""
        if not reading.fresh:
            return []
        gestures: list[LightGesture] = []
        if self.covered is None:
            if reading.counts <= self._first_limit():
                self._cover(reading.t_us - CONVERSION_US, reading)
                gestures.append(Covered(reading.t_us))
            else:
                self.covered = False
                self._uncovered_us = reading.t_us
        if self.covered:
            gestures += self._while_covered(reading)
        else:
            gestures += self._while_open(reading)
        self._seen_us = reading.t_us
        too_dark = self._judge_room(reading.t_us)
        if too_dark != self._too_dark:
            self._too_dark = too_dark
            gestures.append(TooDark(reading.t_us, too_dark))
        return gestures

    def _first_limit(self) -> float:
        """Return the counts up to which the sensor counts as covered at the first conversion."""
        if self._dark is None:
            return LEAST_RISE_COUNTS
        return max(LEAST_RISE_COUNTS, self.close_threshold_counts)

    def _while_covered(self, reading: Light) -> list[LightGesture]:
        self._fade(reading.t_us)
        if reading.counts <= self.lift_threshold_counts:
            self._high = 0
            self._follow_dark(reading.counts, reading.t_us)
            self._measure_contrast(reading.t_us)
            return []
        self._high += 1
        if self._high < LIFT_CONVERSIONS:
            return []
        self._high = 0
        self.covered = False
        self._uncovered_us = reading.t_us
        self._follow_open(reading.counts)
        return [Uncovered(reading.t_us)]

    def _while_open(self, reading: Light) -> list[LightGesture]:
        if self._dark is None:
            limit = FIRST_CLOSE_SHARE * (self._open or 0.0)
        else:
            limit = self.close_threshold_counts
        if reading.counts >= limit:
            self._low_since_us = None
            self._follow_open(reading.counts)
            return []
        if self._low_since_us is None:
            self._low_since_us, self._lowest = reading.t_us - CONVERSION_US, reading.counts
        self._lowest = min(self._lowest, reading.counts)
        if reading.t_us - self._low_since_us < CLOSE_US:
            return []
        self._cover(self._low_since_us, reading)
        self._dark = max(self._dark or 0.0, float(self._lowest))
        return [Covered(reading.t_us)]

    def _cover(self, since_us: int, reading: Light) -> None:
        self.covered = True
        self._covered_us = since_us
        self._uncovered_us = None
        self._low_since_us = None
        self._open_before = self._open or 0.0
        self._settled_us = since_us + SETTLED_US
        self._follow_dark(reading.counts, reading.t_us)

    def _measure_contrast(self, t_us: int) -> None:
        """Learn how much the thumb lets through, once for each closing."""
        if self._settled_us is None or t_us < self._settled_us:
            return
        self._settled_us = None
        if self._open_before and self._dark is not None:
            seen = _contrast(self._open_before, self._dark)
            self._contrast = seen if self._contrast is None else sqrt(self._contrast * seen)

    def _fade(self, t_us: int) -> None:
        """Let L fade while the cup is closed, no further than a lamp reaches."""
        if self._open is None or self._seen_us is None:
            return
        lowest = FADED_TIMES * ((self._dark or 0.0) + COUNT_OFF) / OPEN_SHARE
        if self._open > lowest:
            passed = min(1.0, (t_us - self._seen_us) / FADE_US)
            self._open = max(lowest, self._open - passed * self._open)

    def _follow_dark(self, counts: int, t_us: int) -> None:
        """Follow D: quickly downward, slowly upward."""
        if self._dark is None:
            self._dark = float(counts)
        elif self._seen_us is not None:
            constant_us = DARK_DOWN_US if counts < self._dark else DARK_UP_US
            rate = min(1.0, (t_us - self._seen_us) / constant_us)
            self._dark += rate * (counts - self._dark)

    def _follow_open(self, counts: int) -> None:
        """Follow L: quickly upward, slowly downward."""
        if self._open is None:
            self._open = float(counts)
        else:
            rate = OPEN_UP if counts > self._open else OPEN_DOWN
            self._open += rate * (counts - self._open)

    def _judge_room(self, t_us: int) -> bool:
        """Return whether the room is too dark; only an open sensor can end that."""
        if self.covered or self._open is None or self._uncovered_us is None:
            return self._too_dark
        if t_us - self._uncovered_us < ADAPT_US:
            return self._too_dark
        margin = BRIGHT_AGAIN if self._too_dark else 1.0
        return self._open < margin * max(LEAST_OPEN_COUNTS, LEAST_CONTRAST * (self._dark or 0.0))


def _contrast(bright: float, dark: float) -> float:
    return bright / (dark + COUNT_OFF)
