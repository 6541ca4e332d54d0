"""A passive piezo: BCM 13, through 1 kΩ to ground. Optional; its presence cannot be sensed.

Its tones are square waves of the GPIO library's software PWM, which runs in a thread of its own, so
no call waits. Duty sets the loudness, because the fundamental of a square wave goes with sin(π ·
duty). 3 % is 20 dB below 50 %, and 10 % is 10 dB below.

RPi.GPIO 0.7.1 (``soft_pwm.c``) has two traps: a stopped wave has forgotten its frequency, and a
second PWM object of one pin is refused. There is therefore one object, and the frequency is set
before each start.

Numbers without a source are chosen.
"""

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple

from drivers.gpio import GPIOModule, PWMLike, claiming

LOUDEST: Final = 3
"""The loudest volume; 0 is silence."""
DUTY_PERCENT: Final = (0.0, 3.0, 10.0, 50.0)
"""By volume."""
LOWEST_HZ, HIGHEST_HZ = 20, 10_000
"""The range of both libraries; software PWM is no measuring instrument."""


class Tone(NamedTuple):
    """A tone of ``frequency_hz``, 20 to 10 000, for ``duration_us``; 0 Hz is a rest."""

    frequency_hz: int
    duration_us: int


class Piezo:
    """Plays tones one after the other, timed by the loop. The first tone claims the pin."""

    def __init__(self, gpio: GPIOModule, pin: int, loop: asyncio.AbstractEventLoop) -> None:
        self._gpio = gpio
        self._pin = pin
        self._loop = loop
        self._wave: PWMLike | None = None
        self._duty_percent: float | None = None  # None: the wave is stopped
        self._timer: asyncio.TimerHandle | None = None

    def play(self, tones: Sequence[Tone], volume: int = LOUDEST) -> None:
        """Play tones from now on, instead of any that still sound; return at once.

        ``volume``: 0 to LOUDEST (`DUTY_PERCENT`); 0 plays nothing.

        Raises:
            ValueError: a volume or frequency is out of range; nothing changes.
            PinError: the pin is not available.
        """
        if not 0 <= volume <= LOUDEST:
            raise ValueError(f"volume is 0 to {LOUDEST}, not {volume}")
        for tone in tones:
            if tone.frequency_hz and not LOWEST_HZ <= tone.frequency_hz <= HIGHEST_HZ:
                raise ValueError(f"a tone has {LOWEST_HZ} to {HIGHEST_HZ} Hz, not {tone}")
        self._cancel()
        if volume and tones:
            if self._wave is None:
                self._wave = self._claim()
            self._next(tuple(tones), 0, volume, self._loop.time())
        else:
            self._hush()

    def stop(self) -> None:
        """End all tones at once; the pin stays claimed."""
        self._cancel()
        self._hush()

    def close(self) -> None:
        """End all tones and give the pin back."""
        self.stop()
        if self._wave is not None:
            self._wave = None
            self._gpio.cleanup([self._pin])

    def _claim(self) -> PWMLike:
        gpio, pin = self._gpio, self._pin
        with claiming(pin):
            gpio.setmode(gpio.BCM)
            gpio.setup(pin, gpio.OUT, pull_up_down=gpio.PUD_OFF)
            gpio.output(pin, gpio.LOW)
            return gpio.PWM(pin, 1000.0)

    def _next(self, tones: tuple[Tone, ...], place: int, volume: int, at_s: float) -> None:
        """Begin a tone, due at ``at_s``. A late tone does not delay the end of all."""
        self._timer = None
        if place == len(tones):
            self._hush()
            return
        tone = tones[place]
        self._sound(tone.frequency_hz, DUTY_PERCENT[volume])
        end_s = at_s + tone.duration_us / 1e6
        self._timer = self._loop.call_at(end_s, self._next, tones, place + 1, volume, end_s)

    def _sound(self, frequency_hz: int, duty_percent: float) -> None:
        wave = self._wave
        assert wave is not None, "the pin was claimed before"
        if not frequency_hz:
            duty_percent = 0.0
        if self._duty_percent is not None and duty_percent <= self._duty_percent:
            wave.ChangeDutyCycle(duty_percent)  # first, so that it is never louder than asked for
        if frequency_hz:
            wave.ChangeFrequency(float(frequency_hz))
        if self._duty_percent is None:
            wave.start(duty_percent)
        elif duty_percent > self._duty_percent:
            wave.ChangeDutyCycle(duty_percent)
        self._duty_percent = duty_percent

    def _hush(self) -> None:
        if self._wave is not None and self._duty_percent is not None:
            self._wave.stop()
        self._duty_percent = None

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
