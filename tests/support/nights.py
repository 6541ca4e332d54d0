"""Cases of a test of which the long run has some, and the night all."""

import pytest


def nightly(cases, *of_day):
    """Return cases for `parametrize`: those that are not of the day are marked as of the night."""
    rows = [(each, each if isinstance(each, tuple) else (each,)) for each in cases]
    return [pytest.param(*row, marks=() if e in of_day else pytest.mark.night) for e, row in rows]
