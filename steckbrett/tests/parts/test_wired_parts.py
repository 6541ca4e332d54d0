"""HC-SR04, buttons, rotary encoder, LED, the character display, and displays of other sizes."""

import pytest
from bench_support.bench import SteppedBoard
from steckbrett.parts import Offence
from steckbrett.parts.sh1106 import SH1106
from steckbrett.parts.ssd1306 import SSD1306Low


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
    from steckbrett.board.bus import BusMessage

    answer = BusMessage(board.address, 1)
    board.bus.i2c_rdwr(answer)
    assert bytes(answer)[0] & 0x80
    board.wait(4_000)
    board.bus.i2c_rdwr(answer)
    assert not bytes(answer)[0] & 0x80


# ---- displays


ON = b"\x00\xae\x20\x00\xa8\x1f\xda\x02\xa1\xc8\x8d\x14\xaf"


def test_a_glass_of_32_rows():
    part = SSD1306Low(1)
    part.write(ON, 0)
    part.write(b"\x00\x21\x00\x7f\x22\x00\x03", 0)
    part.write(b"\x40\x01" + bytes(511), 0)
    assert part.offences(Offence.REFUSED) == []
    rows = part.pixels()
    assert len(rows) == 32
    assert [(y, x) for y, row in enumerate(rows) for x, lit in enumerate(row) if lit] == [(0, 0)]
    part.write(b"\x00\xda\x12", 0)
    assert part.offences(Offence.TORN)[0].endswith("COM pins 0x12 do not fit a 128×32 glass")


def test_an_sh1106_shows_the_middle_of_its_memory():
    part = SH1106()
    part.write(b"\x00\xa1\xc8\xb0\x02\x10", 0)
    part.write(b"\x40\x01" + bytes(126) + b"\x80", 0)
    assert not any(map(any, part.pixels()))
    part.write(b"\x00\xaf", 0)
    lit = [(y, x) for y, row in enumerate(part.pixels()) for x, on in enumerate(row) if on]
    assert lit == [(0, 0), (7, 127)]
    part.write(b"\x00\xa0", 0)
    lit = [(y, x) for y, row in enumerate(part.pixels()) for x, on in enumerate(row) if on]
    assert lit == [(0, 127), (7, 0)]
    part.write(b"\x00\xa7", 0)
    assert sum(map(sum, part.pixels())) == 128 * 64 - 2
    part.write(b"\x00\xad\x8a", 0)
    assert part.offences()[0].endswith("pump switched while the display is on")


def test_an_sh1106_reads_modifies_and_writes():
    part = SH1106()
    part.write(b"\x00\xb0\x05\x10\xe0", 0)
    part.write(b"\x40\xaa", 0)
    part.write(b"\x00\xee", 0)
    part.write(b"\x40\xbb", 0)
    assert part.memory[5] == 0xBB
