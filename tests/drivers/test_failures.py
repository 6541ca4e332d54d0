"""Every trouble with a part is one clear line, and the next begin mends it."""

import errno
import pickle

import pytest

from drivers.adxl345 import Accelerometer
from drivers.bus import BusioAdapter
from drivers.errors import PartError, PartFault, PartGuard
from drivers.panel import Window
from drivers.ssd1306 import Ssd1306
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
        case Ssd1306():
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


@pytest.mark.whole
@pytest.mark.parametrize(("kind", "error"), [(Accelerometer, 121), (Veml7700, 110), (Ssd1306, 5)])
def test_each_failed_transfer_is_one_clear_line(powered, kind, error):
    for number, size, problem in outcomes(powered, kind, error, in_a_row=1):
        if size == 0 or (kind is Ssd1306 and size == 1):
            # The probe of adafruit_bus_device, which tries twice; the status byte that a panel
            # need not have.
            assert problem is None
            continue
        assert problem is not None, number
        assert "\n" not in str(problem)
        assert f"at 0x{problem.address:02X}: " in str(problem)
        assert "check" in problem.advice
        assert problem.__cause__.errno == error


@pytest.mark.parametrize("kind", [Accelerometer, Ssd1306])
def test_a_failed_probe_of_the_adafruit_packages_is_no_answer(powered, kind):
    probes = [
        problem for _, size, problem in outcomes(powered, kind, error=121, in_a_row=2) if size == 0
    ]
    assert probes
    for problem in probes:
        assert "no answer" in str(problem)


def guard(answering=(), other_address=0x1D):
    return PartGuard(
        "ADXL345 accelerometer",
        0x53,
        "SDO is tied to GND",
        lambda address: address in answering,
        other_address,
    )


def error_of(raised, **options):
    with pytest.raises(PartError) as caught, guard(**options):
        raise raised
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is raised
    return caught.value


NO_ANSWER = "no answer; check VCC, GND, SDA and SCL, and that SDO is tied to GND"


@pytest.mark.parametrize(
    ("raised", "fault", "text"),
    [
        (OSError(errno.EREMOTEIO, "no acknowledge"), PartFault.NO_ANSWER, NO_ANSWER),
        (OSError(errno.ENXIO, "no acknowledge"), PartFault.NO_ANSWER, NO_ANSWER),
        (ValueError("No I2C device at address: 0x53"), PartFault.NO_ANSWER, NO_ANSWER),
        (OSError(errno.ETIMEDOUT, "timed out"), PartFault.BUS_STUCK, "pull-ups"),
        (OSError(errno.EAGAIN, "timed out"), PartFault.BUS_STUCK, "SDA and SCL"),
        (OSError(errno.EIO, "ignored"), PartFault.BUS_ERROR, "bus error 5 (Input/output error)"),
        (OSError("no number"), PartFault.BUS_ERROR, "bus error 0"),
    ],
    ids=repr,
)
def test_each_error_of_the_bus_says_what_to_check(raised, fault, text):
    error = error_of(raised)
    assert (error.fault, error.part, error.address) == (fault, "ADXL345 accelerometer", 0x53)
    assert str(error).startswith("ADXL345 accelerometer at 0x53: ")
    assert text in str(error)


@pytest.mark.parametrize("other_address", [0x1D, None])
def test_a_part_strapped_to_its_other_address_is_found_if_it_has_one(other_address):
    raised = OSError(errno.EREMOTEIO, "no acknowledge")
    error = error_of(raised, answering={0x1D}, other_address=other_address)
    found = "something answers at 0x1D: check that SDO is tied to GND" in str(error)
    assert found is (other_address is not None)


def test_what_is_not_of_the_bus_passes_unchanged():
    for raised in (ValueError("something else"), KeyError("a bug")):
        with pytest.raises(type(raised)) as caught, guard():
            raise raised
        assert caught.value is raised


def test_a_wrong_part_shows_both_ids():
    error = guard().wrong_part("an ADXL345", "0xE5", "0x00")
    assert str(error) == (
        "ADXL345 accelerometer at 0x53: answers, but is not an ADXL345 (id 0x00, expected 0xE5); "
        "take off whatever else uses this address, or swap the module for the right one"
    )
    assert error.fault is PartFault.WRONG_PART


def test_an_error_survives_pickling():
    error = guard().lost_setup("FIFO_CTL 0x00")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.fault) == (str(error), PartFault.LOST_SETUP)
