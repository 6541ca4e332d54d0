"""A roller who tries to choose his dice: he foresees a tenure's throws, and looks for another one.

He throws what he must where that is liked, else what another tenure would bring, if he has one and
likes it: the next one, which he asks for at once and not when his own is over (``early``), or the
one before, whose cup he has passed on (``late``).
"""

from dataclasses import replace

from firmware.table.commitment.committer import Committer
from firmware.table.commitment.fair_dice import (
    NOBODY,
    THROWS,
    ProofNote,
    UnbiasedDice,
    opening_of,
    source_of,
)
from firmware.table.protocol.messages import Fresh
from game import covers_next, dice_to_roll


def liked(roll):
    """Half of all throws, whatever number of dice: those with an even sum."""
    return sum(roll.dice) % 2 == 0


class Chooser(Committer):
    """``thrown``: for every throw that somebody contributed to, whether he likes it."""

    def __init__(self, honest, *, late=False):
        super().__init__(honest.seat, honest._match, honest.kept)
        self.late = late
        self.thrown = []
        self.chosen = 0
        self._used = {}
        self._options = {}

    def ask(self, now_us):
        fresh = super().ask(now_us)
        epoch, hop, attempt = newest = max(self._options, default=self.kept.current)
        if fresh is not None or self.late or newest > self.kept.current:
            return fresh
        attempt += 1
        return Fresh(hop, attempt, self._root((epoch, hop, attempt)))

    def receive_share(self, sender, epoch, share, ledger):
        self._options.setdefault((epoch, share.hop, share.attempt), (sender, share.contribution))
        return super().receive_share(sender, epoch, share, ledger)

    def begin_throw(self, match, ledger):
        kept = self.kept
        self._options[kept.current] = kept.contributor, kept.contribution
        told, _ = ledger.tenures.get(self.seat, (None, 0))
        oldest = kept.current if told is None else told.order
        keys = [kept.current, *sorted(key for key in self._options if key >= oldest)]
        if not self.late:
            keys = [key for key in keys if key[:2] == kept.current[:2]]
        rolls = {}
        for key in keys:
            if self._used.get(key, 0) < THROWS:
                self._take(key)
                rolls[key] = UnbiasedDice(self._foreseen()).roll(
                    dice_to_roll(match), match.rules.tower_one_in
                )
        self._take(kept.current)
        must = kept.current if kept.current in rolls else next(iter(rolls))
        key = must if liked(rolls[must]) else next((k for k in rolls if liked(rolls[k])), must)
        self.chosen += key != must
        self._take(key)
        if self.kept.contributor != NOBODY:
            self.thrown.append(liked(rolls[key]))
        self._source = self._foreseen()
        self._retry = self._retry.answered()
        throw = self._used[key] = self._used.get(key, 0) + 1
        opening = None if covers_next(match) else opening_of(self._seed(key), throw)
        tells = told is None or told.order != key
        return ProofNote(throw, self._tenure() if tells else None, opening)

    def _take(self, key):
        contributor, contribution = self._options[key]
        self.kept = replace(
            self.kept, current=key, contributor=contributor, contribution=contribution
        )

    def _foreseen(self):
        key, tenure = self.kept.current, self._tenure()
        throw = self._used.get(key, 0) + 1
        place = tenure.place(self._match, self.seat)
        return source_of(opening_of(self._seed(key), throw), tenure.contribution, throw, place)
