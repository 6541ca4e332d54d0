"""What holds of a log that came from anybody: rules, digests, openings of dice, signatures."""

from collections.abc import Sequence
from dataclasses import dataclass

from firmware.device.feed import MatchNotice, Result
from firmware.table.commitment.ledger import Cheated
from firmware.table.log.belief import Claim, is_borne_out
from firmware.table.log.public_log import LogConflict, PublicLog
from firmware.table.protocol.log_messages import Log
from firmware.table.protocol.signing import Verifier
from firmware.table.seat.votes import EPOCHS_PER_MATCH
from game import AnyStep
from game.record import RecordError, read


class DoubtedError(ValueError):
    """What was told does not hold; the text is one line that says why."""


@dataclass
class Checked:
    """A log that holds, what its entries have led to, and who was to open its match."""

    log: PublicLog
    steps: list[AnyStep]
    first: int
    belief: "Readers"

    @property
    def count(self) -> int:
        """How many entries hold."""
        return self.log.index

    def digest(self, count: int) -> bytes:
        """The digest of the first ``count`` entries."""
        return self.log.position(count).digest


class Readers(Verifier):
    """What who only reads can believe (`Belief`): what a seat has signed, and may have entered.

    That a table has voted to go on without somebody he cannot know: whoever enters something first
    in a new epoch is believed that he was to, and who is gone.

    Args:
        signers: by seat, the public keys.
        match: the number of the match, which is the first part of its epochs.
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
        begins = self._begun.setdefault(epoch, seat) == seat and epoch % EPOCHS_PER_MATCH > 0
        gone = seats - {seat} if begins else None
        return is_borne_out(claim, epoch, gone, self.has_signed)


def begun(told: MatchNotice | Result) -> Checked:
    """Return the log of a match without entries.

    Raises:
        DoubtedError: its header, or a key, is none.
    """
    try:
        record = read(told.header)
        log = PublicLog(record.rules, record.players, record.first)
        belief = Readers([bytes.fromhex(each) for each in told.signers], told.match)
    except (RecordError, ValueError) as error:
        raise DoubtedError(f"its header is none: {error}") from None
    if record.actions or log.header.decode() != told.header:
        raise DoubtedError("its header is not as one is written")
    return Checked(log, [], record.first, belief)


def follow(checked: Checked, told: Log) -> list[AnyStep]:
    """Follow told entries; return what those led to that are new.

    Raises:
        DoubtedError: one of them does not hold; then none is followed.
    """
    before = checked.count
    try:
        steps = list(checked.log.adopt(told, belief=checked.belief))
    except (LogConflict, Cheated) as error:
        raise DoubtedError(" ".join(str(error).split())) from None
    if checked.count == before:
        raise DoubtedError(f"entry {before} is not signed by who made it, or is none")
    checked.steps.extend(steps)
    return steps
