"""An attacker between two handhelds, who shows each the other with keys of their own.

The attacker speaks to both with the project's own pairing, and hopes that both displays show the
same five numbers. The comparison ignores order: the numbers ascend, and no number turned round is
another one. People can therefore tell 45 over 5 = 1,221,759 cases apart (20.2 bits). The attacker
also stands between the second and a third, and so on, so that each side is compared with the one
before it. The numbers that one shares with the next say nothing about the one after that.

That nobody passes would say little by itself. Two more counts are made:

- in how many pairings the attacker would have passed with people who compare only the lowest,
  the two, three or four lowest numbers; and how many numbers both sides share, judged by chi²
  (4 degrees of freedom, once in 10,000 by chance);
- how often any of the sides shows the same five as any other: of so many pairs thousands do.
"""

import time
from collections import Counter
from math import comb, exp, factorial, log2, sqrt
from random import Random

from firmware.table.pairing.pairing import Pairing
from firmware.table.pairing.state import PairingPhase
from firmware.table.pairing.transcript import COMPARED_NUMBERS, NUMBERS
from game import RULES

SETS = comb(len(NUMBERS), COMPARED_NUMBERS)
MOST_CHI2 = 23.5
CHANCE = 1e-4
"""Honest numbers exceed a bound this often."""
DEVIATIONS = 4.0
"""The same, for what happens often."""
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


def same_lowest(numbers: int) -> float:
    """The chance that the so many lowest numbers of two draws are the same.

    They are, if the highest of them has the same numbers below and whatever it likes above.
    """
    most = len(NUMBERS) - 1
    ways = (
        comb(below, numbers - 1) * comb(most - below, COMPARED_NUMBERS - numbers) ** 2
        for below in range(len(NUMBERS))
    )
    return sum(ways) / SETS**2


def at_least(times: int, expected: float) -> float:
    """The chance that something rare happens so many times or more (Poisson)."""
    return 1 - sum(exp(-expected) * expected**less / factorial(less) for less in range(times))


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Stand between two people again and again."""
    until_s = time.monotonic() + seconds
    rng = Random(f"between {seed}")
    common: Counter[int] = Counter()
    lowest: Counter[int] = Counter()
    shown: Counter[tuple[int, ...]] = Counter()
    one = side(rng)
    while time.monotonic() < until_s or common.total() < 100:
        one, other = side(rng), one
        common[len({*one} & {*other})] += 1
        lowest.update(n for n in range(1, COMPARED_NUMBERS) if one[:n] == other[:n])
        shown[one] += 1
    pairings = common.total()
    passed = common[COMPARED_NUMBERS]
    assert at_least(passed, pairings / SETS) > CHANCE, f"{passed} of {pairings} passed"
    chi2 = sum(
        (common[numbers] - pairings * in_common(numbers)) ** 2 / (pairings * in_common(numbers))
        for numbers in range(COMPARED_NUMBERS)
    )
    assert pairings < 30_000 or chi2 < MOST_CHI2, f"{dict(common)} have so many in common"
    fewer = {n: (lowest[n], pairings * same_lowest(n)) for n in range(1, COMPARED_NUMBERS)}
    pairs = comb(pairings, 2)
    alike = sum(comb(times, 2) for times in shown.values())
    for what, (times, expected) in (fewer | {"any two sides": (alike, pairs / SETS)}).items():
        known = expected > 100
        off = abs(times - expected) / sqrt(expected)
        assert not known or off < DEVIATIONS, f"{what}: {times}, {expected:.0f} expected"
    return {
        "pairings": pairings,
        "the same five numbers": f"{passed}, {pairings / SETS:.2f} expected",
        "four of five": f"{common[4]}, {pairings * in_common(4):.1f} expected",
        "three of five": f"{common[3]}, {pairings * in_common(3):.1f} expected",
        "chi²": round(chi2, 1),
        **{
            f"passed who compare the {n} lowest": f"{times}, {expected:.1f} expected"
            for n, (times, expected) in fewer.items()
        },
        "any two of all sides": f"{pairs}, {alike} the same, {pairs / SETS:.0f} expected",
        "bits": round(log2(pairs / alike), 2) if alike else "too few to tell",
    }
