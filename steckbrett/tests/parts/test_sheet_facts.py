"""Facts of sheets by raw transfers: what each part does beside its measured values."""

import math

import pytest
from bench_support.bench import SteppedBoard
from steckbrett.board.bus import BusMessage
from steckbrett.board.plan import PlanError
from steckbrett.parts import Offence

G = 9.80665


def words(data):
    return [int.from_bytes(data[at : at + 2], signed=True) for at in range(0, len(data), 2)]


def awake(*puts):
    board = SteppedBoard("mpu6050")
    for data in ((0x6B, 0), *puts):
        board.put(*data)
    board.wait(200_000)
    return board


def mean(board, register, count=60):
    found = []
    for _ in range(count):
        board.wait(5_000)
        found.append(words(board.get(register, 2))[0])
    return sum(found) / count


# ---- MPU-6050


def test_a_fifo_fills_and_gives_what_the_registers_had():
    board = awake((0x1A, 3), (0x19, 9), (0x23, 0x08), (0x6A, 0x44))
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
    board = awake((0x19, 7), (0x23, 0xF8), (0x6A, 0x40))
    board.wait(1_000_000)
    assert words(board.get(0x72, 2)) == [1024]
    assert board.get(0x3A) == b"\x11"


def test_axes_in_standby_and_a_temperature_switched_off_stay():
    board = awake((0x6C, 0x20))
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
    board = awake((0x6B, 0x20), (0x6C, 0x07))
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
    board = awake()
    usual = mean(board, register)
    board.put(*switch)
    moved = (mean(board, register) - usual) / (16384 if register == 0x3B else 131)
    assert least < moved < most
    assert any(board.get(0x0D, 4))


def test_offsets_of_the_host_count():
    board = awake()
    usual = board.get(0x06, 2)
    before = mean(board, 0x3B)
    board.put(0x06, *((words(usual)[0] + 512) & 0xFFFF).to_bytes(2))
    assert (mean(board, 0x3B) - before) / 16384 == pytest.approx(0.25, abs=0.01)
    before = mean(board, 0x43)
    board.put(0x13, *(328).to_bytes(2))
    assert (mean(board, 0x43) - before) / 131 == pytest.approx(10, abs=0.2)


def test_what_an_mpu6050_lacks_is_told():
    board = awake((0x37, 0x02), (0x6D, 0x10), (0x6A, 0xC0))
    assert board.get(0x6D) == b"\x10"
    assert board.told() == [
        "I2C_BYPASS_EN of INT_PIN_CFG is not modelled",
        "a value of DMP_0 is not modelled",
        "DMP_EN of USER_CTRL is not modelled",
    ]
    assert board.told(Offence.UNMODELLED) == board.told()


# ---- the others


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


def test_a_clock_goes_on_at_its_first_register_after_the_last():
    board = SteppedBoard("ds3231")
    board.put(0, 0x11, 0x22, 0x13)
    assert board.get(0, 32)[19:22] == b"\x11\x22\x13"
    assert board.offences() == []


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


def test_a_byte_takes_the_time_of_the_baud():
    for baud, least, most in ((100_000, 800, 900), (400_000, 200, 260)):
        board = SteppedBoard("adxl345", baud=baud)
        board.get(0x32, 6)
        assert least < board.bus.clock_ns / 1000 < most
    with pytest.raises(PlanError, match="baud 5: write 10000 to 1000000"):
        SteppedBoard(baud=5)


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
