"""HC-SR04, buttons, rotary encoder, LED, touch pad, the character display, and every output."""

import math
from typing import NamedTuple

import pytest
from bench_support.bench import SteppedBoard
from steckbrett.board.bus import BusMessage
from steckbrett.parts import Offence
from steckbrett.parts.catalogue import KINDS, make
from steckbrett.parts.on_pins import TTP223


def ranging():
    return SteppedBoard("hc-sr04", wires={23: "hc-sr04.trig", 24: "hc-sr04.echo"})


def ping(board, us=10):
    board.pins.put(23, 1)
    board.wait(us)
    board.pins.put(23, 0)


def test_an_echo_lasts_as_long_as_sound_takes():
    board = ranging()
    board.world("hc-sr04", distance=lambda _t: 1.715)
    ping(board)
    board.wait(50_000)
    echo = board.pins[24]
    assert echo.rose_us == 470
    assert echo.fell_us - echo.rose_us == 10_000
    board.world("hc-sr04", distance=lambda _t: 7.0)
    board.wait(50_000)
    ping(board)
    board.wait(38_000)
    assert board.pins[24].level == 1
    assert board.offences() == []


def test_a_short_or_an_early_trigger_is_no_good():
    board = ranging()
    ping(board, 5)
    ping(board)
    board.wait(1_000)
    ping(board)
    board.wait(30_000)
    ping(board)
    assert board.told(Offence.REFUSED) == [
        "trigger of 5 µs: at least 10 µs",
        "trigger during a measurement",
    ]
    assert len(board.told(Offence.TORN)) == 1
    assert board.part.measurements == 2


def test_a_button_bounces_and_settles():
    board = SteppedBoard("button", wires={5: "button.out"}, pulls={5: "up"}, seed=2)
    for _ in range(20):
        for down in (True, False):
            board.act("button", "press", down)
            board.wait(50_000)
            assert board.pins[5].level == 1 - down
    assert 20 < board.pins[5].falls <= 60
    board.part.bounces = False
    falls = board.pins[5].falls
    board.act("button", "press", True)
    board.wait(50_000)
    assert board.pins[5].falls == falls + 1


def test_a_button_to_the_supply():
    board = SteppedBoard("high-button", wires={5: "high-button.out"}, pulls={5: "down"})
    board.act("high-button", "press", True)
    board.wait(50_000)
    assert board.pins[5].level == 1


@pytest.mark.parametrize("steps", [3, -3])
def test_an_encoder_turns_both_ways(steps):
    wires = {5: "encoder.a", 6: "encoder.b", 13: "encoder.button"}
    board = SteppedBoard("encoder", wires=wires, pulls=dict.fromkeys(wires, "up"))
    board.part.bounces = False
    seen = []
    board.pins.on_change.append(
        lambda pin, level: seen.append(board.pins[6].level) if pin == 5 and not level else None
    )
    board.act("encoder", "turn", steps)
    board.act("encoder", "press", True)
    board.wait(160_000)
    assert seen == [int(steps > 0)] * 3
    assert board.pins[13].level == 0


def test_an_encoder_has_pull_ups_and_a_speed():
    board = SteppedBoard("encoder", wires={5: "encoder.a", 6: "encoder.b"})
    board.part.bounces = False
    assert (board.pins[5].level, board.pins[5].floating) == (1, False)
    falls = []
    board.pins.on_change.append(
        lambda pin, level: falls.append(board.now_us()) if pin == 5 and not level else None
    )
    board.world("encoder", speed=5.0)
    board.act("encoder", "turn", 3)
    board.wait(1_000_000)
    assert [math.ceil(late / 1000) for late in falls] == [0, 200, 400]


def test_an_led_counts_its_flashes():
    board = SteppedBoard("led", wires={18: "led.in"})
    for _ in range(3):
        board.pins.put(18, 1)
        board.wait(1_000)
        board.pins.put(18, 0)
        board.wait(500)
    board.pins.put(18, 1)
    board.wait(1_000)
    assert (board.part.flashes, board.part.is_lit) == (4, True)
    assert board.part.lit_us(board.now_us()) == 4_000


# ---- touch pad (digest section 5)

S = 1_000_000


def response_us(pad, t_us, *, down=True):
    """Touch or lift at t_us; return how long the output takes to follow."""
    pad.touch(down, t_us)
    due_us = pad.next_event_us()
    for now_us, level in ((due_us - 1, not down), (due_us, down)):
        pad.advance(now_us)
        assert pad.level == level
    return due_us - t_us


@pytest.mark.parametrize("seed", range(10))
def test_first_touch_is_slow_the_next_ones_are_fast(seed):
    pad = TTP223(seed)
    assert 80_000 <= response_us(pad, 1 * S) <= 220_000
    assert 20_000 <= response_us(pad, 2 * S, down=False) <= 60_000
    assert pad.next_event_us() is None, "nothing is dropped any more"
    assert 20_000 <= response_us(pad, 3 * S) <= 60_000


