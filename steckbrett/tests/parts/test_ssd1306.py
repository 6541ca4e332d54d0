"""The simulated SSD1306 against its data sheet (digest section 2), a low one, and the SH1106."""

import pytest
from bench_support.bench import Busio, adafruit_ssd1306, refused
from steckbrett.board.bus import SimulatedSMBus
from steckbrett.parts import Offence
from steckbrett.parts.sh1106 import COLUMNS, SH1106
from steckbrett.parts.ssd1306 import SSD1306, SSD1306Low

START_UP = (
    0xAE, 0x20, 0x00, 0x40, 0xA1, 0xA8, 0x3F, 0xC8, 0xD3, 0x00, 0xDA, 0x12, 0xD5, 0x80, 0xD9, 0xF1,
    0xDB, 0x30, 0x81, 0xFF, 0xA4, 0xA6, 0xAD, 0x30, 0x8D, 0x14, 0xAF,
)  # fmt: skip
WINDOW = (0x21, 0, 127, 0x22, 0, 7)


class Bench:
    def __init__(self, seed=1):
        self.part = SSD1306(seed)
        self.t_us = 1_000

    def command(self, *commands):
        self.part.write(bytes((0x00, *commands)), self.t_us)

    def data(self, data):
        self.part.write(b"\x40" + bytes(data), self.t_us)


@pytest.fixture
def fresh():
    return Bench()


@pytest.fixture
def bench():
    """A panel after the usual start-up, its memory cleared, upright."""
    bench = Bench()
    bench.command(*START_UP)
    bench.command(*WINDOW)
    bench.data(bytes(1024))
    return bench


def lit(part):
    return {(x, y) for y, row in enumerate(part.pixels()) for x in range(128) if row[x]}


def point(bench, column, page, byte=0x01):
    bench.command(0x21, column, 127, 0x22, page, 7)
    bench.data((byte,))


# ---- memory and glass


def test_memory_is_random_after_power_up_and_the_panel_is_dark(fresh):
    memory = fresh.part.memory
    assert len(memory) == 1024
    assert len(set(memory)) > 200
    assert memory != SSD1306(2).memory
    assert memory == SSD1306(1).memory
    assert lit(fresh.part) == set()


def test_a_byte_lands_where_a_person_reads_it(bench):
    point(bench, 5, 2, 0x81)
    assert (lit(bench.part), bench.part.memory[2 * 128 + 5]) == ({(5, 16), (5, 23)}, 0x81)
    assert bench.part.violations == []


def test_segments_are_live_100_ms_after_af(bench):
    bench.command(0xAE)
    bench.t_us = 2_000_000
    point(bench, 0, 0)
    bench.command(0xAF)
    assert not bench.part.pixels(2_099_999)[0][0]
    assert bench.part.pixels(2_100_000)[0][0]


def test_without_the_charge_pump_the_panel_stays_dark(fresh):
    fresh.command(*START_UP[:-3], 0xAF)
    assert fresh.part.is_on
    assert not fresh.part.is_lit
    assert lit(fresh.part) == set()
    assert fresh.part.violations == []


def test_remap_mirrors_only_what_is_written_afterwards(bench):
    point(bench, 3, 0)
    bench.command(0xA0)
    assert lit(bench.part) == {(3, 0)}
    point(bench, 3, 1)
    assert (lit(bench.part), bench.part.memory[128 + 124]) == ({(3, 0), (124, 8)}, 1)


def test_c0_turns_the_rows_over_at_once(bench):
    point(bench, 3, 0)
    bench.command(0xC0)
    assert lit(bench.part) == {(3, 63)}


def test_start_line_and_offset_shift_the_rows(bench):
    point(bench, 0, 1)  # RAM line 8
    bench.command(0x40 | 3)
    assert lit(bench.part) == {(0, 5)}
    bench.command(0x40, 0xD3, 3)
    assert lit(bench.part) == {(0, 5)}
    bench.command(0xC0)
    assert lit(bench.part) == {(0, 58)}


def test_multiplex_leaves_the_other_rows_dark(bench):
    bench.command(0xA8, 31, 0xA5)
    assert {y for _, y in lit(bench.part)} == set(range(32, 64))


def test_all_on_and_inverse_leave_the_memory_alone(bench):
    point(bench, 0, 0)
    memory = bench.part.memory
    bench.command(0xA7)
    assert len(lit(bench.part)) == 64 * 128 - 1
    bench.command(0xA6, 0xA5)
    assert len(lit(bench.part)) == 64 * 128
    bench.command(0xA4)
    assert (lit(bench.part), bench.part.memory) == ({(0, 0)}, memory)


