"""Bytes as pulses of light and back: pulse position modulation in slots of fixed length.

A transmission begins with a long mark. From its beginning all times are counted, so a receiver's
delay, which is the same for the whole transmission, falls out. Then every slot has one short mark
in one of four places: two bits, the high ones of a byte first::

    |<- 1800 ->|          |<-------- slot 1516 -------->|<-------- ...
    |##leader##|          |v=0 |v=1 |v=2 |v=3 |
    0                    4000  places 260 apart, a mark is 368 long (all in µs)

Only leading edges count: demodulators stretch a mark by several periods of the carrier. They delay
all of them alike, but the leader's edge jitters as any other does: so the middle of how late all
marks are is taken off. A mark that is longer than any stretched one has been joined by something.
"""

from collections.abc import Iterable, Sequence
from statistics import median
from typing import NamedTuple

LEADER_US = 1800
FIRST_SLOT_US = 4000
"""From the leader's leading edge to the first slot."""
SLOT_US = 1516
MARK_US = 368
PLACE_US = 260
PLACES = 4
TOLERANCE = 0.42
"""An edge further than this part of a place from each of them tells nothing."""
SHORTEST_LEADER_US = 1100
"""A stretched mark of a slot is shorter, a leader with a hole in it not much."""
LONGEST_MARK_US = 600
"""A stretched mark of a slot has 368 µs and 6 periods of 26 µs at most."""
SILENCE_US = 10_000
"""After so long without a mark a transmission is over; the next one begins later than that."""
LONGEST_US = 500_000
"""A driver sends no more at once, and …"""
MOST_VALUES = 1024
"""… takes no more values in one write (lirc)."""
MOST_BYTES = 81
"""What fits into one transmission."""
_NOWHERE_US = PLACES * SLOT_US
"""Stands for an edge that tells nothing."""


class Pulse(NamedTuple):
    """A mark: when it began, on any clock, and how long it was. In µs."""

    start_us: int
    length_us: int


class Received(NamedTuple):
    """What was made of a transmission: its bytes, and the places of those that are not certain."""

    data: bytearray
    erased: list[int]


def modulated(data: bytes) -> list[int]:
    """The lengths of marks and spaces in turn, in µs, a mark first and last.

    Raises:
        ValueError: more than MOST_BYTES.
    """
    if not 1 <= len(data) <= MOST_BYTES:
        raise ValueError(f"{len(data)} bytes are not 1 to {MOST_BYTES}: split them")
    lengths = [LEADER_US]
    end_us = LEADER_US
    for slot, value in enumerate(_values(data)):
        start_us = FIRST_SLOT_US + slot * SLOT_US + value * PLACE_US
        lengths += (start_us - end_us, MARK_US)
        end_us = start_us + MARK_US
    return lengths


def duration_us(size: int) -> int:
    """How long ``size`` bytes are on the air, to the end of their last slot."""
    return FIRST_SLOT_US + size * PLACES * SLOT_US


def merged(pulses: Iterable[Pulse]) -> list[Pulse]:
    """The same light in the order of time, without overlaps: several who speak at once."""
    result: list[Pulse] = []
    for pulse in sorted(pulses):
        if result and pulse.start_us <= result[-1].start_us + result[-1].length_us:
            start_us = result[-1].start_us
            end_us = max(start_us + result[-1].length_us, pulse.start_us + pulse.length_us)
            result[-1] = Pulse(start_us, end_us - start_us)
        else:
            result.append(pulse)
    return result


def demodulated(pulses: Sequence[Pulse]) -> list[Received]:
    """All transmissions that begin in these marks, oldest first."""
    found = []
    leaders = [at for at, pulse in enumerate(pulses) if pulse.length_us >= SHORTEST_LEADER_US]
    for leader, end in zip(leaders, [*leaders[1:], len(pulses)]):
        began_us = pulses[leader].start_us + FIRST_SLOT_US
        marks = _until_silence(
            Pulse(pulse.start_us - began_us, pulse.length_us) for pulse in pulses[leader + 1 : end]
        )
        if marks:
            found.append(_read(marks))
    return found


def _until_silence(marks: Iterable[Pulse]) -> list[Pulse]:
    kept: list[Pulse] = []
    last_us = -PLACE_US
    for mark in marks:
        if mark.start_us > last_us + SILENCE_US:
            break
        if mark.start_us >= -PLACE_US:
            kept.append(mark)
            last_us = mark.start_us
    return kept


def _read(marks: list[Pulse]) -> Received:
    late_us = _lateness(marks)
    # Half of what a slot has beyond its last place belongs to it before its first one.
    early_us = (SLOT_US - (PLACES - 1) * PLACE_US) // 2
    edges = [(round(mark.start_us - late_us), mark.length_us) for mark in marks]
    slots = (edges[-1][0] + early_us) // SLOT_US + 1
    size = max(1, min(-(-slots // PLACES), MOST_BYTES))
    seen: list[list[int]] = [[] for _ in range(size * PLACES)]
    for edge_us, length_us in edges:
        slot = (edge_us + early_us) // SLOT_US
        if 0 <= slot < len(seen):
            joined = length_us > LONGEST_MARK_US
            seen[slot].append(_NOWHERE_US if joined else edge_us - slot * SLOT_US)
    data, erased = bytearray(), []
    for place in range(size):
        values = [_value(offsets) for offsets in seen[PLACES * place : PLACES * (place + 1)]]
        if None in values:
            erased.append(place)
        data.append(sum((value or 0) << shift for value, shift in zip(values, (6, 4, 2, 0))))
    return Received(data, erased)


def _lateness(marks: list[Pulse]) -> float:
    """How much later the marks are than the leader, in the middle."""
    offsets = []
    for mark in marks:
        in_slot_us = (mark.start_us + PLACE_US // 2) % SLOT_US - PLACE_US // 2
        if in_slot_us < PLACES * PLACE_US - PLACE_US // 2:
            offsets.append(in_slot_us - round(in_slot_us / PLACE_US) * PLACE_US)
    return median(offsets) if offsets else 0.0


def _value(offsets: list[int]) -> int | None:
    """The two bits of a slot; None where it has no edge, several, or one that tells nothing."""
    if len(offsets) != 1:
        return None
    place = offsets[0] / PLACE_US
    value = round(place)
    return value if abs(place - value) <= TOLERANCE and 0 <= value < PLACES else None


def _values(data: bytes) -> list[int]:
    return [byte >> shift & 3 for byte in data for shift in (6, 4, 2, 0)]
