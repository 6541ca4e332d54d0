"""The MPU-6050 by raw transfers, as its sheet describes it."""

import pytest
from bench_support.bench import G, SteppedBoard, words
from steckbrett.parts import Offence


def awake(*puts, after_us=0):
    board = SteppedBoard("mpu6050", wires={17: "mpu6050.int"})
    for data in ((0x6B, 0), *puts):
        board.put(*data)
    board.wait(after_us)
    return board


def mean(board, register, count=60):
    found = []
    for _ in range(count):
        board.wait(5_000)
        found.append(words(board.get(register, 2))[0])
    return sum(found) / count


# ---- samples, interrupts, reset


def test_a_gyroscope_measures_what_the_world_is():
    board = awake()
    board.world("mpu6050", acceleration=lambda _t: (G, 0.0, -G), rotation=lambda _t: (90, 0, 0))
    board.wait(100_000)
    x, _, z, temperature, turning, _, _ = words(board.get(0x3B, 14))
    assert (x, z) == (pytest.approx(16384, abs=900), pytest.approx(-16384, abs=1400))
    assert temperature / 340 + 36.53 == pytest.approx(25, abs=0.01)
    assert turning / 131 == pytest.approx(90, abs=20)
    board.put(0x1B, 0x18)
    board.wait(10_000)
    assert words(board.get(0x43, 2))[0] / 16.4 == pytest.approx(90, abs=20.1)
    assert board.offences() == []


def test_asleep_it_measures_nothing():
    board = SteppedBoard("mpu6050")
    board.wait(100_000)
    assert board.get(0x3B, 6) == bytes(6)
    assert board.told(Offence.TORN) == ["data read before the first sample was taken"]


def test_half_a_value_is_torn():
    board = awake()
    board.wait(100_000)
    board.get(0x3B)
    assert board.told() == ["half a value read: its bytes can be of two samples"]


def test_data_ready_is_a_pulse_or_stays_until_the_status_is_read():
    board = awake()
    board.put(0x19, 9)
    board.put(0x1A, 1)  # 1 kHz / 10
    board.put(0x38, 1)
    board.wait(1_000_000)
    assert 95 <= board.pins[17].rises <= 101
    assert board.pins[17].rises == board.pins[17].falls
    board.put(0x37, 0x20)
    board.wait(50_000)
    assert board.pins[17].level == 1
    assert board.get(0x3A) == b"\x01"
    assert board.pins[17].level == 0
    assert board.offences() == []


def test_a_reset_takes_its_time():
    board = awake()
    board.put(0x6B, 0x80)
    assert board.get(0x6B) == b"\x80"
    board.wait(2_000)
    assert board.get(0x6B) == b"\x40"
    board.wrong_chip("mpu6050")
    assert board.get(0x75) == b"\x6b"


# ---- FIFO, standby, self-test, offsets


def test_a_fifo_fills_and_gives_what_the_registers_had():
    board = awake((0x1A, 3), (0x19, 9), (0x23, 0x08), (0x6A, 0x44), after_us=200_000)
    board.wait(800_000)
    (count,) = words(board.get(0x72, 2))
    assert 560 <= count <= 610
    assert count % 6 == 0
    six = words(board.get(0x74, 6))
    assert six[2] == pytest.approx(16384, abs=1700)
    assert words(board.get(0x72, 2)) == [count - 6]
    assert board.offences() == []
    board.put(0x6A, 0x44)
    assert words(board.get(0x72, 2))[0] <= 6


def test_a_full_fifo_says_so_and_keeps_the_newest():
    board = awake((0x19, 7), (0x23, 0xF8), (0x6A, 0x40), after_us=200_000)
    board.wait(1_000_000)
    assert words(board.get(0x72, 2)) == [1024]
    assert board.get(0x3A) == b"\x11"


def test_axes_in_standby_and_a_temperature_switched_off_stay():
    board = awake((0x6C, 0x20), after_us=200_000)
    before = board.get(0x3B, 6)
    board.world("mpu6050", acceleration=lambda _t: (G, G, 0.0), temperature=40.0)
    board.put(0x6B, 8)
    board.wait(100_000)
    after = board.get(0x3B, 8)
    assert after[:2] == before[:2]
    assert abs(words(after[2:4])[0] - words(before[2:4])[0]) > 10_000
    board.wait(100_000)
    assert board.get(0x41, 2) == after[6:8]


def test_a_cycle_samples_seldom():
    board = awake((0x6B, 0x20), (0x6C, 0x07), after_us=200_000)
    seen = set()
    for _ in range(100):
        board.wait(20_000)
        seen.add(board.get(0x3B, 6))
    assert 2 <= len(seen) <= 4


@pytest.mark.parametrize(
    ("switch", "register", "least", "most"),
    [((0x1C, 0x80), 0x3B, 0.3, 0.95), ((0x1B, 0x80), 0x43, 25, 80)],
)
def test_a_self_test_moves_the_output_by_what_the_factory_saw(switch, register, least, most):
    board = awake(after_us=200_000)
    usual = mean(board, register)
    board.put(*switch)
    moved = (mean(board, register) - usual) / (16384 if register == 0x3B else 131)
    assert least < moved < most
    assert any(board.get(0x0D, 4))


def test_offsets_of_the_host_count():
    board = awake(after_us=200_000)
    usual = board.get(0x06, 2)
    before = mean(board, 0x3B)
    board.put(0x06, *((words(usual)[0] + 512) & 0xFFFF).to_bytes(2))
    assert (mean(board, 0x3B) - before) / 16384 == pytest.approx(0.25, abs=0.01)
    before = mean(board, 0x43)
    board.put(0x13, *(328).to_bytes(2))
    assert (mean(board, 0x43) - before) / 131 == pytest.approx(10, abs=0.2)


def test_what_an_mpu6050_lacks_is_told():
    board = awake((0x37, 0x02), (0x6D, 0x10), (0x6A, 0xC0), after_us=200_000)
    assert board.get(0x6D) == b"\x10"
    assert board.told() == [
        "I2C_BYPASS_EN of INT_PIN_CFG is not modelled",
        "a value of DMP_0 is not modelled",
        "DMP_EN of USER_CTRL is not modelled",
    ]
    assert board.told(Offence.UNMODELLED) == board.told()
