"""The log between this handheld and the others: entered here, told to them, or told by them.

Entries are written before they are sent. What is entered while the player here still has something
to show can wait: nobody hears of it before the next ``send_new``.
"""

from collections.abc import Callable, Sequence

from firmware.journal.writes import Append, Write
from firmware.table.commitment.ledger import Testify
from firmware.table.log.belief import Belief
from firmware.table.log.entries import Note
from firmware.table.log.peers import PeerProgress
from firmware.table.log.public_log import PublicLog, Signs
from firmware.table.protocol.log_messages import Log
from game import AnyStep
from game.actions import Action


class Replication:
    """What is known here of the match, and how much of it the others know.

    Args:
        log: the log so far.
        peers: what the others are known to know.
        keep: has something written, in the same transaction as what is sent.
        tell: seals a part of the log and has it sent to seats.
        sign: signs what is entered here.
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
        """Whether ``seat`` has said that it lacks nothing."""
        return self._peers.lacks[seat] >= self._log.index

    def append(self, action: Action, note: Note | None = None) -> AnyStep:
        """Enter something legal. The others hear of it when ``send_new`` is called."""
        index = self._log.index
        step = self._log.append(action, note, self._sign)
        if self._unsent_from is None:
            self._unsent_from = index
        self._keep(index)
        return step

    def adopt(
        self, told: Log, testify: Testify | None, belief: Belief, sealed_by: int | None
    ) -> tuple[AnyStep, ...]:
        """Follow what another handheld told. Returns what has become of the match.

        ``testify``, ``belief``, ``sealed_by``: see `PublicLog.adopt`.

        Raises:
            LogConflict: its log cannot be followed.
            Cheated: its log shows that a seat cheats.
        """
        index = self._log.signed_at.index
        steps = self._log.adopt(told, testify, belief, sealed_by)
        if self._log.signed_at.index > index:
            self._peers.peer_appended()
            self._keep(index)
        return steps

    def told_all(self, seat: int) -> None:
        """A seat has told all at once where the log ends now."""
        self._peers.told_all(seat, self._log.signed_at.index)

    def send_new(self, now_us: int) -> None:
        """Tell the others what was entered here and not told yet."""
        if self._unsent_from is not None:
            self.send_all(now_us)

    def send_all(self, now_us: int) -> None:
        """Tell the others all that they are not known to know."""
        self._unsent_from = None
        self._tell(self._peers.appended(self.end, now_us))

    def wanted(self, seat: int, first: int, now_us: int) -> None:
        """Seat ``seat`` says that ``first`` is the first entry that it lacks."""
        self._tell(self._peers.wanted(seat, first, self.end, now_us))

    def tick(self, now_us: int) -> None:
        """Tell again what nobody reacted to."""
        self._tell(self._peers.due(self.end, now_us))

    @property
    def end(self) -> int:
        """Where the log ends for the others."""
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