def test_back_to_low_power_12_s_after_the_release():
    pad = TTP223(1)
    response_us(pad, 1 * S)
    released_us = 2 * S + response_us(pad, 2 * S, down=False)
    assert response_us(pad, released_us + 11 * S) <= 60_000
    released_us = 15 * S + response_us(pad, 15 * S, down=False)
    assert response_us(pad, released_us + 12 * S) >= 80_000


def test_touch_in_the_first_half_second_is_not_seen_until_lifted():
    pad = TTP223(1, 3 * S)
    pad.touch(True, 3 * S + 499_999)
    assert pad.next_event_us() is None
    pad.touch(False, 5 * S)
    assert pad.next_event_us() is None
    assert response_us(pad, 6 * S) > 0


def test_touch_shorter_than_the_response_is_not_seen():
    pad = TTP223(1)
    pad.touch(True, 1 * S)
    pad.touch(False, 1 * S + 70_000)
    assert pad.next_event_us() is None
    pad.advance(2 * S)
    assert pad.level == 0


def test_long_hold_is_dropped_and_not_seen_again_until_lifted():
    pad = TTP223(5)
    response_us(pad, 1 * S)
    dropped_us = pad.next_event_us()
    assert 7_500_000 <= dropped_us - 1 * S <= 15_300_000
    pad.advance(dropped_us)
    assert pad.level == 0
    assert pad.next_event_us() is None
    pad.touch(True, 30 * S)
    assert pad.next_event_us() is None
    pad.touch(False, 31 * S)
    assert response_us(pad, 32 * S) > 0


# ---- character display


def nibble(board, value, rs=0):
    for byte in (value | rs | 0x0C, value | rs | 0x08):
        board.put(byte)


def instruct(board, value, us=2_000, rs=0):
    nibble(board, value & 0xF0, rs)
    nibble(board, value << 4 & 0xF0, rs)
    board.wait(us)


def begun(kind="lcd1602"):
    board = SteppedBoard(kind)
    board.wait(50_000)
    for wait_us in (5_000, 200, 200):
        nibble(board, 0x30)
        board.wait(wait_us)
    nibble(board, 0x20)
    board.wait(100)
    for value in (0x28, 0x0C, 0x06, 0x01):
        instruct(board, value)
    return board


def write(board, text):
    for letter in text:
        instruct(board, ord(letter), 50, 1)


def test_a_character_display_shows_text():
    board = begun()
    write(board, "Hello")
    instruct(board, 0xC0)
    write(board, "21.5 \xdfC")
    assert board.part.lines == ("Hello           ", "21.5 °C         ")
    assert (board.part.is_lit, board.offences()) == (True, [])
    instruct(board, 0x1C)
    assert board.part.lines[0].startswith(" Hell")
    instruct(board, 0x08)
    assert board.part.lines == (" " * 16,) * 2


def test_a_character_of_the_hosts_own():
    board = begun()
    instruct(board, 0x48)
    write(board, "\x04\x0e\x1f\x04\x04\x04\x04\x00")
    instruct(board, 0x80)
    write(board, "\x01")
    assert board.part.lines[0][0] == "①"
    assert board.part.pictures[1] == bytes((4, 14, 31, 4, 4, 4, 4, 0))


def test_four_lines_follow_the_second():
    board = begun("lcd2004")
    for start in (0x80, 0xC0, 0x94, 0xD4):
        instruct(board, start)
        write(board, f"line {start:02X}")
    assert [line.strip() for line in board.part.lines] == [
        "line 80",
        "line C0",
        "line 94",
        "line D4",
    ]


def test_a_display_at_work_is_left_alone():
    board = begun()
    instruct(board, 0x01, 100)
    instruct(board, 0x80)
    (line,) = board.told(Offence.REFUSED)
    assert line.startswith("sent while the display was at work for")


def test_a_display_is_ready_when_the_program_begins_and_busy_when_plugged_in():
    board = SteppedBoard("lcd1602")
    for wait_us in (1_500, 200, 200):
        nibble(board, 0x30)
        board.wait(wait_us)
    assert board.told(Offence.REFUSED) == []
    assert board.told(Offence.UNLISTED) == ["a wait of the initialization is too short"]
    board.unplug("lcd1602")
    board.replug("lcd1602")
    nibble(board, 0x30)
    (line,) = board.told(Offence.REFUSED)
    assert line.startswith("sent while the display was at work for")


def test_the_busy_flag_can_be_read():
    board = begun()
    instruct(board, 0x01, 0)
    board.put(0xFE & ~0x05 | 0x04)  # RW and E, all data pins high
    answer = BusMessage(board.address, 1)
    board.bus.i2c_rdwr(answer)
    assert bytes(answer)[0] & 0x80
    board.wait(4_000)
    board.bus.i2c_rdwr(answer)
    assert not bytes(answer)[0] & 0x80


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
