"""Dice that nobody can choose: what a roller commits to, what another adds, and the proof.

Whoever gets the cup begins a *tenure*. Its handheld says a root, 16 bytes that commit it to eight
throws, before it sees the contribution, 8 bytes, that the giver of the cup adds. Throw i falls from
secret i, the contribution and the place (which tenure, which throw), so that the roller cannot
choose after he has seen what comes of it, nor the giver before.

A secret is a pair from two chains of hashes that run against each other::

    falling   f0 <- f1 <- f2 <- ... <- f8    (f8 from the seed, f(i-1) the hash of f(i))
    rising          r1 -> r2 -> ... -> r8 -> r9    (r1 from the seed, r(i+1) the hash of r(i))

    root = hash of f0, r9 and the place      opening of throw i = f(i), r(i): 32 bytes

Who sees opening i hashes both to their ends and compares the root. He cannot tell another throw: of
an earlier one he lacks r, of a later one f. A path in a tree of hashes would do the same and take
64 bytes, too long for infrared. Two openings would tell what lies between them too: dice that are
covered are therefore opened once in a tenure (``firmware.table.commitment.committer`` begins
another one), while open dice are opened in their order and have nothing between them.

``verify`` is all that it takes to check a throw.
"""

from firmware.table.commitment.charges import Charge
from firmware.table.commitment.hash_chain import first_root, hashed, source_of
from firmware.table.commitment.tenure import THROWS, TenurePlace
from firmware.table.commitment.unbiased import UnbiasedDice
from firmware.table.protocol.sizes import OPENING_BYTES, SECRET_BYTES
from game import AnyMatch
from game.dice import Dice


def verify(
    root: bytes,
    contribution: bytes,
    throw: int,
    place: TenurePlace,
    opening: bytes,
    match: AnyMatch,
    dice: Dice,
    *,
    tower: bool = False,
) -> Charge | None:
    """Check dice against what their roller had committed to. Returns what is wrong; None if right.

    Args:
        root: what the roller said before he knew the contribution.
        contribution: what his witness added.
        throw: which throw of the tenure, 1 to 8.
        place: where the tenure is.
        opening: the proof.
        match: as it stood before the throw: it tells how many dice fall, and how often a tower.
        dice: what is said to have fallen, high to low.
        tower: whether they are said to lie on top of each other.
    """
    if not 1 <= throw <= THROWS:
        return Charge.ORDER
    if len(opening) != OPENING_BYTES:
        return Charge.PROOF
    falling, rising = opening[:SECRET_BYTES], opening[SECRET_BYTES:]
    ends = hashed(falling, throw), hashed(rising, THROWS + 1 - throw)
    if first_root(*ends, place) != root:
        return Charge.PROOF
    fell = UnbiasedDice(source_of(opening, contribution, throw, place)).roll(match)
    return None if (fell.dice, fell.tower) == (dice, tower) else Charge.DICE
