"""A strict model of the SH1106 display on I2C (sheet: SH; digest 2.9).

Checked against luma.oled 3.16.0.

It takes the SSD1306's address and control bytes, and knows page addressing only. Commands of an
SSD1306 are offences, and their parameters act as commands. Its memory can be read back: the first
byte of a read is a dummy.

Decided here, because the sheet leaves it open:

- the glass of 128 columns hangs on the middle of the 132, and is upright with A1 and C8;
- 20 and 8D are unlisted: luma.oled sends them to every SH1106, and each shows its picture.
"""

from collections.abc import Callable

from . import Offence, PartModel
from .ssd1306 import COLUMNS as GLASS_COLUMNS
from .ssd1306 import ROWS, Scan, glass

COLUMNS = 132
PAGES = 8
_BESIDE_GLASS = (COLUMNS - GLASS_COLUMNS) // 2
_WITH_PARAMETER = frozenset({0x81, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB})
_SENT_BY_LUMA = (0x20, 0x8D)


class SH1106(PartModel):
    """The display. ``is_on``: whether AF came after the last AE. Its ``seed`` decides nothing.

    ``on_write`` are called with the time in µs after each completed data transfer.
    """

    name = "SH1106"
    address = 0x3C
    other_address = 0x3D
    rows, columns = ROWS, GLASS_COLUMNS

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__(seed, t_us)
        self.on_write: list[Callable[[int], None]] = []
        self.power_up(t_us)

    def power_up(self, _t_us: int) -> None:
        """Apply power: off, pointers at 0, the pump on."""
        self.memory = bytearray(COLUMNS * PAGES)
        self.is_on = False
        self.contrast = 0x80
        self._page = self._column = 0
        self._kept_column: int | None = None
        self._opcode = 0
        self._reads_data = False
        self._remapped = self._all_on = self._inverse = self._reverse = False
        self._pump = True
        self._start_line = self._offset = 0
        self._multiplex = ROWS
        self._com_pins = 0x12

    @property
    def is_lit(self) -> bool:
        """Whether the panel has its high voltage."""
        return self.is_on and self._pump

    def pixels(self, t_us: int | None = None) -> tuple[bytes, ...]:
        """Return what a person sees: 64 rows of 128 bytes from the top left, 1 lit, 0 dark."""
        del t_us
        if not self.is_lit:
            return (bytes(GLASS_COLUMNS),) * ROWS
        seen = bytearray()
        for start in range(_BESIDE_GLASS, COLUMNS * PAGES, COLUMNS):
            page = self.memory[start : start + GLASS_COLUMNS]
            seen += page if self._remapped else page[::-1]
        scan = Scan(self._multiplex, self._offset, self._start_line, self._reverse, self._com_pins)
        return glass(seen, scan, all_on=self._all_on, inverse=self._inverse)

    def write(self, data: bytes, t_us: int) -> None:
        """Apply control bytes with commands or display data."""
        at = 0
        while at < len(data):
            control = data[at]
            if control not in (0x00, 0x40, 0x80, 0xC0):
                self.refuse(t_us, f"control byte 0x{control:02X}")
                return
            self._reads_data = bool(control & 0x40)
            rest = data[at + 1 : at + 2] if control & 0x80 else data[at + 1 :]
            for byte in rest:
                if control & 0x40:
                    self._store(byte)
                else:
                    self._command(byte, t_us)
            if control & 0x40:
                for watcher in self.on_write:
                    watcher(t_us)
            at += 1 + len(rest)

    def read(self, count: int, _t_us: int) -> bytes:
        """Return memory after a dummy byte if the last control byte chose data, else the status."""
        if not self._reads_data:
            return bytes((0x40 * (not self.is_on),)) * count
        found = bytearray(b"\x00")
        while len(found) < count:
            found.append(self.memory[self._page * COLUMNS + self._column])
            if self._kept_column is None:
                self._forward()
        return bytes(found)

    def stop(self) -> None:
        """Take a STOP; pointers stay."""

    def _store(self, byte: int) -> None:
        self.memory[self._page * COLUMNS + self._column] = byte
        self._forward()

    def _forward(self) -> None:
        self._column = min(self._column + 1, COLUMNS - 1)  # stops after 131, the page stays

    def _command(self, byte: int, t_us: int) -> None:
        if self._opcode:
            opcode, self._opcode = self._opcode, 0
            self._set(opcode, byte, t_us)
        elif byte <= 0x0F:
            self._column = self._column & 0xF0 | byte
        elif byte <= 0x1F:
            self._column = min((byte & 0x0F) << 4 | self._column & 0x0F, COLUMNS - 1)
        elif 0xB0 <= byte <= 0xB7:
            self._page = byte & 7
        elif byte in _WITH_PARAMETER:
            self._opcode = byte
        elif 0x40 <= byte <= 0x7F:
            self._start_line = byte - 0x40
        elif byte in (0xA0, 0xA1):
            self._remapped = byte == 0xA1
        elif byte in (0xA4, 0xA5):
            self._all_on = byte == 0xA5
        elif byte in (0xA6, 0xA7):
            self._inverse = byte == 0xA7
        elif byte in (0xAE, 0xAF):
            self.is_on = byte == 0xAF
        elif 0xC0 <= byte <= 0xCF:
            self._reverse = bool(byte & 0x08)
        elif byte == 0xE0:
            self._kept_column = self._column
        elif byte == 0xEE and self._kept_column is not None:
            self._column, self._kept_column = self._kept_column, None
        elif not (0x30 <= byte <= 0x33 or byte in (0xE3, 0xEE)):
            kind = Offence.UNLISTED if byte in _SENT_BY_LUMA else Offence.REFUSED
            self.refuse(t_us, f"command 0x{byte:02X}: only an SSD1306 knows it", kind)

    def _set(self, opcode: int, value: int, t_us: int) -> None:
        if opcode == 0x81:
            self.contrast = value
        elif opcode == 0xA8:
            self._multiplex = (value & 0x3F) + 1
        elif opcode == 0xD3:
            self._offset = value & 0x3F
        elif opcode == 0xDA:
            self._com_pins = 0x02 | value & 0x10
        elif opcode == 0xAD:
            if self.is_on:
                self.tear(t_us, "pump switched while the display is on")
            self._pump = bool(value & 1)
