"""The real rpi-lgpio, without a GPIO chip: what it raises, and where it goes.

It is imported in a process of its own, because it changes the working directory of the one that
imports it and starts a thread there.
"""

import asyncio
import json
import os
import subprocess
import sys
from importlib.util import find_spec

import pytest
from steckbrett.board import gpio as simulated

from drivers.gpio import PinError

pytestmark = pytest.mark.skipif(
    find_spec("lgpio") is None, reason="rpi-lgpio is not installed: pip install rpi-lgpio==0.6"
)
ON_A_PI_4 = {"RPI_LGPIO_REVISION": "c03115", "RPI_LGPIO_CHIP": "999"}
CALLS = (
    "gpio.setup(17, gpio.IN)",
    "gpio.setup(17, 5)",
    "gpio.setup(17, gpio.OUT, pull_up_down=gpio.PUD_UP)",
    "gpio.input(17)",
    "gpio.output(13, 1)",
    "gpio.add_event_detect(17, gpio.BOTH)",
    "gpio.setmode(99)",
    "gpio.setmode(gpio.BCM)",
)


def raised(gpio, call):
    try:
        eval(call, {"gpio": gpio})
    except Exception as problem:
        kind = type(problem)
        return [kind.__name__, kind.__mro__[1].__name__, str(problem)]
    return None


def real(program, folder, **environment):
    """Return the JSON that a program prints, run in a folder with the real library."""
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder, capture_output=True, text=True, timeout=60, check=False,
        env={"PYTHONPATH": os.getcwd(), "PATH": os.environ["PATH"], **environment},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


async def test_the_simulated_library_raises_what_the_real_one_does(tmp_path):
    program = f"""
import json, sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
from test_real_library import CALLS, raised
import RPi.GPIO as gpio
print(json.dumps([raised(gpio, call) for call in CALLS]))
"""
    found = real(program, tmp_path, **ON_A_PI_4)
    board = simulated.SimulatedGPIO(asyncio.get_running_loop(), "rpi-lgpio")
    board.access_refused = True
    assert found == [raised(board, call) for call in CALLS]
    assert found[-1] == ["error", "Exception", "'can not open gpiochip'"]


async def test_the_words_for_a_pin_that_another_program_holds_are_known(tmp_path):
    program = """
import json, lgpio
codes = (lgpio.GPIO_BUSY, lgpio.GPIO_NOT_ALLOCATED)
print(json.dumps([lgpio.error_text(code) for code in codes]))
"""
    texts = real(program, tmp_path)
    board = simulated.SimulatedGPIO(asyncio.get_running_loop(), "rpi-lgpio")
    board.setmode(board.BCM)
    board.claimed_elsewhere.add(17)
    held = [raised(board, f"gpio.setup(17, gpio.{way})")[2] for way in ("IN", "OUT")]
    assert [repr(text) for text in texts] == held
    assert all(PinError(17, text).busy for text in texts)


OPEN = """
import json, os
from firmware.runtime.board import BoardError, open_pins
try:
    found = open_pins().VERSION
except BoardError as error:
    found = str(error)
print(json.dumps([found, os.getcwd(), os.environ["LG_WD"]]))
"""


def test_it_loads_where_nothing_can_be_written_and_leaves_nothing():
    found, here, pipes = real(OPEN, "/proc", **ON_A_PI_4)
    assert (found, here) == ("0.7.2", "/proc")
    assert not os.path.exists(pipes)


def test_what_keeps_it_from_loading_is_one_line(tmp_path):
    missing = tmp_path / "missing"
    found, here, _ = real(OPEN, tmp_path, LG_WD=str(missing), **ON_A_PI_4)
    assert found.startswith("the GPIO library finds no folder for its pipes ([Errno 2]")
    assert here == str(tmp_path)
    found, _, _ = real(OPEN, tmp_path)
    assert found.startswith("no GPIO pins (This module can only be run on a Raspberry Pi!)")
