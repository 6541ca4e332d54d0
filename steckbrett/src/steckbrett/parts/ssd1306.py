"""A strict model of the SSD1306 on I2C, with 64 or 32 rows (sheet: S, digest 2.1–2.8).

Checked against adafruit-circuitpython-ssd1306 2.12.24 and luma.oled 3.16.0.

Decided here, because the sheet leaves it open:

- 20 leaves the pointers alone; data written with a pointer outside its window is torn and begins
  at the window's start;
- 21 and 22 in page mode, an end before its start, and unknown commands are refused without effect;
- data in page mode after a window other than the full width was set is torn;
- AD with IREF bits only is the SSD1315's, and changes nothing: adafruit_ssd1306 sends it;
- an I2C read of one byte answers the status that chips give there (bit 6: display off), more is
  unlisted;
- moving pictures of the scroll commands are not modelled, but their rules are kept;
- the lit panel needs the charge pump on at the moment of AF, else it stays dark.

`glass` leads from a display's RAM to the glass of a 128×64 or 128×32 module (digest 2.4). It is
mounted so that segment remap A1 and COM direction C8 show an upright picture, as on
the common modules with the pins along the upper edge. A glass of 64 rows is wired for COM pins
setting 12 (alternative, no swap): glass row g, counted against the reading direction, hangs on pin
g // 2 of the first half when g is even, of the second half when it is odd. Which rows a wrong
setting mixes up follows from that wiring; the sheet only says that they do not fit.
"""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from . import Offence, PartModel

ROWS = 64
COLUMNS = 128

_BIT_OF_BYTE = tuple(bytes(value >> bit & 1 for value in range(256)) for bit in range(8))
_DARK_ROW = bytes(COLUMNS)
_LIT_ROW = b"\x01" * COLUMNS
_INVERSE = bytes((1, 0)) + bytes(254)


class Scan(NamedTuple):
    """How rows are driven: the values of A8 + 1, D3, 40–7F, C8 and DA."""

    multiplex: int
    offset: int
    start_line: int
    reverse: bool
    com_pins: int


