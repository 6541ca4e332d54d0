"""Attacks on the whole system, seeded and bounded: ``make redteam``.

Every module of this folder is one attack. It has

    def attack(seconds: float, seed: int) -> dict[str, int | float | str]

which attacks for about so many seconds of this machine's time, draws all chance from the seed, and
returns its figures by name. It raises AssertionError, with what is needed to see it again, at the
first promise that is broken. The regression tests of single findings lie with the rooms.
"""

from collections.abc import Iterator
from itertools import count
from time import monotonic


def numbers(seconds: float, fewest: int = 1) -> Iterator[int]:
    """Count from 0 on until the time is over, and at least so far."""
    until_s = monotonic() + seconds
    for number in count():
        if number >= fewest and monotonic() >= until_s:
            return
        yield number
