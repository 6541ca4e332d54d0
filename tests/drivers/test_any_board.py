"""One suite for every board: the simulator's three GPIO profiles, and with ``--pi`` a real one.

A real board lies on a table, display up, and nobody touches it meanwhile. ``maexchen doctor
--hands`` has the tests that need hands.
"""

import asyncio
import math
import subprocess
import sys
from contextlib import asynccontextmanager

import pytest

from drivers.adxl345 import COUNTS_PER_G, SAMPLE_PERIOD_US, WATERMARK, Accelerometer
from drivers.bus import Priority
from drivers.errors import PartError, PartFault
from drivers.gpio import PinError, PinWatch
from drivers.ttp223 import DEAD_S, TouchPad
from drivers.veml7700 import FRESH_US, SETTLE_US
from firmware.runtime.board import assemble, open_board
from hw_sim.board import SimulatedBoard
from hw_sim.clock import run
from tests.support.rigs import assembled

NOBODY_ADDRESS = 0x1E
PROFILES = ("rpi-gpio", "rpi-lgpio", "no-edges")


@asynccontextmanager
async def simulated(profile):
    with assembled(4, profile=profile) as (board, parts):
        board.illuminance = lambda _t_us: 150.0
        await asyncio.sleep(0.6)
        yield parts
    assert board.violations == []


@pytest.fixture(params=[*PROFILES, pytest.param("pi", marks=pytest.mark.pi)])
def on_board(request):
    """Run a coroutine function on an opened board."""

    def play(work):
        async def main(opened):
            async with opened as board:
                return await work(board)

        if request.param == "pi":
            return asyncio.run(main(open_board()))
        return run(main(simulated(request.param)))

    return play


def test_samples_come_at_their_rate_and_feel_gravity(on_board):
    async def work(board):
        await board.bus.run(board.accelerometer.begin, Priority.MOTION)
        samples = []
        for _ in range(10):
            assert await board.motion_pin.wait(timeout_s=1.0), "INT1 did not rise"
            drained = await board.bus.run(board.accelerometer.drain, Priority.MOTION)
            assert not drained.overrun
            samples += drained.xyz
        await board.bus.run(board.accelerometer.watch_for_motion, Priority.MOTION)
        return samples

    loop_began = 10 * WATERMARK
    samples = on_board(work)
    assert loop_began <= len(samples) <= loop_began + 30
    gravity = math.hypot(*(sum(axis) / len(samples) / COUNTS_PER_G for axis in zip(*samples)))
    assert 0.75 <= gravity <= 1.25


def test_it_is_quiet_while_it_watches_for_motion_and_wakes_again(on_board):
    async def work(board):
        await board.bus.run(board.accelerometer.begin, Priority.MOTION)
        await asyncio.sleep(0.2)
        await board.bus.run(board.accelerometer.watch_for_motion, Priority.MOTION)
        rose = await board.motion_pin.wait(timeout_s=1.0)
        await board.bus.run(board.accelerometer.wake, Priority.MOTION)
        await asyncio.sleep(3 * WATERMARK * SAMPLE_PERIOD_US / 1e6)
        drained = await board.bus.run(board.accelerometer.drain, Priority.MOTION)
        await board.bus.run(board.accelerometer.watch_for_motion, Priority.MOTION)
        return rose, drained

    rose, drained = on_board(work)
    assert rose is False
    assert len(drained.xyz) > 5


def test_the_light_sensor_converts_and_shuts_down(on_board):
    async def work(board):
        await board.bus.run(board.light.begin, Priority.LIGHT)
        await board.bus.run(board.light.fast, Priority.LIGHT)
        await asyncio.sleep(SETTLE_US / 1e6)
        counts = []
        for _ in range(5):
            counts.append(await board.bus.run(board.light.read, Priority.LIGHT))
            await asyncio.sleep(FRESH_US / 1e6)
        await board.bus.run(board.light.shut_down, Priority.LIGHT)
        return counts

    counts = on_board(work)
    assert all(0 <= value <= 65_535 for value in counts)


