"""A light-emitting diode with its resistor, from a pin to ground (no sheet).

Checked against gpiozero's `LED`, `PWMLED` and RPi.GPIO.
"""

from . import PartModel


class LED(PartModel):
    """The diode: ``is_lit``, how often it was switched on, and for how long it was lit."""

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
