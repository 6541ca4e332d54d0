"""The sender of a site in real time."""

from tests.hw_sim.live.web.conftest import pytest_pyfunc_call

__all__ = ["pytest_pyfunc_call"]
