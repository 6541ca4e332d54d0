"""The simulated board: parts, bus, pins and faults together on one clock."""

import asyncio

import pytest
from smbus2 import i2c_msg

from hw_sim.board import ADDRESSES, SimulatedBoard

G = 9.80665
ACCELEROMETER, DISPLAY, LIGHT = 0x53, 0x3C, 0x10


@pytest.fixture
def board(loop):
    board = SimulatedBoard(1, loop)
    yield board
    board.close()


def put(board, address, *data):
    board.bus.i2c_rdwr(i2c_msg.write(address, data))


def get(board, address, register, count):
    answer = i2c_msg.read(address, count)
    board.bus.i2c_rdwr(i2c_msg.write(address, [register]), answer)
    return bytes(answer)


def unanswered(board, address):
    """Write to an address where nobody is; return the error's number."""
    with pytest.raises(OSError, match="Remote I/O") as caught:
        put(board, address)
    return caught.value.errno


def edges(board, loop, pin):
    gpio = board.gpio
    if gpio.getmode() is None:
        gpio.setmode(gpio.BCM)
    gpio.setup(pin, gpio.IN)
    heard = []
    gpio.add_event_detect(
        pin, gpio.BOTH, callback=lambda c: heard.append((round(loop.time() * 1e6), gpio.input(c)))
    )
    return heard


def start_fifo(board, enable=0x02):
    for register, value in ((0x31, 0x0B), (0x2C, 0x0A), (0x38, 0x8A), (0x2E, enable), (0x2D, 8)):
        put(board, ACCELEROMETER, register, value)


def drain(board):
    entries = get(board, ACCELEROMETER, 0x39, 1)[0] & 0x3F
    return [get(board, ACCELEROMETER, 0x32, 6) for _ in range(entries)]


async def test_world_changed_in_mid_run_does_not_reach_back(board):
    await board.bus.execute(lambda: start_fifo(board))
    await asyncio.sleep(0.095)
    board.acceleration = lambda _t: (8 * G, 0.0, G)
    await asyncio.sleep(0.1)
    xs = [
        int.from_bytes(sample[:2], "little", signed=True)
        for sample in await board.bus.execute(lambda: drain(board))
    ]
    assert max(xs[:8]) < 100
    assert min(xs[-8:]) > 1900
    assert board.violations == []


# ---- faults


@pytest.mark.parametrize("part", sorted(ADDRESSES))
async def test_unplugged_part_does_not_answer_until_replugged(part, board):
    board.unplug(part)
    assert unanswered(board, ADDRESSES[part]) == 121
    board.replug(part)
    put(board, ADDRESSES[part])


async def test_unplugged_accelerometer_lets_go_of_int1_and_starts_anew(board, loop):
    heard = edges(board, loop, 17)
    await board.bus.execute(lambda: start_fifo(board))
    await asyncio.sleep(0.15)
    board.unplug("accelerometer")
    board.acceleration = lambda _t: (0.0, 0.0, G)
    await asyncio.sleep(5)
    assert [level for _, level in heard][:1] == [1]
    assert board.pins[17].floating
    assert any("read while nothing drives" in line for line in board.violations)
    board.replug("accelerometer")
    assert get(board, ACCELEROMETER, 0x2D, 1) == b"\x00"
    count = len(heard)
    await asyncio.sleep(5)
    assert len(heard) == count


async def test_swapped_parts_answer_at_each_others_address(board):
    board.swap("accelerometer", "light")
    assert get(board, LIGHT, 0x00, 1) == b"\xe5"
    board.unplug("accelerometer")
    unanswered(board, LIGHT)
    board.swap("accelerometer", "light")
    assert get(board, LIGHT, 0x07, 2) == b"\x81\xc4"
    unanswered(board, ACCELEROMETER)
    board.replug("accelerometer")
    assert get(board, ACCELEROMETER, 0x00, 1) == b"\xe5"


async def test_wrong_chip_answers_with_another_identity(board):
    board.wrong_chip("accelerometer")
    board.wrong_chip("light")
    assert get(board, ACCELEROMETER, 0x00, 1) != b"\xe5"
    assert get(board, LIGHT, 0x07, 2) != b"\x81\xc4"
    with pytest.raises(ValueError, match="SSD1306 has no identity"):
        board.wrong_chip("display")


async def test_bus_errors_by_count_and_part(board):
    board.nack(1, "display")
    put(board, LIGHT)
    unanswered(board, DISPLAY)
    put(board, DISPLAY)
    board.nack(2, error=110)
    for _ in range(2):
        with pytest.raises(OSError, match="timed out") as caught:
            put(board, LIGHT)
        assert caught.value.errno == 110
    put(board, LIGHT)
    board.stick()
    with pytest.raises(OSError, match="timed out"):
        put(board, LIGHT)
    board.stick(stuck=False)
    put(board, LIGHT)


# ---- sums


def test_violations_of_all_parts_come_together(board):
    put(board, ACCELEROMETER, 0x00, 1)
    put(board, DISPLAY, 0x00, 0xE4)
    put(board, LIGHT, 0x09, 0, 0)
    board.gpio.setmode(board.gpio.BCM)
    board.gpio.setup(5, board.gpio.IN)
    board.gpio.input(5)
    guilty = [line.split()[0] for line in board.violations]
    assert guilty == ["ADXL345", "SSD1306", "VEML7700", "GPIO"]
