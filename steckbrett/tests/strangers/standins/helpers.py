"""What the tests of luma.core and luma.oled ask for, and their sdists leave out."""

from unittest.mock import Mock

import luma.core.error
import pytest

rpi_gpio_missing = "no RPi.GPIO"
serial = Mock(unsafe=True)


def setup_function(function):
    serial.reset_mock()
    serial.command.side_effect = None


def assert_invalid_dimensions(kind, interface, width, height):
    with pytest.raises(luma.core.error.DeviceDisplayModeError):
        kind(interface, width=width, height=height)


def assert_only_cleans_whats_setup(gpio):
    used = {call.args[0] for call in gpio.setup.call_args_list}
    cleaned = set()
    for call in gpio.cleanup.call_args_list:
        pins = call.args[0]
        cleaned.update([pins] if isinstance(pins, int) else pins)
    assert used == cleaned


def get_spidev():
    return pytest.importorskip("spidev")


def i2c_error(path, number):
    def refuse(*_):
        raise OSError(number, "refused", path)

    return refuse


def fib(count):
    one, other = 0, 1
    for _ in range(count):
        yield one
        one, other = other, one + other
