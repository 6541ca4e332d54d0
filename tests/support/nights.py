"""Cases of a test: the short run has some, the long run more, and the night all."""

from functools import partial

import pytest

from game import RULES

whole, at_night, soaked = (
    partial(pytest.param, marks=getattr(pytest.mark, name)) for name in ("whole", "night", "soak")
)
"""Each makes a case of `parametrize` that only the long run has, or the night, or a soak."""


def nightly(cases, *kept, other=at_night):
    """Return cases for `parametrize`: those that are not kept are marked as of the night."""
    rows = [(each, each if isinstance(each, tuple) else (each,)) for each in cases]
    return [(pytest.param if each in kept else other)(*row) for each, row in rows]


lengthy = partial(nightly, other=whole)
"""The same, but those that are not kept are left to the long run."""
EACH_GAME = lengthy(RULES, "class", "chicago", "sevens")
"""The names of all games: the short run has one of each family."""
