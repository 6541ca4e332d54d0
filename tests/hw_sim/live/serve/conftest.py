"""The sender of a site in real time; browsers and the built site are those of the web's tests."""

from tests.hw_sim.live.web.conftest import browser, opened, pytest_pyfunc_call, site

__all__ = ["browser", "opened", "pytest_pyfunc_call", "site"]
