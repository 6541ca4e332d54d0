"""The public log at one seat: own entries, received ones, and cuts when an epoch began anew.

A seat that comes late into an epoch *learns*: its log may have entries that the epoch began
without. Only seats that do not learn send LOGs, so a LOG of this epoch shows what the epoch began
with. The table went on without other entries, and a learning seat cuts them.
"""

from collections.abc import Sequence
from typing import NamedTuple

from firmware.effects.core import earliest
from firmware.journal.keys import LEARNING_KEY
from firmware.journal.writes import Cut, Put
from firmware.table.commitment.charges import Charge
from firmware.table.commitment.ledger import Cheated, Testify
from firmware.table.log.belief import Belief
from firmware.table.log.entries import Note
from firmware.table.log.peers import EACH_LATER_US, PeerProgress, answer_later_us, turn_of
from firmware.table.log.public_log import LogConflict, PublicLog
from firmware.table.log.replication import Replication
from firmware.table.protocol.cup_messages import Propose
from firmware.table.protocol.log_messages import Log, Want
from firmware.table.protocol.sizes import TOLD_AT_ONCE
from firmware.table.seat.mail import Mail
from firmware.table.seat.outbox import Outbox
from game import AnyStep
from game.actions import Action

MOST_OF_PROOF = 16
"""Most entries in the proof that a seat told two stories."""


class Adopted(NamedTuple):
    """The log has grown by these steps, maybe none; ``lacks`` is the first missing entry."""

    steps: tuple[AnyStep, ...]
    lacks: int


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
        learning: whether entries of the log may be ones that this epoch began without.
    """

    def __init__(self, log: PublicLog, mail: Mail, outbox: Outbox, *, learning: bool) -> None:
        self.learning = learning
        self._log = log
        self._mail = mail
        self._outbox = outbox
        self.replication = self._new_replication()
        self._owed: tuple[int, int] | None = None
        """The seat that gets a delayed WANT, and its time."""

    def _new_replication(self) -> Replication:
        mail = self._mail
        return Replication(
            self._log,
            PeerProgress(mail.places, mail.me, by_light=mail.by_light),
            self._outbox.write,
            self._tell,
            mail.signed_log,
        )

    def _tell(self, seats: Sequence[int], told: Log) -> None:
        """Send a LOG to several seats at once only if an own signature shows its sender."""
        mine = (self._mail.me, self._mail.epoch)
        is_mine = mine in self._log.signers(told.first)
        for group in [seats] if is_mine else [[seat] for seat in seats]:
            self._mail.tell(group, told)

    @property
    def lacks(self) -> int:
        """The index for WANT: the first missing entry, or 0 while this seat learns."""
        return 0 if self.learning else self._log.signed_at.index

    def begin(self, *, learning: bool) -> None:
        """Begin a new epoch, in which the progress of the others is unknown."""
        self.replication = self._new_replication()
        self._owed = None
        self.set_learning(learning)

    def set_learning(self, learning: bool) -> None:
        """Begin or end learning; write the change."""
        if learning is not self.learning:
            self.learning = learning
            self._outbox.write(Put(LEARNING_KEY, bytes([learning])))

    def append(self, action: Action, note: Note | None) -> AnyStep:
        """Enter a legal action; it is sent later."""
        self._owed = None  # the new LOG shows the same
        return self.replication.append(action, note)

    @property
    def next_timer_us(self) -> int | None:
        """When to call ``tick``; None when nothing waits for an answer."""
        owed_us = None if self._owed is None else self._owed[1]
        return earliest((self.replication.next_timer_us, owed_us))

    def answer_later(self, teller: int, now_us: int, *, asks: bool) -> None:
        """Schedule the WANT after a LOG for all, in this seat's turn.

        ``asks``: entries are missing here. Further entries replace or cancel the WANT.
        """
        turn = turn_of(self._mail.me, teller, self._mail.places)
        later_us = turn * EACH_LATER_US if asks else answer_later_us(turn)
        self._owed = (teller, now_us + later_us)

    def tick(self, now_us: int) -> None:
        """Repeat LOGs without a reaction, and send a scheduled WANT."""
        self.replication.tick(now_us)
        if self._owed is not None and now_us >= self._owed[1]:
            self._mail.send(self._owed[0], Want(self.lacks))
            self._owed = None

    def last_of(self, proposal: Propose) -> Log | None:
        """Return the entries of a proposal as a LOG, if they are new here; else None.

        A learning seat cuts its entries beyond them: the holder lacks nothing.
        """
        index = proposal.at.index
        if self.learning and index < self._log.index:
            self._cut(index)
        elif not self.learning and index > self._log.index:
            first = index - proposal.count
            return Log(first, proposal.count, proposal.entries, proposal.at.digest)
        return None

    def adopt(
        self,
        told: Log,
        testify: Testify,
        belief: Belief,
        sealed_by: int | None,
        *,
        settles: bool,
    ) -> Adopted | Differs | CheatFound:
        """Enter the entries of a received LOG.

        Args:
            told: the LOG.
            testify: returns a charge against a tenure, by this handheld's own knowledge.
            belief: judges entries.
            sealed_by: the sender, if its own entries need no signature; else None.
            settles: whether its sender knows what this epoch began with.
        """
        beyond = told.first + told.count
        try:
            testify_here = None if self.learning else testify
            steps = self.replication.adopt(told, testify_here, belief, sealed_by)
        except Cheated as cheated:
            proof = self._proof(told) if cheated.charge is Charge.STORIES else ()
            return CheatFound(cheated.seat, cheated.charge, proof)
        except LogConflict as conflict:
            return self._conflicting(conflict, told)
        if beyond <= self._log.index:
            if settles:
                self._verified(told)
            lacks = beyond
        else:
            lacks = self.lacks
        return Adopted(steps, lacks if self.learning else self._log.signed_at.index)

    def _proof(self, told: Log) -> tuple[Log, ...]:
        """Return the entries here in place of the received ones.

        A seat that knows the other story then sees both. The received LOG is not forwarded: one
        header would stand over two bodies.
        """
        end = self._log.signed_at.index
        return (self._log.told(told.first, min(end - told.first, MOST_OF_PROOF)),)

    def _conflicting(self, conflict: LogConflict, told: Log) -> Adopted | Differs:
        """Ask for older entries, until the first differing one is found.

        A learning seat takes the received entries instead of its own; else two logs differ.
        """
        known, is_older = self._log.index, conflict.index >= told.first + told.count
        if is_older and told.first > 0:
            return Adopted((), max(0, told.first - TOLD_AT_ONCE))
        if not self.learning or (told.first == 0 and conflict.index >= known):
            return Differs()
        if told.first <= conflict.index < min(known, told.first + told.count):
            self._cut(conflict.index)
            return Adopted((), conflict.index)
        return Adopted((), 0)

    def _verified(self, told: Log) -> None:
        """End learning, as the log here agrees with a received one to its end."""
        end = told.first + told.count
        if self.learning and told.count < TOLD_AT_ONCE:  # else there is more
            if end < self._log.index:
                self._cut(end)
            self.set_learning(False)

    def _cut(self, index: int) -> None:
        """Remove entries that the epoch began without."""
        self._log.cut(index)
        self._outbox.write(Cut(index))
