"""A strict model of a character display: an HD44780 behind a PCF8574.

Sheets: ADE-207-272 and SCPS068.
Checked against RPLCD 1.4.0. The wires are those of the common modules: P0 RS, P1 RW, P2 E, P3 the
light, P4 to P7 the data.

Decided here, because the sheets leave it open:

- an instruction while the last one is at work is refused, and lost;
- a display that is plugged in is busy for 40 ms; one that is there from the start had power while
  the Pi booted;
- the waits of an initialization by instruction are for a display whose own reset failed; shorter
  ones work after its reset and are unlisted;
- instruction 0x00 does nothing and is unlisted: RPLCD begins with four of them;
- a character of the ROM is shown as the letter of ASCII that it has there, else as `UNKNOWN`.
"""

from . import Offence, PartModel

_RS, _RW, _E, _LIGHT = 0x01, 0x02, 0x04, 0x08
_USUAL_US, _LONG_US, _POWER_UP_US = 37, 1_520, 40_000
_FIRST_INIT_US, _SECOND_INIT_US = 4_100, 100
_LINE_2 = 0x40
_CGRAM = "⓪①②③④⑤⑥⑦"
UNKNOWN = "▯"
"""Stands for a character that this model has no letter for."""


class LCD1602(PartModel):
    """The display: two lines of 16. ``lines`` is what a person reads, ``is_lit`` its light."""

    name = "LCD1602"
    address = 0x27
    other_address = 0x3F
    addresses = (*range(0x20, 0x28), *range(0x38, 0x40))  # of a PCF8574 and a PCF8574A
    columns, rows = 16, 2

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__(seed, t_us)
        self.power_up(t_us)
        self._busy_until_us = t_us

    def power_up(self, t_us: int) -> None:
        """Apply power: 8 bits, display off, memory of spaces; all pins of the PCF8574 high."""
        self._port = 0xFF
        self._ddram = bytearray(b" " * 0x80)
        self._cgram = bytearray(64)
        self._in_cgram = False
        self.at = 0
        self._right, self._shifts = True, False
        self.shift = 0
        self.is_on = self.has_cursor = self.blinks = False
        self._four_bits = False
        self._two_lines = False
        self._high: int | None = None
        self._read_low = False
        self._busy_until_us = t_us + _POWER_UP_US
        self._inits = 0
        self._init_until_us = t_us

    # ---- world face --------------------------------------------------------------------------

    @property
    def is_lit(self) -> bool:
        """Whether the light behind the glass is on."""
        return bool(self._port & _LIGHT)

    @property
    def lines(self) -> tuple[str, ...]:
        """The text on the glass, line by line from the top."""
        if not self.is_on:
            return (" " * self.columns,) * self.rows
        return tuple(self._line(row) for row in range(self.rows))

    @property
    def pictures(self) -> tuple[bytes, ...]:
        """The eight characters of the host's own: eight rows of five bits each."""
        return tuple(bytes(self._cgram[at : at + 8]) for at in range(0, 64, 8))

    def _line(self, row: int) -> str:
        start = (row % 2) * _LINE_2
        length = 40 if self._two_lines else 80
        skip = row // 2 * self.columns + self.shift
        places = (start + (skip + column) % length for column in range(self.columns))
        return "".join(_letter(self._ddram[place]) for place in places)

    # ---- bus face ----------------------------------------------------------------------------

    def write(self, data: bytes, t_us: int) -> None:
        """Put each byte on the pins in turn; what E's falling edge finds is the display's."""
        self.accesses += 1
        for index, byte in enumerate(data):
            at_us = round(t_us - (len(data) - 1 - index) * self.byte_us)
            before, self._port = self._port, byte
            if before & _E and not byte & _E:
                self._clock(before, at_us)

    def read(self, count: int, t_us: int) -> bytes:
        """Return the pins; with RW and E high the display answers on the data pins."""
        self.accesses += 1
        found = self._port
        if self._port & _RW and self._port & _E:
            value = self._answer(t_us)
            found = self._port & 0x0F | (value << 4 & 0xF0 if self._read_low else value & 0xF0)
        return bytes((found,)) * count

    def stop(self) -> None:
        """Take a STOP; the pins stay."""

    # ---- the display -------------------------------------------------------------------------

    def _clock(self, pins: int, t_us: int) -> None:
        if pins & _RW:
            self._read_low = not self._read_low and self._four_bits
            return
        if not self._four_bits:
            self._take(pins & 0xF0, bool(pins & _RS), t_us)
        elif self._high is None:
            self._high = pins & 0xF0
        else:
            value, self._high = self._high | pins >> 4, None
            self._take(value, bool(pins & _RS), t_us)

    def _answer(self, t_us: int) -> int:
        if self._port & _RS:
            return self._ddram[self.at]
        return 0x80 * (t_us < self._busy_until_us) | self.at

    def _take(self, value: int, is_data: bool, t_us: int) -> None:
        if t_us < self._busy_until_us:
            late_us = self._busy_until_us - t_us
            self.refuse(t_us, f"sent while the display was at work for {late_us} µs more")
            return
        if t_us < self._init_until_us:
            self.refuse(t_us, "a wait of the initialization is too short", Offence.UNLISTED)
        self._busy_until_us = t_us + _USUAL_US
        if is_data:
            self._store(value)
        else:
            self._do(value, t_us)

    def _store(self, value: int) -> None:
        if self._in_cgram:
            self._cgram[self.at & 0x3F] = value
            self.at = (self.at + 1) & 0x3F
            return
        self._ddram[self.at] = value
        self._move(1 if self._right else -1)
        if self._shifts:
            self.shift += 1 if self._right else -1

    def _move(self, step: int) -> None:
        """Move the cursor; a line ends after 40 characters, with one line after 80."""
        if not self._two_lines:
            self.at = (self.at + step) % 80
            return
        place = (self.at % _LINE_2 + 40 * (self.at // _LINE_2) + step) % 80
        self.at = place if place < 40 else place - 40 + _LINE_2

    def _do(self, value: int, t_us: int) -> None:
        if value & 0x80:
            self._in_cgram, self.at = False, value & 0x7F
        elif value & 0x40:
            self._in_cgram, self.at = True, value & 0x3F
        elif value & 0x20:
            self._set_function(value, t_us)
        elif value & 0x10:
            step = 1 if value & 0x04 else -1
            if value & 0x08:
                self.shift -= step
            else:
                self._move(step)
        elif value & 0x08:
            self.is_on, self.has_cursor = bool(value & 4), bool(value & 2)
            self.blinks = bool(value & 1)
        elif value & 0x04:
            self._right, self._shifts = bool(value & 2), bool(value & 1)
        elif value:
            if value == 0x01:
                self._ddram[:] = b" " * 0x80
                self._right = True
            self._in_cgram, self.at, self.shift = False, 0, 0
            self._busy_until_us = t_us + _LONG_US
        else:
            self.refuse(t_us, "instruction 0x00: there is none", Offence.UNLISTED)

    def _set_function(self, value: int, t_us: int) -> None:
        if value & 0x10 and not self._four_bits:
            # The three 8-bit function sets of an initialization by instruction (figure 24).
            waits = (_FIRST_INIT_US, _SECOND_INIT_US, _USUAL_US)
            self._init_until_us = t_us + waits[min(self._inits, 2)]
            self._inits += 1
        self._four_bits = not value & 0x10
        self._two_lines = bool(value & 0x08)
        self._high = None


class LCD2004(LCD1602):
    """The same with four lines of 20."""

    name = "LCD2004"
    columns, rows = 20, 4


def _letter(code: int) -> str:
    if code < 0x10:
        return _CGRAM[code & 7]
    if 0x20 <= code < 0x7E and code != 0x5C:
        return chr(code)
    return {0x5C: "¥", 0x7E: "→", 0x7F: "←", 0xDF: "°", 0xFF: "█"}.get(code, UNKNOWN)
