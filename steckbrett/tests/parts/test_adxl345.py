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


# ---- FIFO


def test_stream_fifo_gives_one_level_per_six_byte_read_oldest_first(bench):
    bench.world(lambda t_us: (t_us / 1e6 * G, 0.0, G))
    bench.measure(for_s=0.105, fifo=0x8A)
    entries = bench.get(0x39)
    assert entries == 9 or entries == 10
    xs = bench.without_offset(bench.xyz())[0], bench.without_offset(bench.xyz())[0]
    assert xs[0] == pytest.approx(256 * 0.0111, abs=4)
    assert xs[1] - xs[0] == pytest.approx(2.56, abs=4.5)
    assert bench.get(0x39) == entries - 2


def test_read_of_an_empty_fifo_is_refused_and_repeats_the_last_sample(bench):
    bench.measure(for_s=0.025, fifo=0x8A)
    for _ in range(bench.get(0x39)):
        last = bench.xyz()
    assert bench.part.violations == []
    assert bench.xyz() == last
    refused(bench, "empty FIFO")


def test_watermark_rises_with_its_entry_and_falls_when_drained(bench):
    bench.measure(fifo=0x8A, enable=0x02)
    due_us = bench.part.next_event_us()
    assert due_us == pytest.approx(10 * bench.period_us + 1_100, abs=2)
    bench.go_to(due_us - 1)
    assert bench.part.output("int1") == 0
    bench.go_to(due_us)
    assert bench.part.output("int1") == 1
    assert bench.part.next_event_us() is None
    assert bench.get(0x30) & 0x82 == 0x82
    assert bench.part.output("int1") == 1, "reading INT_SOURCE does not clear the watermark"
    bench.xyz()
    assert bench.part.output("int1") == 0
    assert bench.part.next_event_us() == pytest.approx(due_us + bench.period_us, abs=2)


def test_overrun_is_flagged_when_full_and_refused_when_samples_are_lost(bench):
    bench.measure(fifo=0x8A)
    bench.t_us = round(31 * bench.period_us + 1_100 + 100)
    assert not bench.get(0x30) & 0x01
    bench.wait(bench.period_us * 1e-6)
    assert bench.get(0x30) & 0x01
    bench.wait(bench.period_us * 1e-6)
    assert (bench.get(0x39), bench.part.violations) == (33, [])
    bench.wait(10)
    assert len(bench.part.violations) == 1
    assert "FIFO overrun" in bench.part.violations[0]
    bench.xyz()
    assert not bench.get(0x30) & 0x01
    bench.xyz()
    bench.wait(10)
    assert bench.part.offences(Offence.REFUSED) == []
    (line,) = bench.part.offences(Offence.TORN)
    assert line.endswith("(2 times)"), "a second time the FIFO ran full"


def test_fifo_mode_stops_collecting_and_keeps_the_oldest(bench):
    bench.world(lambda t_us: (min(t_us / 1e6, 10.0) * G, 0.0, G))
    bench.measure(for_s=5, fifo=0x50)
    assert (bench.get(0x39), bench.xyz()[0]) == (33, pytest.approx(256 * 0.0111, abs=15))
    assert bench.part.violations == []


def test_trigger_mode_keeps_samples_from_before_the_event(bench):
    knock_us = 1_000_000
    bench.world(lambda t_us: (2 * G if t_us >= knock_us else 0.0, 0.0, G))
    bench.measure({0x24: 16, 0x27: 0x70}, fifo=0xC5, enable=0x10)
    bench.put(0x24, 24)
    bench.t_us = knock_us - 20_000
    assert bench.get(0x39) & 0x80 == 0
    bench.t_us = knock_us + 2_000_000
    status = bench.get(0x39)
    assert status == 0x80 | 33
    xs = [bench.xyz()[0] for _ in range(8)]
    assert [x > 256 for x in xs] == [False] * 4 + [True] * 4
    assert bench.part.violations == []


# ---- interrupts


def test_data_ready_and_bypass_overrun(bench):
    bench.measure(enable=0x81)
    bench.go_to(bench.part.next_event_us())
    assert bench.part.output("int1") == 1
    bench.wait(0.0101)
    assert bench.get(0x30) & 0x81 == 0x81
    bench.xyz()
    assert bench.get(0x30) & 0x81 == 0
    assert bench.part.output("int1") == 0


@pytest.mark.parametrize(
    ("fifo", "enable", "samples"), [(0x00, 0x80, 1), (0x00, 0x01, 2), (0x9F, 0x01, 32)]
)
def test_next_event_is_the_sample_that_raises_int1(bench, fifo, enable, samples):
    bench.measure(fifo=fifo, enable=enable)
    due_us = bench.part.next_event_us()
    assert due_us == pytest.approx(samples * bench.period_us + 1_100, abs=2)
    bench.part.advance(due_us - 1)
    assert bench.part.output("int1") == 0
    bench.part.advance(due_us)
    assert bench.part.output("int1") == 1


def test_tap_edge_is_found_at_most_20_ms_late(bench):
    bench.world(lambda t: (5 * G if 1_000_000 <= t < 1_005_000 else 0.0, 0.0, G))
    bench.measure({0x1D: 0x30, 0x21: 32, 0x2A: 0x07}, enable=0x40)
    while bench.part.output("int1") == 0:
        bench.go_to(bench.part.next_event_us())
    assert 0 < bench.t_us - 1_005_000 <= 30_000


def test_invert_and_map(bench):
    bench.put(0x2F, 0x02)
    bench.measure(layout=0x2B, fifo=0x81, enable=0x02)
    assert (bench.part.output("int1"), bench.part.output("int2")) == (1, 1)
    bench.wait(0.05)
    assert (bench.part.output("int1"), bench.part.output("int2")) == (1, 0)
    assert bench.part.next_event_us() is None, "INT1 has no source"


