"""Models of what is soldered in by mistake or as second choice: BH1750 and SH1106."""

import pytest
from steckbrett.parts import Offence
from steckbrett.parts.bh1750 import BH1750
from steckbrett.parts.sh1106 import COLUMNS, SH1106


def lit(lux=100.0):
    part = BH1750(3)
    part.illuminance = lambda _t_us: lux
    return part


def test_a_one_shot_measures_once_and_powers_down():
    part = lit()
    part.write(b"\x21", 0)
    first = part.read(2, 400_000)
    part.illuminance = lambda _t_us: 900.0
    assert part.read(2, 900_000) == first
    assert int.from_bytes(first) == round(200.0 * part.counts_per_lux)
    assert part.violations == []


def test_low_resolution_counts_in_steps_of_four():
    part = lit(51.0)
    part.write(b"\x13", 0)
    assert int.from_bytes(part.read(2, 30_000)) % 4 == 0


def test_measuring_time_scales_time_and_counts():
    part = lit()
    for opcode in (0x44, 0x6A, 0x10):  # MTreg 138
        part.write(bytes((opcode,)), 0)
    assert part.conversion_us == pytest.approx(240_000 * part.clock_factor)
    assert int.from_bytes(part.read(2, 500_000)) == round(200.0 * part.counts_per_lux)
    assert part.violations == []


@pytest.mark.parametrize("data", [b"\x02", b"\x10\x10", b"\x12", b"\x80"])
def test_what_the_sheet_does_not_know_is_refused(data):
    part = lit()
    part.write(data, 0)
    assert len(part.violations) == 1


def test_measuring_time_is_not_changed_in_mid_measurement():
    part = lit()
    part.write(b"\x10", 0)
    part.write(b"\x42", 10)
    assert "power down first" in part.violations[0]


def test_reset_is_ignored_in_power_down():
    part = lit()
    part.write(b"\x07", 0)
    assert part.violations == ["BH1750 at 0 µs: reset of the data register in power down"]
    part.write(b"\x01", 0)
    part.write(b"\x07", 0)
    assert len(part.violations) == 1


def test_an_sh1106_gives_its_memory_back_after_a_dummy_byte():
    part = SH1106()
    part.write(b"\x00\xb3\x02\x10", 0)
    part.write(b"\x40\x11\x22", 0)
    part.write(b"\x00\xb3\x02\x10", 0)
    part.write(b"\x40", 0)
    assert part.read(3, 0) == b"\x00\x11\x22"
    assert part.memory[3 * COLUMNS + 2 :][:2] == b"\x11\x22"


def test_an_sh1106_does_not_know_horizontal_addressing():
    part = SH1106()
    part.write(b"\x00\x20\x00\x21\x00\x7f\xaf", 0)
    assert [line.split(": ", 1)[1] for line in part.violations] == [
        f"command 0x{command}: only an SSD1306 knows it" for command in ("20", "21")
    ]
    assert part.is_on
    assert part.read(1, 0) == b"\x00"


def test_an_sh1106_column_stops_at_the_end_and_parameters_are_skipped():
    part = SH1106()
    part.write(b"\x00\x81\xb5\x8f", 0)
    part.write(b"\x40" + bytes(range(140)), 0)
    assert part.memory[COLUMNS - 1] == 139
    assert not any(part.memory[COLUMNS:])
    part.write(b"\x55", 0)
    assert len(part.violations) == 2


def test_bytes_that_no_sheet_lists_are_counted_and_not_refused():
    part = BH1750(1)
    part.write(b"\x10", 0)
    for _ in range(3):
        part.read(32, 200_000)
    (line,) = part.offences(Offence.UNLISTED)
    assert line.endswith("read of 32 bytes: a result is 2 bytes (3 times)")
    assert part.offences(Offence.REFUSED) == part.offences(Offence.TORN) == []
