"""FIFO, interrupts, events of the simulated ADXL345 against its data sheet (digest section 1)."""

import pytest
from bench_support.bench import Bench, G, refused
from steckbrett.parts import Offence


@pytest.fixture
def bench():
    return Bench()


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
