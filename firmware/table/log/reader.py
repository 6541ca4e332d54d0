"""A log that strangers tell, checked entry by entry with the public keys of its players.

For who has no seat: spectators, late ones, leagues. ``LogReader.follow`` takes LOG messages, and
so whatever carries the bytes of one; what it returns holds by the rules and by signatures.
"""

from collections.abc import Mapping
from typing import NamedTuple

from firmware.table.log.belief import Claim, is_borne_out
from firmware.table.log.chain import EPOCHS_PER_MATCH
from firmware.table.log.public_log import LogConflict, PublicLog
from firmware.table.protocol.log_messages import Log
from firmware.table.protocol.signing import Verifier
from game import AnyStep


class Followed(NamedTuple):
    """An entry that holds: the seat that has signed it, in which epoch, and what it led to."""

    seat: int
    epoch: int
    step: AnyStep


class LogReader:
    """Follows the log of one match. It knows nothing but the public keys.

    So it takes who is the first to enter something in a later epoch for the one that this epoch
    began with: he can void the round then, and enter who has left. That more than half of all have
    voted for it, only those at the table know.

    Args:
        header: the match's, as ``PublicLog.header``.
        signers: by seat, the public key that it signs with, 32 bytes (`Keys.signers`).

    Raises:
        RecordError: the header is none.
        ValueError: a key has not 32 bytes.
    """

    def __init__(self, header: bytes, signers: Mapping[int, bytes]) -> None:
        self.log = PublicLog.restored(header, ())
        """What holds so far."""
        self._verifier = Verifier(signers)
        self._keepers: dict[int, int] = {}
        self._claims: list[Claim] = []

    def follow(self, told: Log) -> tuple[Followed, ...]:
        """Follow entries; all of them, or none. Returns the new ones; none for what is known.

        Raises:
            LogConflict: they are not to be followed: some are missing before, one is not signed by
                who can have entered it, is against the rules, or is not the one here.
            Cheated: they show that a seat cheats; with Charge.STORIES it has signed two logs that
                differ.
        """
        index, self._claims = self.log.index, []
        steps = self.log.adopt(told, belief=self)
        end = told.first + told.count
        if self.log.index < end:
            raise LogConflict(index, "it is not signed by who can have entered it")
        if self.log.position(end).digest != told.digest:
            raise LogConflict(told.first, "it is not the one that is known, and nobody signed it")
        return tuple(
            Followed(claim.seat, claim.epoch or 0, step)
            for claim, step in zip(self._claims, steps, strict=True)
        )

    # What the log asks (`firmware.table.log.belief.Belief`)

    def has_signed(self, seat: int, statement: bytes, signature: bytes) -> bool:
        """Whether a seat has signed a statement."""
        return self._verifier.has_signed(seat, statement, signature)

    def believes(self, claim: Claim) -> bool:
        """Whether a seat can have entered something."""
        epoch, last = claim.epoch, claim.last
        if epoch is None or (last is not None and epoch < last):
            return False
        if last != epoch and epoch % EPOCHS_PER_MATCH:
            self._keepers[epoch] = claim.seat
        begins = self._keepers.get(epoch) == claim.seat
        everybody = frozenset(range(len(claim.match.players)))
        self._claims.append(claim)
        return is_borne_out(claim, epoch, everybody if begins else None, self.has_signed)
