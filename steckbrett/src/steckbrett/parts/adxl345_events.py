"""Activity, inactivity, free fall and taps of the ADXL345 (sheet: A, 1.7 of the digest).

All values are counts of 1/256 g, all instants nanoseconds. A threshold step of 62.5 mg is exactly
16 counts.

Decided here, because the sheet leaves it open:

- Activity, inactivity and free fall judge the samples of the output data rate; the real part
  judges activity and free fall at its internal rate and may fire on something shorter. Taps are
  judged on the internal 3200 Hz grid, without noise.
- Thresholds compare with the output *after* the offset registers were added.
- The ac reference of activity is taken anew when its interrupt has been cleared.
- With Link set, inactivity is looked for first.
- Free fall and inactivity fire once and again only after the condition was broken.
"""

from .adxl345_rules import ACTIVITY, DOUBLE_TAP, FREE_FALL, INACTIVITY, SINGLE_TAP

THRESHOLD_COUNTS = 16  # 62.5 mg per step at 256 counts per g
_INACTIVITY_STEP_NS = 1_000_000_000
_FREE_FALL_STEP_NS = 5_000_000
_DURATION_STEP_NS = 625_000
_WINDOW_STEP_NS = 1_250_000

X_AXIS, Y_AXIS, Z_AXIS = 4, 2, 1


def _above(axes: int, threshold: int, x: float, y: float, z: float) -> int:
    """Those of ``axes`` (4 x, 2 y, 1 z) whose magnitude lies above ``threshold``."""
    found = 0
    if axes & X_AXIS and abs(x) > threshold:
        found |= X_AXIS
    if axes & Y_AXIS and abs(y) > threshold:
        found |= Y_AXIS
    if axes & Z_AXIS and abs(z) > threshold:
        found |= Z_AXIS
    return found


class MotionDetectors:
    """Activity, inactivity and free fall, with Link and auto-sleep.

    ``enabled`` are the detectors (bits of INT_ENABLE) that may fire at present, ``asleep`` is bit 3
    of ACT_TAP_STATUS, ``activity_axes`` bits 6–4 of it (as 4 x, 2 y, 1 z).
    """

    def __init__(self) -> None:
        self.enabled = 0
        self.asleep = False
        self.activity_axes = 0
        self._control = 0
        self._activity_threshold = 0
        self._inactivity_threshold = 0
        self._inactivity_ns = 0
        self._fall_threshold = 0
        self._fall_ns = 0
        self._link = False
        self._auto_sleep = False
        self._armed = INACTIVITY
        self._reference: tuple[int, int, int] | None = None
        self._still_reference: tuple[int, int, int] | None = None
        self._still_since_ns: int | None = None
        self._stillness_told = False
        self._fall_since_ns: int | None = None
        self._fall_told = False

    def configure(self, registers: bytearray) -> None:
        """Take over the register file (addresses 0x24–0x2E); detection starts anew."""
        control = registers[0x27]
        enabled = registers[0x2E] & (ACTIVITY | INACTIVITY | FREE_FALL)
        if not control & 0x70:
            enabled &= ~ACTIVITY
        if not control & 0x07:
            enabled &= ~INACTIVITY
        link = bool(registers[0x2D] & 0x20)
        if link != self._link:
            self._armed = INACTIVITY
        self._control = control
        self.enabled = enabled
        self._activity_threshold = registers[0x24] * THRESHOLD_COUNTS
        self._inactivity_threshold = registers[0x25] * THRESHOLD_COUNTS
        self._inactivity_ns = registers[0x26] * _INACTIVITY_STEP_NS
        self._fall_threshold = registers[0x28] * THRESHOLD_COUNTS
        self._fall_ns = registers[0x29] * _FREE_FALL_STEP_NS
        self._link = link
        self._auto_sleep = link and bool(registers[0x2D] & 0x10)
        if not self._auto_sleep:
            self.asleep = False
        self._reference = None
        self._still_reference = None
        self._still_since_ns = None
        self._stillness_told = False
        self._fall_since_ns = None
        self._fall_told = False

    def cleared(self, bits: int) -> None:
        """Let ``bits`` of INT_SOURCE be cleared: the host has read it."""
        if bits & ACTIVITY:
            self._reference = None

    def look(self, t_ns: int, x: int, y: int, z: int, latched: int) -> int:
        """Judge one sample; ``latched`` are the events still uncleared. Returns new event bits."""
        fired = 0
        enabled = self.enabled
        if enabled & FREE_FALL and self._falls(t_ns, x, y, z):
            fired |= FREE_FALL
        if (
            enabled & ACTIVITY
            and not latched & ACTIVITY
            and not (self._link and self._armed != ACTIVITY)
            and self._moves(x, y, z)
        ):
            fired |= ACTIVITY
            self._armed = INACTIVITY
            self._still_since_ns = None
            self._stillness_told = False
            if self._auto_sleep:
                self.asleep = False
        elif (
            enabled & INACTIVITY
            and not (self._link and (self._armed != INACTIVITY or latched & ACTIVITY))
            and self._rests(t_ns, x, y, z)
        ):
            fired |= INACTIVITY
            self._armed = ACTIVITY
            self._reference = None
            if self._auto_sleep:
                self.asleep = True
        return fired

    def earliest_ns(self, wanted: int, next_sample_ns: int, batch_ns: int) -> int | None:
        """Return the earliest instant worth looking at for the events ``wanted``, None for never.

        ``next_sample_ns`` is the next sample's instant. Activity may fire with any sample, so
        samples within ``batch_ns`` are looked at together.
        """
        wanted &= self.enabled
        if not wanted:
            return None
        found = None
        if wanted & ACTIVITY:
            found = next_sample_ns + batch_ns
        if wanted & FREE_FALL:
            since = None if self._fall_told else self._fall_since_ns
            at = (next_sample_ns if since is None else since) + self._fall_ns
            found = at if found is None else min(found, at)
        if wanted & INACTIVITY:
            since = None if self._stillness_told else self._still_since_ns
            at = (next_sample_ns if since is None else since) + self._inactivity_ns
            found = at if found is None else min(found, at)
        return found if found is None else max(found, next_sample_ns)

    def _falls(self, t_ns: int, x: int, y: int, z: int) -> bool:
        threshold = self._fall_threshold
        if not (
            -threshold < z < threshold and -threshold < x < threshold and -threshold < y < threshold
        ):
            self._fall_since_ns = None
            self._fall_told = False
            return False
        if self._fall_since_ns is None:
            self._fall_since_ns = t_ns
        if self._fall_told or t_ns - self._fall_since_ns < self._fall_ns:
            return False
        self._fall_told = True
        return True

    def _moves(self, x: int, y: int, z: int) -> bool:
        if self._control & 0x80:
            reference = self._reference
            if reference is None:
                self._reference = (x, y, z)
                return False
            x -= reference[0]
            y -= reference[1]
            z -= reference[2]
        axes = _above(self._control >> 4 & 7, self._activity_threshold, x, y, z)
        if axes:
            self.activity_axes = axes
        return bool(axes)

    def _rests(self, t_ns: int, x: int, y: int, z: int) -> bool:
        dx, dy, dz = x, y, z
        if self._control & 0x08:
            reference = self._still_reference
            if reference is None:
                reference = self._still_reference = (x, y, z)
            dx, dy, dz = x - reference[0], y - reference[1], z - reference[2]
        # "below" excludes equality, "above" does too: equality breaks the rest.
        if _above(self._control & 7, self._inactivity_threshold - 1, dx, dy, dz):
            self._still_reference = (x, y, z)
            self._still_since_ns = None
            self._stillness_told = False
            return False
        if self._still_since_ns is None:
            self._still_since_ns = t_ns
        if self._stillness_told or t_ns - self._still_since_ns < self._inactivity_ns:
            return False
        self._stillness_told = True
        return True


