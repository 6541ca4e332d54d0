"""Each output of each part moves its wire when it moves itself, without anybody who asks the part.

Two equal boards have the same script. On one, a wire follows the part. On the other the part is
asked every few µs.
"""

from typing import NamedTuple

import pytest
from bench_support.bench import SteppedBoard
from steckbrett.parts.catalogue import KINDS, make

PIN, TRIGGER = 17, 18
DETECTED_LATE_US = 20_000


class Case(NamedTuple):
    """``puts`` are written at first, ``reads`` read every ``every_us``, each from a register on."""

    kind: str
    pin: str
    puts: tuple[bytes, ...] = ()
    reads: tuple[tuple[int, int], ...] = ()
    every_us: int = 300_000
    worlds: tuple[str, ...] = ()
    until_us: int = 2_000_000
    step_us: int = 500
    late_us: int = 0


def adxl345():
    """Each interrupt on each pin, alone and while the other pin is high."""
    tapped = (b"\x1d\x30", b"\x21\x30\x50\xff", b"\x2a\x07")
    moved = (b"\x24\x08\x04\x01\xff", b"\x28\x07\x14")
    sources = {
        0x80: ((), ()),
        0x40: (tapped, ("tap=0.41", "tap=1.33")),
        0x20: (tapped, ("tap=0.41", "tap=0.56")),
        0x10: (moved, ("shake=0.5+0.3",)),
        0x08: (moved, ("shake=0.2+0.2",)),
        0x04: (moved, ("fall=0.7+0.4",)),
        0x02: ((b"\x38\x88",), ()),
        0x01: ((), ()),
    }
    for source, (puts, worlds) in sources.items():
        late_us = DETECTED_LATE_US if source & 0x7C else 0
        for pin, mapped in (("int1", 0), ("int2", source)):
            for other in (0, 0x80 if source != 0x80 else 0x40):
                to = mapped | (0 if mapped else other)
                told = (bytes((0x2E, source | other, to)), b"\x2d\x08")
                reads = ((0x30, 1),) if other else ((0x30, 1), (0x32, 6))
                yield Case("adxl345", pin, (b"\x31\x0b", *puts, *told), reads, 300_000, worlds,
                           late_us=late_us)  # fmt: skip


CASES = [
    *adxl345(),
    Case("mpu6050", "int", (b"\x6b\x00", b"\x38\x01"), step_us=10, until_us=12_000),
    Case("mpu6050", "int", (b"\x37\xa0\x01", b"\x6b\x00"), ((0x3A, 1),), 7_000, step_us=10,
         until_us=40_000),
    *(Case("ds3231", "sqw", (bytes((0x0E, rate << 3)),), step_us=20, until_us=1_000_000 >> 3 * rate)
      for rate in (1, 2, 3)),
    Case("ds3231", "sqw", (b"\x0e\x00",), until_us=3_000_000),
    Case("ds3231", "32k", step_us=2, until_us=3_000),
    Case("ds3231", "sqw", (b"\x07\x03\x80\x80\x80", b"\x0e\x05"), until_us=5_000_000),
    Case("ds3231", "sqw", (b"\x00\x58", b"\x0b\x80\x80\x80", b"\x0e\x06"), until_us=5_000_000),
    Case("ads1115", "alert", (b"\x02\x10\x00\x10", b"\x03\x20\x00", b"\x01\x42\xe0"),
         worlds=("ads1115.a0=3.0@0.2", "ads1115.a0=0.0@1.0")),
    Case("ads1115", "alert", (b"\x02\x10\x00", b"\x03\x20\x00", b"\x01\x42\xe4"), ((0, 2),),
         500_000, worlds=("ads1115.a0=3.0@0.2", "ads1115.a0=0.0@1.0")),
    Case("ads1115", "alert", (b"\x02\x00\x00", b"\x03\x80\x00", b"\x01\x42\xe0"), step_us=2,
         until_us=6_000),
    Case("ads1115", "alert", (b"\x02\x00\x00", b"\x03\x80\x00", b"\x01\xc3\xe0"), step_us=2,
         until_us=6_000),
    Case("ttp223", "q", worlds=("press=1.0+0.5", "press=3.0+17"), until_us=20_000_000,
         step_us=2_000),
    Case("button", "out", worlds=("press=0.5+0.3",), step_us=20, until_us=900_000),
    Case("high-button", "out", worlds=("press=0.5+0.3",), step_us=20, until_us=900_000),
    Case("encoder", "a", worlds=("encoder.turn=3@0.1",), step_us=20, until_us=200_000),
    Case("encoder", "b", worlds=("encoder.turn=-3@0.1",), step_us=20, until_us=200_000),
    Case("encoder", "button", worlds=("press=0.1+0.1",), step_us=20, until_us=300_000),
    Case("mcp3008", "miso", worlds=("mcp3008.ch0=2.2@0",), step_us=20, until_us=1_000),
    Case("hc-sr04", "echo", worlds=("hc-sr04.distance=0.5@0.2",), step_us=20, until_us=400_000),
]  # fmt: skip


def levels(case, follow):
    """Return the changes of the output as (time in µs, level), looked at every ``step_us``."""
    name, up = case.kind, case.kind != "high-button"
    wires = {PIN: f"{name}.{case.pin}"} if follow else {}
    if case.kind == "hc-sr04":
        wires[TRIGGER] = f"{name}.trig"
    worlds = [words for words in case.worlds if not words.startswith("press")]
    presses = [words.replace("press", name) for words in case.worlds if words.startswith("press")]
    board = SteppedBoard(
        name, wires=wires, pulls={PIN: "up" if up else "down"}, worlds=worlds, presses=presses
    )
    part = board.parts[name]
    found, before, read_us = [], None, 0
    for data in case.puts:
        board.put(*data)
    for t_us in range(board.bus.clock_ns // 1000 + 1, case.until_us, case.step_us):
        board.clock.advance(t_us)
        if t_us >= read_us + case.every_us:
            read_us = t_us
            for register, count in case.reads:
                board.get(register, count)
            if case.kind == "hc-sr04":
                board.pins.put(TRIGGER, 1)
        elif case.kind == "hc-sr04":
            board.pins.put(TRIGGER, t_us % 100_000 < 40)
        elif case.kind == "mcp3008":  # the host asks for a channel by its clock
            for number, level in ((8, 0), (10, 1), (11, t_us // case.step_us % 2)):
                board.pins.put(number, level)
        if follow:
            level = board.pins[PIN].level
        else:
            part.advance(t_us)
            level = part.output(case.pin)
            level = int(up) if level is None else level
        if level != before:
            found.append((t_us, level))
            before = level
    return found


def test_every_output_of_the_catalogue_has_a_case():
    wanted = {(kind, pin) for kind in KINDS for pin in make(kind, 0, 0).outputs}
    assert {(case.kind, case.pin) for case in CASES} == wanted


@pytest.mark.parametrize(
    "case", CASES, ids=[f"{case.kind}-{case.pin}-{number}" for number, case in enumerate(CASES)]
)
def test_a_wire_follows_its_part(case):
    asked, followed = levels(case, follow=False), levels(case, follow=True)
    assert len(asked) > 1, "the output never moves"
    assert [level for _, level in followed] == [level for _, level in asked]
    late = [got - due for (got, _), (due, _) in zip(followed, asked)]
    assert min(late) >= 0
    assert max(late) <= case.late_us + case.step_us
