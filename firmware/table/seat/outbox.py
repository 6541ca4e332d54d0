"""The writes and frames of one call of the core: one transaction, and frames that wait for it."""

from firmware.effects.effects import SendToSeat, Store
from firmware.journal.writes import Write


class Outbox:
    """Collects writes and frames until they are taken.

    All writes between two calls of ``take`` are one transaction, numbered by its ticket.
    `SendToSeat.after` is the newest unconfirmed ticket that was taken before the frame, or with it;
    None if all are on the disk. Transactions are written and confirmed in the order of their
    tickets, so a frame that waits for one waits for all before it.
    """

    def __init__(self) -> None:
        self._writes: list[Write] = []
        self._frames: list[tuple[int, bytes]] = []
        self._ticket = 0
        self._unwritten: int | None = None

    def write(self, item: Write) -> None:
        """Queue a write."""
        self._writes.append(item)

    def send(self, seat: int, frame: bytes) -> None:
        """Queue a sealed frame for a seat."""
        self._frames.append((seat, frame))

    def stored(self, ticket: int) -> None:
        """Note that a transaction is on the disk, with all before it."""
        if ticket == self._unwritten:
            self._unwritten = None

    def take(self) -> list[Store | SendToSeat]:
        """Return the effects since the last call, in their order."""
        effects: list[Store | SendToSeat] = []
        if self._writes:
            self._ticket += 1
            self._unwritten = self._ticket
            effects.append(Store(self._ticket, tuple(self._writes)))
        effects.extend(SendToSeat(seat, frame, self._unwritten) for seat, frame in self._frames)
        self._writes, self._frames = [], []
        return effects
