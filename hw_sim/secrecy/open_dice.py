"""Which dice lie before everybody, by the public log of one seat."""

from firmware.table.log.entries import decode_entries
from firmware.table.log.public_log import PublicLog
from game import AnyMatch, apply, hides_dice, new_match, public
from game.bluff.values import MAEXCHEN
from game.dice import Dice
from game.events import Event, Lifted, MaexchenShown, Revealed, Rolled, Threw, TowerShown
from game.record import read

_MAEXCHEN_DICE: Dice = (MAEXCHEN // 10, MAEXCHEN % 10)


class OpenDice:
    """Follows a log, of which it applies only what is public.

    Args:
        log: the log of the seat, as it grows.
        stays_us: how much longer dice may be seen once they are covered again, in µs.
    """

    def __init__(self, log: PublicLog, stays_us: int) -> None:
        header = read(log.header.decode())
        self.match: AnyMatch = new_match(header.rules, header.players, header.first)
        """The match as everybody may know it."""
        self._log = log
        self._stays_us = stays_us
        self._heard = 0
        self._lying: Dice = ()
        self._covered: list[tuple[Dice, int]] = []

    def at(self, t_us: int) -> tuple[Dice, ...]:
        """The throws that may be seen at a time in µs: an open one, those covered just before."""
        covered = tuple(dice for dice, until_us in self._covered if t_us <= until_us)
        return (self._lying, *covered) if self._lying else covered

    def update(self, t_us: int) -> None:
        """Apply what was added to the log since the last call, as of ``t_us`` (µs)."""
        if self._log.index == self._heard:
            return
        for entered in decode_entries(b"".join(self._log.since(self._heard))):
            before = self.match
            step = apply(before, public(entered, before))
            self.match = step.match
            for event in step.events:
                self._apply(event, before, t_us)
        self._heard = self._log.index

    def _apply(self, event: Event, before: AnyMatch, t_us: int) -> None:
        match event:
            case Rolled() if hides_dice(before):  # elsewhere a covered throw hides no others
                self._lay_open((), t_us)
            case Threw(_, dice) | Lifted(_, dice):
                self._lay_open(before.aside + dice, t_us)
            case Revealed(_, dice) | TowerShown(_, dice):
                self._lay_open(dice, t_us)
            case MaexchenShown():
                self._lay_open(_MAEXCHEN_DICE, t_us)
            case _:
                pass

    def _lay_open(self, dice: Dice, t_us: int) -> None:
        self._covered = [(old, until_us) for old, until_us in self._covered if until_us >= t_us]
        if self._lying:
            self._covered.append((self._lying, t_us + self._stays_us))
        self._lying = dice
