"""A strict model of the ADXL345 on I2C: registers on one face, the physical world on the other.

Checked against adafruit-circuitpython-adxl34x 1.12.20.

Register numbers, bits and rules are transcribed from the Rev. G data sheet (digest 1.1–1.8).
The world face is ``acceleration``; the model asks it at the true sample instants, and only when
somebody looks: ``advance`` takes all samples due, ``next_event_us`` tells when INT1 can change
by itself.

Decided here, because the sheet leaves it open:

- reading an empty FIFO is refused and gives the last sample again;
- the pointer past 0x39 and the reserved 0x01–0x1C are refused and read as 0;
- reserved bits written as one are refused and stay 0;
- a new rate or a new Measure bit starts the sample clock anew;
- a scan's read, with no register chosen since power-up, is unlisted and begins at 0;
- losing the oldest sample of a stream FIFO is refused once for each time the FIFO ran full.
"""

from collections import deque

from . import Offence, PartModel, steady
from . import adxl345_rules as rules
from .adxl345_rules import MotionDetectors, TapDetector
from .adxl345_signal import STANDARD_GRAVITY_MPS2, Acceleration, SignalChain

FIFO_LEVELS = 32
_CAPACITY = FIFO_LEVELS + 1  # the levels and the output filter (1.6)
_TURN_ON_NS = 1_100_000  # the first sample comes one period and 1.1 ms after Measure (1.4)
_BATCH_NS = 20_000_000  # an event found by looking at samples is told at most this late
_PACE_BITS = rules.MEASURE | rules.SLEEP | 0x03  # of POWER_CTL; the lowest two are the Wakeup rate
_NEVER = 1 << 62


