"""Frames over infrared: carrier, pulses, coding, fragments, and who may send when.

Bytes become pulses of light here, and back. A transmission begins with a long mark. From its
beginning all times are counted, so a receiver's delay, which is the same for the whole
transmission, falls out. Then every slot has one short mark in one of four places: two bits, the
high ones of a byte first::

    |<- 1800 ->|          |<-------- slot 1516 -------->|<-------- ...
    |##leader##|          |v=0 |v=1 |v=2 |v=3 |
    0                    4000  places 260 apart, a mark is 368 long (all in µs)

Only leading edges count: demodulators stretch a mark by several periods of the carrier. They delay
all marks alike, but the leader's edge jitters as any other does, so the median lateness is
subtracted. A mark that is longer than any stretched one has merged with other light.
The numbers were chosen for demodulators that stretch a mark by up to six periods of 38 kHz.

May import: link, table.protocol, effects, drivers. ``link`` joins them;
``medium_access`` has the turns.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from operator import sub
from statistics import median
from typing import NamedTuple, Protocol

LEADER_US = 1800
FIRST_SLOT_US = 4000
"""From the leader's leading edge to the first slot."""
SLOT_US = 1516
MARK_US = 368
PLACE_US = 260
PLACES = 4  # marks
TOLERANCE = 0.42
"""An edge further than this share of `PLACE_US` from every place is uncertain."""
SHORTEST_LEADER_US = 1100
"""A stretched mark of a slot is shorter; a leader with a hole is not much shorter."""
LONGEST_MARK_US = 600
"""A stretched mark of a slot has 368 µs and 6 periods of 26 µs at most."""
SILENCE_US = 10_000
"""After so long a silence a transmission is over; the next one begins later than that."""
LONGEST_US = 500_000
"""A driver sends nothing longer at once, and …"""
MOST_VALUES = 1024
"""… takes no more lengths in µs in one write (lirc)."""
MOST_BYTES = 81
"""Most bytes of one transmission."""
_EARLY_US = (SLOT_US - (PLACES - 1) * PLACE_US) // 2
"""Half of a slot's surplus beyond its last place comes before the first one."""


def _value(edge_us: int) -> int | None:
    """Return the two bits of an edge so long after its slot's first place; None if uncertain."""
    place = edge_us / PLACE_US
    value = round(place)
    return value if abs(place - value) <= TOLERANCE and 0 <= value < PLACES else None


def _offset_us(edge_us: int) -> int:
    """Return an edge's distance from the nearest place."""
    return edge_us - round(edge_us / PLACE_US) * PLACE_US


