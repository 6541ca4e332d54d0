"""Dice that nobody can choose: the roller's commitment, another seat's contribution, the proof.

A seat that gets the cup begins a *tenure*. Its handheld sends a root, 16 bytes that commit it to
eight throws, before it sees the giver's contribution, 8 bytes. Throw i follows from secret i, the
contribution and the place (tenure and throw). The roller cannot choose after the contribution, nor
the giver before the root.

A secret is a pair from two chains of hashes that run against each other::

    falling   f0 <- f1 <- f2 <- ... <- f8    (f8 from the seed, f(i-1) the hash of f(i))
    rising          r1 -> r2 -> ... -> r8 -> r9    (r1 from the seed, r(i+1) the hash of r(i))

    root = hash of f0, r9 and the place      opening of throw i = f(i), r(i): 32 bytes

A handheld that gets opening i hashes both parts to their ends and compares the root. It cannot
compute another throw: it lacks r of an earlier one, and f of a later one. A path in a tree of
hashes would take 64 bytes, too long for infrared. Two openings would reveal throws between them.
Covered dice are therefore opened once in a tenure (``firmware.table.commitment.committer`` begins
another one). Open dice are opened in their order, with no throws between them.
"""

from firmware.table.commitment.charges import Charge
from firmware.table.commitment.dice_commitment import THROWS, CommitmentPlace
from firmware.table.commitment.hash_chain import first_root, hashed, source_of
from firmware.table.commitment.unbiased import UnbiasedDice
from firmware.table.protocol.sizes import OPENING_BYTES, SECRET_BYTES
from game.actions import Roll
from game.dice import Dice


def verify(
    root: bytes,
    contribution: bytes,
    throw: int,
    place: CommitmentPlace,
    opening: bytes,
    count: int,
    tower_one_in: int,
    dice: Dice,
    *,
    tower: bool = False,
) -> Charge | None:
    """Check dice against their roller's commitment. Return the charge; None if they are right.

    Args:
        root: the roller's, sent before the contribution was known.
        contribution: the contributor's.
        throw: number of the throw in the tenure, 1 to 8.
        place: of the tenure.
        opening: the proof.
        count: the number of dice that this throw throws.
        tower_one_in: the number of throws of which one is a tower; 0 for no towers.
        dice: the claimed dice, high to low.
        tower: whether a tower is claimed.
    """
    fell = opened(root, contribution, throw, place, opening, count, tower_one_in)
    if isinstance(fell, Charge):
        return fell
    return None if (fell.dice, fell.tower) == (dice, tower) else Charge.DICE


def opened(
    root: bytes,
    contribution: bytes,
    throw: int,
    place: CommitmentPlace,
    opening: bytes,
    count: int,
    tower_one_in: int,
) -> Roll | Charge:
    """Return the throw that an opening reveals, or the charge; arguments as of `verify`."""
    if not 1 <= throw <= THROWS:
        return Charge.ORDER
    if len(opening) != OPENING_BYTES:
        return Charge.PROOF
    falling, rising = opening[:SECRET_BYTES], opening[SECRET_BYTES:]
    ends = hashed(falling, throw), hashed(rising, THROWS + 1 - throw)
    if first_root(*ends, place) != root:
        return Charge.PROOF
    return UnbiasedDice(source_of(opening, contribution, throw, place)).roll(count, tower_one_in)
