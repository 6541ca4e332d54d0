"""The replication of the log: own entries go out, received ones come in.

Entries are written before they are sent. An own entry can wait while the player here still has
something to show: no frame carries it before the next ``send_new``.
"""

from collections.abc import Callable, Sequence

from firmware.journal.writes import Append, Write
from firmware.table.commitment.ledger import CheckCommitment
from firmware.table.log.belief import Belief
from firmware.table.log.entries import Note
from firmware.table.log.peers import PeerProgress
from firmware.table.log.public_log import PublicLog, Signs
from firmware.table.protocol.log_messages import Log
from game import AnyStep
from game.actions import Action


class Replication:
    """The log here, and the progress of the others in it.

    Args:
        log: the log so far.
        peers: the progress of the others.
        keep: queues a write, for the same transaction as the frames.
        tell: seals a LOG and queues it for seats.
        sign: signs own entries.
    """

    def __init__(
        self,
        log: PublicLog,
        peers: PeerProgress,
        keep: Callable[[Write], None],
        tell: Callable[[Sequence[int], Log], None],
        sign: Signs,
    ) -> None:
        self._log = log
        self._sign = sign
        self._peers = peers
        self._write = keep
        self._tell_seats = tell
        self._unsent_from: int | None = None

    @property
    def next_timer_us(self) -> int | None:
        """When ``tick`` has something to do; None when everybody has answered."""
        return self._peers.next_timer_us

    def knows_all(self, seat: int) -> bool:
        """Return whether ``seat`` lacks nothing, by its last WANT."""
        return self._peers.lacks[seat] >= self._log.index

    def append(self, action: Action, note: Note | None = None) -> AnyStep:
        """Enter a legal action. ``send_new`` sends it to the others."""
        index = self._log.index
        step = self._log.append(action, note, self._sign)
        if self._unsent_from is None:
            self._unsent_from = index
        self._keep(index)
        return step

    def adopt(
        self,
        told: Log,
        check: CheckCommitment | None,
        belief: Belief,
        sealed_by: int | None,
    ) -> tuple[AnyStep, ...]:
        """Enter the entries of a received LOG. Return the new steps of the match.

        ``check``, ``belief``, ``sealed_by``: see `PublicLog.adopt`.

        Raises:
            LogConflict: the LOG contradicts the log here.
            Cheated: the LOG proves that a seat cheats.
        """
        index = self._log.signed_at.index
        steps = self._log.adopt(told, check, belief, sealed_by)
        if self._log.signed_at.index > index:
            self._peers.peer_appended()
            self._keep(index)
        return steps

    def sent_to_all(self, seat: int) -> None:
        """Note that a seat has sent a LOG for all, up to the end of the log here."""
        self._peers.sent_to_all(seat, self._log.signed_at.index)

    def send_new(self, now_us: int) -> None:
        """Send the others the own entries that were not sent yet."""
        if self._unsent_from is not None:
            self.send_all(now_us)

    def send_all(self, now_us: int) -> None:
        """Send the others all entries that they may lack."""
        self._unsent_from = None
        self._tell(self._peers.appended(self.end, now_us))

    def wanted(self, seat: int, first: int, now_us: int) -> None:
        """Take a WANT: ``first`` is the first entry that ``seat`` lacks."""
        self._tell(self._peers.wanted(seat, first, self.end, now_us))

    def tick(self, now_us: int) -> None:
        """Repeat LOGs without a reaction."""
        self._tell(self._peers.due(self.end, now_us))

    @property
    def end(self) -> int:
        """The end of the log for the others."""
        return self._log.signed_at.index if self._unsent_from is None else self._unsent_from

    def _tell(self, seats: Sequence[int]) -> None:
        end = self.end
        for first, group in self._peers.groups(seats, end):
            count = self._log.tellable(first, end)
            self._peers.told(group, first, first + count)
            self._tell_seats(group, self._log.told(first, count))

    def _keep(self, first: int) -> None:
        """Write the signed entries from ``first`` on, with the dice that were rolled here."""
        for place, entry in zip(range(first, self._log.signed_at.index), self._log.since(first)):
            self._write(Append(place, entry))
