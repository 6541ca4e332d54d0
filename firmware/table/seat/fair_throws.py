"""The dice of one seat: thrown from its commitment, or from bare random bytes.

`FairThrows` and `NoProofs` have the same interface; only the first proves its dice. Displays show
the dice of the second as unchecked, if others prove theirs.
"""

from collections.abc import Callable
from functools import partial

from firmware.journal.keys import FAIR_KEY
from firmware.journal.writes import Put
from firmware.table.commitment.charges import Charge
from firmware.table.commitment.committer import Committer
from firmware.table.commitment.dice_commitment import DiceCommitment, ProofNote
from firmware.table.commitment.ledger import Ledger
from firmware.table.commitment.unbiased import UnbiasedDice
from firmware.table.handover.cup import Cup
from firmware.table.handover.effects import CupTaken, OfferAnswered
from firmware.table.handover.hop_secrets import NO_SECRETS, HopSecrets
from firmware.table.protocol.contents import Contents
from firmware.table.protocol.dice_messages import Fresh, Share
from firmware.table.seat.mail import Mail
from firmware.table.seat.outbox import Outbox
from firmware.table.seat.position import at_table
from game import AnyMatch, dice_to_roll, hides_dice
from game.actions import Action, Lift, Roll, ShowMaexchen, ShowTower


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