# A transmission has hundreds of edges: a table gives their values.
_VALUES = [_value(us - _EARLY_US) for us in range(SLOT_US)]
"""Values by the time since a slot's share of time begins."""
_OFFSETS_US = [_offset_us(us - PLACE_US // 2) for us in range(PLACES * PLACE_US)]
"""Distances by the time since half a place before a slot's first one."""


class Pulse(NamedTuple):
    """A mark: when it began, on any clock, and its length, both in µs."""

    start_us: int
    length_us: int


class Demodulated(NamedTuple):
    """A demodulated transmission: its bytes, and the places of uncertain ones."""

    data: bytearray
    erased: list[int]


def modulated(data: bytes) -> list[int]:
    """Return the lengths of marks and spaces in turn, in µs, a mark first and last.

    Raises:
        ValueError: there is no byte, or more than MOST_BYTES.
    """
    if not 1 <= len(data) <= MOST_BYTES:
        raise ValueError(f"{len(data)} bytes are not 1 to {MOST_BYTES}: split them")
    values = _values(data)
    lengths = [MARK_US] * (2 * len(values) + 1)
    lengths[:2] = LEADER_US, FIRST_SLOT_US - LEADER_US + values[0] * PLACE_US
    steps = map(sub, values[1:], values)
    lengths[3::2] = [SLOT_US - MARK_US + step * PLACE_US for step in steps]
    return lengths


def duration_us(size: int) -> int:
    """Return the time of ``size`` bytes on the air in µs, to the end of their last slot."""
    return FIRST_SLOT_US + size * PLACES * SLOT_US


def merged(pulses: Iterable[Pulse]) -> list[Pulse]:
    """Return marks by time, with overlapping ones joined: the light of several senders at once."""
    result: list[Pulse] = []
    for pulse in sorted(pulses):
        if result and pulse.start_us <= result[-1].start_us + result[-1].length_us:
            start_us = result[-1].start_us
            end_us = max(start_us + result[-1].length_us, pulse.start_us + pulse.length_us)
            result[-1] = Pulse(start_us, end_us - start_us)
        else:
            result.append(pulse)
    return result


def demodulated(pulses: Sequence[Pulse]) -> list[Demodulated]:
    """Return all transmissions that begin in these marks (by time, disjoint), oldest first."""
    found = []
    starts_us = [pulse.start_us for pulse in pulses]
    lengths_us = [pulse.length_us for pulse in pulses]
    leaders = [at for at, length_us in enumerate(lengths_us) if length_us >= SHORTEST_LEADER_US]
    for leader, end in zip(leaders, [*leaders[1:], len(pulses)]):
        began_us = starts_us[leader] + FIRST_SLOT_US
        marks_us = [start_us - began_us for start_us in starts_us[leader + 1 : end]]
        first = bisect_left(marks_us, -PLACE_US)
        marks_us = _until_silence(marks_us[first:])
        if marks_us:
            at = leader + 1 + first
            found.append(_read(marks_us, lengths_us[at : at + len(marks_us)]))
    return found


def _until_silence(marks_us: list[int]) -> list[int]:
    silences_us = map(sub, marks_us, [-PLACE_US, *marks_us])
    over = (at for at, silence_us in enumerate(silences_us) if silence_us > SILENCE_US)
    return marks_us[: next(over, None)]


def _read(marks_us: list[int], lengths_us: list[int]) -> Demodulated:
    """Return the bytes of marks, by their edges counted from the first slot, and their lengths."""
    early_us = _EARLY_US - _lateness(marks_us)
    edges_us = [mark_us + early_us for mark_us in marks_us]
    size = max(1, min(-(-(edges_us[-1] // SLOT_US + 1) // PLACES), MOST_BYTES))
    slots = [edge_us // SLOT_US for edge_us in edges_us]
    values = [_VALUES[edge_us % SLOT_US] for edge_us in edges_us]
    if max(lengths_us) > LONGEST_MARK_US:
        joined = [length_us > LONGEST_MARK_US for length_us in lengths_us]
        values = [None if is_joined else value for value, is_joined in zip(values, joined)]
    every = range(size * PLACES)
    if slots != list(every):
        read = dict(zip(slots, values))
        if len(read) < len(slots):
            read |= {slot: None for slot, marks in Counter(slots).items() if marks > 1}
        values = [read.get(slot) for slot in every]
    erased = []
    if None in values:
        erased = [place for place in range(size) if None in values[PLACES * place :][:PLACES]]
    bits = [value or 0 for value in values]
    parts = zip(bits[0::4], bits[1::4], bits[2::4], bits[3::4])
    return Demodulated(bytearray(a << 6 | b << 4 | c << 2 | d for a, b, c, d in parts), erased)


def _lateness(marks_us: list[int]) -> int:
    """Return the median lateness of the marks behind the leader."""
    half_us, beyond_us = PLACE_US // 2, len(_OFFSETS_US)
    places_us = [(mark_us + half_us) % SLOT_US for mark_us in marks_us]
    offsets_us = [_OFFSETS_US[us] for us in places_us if us < beyond_us]
    return round(median(offsets_us)) if offsets_us else 0


def _values(data: bytes) -> list[int]:
    return [byte >> shift & 3 for byte in data for shift in (6, 4, 2, 0)]


class InfraredError(OSError):
    """An infrared device cannot be used. One line that says what to do."""


class Port(Protocol):
    """An infrared transmitter and receiver."""

    def open(self, on_pulses: Callable[[list[Pulse]], None]) -> None:
        """Begin to listen: ``on_pulses`` gets marks on the loop's clock, soon after they ended.

        The marks of ``transmit`` may be among them.
        """
        ...

    def transmit(self, lengths_us: list[int]) -> None:
        """Send marks and spaces in turn (µs), a mark first and last. Returns at once."""
        ...

    def close(self) -> None:
        """Stop listening and release the device."""
        ...
