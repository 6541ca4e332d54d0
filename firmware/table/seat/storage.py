"""The state of one seat in the journal, beside the log of its match."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from firmware.journal.keys import (
    CAUGHT_KEY,
    CUP_KEY,
    FAIR_KEY,
    LEARNING_KEY,
    LOST_KEY,
    VOTES_KEY,
)
from firmware.journal.writes import Put
from firmware.table.commitment.hash_chain import SEED_BYTES
from firmware.table.commitment.state import CommitterError, CommitterState
from firmware.table.handover.cup import Cup, CupError, Where
from firmware.table.protocol.table_messages import Vote
from firmware.table.seat.votes import EPOCHS_PER_MATCH, packed_votes, unpacked_votes

_NOTHING_COMMITTED = CommitterState(bytes(SEED_BYTES))


class SeatStateError(ValueError):
    """Bytes that are no state of a seat; the text is the reason."""


@dataclass(frozen=True, slots=True)
class SeatState:
    """The durable state of a seat.

    Attributes:
        cup: the durable part of the handover.
        votes: the votes for new epochs that are known here.
        committer: the own part in fair dice.
        caught: the value of CAUGHT_KEY.
        unsynced: whether this epoch may have begun without some entries of the log.
        lost: whether this handheld has lost its memory of the match.
        resumed: whether it comes from a journal, which may be an old copy. Not written.
    """

    cup: Cup
    votes: tuple[Vote, ...] = ()
    committer: CommitterState = _NOTHING_COMMITTED
    caught: bytes = b""
    unsynced: bool = False
    lost: bool = False
    resumed: bool = False

    @classmethod
    def fresh(cls, match: int, *, holds: bool, secret: bytes | None = None) -> Self:
        """Return the state at the beginning of a match.

        Args:
            match: the number of the match at its table; it takes up EPOCHS_PER_MATCH epochs.
            holds: whether this seat begins with the cup.
            secret: 32 random bytes that its dice come from; None if it commits to nothing.
        """
        cup = Cup(EPOCHS_PER_MATCH * match, Where.HOLDING if holds else Where.IDLE)
        return cls(cup, committer=CommitterState(secret) if secret else _NOTHING_COMMITTED)

    @classmethod
    def forgotten(cls, match: int) -> Self:
        """Return the state of a seat that has lost its memory of a match: no cup, and no dice."""
        return cls(Cup(EPOCHS_PER_MATCH * match), unsynced=True, lost=True)

    @classmethod
    def load(cls, state: Mapping[str, bytes]) -> Self | None:
        """Read what ``writes`` wrote. Return None if the journal has no cup, and so no match.

        Args:
            state: the values in the journal, by key.

        Raises:
            SeatStateError: ``writes`` never wrote such a value.
        """
        kept = {key: state.get(key, b"") for key in _KEYS}
        if not kept[CUP_KEY]:
            return None
        try:
            return cls(
                Cup.decode(kept[CUP_KEY]),
                unpacked_votes(kept[VOTES_KEY]),
                CommitterState.decode(kept[FAIR_KEY]),
                kept[CAUGHT_KEY],
                kept[LEARNING_KEY] == b"\1",
                kept[LOST_KEY] == b"\1",
                resumed=True,
            )
        except (CupError, CommitterError, ValueError) as error:
            raise SeatStateError(str(error)) from None

    @property
    def match(self) -> int:
        """The number of the match at its table."""
        return self.cup.epoch // EPOCHS_PER_MATCH

    def writes(self) -> tuple[Put, ...]:
        """Return the writes that must be on the disk before the seat does anything."""
        values = (
            self.cup.encode(),
            packed_votes(self.votes),
            bytes([self.unsynced]),
            self.committer.encode(),
            self.caught,
            bytes([self.lost]),
        )
        return tuple(map(Put, _KEYS, values))


_KEYS = (CUP_KEY, VOTES_KEY, LEARNING_KEY, FAIR_KEY, CAUGHT_KEY, LOST_KEY)
