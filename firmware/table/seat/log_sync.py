"""The public log at one seat: own entries, received ones, and cuts when an epoch began anew.

A seat that comes late into an epoch is *unsynced*: its log may have entries that the epoch began
without. Only synced seats send LOGs, so a LOG of this epoch shows what the epoch began with. The
table went on without other entries, and an unsynced seat cuts them.
"""

from collections.abc import Sequence
from typing import NamedTuple

from firmware.effects import earliest
from firmware.journal import LEARNING_KEY, Append, Cut, Put
from firmware.table.commitment.fair_dice import Charge
from firmware.table.commitment.ledger import Cheated, CheckCommitment
from firmware.table.log.entries import Belief, Note
from firmware.table.log.public_log import (
    EACH_LATER_US,
    LogConflict,
    PeerProgress,
    PublicLog,
    answer_later_us,
    turn_of,
)
from firmware.table.protocol import ENTRIES_AT_ONCE
from firmware.table.protocol.messages import Log, Propose, Want
from firmware.table.seat.mail import Mail, Outbox
from game import AnyStep
from game.actions import Action

MOST_OF_PROOF = 16
"""Most entries in the proof that a seat told two stories, so that its bytes fit; chosen."""


class Adopted(NamedTuple):
    """The log has grown by these steps, maybe none; ``first_missing`` is for WANT."""

    steps: tuple[AnyStep, ...]
    first_missing: int


class Differs(NamedTuple):
    """The received LOG contradicts the log here."""


class CheatFound(NamedTuple):
    """The received LOG proves that the handheld of ``seat`` cheats.

    ``proof`` shows it to the others; it is empty if each finds it in its own log.
    """

    seat: int
    charge: Charge
    proof: tuple[Log, ...] = ()


