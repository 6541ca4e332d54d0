"""The simulated board: its parts together, its bus on a loop, and ``maexchen run`` on it."""

import asyncio

import pytest
from smbus2 import i2c_msg
from steckbrett.board.board import Board
from steckbrett.board.bus import SimulatedSMBus
from steckbrett.host.program import module, run

from hw_sim.board import INT1_BCM, TOUCH_BCM, SimulatedBoard

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


def test_violations_of_all_parts_come_together(board):
    put(board, ACCELEROMETER, 0x00, 1)
    put(board, DISPLAY, 0x00, 0xE4)
    put(board, LIGHT, 0x09, 0, 0)
    board.gpio.setmode(board.gpio.BCM)
    board.gpio.setup(5, board.gpio.IN)
    board.gpio.input(5)
    guilty = [line.split()[0] for line in board.violations]
    assert guilty == ["ADXL345", "SSD1306", "VEML7700", "GPIO"]


class Listener:
    """A part that takes all bytes."""

    def write(self, data, t_us):
        pass

    def stop(self):
        pass


@pytest.fixture
def looped(loop):
    """A bus whose clock is the loop's."""
    made = SimulatedSMBus({0x40: Listener()}, lambda: round(loop.time() * 1e6))
    made.bit_ns = 2_500
    return made


async def test_execute_takes_its_bus_time_on_the_loop(looped, loop):
    seen = []

    def job():
        for _ in range(10):
            looped.i2c_rdwr(i2c_msg.write(0x40, [0] * 9))
        seen.append(loop.time())
        return "done"

    loop.call_later(0.001, lambda: seen.append("another handheld"))
    assert await looped.execute(job) == "done"
    assert seen == [0.0, "another handheld"]
    assert loop.time() == pytest.approx(0.002313, abs=2e-6)


async def test_jobs_of_two_tasks_share_the_wire(looped, loop):
    ends = []

    async def one():
        await looped.execute(lambda: looped.i2c_rdwr(i2c_msg.write(0x40, [0] * 99)))
        ends.append(loop.time())

    await asyncio.gather(one(), one())
    assert ends[1] == pytest.approx(2 * ends[0], abs=2e-6)


SETTINGS = """
name = "Ana"
journal = "journal.sqlite"
link = "mqtt"
[broker]
url = "mqtt://127.0.0.1:9"
"""


@pytest.fixture
def own_board(tmp_path, monkeypatch):
    (tmp_path / "settings.toml").write_text(SETTINGS)
    monkeypatch.chdir(tmp_path)
    return Board(
        ["adxl345", "ssd1306", "veml7700", "ttp223"],
        {INT1_BCM: "adxl345.int1", TOUCH_BCM: "ttp223.q"},
    )


# Other tests may have loaded the program, and runpy warns of that.
@pytest.mark.filterwarnings("ignore:.*unpredictable behaviour:RuntimeWarning")
def test_the_handheld_shows_its_lobby_and_reads_its_sensors(own_board):
    seen = []
    outcome = run(
        module("firmware.cli.main"),
        own_board,
        until_s=5.0,
        argv=["maexchen", "run", "--settings", "settings.toml"],
        look=lambda: seen.append(own_board.parts["ssd1306"].pixels()),
    )
    assert (outcome.exit_code, outcome.error, outcome.left) == (0, None, 0)
    lit = sum(map(sum, seen[0]))
    assert 300 < lit < 2000
    assert sum(map(sum, own_board.parts["ssd1306"].pixels())) == 0
    assert own_board.bus.transactions > 500
    assert own_board.offences() == []
