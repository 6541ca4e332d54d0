"""Belief of a reader without a seat, by the public keys of the players alone.

For spectators and latecomers: ``PublicLog.adopt(told, belief=Readers(signers, match))``
enters the entries of a LOG from any sender, if rules and signatures allow them. A seat that has
signed two stories is named (`Cheated`).
"""

from collections.abc import Sequence

from firmware.table.log.belief import Claim, is_borne_out
from firmware.table.log.chain import EPOCHS_PER_MATCH
from firmware.table.protocol.signing import Verifier


class Readers(Verifier):
    """The `Belief` of a reader without a seat.

    A reader cannot know the votes. The seat that enters something first in a new epoch counts as
    its keeper, and may enter leaves.

    Args:
        signers: by seat, the public keys, 32 bytes each.
        match: the number of the match; its epochs begin at 16 times this number.

    Raises:
        ValueError: a key has not 32 bytes.
    """

    def __init__(self, signers: Sequence[bytes], match: int) -> None:
        super().__init__(dict(enumerate(signers)))
        self._match = match
        self._begun: dict[int, int] = {}
        """By epoch, the seat that entered something in it first."""

    def believes(self, claim: Claim) -> bool:
        """Return whether a claim can be true."""
        epoch, seat = claim.epoch, claim.seat
        if epoch is None or epoch // EPOCHS_PER_MATCH != self._match:
            return False
        seats = frozenset(range(len(claim.match.players)))
        if seat not in seats or epoch < (claim.last or 0):
            return False
        if claim.last != epoch:
            self._begun[epoch] = seat
        begins = self._begun.get(epoch) == seat and epoch % EPOCHS_PER_MATCH > 0
        gone = seats - {seat} if begins else None
        return is_borne_out(claim, epoch, gone, self.has_signed)
