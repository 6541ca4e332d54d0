"""Cases of a test: the short run has some, the long run more, and the night all."""

import pytest

from game import RULES


def _kept(cases, kept, mark):
    rows = [(each, each if isinstance(each, tuple) else (each,)) for each in cases]
    return [pytest.param(*row, marks=() if each in kept else mark) for each, row in rows]


def nightly(cases, *of_day):
    """Return cases for `parametrize`: those that are not of the day are marked as of the night."""
    return _kept(cases, of_day, pytest.mark.night)


def lengthy(cases, *quick):
    """Return cases for `parametrize`: those that are not quick are left to the long run."""
    return _kept(cases, quick, pytest.mark.whole)


EACH_GAME = lengthy(RULES, "class", "chicago", "sevens")
"""The names of all games: the short run has one of each family."""
