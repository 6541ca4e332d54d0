"""Fixtures of the firmware's tests: the module that makes a table of cores."""

import pytest

from tests.support import core_table


@pytest.fixture(scope="session")
def cores():
    """Give the module ``core_table``: the table and its helpers."""
    return core_table