class ADXL345(PartModel):
    """The accelerometer. ``seed`` decides clock, offset and noise; power comes at ``t_us``.

    ``acceleration(t_us)`` is the world: (x, y, z) in m/s², gravity included, so that a board
    lying flat at rest gives (0, 0, +9.8). ``identity`` is what DEVID answers (0xE5). One class,
    because its registers, FIFO and interrupts act on each other, as in the part.
    """

    name = "ADXL345"
    address = 0x53
    other_address = 0x1D
    worlds = ("acceleration",)
    outputs = ("int1", "int2")
    registers = rules.REGISTERS

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__()
        self.acceleration: Acceleration = steady((0.0, 0.0, STANDARD_GRAVITY_MPS2))
        self.identity = 0xE5
        self.signal = SignalChain(seed)
        self.samples_taken = 0
        self.power_up(t_us)

    def power_up(self, t_us: int) -> None:
        """Apply power: all registers at their reset values, standby, FIFO empty (1.2, 1.4)."""
        self._registers = bytearray(rules.LAST + 1)
        for register, value in rules.RESET.items():
            self._registers[register] = value
        self._pointer: int | None = None
        self._next_ns = _NEVER
        self._data = bytes(6)
        self._fifo: deque[bytes] = deque(maxlen=_CAPACITY)
        self._latched = 0
        self._unread = False
        self._overrun = False
        self._sampled = False
        self._loss_told = False
        self._triggered = False
        self._motion = MotionDetectors()
        self._taps = TapDetector()
        self._configure(t_us)

    # ---- bus face ----------------------------------------------------------------------------

    def write(self, data: bytes, t_us: int) -> None:
        """Apply a write: register number, then values for it and its successors."""
        self.accesses += 1
        length = len(data)
        if length == 0:
            return
        pointer = data[0]
        if length > 1:
            self.advance(t_us)
            for value in data[1:]:
                self._write_register(pointer, value, t_us)
                pointer += 1
        self._pointer = pointer

    def read(self, count: int, t_us: int) -> bytes:
        """Return ``count`` bytes from the pointer on, which moves along (1.1)."""
        self.accesses += 1
        if t_us * 1000 >= self._next_ns:
            self.advance(t_us)
        if count == 6 and self._pointer == rules.DATA:
            self._pointer = rules.DATA_END + 1
            return self._take_level(t_us)
        if count == 1 and self._pointer == rules.FIFO_STATUS:
            self._pointer = rules.FIFO_STATUS + 1
            return bytes((self._triggered << 7 | len(self._fifo),))
        return self._read_any(count, t_us)

    def stop(self) -> None:
        """End the transfer; the pointer stays (1.1)."""

    # ---- world face --------------------------------------------------------------------------

    def output(self, pin: str) -> int:
        """Return the level of INT1 or INT2: 1 high, 0 low (INT_INVERT included)."""
        mask = self._int1_mask if pin == "int1" else self._int2_mask
        return int(self._asserted(mask)) ^ self._inverted

    def next_event_us(self) -> int | None:
        """Return when INT1 or INT2 may next change by itself; None if none can without the host.

        For the watermark, data-ready and overrun the instant is exact. For detected events it is
        the next instant worth looking at, so that the edge is found at most 20 ms late.
        """
        mask = sum(one for one in (self._int1_mask, self._int2_mask) if not self._asserted(one))
        if not mask or self._next_ns == _NEVER:
            return None
        at = _NEVER
        if not self._asleep:
            if mask & rules.DATA_READY:
                at = self._next_ns
            if mask & rules.WATERMARK and self._mode != rules.BYPASS:
                at = min(at, self._filled_ns(self._watermark))
            if mask & rules.OVERRUN and self._mode == rules.BYPASS:
                at = min(at, self._next_ns + (0 if self._unread else self._period_ns))
            elif mask & rules.OVERRUN:
                at = min(at, self._filled_ns(FIFO_LEVELS))
        batch_ns = max(0, _BATCH_NS // self._period_ns - 1) * self._period_ns
        found = self._motion.earliest_ns(mask, self._next_ns, batch_ns)
        if found is not None:
            at = min(at, found)
        if mask & self._taps.enabled:
            at = min(at, self._next_ns + batch_ns)
        return None if at == _NEVER else -(-at // 1000)

    def advance(self, t_us: int) -> None:
        """Take all samples that are due up to and including ``t_us``."""
        limit_ns = t_us * 1000
        next_ns = self._next_ns
        if next_ns > limit_ns:
            return
        if (
            self._motion.enabled
            or self._taps.enabled
            or self._mode == rules.TRIGGER
            or self._asleep
        ):
            while self._next_ns <= limit_ns:
                self._take_watched()
            return
        world = self.acceleration
        measure, formatted = self.signal.measure, self.signal.formatted
        keep = self._keep
        period_ns = self._period_ns
        taken = 0
        while next_ns <= limit_ns:
            keep(formatted(*measure(world(next_ns // 1000))), next_ns)
            next_ns += period_ns
            taken += 1
        self._next_ns = next_ns
        self.samples_taken += taken

    # ---- sampling ----------------------------------------------------------------------------

    def _take_watched(self) -> None:
        """Take one sample with the detectors, the trigger or sleep in play."""
        now_ns = self._next_ns
        x, y, z = self.signal.measure(self.acceleration(now_ns // 1000))
        armed = self._mode == rules.TRIGGER and not self._triggered
        before = armed and self._asserted(self._trigger_mask)
        fired = 0
        if self._motion.enabled:
            fired = self._motion.look(now_ns, x, y, z, self._latched)
        if self._taps.enabled and not self._asleep:
            fired |= self._tapped(now_ns)
        self.samples_taken += 1
        self._keep(self.signal.formatted(x, y, z), now_ns)
        if fired:
            self._latched |= fired
            self._publish_status()
            self._set_pace()
        self._next_ns = now_ns + self._period_ns
        if armed and not before and self._asserted(self._trigger_mask):
            self._triggered = True
            while len(self._fifo) > self._watermark:
                self._fifo.popleft()

    def _tapped(self, now_ns: int) -> int:
        """Walk the internal grid from the last sample to this one; return the events found."""
        step_ns = self.signal.internal_ns
        fired = 0
        for at_ns in range(now_ns - self._period_ns + step_ns, now_ns + 1, step_ns):
            x, y, z = self.signal.undecimated(self.acceleration(at_ns // 1000))
            fired |= self._taps.look(at_ns, x, y, z)
        return fired

    def _keep(self, sample: bytes, t_ns: int) -> None:
        """Put a new sample where the FIFO mode wants it (1.6)."""
        self._sampled = True
        fifo = self._fifo
        mode = self._mode
        if self._asleep:
            self._data = sample
        elif mode == rules.STREAM:
            entries = len(fifo)
            if entries >= FIFO_LEVELS - 1:
                self._overrun = True
                if entries == _CAPACITY and not self._loss_told:
                    self._loss_told = True
                    self.tear(t_ns // 1000, "FIFO overrun: unread samples are being lost")
            fifo.append(sample)
        elif mode == rules.BYPASS:
            self._data = sample
            self._overrun = self._overrun or self._unread
            self._unread = True
        elif mode == rules.TRIGGER and not self._triggered:
            if len(fifo) == FIFO_LEVELS:
                fifo.popleft()
            fifo.append(sample)
        elif len(fifo) < _CAPACITY:
            fifo.append(sample)
            self._overrun = self._overrun or len(fifo) >= FIFO_LEVELS

    def _take_level(self, t_us: int) -> bytes:
        """Move the oldest FIFO level into the data registers and give them (1.6)."""
        if self._fifo:
            self._data = self._fifo.popleft()
            if len(self._fifo) < FIFO_LEVELS:
                self._loss_told = False
        elif not self._sampled:
            self.tear(t_us, "data read before the first sample was taken")
        elif self._mode != rules.BYPASS and not self._asleep:
            self.tear(t_us, "data read from an empty FIFO")
        self._unread = False
        self._overrun = False
        return self._data

    def _filled_ns(self, entries: int) -> int:
        """Return the instant of the sample that will be number ``entries`` in the FIFO."""
        return self._next_ns + max(0, entries - len(self._fifo) - 1) * self._period_ns

    # ---- interrupts --------------------------------------------------------------------------

    def _sources(self) -> int:
        """INT_SOURCE as it stands (1.5)."""
        source = self._latched
        entries = len(self._fifo)
        if entries or self._unread:
            source |= rules.DATA_READY
        if entries >= self._watermark:
            source |= rules.WATERMARK
        if self._overrun:
            source |= rules.OVERRUN
        return source

    def _asserted(self, mask: int) -> bool:
        return bool(mask and self._sources() & mask)

    def _publish_status(self) -> None:
        self._registers[rules.ACT_TAP_STATUS] = (
            self._motion.activity_axes << 4 | self._motion.asleep << 3 | self._taps.axes
        )

    # ---- registers ---------------------------------------------------------------------------

    def _read_any(self, count: int, t_us: int) -> bytes:
        pointer = self._pointer
        if pointer is None:
            self.refuse(t_us, "read with no register chosen since power-up", Offence.UNLISTED)
            pointer = rules.DEVID
        end = pointer + count
        first_data = max(pointer, rules.DATA)
        if first_data <= min(end - 1, rules.DATA_END):
            whole = pointer <= rules.DATA and end > rules.DATA_END
            # One whole axis of the bypass register is what adafruit_adxl34x reads as raw_x.
            axis = (
                count == 2
                and pointer % 2 == 0
                and pointer >= rules.DATA
                and self._mode == rules.BYPASS
            )
            if not whole and not axis:
                self.tear(t_us, f"{count} bytes of data from 0x{pointer:02X}, and not all")
        found = bytearray()
        for register in range(pointer, end):
            if register == first_data and register <= rules.DATA_END:
                self._registers[rules.DATA : rules.DATA_END + 1] = self._take_level(t_us)
            found.append(self._read_register(register, t_us))
        self._pointer = end
        return bytes(found)

    def _read_register(self, register: int, t_us: int) -> int:
        if register == rules.DEVID:
            return self.identity
        if register < rules.FIRST_OPEN:
            self.refuse(t_us, f"read of reserved register 0x{register:02X}")
            return 0
        if register > rules.LAST:
            self.refuse(t_us, f"read past the last register, at 0x{register:02X}")
            return 0
        if register == rules.INT_SOURCE:
            source = self._sources()
            self._motion.cleared(self._latched)
            self._latched = 0
            return source
        if register == rules.FIFO_STATUS:
            return self._triggered << 7 | len(self._fifo)
        return self._registers[register]

    def _write_register(self, register: int, value: int, t_us: int) -> None:
        if register not in rules.WRITABLE:
            open_to_read = register == rules.DEVID or rules.FIRST_OPEN <= register <= rules.LAST
            kind = "read-only" if open_to_read else "reserved"
            self.refuse(t_us, f"write to {kind} register 0x{register:02X}")
            return
        registers = self._registers
        reserved = rules.BY_NUMBER[register].reserved
        if value & reserved:
            self.refuse(
                t_us, f"reserved bits set: 0x{value:02X} written to register 0x{register:02X}"
            )
            value &= ~reserved
        if lacking := rules.BY_NUMBER[register].lacks(value):
            self.refuse(t_us, f"{lacking} is not modelled", Offence.UNMODELLED)
        for forbidden in rules.refusals(register, value):
            self.refuse(t_us, forbidden)
        for warning in rules.warnings(registers, register, value):
            self.tear(t_us, warning)
        before, registers[register] = registers[register], value
        restart = (register == rules.BW_RATE and before != value) or (
            register == rules.POWER_CTL and bool((before ^ value) & _PACE_BITS)
        )
        if register == rules.FIFO_CTL:
            self._select_fifo(before, value)
        elif register != rules.INT_MAP:
            if register == rules.INT_ENABLE:
                self._latched &= value
            self._motion.configure(registers)
            self._taps.configure(registers)
            self._publish_status()
        self._configure(
            t_us, restart=restart, woken=register == rules.POWER_CTL and not before & rules.MEASURE
        )

    def _select_fifo(self, before: int, value: int) -> None:
        if before >> 6 != value >> 6:
            self._triggered = False
            self._unread = False
            self._overrun = False
        if value >> 6 == rules.BYPASS:
            self._fifo.clear()
            self._loss_told = False

    def _configure(self, t_us: int, *, restart: bool = False, woken: bool = False) -> None:
        """Derive what sampling and the pins need from the registers."""
        registers = self._registers
        enabled, mapped = registers[rules.INT_ENABLE], registers[rules.INT_MAP]
        self._int1_mask = enabled & ~mapped
        self._int2_mask = enabled & mapped
        self._mode = registers[rules.FIFO_CTL] >> 6
        self._watermark = registers[rules.FIFO_CTL] & 0x1F
        self._trigger_mask = (
            self._int2_mask if registers[rules.FIFO_CTL] & 0x20 else self._int1_mask
        )
        self._inverted = registers[rules.DATA_FORMAT] >> 5 & 1
        self.signal.configure(registers)
        self._set_pace()
        if not registers[rules.POWER_CTL] & rules.MEASURE:
            self._next_ns = _NEVER
        elif restart or self._next_ns == _NEVER:
            self._next_ns = t_us * 1000 + self._period_ns + (_TURN_ON_NS if woken else 0)

    def _set_pace(self) -> None:
        """Sample at the output rate, or at the Wakeup rate while asleep (1.4)."""
        self._asleep = bool(self._registers[rules.POWER_CTL] & rules.SLEEP) or self._motion.asleep
        self._period_ns = self.signal.period_ns(self._registers, self._asleep)
