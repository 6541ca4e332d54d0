"""The simulated ADXL345 against its data sheet (digest section 1)."""

from statistics import pstdev

import pytest
from bench_support.bench import Bench, G, refused
from steckbrett.parts import Offence
from steckbrett.parts.adxl345 import ADXL345


@pytest.fixture
def bench():
    return Bench()


# ---- registers


def test_registers_reset_as_the_table_says(bench):
    expected = {0x00: 0xE5, 0x2C: 0x0A, 0x30: 0x02}
    for register in (0x00, *range(0x1D, 0x32), 0x38, 0x39):
        assert bench.get(register) == expected.get(register, 0), hex(register)
    assert bench.part.violations == []


def test_every_writable_register_keeps_what_was_written(bench):
    for register in (*range(0x1D, 0x2B), 0x2C, 0x2D, 0x2F, 0x31, 0x38):
        value = {0x2A: 0x0F, 0x2C: 0x1C, 0x2D: 0x03, 0x31: 0x2B}.get(register, 0x55)
        bench.put(register, value)
        assert bench.get(register) == value, hex(register)
    assert bench.part.violations == []


def test_pointer_increments_and_survives_a_stop(bench):
    bench.put(0x1E, 1, 2, 3)
    bench.part.write(b"\x1e", 0)
    bench.part.stop()
    assert (bench.part.read(2, 0), bench.part.read(1, 0)) == (b"\x01\x02", b"\x03")


@pytest.mark.parametrize("register", [0x00, 0x2B, 0x30, 0x32, 0x37, 0x39])
def test_write_to_read_only_register_is_refused(bench, register):
    before = bench.get(register) if not 0x32 <= register <= 0x37 else None
    bench.put(register, 0x42)
    refused(bench, f"write to read-only register 0x{register:02X}")
    if before is not None:
        assert bench.get(register) == before


@pytest.mark.parametrize("register", [0x01, 0x1C, 0x3A, 0xFF])
def test_reserved_registers_are_refused(bench, register):
    bench.put(register, 0)
    refused(bench, f"write to reserved register 0x{register:02X}")
    assert (bench.get(register), len(bench.part.violations)) == (0, 2)


@pytest.mark.parametrize(("register", "value"), [(0x2A, 0x10), (0x2C, 0x2A), (0x2D, 0x40),
                                                 (0x31, 0x1B)])  # fmt: skip
def test_reserved_bits_are_refused_and_stay_zero(bench, register, value):
    bench.put(register, value)
    refused(bench, "reserved bits set")
    assert bench.get(register) < value


def test_read_without_a_register_stands_in_no_sheet(bench):
    assert bench.part.read(1, 0) == b"\xe5"
    refused(bench, "no register chosen")
    assert bench.part.offences(Offence.REFUSED) == []


# ---- sampling


def test_first_sample_comes_one_period_and_1_1_ms_after_measure(bench):
    bench.measure()
    bench.t_us = round(bench.period_us + 1_100) - 2
    assert not bench.get(0x30) & 0x80
    bench.t_us += 4
    assert bench.get(0x30) & 0x80
    assert bench.part.violations == []


def test_data_before_the_first_sample_is_refused(bench):
    bench.measure()
    bench.t_us = 5_000
    assert bench.xyz() == (0, 0, 0)
    refused(bench, "before the first sample")


def test_output_rate_is_the_nominal_one_within_the_clock_tolerance(bench):
    bench.measure(for_s=100)
    assert bench.part.samples_taken == pytest.approx(10_000 / bench.part.signal.clock_factor, abs=2)
    assert 0.99 <= bench.part.signal.clock_factor <= 1.01
    assert ADXL345(8).signal.clock_factor != bench.part.signal.clock_factor


@pytest.mark.parametrize(("code", "rate_hz"), [(0x0D, 800), (0x0B, 200), (0x09, 50), (0x06, 6.25)])
def test_all_rates_halve_from_code_to_code(bench, code, rate_hz):
    bench.measure(for_s=20, rate=code)
    assert bench.part.samples_taken == pytest.approx(20 * rate_hz, rel=0.02)


@pytest.mark.parametrize(
    ("layout", "per_g"),
    [(0x00, 256), (0x01, 128), (0x02, 64), (0x03, 32), (0x08, 256), (0x09, 256), (0x0B, 256)],
)
def test_scale_follows_range_and_resolution(bench, layout, per_g):
    bench.world((0.5 * G, -0.5 * G, 1.0 * G))
    bench.measure(for_s=0.05, layout=layout)
    scale = per_g / 256
    off = [zero * scale for zero in bench.part.signal.zero_g_counts]
    x, y, z = bench.xyz()
    assert x == pytest.approx(0.5 * per_g + off[0], abs=4 * scale + 1)
    assert y == pytest.approx(-0.5 * per_g + off[1], abs=4 * scale + 1)
    assert z == pytest.approx(1.0 * per_g + off[2], abs=6 * scale + 1)


