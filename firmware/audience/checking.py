"""Checks on a log from any source: rules, digests, openings of dice, signatures."""

from dataclasses import dataclass

from firmware.device.feed import MatchNotice
from firmware.table.commitment.ledger import Cheated
from firmware.table.log.public_log import LogConflict, PublicLog
from firmware.table.log.reader import Readers
from firmware.table.protocol.log_messages import Log
from game import AnyStep
from game.record import RecordError, read


class DoubtedError(ValueError):
    """A published log or message fails a check; the text is one line that says why."""


@dataclass
class Checked:
    """A log that passed its checks, the results of its entries, and the seat to open its match."""

    log: PublicLog
    steps: list[AnyStep]
    first: int
    belief: Readers

    @property
    def count(self) -> int:
        """Number of entries that passed."""
        return self.log.index

    def digest(self, count: int) -> bytes:
        """The digest of the first ``count`` entries."""
        return self.log.position(count).digest


def begun(told: MatchNotice) -> Checked:
    """Return the log of a match without entries.

    Raises:
        DoubtedError: its header or a key is invalid.
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
    """Check published entries; return the results of those that are new.

    Raises:
        DoubtedError: one of them fails a check; then none is accepted.
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
