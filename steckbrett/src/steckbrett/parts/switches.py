"""Parts for a finger: a button and a rotary encoder (no sheet: contacts that bounce).

Checked against gpiozero's `Button` and `RotaryEncoder`.

Decided here: a contact bounces for a seeded time of at most 2 ms, with up to four edges, each time
that it closes or opens. A step of the encoder is one whole period of its contacts; a hand turns 20
steps a second. Contacts A and B have pull-ups on their module, the button has none.
"""

from collections.abc import Callable
from random import Random
from typing import ClassVar

from . import PartModel

_MOST_BOUNCES, _LONGEST_BOUNCE_US = 4, 2_000
_SLOWEST, _FASTEST = 0.1, 200.0


def _by_hand(_t_us: int) -> float:
    return 20.0


class _Contacts(PartModel):
    """Contacts to ground, by the name of their pin: closed or open, with changes to come."""

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

    Its world ``speed`` is in steps a second, 0.1 to 200, as a function of the time in µs.
    """

    name = "RotaryEncoder"
    outputs = ("a", "b", "button")
    pulls: ClassVar = {"a": 1, "b": 1}
    worlds = ("speed",)

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__(seed, t_us)
        self.speed: Callable[[int], float] = _by_hand

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
