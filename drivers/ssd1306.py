"""SSD1306 panel, 128×64: I2C address 0x3C, no reset pin.

Wiring: VCC to 3.3 V, GND, SDA, SCL; the module's address jumper on 0x78 (8-bit for 0x3C). Commands
and pointers: SSD1306 data sheet Rev 1.1, command table (9-1) and page addressing (10.1.1). An
SH1106 module has the same address and cannot be told apart over I2C: its picture is shifted.

The Adafruit class does the start-up. It switches the display on before its first frame, which shows
the memory: noise after power-up, the old picture with its dice after a restart of the handheld
alone. The driver therefore clears the memory before, and switches the display off right after.

No register and no memory can be read over I2C. Most chips answer a read with a status byte (bit 6:
display off), which the sheet has for parallel buses only. The driver believes it once the byte has
followed both switches. It does not rely on a part that lost its power, or took a broken command, to
say so. `Ssd1306.restore` therefore sends all of its set-up again, in time.
"""

from adafruit_ssd1306 import SSD1306_I2C
from smbus2 import i2c_msg

from drivers.bus import BusioAdapter
from drivers.errors import PartGuard
from drivers.panel import CONTRASTS, HEIGHT, PAGES, PANEL, WIDTH, Window, spread, windows

_COMMANDS = b"\x00"  # control byte: commands until STOP
_DATA = b"\x40"  # control byte: memory contents until STOP

_ADDRESSING = 0x20
_BY_PAGE = 0x02
_LOWER_COLUMN = 0x00  # the low four bits of the column
_HIGHER_COLUMN = 0x10  # its high bits
_PAGE = 0xB0
_CONTRAST = 0x81
_CHARGE_PUMP = 0x8D
_PUMP_ON = 0x14
_OFF = 0xAE
_ON = 0xAF
_NOTHING = 0xE3
_MOST_PARAMETERS = 7
"""The most parameters of a command that a broken transfer may have left unfinished (SSD1315: 29,
2A)."""
_STATUS_OFF = 0x40

_SET_UP = (
    *(_NOTHING,) * _MOST_PARAMETERS,
    *(_ADDRESSING, 0x00, 0x21, 0, WIDTH - 1, 0x22, 0, PAGES - 1),  # unused windows: whole
    *(0x2E, 0x40, 0xA1, 0xA8, 0x3F, 0xC8, 0xD3, 0x00, 0xDA, 0x12),  # no scrolling; the glass
    *(0xD5, 0x80, 0xD9, 0xF1, 0xDB, 0x30, 0xAD, 0x30),  # clock and drive
    *(0xA4, 0xA6, _CHARGE_PUMP, _PUMP_ON, _ADDRESSING, _BY_PAGE),
)
"""The set-up of the Adafruit class without the switch and the contrast; sending it again changes
nothing visible."""

_BLANK_MEMORY = bytes(WIDTH * PAGES)
_ALL_UNSURE = (1 << 8 * len(_BLANK_MEMORY)) - 1
_LAST_PAGE_UNSURE = (1 << 8 * WIDTH) - 1


class _Begun(SSD1306_I2C):  # type: ignore[misc]
    """The Adafruit class without the frame that ends its start-up: the memory is black already."""

    def show(self) -> None:
        pass


