"""Parts on pins alone: LED, buttons, rotary encoder, touch pad TTP223, distance sensor HC-SR04."""

from collections.abc import Callable
from random import Random
from typing import ClassVar

from . import PartModel, steady


class LED(PartModel):
    """A light-emitting diode with its resistor, from a pin to ground (no sheet).

    ``is_lit`` is whether it is lit, ``flashes`` how often it was switched on. Checked against
    gpiozero's `LED`, `PWMLED` and RPi.GPIO.
    """

    name = "LED"
    inputs = ("in",)

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__(seed, t_us)
        self.power_up(t_us)

    def power_up(self, t_us: int) -> None:
        """Begin dark."""
        self.is_lit = False
        self.flashes = 0
        self._lit_us = 0
        self._since_us = t_us

    def sense(self, _pin: str, level: int, t_us: int) -> None:
        """Take the level of the pin."""
        if self.is_lit:
            self._lit_us += t_us - self._since_us
        self._since_us = t_us
        self.flashes += level and not self.is_lit
        self.is_lit = bool(level)

    def lit_us(self, t_us: int) -> int:
        """Return for how long it was lit until ``t_us``, in µs."""
        return self._lit_us + (t_us - self._since_us) * self.is_lit


_MOST_BOUNCES, _LONGEST_BOUNCE_US = 4, 2_000
_SLOWEST, _FASTEST = 0.1, 200.0


