"""The primitives, by what the RFCs give and by what they must refuse."""

import pytest

from tests.firmware.table.crypto import checks


@pytest.mark.parametrize("check", checks.CHECKS, ids=lambda check: check.__name__)
def test_primitives(check):
    check()
