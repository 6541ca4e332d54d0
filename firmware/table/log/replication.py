"""The record between this handheld and the others: entered here, told to them, or told by them.

Entries are written before they are told. What is entered while the player here still has something
to show can wait: nobody hears of it before the next ``speak``.
"""

from collections.abc import Callable

from firmware.journal.writes import Append
from firmware.table.commitment.ledger import ProofNote
from firmware.table.log.peers import PeerProgress
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol.codec import Message
from firmware.table.protocol.log_messages import Log
from firmware.table.protocol.sizes import TOLD_AT_ONCE
from firmware.table.seat.outbox import Outbox
from game import AnyStep
from game.actions import Action


class Replication:
    """What is known here of the match, and how much of it the others know.

    Args:
        log: the record so far.
        seat: this handheld's seat.
        outbox: where writes go.
        send: seals a message and has it sent to a seat.
        places: how many are told the record: those at the seats, and behind them who watches.
    """

    def __init__(
        self,
        log: PublicLog,
        seat: int,
        outbox: Outbox,
        send: Callable[[int, Message], None],
        places: int,
    ) -> None:
        self._log = log
        self._gossip = PeerProgress(places, seat)
        self._outbox = outbox
        self._send = send
        self._untold_from: int | None = None

    @property
    def next_timer_us(self) -> int | None:
        """When ``tick`` has something to do; None when everybody has answered."""
        return self._gossip.next_timer_us

    def knows_all(self, seat: int) -> bool:
        """Whether ``seat`` has said that it lacks nothing."""
        return self._gossip.lacks[seat] >= self._log.index

    def append(self, action: Action, note: ProofNote | None = None) -> AnyStep:
        """Enter something legal. The others hear of it when ``speak`` is called."""
        index = self._log.index
        step = self._log.append(action, note)
        if self._untold_from is None:
            self._untold_from = index
        self._keep(index)
        return step

    def adopt(self, told: Log) -> tuple[AnyStep, ...]:
        """Follow what another handheld told. Returns what has become of the match.

        Raises:
            LogConflict: its record cannot be followed.
            Cheated: its record shows that a seat cheats.
        """
        index = self._log.index
        steps = self._log.adopt(told)
        if steps:
            self._gossip.heard()
            self._keep(index)
        return steps

    def speak(self, now_us: int) -> None:
        """Tell the others what was entered here and not told yet."""
        if self._untold_from is not None:
            self.speak_again(now_us)

    def speak_again(self, now_us: int) -> None:
        """Tell the others all that they are not known to know."""
        self._untold_from = None
        for seat in self._gossip.spoke(self._log.index, now_us):
            self._tell(seat)

    def wanted(self, seat: int, first: int, now_us: int) -> None:
        """Seat ``seat`` says that ``first`` is the first entry that it lacks."""
        if self._gossip.lacking(seat, first, self._end, now_us):
            self._tell(seat)

    def tick(self, now_us: int) -> None:
        """Tell again what nobody reacted to."""
        for seat in self._gossip.due(self._end, now_us):
            self._tell(seat)

    @property
    def _end(self) -> int:
        """Where the record ends for the others."""
        return self._log.index if self._untold_from is None else self._untold_from

    def _tell(self, seat: int) -> None:
        end = self._end
        first = min(self._gossip.lacks[seat], end)
        self._send(seat, self._log.told(first, min(end - first, TOLD_AT_ONCE)))

    def _keep(self, first: int) -> None:
        """Write the entries from ``first`` on, with the dice that were rolled here."""
        for place, entry in enumerate(self._log.since(first), start=first):
            self._outbox.write(Append(place, entry))
