"""BME280, BH1750, ADS1115, PCF8591 and DS3231 by raw transfers, as their sheets describe them."""

from datetime import datetime

import pytest
from bench_support.bench import SteppedBoard, words
from steckbrett.board.bus import BusMessage
from steckbrett.parts import Offence
from steckbrett.parts.bh1750 import BH1750

# ---- BME280: the formulas of the sheet, a second time, are those of the driver's test


def test_a_forced_measurement_ends_and_the_part_sleeps():
    board = SteppedBoard("bme280")
    assert board.get(0xF7, 8) == b"\x80\0\0\x80\0\0\x80\0"
    assert board.told(Offence.TORN) == ["data read before the first measurement ended"]
    board.put(0xF2, 1, 0xF4, 0x25)
    assert board.get(0xF3) == b"\x08"
    assert board.part.measuring_us in range(8_000, 9_300)
    board.wait(12_000)
    assert (board.get(0xF3), board.get(0xF4)) == (b"\x00", b"\x24")
    assert board.get(0xF7, 8) != b"\x80\0\0\x80\0\0\x80\0"


def test_humidity_counts_from_the_next_write_of_ctrl_meas():
    board = SteppedBoard("bme280")
    board.put(0xF4, 0x25)
    board.put(0xF2, 1)
    board.wait(20_000)
    assert board.get(0xF7, 8)[6:] == b"\x80\0"
    board.put(0xF4, 0x25)
    board.wait(20_000)
    assert board.get(0xF7, 8)[6:] != b"\x80\0"


def test_a_filter_follows_slowly():
    board = SteppedBoard("bme280")
    board.put(0xF5, 0x04 | 5 << 5)
    board.put(0xF4, 0x27)
    board.wait(100_000)
    before = board.get(0xFA, 3)
    board.world("bme280", temperature=lambda _t: 40.0)
    board.wait(1_000_000)
    once = board.get(0xFA, 3)
    board.wait(20_000_000)
    assert before < once < board.get(0xFA, 3)
    board.put(0xF5, 0)
    assert board.told() == ["config written in normal mode: it may be ignored"]


def test_registers_that_programs_use_and_no_sheet_lists_are_not_refused():
    board = SteppedBoard("bme280")
    assert board.get(0xD0, 2) == b"\x60\x00"
    assert board.told() == ["read of register 0xD1"]
    board = SteppedBoard("mpu6050")
    board.put(0x13, 0x01, 0x02)
    assert board.get(0x13, 2) == b"\x01\x02"
    assert board.told(Offence.REFUSED) == []


def test_wrong_words_to_a_bme280_are_refused():
    board = SteppedBoard("bme280")
    board.put(0xE0, 1)
    board.put(0xF5, 1)
    board.put(0xD0, 1)
    assert len(board.told(Offence.REFUSED)) == 2
    assert board.told(Offence.UNMODELLED) == ["spi3w_en of config is not modelled"]
    board.put(0xE0, 0xB6)
    assert board.get(0xF5) == b"\x00"


def test_a_bme280_starts_up_and_measures_by_both_codes():
    board = SteppedBoard("bme280")
    assert board.get(0xF3) == b"\x00"
    board.put(0xE0, 0xB6)
    assert (board.get(0xF3), board.get(0xE0)) == (b"\x01", b"\x00")
    board.wait(5_000)
    board.put(0xF4, 0x26)
    board.wait(20_000)
    assert (board.get(0xF3), board.get(0xF4)) == (b"\x00", b"\x24")


def test_noise_is_that_of_the_seed():
    def readings(seed):
        board = SteppedBoard("bme280", seed=seed)
        board.put(0xF4, 0x27)
        return [board.get(0xF7, 6) for _ in range(20) if not board.wait(20_000)]

    assert readings(1) == readings(1) != readings(2)
    assert len(set(readings(1))) > 10


# ---- BH1750


def lit(lux, *opcodes):
    """A light sensor in such light, which got these opcodes at once."""
    part = BH1750(3)
    part.illuminance = lambda _t_us: lux
    for opcode in opcodes:
        part.write(bytes((opcode,)), 0)
    return part


def test_a_one_shot_measures_once_and_powers_down():
    part = lit(100.0, 0x21)
    first = part.read(2, 400_000)
    part.illuminance = lambda _t_us: 900.0
    assert part.read(2, 900_000) == first
    assert int.from_bytes(first) == round(200.0 * part.counts_per_lux)
    assert part.violations == []


def test_low_resolution_counts_in_steps_of_four():
    assert int.from_bytes(lit(51.0, 0x13).read(2, 30_000)) % 4 == 0


def test_measuring_time_scales_time_and_counts_and_is_not_changed_in_mid_measurement():
    part = lit(100.0, 0x44, 0x6A, 0x10)  # MTreg 138
    assert part.conversion_us == pytest.approx(240_000 * part.clock_factor)
    assert int.from_bytes(part.read(2, 500_000)) == round(200.0 * part.counts_per_lux)
    assert part.violations == []
    part.write(b"\x42", 500_010)
    assert "power down first" in part.violations[0]


