"""The public log at one seat: entered here, adopted from others, cut where an epoch began anew.

A seat that comes late into an epoch *learns*: its log may have entries that the epoch began
without. Only who does not learn tells anything, so what it is told in this epoch is what that began
with; what it has beyond the end of that, or different from it, the table went on without.
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
"""So many entries at most prove that a seat told two stories."""


class Adopted(NamedTuple):
    """The log has grown by these steps, maybe none; ``lacks`` is the first entry missing now."""

    steps: tuple[AnyStep, ...]
    lacks: int


class Differs(NamedTuple):
    """What was told cannot be followed."""


class CheatFound(NamedTuple):
    """What was told shows that the handheld of ``seat`` cheats.

    ``proof`` is what shows it to everybody who is told it as well; nothing where each finds it by
    what it has been told.
    """

    seat: int
    charge: Charge
    proof: tuple[Log, ...] = ()


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
        self._owed: tuple[int, int] | None = None
        """Whom to say later that nothing is missing here, and when."""

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
        """Tell several at once only where it is shown, by a signature, who tells them."""
        mine = (self._mail.me, self._mail.epoch)
        is_mine = mine in self._log.signers(told.first)
        for group in [seats] if is_mine else [[seat] for seat in seats]:
            self._mail.tell(group, told)

    @property
    def lacks(self) -> int:
        """The first entry that is missing here, as the others are told."""
        return 0 if self.learning else self._log.signed_at.index

    def begin(self, *, learning: bool) -> None:
        """Begin a new epoch, in which nobody is known to know anything."""
        self.replication = self._new_replication()
        self._owed = None
        self.set_learning(learning)

    def set_learning(self, learning: bool) -> None:
        """Learn, or do so no more; that is written when it changes."""
        if learning is not self.learning:
            self.learning = learning
            self._outbox.write(Put(LEARNING_KEY, bytes([learning])))

    def append(self, action: Action, note: Note | None) -> AnyStep:
        """Enter something legal, which the others hear of when it is sent."""
        self._owed = None  # by that they hear what is known here
        return self.replication.append(action, note)

    @property
    def next_timer_us(self) -> int | None:
        """When ``tick`` has something to do; None when nothing waits for an answer."""
        owed_us = None if self._owed is None else self._owed[1]
        return earliest((self.replication.next_timer_us, owed_us))

    def answer_later(self, teller: int, now_us: int, *, asks: bool) -> None:
        """Say to who told all what is missing here (``asks``) or that nothing is: in turn.

        It is not said where more comes before.
        """
        turn = turn_of(self._mail.me, teller, self._mail.places)
        later_us = turn * EACH_LATER_US if asks else answer_later_us(turn)
        self._owed = (teller, now_us + later_us)

    def tick(self, now_us: int) -> None:
        """Tell again what nobody reacted to, and answer."""
        self.replication.tick(now_us)
        if self._owed is not None and now_us >= self._owed[1]:
            self._mail.send(self._owed[0], Want(self.lacks))
            self._owed = None

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
        self,
        told: Log,
        testify: Testify,
        belief: Belief,
        sealed_by: int | None,
        *,
        settles: bool,
    ) -> Adopted | Differs | CheatFound:
        """Follow what another handheld told.

        Args:
            told: its entries.
            testify: what this handheld knows of others' tenures.
            belief: which entries are believed.
            sealed_by: who told it, where he needs no signature for what he entered himself.
            settles: whether its teller can say where what this epoch began with ends.
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
        """What is known here instead of what was told.

        Whoever knows the other story sees by it what is seen here. What was told here is not told
        on: one header would stand over two bodies.
        """
        end = self._log.signed_at.index
        return (self._log.told(told.first, min(end - told.first, MOST_OF_PROOF)),)

    def _conflicting(self, conflict: LogConflict, told: Log) -> Adopted | Differs:
        """Ask for older entries, until it is seen which one differs.

        Who learns follows others' entries instead of its own; else two logs differ.
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
