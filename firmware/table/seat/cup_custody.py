"""Positions towards the cup, the dice of one seat, and accusations.

The dice are thrown from a commitment, and a seat that cheats is accused. The presenter imports
``Charge`` from here, and no module below a seat.

`FairThrows` and `NoProofs` have the same interface; only the first proves its dice. Displays show
the dice of the second as unchecked, if others prove theirs.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import partial
from typing import NamedTuple

from firmware.journal import FAIR_KEY, Put
from firmware.table.commitment.fair_dice import Charge as Charge
from firmware.table.commitment.fair_dice import DiceCommitment, ProofNote, UnbiasedDice
from firmware.table.commitment.ledger import Committer, Ledger
from firmware.table.handover import (
    NO_SECRETS,
    Cup,
    CupTaken,
    HopSecrets,
    OfferAnswered,
)
from firmware.table.protocol import Retry
from firmware.table.protocol.messages import Caught, Contents, Fresh, Log, Share
from firmware.table.seat.mail import Mail, Outbox
from game import AnyMatch, dice_to_roll, hides_dice
from game.actions import Action, Lift, Roll, ShowMaexchen, ShowTower
from game.status import AWAY


class Position(Enum):
    """The position of this handheld towards the cup."""

    WATCHING = auto()
    """The cup is elsewhere."""
    OFFERED = auto()
    """The cup is offered to this seat, which owes an answer."""
    TAKING = auto()
    """The answer is given, and the cup is on its way here."""
    MINE = auto()
    """The cup is here, and this seat acts."""
    TO_PASS = auto()
    """The cup is here, but another seat acts next."""
    PASSING = auto()
    """The cup is on its way to another seat."""
    OVER = auto()
    """The match has ended."""
    STOPPED = auto()
    """The handheld cannot go on: the journal or the log is at fault."""


ACTING = (Position.OFFERED, Position.MINE, Position.TO_PASS)
"""Positions in which the player of this seat has to act."""


def at_table(match: AnyMatch) -> tuple[int, ...]:
    """Return the seats that are still in the match; none when it is over."""
    if match.to_act is None:
        return ()
    return tuple(seat for seat, status in enumerate(match.status) if status not in AWAY)


SILENT_AFTER_US = 6_000_000
"""A peer without a sign of life for this long counts as silent; chosen. It is away
after `GONE_AFTER_US` of ``messages``."""


class CupProgress(Enum):
    """The progress of a cup that leaves this seat."""

    CALLING = auto()
    """The other handheld has not been heard of yet."""
    OFFERED = auto()
    """It shows the offer; its player thinks."""
    GIVING = auto()
    """It has answered, and the cup is on its way."""
    SILENT = auto()
    """It has not been heard of for a while."""


class StoreFailed(NamedTuple):
    """A transaction of the journal failed; no frame that waits for it was sent."""


class LogsDiffer(NamedTuple):
    """The logs of two seats differ, here or elsewhere. Neither is proven wrong."""


class Accusing(NamedTuple):
    """The handheld here accuses that of seat ``seat`` of ``charge``."""

    seat: int
    charge: Charge


class Accused(NamedTuple):
    """The handheld of seat ``accuser`` accuses that of ``seat`` of ``charge``."""

    accuser: int
    seat: int
    charge: Charge


Trouble = StoreFailed | LogsDiffer | Accusing | Accused


AGAIN_US = 2_000_000
"""Wait between two CAUGHT frames; chosen."""
TIMES = 30
"""Number of CAUGHT frames: a minute of them; chosen."""


@dataclass
class Accusation:
    """An accusation of one seat's handheld by another's, maybe this one; it ends the match.

    Charge.LOG accuses nobody: two logs differ.

    Attributes:
        seat: this handheld's seat.
        accuser, accused: the seats.
        charge: against the accused.
        sends: whether this handheld informs the others, if the accusation is its own.
        proof: LOGs that prove it, sent before CAUGHT; lost with a loss of power.
    """

    seat: int
    accuser: int
    accused: int
    charge: Charge
    sends: bool = field(default=True, kw_only=True)
    proof: tuple[Log, ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        self._left = TIMES if self.accuser == self.seat and self.sends else 0
        self._retry = Retry(AGAIN_US, AGAIN_US).at(0)

    @classmethod
    def decode(cls, seat: int, kept: bytes) -> "Accusation":
        """Return the accusation of these bytes, at a seat. The inverse of ``encode``."""
        accuser, accused, charge = kept
        return cls(seat, accuser, accused, Charge(charge))

    def encode(self) -> bytes:
        """Return the bytes for the journal: accuser, accused and charge, a byte each."""
        return bytes([self.accuser, self.accused, self.charge])

    @property
    def is_proof_bound(self) -> bool:
        """True if it rests on statements of the accused, sealed or signed."""
        return self.charge is not Charge.LOG

    @property
    def next_timer_us(self) -> int | None:
        """When to call ``due``; None if nothing is left to send."""
        return self._retry.due_us if self._left else None

    def due(self, now_us: int) -> tuple[Log | Caught, ...]:
        """Return the messages for all that are due now."""
        if not self._left or not self._retry.due(now_us):
            return ()
        self._left -= 1
        self._retry = self._retry.sent(now_us)
        return (*self.proof, Caught(self.accused, self.charge))

    @property
    def trouble(self) -> LogsDiffer | Accusing | Accused:
        """The reason why this handheld has stopped."""
        if not self.is_proof_bound:
            return LogsDiffer()
        if self.accuser == self.seat:
            return Accusing(self.accused, self.charge)
        return Accused(self.accuser, self.accused, self.charge)


def note_of_cup(action: Action, contents: Contents) -> ProofNote | None:
    """Return the note beside an action that opens the dice in the cup; None for other actions."""
    if isinstance(action, Lift | ShowTower | ShowMaexchen) and contents.throw:
        return ProofNote(contents.throw, None, contents.opening)
    return None


class NoProofs:
    """Dice without a commitment.

    Args:
        entropy: returns so many random bytes.
    """

    proves = False
    due_us: int | None = None
    secrets = NO_SECRETS

    def __init__(self, entropy: Callable[[int], bytes]) -> None:
        self.dice = UnbiasedDice(entropy)

    def throw(self, match: AnyMatch, _ledger: Ledger) -> tuple[Roll, ProofNote | None]:
        """Throw the dice; return them and the note for the log."""
        return _roll(self.dice, match), None

    def note(
        self, action: Action, _match: AnyMatch, contents: Contents, _ledger: Ledger
    ) -> ProofNote | None:
        """Return the note beside an action that is no throw: the proof that came with a cup."""
        return note_of_cup(action, contents)

    def contents(self, roll: Roll, _ledger: Ledger) -> Contents:
        """Return the contents of the cup after a covered throw here."""
        return Contents(roll.dice or (), tower=roll.tower)

    def check_commitment(self, _seat: int, _commitment: DiceCommitment) -> Charge | None:
        """Return the charge against another seat's commitment that this seat knows; else None."""
        return None

    def contribute(
        self, _sender: int, _fresh: Fresh, _match: AnyMatch, _ledger: Ledger
    ) -> Charge | None:
        """Ignore a request for a contribution."""
        return None

    def receive_share(self, sender: int, share: Share, ledger: Ledger) -> None:
        """Ignore a contribution."""

    def cup_taken(self, taken: CupTaken) -> None:
        """Ignore that the cup is here."""

    def cup_given(self, answered: OfferAnswered) -> None:
        """Ignore that the cup is on its way to a seat."""

    def prepare(self, cup: Cup, match: AnyMatch, ledger: Ledger, now_us: int) -> None:
        """Ignore that the log or the cup has moved."""

    def ask(self, cup: Cup, match: AnyMatch, now_us: int) -> None:
        """Ignore that time has passed."""


