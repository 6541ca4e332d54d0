"""The simulated VEML7700 against its data sheet (digest section 3)."""

from itertools import groupby

import pytest
from bench_support.bench import refused
from steckbrett.parts.veml7700 import VEML7700, compressed

GAIN_2_25_MS = 0x0B00
GAIN_1_100_MS = 0x0000


class Bench:
    def __init__(self, seed=1, lux=100.0):
        self.part = VEML7700(seed)
        self.t_us = 10_000
        self.light(lux)

    def light(self, lux):
        self.part.illuminance = lux if callable(lux) else lambda _t: lux

    def put(self, code, value):
        self.part.write(bytes((code, value & 0xFF, value >> 8)), self.t_us)
        self.part.stop()

    def get(self, code):
        self.part.write(bytes((code,)), self.t_us)
        low, high = self.part.read(2, self.t_us)
        self.part.stop()
        return low | high << 8

    def start(self, configuration, ms=0.0):
        self.put(0, configuration | 1)
        self.put(0, configuration)
        self.wait(ms)

    def wait(self, ms):
        self.t_us += round(ms * 1000)


@pytest.fixture
def bench():
    return Bench()


def test_reset_state_and_identity(bench):
    assert (bench.get(0), bench.get(3), bench.get(6)) == (0x0001, 0, 0)
    assert bench.get(7) == 0xC481
    bench.part.identity = 0xD481
    assert (bench.get(7), bench.part.violations) == (0xD481, [])


@pytest.mark.parametrize(
    ("configuration", "ms", "lx_per_count", "lux"),
    [
        (0x08C0, 800, 0.0042, 100),
        (0x10C0, 800, 0.0672, 100),
        (0x0000, 100, 0.0672, 100),
        (0x1000, 100, 0.5376, 900),
        (0x0B00, 25, 0.1344, 900),
        (0x1300, 25, 2.1504, 900),
        (0x1A00, 50, 0.5376, 900),
        (0x0040, 200, 0.0336, 100),
        (0x0080, 400, 0.0168, 100),
    ],
)
def test_counts_follow_the_sheets_resolution(bench, configuration, ms, lx_per_count, lux):
    bench.light(lux)
    bench.start(configuration, 2.5 + 1.3 * ms)
    assert bench.get(4) == pytest.approx(lux / lx_per_count, rel=0.006, abs=2)
    assert bench.get(5) == pytest.approx(lux / lx_per_count, rel=0.006, abs=2)
    assert bench.part.violations == []


def test_conversion_is_a_mean_over_its_time(bench):
    bench.start(GAIN_1_100_MS)
    start_us = bench.t_us + 2_500
    half_us = start_us + bench.part.integration_us / 2
    bench.light(lambda t_us: 0.0 if t_us < half_us else 200.0)
    bench.wait(2.5 + 130)
    assert bench.get(4) == pytest.approx(100 / 0.0672, rel=0.01)


def test_a_new_value_comes_every_integration_time_at_the_parts_own_clock(bench):
    bench.light(lambda t_us: t_us / 1000)
    bench.start(GAIN_2_25_MS, 100)
    seen = []
    for _ in range(1000):
        bench.wait(1)
        seen.append(bench.get(4))
    assert len(list(groupby(seen))) == pytest.approx(1_000_000 / bench.part.integration_us, abs=2)
    assert 0.9 <= bench.part.clock_factor <= 1.1
    assert VEML7700(2).clock_factor != bench.part.clock_factor


def test_darkness_never_counts_below_zero():
    for seed in range(20):
        bench = Bench(seed, 0.0)
        bench.start(GAIN_2_25_MS, 50)
        assert 0 <= bench.get(4) <= 3


def test_low_gains_count_too_little_in_bright_light_as_the_polynomial_says(bench):
    assert compressed(1658) == pytest.approx(1500, abs=2)
    assert compressed(900) == 900
    assert compressed(150_000) > compressed(100_000)
    bench.light(1658)
    bench.start(0x1800, 150)
    assert bench.get(4) == pytest.approx(5581, rel=0.01)


def test_counts_before_any_conversion_are_refused(bench):
    assert bench.get(4) == 0
    refused(bench, "before the first conversion")


