"""Somebody between two handhelds, who shows each the other with keys of his own.

He speaks to both with the project's own pairing, and hopes that both displays show the same five
numbers. Order is worth nothing to who compares: the numbers ascend, and the digits of none, turned
round, are another one's. So people tell 45 over 5 = 1,221,759 cases apart (20.2 bits), and the
numbers of his two sides have as many in common as two draws of five out of 45: 0 to 4 of them in
53.9, 37.4, 8.1, 0.6 and 0.02 %, judged by chi² (4 degrees of freedom, once in 10,000 by chance).
"""

import time
from collections import Counter
from math import comb, exp, factorial
from random import Random

from firmware.table.pairing.pairing import Pairing
from firmware.table.pairing.state import PairingPhase
from firmware.table.pairing.transcript import COMPARED_NUMBERS, NUMBERS
from game import RULES

SETS = comb(len(NUMBERS), COMPARED_NUMBERS)
MOST_CHI2 = 23.5
CHANCE = 1e-4
"""Honest numbers exceed a bound this often."""
ANA, BEN = b"\xf0ana!!", b"\xf0ben!!"


def side(rng: Random) -> tuple[int, ...]:
    """One side of him: a host and a guest, one of which he is; the numbers that it shows."""
    host = Pairing.open_table(ANA, "Ana", rng.randbytes)
    guest = Pairing.join(BEN, "Ben", ANA, host.state.session, rng.randbytes)
    guest.tick(0)
    _talk(host, guest)
    host.close(RULES["physicist"], 0, 0)
    _talk(host, guest)
    assert host.state.phase is guest.state.phase is PairingPhase.COMPARING
    assert host.state.numbers is not None
    assert host.state.numbers == guest.state.numbers, "no two ends of one side differ"
    return host.state.numbers


def _talk(host: Pairing, guest: Pairing) -> None:
    """Carry over all that they have to say at once."""
    said = True
    while said:
        said = False
        for one, other in ((guest, host), (host, guest)):
            for _, frame in one.take():
                other.receive(frame, 0)
                said = True


def in_common(numbers: int) -> float:
    """The chance that two draws have so many numbers in common."""
    others = len(NUMBERS) - COMPARED_NUMBERS
    return comb(COMPARED_NUMBERS, numbers) * comb(others, COMPARED_NUMBERS - numbers) / SETS


def at_least(times: int, expected: float) -> float:
    """The chance that something rare happens so many times or more (Poisson)."""
    return 1 - sum(exp(-expected) * expected**less / factorial(less) for less in range(times))


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Stand between two people again and again."""
    until_s = time.monotonic() + seconds
    rng = Random(f"between {seed}")
    common: Counter[int] = Counter()
    while time.monotonic() < until_s or common.total() < 100:
        common[len({*side(rng)} & {*side(rng)})] += 1
    pairings = common.total()
    passed = common[COMPARED_NUMBERS]
    assert at_least(passed, pairings / SETS) > CHANCE, f"{passed} of {pairings} passed"
    chi2 = sum(
        (common[numbers] - pairings * in_common(numbers)) ** 2 / (pairings * in_common(numbers))
        for numbers in range(COMPARED_NUMBERS)
    )
    assert pairings < 30_000 or chi2 < MOST_CHI2, f"{dict(common)} have so many in common"
    return {
        "pairings": pairings,
        "the same five numbers": f"{passed}, {pairings / SETS:.2f} expected",
        "four of five": f"{common[4]}, {pairings * in_common(4):.1f} expected",
        "three of five": f"{common[3]}, {pairings * in_common(3):.1f} expected",
        "chi²": round(chi2, 1),
    }