class Ssd1306:
    """The driver, with a mirror of the panel's memory. It starts off and black.

    Every method but `begin` (about 50 ms) is one job for the bus of at most 2 ms. `changes` does
    not touch the bus. The others raise PartError when the part does not answer.
    """

    def __init__(self, adapter: BusioAdapter, address: int = PANEL.address) -> None:
        self._bus = adapter
        self._address = address
        self._guard = PartGuard(
            "SSD1306 panel",
            address,
            "its address jumper is on 0x78 (0x3C)",
            adapter.answers,
            PANEL.other_address,
        )
        self._memory = bytearray(_BLANK_MEMORY)
        # Numbers of 1024 bytes, one for each byte of the memory, not 0 where it applies: the byte
        # is unknown; the next `restore` makes it unknown; the page whose turn it is at `restore`.
        self._unsure, self._once, self._next_page = 0, _ALL_UNSURE, _LAST_PAGE_UNSURE
        self._tells = False
        self.is_on: bool | None = False
        """Whether the display was switched on; None if it may be either."""

    @property
    def memory(self) -> bytes:
        """The written memory: 1024 bytes, page by page, left to right, bit 0 the top row."""
        return bytes(self._memory)

    def begin(self) -> None:
        """Set the panel up, whatever its state; it is then off and its memory black."""
        self._unsure = _ALL_UNSURE
        self.is_on = False
        with self._guard:
            self._command(_OFF, _CHARGE_PUMP, _PUMP_ON, _ADDRESSING, _BY_PAGE)
            self._fill(Window(0, PAGES - 1, 0, WIDTH - 1, _BLANK_MEMORY))
            _Begun(WIDTH, HEIGHT, self._bus, addr=self._address)
            self._command(_OFF, _ADDRESSING, _BY_PAGE)
        self._memory[:] = _BLANK_MEMORY
        self._unsure, self._once = 0, _ALL_UNSURE

    def changes(self, picture: bytes) -> list[Window]:
        """Return the windows that turn the shown picture into ``picture``, packed; often none.

        They also repair bytes that a broken write may have left wrong.
        """
        return windows(self._memory, picture, self._unsure)

    def write(self, window: Window) -> None:
        """Write one window; pages and columns are addressed anew each time.

        If it raises, `changes` counts the bytes of the window as unknown.
        """
        touched = spread(window)
        self._unsure |= touched
        with self._guard:
            self._fill(window)
        self._unsure &= ~touched
        before = self.memory
        window.write_into(self._memory)
        if self._memory != before:
            self._once |= touched

    def blank(self) -> None:
        """Switch the display off: nothing is visible, the memory stays and can be written."""
        with self._guard:
            self._command(_OFF)
        self.is_on = False
        self._once = _ALL_UNSURE  # a display that is off does not say that it lost its power

    def light_up(self) -> None:
        """Switch the display on: it shows the memory, in full light about 100 ms later.

        After `restore` it raises PartError as that does.
        """
        with self._guard:
            if self.is_on is None:
                self._check_on()
            was_off = self.is_on is False and self._says_off()
            self._command(*_SET_UP, _ON)
            if self.is_on is False:
                self._tells = was_off is True and self._says_off() is False
        self.is_on = True

    def restore(self) -> None:
        """Send the set-up again, in case the part has lost it; an intact part shows no change.

        Contrast, picture and switch are then to be written again. ``is_on`` becomes None if it was
        on, and `changes` counts the memory as unknown. A part that has been on since the last call
        and says so needs less: `changes` counts only the changes since then, and one more page, in
        turn.

        Raises PartError also if the part says that it is off, though it was switched on.
        """
        self._unsure |= self._once | self._next_page if self._tells else _ALL_UNSURE
        self._once = 0
        self._next_page = self._next_page << 8 * WIDTH & _ALL_UNSURE or _LAST_PAGE_UNSURE
        with self._guard:
            if self.is_on:
                self._check_on()
                self.is_on = None
            self._command(*_SET_UP)

    def contrast(self, value: int) -> None:
        """Set the contrast, 1–255 (data sheet 10.1.7: 256 steps). Raises ValueError for others."""
        if value not in CONTRASTS:
            raise ValueError(f"contrast is {CONTRASTS[0]} to {CONTRASTS[-1]}, not {value}")
        with self._guard:
            self._command(_CONTRAST, value)

    def _fill(self, window: Window) -> None:
        column = window.first_column
        width = window.last_column - column + 1
        for row in range(window.last_page - window.first_page + 1):
            self._command(
                _PAGE | window.first_page + row,
                _LOWER_COLUMN | column & 0x0F,
                _HIGHER_COLUMN | column >> 4,
            )
            self._bus.write(self._address, _DATA + window.data[row * width : (row + 1) * width])

    def _check_on(self) -> None:
        if self._tells and self._says_off():
            raise self._guard.lost_setup("the display is off")

    def _says_off(self) -> bool | None:
        """Return whether the part says that the display is off; None if it cannot be read."""
        try:
            status = self._bus.read_plainly(i2c_msg.read(self._address, 1))
        except OSError:
            return None
        return bool(status[0] & _STATUS_OFF)

    def _command(self, *commands: int) -> None:
        self._bus.write(self._address, _COMMANDS + bytes(commands))