def test_start_takes_2_5_ms_and_one_integration(bench):
    bench.start(GAIN_2_25_MS)
    ready_ms = 2.5 + bench.part.integration_us / 1000
    bench.wait(ready_ms - 0.1)
    bench.get(4)
    refused(bench, "before the first conversion")
    bench.wait(0.2)
    assert bench.get(4) > 0
    assert len(bench.part.violations) == 1


def test_last_counts_stay_readable_in_shutdown_and_a_restart_keeps_them_until_new(bench):
    bench.start(GAIN_2_25_MS, 50)
    counts = bench.get(4)
    bench.put(0, GAIN_2_25_MS | 1)
    bench.light(0)
    bench.wait(1000)
    assert (bench.get(4), bench.part.violations) == (counts, [])
    bench.put(0, GAIN_2_25_MS)
    assert bench.get(4) == counts
    refused(bench, "before the first conversion")


def test_gain_or_time_changed_while_running_is_refused(bench):
    bench.start(GAIN_1_100_MS)
    bench.put(0, GAIN_2_25_MS)
    refused(bench, "changed while running")


def test_power_saving_slows_the_refresh(bench):
    bench.put(3, 0x0001)
    bench.start(GAIN_1_100_MS)
    assert bench.part.refresh_us == pytest.approx(600_000 * bench.part.clock_factor)
    bench.wait(2.5 + 130)
    first = bench.get(4)
    bench.light(10)
    bench.wait(300)
    assert bench.get(4) == first
    bench.wait(500)
    assert bench.get(4) < first / 2
    bench.put(3, 0x0007)
    assert bench.part.refresh_us == pytest.approx(4_100_000 * bench.part.clock_factor)
    assert bench.part.violations == []


def test_power_saving_at_25_ms_is_refused(bench):
    bench.start(GAIN_2_25_MS)
    bench.put(3, 0x0001)
    refused(bench, "power saving at 25 or 50 ms")


def test_flags_follow_after_the_persistence_and_clear_when_read(bench):
    bench.put(1, 2000)
    bench.put(2, 500)
    assert (bench.get(1), bench.get(2)) == (2000, 500)
    bench.start(GAIN_1_100_MS | 0x0012)  # two in a row, INT_EN
    bench.light(1000)
    bench.wait(2.5 + 1.05 * bench.part.integration_us / 1000)
    assert bench.get(6) == 0
    bench.wait(bench.part.integration_us / 1000)
    assert (bench.get(6), bench.get(6)) == (0x4000, 0)
    bench.light(1)
    bench.wait(1000)
    assert bench.get(6) == 0x8000


def test_read_without_repeated_start_is_refused(bench):
    bench.part.write(b"\x07", bench.t_us)
    bench.part.stop()
    assert bench.part.read(2, bench.t_us) == b"\xff\xff"
    refused(bench, "repeated START")


@pytest.mark.parametrize("count", [1, 3])
def test_a_register_is_two_bytes(bench, count):
    bench.part.write(b"\x07", bench.t_us)
    assert bench.part.read(count, bench.t_us)[0] == 0x81
    refused(bench, f"read of {count} bytes")


@pytest.mark.parametrize("data", [b"\x00\x01", b"\x00\x01\x00\x00"])
def test_write_of_another_length_is_refused(bench, data):
    bench.part.write(data, bench.t_us)
    refused(bench, f"write of {len(data)} bytes")


def test_unknown_registers_are_refused(bench):
    assert bench.get(8) == 0xFFFF
    refused(bench, "unknown register 0x08")
    bench.put(0x10, 0)
    assert "write to unknown register 0x10" in bench.part.violations[1]


@pytest.mark.parametrize("code", [4, 5, 6, 7])
def test_write_to_read_only_register_is_refused(bench, code):
    bench.put(code, 0)
    refused(bench, f"read-only register 0x{code:02X}")


@pytest.mark.parametrize("value", [0x2001, 0x0401, 0x0009])
def test_reserved_bits_are_refused(bench, value):
    bench.put(0, value)
    refused(bench, "reserved bits")
    assert bench.get(0) == 0x0001


def test_unknown_time_code_is_refused_and_keeps_the_old_time(bench):
    bench.put(0, 0x0301)
    bench.put(0, 0x0141)
    refused(bench, "integration time code 0x5")
    assert bench.get(0) == 0x0301


def test_threshold_read_before_it_was_written_is_refused(bench):
    bench.get(1)
    refused(bench, "before it was written")