class FairThrows:
    """Dice to which this seat has committed before it could know them.

    Args:
        committer: its roots, contributions and seen roots.
        mail: seals and sends; it knows the epoch.
        outbox: takes writes.
    """

    proves = True

    def __init__(self, committer: Committer, mail: Mail, outbox: Outbox) -> None:
        self.committer = committer
        self.dice = UnbiasedDice(committer.draw)
        self._written = committer.kept
        self._mail = mail
        self._outbox = outbox

    @property
    def due_us(self) -> int | None:
        """When to call ``ask``, with the cup here; None while no contribution is missing."""
        return self.committer.due_us

    @property
    def secrets(self) -> HopSecrets:
        """The roots and contributions of this seat in this epoch."""
        epoch = self._mail.epoch
        committer = self.committer
        return HopSecrets(partial(committer.root, epoch), partial(committer.contribution, epoch))

    def throw(self, match: AnyMatch, ledger: Ledger) -> tuple[Roll, ProofNote | None]:
        """Throw the dice; return them and the note for the log."""
        note = self.committer.begin_throw(match, ledger)
        return _roll(self.dice, match), note

    def note(
        self, action: Action, match: AnyMatch, contents: Contents, ledger: Ledger
    ) -> ProofNote | None:
        """Return the note beside an action that is no throw: the proof of dice that it opens."""
        if not isinstance(action, Lift) or hides_dice(match):
            return note_of_cup(action, contents)
        bound = ledger.thrown.get(self._mail.me)
        if bound is None:
            return None
        return ProofNote(bound.throw, None, self.committer.proof(bound.tenure, bound.throw))

    def contents(self, roll: Roll, ledger: Ledger) -> Contents:
        """Return the contents of the cup after a covered throw here."""
        bound, dice = ledger.newest, roll.dice or ()
        if bound is None:
            return Contents(dice, tower=roll.tower)
        proof = self.committer.proof(bound.tenure, bound.throw)
        return Contents(dice, bound.throw, proof, roll.tower)

    def check_commitment(self, seat: int, commitment: DiceCommitment) -> Charge | None:
        """Return the charge against another seat's commitment that this seat knows; else None."""
        return self.committer.check_commitment(seat, commitment, self._mail.epoch)

    def contribute(
        self, sender: int, fresh: Fresh, match: AnyMatch, ledger: Ledger
    ) -> Charge | None:
        """Contribute to another seat's dice. Return the charge against it; None for none."""
        if match.to_act != sender or contributor(match, sender) != self._mail.me:
            return None
        epoch = self._mail.epoch
        thrown = any(tenure.epoch == epoch for tenure, _ in ledger.tenures.values())
        share = self.committer.contribute(sender, epoch, fresh, ledger, first=not thrown)
        if isinstance(share, Share):
            self._write()
            self._mail.send(sender, share)
            return None
        return share

    def receive_share(self, sender: int, share: Share, ledger: Ledger) -> None:
        """Take a contribution, maybe to the tenure that lacks one."""
        self.committer.receive_share(sender, self._mail.epoch, share, ledger)
        self._write()

    def cup_taken(self, taken: CupTaken) -> None:
        """Begin a tenure, as the cup is here with its giver's contribution."""
        self.committer.cup_taken(self._mail.epoch, taken.hop, taken.giver, taken.contribution)

    def cup_given(self, answered: OfferAnswered) -> None:
        """Remember the root of the seat that gets the cup."""
        epoch = self._mail.epoch
        self.committer.remember_root(answered.taker, epoch, answered.hop, answered.root)

    def prepare(self, cup: Cup, match: AnyMatch, ledger: Ledger, now_us: int) -> None:
        """With the cup here, begin a tenure if none is left. Write the changes."""
        if cup.is_here and match.to_act is not None:
            self.committer.prepare(cup.epoch, cup.last, ledger, now_us)
        self._write()
        self.ask(cup, match, now_us)

    def ask(self, cup: Cup, match: AnyMatch, now_us: int) -> None:
        """With the cup here, ask for a missing contribution, if it is time."""
        if not cup.is_here:
            return
        fresh = self.committer.ask(now_us)
        before = contributor(match, self._mail.me)
        if fresh is not None and before is not None:
            self._mail.send(before, fresh)

    def _write(self) -> None:
        if self.committer.kept is not self._written:
            self._written = self.committer.kept
            self._outbox.write(Put(FAIR_KEY, self._written.encode()))


def _roll(dice: UnbiasedDice, match: AnyMatch) -> Roll:
    return dice.roll(dice_to_roll(match), match.rules.tower_one_in)


def contributor(match: AnyMatch, seat: int) -> int | None:
    """Return the seat that contributes to the dice of ``seat``: the one before; None if alone."""
    count, there = len(match.players), at_table(match)
    before = ((seat - away) % count for away in range(1, count))
    return next((other for other in before if other in there), None)
