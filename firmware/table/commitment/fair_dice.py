"""Dice that nobody can choose: chains of hashes, tenures, the dice of a proof, and charges.

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
Covered dice are therefore opened once in a tenure (``firmware.table.commitment.ledger`` begins
another one). Open dice are opened in their order, with no throws between them.
"""

import hmac
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from hashlib import sha256
from struct import Struct
from typing import NamedTuple

from firmware.table.protocol import CONTRIBUTION_BYTES, NO_CONTRIBUTION, OPENING_BYTES, SECRET_BYTES
from game import AnyMatch, dice_to_roll
from game.actions import Roll


class Charge(IntEnum):
    """A charge against a handheld.

    Charges rest on bytes that the accused sealed or signed.
    """

    DICE = 1
    """The dice differ from those of the proof."""
    PROOF = 2
    """The proof does not lead to the root, or is missing."""
    ROOT = 3
    """The root or the contribution differs from the one before the first throw."""
    ORDER = 4
    """A throw was left out, or made twice."""
    LOG = 5
    """Two logs differ, or one cannot be followed: this accuses nobody."""
    ANSWER = 6
    """It refused the cup after it had answered and seen the dice."""
    CUP = 7
    """It proposed a cup that, by the log of the proposal, is not there or goes elsewhere."""
    VOTE = 8
    """It signed two votes for one epoch."""
    STORIES = 9
    """It signed two different logs in one epoch: others have different entries of it."""


THROWS = 8
"""Throws in one tenure, chosen; then the handheld begins another one."""
NOBODY = 0xFF
"""The contributor of a tenure without a contribution; no seat has it (PROTOCOL.md)."""
_PLACE = Struct(">8sBHIB")
_TENURE = Struct(f">HIBB{SECRET_BYTES}s{CONTRIBUTION_BYTES}s")
COMMITMENT_BYTES = _TENURE.size


class CommitmentPlace(NamedTuple):
    """The place of a tenure, which makes its dice differ from those of any other.

    ``match`` is the digest of the match's header (8 bytes). The cup came in ``epoch`` with ``hop``;
    ``attempt`` counts the tenures begun with it, from 0.
    """

    match: bytes
    seat: int
    epoch: int
    hop: int
    attempt: int

    def pack(self) -> bytes:
        """Return the place in 16 bytes."""
        return _PLACE.pack(*self)


class DiceCommitment(NamedTuple):
    """A tenure, as the log has it before its first throw.

    ``contributor`` is the seat that contributed, after it had the root; NOBODY if none did.
    """

    epoch: int
    hop: int
    attempt: int
    contributor: int
    root: bytes
    contribution: bytes

    @property
    def order(self) -> tuple[int, int, int]:
        """A key that grows from each tenure of a seat to its next."""
        return self.epoch, self.hop, self.attempt

    def place(self, match: bytes, seat: int) -> CommitmentPlace:
        """Return the place of this tenure of ``seat``."""
        return CommitmentPlace(match, seat, *self.order)

    def opened(
        self, match: AnyMatch, header: bytes, seat: int, throw: int, opening: bytes
    ) -> Roll | Charge:
        """Return the throw that an opening reveals; else the charge against its roller.

        Args:
            match: the match before the throw: it says how many dice fall, and how often a tower.
            header: the digest of the match's header, 8 bytes.
            seat: the roller.
            throw: number of the throw in this tenure, 1 to 8.
            opening: the proof.
        """
        if not 1 <= throw <= THROWS:
            return Charge.ORDER
        if len(opening) != OPENING_BYTES:
            return Charge.PROOF
        falling, rising = opening[:SECRET_BYTES], opening[SECRET_BYTES:]
        ends = hashed(falling, throw), hashed(rising, THROWS + 1 - throw)
        place = self.place(header, seat)
        if first_root(*ends, place) != self.root:
            return Charge.PROOF
        dice = UnbiasedDice(source_of(opening, self.contribution, throw, place))
        return dice.roll(dice_to_roll(match), match.rules.tower_one_in)

    def pack(self) -> bytes:
        """Return 32 bytes: epoch 2, hop 4, attempt 1, contributor 1, root 16, contribution 8."""
        return _TENURE.pack(*self)

    @classmethod
    def unpack(cls, data: bytes) -> "DiceCommitment":
        """Read what ``pack`` wrote. All bytes of this length are a tenure."""
        return cls(*_TENURE.unpack(data))


class ProofNote(NamedTuple):
    """The note beside an action: a new tenure or None, the throw, and its opening or None."""

    throw: int
    tenure: DiceCommitment | None = None
    opening: bytes | None = None


SEED_BYTES = 32
"""Chosen, as long as the hash (SHA-256)."""


def root_of(seed: bytes, place: CommitmentPlace) -> bytes:
    """Return the root, 16 bytes, of the eight throws that a seed (32 bytes) makes at a place."""
    falling = hashed(_derived(seed, b"falling"), THROWS)
    rising = hashed(_derived(seed, b"rising"), THROWS)
    return first_root(falling, rising, place)


