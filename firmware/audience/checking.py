"""What holds of a log that came from anybody: rules, digests, openings of dice, signatures."""

from dataclasses import dataclass

from firmware.table.commitment.ledger import Cheated
from firmware.table.log.public_log import LogConflict, PublicLog
from firmware.table.protocol.log_messages import Log
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

    @property
    def count(self) -> int:
        """How many entries hold."""
        return self.log.index

    def digest(self, count: int) -> bytes:
        """The digest of the first ``count`` entries."""
        return self.log.position(count).digest


def begun(header: str) -> Checked:
    """Return the log of a header (`game.record`) without entries.

    Raises:
        DoubtedError: it is none.
    """
    try:
        record = read(header)
        log = PublicLog(record.rules, record.players, record.first)
    except (RecordError, UnicodeError) as error:
        raise DoubtedError(f"its header is none: {error}") from None
    if record.actions or log.header.decode() != header:
        raise DoubtedError("its header is not as one is written")
    return Checked(log, [], record.first)


def follow(checked: Checked, told: Log) -> list[AnyStep]:
    """Follow told entries; return what those led to that are new.

    Raises:
        DoubtedError: one of them does not hold; then none is followed.
    """
    try:
        steps = list(checked.log.adopt(told))
    except (LogConflict, Cheated) as error:
        raise DoubtedError(" ".join(str(error).split())) from None
    checked.steps.extend(steps)
    return steps
