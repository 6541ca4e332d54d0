"""A strict model of the HC-SR04 distance sensor (module's user guide, 1.0).

Checked against gpiozero's `DistanceSensor`.

Decided here, because the guide leaves it open:

- the echo begins 460 µs after the end of the trigger;
- without anything in reach it lasts 38 ms;
- a trigger during a measurement is refused and has no effect;
- a new measurement less than 60 ms after the last one is torn: the guide asks for that time.
"""

from collections.abc import Callable

from . import PartModel

_SHORTEST_TRIGGER_US = 10
_ECHO_AFTER_US = 460
_NOTHING_US = 38_000
_CYCLE_US = 60_000
_SOUND_MPS = 343.0
NEAREST_M, FARTHEST_M = 0.02, 4.0


def _one_metre(_t_us: int) -> float:
    return 1.0


class HCSR04(PartModel):
    """The sensor. Its world ``distance`` is metres as a function of the time in µs."""

    name = "HC-SR04"
    outputs = ("echo",)
    inputs = ("trig",)
    worlds = ("distance",)

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__(seed, t_us)
        self.distance: Callable[[int], float] = _one_metre
        self.measurements = 0
        self.power_up(t_us)

    def power_up(self, t_us: int) -> None:
        """Apply power: echo low."""
        self._rose_us = t_us
        self._triggered_us: int | None = None
        self._echo_us: tuple[int, int] | None = None
        self._now_us = t_us

    def sense(self, _pin: str, level: int, t_us: int) -> None:
        """Take an edge of the trigger; its fall begins a measurement."""
        self.advance(t_us)
        if level:
            self._rose_us = t_us
            return
        if t_us - self._rose_us < _SHORTEST_TRIGGER_US:
            self.refuse(t_us, f"trigger of {t_us - self._rose_us} µs: at least 10 µs")
            return
        if self._echo_us is not None:
            self.refuse(t_us, "trigger during a measurement")
            return
        if self._triggered_us is not None and t_us - self._triggered_us < _CYCLE_US:
            self.tear(t_us, "measured again in less than 60 ms: it can hear the echo before")
        self._triggered_us = t_us
        self.measurements += 1
        metres = float(self.distance(t_us))
        near = NEAREST_M <= metres <= FARTHEST_M
        lasts_us = round(2 * metres / _SOUND_MPS * 1e6) if near else _NOTHING_US
        self._echo_us = (t_us + _ECHO_AFTER_US, t_us + _ECHO_AFTER_US + lasts_us)

    def advance(self, t_us: int) -> None:
        """Let the echo end."""
        self._now_us = t_us
        if self._echo_us is not None and t_us >= self._echo_us[1]:
            self._echo_us = None

    def output(self, _pin: str) -> int:
        """Return the level of the echo."""
        return int(self._echo_us is not None and self._now_us >= self._echo_us[0])

    def next_event_us(self) -> int | None:
        """Return when the echo begins or ends."""
        if self._echo_us is None:
            return None
        begins_us, ends_us = self._echo_us
        return begins_us if self._now_us < begins_us else ends_us
