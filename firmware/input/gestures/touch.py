"""Tell a tap, a hold and a grip on the touch pad apart by their times.

A touch of 5 s is a hand that holds the case. It needs no time-out of its own: after the hold,
nothing follows but the release.
"""

from firmware.input.gestures.gesture import Held, Pressed, Released, Tap

TAP_US = 500_000
"""A tap is shorter."""
HOLD_US = 800_000
"""A touch of this length becomes a hold. Between the two lengths it is neither, so that no slow tap
does what a hold does."""

TouchGesture = Pressed | Tap | Held | Released


class TouchWatch:
    """Follows one touch pad, debounced. Times in µs on the handheld's clock."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget a touch that has begun; its end will be ignored."""
        self._down_us: int | None = None
        self._hold_due_us: int | None = None
        self._void = False

    @property
    def next_timer_us(self) -> int | None:
        """Time in µs at which the touch becomes a hold; None if none is on its way there."""
        return self._hold_due_us

    def void(self) -> None:
        """Make the touch under way a grip: neither tap nor hold, whatever its length."""
        self._void = True
        self._hold_due_us = None

    def press(self, t_us: int, in_motion: bool) -> list[TouchGesture]:
        """Handle a finger that comes down: a ``Pressed``, or nothing for a grip (``in_motion``)."""
        if self._down_us is not None:
            return []
        self._down_us = t_us
        self._void = in_motion
        if in_motion:
            return []
        self._hold_due_us = t_us + HOLD_US
        return [Pressed(t_us)]

    def release(self, t_us: int) -> list[TouchGesture]:
        """Handle a finger that leaves: return a due ``Held``, then a ``Tap`` or ``Released``."""
        if self._down_us is None:
            return []
        gestures = self.tick(t_us)
        is_tap = t_us - self._down_us < TAP_US and not self._void
        self.reset()
        gestures.append(Tap(t_us) if is_tap else Released(t_us))
        return gestures

    def tick(self, now_us: int) -> list[TouchGesture]:
        """Return the ``Held`` that is due, if one is."""
        if self._hold_due_us is None or now_us < self._hold_due_us:
            return []
        due_us = self._hold_due_us
        self._hold_due_us = None
        return [Held(due_us)]
