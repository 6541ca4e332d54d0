"""What the tests of gpiozero ask for, and its sdist leaves out."""

from threading import Thread

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin


class ThreadedTest(Thread):
    def __init__(self, test):
        super().__init__(daemon=True)
        self.test, self.outcome = test, None
        self.start()

    def run(self):
        self.outcome = self.test()

    @property
    def result(self):
        self.join()
        return self.outcome


@pytest.fixture
def no_default_factory():
    before, Device.pin_factory = Device.pin_factory, None
    yield
    Device.pin_factory = before


@pytest.fixture
def mock_factory():
    before, Device.pin_factory = Device.pin_factory, MockFactory()
    yield Device.pin_factory
    if Device.pin_factory is not None:
        Device.pin_factory.reset()
    Device.pin_factory = before


@pytest.fixture
def pwm(mock_factory):
    mock_factory.pin_class = MockPWMPin