def test_wrong_com_pins_interleave_the_picture_and_are_refused(bench):
    for page in range(4):
        bench.command(0x21, 0, 127, 0x22, page, 7)
        bench.data(b"\xff")
    assert {y for _, y in lit(bench.part)} == set(range(32))
    bench.command(0xDA, 0x02)
    assert {y for _, y in lit(bench.part)} in (set(range(0, 64, 2)), set(range(1, 64, 2)))
    refused(bench, "COM pins 0x02")
    bench.command(0xDA, 0x32)
    assert {y for _, y in lit(bench.part)} == set(range(32)), "neighbouring rows change places"


# ---- pointers


def test_horizontal_window_wraps_inside_itself(bench):
    bench.command(0x21, 10, 12, 0x22, 2, 3)
    bench.data(range(1, 9))
    memory = bench.part.memory
    assert memory[2 * 128 + 10 : 2 * 128 + 13] == bytes((7, 8, 3))
    assert memory[3 * 128 + 10 : 3 * 128 + 13] == bytes((4, 5, 6))
    assert sum(1 for byte in memory if byte) == 6


def test_vertical_mode_goes_down_first(bench):
    bench.command(0x20, 0x01, 0x21, 10, 11, 0x22, 2, 4)
    bench.data(range(1, 8))
    memory = bench.part.memory
    assert [memory[page * 128 + 10] for page in (2, 3, 4)] == [7, 2, 3]
    assert [memory[page * 128 + 11] for page in (2, 3, 4)] == [4, 5, 6]


def test_page_mode_stays_on_its_page():
    bench = Bench()
    bench.command(0xA1, 0xB3, 0x0E, 0x17)
    bench.data((1, 2, 3))
    memory = bench.part.memory
    assert (memory[3 * 128 + 126 : 3 * 128 + 128], memory[3 * 128]) == (bytes((1, 2)), 3)
    assert bench.part.violations == []


# ---- framing


def test_parameters_may_come_in_later_transfers(bench):
    for byte in (0x81, 0x42):
        bench.part.write(bytes((0x80, byte)), 0)
        bench.part.stop()
    assert bench.part.contrast == 0x42


def test_single_and_streaming_control_bytes_mix_in_one_transfer(bench):
    bench.command(*WINDOW)
    bench.part.write(bytes((0x80, 0x81, 0x80, 0x11, 0xC0, 0xAA, 0x00, 0xA7)), 0)
    assert (bench.part.contrast, bench.part.memory[0], bench.part.violations) == (0x11, 0xAA, [])


def test_unknown_control_byte_is_refused(bench):
    bench.part.write(bytes((0x20, 0xAE)), bench.t_us)
    refused(bench, "control byte 0x20")
    assert bench.part.is_on


def test_control_byte_without_a_command_is_refused(bench):
    bench.part.write(b"\x80", bench.t_us)
    refused(bench, "nothing behind it")


def test_data_amid_parameters_is_refused(bench):
    bench.command(0x81)
    bench.data(b"\x00")
    refused(bench, "amid the parameters of command 0x81")


def test_a_status_byte_says_whether_it_is_off_and_nothing_else_is_read(bench):
    assert bench.part.read(1, bench.t_us)[0] & 0xF0 == 0x00
    bench.command(0xAE)
    assert bench.part.read(1, bench.t_us)[0] & 0xF0 == 0x40
    assert bench.part.violations == []
    bench.part.read(2, bench.t_us)
    refused(bench, "only a status byte")


# ---- refused commands


@pytest.mark.parametrize(
    ("commands", "text"),
    [
        ((0xE4,), "unknown command 0xE4"),
        ((0x2C,), "unknown command 0x2C"),
        ((0x23, 0x00), "later revisions"),
        ((0xD6, 0x01), "later revisions"),
        ((0xAD, 0x8B), "0xAD 0x8B"),
        ((0x20, 0x03), "addressing mode 0x03"),
        ((0x20, 0x10), "addressing mode 0x10"),
        ((0x21, 20, 10), "start 20 and end 10"),
        ((0x21, 0, 128), "end 128"),
        ((0x22, 0, 8), "end 8"),
        ((0xB0,), "page mode only"),
        ((0x00,), "page mode only"),
        ((0x10,), "page mode only"),
        ((0xA8, 14), "0xA8"),
        ((0xA8, 64), "0xA8"),
        ((0xD3, 64), "0xD3"),
        ((0xD9, 0x20), "0xD9"),
        ((0xD9, 0x02), "0xD9"),
        ((0xDA, 0x13), "0xDA"),
        ((0xDB, 0x40), "0xDB"),
        ((0xA3, 10, 60), "0xA3"),
        ((0x8D, 0x15), "charge pump setting 0x15"),
        ((0x8D, 0x10), "while the display is on"),
        ((0x2F,), "before it was set up"),
        ((0x26, 0x00, 0, 0, 7, 0x00, 0x00), "scroll command 0x26"),
        ((0x29, 0x00, 3, 0, 2, 1), "scroll command 0x29"),
        ((0x2A, 0x00, 0, 0, 7, 64), "scroll command 0x2A"),
    ],
)
def test_what_the_sheet_does_not_allow_is_refused(bench, commands, text):
    bench.command(*commands)
    refused(bench, text)


