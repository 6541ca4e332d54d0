"""Bus and pins of a handheld as a value change dump (IEEE 1364-2005, 18), for waveform viewers."""

from collections.abc import Iterable

from hw_sim.steckbrett.board.bus import BIT_NS, Transfer

_HEAD = """$timescale 100 ns $end
$scope module handheld $end
$var wire 1 s scl $end
$var wire 1 d sda $end
$var wire 8 b byte $end
$var wire 7 a address $end
$var wire 1 i int1 $end
$var wire 1 t touch $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
1s
1d
bxxxxxxxx b
bxxxxxxx a
0i
0t
$end
"""
_UNIT_NS = 100


def vcd(transfers: Iterable[Transfer], pins: Iterable[tuple[int, str, int]]) -> str:
    """Return the dump, in units of 100 ns: transfers bit for bit, and edges of pins.

    An edge is its time in µs, "int1" or "touch", and the level from then on.
    """
    changes: list[tuple[int, int, str]] = []
    for t_us, pin, level in pins:
        changes.append((t_us * 1000, 0, f"{level}{pin[0]}"))
    for transfer in transfers:
        changes += _bits(transfer)
    changes.sort(key=lambda change: change[:2])
    lines: list[str] = []
    last = -1
    for t_ns, _, change in changes:
        unit = t_ns // _UNIT_NS
        if unit != last:
            lines.append(f"#{unit}")
            last = unit
        lines.append(change)
    return _HEAD + "\n".join(lines) + "\n"


def _bits(transfer: Transfer) -> list[tuple[int, int, str]]:
    """START, address, bytes and their acknowledges, STOP: it ends at the time of the transfer."""
    first = transfer.address << 1 | transfer.read
    octets = [(first, bool(transfer.failed))]
    last = len(transfer.data) - 1
    octets += [(byte, transfer.read and i == last) for i, byte in enumerate(transfer.data)]
    t_ns = transfer.t_us * 1000 - len(octets) * 9 * BIT_NS - BIT_NS
    quarter = BIT_NS // 4
    found = [(t_ns, 1, "0d"), (t_ns + quarter, 2, "0s"), (t_ns, 3, f"b{transfer.address:07b} a")]
    t_ns += BIT_NS
    for octet, refused in octets:
        found.append((t_ns, 3, f"b{octet:08b} b"))
        for bit in [octet >> shift & 1 for shift in range(7, -1, -1)] + [int(refused)]:
            found += [
                (t_ns, 1, f"{bit}d"),
                (t_ns + quarter, 2, "1s"),
                (t_ns + 3 * quarter, 2, "0s"),
            ]
            t_ns += BIT_NS
    found += [(t_ns, 1, "0d"), (t_ns + quarter, 2, "1s"), (t_ns + 2 * quarter, 1, "1d")]
    return found
