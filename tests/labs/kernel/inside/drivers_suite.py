"""A pytest plugin: the drivers' tests as they are, with a kernel between drivers and parts.

``SimulatedSMBus`` becomes the kernel's ``/dev/i2c-1`` through the real smbus2; its parts answer at
the other end, see ``tests.labs.kernel.relay``. ``SimulatedGPIO`` becomes the real rpi-lgpio on the
kernel's GPIO chip. Time stays virtual, and waits for the kernel: it moves on when every edge that
is due has been told. Tests of the other libraries, which want a Pi's registers, keep the simulated
pins; so do those that compare these with the real ones.
"""

import os
import select
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from smbus2 import SMBus

import hw_sim.board.board
import hw_sim.board.gpio
import hw_sim.clock.virtual
from drivers.time import now_us
from firmware.runtime.board import open_pins
from hw_sim.board.pwm import Pulses
from tests.labs.kernel.inside.pins import Lines
from tests.labs.kernel.relay import answer
from tests.labs.kernel.suite import ON_SIMULATED_PINS

LINE = os.open("/dev/ttyS2", os.O_RDWR | os.O_NOCTTY)
LINES = Lines()
BUS = SMBus(1)
THREAD = ThreadPoolExecutor(1, "i2c")
_DONE = os.pipe()
OTHER_LIBRARIES = {"rpi-gpio", "no-edges"}
COMPARISON = "test_real_library.py"
NOBODY = 65534
ANOTHER_PIN = 27
PATIENCE_S = 20.0
_IN_USE, _OUTPUT = 1, 2  # of lgpio's line info


class KernelBus(hw_sim.board.board.SimulatedSMBus):
    """What a test does with its bus goes through the kernel; what comes back is done for real."""

    def i2c_rdwr(self, *messages):
        done = THREAD.submit(BUS.i2c_rdwr, *messages)
        done.add_done_callback(lambda _done: os.write(_DONE[1], b"."))
        asked = b""
        while _DONE[0] not in select.select([LINE, _DONE[0]], [], [])[0]:
            asked += os.read(LINE, 65536)
            if asked.endswith(b"\n"):
                os.write(LINE, answer(asked, _Parts(super().i2c_rdwr)))
                asked = b""
        os.read(_DONE[0], 1)
        done.result()


class _Parts:
    def __init__(self, done_by_parts):
        self.i2c_rdwr = done_by_parts


class _Edges:
    """Edges that the kernel's library has still to tell of, by pin."""

    def __init__(self):
        self._due = Counter()
        self._changed = threading.Condition()

    def expect(self, pin):
        with self._changed:
            self._due[pin] += 1

    def tell(self, pin):
        with self._changed:
            self._due[pin] = max(0, self._due[pin] - 1)  # forgotten ones may come all the same
            self._changed.notify()

    def forget(self, pin=None):
        with self._changed:
            for each in [*self._due] if pin is None else [pin]:
                self._due.pop(each, None)

    def wait(self):
        with self._changed:
            if not self._changed.wait_for(lambda: not any(self._due.values()), PATIENCE_S):
                raise RuntimeError(f"edges that were never told: {dict(self._due)}")


EDGES = _Edges()
COUNTED = Counter()


class KernelGPIO:
    """The real library; what a test drives from outside goes to the kernel's chip."""

    def __init__(self, loop, profile="rpi-lgpio"):
        self._real = open_pins()
        self._real.setwarnings(False)
        self._real.cleanup()
        for pin in LINES.driven:
            LINES.drive(pin, 0)
        self._driven = {}
        self._watched = {}
        self.violations = []
        self.on_drive = []
        self.access_refused = False
        self.claimed_elsewhere = _Elsewhere()
        self.pulses = _waves(Pulses(lambda: now_us(loop), forgets=False))

    def __getattr__(self, name):
        return getattr(self._real, name)

    def drive(self, pin, level):
        if self._driven.get(pin) == level:
            return
        before = self._driven.get(pin, 0)
        self._driven[pin] = level
        for watcher in self.on_drive:
            watcher(pin, level)
        one_way = self.RISING if level else self.FALLING
        EDGES.wait()  # the chip makes one of two edges that come within a tick
        if level != before and self._watched.get(pin) in (self.BOTH, one_way):
            EDGES.expect(pin)
        LINES.drive(pin, level)

    def release(self, pin):
        self.drive(pin, 0)

    def setmode(self, mode):
        """Where access is refused, somebody asks who may not open the chip."""
        os.seteuid(NOBODY if self.access_refused else 0)
        try:
            self._real.setmode(mode)
        finally:
            os.seteuid(0)

    def add_event_detect(self, channel, edge, *, callback):
        def told(_channel):
            callback(channel)
            EDGES.tell(channel)

        self._real.add_event_detect(channel, edge, callback=told)
        self._watched[channel] = edge

    def remove_event_detect(self, channel):
        self._real.remove_event_detect(channel)
        self._watched.pop(channel, None)
        EDGES.forget(channel)

    def output_level(self, pin):
        chip = _lgpio().gpiochip_open(0)
        _, _, about, _, _ = _lgpio().gpio_get_line_info(chip, pin)
        _lgpio().gpiochip_close(chip)
        return LINES.level(pin) if about & _IN_USE and about & _OUTPUT else None


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


def _waves(pulses):
    """Keep in ``pulses`` what the library asks of the chip; the kernel shows no wave so short."""
    lgpio = _lgpio()
    begin = getattr(lgpio.tx_pwm, "begin", lgpio.tx_pwm)

    def tx_pwm(chip, pin, frequency, duty, *more):
        status = begin(chip, pin, frequency, duty, *more)
        pulses.note(pin, frequency, duty)
        return status

    tx_pwm.begin = begin
    lgpio.tx_pwm = tx_pwm
    return pulses


class Loop(hw_sim.clock.virtual.VirtualLoop):
    """Virtual time that stands until the kernel has told of every edge that is due."""

    def call_soon_threadsafe(self, callback, *args, context=None):
        return self.call_soon(callback, *args, context=context)

    def _run_once(self):
        if not self._ready:
            EDGES.wait()
        super()._run_once()


def _watch_another_pin():
    """As on a handheld: where nobody watches any pin, lgpio 0.2.2 may not notice who begins to.

    Its thread for edges unlocks before it waits (lgPthAlerts.c): a wake-up between is lost.
    """
    open_pins()
    lgpio = _lgpio()
    lgpio.gpio_claim_alert(lgpio.gpiochip_open(0), ANOTHER_PIN, lgpio.BOTH_EDGES)


_watch_another_pin()
SIMULATED_PINS = hw_sim.board.gpio.SimulatedGPIO
on_simulated_pins = False


def pins(loop, profile="rpi-gpio"):
    return (SIMULATED_PINS if on_simulated_pins else KernelGPIO)(loop, profile)


hw_sim.board.board.SimulatedSMBus = KernelBus
hw_sim.board.board.SimulatedGPIO = hw_sim.board.gpio.SimulatedGPIO = pins
hw_sim.clock.virtual.VirtualLoop = Loop


def is_for_simulated_pins(item):
    parameters = getattr(item, "callspec", None)
    values = set(map(str, parameters.params.values())) if parameters else set()
    return bool(values & OTHER_LIBRARIES) or COMPARISON in item.nodeid


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    global on_simulated_pins
    on_simulated_pins = is_for_simulated_pins(item)
    EDGES.forget()


def pytest_runtest_makereport(item, call):
    if call.when == "call" and on_simulated_pins and call.excinfo is None:
        COUNTED["passed"] += 1


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"{ON_SIMULATED_PINS}{COUNTED['passed']}")