class LogSync:
    """The log, and the progress of the others in it.

    Args:
        log: the log so far.
        mail: seals and sends.
        outbox: takes writes.
        unsynced: whether entries of the log may be ones that this epoch began without.
    """

    def __init__(self, log: PublicLog, mail: Mail, outbox: Outbox, *, unsynced: bool) -> None:
        self.unsynced = unsynced
        self._log = log
        self._mail = mail
        self._outbox = outbox
        self._peers = self._no_progress()
        self._unsent_from: int | None = None
        self._owed: tuple[int, int] | None = None
        """The seat that gets a delayed WANT, and its time."""

    def _no_progress(self) -> PeerProgress:
        mail = self._mail
        return PeerProgress(mail.places, mail.me, by_light=mail.by_light)

    # The own entries, to the others

    @property
    def end(self) -> int:
        """The end of the log for the others; own entries can wait until the player shows them."""
        return self._log.signed_at.index if self._unsent_from is None else self._unsent_from

    def knows_all(self, seat: int) -> bool:
        """Return whether ``seat`` lacks nothing, by its last WANT."""
        return self._peers.lacks[seat] >= self._log.index

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
        self._send(self._peers.appended(self.end, now_us))

    def wanted(self, seat: int, first: int, now_us: int) -> None:
        """Take a WANT: ``first`` is the first entry that ``seat`` lacks."""
        self._send(self._peers.wanted(seat, first, self.end, now_us))

    def _send(self, seats: Sequence[int]) -> None:
        """Send a LOG to several seats at once only if an own signature shows its sender."""
        mine, end = (self._mail.me, self._mail.epoch), self.end
        for first, group in self._peers.groups(seats, end):
            count = self._log.tellable(first, end)
            self._peers.note_sent(group, first, first + count)
            log, is_mine = self._log.part(first, count), mine in self._log.signers(first)
            for each in [group] if is_mine else [[seat] for seat in group]:
                self._mail.send_log(each, log)

    def _write(self, first: int) -> None:
        """Write the signed entries from ``first`` on, with the dice that were rolled here."""
        for place, entry in zip(range(first, self._log.signed_at.index), self._log.since(first)):
            self._outbox.write(Append(place, entry))

    # The entries of the others

    @property
    def first_missing(self) -> int:
        """The index for WANT: the first missing entry, or 0 while this seat is unsynced."""
        return 0 if self.unsynced else self._log.signed_at.index

    def begin(self, *, unsynced: bool) -> None:
        """Begin a new epoch, in which the progress of the others is unknown."""
        self._peers = self._no_progress()
        self._unsent_from = self._owed = None
        self.set_unsynced(unsynced)

    def set_unsynced(self, unsynced: bool) -> None:
        """Begin or end syncing; write the change."""
        if unsynced is not self.unsynced:
            self.unsynced = unsynced
            self._outbox.write(Put(LEARNING_KEY, bytes([unsynced])))

    def append(self, action: Action, note: Note | None) -> AnyStep:
        """Enter a legal action, and write it; ``send_new`` sends it."""
        self._owed = None  # the new LOG shows the same
        index = self._log.index
        step = self._log.append(action, note, self._mail.signed_log)
        if self._unsent_from is None:
            self._unsent_from = index
        self._write(index)
        return step

    @property
    def next_timer_us(self) -> int | None:
        """When to call ``tick``; None when nothing waits for an answer."""
        owed_us = None if self._owed is None else self._owed[1]
        return earliest((self._peers.next_timer_us, owed_us))

    def answer_later(self, teller: int, now_us: int, *, asks: bool) -> None:
        """Schedule the WANT after a LOG for all, in this seat's turn.

        ``asks``: entries are missing here. Further entries replace or cancel the WANT.
        """
        turn = turn_of(self._mail.me, teller, self._mail.places)
        later_us = turn * EACH_LATER_US if asks else answer_later_us(turn)
        self._owed = (teller, now_us + later_us)

    def tick(self, now_us: int) -> None:
        """Repeat LOGs without a reaction, and send a scheduled WANT."""
        self._send(self._peers.due(self.end, now_us))
        if self._owed is not None and now_us >= self._owed[1]:
            self._mail.send(self._owed[0], Want(self.first_missing))
            self._owed = None

    def last_of(self, proposal: Propose) -> Log | None:
        """Return the entries of a proposal as a LOG, if they are new here; else None.

        An unsynced seat cuts its entries beyond them: the holder lacks nothing.
        """
        index = proposal.at.index
        if self.unsynced and index < self._log.index:
            self._cut(index)
        elif not self.unsynced and index > self._log.index:
            first = index - proposal.count
            return Log(first, proposal.count, proposal.entries, proposal.at.digest)
        return None

    def adopt(
        self,
        log: Log,
        check: CheckCommitment,
        belief: Belief,
        sealed_by: int | None,
        *,
        knows_beginning: bool,
    ) -> Adopted | Differs | CheatFound:
        """Enter the entries of a received LOG.

        Args:
            log: the LOG.
            check: returns a charge against a commitment, by this handheld's own knowledge.
            belief: judges entries.
            sealed_by: the sender, if its own entries need no signature; else None.
            knows_beginning: whether its sender knows what this epoch began with.
        """
        beyond, signed = log.first + log.count, self._log.signed_at.index
        try:
            check_here = None if self.unsynced else check
            steps = self._log.adopt(log, check_here, belief, sealed_by)
        except Cheated as cheated:
            proof = self._proof(log) if cheated.charge is Charge.STORIES else ()
            return CheatFound(cheated.seat, cheated.charge, proof)
        except LogConflict as conflict:
            return self._conflicting(conflict, log)
        if self._log.signed_at.index > signed:
            self._peers.peer_appended()
            self._write(signed)
        if beyond <= self._log.index:
            if knows_beginning:
                self._verified(log)
            missing = beyond
        else:
            missing = self.first_missing
        return Adopted(steps, missing if self.unsynced else self._log.signed_at.index)

    def _proof(self, log: Log) -> tuple[Log, ...]:
        """Return the entries here in place of the received ones.

        A seat that knows the other story then sees both. The received LOG is not forwarded: one
        header would stand over two bodies.
        """
        end = self._log.signed_at.index
        return (self._log.part(log.first, min(end - log.first, MOST_OF_PROOF)),)

    def _conflicting(self, conflict: LogConflict, log: Log) -> Adopted | Differs:
        """Ask for older entries, until the first differing one is found.

        An unsynced seat takes the received entries instead of its own; else two logs differ.
        """
        at, first = conflict.index, log.first
        if at >= first + log.count:
            return Adopted((), max(0, first - ENTRIES_AT_ONCE)) if first else Differs()
        if self.unsynced and at < self._log.index:
            self._cut(at)
            return Adopted((), at)
        return Adopted((), 0) if self.unsynced and first else Differs()

    def _verified(self, log: Log) -> None:
        """End syncing, as the log here agrees with a received one to its end."""
        end = log.first + log.count
        if self.unsynced and log.count < ENTRIES_AT_ONCE:  # else there is more
            if end < self._log.index:
                self._cut(end)
            self.set_unsynced(False)

    def _cut(self, index: int) -> None:
        """Remove entries that the epoch began without."""
        self._log.cut(index)
        self._outbox.write(Cut(index))