@pytest.mark.parametrize(("layout", "top"), [(0x08, 511), (0x09, 1023), (0x0B, 4095), (0x03, 511)])
def test_output_is_clipped_at_the_range(bench, layout, top):
    bench.world((40 * G, -40 * G, 0))
    bench.measure(for_s=0.05, layout=layout)
    assert bench.xyz()[:2] == (top, -top - 1)


@pytest.mark.parametrize(("layout", "bit"), [(0x04, 6), (0x0D, 5), (0x0E, 4), (0x0F, 3)])
def test_left_justified_lowest_bit_is_where_the_table_says(bench, layout, bit):
    bench.measure(for_s=0.05, layout=layout)
    z = bench.xyz()[2]
    assert z % (1 << bit) == 0
    assert z >> bit == pytest.approx(256, abs=20)


def test_fast_rates_drop_the_lowest_bit(bench):
    bench.measure(rate=0x0F)
    for _ in range(50):
        bench.wait(0.001)
        assert all(value % 2 == 0 for value in bench.xyz())
    assert "800 Hz" in bench.part.offences(Offence.TORN)[0]


def test_offset_registers_add_15_6_mg_a_step_in_every_range(bench):
    bench.measure(for_s=0.05)
    before = bench.xyz()
    bench.put(0x1E, 10, 0xF6, 0)
    bench.wait(0.05)
    after = bench.xyz()
    assert after[0] - before[0] == pytest.approx(40, abs=6)
    assert after[1] - before[1] == pytest.approx(-40, abs=6)


def test_noise_is_that_of_the_sheet_and_grows_with_low_power(bench):
    def spread(rate):
        quiet = Bench()
        quiet.measure(rate=rate)
        values = []
        for _ in range(800):
            quiet.wait(0.0102)
            values.append(quiet.xyz()[0])
        return pstdev(values)

    assert spread(0x0A) == pytest.approx(0.80, abs=0.12)  # 0.75 and the rounding's 0.29
    assert spread(0x1A) > 1.5


def test_self_test_moves_the_output_and_refuses_low_power(bench):
    bench.measure(for_s=0.05)
    before = bench.xyz()
    bench.put(0x31, 0x8B)
    bench.wait(0.05)
    x, y, z = (b - a for a, b in zip(before, bench.xyz()))
    assert 0.2 * 1.77 * 256 < x < 2.1 * 1.77 * 256
    assert -2.1 * 1.77 * 256 < y < -0.2 * 1.77 * 256
    assert 0.3 * 1.47 * 256 < z < 3.4 * 1.47 * 256
    bench.put(0x2C, 0x1A)
    refused(bench, "SELF_TEST")


# ---- torn reads


def test_one_byte_data_read_is_refused(bench):
    bench.measure(for_s=0.05)
    bench.get(0x32)
    refused(bench, "1 bytes of data from 0x32, and not all")


def test_one_axis_is_tolerated_in_bypass_and_refused_from_the_fifo(bench):
    bench.measure(for_s=0.05)
    bench.get(0x34, 2)
    assert bench.part.violations == []
    bench.put(0x38, 0x80)
    bench.wait(0.05)
    bench.get(0x34, 2)
    refused(bench, "2 bytes of data from 0x34, and not all")


def test_a_long_burst_runs_on_into_fifo_status_and_past_the_end_is_refused(bench):
    bench.measure(for_s=0.055, fifo=0x8A)
    waiting = bench.get(0x39)
    assert (bench.get(0x32, 8)[6:], bench.part.violations) == (bytes((0x8A, waiting - 1)), [])
    assert bench.get(0x39, 2)[1] == 0
    refused(bench, "past the last register, at 0x3A")


# ---- refused combinations


def test_clearing_sleep_bits_without_standby_is_refused(bench):
    bench.put(0x2D, 0x0C)
    bench.put(0x2D, 0x08)
    refused(bench, "standby")


def test_clearing_sleep_bits_by_way_of_standby_is_fine(bench):
    for value in (0x0C, 0x00, 0x08):
        bench.put(0x2D, value)
    assert bench.part.violations == []


@pytest.mark.parametrize(
    ("register", "value", "text"),
    [
        (0x38, 0xC0, "trigger mode with 0 samples"),
        (0x2D, 0x18, "without Link"),
        (0x2E, 0x10, "THRESH_ACT"),  # events enabled before their thresholds
        (0x2E, 0x08, "THRESH_INACT"),
        (0x2E, 0x40, "THRESH_TAP"),
    ],
)
def test_what_the_sheet_does_not_allow_is_refused(bench, register, value, text):
    bench.put(register, value)
    refused(bench, text)


def test_enabling_free_fall_before_its_registers_is_refused(bench):
    bench.put(0x2E, 0x04)
    assert len(bench.part.violations) == 2
