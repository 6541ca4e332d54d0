"""What who has no seat believes of a log, by nothing but the public keys of its players.

For spectators, late ones and leagues: ``PublicLog.adopt(told, belief=Readers(signers, match))``
follows what a LOG carries, whoever brings it, as far as it holds by the rules and by signatures; a
seat that has signed two stories is named (`Cheated`). Nothing is followed that does not hold.
"""

from collections.abc import Sequence

from firmware.table.log.belief import Claim, is_borne_out
from firmware.table.log.chain import EPOCHS_PER_MATCH
from firmware.table.protocol.signing import Verifier


class Readers(Verifier):
    """What who only reads can believe (`Belief`): what a seat has signed, and may have entered.

    That a table has voted to go on without somebody he cannot know: whoever enters something first
    in a new epoch is believed that he was to, and who is gone.

    Args:
        signers: by seat, the public keys, 32 bytes each.
        match: the number of the match, which is the first part of its epochs.

    Raises:
        ValueError: a key has not 32 bytes.
    """

    def __init__(self, signers: Sequence[bytes], match: int) -> None:
        super().__init__(dict(enumerate(signers)))
        self._match = match
        self._begun: dict[int, int] = {}
        """By epoch, who entered something in it first."""

    def believes(self, claim: Claim) -> bool:
        """Whether something can have been entered like this."""
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
