"""From the SSD1306's RAM to the glass of a 0.96″ 128×64 module (digest 2.4).

The module is mounted so that segment remap A1 and COM direction C8 show an upright picture, as on
the common modules with the pins along the upper edge. The glass is wired for COM pins setting 12
(alternative, no swap): glass row g, counted against the reading direction, hangs on pin g // 2 of
the first half when g is even, of the second half when it is odd. Which rows a wrong setting mixes
up follows from that wiring; the sheet only says that they do not fit.
"""

from typing import NamedTuple

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


def ram_lines(scan: Scan) -> tuple[int | None, ...]:
    """Return the RAM line each of the 64 glass rows shows, from the top; None where it is dark."""
    alternative = bool(scan.com_pins & 0x10)
    swapped = bool(scan.com_pins & 0x20)
    lines: list[int | None] = []
    for y in range(ROWS):
        glass_row = ROWS - 1 - y
        pin = glass_row // 2 + ROWS // 2 * (glass_row % 2)
        if swapped:
            pin = (pin + ROWS // 2) % ROWS
        com = 2 * (pin % (ROWS // 2)) + pin // (ROWS // 2) if alternative else pin
        if scan.reverse:
            row = (scan.multiplex - 1 - com + scan.offset) % ROWS
        else:
            row = (com + scan.offset) % ROWS
        lines.append((row + scan.start_line) % ROWS if row < scan.multiplex else None)
    return tuple(lines)


def glass(ram: bytes | bytearray, scan: Scan, *, all_on: bool, inverse: bool) -> tuple[bytes, ...]:
    """Return 64 rows of 128 bytes, 1 lit and 0 dark, from the top left as a person reads them."""
    rows = []
    for line in ram_lines(scan):
        if line is None:
            rows.append(_DARK_ROW)
        elif all_on:
            rows.append(_LIT_ROW)
        else:
            start = line // 8 * COLUMNS
            row = bytes(ram[start : start + COLUMNS]).translate(_BIT_OF_BYTE[line % 8])
            rows.append(row.translate(_INVERSE) if inverse else row)
    return tuple(rows)
