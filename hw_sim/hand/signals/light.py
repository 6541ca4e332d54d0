"""Light at a handheld: the room with its flicker, and the sensor under a thumb or a flap.

The room is shared by all handhelds of a table. Everything is a function of time; the flicker comes
from small tables, so that a light sensor may ask for many instants of each of its conversions.
"""

from bisect import bisect_right
from collections.abc import Callable

from hw_sim.hand.signals.room_light import LightScene

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
