"""A strict model of the SH1106 display as far as mistaking it for an SSD1306 goes (digest 2.9).

It sits at the SSD1306's address, takes the same control bytes, and knows page addressing only: what
an SSD1306 driver sends for horizontal addressing is a violation, and its parameters act
as commands. Unlike the SSD1306 its memory can be read back: the first byte of a read is a dummy
(transcribed commands, "read display data").
"""

from .part import PartModel

COLUMNS = 132
PAGES = 8
_WITH_PARAMETER = frozenset({0x81, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB})
_WITHOUT = frozenset({0xA0, 0xA1, 0xA4, 0xA5, 0xA6, 0xA7, 0xAE, 0xAF, 0xE0, 0xE3, 0xEE})


class SH1106(PartModel):
    """The display. ``is_on``: whether AF came after the last AE."""

    name = "SH1106"
    address = 0x3C

    def __init__(self, t_us: int = 0) -> None:
        super().__init__()
        self.power_up(t_us)

    def power_up(self, _t_us: int) -> None:
        """Apply power: off, pointers at 0."""
        self.memory = bytearray(COLUMNS * PAGES)
        self.is_on = False
        self._page = self._column = 0
        self._parameter_due = False
        self._reads_data = False

    def write(self, data: bytes, t_us: int) -> None:
        """Apply a control byte and commands or display data."""
        if not data:
            return
        control = data[0]
        if control not in (0x00, 0x40, 0x80, 0xC0):
            self.refuse(t_us, f"control byte 0x{control:02X}")
            return
        self._reads_data = bool(control & 0x40)
        if control & 0x40:
            for byte in data[1:]:
                self._store(byte)
        else:
            for byte in data[1:]:
                self._command(byte, t_us)

    def read(self, count: int, _t_us: int) -> bytes:
        """Return memory after a dummy byte if the last control byte chose data, else the status."""
        if not self._reads_data:
            return bytes((0x40 * (not self.is_on),)) * count
        found = bytearray(b"\x00")
        while len(found) < count:
            found.append(self.memory[self._page * COLUMNS + self._column])
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
        if self._parameter_due:
            self._parameter_due = False
        elif byte <= 0x0F:
            self._column = self._column & 0xF0 | byte
        elif byte <= 0x1F:
            self._column = min((byte & 0x0F) << 4 | self._column & 0x0F, COLUMNS - 1)
        elif 0xB0 <= byte <= 0xB7:
            self._page = byte & 7
        elif byte in _WITH_PARAMETER:
            self._parameter_due = True
        elif byte in (0xAE, 0xAF):
            self.is_on = byte == 0xAF
        elif not (0x30 <= byte <= 0x7F or 0xC0 <= byte <= 0xCF or byte in _WITHOUT):
            self.refuse(t_us, f"command 0x{byte:02X}: only an SSD1306 knows it")
