"""The public log at one seat: entered here, adopted from others, cut where an epoch began anew.

A seat that comes late into an epoch *learns*: its log may have entries that the epoch began
without. Only who does not learn tells anything, so what it is told in this epoch is what that began
with; what it has beyond the end of that, or different from it, the table went on without.
"""

from typing import NamedTuple

from firmware.journal.keys import LEARNING_KEY
from firmware.journal.writes import Cut, Put
from firmware.table.commitment.charges import Charge
from firmware.table.commitment.ledger import Cheated, ProofNote, Testify
from firmware.table.log.public_log import Believes, LogConflict, PublicLog
from firmware.table.log.replication import Replication
from firmware.table.protocol.cup_messages import Propose
from firmware.table.protocol.log_messages import Log
from firmware.table.protocol.sizes import TOLD_AT_ONCE
from firmware.table.seat.mail import Mail
from firmware.table.seat.outbox import Outbox
from game import AnyStep
from game.actions import Action


class Adopted(NamedTuple):
    """The log has grown by these steps, maybe none; ``lacks`` is the first entry missing now."""

    steps: tuple[AnyStep, ...]
    lacks: int


class Differs(NamedTuple):
    """What was told cannot be followed."""


class CheatFound(NamedTuple):
    """What was told shows that the handheld of ``seat`` cheats."""

    seat: int
    charge: Charge


class LogSync:
    """The log, and what the others know of it.

    Args:
        log: the log so far.
        mail: seals and sends.
        outbox: where writes go.
        learning: whether entries of the log may be ones that this epoch began without.
    """

    def __init__(self, log: PublicLog, mail: Mail, outbox: Outbox, *, learning: bool) -> None:
        self.learning = learning
        self._log = log
        self._mail = mail
        self._outbox = outbox
        self.replication = self._new_replication()

    def _new_replication(self) -> Replication:
        mail = self._mail
        return Replication(self._log, mail.me, self._outbox.write, mail.send, mail.places)

    @property
    def lacks(self) -> int:
        """The first entry that is missing here, as the others are told."""
        return 0 if self.learning else self._log.index

    def begin(self, *, learning: bool) -> None:
        """Begin a new epoch, in which nobody is known to know anything."""
        self.replication = self._new_replication()
        self.set_learning(learning)

    def set_learning(self, learning: bool) -> None:
        """Learn, or do so no more; that is written when it changes."""
        if learning is not self.learning:
            self.learning = learning
            self._outbox.write(Put(LEARNING_KEY, bytes([learning])))

    def append(self, action: Action, note: ProofNote | None) -> AnyStep:
        """Enter something legal, which the others hear of when it is sent."""
        return self.replication.append(action, note)

    def last_of(self, proposal: Propose) -> Log | None:
        """The last entries of its giver's log, which a proposal has brought, if they are news.

        Who learns cuts what it has beyond them: who has the cup lacks nothing.
        """
        index = proposal.at.index
        if self.learning and index < self._log.index:
            self._cut(index)
        elif not self.learning and index > self._log.index:
            first = index - proposal.count
            return Log(first, proposal.count, proposal.entries, proposal.at.digest)
        return None

    def adopt(
        self, told: Log, testify: Testify, believes: Believes, *, may_grow: bool, settles: bool
    ) -> Adopted | Differs | CheatFound:
        """Follow what another handheld told.

        Args:
            told: its entries.
            testify: what this handheld knows of others' tenures.
            believes: which entries are believed from who tells them.
            settles: whether its teller can say where what this epoch began with ends.
            may_grow: False with the cup here: only who has it enters anything.
        """
        beyond, known = told.first + told.count, self._log.index
        if beyond > known and not may_grow:
            return Differs()
        try:
            steps = self.replication.adopt(told, None if self.learning else testify, believes)
        except Cheated as cheated:
            return CheatFound(cheated.seat, cheated.charge)
        except LogConflict as conflict:
            return self._cut_at(conflict, told)
        if beyond <= self._log.index:
            if settles:
                self._verified(told)
            lacks = beyond
        else:
            lacks = self.lacks
        return Adopted(steps, lacks if self.learning else self._log.index)

    def _cut_at(self, conflict: LogConflict, told: Log) -> Adopted | Differs:
        """Who learns follows others' entries instead of its own; else two logs differ."""
        known = self._log.index
        if not self.learning or (told.first == 0 and conflict.index >= known):
            return Differs()
        if told.first <= conflict.index < min(known, told.first + told.count):
            self._cut(conflict.index)
            return Adopted((), conflict.index)
        return Adopted((), 0)

    def _verified(self, told: Log) -> None:
        """Nothing that was told contradicts the log here; it is right, as far as that goes."""
        end = told.first + told.count
        if self.learning and told.count < TOLD_AT_ONCE:  # else there is more
            if end < self._log.index:
                self._cut(end)
            self.set_learning(False)

    def _cut(self, index: int) -> None:
        """Forget entries that the table went on without: nobody else has them."""
        self._log.cut(index)
        self._outbox.write(Cut(index))