# ---- ADS1115


def config(board):
    return int.from_bytes(board.get(1, 2))


def test_a_single_conversion():
    board = SteppedBoard("ads1115")
    board.world("ads1115", a1=lambda _t: 1.0, a0=lambda _t: 3.0)
    assert config(board) == 0x8583
    board.put(1, 0xD5, 0x83)  # begin, A1 against ground, ±2.048 V, 128 a second
    assert config(board) == 0x5583
    board.wait(9_000)
    assert config(board) == 0xD583
    assert words(board.get(0, 2)) == [16000]
    assert board.offences() == []


@pytest.mark.parametrize(
    ("mux", "volts"), [*enumerate((-0.1, -0.6, -0.5, -0.3, 0.1, 0.2, 0.4, 0.7))]
)
def test_the_multiplexer_takes_a_pair_or_one_input(mux, volts):
    board = SteppedBoard("ads1115")
    board.world("ads1115", a0=0.1, a1=0.2, a2=0.4, a3=0.7)
    board.put(1, 0x85 | mux << 4, 0x83)
    board.wait(9_000)
    assert words(board.get(0, 2)) == [pytest.approx(volts * 16_000, abs=2)]


def test_two_inputs_against_each_other_and_one_beyond_the_supply():
    board = SteppedBoard("ads1115")
    board.world("ads1115", a0=lambda _t: 0.5, a1=lambda _t: 1.0)
    board.put(1, 0x85, 0x83)
    board.wait(9_000)
    assert words(board.get(0, 2)) == [-8000]
    board.world("ads1115", a0=lambda _t: 5.0)
    board.put(1, 0x81, 0x83)  # ±6.144 V
    board.wait(9_000)
    assert words(board.get(0, 2)) == [pytest.approx(2.6 / 6.144 * 32768, abs=2)], "held at 3.6 V"
    assert board.told() == ["A0 is beyond the supply: at most 3.6 V, at least -0.3 V"]


def test_a_result_read_too_early_is_torn():
    board = SteppedBoard("ads1115")
    board.put(1, 0xC3, 0x83)
    board.get(0, 2)
    assert board.told(Offence.TORN) == ["result read before the first conversion ended"]


def test_alert_follows_the_comparator_or_tells_of_results():
    board = SteppedBoard("ads1115", wires={4: "ads1115.alert"}, pulls={4: "up"})
    volts = [0.0]
    board.world("ads1115", a0=lambda _t: volts[0])
    board.put(3, 0x20, 0)
    board.put(2, 0x10, 0)
    board.put(1, 0x42, 0x80)  # continuous, A0, comparator after one result
    levels = []
    for volts[0] in (0.0, 2.0, 0.8, 0.2):
        board.wait(20_000)
        levels.append(board.pins[4].level)
    assert levels == [1, 0, 0, 1]
    board.put(3, 0x80, 0)
    board.put(2, 0x00, 0)
    falls = board.pins[4].falls
    board.wait(1_000_000)
    assert 115 <= board.pins[4].falls - falls <= 142


def test_a_general_call_resets_a_converter_and_nobody_else_answers_it():
    board = SteppedBoard("ads1115", "bh1750")
    board.put(1, 0xC3, 0x83)
    board.bus.i2c_rdwr(BusMessage(0, b"\x06"))
    assert board.get(1, 2) == b"\x85\x83"
    board.unplug("ads1115")
    with pytest.raises(OSError, match="Remote I/O"):
        board.bus.i2c_rdwr(BusMessage(0, b"\x06"))


def test_an_open_input_floats_by_the_seed():
    def volts(seed):
        board = SteppedBoard("ads1115", seed=seed)
        board.put(1, 0xC3, 0x83)
        board.wait(20_000)
        return words(board.get(0, 2))[0] / 8000

    assert 0.1 < volts(1) < 0.8
    assert volts(1) == volts(1) != volts(2)
    levels = [SteppedBoard(seed=seed).pins.read(5) for seed in range(20)]
    assert 2 < sum(levels) < 18


def test_a_converter_ends_a_conversion_with_its_own_settings():
    board = SteppedBoard("ads1115")
    board.world("ads1115", a0=1.0, a1=2.0)
    board.put(1, 0xC3, 0x83)
    board.put(1, 0xD3, 0x83)
    board.wait(20_000)
    assert words(board.get(0, 2)) == [8000]
    assert board.told() == ["a conversion asked for during another"]


# ---- PCF8591


def converted(*control, count, **volts):
    board = SteppedBoard("pcf8591")
    board.world("pcf8591", **volts)
    board.bus.i2c_rdwr(BusMessage(0x48, bytes(control)))
    found = BusMessage(0x48, count)
    board.bus.i2c_rdwr(found)
    return board, [(value - 128) ^ -128 if control[0] & 0x30 else value for value in bytes(found)]