def moving(bench, control, *, enable=0x10, rate=0x0A):
    bench.measure({0x24: 8, 0x27: control}, rate=rate, enable=enable)  # 0.5 g


def test_ac_activity_ignores_gravity_and_fires_on_a_change(bench):
    bench.world(lambda t_us: (0.0, 0.7 * G if t_us > 1_000_000 else 0.0, G))
    moving(bench, 0xF0)
    bench.wait(0.9)
    assert bench.part.output("int1") == 0
    bench.wait(0.15)
    assert (bench.part.output("int1"), bench.get(0x2B)) == (1, 0x20)
    assert bench.get(0x30) & 0x10
    assert bench.part.output("int1") == 0
    bench.wait(1)
    assert bench.part.output("int1") == 0, "the reference was renewed"
    assert bench.part.violations == []


@pytest.mark.parametrize(("g", "fires"), [(0.90, 0), (-0.90, 0), (1.10, 1), (-1.10, 1)])
def test_threshold_steps_are_62_5_mg(bench, g, fires):
    bench.world((g * G, 0.0, 0.0))
    bench.measure({0x24: 16, 0x27: 0x70}, 0.1, enable=0x10)  # 1 g
    assert bench.part.output("int1") == fires


def test_activity_edge_is_found_at_most_20_ms_late(bench):
    knock_us = 5_003_000
    bench.world(lambda t_us: (2 * G if t_us >= knock_us else 0.0, 0.0, G))
    moving(bench, 0xF0, rate=0x0B)
    while bench.part.output("int1") == 0:
        due_us = bench.part.next_event_us()
        assert bench.t_us < due_us <= bench.t_us + 25_000
        bench.go_to(due_us)
    assert 0 <= bench.t_us - knock_us <= 25_000


def test_inactivity_fires_after_its_time_and_not_before(bench):
    bench.world(lambda t_us: (3 * G if t_us < 2_000_000 else 0.0, 0.0, 0.0))
    bench.measure({0x25: 8, 0x26: 3, 0x27: 0x07}, 4.9, enable=0x08)
    assert bench.part.output("int1") == 0
    due_us = bench.part.next_event_us()
    assert due_us == pytest.approx(5_000_000, abs=30_000)
    bench.go_to(due_us)
    bench.wait(0.02)
    assert bench.get(0x30) & 0x08


def test_free_fall_fires_after_its_time_on_all_three_axes(bench):
    bench.world(lambda t_us: (0.0, 0.0, 0.0 if t_us >= 1_000_000 else G))
    bench.measure({0x28: 7, 0x29: 36}, 1.17, enable=0x04)  # 180 ms
    assert bench.part.output("int1") == 0
    bench.wait(0.03)
    assert bench.part.output("int1") == 1
    assert bench.get(0x30) & 0x04
    assert bench.get(0x30) & 0x04 == 0, "told once for one fall"
    assert bench.part.violations == []


def test_auto_sleep_slows_down_on_rest_and_wakes_on_motion(bench):
    bench.world(lambda t_us: (2 * G if 5_000_000 < t_us < 5_500_000 else 0.0, 0.0, G))
    bench.put(0x24, 8, 4, 1)
    bench.put(0x27, 0xFF)
    bench.put(0x38, 0x8A)
    bench.put(0x2E, 0x18)
    bench.put(0x2D, 0x39)
    bench.wait(1.3)
    assert bench.get(0x2B) & 0x08
    before = bench.part.samples_taken
    bench.wait(2)
    assert bench.part.samples_taken - before == pytest.approx(8, abs=1), "4 Hz asleep"
    entries = bench.get(0x39)
    bench.wait(1)
    assert bench.get(0x39) == entries, "the FIFO is not fed asleep"
    bench.get(0x30)
    bench.wait(1.2)
    assert not bench.get(0x2B) & 0x08
    assert bench.get(0x30) & 0x10
    assert not [line for line in bench.part.violations if "overrun" not in line]


def test_single_tap_fires_when_the_spike_falls_and_not_for_a_long_push(bench):
    spikes = [(1_000_000, 5_000), (2_000_000, 100_000)]
    bench.world(lambda t: (5 * G if any(s <= t < s + n for s, n in spikes) else 0.0, 0.0, G))
    bench.measure({0x1D: 0x30, 0x21: 32, 0x2A: 0x07}, 0.99, enable=0x40)  # 20 ms
    assert bench.get(0x30) & 0x40 == 0
    bench.wait(0.03)
    assert bench.get(0x30) & 0x40
    assert bench.get(0x2B) & 0x07 == 0x04
    bench.wait(2)
    assert bench.get(0x30) & 0x40 == 0


@pytest.mark.parametrize(
    ("second_us", "length_us", "suppress", "expected"),
    [
        (150_000, 5_000, 0, 0x60),  # inside the window
        (600_000, 5_000, 0, 0x40),  # too late: two singles
        (150_000, 60_000, 0, 0x40),  # second one too long
        (40_000, 5_000, 8, 0x40),  # spike in the latency, suppressed
        (95_000, 10_000, 0, 0x40),  # above the threshold when the window opens
    ],
)
def test_double_tap(bench, second_us, length_us, suppress, expected):
    spikes = [(1_000_000, 5_000), (1_000_000 + second_us, length_us)]
    bench.world(lambda t: (0.0, 5 * G if any(s <= t < s + n for s, n in spikes) else 0.0, G))
    bench.put(0x1D, 0x30)
    bench.put(0x21, 32, 80, 240)  # 20 ms; 100 ms; 300 ms
    bench.put(0x2A, 0x07 | suppress)
    bench.measure(enable=0x60)
    bench.wait(3)
    assert bench.get(0x30) & 0x60 == expected
