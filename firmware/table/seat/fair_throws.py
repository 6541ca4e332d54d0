"""The dice of one seat: thrown from what it has committed to, or from bare random bytes.

`FairThrows` and `NoProofs` do the same for a seat; only the first has something to prove. Dice of
the second are shown as unchecked where others prove theirs.
"""

from collections.abc import Callable
from functools import partial

from firmware.journal.keys import FAIR_KEY
from firmware.journal.writes import Put
from firmware.table.commitment.charges import Charge
from firmware.table.commitment.committer import Committer
from firmware.table.commitment.ledger import Ledger, ProofNote
from firmware.table.commitment.tenure import Tenure
from firmware.table.commitment.unbiased import UnbiasedDice
from firmware.table.handover.cup import Cup
from firmware.table.handover.effects import CupTaken, OfferAnswered
from firmware.table.handover.hop_secrets import NO_SECRETS, HopSecrets
from firmware.table.protocol.contents import Contents
from firmware.table.protocol.dice_messages import Fresh, Share
from firmware.table.seat.mail import Mail
from firmware.table.seat.outbox import Outbox
from firmware.table.seat.position import at_table
from game import AnyMatch, hides_dice
from game.actions import Action, Lift, Roll, ShowMaexchen, ShowTower


def note_of_cup(action: Action, contents: Contents) -> ProofNote | None:
    """What is told beside an action that lays open the dice in the cup; None for other actions."""
    if isinstance(action, Lift | ShowTower | ShowMaexchen) and contents.throw:
        return ProofNote(contents.throw, None, contents.opening)
    return None


class NoProofs:
    """Dice that nothing commits to.

    Args:
        entropy: returns that many random bytes.
    """

    proves = False
    due_us: int | None = None
    secrets = NO_SECRETS

    def __init__(self, entropy: Callable[[int], bytes]) -> None:
        self.dice = UnbiasedDice(entropy)

    def throw(self, match: AnyMatch, _ledger: Ledger) -> tuple[Roll, ProofNote | None]:
        """Throw the dice: what fell, and what is told beside it."""
        return self.dice.roll(match), None

    def note(
        self, action: Action, _match: AnyMatch, contents: Contents, _ledger: Ledger
    ) -> ProofNote | None:
        """What is told beside an action that is no throw: the proof that came with a cup."""
        return note_of_cup(action, contents)

    def contents(self, roll: Roll, _ledger: Ledger) -> Contents:
        """The cup after a covered throw that was made here."""
        return Contents(roll.dice or (), tower=roll.tower)

    def testify(self, _seat: int, _tenure: Tenure) -> Charge | None:
        """What is wrong with another seat's tenure, as far as is known here."""
        return None

    def contribute(
        self, _sender: int, _fresh: Fresh, _match: AnyMatch, _ledger: Ledger
    ) -> Charge | None:
        """Another seat asks for a contribution, and gets none. Nobody is charged."""
        return None

    def receive_share(self, sender: int, share: Share, ledger: Ledger) -> None:
        """A contribution came."""

    def cup_taken(self, taken: CupTaken) -> None:
        """The cup is here."""

    def cup_given(self, answered: OfferAnswered) -> None:
        """The cup is on its way to a seat."""

    def prepare(self, cup: Cup, match: AnyMatch, ledger: Ledger, now_us: int) -> None:
        """The log or the cup has moved."""

    def ask(self, cup: Cup, match: AnyMatch, now_us: int) -> None:
        """Time has passed."""


class FairThrows:
    """Dice that this seat has committed to before it could know them.

    Args:
        committer: what it commits to, contributes and has seen.
        mail: seals and sends; it knows the epoch.
        outbox: where writes go.
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
        """When ``ask`` has something to do, with the cup here; None while nothing is missing."""
        return self.committer.due_us

    @property
    def secrets(self) -> HopSecrets:
        """What goes into the dice with each hop of this epoch."""
        epoch = self._mail.epoch
        committer = self.committer
        return HopSecrets(partial(committer.root, epoch), partial(committer.contribution, epoch))

    def throw(self, match: AnyMatch, ledger: Ledger) -> tuple[Roll, ProofNote | None]:
        """Throw the dice: what fell, and what is told beside it."""
        note = self.committer.begin_throw(match, ledger)
        return self.dice.roll(match), note

    def note(
        self, action: Action, match: AnyMatch, contents: Contents, ledger: Ledger
    ) -> ProofNote | None:
        """What is told beside an action that is no throw: the proof of dice that it lays open."""
        if not isinstance(action, Lift) or hides_dice(match):
            return note_of_cup(action, contents)
        bound = ledger.thrown.get(self._mail.me)
        if bound is None:
            return None
        return ProofNote(bound.throw, None, self.committer.proof(bound.tenure, bound.throw))

    def contents(self, roll: Roll, ledger: Ledger) -> Contents:
        """The cup after a covered throw that was made here."""
        bound, dice = ledger.newest, roll.dice or ()
        if bound is None:
            return Contents(dice, tower=roll.tower)
        proof = self.committer.proof(bound.tenure, bound.throw)
        return Contents(dice, bound.throw, proof, roll.tower)

    def testify(self, seat: int, tenure: Tenure) -> Charge | None:
        """What is wrong with another seat's tenure, as far as is known here."""
        return self.committer.testify(seat, tenure, self._mail.epoch)

    def contribute(
        self, sender: int, fresh: Fresh, match: AnyMatch, ledger: Ledger
    ) -> Charge | None:
        """Another seat asks for a contribution. Returns what it is caught at; None if it is not."""
        if match.to_act != sender or contributor(match, sender) != self._mail.me:
            return None
        epoch = self._mail.epoch
        thrown = any(tenure.epoch == epoch for tenure, _ in ledger.tenures.values())
        share = self.committer.asked(sender, epoch, fresh, ledger, first=not thrown)
        if isinstance(share, Share):
            self._write()
            self._mail.send(sender, share)
            return None
        return share

    def receive_share(self, sender: int, share: Share, ledger: Ledger) -> None:
        """A contribution came, maybe to the tenure that lacks one."""
        self.committer.receive_share(sender, self._mail.epoch, share, ledger)
        self._write()

    def cup_taken(self, taken: CupTaken) -> None:
        """The cup is here, with its giver's contribution: a tenure begins."""
        self.committer.cup_taken(self._mail.epoch, taken.hop, taken.giver, taken.contribution)

    def cup_given(self, answered: OfferAnswered) -> None:
        """The cup is on its way to a seat that has committed to a root."""
        epoch = self._mail.epoch
        self.committer.remember_root(answered.taker, epoch, answered.hop, answered.root)

    def prepare(self, cup: Cup, match: AnyMatch, ledger: Ledger, now_us: int) -> None:
        """With the cup here, have a tenure to throw in. Write what has changed."""
        if cup.is_here and match.to_act is not None:
            self.committer.prepare(cup.epoch, cup.last, ledger, now_us)
        self._write()
        self.ask(cup, match, now_us)

    def ask(self, cup: Cup, match: AnyMatch, now_us: int) -> None:
        """With the cup here, ask for the contribution that is missing, if it is time to."""
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


def contributor(match: AnyMatch, seat: int) -> int | None:
    """The seat that contributes to the dice of ``seat``: the one before it; None without others."""
    count, there = len(match.players), at_table(match)
    before = ((seat - away) % count for away in range(1, count))
    return next((other for other in before if other in there), None)