class TapDetector:
    """Single and double taps, judged at the internal rate (sheet: A, 1.7 of the digest).

    ``axes`` are those of the last tap (4 x, 2 y, 1 z).
    """

    def __init__(self) -> None:
        self.enabled = 0
        self.axes = 0
        self._watched = 0
        self._suppress = False
        self._threshold = 0
        self._duration_ns = 0
        self._latency_ns = 0
        self._window_ns = 0
        self._since_ns: int | None = None
        self._since_axes = 0
        self._first_end_ns: int | None = None
        self._window_checked = False

    def configure(self, registers: bytearray) -> None:
        """Take over the register file (addresses 0x1D–0x2E); detection starts anew."""
        enabled = registers[0x2E] & (SINGLE_TAP | DOUBLE_TAP)
        watched = registers[0x2A] & 7
        self._duration_ns = registers[0x21] * _DURATION_STEP_NS
        self._latency_ns = registers[0x22] * _WINDOW_STEP_NS
        self._window_ns = registers[0x23] * _WINDOW_STEP_NS
        if not watched or not self._duration_ns:
            enabled = 0
        if not self._latency_ns or not self._window_ns:
            enabled &= ~DOUBLE_TAP
        self.enabled = enabled
        self._watched = watched
        self._suppress = bool(registers[0x2A] & 8)
        self._threshold = registers[0x1D] * THRESHOLD_COUNTS
        self._since_ns = None
        self._first_end_ns = None

    def look(self, t_ns: int, x: float, y: float, z: float) -> int:
        """Judge one instant of the internal grid. Returns new event bits."""
        fired = 0
        axes = _above(self._watched, self._threshold, x, y, z)
        first_end = self._first_end_ns
        if first_end is not None:
            window_opens = first_end + self._latency_ns
            if t_ns < window_opens:
                if axes and self._suppress:
                    fired |= self._single_only()
            elif not self._window_checked:
                self._window_checked = True
                if axes or self._since_ns is not None:
                    fired |= self._single_only()
            elif self._since_ns is None and t_ns > window_opens + self._window_ns:
                fired |= self._single_only()
        if axes:
            if self._since_ns is None:
                self._since_ns = t_ns
                self._since_axes = axes
            return fired
        if self._since_ns is None:
            return fired
        short = t_ns - self._since_ns < self._duration_ns
        self._since_ns = None
        if self._first_end_ns is not None and self._window_checked:
            return fired | (self._both() if short else self._single_only())
        if self._first_end_ns is not None or not short:
            return fired  # a spike while the latency runs, or too long for a tap
        self.axes = self._since_axes
        if self.enabled & DOUBLE_TAP:
            self._first_end_ns = t_ns
            self._window_checked = False
            return fired
        return fired | (self.enabled & SINGLE_TAP)

    def _single_only(self) -> int:
        self._first_end_ns = None
        return self.enabled & SINGLE_TAP

    def _both(self) -> int:
        self._first_end_ns = None
        return self.enabled & (SINGLE_TAP | DOUBLE_TAP)
