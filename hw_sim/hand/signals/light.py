"""Light at a handheld over time: a room with its flicker, a candle, a thumb, a flap.

The room is shared by all handhelds of a table. Everything is a function of time; the flicker comes
from small tables, so that a light sensor may ask for many instants of each of its conversions.

Numbers without a source are chosen.
"""

import math
from bisect import bisect_right, insort
from collections.abc import Callable
from random import Random

MAINS_FLICKER = 0.30
"""Lamps on 50 Hz mains: ±30 % at 100 Hz."""
MAINS_PERIOD_US = 10_000
CANDLE_FLICKER = 0.14
"""The ratio of a candle's flicker to its light: up to ±14 %, slowly and without a beat."""

PUB_LUX = (5.0, 50.0)
DAY_LUX = (200.0, 2000.0)
DARK_LUX = (0.05, 0.8)

_MAINS_STEPS = 64
_CANDLE_STEPS = 1024
_CANDLE_STEP_US = 10_000


class LightScene:
    """The light of a room in lux: a level that can change, times its flicker.

    ``mains_flicker`` and ``candle_flicker`` are shares of the level, 0 for none and at most 0.5
    each; ``rng`` gives the phases.

    Raises:
        ValueError: a level is negative or a flicker is none.

    """

    def __init__(
        self,
        rng: Random,
        ambient_lux: float,
        *,
        mains_flicker: float = 0.0,
        candle_flicker: float = 0.0,
    ) -> None:
        for share in (mains_flicker, candle_flicker):
            if not 0.0 <= share <= 0.5:
                raise ValueError(f"a flicker of {share:g} is none; give a share from 0 to 0.5")
        self._jumps: list[tuple[int, float, int]] = [(0, _level(ambient_lux), 0)]
        self._steady_lux = ambient_lux
        self._mains_us = rng.randrange(MAINS_PERIOD_US)
        self._candle_us = rng.randrange(_CANDLE_STEPS * _CANDLE_STEP_US)
        self._mains = tuple(
            1.0 + mains_flicker * math.sin(math.tau * step / _MAINS_STEPS)
            for step in range(_MAINS_STEPS)
        )
        self._candle = _candle_table(rng, candle_flicker)

    @classmethod
    def pub(cls, rng: Random) -> "LightScene":
        """Make a room in the evening: 5 to 50 lx, lamps on the mains, or candles, or both."""
        low, high = PUB_LUX
        lux = low * (high / low) ** rng.uniform(0.0, 1.0)
        kind = rng.randrange(3)
        return cls(
            rng,
            lux,
            mains_flicker=MAINS_FLICKER if kind != 1 else 0.0,
            candle_flicker=CANDLE_FLICKER if kind != 0 else 0.0,
        )

    @classmethod
    def day(cls, rng: Random) -> "LightScene":
        """Make daylight indoors: 200 to 2000 lx without flicker."""
        low, high = DAY_LUX
        return cls(rng, low * (high / low) ** rng.uniform(0.0, 1.0))

    @classmethod
    def dark(cls, rng: Random) -> "LightScene":
        """Make a room too dark to tell a lifted cup: under 1 lx."""
        return cls(rng, rng.uniform(*DARK_LUX))

    def jump(self, t_us: int, lux: float, over_s: float = 0.05) -> int:
        """Change the level of the room at ``t_us``, evenly within ``over_s``; returns the end.

        Jumps that were planned for later stay.
        """
        insort(self._jumps, (t_us, _level(lux), round(over_s * 1e6)))
        return t_us + round(over_s * 1e6)

    def forget(self, before_us: int) -> None:
        """Forget jumps before a time in µs, but the last two: one may still be under way."""
        del self._jumps[: max(0, bisect_right(self._jumps, before_us, key=_when) - 2)]

    def ambient(self, t_us: int) -> float:
        """Illuminance of the room in lux at a time in µs, flicker included."""
        jumps = self._jumps
        lux = self._steady_lux if len(jumps) == 1 else self._jumped(t_us)
        mains = self._mains[(t_us + self._mains_us) % MAINS_PERIOD_US * _MAINS_STEPS // 10_000]
        candle = self._candle[(t_us + self._candle_us) // _CANDLE_STEP_US % _CANDLE_STEPS]
        return lux * mains * candle

    def _jumped(self, t_us: int) -> float:
        index = bisect_right(self._jumps, t_us, key=_when) - 1
        start_us, lux, over_us = self._jumps[max(0, index)]
        if index > 0 and t_us - start_us < over_us:
            before = self._jumps[index - 1][1]
            return before + (lux - before) * (t_us - start_us) / over_us
        return lux


def _when(jump: tuple[int, float, int]) -> int:
    return jump[0]


def _level(lux: float) -> float:
    if lux < 0:
        raise ValueError(f"no room has {lux:g} lx; give 0 or more")
    return lux


def _candle_table(rng: Random, flicker: float) -> tuple[float, ...]:
    """Factors around 1 for one round of the table: whole numbers of waves, so that it closes."""
    waves = [
        (rng.randrange(3, 100), rng.uniform(0, math.tau), rng.uniform(0.4, 1.0)) for _ in range(7)
    ]
    raw = [
        sum(
            height / math.sqrt(count) * math.sin(math.tau * count * step / _CANDLE_STEPS + phase)
            for count, phase, height in waves
        )
        for step in range(_CANDLE_STEPS)
    ]
    highest = max(abs(value) for value in raw)
    return tuple(1.0 + flicker * value / highest for value in raw)


Glow = Callable[[int], float]
"""The panel's own light at a time in µs: share of lit pixels × contrast, from 0 to 1."""

LEAK_SHARE = (0.001, 0.02)
"""The light that a thumb over the sensor lets through, as a share of the light around it."""
GLOW_LUX = 0.5
"""Light of the panel at the sensor, all pixels lit at full contrast, with the sensor apart from the
panel or behind a wall. Without one it is several lux."""


class CoveredSensor:
    """The light sensor of one handheld under a thumb or a flap that opens and closes.

    Openness goes from 0 (covered: only ``leak_share`` of the room comes in) to 1 (all of it). The
    panel adds its ``glow`` times ``glow_lux``, whether covered or not. It begins covered.
    """

    def __init__(
        self,
        scene: LightScene,
        *,
        leak_share: float,
        glow: Glow | None = None,
        glow_lux: float = GLOW_LUX,
    ) -> None:
        self.scene = scene
        self._leak_share = leak_share
        self._glow = glow
        self._glow_lux = glow_lux
        self._t_us = [0]
        self._open = [0.0]

    def move(self, start_us: int, end_us: int, openness: float) -> None:
        """Open or close to ``openness`` (0 to 1); replaces what was planned for later."""
        now = self.openness(start_us)
        keep = bisect_right(self._t_us, start_us)
        del self._t_us[keep:], self._open[keep:]
        self._t_us += [start_us, max(end_us, start_us + 1)]
        self._open += [now, openness]

    def forget(self, before_us: int) -> None:
        """Forget what was planned for before a time in µs, but the last of it."""
        last = bisect_right(self._t_us, before_us) - 1
        if last > 0:
            del self._t_us[:last], self._open[:last]

    def openness(self, t_us: int) -> float:
        """How far the sensor is uncovered at a time in µs: 0 covered, 1 open."""
        times = self._t_us
        if t_us >= times[-1]:
            return self._open[-1]
        index = bisect_right(times, t_us)
        if index == 0:
            return self._open[0]
        before, after = self._open[index - 1], self._open[index]
        if before == after:
            return before
        share = (t_us - times[index - 1]) / (times[index] - times[index - 1])
        return before + (after - before) * share * share * (3.0 - 2.0 * share)

    def illuminance(self, t_us: int) -> float:
        """Return the light on the sensor at a time in µs, in lux."""
        openness = self._open[-1] if t_us >= self._t_us[-1] else self.openness(t_us)
        share = self._leak_share + (1.0 - self._leak_share) * openness
        lux = self.scene.ambient(t_us) * share
        if self._glow is not None:
            lux += self._glow_lux * self._glow(t_us)
        return lux
