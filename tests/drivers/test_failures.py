"""Every transfer of every driver may fail: always one clear line, and the next begin mends it."""

import pytest

from drivers.adxl345 import Accelerometer
from drivers.bus import BusioAdapter
from drivers.errors import PartError
from drivers.panel_windows import Window
from drivers.ssd1306 import Panel
from drivers.veml7700 import Veml7700
from hw_sim.clock import run


def everything(part):
    """Use every method of a driver that touches the bus."""
    part.begin()
    match part:
        case Accelerometer():
            part.drain()
            part.watch_for_motion()
            part.interrupt_source()
            part.wake()
        case Veml7700():
            part.fast()
            part.read()
            part.slow()
            part.shut_down()
        case Panel():
            part.write(Window(0, 0, 0, 1, b"\x01\x02"))
            part.light_up()
            part.contrast(9)
            part.blank()


class FailingBus:
    """The board's bus, of which some transfers do not work."""

    def __init__(self, bus):
        self.bus = bus
        self.failing = {}
        self.sizes = []

    def i2c_rdwr(self, *messages):
        number = len(self.sizes)
        self.sizes.append(sum(map(len, messages)))
        if number in self.failing:
            raise OSError(self.failing[number], "not this time")
        self.bus.i2c_rdwr(*messages)


def outcomes(powered, kind, error, in_a_row):
    """Let each transfer fail once: yields its number, its size and what came of it."""

    async def main():
        results = []
        number, total = 0, 1
        while number < total:
            bench = await powered()
            bus = FailingBus(bench.board.bus)
            everything(kind(BusioAdapter(bus)))
            total = len(bus.sizes)
            size = bus.sizes[number]
            bus.sizes.clear()
            bus.failing = {number + more: error for more in range(in_a_row)}
            part = kind(BusioAdapter(bus))
            problem = None
            try:
                everything(part)
            except PartError as caught:
                problem = caught
            bus.failing.clear()
            everything(part)
            results.append((number, size, problem))
            number += 1
        return results

    return run(main())


@pytest.mark.parametrize("kind", [Accelerometer, Veml7700, Panel])
@pytest.mark.parametrize("error", [121, 110, 5])
def test_each_failed_transfer_is_one_clear_line(powered, kind, error):
    for number, size, problem in outcomes(powered, kind, error, in_a_row=1):
        if size == 0 or (kind is Panel and size == 1):
            # The probe of adafruit_bus_device, which tries twice; the status byte that a panel
            # need not have.
            assert problem is None
            continue
        assert problem is not None, number
        assert "\n" not in str(problem)
        assert f"at 0x{problem.address:02X}: " in str(problem)
        assert "check" in problem.advice
        assert problem.__cause__.errno == error


@pytest.mark.parametrize("kind", [Accelerometer, Panel])
def test_a_failed_probe_of_the_adafruit_packages_is_no_answer(powered, kind):
    probes = [
        problem for _, size, problem in outcomes(powered, kind, error=121, in_a_row=2) if size == 0
    ]
    assert probes
    for problem in probes:
        assert "no answer" in str(problem)
