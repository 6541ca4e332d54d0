"""A few hostile matches: some that once broke a promise; ``tests.labs.redteam`` plays thousands."""

from collections import Counter
from random import Random

import pytest

from tests.labs.redteam import cores


@pytest.mark.parametrize(
    "number",
    [
        202,  # an insider hears what it has signed behind its own back
        1885,  # an answer that waits for a signature, and the same hop of the next epoch
    ],
)
def test_a_hostile_match_keeps_every_promise(number):
    count = Counter(matches=number)
    cores._play(Random(f"25002/{number}"), count)
    assert count["frames"]
