"""From a display's RAM to the glass of a 128×64 or 128×32 module (digest 2.4).

The module is mounted so that segment remap A1 and COM direction C8 show an upright picture, as on
the common modules with the pins along the upper edge. A glass of 64 rows is wired for COM pins
setting 12 (alternative, no swap): glass row g, counted against the reading direction, hangs on pin
g // 2 of the first half when g is even, of the second half when it is odd. Which rows a wrong
setting mixes up follows from that wiring; the sheet only says that they do not fit.
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
