"""The common fixture of these tests: a loop in virtual time."""

import pytest

from hw_sim.clock import VirtualLoop


@pytest.fixture
def loop():
    loop = VirtualLoop()
    yield loop
    loop.close()
