"""How marks are read, the plain way: slot by slot, mark by mark. The firmware has to agree."""

from statistics import median

from firmware.link import infrared as pulses
from firmware.link.infrared import Demodulated


def demodulated(marks):
    found = []
    for number, leader in enumerate(marks):
        if leader.length_us < pulses.SHORTEST_LEADER_US:
            continue
        kept, last_us = [], -pulses.PLACE_US
        for mark in marks[number + 1 :]:
            at_us = mark.start_us - leader.start_us - pulses.FIRST_SLOT_US
            if mark.length_us >= pulses.SHORTEST_LEADER_US or at_us > last_us + pulses.SILENCE_US:
                break
            if at_us >= -pulses.PLACE_US:
                kept.append((at_us, mark.length_us))
                last_us = at_us
        if kept:
            found.append(read(kept))
    return found


def read(marks):
    late_us = round(lateness_us([at_us for at_us, _ in marks]))
    edges = [(at_us - late_us, length_us) for at_us, length_us in marks]
    size = 1
    while size < pulses.MOST_BYTES and slot_of(edges[-1][0]) >= 4 * size:
        size += 1
    data, erased = bytearray(), []
    for place in range(size):
        byte = 0
        for slot in range(4 * place, 4 * place + 4):
            value = value_of([edge for edge in edges if slot_of(edge[0]) == slot], slot)
            byte = 4 * byte + (value or 0)
            if value is None and place not in erased:
                erased.append(place)
        data.append(byte)
    return Demodulated(data, erased)


def lateness_us(marks_us):
    offsets = []
    for mark_us in marks_us:
        in_slot_us = mark_us % pulses.SLOT_US
        if in_slot_us >= pulses.SLOT_US - pulses.PLACE_US // 2:
            in_slot_us -= pulses.SLOT_US
        nearest = round(in_slot_us / pulses.PLACE_US)
        if in_slot_us < 3.5 * pulses.PLACE_US:
            offsets.append(in_slot_us - nearest * pulses.PLACE_US)
    return median(offsets) if offsets else 0


def slot_of(edge_us):
    spare_us = pulses.SLOT_US - 3 * pulses.PLACE_US
    return (edge_us + spare_us // 2) // pulses.SLOT_US


def value_of(edges, slot):
    if len(edges) != 1 or edges[0][1] > pulses.LONGEST_MARK_US:
        return None
    place = (edges[0][0] - slot * pulses.SLOT_US) / pulses.PLACE_US
    near = [value for value in range(4) if abs(place - value) <= pulses.TOLERANCE]
    return near[0] if near else None