class _Contacts(PartModel):
    """Contacts to ground, by the name of their pin: closed or open, with changes to come.

    Decided here, there is no sheet: a contact bounces for a seeded time of at most 2 ms, with up to
    four edges, each time that it closes or opens. Checked against gpiozero's `Button` and
    `RotaryEncoder`.
    """

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__(seed, t_us)
        self._chance = Random(f"{self.name} {seed}")
        self.bounces = True
        """Whether contacts bounce; set it to False for clean edges."""
        self._closed = dict.fromkeys(self.outputs, False)
        self._changes: list[tuple[int, str, bool]] = []

    to = 0

    def output(self, pin: str) -> int | None:
        """Return the level that a closed contact connects ``pin`` to; None while it is open."""
        return self.to if self._closed[pin] else None

    def advance(self, t_us: int) -> None:
        """Move the contacts up to ``t_us``."""
        while self._changes and self._changes[0][0] <= t_us:
            _, pin, closed = self._changes.pop(0)
            self._closed[pin] = closed

    def next_event_us(self) -> int | None:
        """Return when a contact moves next."""
        return self._changes[0][0] if self._changes else None

    def _move(self, pin: str, closed: bool, t_us: int) -> None:
        times = []
        if self.bounces:
            pairs = self._chance.randint(0, _MOST_BOUNCES // 2)
            times = sorted(self._chance.sample(range(1, _LONGEST_BOUNCE_US), 2 * pairs))
        states = [closed] + [closed == bool(index % 2) for index in range(len(times))]
        for at_us, state in zip([0, *times], states):
            self._changes.append((t_us + at_us, pin, state))
        self._changes.sort(key=lambda change: change[0])


class Button(_Contacts):
    """A button to ground: ``board.act("button", "press", True)``, then False."""

    name = "Button"
    outputs = ("out",)

    def press(self, down: bool, t_us: int) -> None:
        """Press it (``down``) or let it go at ``t_us``."""
        self._move("out", down, t_us)


class HighButton(Button):
    """A button to 3.3 V."""

    name = "HighButton"
    to = 1


class RotaryEncoder(_Contacts):
    """An encoder with a button; a step to the right is A before B.

    A step is one whole period of its contacts; a hand turns 20 steps a second. Contacts A and B
    have pull-ups on their module, the button has none. Its world ``speed`` is in steps a second,
    0.1 to 200, as a function of the time in µs.
    """

    name = "RotaryEncoder"
    outputs = ("a", "b", "button")
    pulls: ClassVar = {"a": 1, "b": 1}
    worlds = ("speed",)

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__(seed, t_us)
        self.speed: Callable[[int], float] = steady(20.0)

    def turn(self, steps: int, t_us: int) -> None:
        """Turn it by ``steps`` from ``t_us`` on: to the right if positive."""
        first, second = ("a", "b") if steps > 0 else ("b", "a")
        step_us = round(1e6 / min(_FASTEST, max(_SLOWEST, self.speed(t_us))))
        starts_us = max([t_us, *(at_us + step_us // 4 for at_us, _, _ in self._changes)])
        for step in range(abs(steps)):
            begins_us = starts_us + step * step_us
            moves = ((first, True), (second, True), (first, False), (second, False))
            for quarter, (pin, closed) in enumerate(moves):
                self._move(pin, closed, begins_us + quarter * step_us // 4)

    def press(self, down: bool, t_us: int) -> None:
        """Press its button (``down``) or let it go at ``t_us``."""
        self._move("button", down, t_us)


STABILISING_US = 500_000
"""After power-up the touch pad does nothing for so long (TTP223, data sheet)."""
_FAST_US = (20_000, 60_000)
_LOW_POWER_US = (80_000, 220_000)
_BACK_TO_LOW_POWER_US = 12_000_000
_DROPPED_AFTER_US = (7_500_000, 15_000_000)


class TTP223(PartModel):
    """A touch pad module, direct mode, active high (sheet: T, digest 5).

    ``level`` is its output Q, 1 while a finger is seen. Checked against gpiozero's `Button`.

    Decided here, because the sheet gives maxima only: each response takes a seeded time, 20–60 ms
    in fast mode and 80–220 ms in low-power mode, and so does each release (fast mode). A touch
    shorter than its response is not seen. A still finger is dropped after a seeded 7.5–15 s and not
    seen again until it was lifted. A finger on the pad during the 0.5 s after power-up becomes part
    of the baseline: it is not seen until it was lifted.
    """

    name = "TTP223"
    outputs = ("q",)

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__()
        self._chance = Random(f"ttp223 {seed}")
        self.power_up(t_us)

    def power_up(self, t_us: int) -> None:
        """Apply power: half a second without touch function, output idle."""
        self.level = 0
        self._down = False
        self._powered_us = t_us
        self._fast_until_us = t_us
        self._change_us: int | None = None
        self._drop_us: int | None = None

    def output(self, _pin: str) -> int:
        """Return the level of Q."""
        return self.level

    def touch(self, down: bool, t_us: int) -> None:
        """Put a finger on the pad (``down``), or take it off, at ``t_us``."""
        self.advance(t_us)
        if down == self._down:
            return
        self._down = down
        self._change_us = None
        if down:
            if t_us >= self._powered_us + STABILISING_US:
                band = _FAST_US if t_us < self._fast_until_us else _LOW_POWER_US
                self._change_us = t_us + self._chance.randint(*band)
        else:
            self._drop_us = None
            if self.level:
                self._change_us = t_us + self._chance.randint(*_FAST_US)

    def next_event_us(self) -> int | None:
        """Return when the output next changes by itself, in µs; None if it does not."""
        if self._change_us is None:
            return self._drop_us
        return self._change_us

    def advance(self, t_us: int) -> None:
        """Let the output follow what happened up to ``t_us``."""
        change_us = self._change_us
        if change_us is not None and change_us <= t_us:
            self._change_us = None
            self.level = int(self._down)
            self._fast_until_us = change_us + _BACK_TO_LOW_POWER_US
            if self._down:
                self._drop_us = change_us + self._chance.randint(*_DROPPED_AFTER_US)
        drop_us = self._drop_us
        if drop_us is not None and drop_us <= t_us:
            self._drop_us = None
            self.level = 0


_SHORTEST_TRIGGER_US = 10
_ECHO_AFTER_US = 460
_NOTHING_US = 38_000
_CYCLE_US = 60_000
_SOUND_MPS = 343.0
NEAREST_M, FARTHEST_M = 0.02, 4.0
"""The range of the distance sensor (HC-SR04, data sheet)."""


class HCSR04(PartModel):
    """A distance sensor (module's user guide, 1.0).

    Its world ``distance`` is metres as a function of the time in µs. Checked against gpiozero's
    `DistanceSensor`.

    Decided here, because the guide leaves it open:

    - the echo begins 460 µs after the end of the trigger;
    - without anything in reach it lasts 38 ms;
    - a trigger during a measurement is refused and has no effect;
    - a new measurement less than 60 ms after the last one is torn: the guide asks for that time.
    """

    name = "HC-SR04"
    outputs = ("echo",)
    inputs = ("trig",)
    worlds = ("distance",)

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__(seed, t_us)
        self.distance: Callable[[int], float] = steady(1.0)
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