def test_a_refused_window_leaves_the_old_one(bench):
    bench.command(0x21, 4, 6)
    bench.command(0x21, 20, 10)
    bench.data((1, 2, 3, 4))
    assert (bench.part.memory[4:7], bench.part.memory[128 + 4]) == (bytes((1, 2, 3)), 4)


@pytest.mark.parametrize(
    ("commands", "text"),
    [
        ((0x21, 0, 127), "in page mode"),
        ((0x22, 0, 7), "in page mode"),
        ((0x18,), "beyond column 127"),
    ],
)
def test_what_page_mode_does_not_allow_is_refused(fresh, commands, text):
    fresh.command(*commands)
    refused(fresh, text)


def test_data_in_page_mode_after_a_narrow_window_is_refused(bench):
    bench.command(0x21, 4, 6, 0x20, 0x02)
    bench.data(b"\x00")
    refused(bench, "page mode after a column window")


def test_pointer_outside_the_window_is_refused():
    bench = Bench()
    bench.command(0x20, 0x00, 0x21, 0, 10, 0x22, 0, 1, 0x20, 0x02, 0xB5, 0x0F, 0x20, 0x00)
    bench.data(b"\x01")
    assert len(bench.part.violations) == 2
    assert "column 15 outside" in bench.part.violations[0]
    assert "page 5 outside" in bench.part.violations[1]


def test_scrolling_forbids_ram_access_and_set_up(bench):
    bench.command(0x26, 0x00, 0, 0, 7, 0x00, 0xFF, 0x2F)
    assert bench.part.offences(Offence.UNMODELLED) == bench.part.violations
    bench.data(b"\x00")
    assert "RAM access while scrolling" in bench.part.offences(Offence.TORN)[0]
    bench.command(0xA3, 0, 64)
    assert "0xA3 while scrolling" in bench.part.offences(Offence.REFUSED)[0]
    bench.command(0x2E)
    bench.data(b"\x00")
    assert len(bench.part.violations) == 3


def test_every_allowed_drive_setting_is_taken(bench):
    bench.command(0xA8, 15, 0xA8, 63, 0xD3, 63, 0xD5, 0xF0, 0xD9, 0x11, 0xDB, 0x20, 0xA3, 0, 64)
    bench.command(0xE3, 0x2E)
    bench.part.write(b"", 0)
    bench.part.write(b"\x40", 0)
    assert bench.part.violations == []


# ---- the unmodified Adafruit class


@pytest.fixture
def adafruit():
    part = SSD1306(4)
    bus = SimulatedSMBus({0x3C: part}, lambda: 0)
    return part, bus, adafruit_ssd1306.SSD1306_I2C(128, 64, Busio(bus))


def test_adafruit_class_starts_within_the_sheet_but_shows_old_memory(adafruit):
    part, bus, _ = adafruit
    assert part.violations == []
    assert part.is_lit
    assert part.memory == bytes(1024)
    assert (bus.transactions, bus.bytes) == (36, 1093)


# ---- other glasses


ON_32 = b"\x00\xae\x20\x00\xa8\x1f\xda\x02\xa1\xc8\x8d\x14\xaf"


def test_a_glass_of_32_rows():
    part = SSD1306Low(1)
    part.write(ON_32, 0)
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


def test_an_sh1106_gives_its_memory_back_after_a_dummy_byte():
    part = SH1106()
    part.write(b"\x00\xb3\x02\x10", 0)
    part.write(b"\x40\x11\x22", 0)
    part.write(b"\x00\xb3\x02\x10", 0)
    part.write(b"\x40", 0)
    assert part.read(3, 0) == b"\x00\x11\x22"
    assert part.memory[3 * COLUMNS + 2 :][:2] == b"\x11\x22"


def test_an_sh1106_column_stops_at_the_end_and_parameters_are_skipped():
    part = SH1106()
    part.write(b"\x00\x81\xb5\x8f", 0)
    part.write(b"\x40" + bytes(range(140)), 0)
    assert part.memory[COLUMNS - 1] == 139
    assert not any(part.memory[COLUMNS:])
    part.write(b"\x55", 0)
    assert len(part.violations) == 2
