"""Covered throws of a match that nobody has shown, and their openings after it.

A roller announces at most one throw of a tenure, its last one, since the next seat acts then. Its
opening lacks the rising chain of the earlier throws, so it reveals no other throw.
"""

from typing import NamedTuple

from firmware.table.commitment.dice_commitment import DiceCommitment
from firmware.table.commitment.ledger import Ledger
from firmware.table.commitment.verify import opened
from firmware.table.log.chain import begun, short
from firmware.table.log.entries import read_entries
from firmware.table.log.public_log import PublicLog
from game import dice_to_roll, hides_dice, new_match, public
from game.actions import Announce, Lift, Roll, Say, ShowMaexchen, ShowTower
from game.bluff.position import is_lie
from game.bluff.values import value_of
from game.record import read


class CoveredThrow(NamedTuple):
    """A throw that nobody has shown.

    Attributes:
        place: the index of its entry in the log.
        tenure: the tenure that it was made in.
        throw: its number there, 1 to 8.
        announced: the values that its roller announced for it, in order; one or more.
    """

    place: int
    tenure: DiceCommitment
    throw: int
    announced: tuple[int, ...]


class CoveredThrows(NamedTuple):
    """The covered throws of ``seat`` in the match with this header, in their order."""

    header: bytes
    seat: int
    throws: tuple[CoveredThrow, ...]

    @classmethod
    def of(cls, log: PublicLog, seat: int) -> "CoveredThrows":
        """Return those of a log that have a commitment; its signatures are not checked again."""
        found: dict[int, CoveredThrow] = {}
        newest: CoveredThrow | None = None
        ledger = Ledger(short(begun(log.header)))
        entries = read_entries(b"".join(log.since(0)))
        for place, (entry, (match, step)) in enumerate(zip(entries, log.steps(), strict=True)):
            action, after = public(entry.action, match), step.match
            ledger = ledger.after(match, action, entry.proof, trusted=True)
            match action:
                case Roll():
                    bound = ledger.newest
                    newest = None
                    if bound is not None and bound.seat == seat:
                        newest = CoveredThrow(place, bound.tenure, bound.throw, ())
                case Announce() | Say() if newest is not None and hides_dice(after):
                    if after.announcer == seat and after.announced is not None:
                        announced = (*newest.announced, after.announced)
                        newest = found[newest.place] = newest._replace(announced=announced)
                case Lift() | ShowTower() | ShowMaexchen() if newest is not None:
                    found.pop(newest.place, None)
                case _:
                    pass
        return cls(log.header, seat, tuple(found.values()))

    def lies(self, thrown: CoveredThrow, opening: bytes) -> int | None:
        """Return how many announcements of a throw its opening proves to be lies.

        None: it does not open that throw.
        """
        record, tenure = read(self.header.decode()), thrown.tenure
        match = new_match(record.rules, record.players, record.first)
        assert hides_dice(match), "a value is announced for covered dice"
        fell = opened(
            tenure.root,
            tenure.contribution,
            thrown.throw,
            tenure.place(short(begun(self.header)), self.seat),
            opening,
            dice_to_roll(match),
            match.rules.tower_one_in,
        )
        if not isinstance(fell, Roll) or fell.dice is None:
            return None
        rolled = value_of(fell.dice)
        return sum(is_lie(match.rules, each, rolled) for each in thrown.announced)
