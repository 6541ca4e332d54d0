"""Every trouble with a part is one line that names part, address and what to check."""

import errno
import pickle

import pytest

from drivers.errors import PartError, PartFault, PartGuard


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


@pytest.mark.parametrize("number", [errno.EREMOTEIO, errno.ENXIO])
def test_no_acknowledge_says_what_to_check(number):
    error = error_of(OSError(number, "no acknowledge"))
    assert str(error) == (
        "ADXL345 accelerometer at 0x53: no answer; "
        "check VCC, GND, SDA and SCL, and that SDO is tied to GND"
    )
    assert error.fault is PartFault.NO_ANSWER
    assert (error.part, error.address) == ("ADXL345 accelerometer", 0x53)


def test_the_probe_of_the_adafruit_packages_means_no_answer():
    assert error_of(ValueError("No I2C device at address: 0x53")).fault is PartFault.NO_ANSWER


def test_a_part_strapped_to_its_other_address_is_found():
    error = error_of(OSError(errno.EREMOTEIO, "no acknowledge"), answering={0x1D})
    assert "something answers at 0x1D: check that SDO is tied to GND" in str(error)


def test_a_part_without_other_address_is_not_looked_for():
    error = error_of(OSError(errno.EREMOTEIO, "no"), answering={0x1D}, other_address=None)
    assert "0x1D" not in str(error)


@pytest.mark.parametrize("number", [errno.ETIMEDOUT, errno.EAGAIN])
def test_a_bus_that_does_not_move_is_stuck(number):
    error = error_of(OSError(number, "timed out"))
    assert error.fault is PartFault.BUS_STUCK
    assert "SDA and SCL" in error.advice
    assert "pull-ups" in error.advice


@pytest.mark.parametrize(
    ("raised", "text"),
    [
        (OSError(errno.EIO, "ignored"), "bus error 5 (Input/output error)"),
        (OSError("no number"), "bus error 0"),
    ],
)
def test_other_bus_errors_keep_their_number(raised, text):
    error = error_of(raised)
    assert error.fault is PartFault.BUS_ERROR
    assert text in error.problem


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