def test_a_read_begins_with_the_result_before():
    board, found = converted(1, count=3, ain1=1.65)
    assert found == [0x80, pytest.approx(128, abs=1), pytest.approx(128, abs=1)]
    again = BusMessage(0x48, 1)
    board.bus.i2c_rdwr(again)
    assert bytes(again)[0] == pytest.approx(128, abs=1)
    assert board.told() == []


@pytest.mark.parametrize(
    ("control", "found"),
    [
        (0x44, (38, 93, 116, 155, 38)),
        (0x54, (-116, -62, -38, -116, -62)),
        (0x64, (38, 93, -38, 38, 93)),
        (0x74, (-54, -38, -54, -38, -54)),
        (0x73, (-38, -38, -38, -38, -38)),
    ],
)
def test_channels_and_their_increment(control, found):
    volts = {"ain0": 0.5, "ain1": 1.2, "ain2": 1.5, "ain3": 2.0}
    _, seen = converted(control, count=6, **volts)
    assert seen[1:] == [pytest.approx(one, abs=1) for one in found]


def test_the_analog_output_and_what_the_sheet_asks_for():
    board, _ = converted(0x40, 100, 128, count=1)
    assert board.parts["pcf8591"].aout == 1.65
    board, _ = converted(0x04, 128, count=2, ain0=4.0)
    assert board.parts["pcf8591"].aout is None
    told = board.parts["pcf8591"].offences(Offence.TORN)
    assert len(told) == 2
    assert "auto-increment without the analog output" in told[0]
    assert "AIN0 is beyond the supply" in told[1]


# ---- DS3231


def running(now=(0x58, 0x59, 0x23, 0x07, 0x31, 0x12, 0x25)):
    board = SteppedBoard("ds3231", wires={4: "ds3231.sqw"}, pulls={4: "up"})
    board.put(0, *now)
    return board


def test_a_clock_without_a_battery_begins_in_2000_and_says_so():
    board = SteppedBoard("ds3231")
    assert board.get(0, 7) == bytes((0, 0, 0, 1, 1, 1, 0))
    assert board.get(0x0F) == b"\x88"
    board.put(0x0F, 0x00)
    assert board.get(0x0F) == b"\x00"
    board.put(0x0F, 0x83)
    assert board.get(0x0F) == b"\x00", "flags are only cleared"


def test_it_goes_on_into_the_next_year():
    board = running()
    board.wait(3_100_000)
    assert board.get(0, 7) == bytes((0x01, 0, 0, 1, 1, 1, 0x26))
    assert board.part.now == datetime(2026, 1, 1, 0, 0, 1)
    assert board.offences() == []


def test_twelve_hours():
    board = running((0, 0, 0x72, 1, 1, 1, 0x25))  # 12 PM
    assert board.part.now.hour == 12
    board.wait(3_600_100_000)
    assert board.get(2) == b"\x61"


def test_a_date_that_does_not_exist_is_refused():
    board = running((0, 0, 0, 1, 0x30, 0x02, 0x25))
    assert board.told() == ["a time that does not exist: day is out of range for month"]


def test_an_alarm_pulls_the_line_low_until_its_flag_is_cleared():
    board = running((0, 0, 0x10, 1, 1, 1, 0x25))
    board.put(0x07, 0x05, 0x00, 0x10, 0x81)  # at 10:00:05
    board.put(0x0E, 0x05)
    board.wait(4_000_000)
    assert board.pins[4].level == 1
    board.wait(1_100_000)
    assert board.pins[4].level == 0
    assert board.get(0x0F) == b"\x89"
    board.put(0x0F, 0x08)
    assert board.pins[4].level == 1


def test_a_clock_knows_the_temperature_that_a_program_begins_in():
    board = SteppedBoard("ds3231")
    board.world("ds3231", temperature=12.75)
    assert board.get(0x11, 2) == bytes((0x0C, 0xC0))


def test_a_square_wave_and_the_temperature():
    board = running()
    board.put(0x0E, 0x00)
    rises = board.pins[4].rises
    board.wait(10_000_000)
    assert board.pins[4].rises - rises == 10
    board.world("ds3231", temperature=lambda _t: -3.25)
    board.put(0x0E, 0x24)
    assert board.get(0x0F)[0] & 0x04
    board.wait(200_001)
    assert board.get(0x0E) == b"\x04"
    assert board.get(0x11, 2) == bytes((0xFC, 0xC0))


def test_a_clock_goes_on_at_its_first_register_after_the_last():
    board = SteppedBoard("ds3231")
    board.put(0, 0x11, 0x22, 0x13)
    assert board.get(0, 32)[19:22] == b"\x11\x22\x13"
    assert board.offences() == []