def test_the_panel_takes_a_picture_and_goes_dark(on_board):
    async def work(board):
        await board.bus.run(board.panel.begin, Priority.PICTURE)
        picture = bytes(range(256)) * 4
        for window in board.panel.changes(picture):
            await board.bus.run(lambda one=window: board.panel.write(one), Priority.PICTURE)
        await board.bus.run(board.panel.light_up, Priority.PICTURE)
        await board.bus.run(board.panel.blank, Priority.BLANK)
        return board.panel.memory == picture, board.panel.is_on

    assert on_board(work) == (True, False)


def test_a_part_that_is_not_there_is_named(on_board):
    async def work(board):
        nobody = Accelerometer(board.bus.adapter, NOBODY_ADDRESS)
        with pytest.raises(PartError) as caught:
            await board.bus.run(nobody.begin, Priority.MOTION)
        return caught.value.fault

    assert on_board(work) is PartFault.NO_ANSWER


def test_a_pad_at_rest_says_nothing(on_board):
    async def work(board):
        changes = []
        pad = TouchPad(
            board.gpio,
            board.touch_pin,
            lambda t_us, down: changes.append(down),
            asyncio.get_running_loop(),
        )
        await asyncio.sleep(DEAD_S + 1.0)
        pad.close()
        return changes

    assert on_board(work) == []


def test_a_pin_can_be_watched_again_after_it_was_given_back(on_board):
    async def work(board):
        for _ in range(3):
            watch = PinWatch(
                board.gpio, board.touch_pin, lambda t_us, level: None, asyncio.get_running_loop()
            )
            assert watch.level() is False
            watch.close()

    on_board(work)


# ---- what only a simulated library can be made to do ---------------------------------------------


@pytest.mark.parametrize(
    ("profile", "said"),
    [
        ("rpi-gpio", "No access to /dev/mem.  Try running as root!"),
        ("no-edges", "No access to /dev/mem.  Try running as root!"),
        ("rpi-lgpio", "can not open gpiochip"),
    ],
)
async def test_a_refused_permission_is_one_line_with_advice(profile, said):
    board = SimulatedBoard(1, asyncio.get_running_loop(), profile)
    board.gpio.access_refused = True
    with pytest.raises(PinError) as caught:
        assemble(board.bus, board.bus.execute, board.gpio, asyncio.get_running_loop())
    board.close()
    error = caught.value
    assert str(error) == f"GPIO 17 cannot be used ({said}): join the group gpio and log in again"
    assert not error.busy


@pytest.mark.parametrize("profile", PROFILES)
def test_a_pin_that_another_program_holds_is_told_where_the_library_can_tell(profile):
    async def main():
        loop = asyncio.get_running_loop()
        board = SimulatedBoard(1, loop, profile)
        board.gpio.claimed_elsewhere.add(22)
        try:
            PinWatch(board.gpio, 22, lambda t_us, level: None, loop).close()
        except PinError as error:
            return error
        finally:
            board.close()
        return None

    error = run(main())
    if profile == "rpi-lgpio":
        assert error.busy
        assert "end the other program" in str(error)
    else:
        assert error is None, "RPi.GPIO maps the registers and asks nobody"


PROGRAM = """
import os, sys
os.environ["BLINKA_FORCEBOARD"] = "RASPBERRY_PI_4B"
os.environ["BLINKA_FORCECHIP"] = "BCM2XXX"
import drivers.adxl345, drivers.ssd1306, drivers.veml7700, drivers.ttp223, drivers.gpio
names = ["adafruit_adxl34x", "adafruit_ssd1306", "board", "gpiod", "RPi", "RPi.GPIO"]
print(*[name for name in names if name in sys.modules])
"""


def test_board_gpiod_and_rpi_stay_unimported():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["adafruit_adxl34x", "adafruit_ssd1306"]