def opening_of(seed: bytes, throw: int) -> bytes:
    """Return the opening of throw 1 to 8 of a seed, 32 bytes; secret until its dice lie open."""
    falling = hashed(_derived(seed, b"falling"), THROWS - throw)
    return falling + hashed(_derived(seed, b"rising"), throw - 1)


def source_of(
    opening: bytes, contribution: bytes, throw: int, place: CommitmentPlace
) -> "DiceSource":
    """Return the random bytes of a throw."""
    parts = opening + contribution + bytes([throw]) + place.pack()
    return DiceSource(sha256(b"maexchen throw" + parts).digest())


class DiceSource:
    """Endless random bytes from a key: the SHA-256 of the key and a counter, block by block."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._block = 0
        self._left = b""

    def __call__(self, number: int) -> bytes:
        """Return the next ``number`` bytes."""
        while len(self._left) < number:
            self._left += sha256(self._key + self._block.to_bytes(4, "big")).digest()
            self._block += 1
        drawn, self._left = self._left[:number], self._left[number:]
        return drawn


def keyed(secret: bytes, purpose: bytes, *parts: bytes) -> bytes:
    """Return 32 bytes that only an owner of the secret can compute (HMAC-SHA256)."""
    return hmac.digest(secret, purpose + b"".join(parts), "sha256")


def first_root(falling: bytes, rising: bytes, place: CommitmentPlace) -> bytes:
    return sha256(b"maexchen root" + falling + rising + place.pack()).digest()[:SECRET_BYTES]


def _derived(seed: bytes, purpose: bytes) -> bytes:
    return keyed(seed, purpose)[:SECRET_BYTES]


def hashed(value: bytes, times: int) -> bytes:
    for _ in range(times):
        value = sha256(b"maexchen chain" + value).digest()[:SECRET_BYTES]
    return value


FACES = 6
"""The number of values of a die (V-4)."""
_BYTE = 256


class UnbiasedDice:
    """Draws from random bytes without bias.

    Args:
        entropy: returns so many random bytes.
    """

    def __init__(self, entropy: Callable[[int], bytes]) -> None:
        self.entropy = entropy

    def below(self, limit: int) -> int:
        """Draw a whole number from 0 up to ``limit`` - 1, each equally likely."""
        size = 1
        while _BYTE**size < limit:
            size += 1
        fair = _BYTE**size // limit * limit
        while (drawn := int.from_bytes(self.entropy(size), "big")) >= fair:
            pass
        return drawn % limit

    def roll(self, count: int, tower_one_in: int) -> Roll:
        """Throw so many dice, high to low.

        One of ``tower_one_in`` rolls is a tower (R-HF-8); of 0, none is.
        """
        dice = tuple(sorted((self.below(FACES) + 1 for _ in range(count)), reverse=True))
        return Roll(dice, tower=bool(tower_one_in) and self.below(tower_one_in) == 0)


_STATE = struct.Struct(f">{SEED_BYTES}sHIBB{CONTRIBUTION_BYTES}sB")
_SEEN = struct.Struct(f">BHIB{SECRET_BYTES}s")
CommitmentKey = tuple[int, int, int]
NONE_YET = (0, 0)
"""The numbers of hop and attempt before the first tenure; chosen, for every tenure has a hop or an
attempt above 0."""


class CommitterError(ValueError):
    """Bytes that are no state of fair dice; the text is the reason."""


@dataclass(frozen=True, slots=True)
class CommitterState:
    """The state that must survive a power cut.

    Attributes:
        secret: 32 bytes, drawn once for a match.
        current: epoch, hop and attempt of this seat's tenure.
        contributor: the seat that contributed to it, NOBODY until then.
        contribution: of the contributor.
        seen: by seat, the newest tenure (epoch, hop, attempt) to which it asked this seat to
            contribute, and its root.
    """

    secret: bytes = field(repr=False)
    current: CommitmentKey = (0, 0, 0)
    contributor: int = NOBODY
    contribution: bytes = field(default=NO_CONTRIBUTION, repr=False)
    seen: tuple[tuple[int, CommitmentKey, bytes], ...] = ()

    def encode(self) -> bytes:
        """Return the state in 49 bytes, and 24 for every tenure that was seen."""
        state = _STATE.pack(
            self.secret, *self.current, self.contributor, self.contribution, len(self.seen)
        )
        return state + b"".join(_SEEN.pack(seat, *key, root) for seat, key, root in self.seen)

    @classmethod
    def decode(cls, data: bytes) -> "CommitterState":
        """Read what ``encode`` wrote.

        Raises:
            CommitterError: ``encode`` never wrote these bytes.
        """
        try:
            secret, epoch, hop, attempt, contributor, contribution, number = _STATE.unpack_from(
                data
            )
            seen = tuple(
                (seat, (at_epoch, at_hop, at_attempt), root)
                for seat, at_epoch, at_hop, at_attempt, root in _SEEN.iter_unpack(
                    data[_STATE.size :]
                )
            )
        except struct.error as error:
            raise CommitterError(f"{len(data)} bytes are no state of fair dice: {error}") from None
        if len(seen) != number:
            raise CommitterError(f"{len(data)} bytes are no state of fair dice")
        return cls(secret, (epoch, hop, attempt), contributor, contribution, seen)