def ram_lines(scan: Scan, glass_rows: int = ROWS) -> tuple[int | None, ...]:
    """Return the RAM line each row of the glass shows, from the top; None where it is dark."""
    alternative = bool(scan.com_pins & 0x10)
    swapped = bool(scan.com_pins & 0x20)
    lines: list[int | None] = []
    for y in range(glass_rows):
        pin = glass_rows - 1 - y
        if glass_rows == ROWS:
            pin = pin // 2 + ROWS // 2 * (pin % 2)
        if swapped:
            pin = (pin + ROWS // 2) % ROWS
        com = 2 * (pin % (ROWS // 2)) + pin // (ROWS // 2) if alternative else pin
        if scan.reverse:
            row = (scan.multiplex - 1 - com + scan.offset) % ROWS
        else:
            row = (com + scan.offset) % ROWS
        lines.append((row + scan.start_line) % ROWS if row < scan.multiplex else None)
    return tuple(lines)


def glass(
    ram: bytes | bytearray, scan: Scan, *, all_on: bool, inverse: bool, glass_rows: int = ROWS
) -> tuple[bytes, ...]:
    """Return rows of 128 bytes, 1 lit and 0 dark, from the top left as a person reads them.

    ``glass_rows``: 64, or 32 for a 0.91″ glass, whose rows are wired one after the other.
    """
    rows = []
    for line in ram_lines(scan, glass_rows):
        if line is None:
            rows.append(_DARK_ROW)
        elif all_on:
            rows.append(_LIT_ROW)
        else:
            start = line // 8 * COLUMNS
            row = bytes(ram[start : start + COLUMNS]).translate(_BIT_OF_BYTE[line % 8])
            rows.append(row.translate(_INVERSE) if inverse else row)
    return tuple(rows)


PAGES = ROWS // 8
RAM_BYTES = PAGES * COLUMNS
HORIZONTAL, VERTICAL, PAGE = range(3)
SEGMENTS_LIVE_US = 100_000  # tAF, digest 2.5

_PARAMETERS = {
    0x20: 1, 0x21: 2, 0x22: 2, 0x23: 1, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0x81: 1, 0x8D: 1,
    0xA3: 2, 0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD6: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
}  # fmt: skip
_SCROLL_SET_UP = (0x26, 0x27, 0x29, 0x2A, 0xA3)
_SMALLEST_MULTIPLEX = 15  # A8, ratio − 1
_PUMP_ON, _PUMP_OFF = 0x14, 0x10
_COM_PINS = (0x02, 0x12, 0x22, 0x32)
_VCOMH_LEVELS = (0x00, 0x20, 0x30)
_SSD1315_IREF_BITS = 0x30


class SSD1306(PartModel):
    """The display. ``seed`` decides what the RAM holds after power-up.

    ``on_write`` are called with the time in µs after each completed data transfer and whenever
    power is applied anew, ``on_switch`` after each AE and AF. ``is_on``: whether AF came last,
    ``contrast`` 0–255. ``received_bytes`` counts commands, data and control bytes. One class,
    because each command acts on one state of addresses, scan and power, as in the part.
    """

    name = "SSD1306"
    address = 0x3C
    other_address = 0x3D
    rows, columns = ROWS, COLUMNS
    com_pins = 0x12

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__()
        self._chance = Random(f"ssd1306 {seed}")
        self._batch = Random(f"ssd1306 batch {seed}").randrange(16)
        self.on_write: list[Callable[[int], None]] = []
        self.on_switch: list[Callable[[int], None]] = []
        self.received_bytes = 0
        self.power_up(t_us)

    def power_up(self, t_us: int) -> None:
        """Apply power: registers at their reset values, the RAM at random (2.2, 2.5)."""
        self._ram = bytearray(self._chance.randbytes(RAM_BYTES))
        self.is_on = False
        self._lit_since_us: int | None = None
        self.contrast = 0x7F
        self._mode = PAGE
        self._column, self._column_start, self._column_end = 0, 0, COLUMNS - 1
        self._page, self._page_start, self._page_end = 0, 0, PAGES - 1
        self._remapped = False
        self._all_on = False
        self._inverse = False
        self._pump = False
        self._start_line = 0
        self._multiplex = ROWS
        self._offset = 0
        self._reverse = False
        self._com_pins = 0x12
        self._scrolling = False
        self._scroll_ready = False
        self._opcode = 0
        self._missing = 0
        self._given: list[int] = []
        for watcher in self.on_write:
            watcher(t_us)

    # ---- world face --------------------------------------------------------------------------

    @property
    def memory(self) -> bytes:
        """The GDDRAM: 1024 bytes, page after page, bit 0 the top row of a page.

        Byte ``128 * page + x`` is column ``x`` of the glass from the left of the module as it is
        mounted, whatever the segment remap was when it was written. Rows are RAM lines: they are
        the rows of the glass while start line and offset are 0 and the COM direction is C8.
        """
        return bytes(self._ram)

    @property
    def is_lit(self) -> bool:
        """Whether the panel has its high voltage: on, with the charge pump on at that moment."""
        return self._lit_since_us is not None

    def pixels(self, t_us: int | None = None) -> tuple[bytes, ...]:
        """Return what a person sees: each row as 128 bytes, from the top left, 1 lit, 0 dark.

        With ``t_us`` the panel also stays dark for the 100 ms its segments need after AF.
        """
        since = self._lit_since_us
        if not self.is_on or since is None:
            return (bytes(COLUMNS),) * self.rows
        if t_us is not None and t_us < since + SEGMENTS_LIVE_US:
            return (bytes(COLUMNS),) * self.rows
        scan = Scan(self._multiplex, self._offset, self._start_line, self._reverse, self._com_pins)
        return glass(
            self._ram, scan, all_on=self._all_on, inverse=self._inverse, glass_rows=self.rows
        )

    # ---- bus face ----------------------------------------------------------------------------

    def write(self, data: bytes, t_us: int) -> None:
        """Apply a write: control bytes, commands and GDDRAM data (2.1); ended at ``t_us``."""
        length = len(data)
        self.received_bytes += length
        if length == 0:
            return
        at = 0
        while at < length:
            control = data[at]
            at += 1
            if control == 0x40:
                self._take_data(data[at:], t_us)
                return
            if control == 0x00:
                for command in data[at:]:
                    self._take_command(command, t_us)
                return
            if control not in (0x80, 0xC0):
                self.refuse(t_us, f"control byte 0x{control:02X}; rest of the transfer ignored")
                return
            if at == length:
                self.refuse(t_us, f"control byte 0x{control:02X} with nothing behind it")
                return
            if control == 0x80:
                self._take_command(data[at], t_us)
            else:
                self._take_data(data[at : at + 1], t_us)
            at += 1

    def read(self, count: int, t_us: int) -> bytes:
        """Answer a status byte, whose low nibble means nothing (2.1)."""
        if count != 1:
            what = f"read of {count} bytes: only a status byte may be there"
            self.refuse(t_us, what, Offence.UNLISTED)
        return bytes((self._batch | (0x00 if self.is_on else 0x40),)) * count

    def stop(self) -> None:
        """Take a STOP; a command may go on in the next transfer (2.1)."""

    # ---- GDDRAM ------------------------------------------------------------------------------

    def _take_data(self, data: bytes, t_us: int) -> None:
        if not data:
            return
        if self._missing:
            self.tear(t_us, f"data amid the parameters of command 0x{self._opcode:02X}")
            self._missing = 0
        if self._scrolling:
            self.tear(t_us, "RAM access while scrolling")
        self._find_pointers(t_us)
        if self._mode == VERTICAL:
            self._fill_columns(data)
        else:
            self._fill_rows(data)
        for watcher in self.on_write:
            watcher(t_us)

    def _find_pointers(self, t_us: int) -> None:
        if self._mode == PAGE:
            if (self._column_start, self._column_end) != (0, COLUMNS - 1):
                self.tear(t_us, "data in page mode after a column window was set")
            return
        if not self._column_start <= self._column <= self._column_end:
            self.tear(t_us, f"data with column {self._column} outside the column window")
            self._column = self._column_start
        if not self._page_start <= self._page <= self._page_end:
            self.tear(t_us, f"data with page {self._page} outside the page window")
            self._page = self._page_start

    def _put(self, page: int, column: int, data: bytes) -> None:
        """Store ``data`` from ``column`` on; A1 mirrors at write time (2.4)."""
        if self._remapped:
            start = page * COLUMNS + column
        else:
            start = page * COLUMNS + COLUMNS - column - len(data)
            data = data[::-1]
        end = start + len(data)
        self._ram[start:end] = data

    def _fill_rows(self, data: bytes) -> None:
        """Write in horizontal or page mode (2.3)."""
        at, length = 0, len(data)
        first, last = self._column_start, self._column_end
        while at < length:
            room = last - self._column + 1
            piece = data[at : at + room]
            self._put(self._page, self._column, piece)
            at += len(piece)
            if len(piece) < room:
                self._column += len(piece)
                return
            self._column = first
            if self._mode == HORIZONTAL:
                self._page = self._page_start if self._page == self._page_end else self._page + 1

    def _fill_columns(self, data: bytes) -> None:
        """Write in vertical mode (2.3)."""
        for at in range(len(data)):
            self._put(self._page, self._column, data[at : at + 1])
            if self._page < self._page_end:
                self._page += 1
                continue
            self._page = self._page_start
            last = self._column == self._column_end
            self._column = self._column_start if last else self._column + 1

    # ---- commands ----------------------------------------------------------------------------

    def _take_command(self, byte: int, t_us: int) -> None:
        if self._missing:
            self._given.append(byte)
            self._missing -= 1
            if not self._missing:
                self._execute(self._opcode, self._given, t_us)
            return
        missing = _PARAMETERS.get(byte)
        if missing:
            self._opcode, self._missing, self._given = byte, missing, []
        else:
            self._execute_single(byte, t_us)

    def _execute_single(self, byte: int, t_us: int) -> None:
        if byte <= 0x1F or 0xB0 <= byte <= 0xB7:
            self._point_in_page_mode(byte, t_us)
        elif 0x40 <= byte <= 0x7F:
            self._start_line = byte - 0x40
        elif byte in (0xA0, 0xA1):
            self._remapped = byte == 0xA1
        elif byte in (0xA4, 0xA5):
            self._all_on = byte == 0xA5
        elif byte in (0xA6, 0xA7):
            self._inverse = byte == 0xA7
        elif byte in (0xAE, 0xAF):
            self._switch(byte == 0xAF, t_us)
        elif byte in (0xC0, 0xC8):
            self._reverse = byte == 0xC8
        elif byte == 0x2E:
            self._scrolling = False
        elif byte == 0x2F:
            if not self._scroll_ready:
                self.refuse(t_us, "scrolling switched on before it was set up")
                return
            self.refuse(t_us, "a picture that scrolls is not modelled", Offence.UNMODELLED)
            self._scrolling = True
        elif byte != 0xE3:
            self.refuse(t_us, f"unknown command 0x{byte:02X}")

    def _point_in_page_mode(self, byte: int, t_us: int) -> None:
        if self._mode != PAGE:
            self.refuse(t_us, f"command 0x{byte:02X} is for page mode only")
        elif byte >= 0xB0:
            self._page = byte - 0xB0
        elif byte <= 0x0F:
            self._column = self._column & 0x70 | byte
        elif byte <= 0x17:
            self._column = (byte & 7) << 4 | self._column & 0x0F
        else:
            self.refuse(t_us, f"command 0x{byte:02X} points beyond column 127")

    def _switch(self, on: bool, t_us: int) -> None:
        if on and not self.is_on:
            self._lit_since_us = t_us if self._pump else None
        elif not on:
            self._lit_since_us = None
        self.is_on = on
        for watcher in self.on_switch:
            watcher(t_us)

    def _execute(self, opcode: int, given: list[int], t_us: int) -> None:
        value = given[0]
        if self._scrolling and opcode in _SCROLL_SET_UP:
            self.refuse(t_us, f"command 0x{opcode:02X} while scrolling")
            return
        if opcode == 0x20:
            if value > PAGE:
                kind = Offence.UNLISTED if value & 3 <= PAGE else Offence.REFUSED
                self.refuse(t_us, f"addressing mode 0x{value:02X}", kind)
            if value & 3 <= PAGE:
                self._mode = value & 3
        elif opcode in (0x21, 0x22):
            self._set_window(opcode, value, given[1], t_us)
        elif opcode in (0x26, 0x27, 0x29, 0x2A):
            self._set_scroll(opcode, given, t_us)
        elif opcode in (0x23, 0xD6):
            self.refuse(t_us, f"command 0x{opcode:02X} exists in later revisions only")
        elif opcode == 0x81:
            self.contrast = value
        elif opcode == 0xAD:
            if value & ~_SSD1315_IREF_BITS:
                self.refuse(t_us, f"command 0xAD 0x{value:02X}")
        elif opcode == 0x8D:
            self._set_pump(value, t_us)
        else:
            self._set_drive(opcode, given, t_us)

    def _set_window(self, opcode: int, start: int, end: int, t_us: int) -> None:
        limit = COLUMNS if opcode == 0x21 else PAGES
        if self._mode == PAGE:
            self.refuse(t_us, f"command 0x{opcode:02X} in page mode")
        elif not start <= end < limit:
            self.refuse(t_us, f"command 0x{opcode:02X} with start {start} and end {end}")
        elif opcode == 0x21:
            self._column_start, self._column_end = start, end
            self._column = start
        else:
            self._page_start, self._page_end = start, end
            self._page = start

    def _set_pump(self, value: int, t_us: int) -> None:
        if value not in (_PUMP_ON, _PUMP_OFF):
            self.refuse(t_us, f"charge pump setting 0x{value:02X}")
            return
        if self.is_on and self._pump != (value == _PUMP_ON):
            self.tear(t_us, "charge pump setting changed while the display is on")
        self._pump = value == _PUMP_ON

    def _set_drive(self, opcode: int, given: list[int], t_us: int) -> None:
        value = given[0]
        if opcode == 0xA8:
            if _SMALLEST_MULTIPLEX <= value < ROWS:
                self._multiplex = value + 1
                return
        elif opcode == 0xD3:
            if value < ROWS:
                self._offset = value
                return
        elif opcode == 0xDA:
            if value in _COM_PINS:
                self._com_pins = value
                if value != self.com_pins:
                    self.tear(t_us, f"COM pins 0x{value:02X} do not fit a 128×{self.rows} glass")
                return
        elif opcode == 0xD5:
            return
        elif opcode == 0xD9:
            if value & 0x0F and value >> 4:
                return
        elif opcode == 0xDB:
            if value in _VCOMH_LEVELS:
                return
        elif given[0] + given[1] <= self._multiplex:
            return  # A3: where a vertical scroll would run
        shown = " ".join(f"0x{byte:02X}" for byte in given)
        kind = Offence.UNLISTED if opcode == 0xDB else Offence.REFUSED
        self.refuse(t_us, f"command 0x{opcode:02X} with {shown}", kind)

    def _set_scroll(self, opcode: int, given: list[int], t_us: int) -> None:
        dummy, first, interval, last = given[:4]
        tail_fits = given[4:] == [0x00, 0xFF] if opcode <= 0x27 else given[4] < ROWS
        if dummy or interval > 7 or not first <= last < PAGES or not tail_fits:
            shown = " ".join(f"0x{byte:02X}" for byte in given)
            self.refuse(t_us, f"scroll command 0x{opcode:02X} with {shown}")
            return
        self._scroll_ready = True


class SSD1306Low(SSD1306):
    """The display with a glass of 128×32: COM pins 02, multiplex 1F."""

    name = "SSD1306-32"
    rows = 32
    com_pins = 0x02
