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

import hmac
from enum import IntEnum
from hashlib import sha256
from struct import Struct
from typing import NamedTuple

from firmware.table.commitment.unbiased import Chance
from firmware.table.protocol.codec import CONTRIBUTION_BYTES, OPENING_BYTES, SECRET_BYTES
from game import AnyMatch
from game.values import Dice

THROWS = 8
"""Throws in one tenure; for more, the handheld begins another one."""
SEED_BYTES = 32
NOBODY = 0xFF
"""The witness of a tenure that nobody contributed to."""
_PLACE = Struct(">8sBHIB")
_TENURE = Struct(f">HIBB{SECRET_BYTES}s{CONTRIBUTION_BYTES}s")
TENURE_BYTES = _TENURE.size


class Charge(IntEnum):
    """What a handheld is caught at."""

    DICE = 1
    """The dice are not those that the proof makes."""
    PROOF = 2
    """The proof does not lead to the root, or was kept back."""
    ROOT = 3
    """The root, or the contribution, is not what was agreed on before the first throw."""
    ORDER = 4
    """A throw was left out, or made twice."""
    RECORD = 5
    """Its record cannot be followed, or is not the same."""
    ANSWER = 6
    """It took its answer back, after it had been shown the dice."""


class Place(NamedTuple):
    """Where a tenure is: what makes its dice differ from those of any other.

    ``match`` is the digest of the match's header (8 bytes); ``epoch`` and ``hop`` are those with
    which the cup came, ``attempt`` counts the tenures begun with it, from 0.
    """

    match: bytes
    seat: int
    epoch: int
    hop: int
    attempt: int

    def pack(self) -> bytes:
        """Return its 16 bytes."""
        return _PLACE.pack(*self)


class Tenure(NamedTuple):
    """What everybody is told before the first throw of a tenure.

    ``witness`` is the seat that contributed, after it had the root; NOBODY if none did.
    """

    epoch: int
    hop: int
    attempt: int
    witness: int
    root: bytes
    contribution: bytes

    @property
    def order(self) -> tuple[int, int, int]:
        """Grows from each tenure of a seat to its next."""
        return self.epoch, self.hop, self.attempt

    def place(self, match: bytes, seat: int) -> Place:
        """Where it is, as a tenure of ``seat``."""
        return Place(match, seat, *self.order)

    def pack(self) -> bytes:
        """Return its 32 bytes: epoch 2, hop 4, attempt 1, witness 1, root 16, contribution 8."""
        return _TENURE.pack(*self)

    @classmethod
    def unpack(cls, data: bytes) -> "Tenure":
        """Read what ``pack`` wrote. All bytes of this length are a tenure."""
        return cls(*_TENURE.unpack(data))


def root_of(seed: bytes, place: Place) -> bytes:
    """The root, 16 bytes, of the eight throws that a seed of 32 bytes makes at a place."""
    falling = _hashed(_derived(seed, b"falling"), THROWS)
    rising = _hashed(_derived(seed, b"rising"), THROWS)
    return _root(falling, rising, place)


def opening_of(seed: bytes, throw: int) -> bytes:
    """What proves throw 1 to 8 of a seed, 32 bytes; a secret until its dice lie open."""
    falling = _hashed(_derived(seed, b"falling"), THROWS - throw)
    return falling + _hashed(_derived(seed, b"rising"), throw - 1)


def source_of(opening: bytes, contribution: bytes, throw: int, place: Place) -> "Source":
    """The random bytes that a throw falls from."""
    parts = opening + contribution + bytes([throw]) + place.pack()
    return Source(sha256(b"maexchen throw" + parts).digest())


class Source:
    """Random bytes without end from a key: the SHA-256 of the key and a counter, block by block."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._block = 0
        self._left = b""

    def __call__(self, number: int) -> bytes:
        """Return the next so many bytes."""
        while len(self._left) < number:
            self._left += sha256(self._key + self._block.to_bytes(4, "big")).digest()
            self._block += 1
        drawn, self._left = self._left[:number], self._left[number:]
        return drawn


def verify(
    root: bytes,
    contribution: bytes,
    throw: int,
    place: Place,
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
    ends = _hashed(falling, throw), _hashed(rising, THROWS + 1 - throw)
    if _root(*ends, place) != root:
        return Charge.PROOF
    fell = Chance(source_of(opening, contribution, throw, place)).roll(match)
    return None if (fell.dice, fell.tower) == (dice, tower) else Charge.DICE


def keyed(secret: bytes, purpose: bytes, *parts: bytes) -> bytes:
    """32 bytes that only who has the secret can know (HMAC-SHA256)."""
    return hmac.digest(secret, purpose + b"".join(parts), "sha256")


def _root(falling: bytes, rising: bytes, place: Place) -> bytes:
    return sha256(b"maexchen root" + falling + rising + place.pack()).digest()[:SECRET_BYTES]


def _derived(seed: bytes, purpose: bytes) -> bytes:
    return keyed(seed, purpose)[:SECRET_BYTES]


def _hashed(value: bytes, times: int) -> bytes:
    for _ in range(times):
        value = sha256(b"maexchen chain" + value).digest()[:SECRET_BYTES]
    return value
