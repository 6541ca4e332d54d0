"""The common fixtures of the link tests."""

import pytest

from tests.support import bluetooth_table


@pytest.fixture(params=["ideal", "pi"])
def each_controller(request, monkeypatch):
    """Every Bluetooth table of a test has controllers that can do all, then those of a Pi."""
    monkeypatch.setattr(bluetooth_table, "PROFILE", request.param)
