"""A pytest plugin: the drivers' tests as they are, with a kernel between drivers and parts.

``SimulatedSMBus`` becomes the kernel's ``/dev/i2c-1`` through the real smbus2; its parts answer at
the other end, see ``tests.kernel.relay``. ``SimulatedGPIO`` becomes the real rpi-lgpio on the
kernel's GPIO chip. Virtual time becomes real time that begins at 0.
"""

import asyncio
import os
import select
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from smbus2 import SMBus

import hw_sim.board.board
import hw_sim.board.gpio
import hw_sim.clock.virtual
from firmware.runtime.board import open_pins
from tests.kernel.inside.pins import Lines
from tests.kernel.relay import answer
from tests.kernel.suite import UNFIT

LINE = os.open("/dev/ttyS2", os.O_RDWR | os.O_NOCTTY)
LINES = Lines()
BUS = SMBus(1)
THREAD = ThreadPoolExecutor(1, "i2c")
_DONE = os.pipe()
LOOPS = threading.main_thread()
OTHER_LIBRARIES = {"rpi-gpio", "no-edges"}


POWER_UP_S = 0.05
"""Enough for the parts on the bus. The pad takes longer: its test waits on."""


class KernelBus(hw_sim.board.board.SimulatedSMBus):
    """What a test does with its bus goes through the kernel; what comes back is done for real."""

    def __init__(self, parts, now_us):
        super().__init__(parts, now_us)
        self._asked = b""
        self._job_us = 0
        asyncio.get_running_loop().add_reader(LINE, self._serve)

    def i2c_rdwr(self, *messages):
        if threading.current_thread() is not LOOPS:
            BUS.i2c_rdwr(*messages)
            return
        # no job: a test that uses a driver itself. Its thread is the one that has to answer.
        done = THREAD.submit(BUS.i2c_rdwr, *messages)
        done.add_done_callback(lambda _done: os.write(_DONE[1], b"."))
        while _DONE[0] not in select.select([LINE, _DONE[0]], [], [])[0]:
            self._serve()
        os.read(_DONE[0], 1)
        done.result()

    async def execute(self, job):
        self._job_us = 0
        return await asyncio.get_running_loop().run_in_executor(THREAD, job)

    @property
    def elapsed_us(self):
        return self._job_us

    def _serve(self):
        self._asked += os.read(LINE, 65536)
        while b"\n" in self._asked:
            line, self._asked = self._asked.split(b"\n", 1)
            os.write(LINE, answer(line, _Parts(self)))

    def done_by_parts(self, *messages):
        self.begin_job()
        try:
            super().i2c_rdwr(*messages)
        finally:
            self._job_us += super().elapsed_us
            self.end_job()
            self.after_job()


class _Parts:
    def __init__(self, bus):
        self.i2c_rdwr = bus.done_by_parts


class KernelGPIO:
    """The real library; what a test drives from outside goes to the kernel's chip."""

    late_us = 300_000
    """No time is claimed from a kernel that is a process among others."""

    def __init__(self, loop, profile="rpi-lgpio"):
        self._real = open_pins()
        self._real.setwarnings(False)
        self._real.cleanup()
        self._driven = {}
        self.violations = []
        self.on_drive = []
        self.claimed_elsewhere = _Elsewhere()

    def __getattr__(self, name):
        return getattr(self._real, name)

    def drive(self, pin, level):
        if self._driven.get(pin) == level:
            return
        self._driven[pin] = level
        for watcher in self.on_drive:
            watcher(pin, level)
        LINES.drive(pin, level)

    def release(self, pin):
        self.drive(pin, 0)


class _Elsewhere:
    """Another program that holds lines; the one of the test before has ended."""

    chips = []  # noqa: RUF012 - shared by all tests

    def __init__(self):
        while self.chips:
            _lgpio().gpiochip_close(self.chips.pop())

    def add(self, pin):
        self.chips.append(_lgpio().gpiochip_open(0))
        _lgpio().gpio_claim_input(self.chips[-1], pin)


def _lgpio():
    """Import what makes a pipe where it is imported: not before `open_pins`."""
    import lgpio

    return lgpio


class Loop(asyncio.SelectorEventLoop):
    """Real time that begins at 0."""

    def __init__(self):
        self._began_s = 0.0
        super().__init__()
        self._began_s = super().time()

    def time(self):
        return super().time() - self._began_s


def run(work):
    with asyncio.Runner(loop_factory=Loop) as runner:
        return runner.run(work)


hw_sim.board.board.SimulatedSMBus = KernelBus
hw_sim.board.board.SimulatedGPIO = hw_sim.board.gpio.SimulatedGPIO = KernelGPIO
hw_sim.clock.virtual.run = run


def pytest_collection_modifyitems(config, items):
    """Leave out tests of other libraries; and what the kernel cannot be asked, with the reason."""
    for plugin in config.pluginmanager.get_plugins():
        if hasattr(plugin, "POWER_UP_S"):
            plugin.POWER_UP_S = POWER_UP_S
    kept, left = [], []
    for item in items:
        parameters = getattr(item, "callspec", None)
        values = set(map(str, parameters.params.values())) if parameters else set()
        (left if values & OTHER_LIBRARIES else kept).append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = kept
    for item in items:
        path = item.nodeid.removeprefix("tests/drivers/")
        for name, reason in UNFIT.items():
            if path.startswith(name):
                item.add_marker(pytest.mark.skip(reason=reason))
