"""The simulated board: parts, bus, pins, faults, wrong parts, and ``maexchen run`` on it."""

import asyncio

import pytest
from smbus2 import i2c_msg
from steckbrett.board.board import Board
from steckbrett.board.bus import SimulatedSMBus
from steckbrett.host.program import module, run
from steckbrett.parts import Offence
from steckbrett.parts.bh1750 import BH1750
from steckbrett.parts.sh1106 import COLUMNS, SH1106

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


# ---- faults


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


def test_measuring_time_is_not_changed_in_mid_measurement():
    part = lit()
    part.write(b"\x10", 0)
    part.write(b"\x42", 10)
    assert "power down first" in part.violations[0]


def test_an_sh1106_gives_its_memory_back_after_a_dummy_byte():
    part = SH1106()
    part.write(b"\x00\xb3\x02\x10", 0)
    part.write(b"\x40\x11\x22", 0)
    part.write(b"\x00\xb3\x02\x10", 0)
    part.write(b"\x40", 0)
    assert part.read(3, 0) == b"\x00\x11\x22"
    assert part.memory[3 * COLUMNS + 2 :][:2] == b"\x11\x22"


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
