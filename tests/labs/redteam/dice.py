"""Rollers who look for another throw where they foresee one that they do not like.

Every seat of a table is one; as witnesses they are honest. They like throws of even sum, exactly
half of all. Those who ask early have nothing to choose from. Those who go on in a tenure of before
are caught at it: every time they choose, the match is over.
"""

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from random import Random

from firmware.effects import Tick
from firmware.play.handheld import Handheld
from firmware.table.commitment.fair_dice import (
    NOBODY,
    THROWS,
    ProofNote,
    UnbiasedDice,
    opening_of,
    source_of,
)
from firmware.table.commitment.ledger import Committer
from firmware.table.protocol.messages import Fresh
from firmware.table.seat import turn
from firmware.table.seat.cup_custody import Position
from game import RULES, covers_next, dice_to_roll
from game.actions import Action, EndMatch, Roll
from tests.labs.redteam import numbers
from tests.support.core_table import SHORT, CoreTable, UndoneError


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


DECISIONS = 60
"""Of one match at most: long matches of `maxen` would take it all."""
LONGER = {
    "class": {"stakes": "drinks"},
    "holy-family": {"points": 10, "tower_one_in": 6},
    "chicago": {},
    "sevens": {},
    "maxen": {},
}


def play(game: str, seed: int, *, late: bool) -> tuple[list[bool], int, bool]:
    """One match: whether each throw was liked, the choices made, and whether one was caught."""
    table = CoreTable(3, game=game, seed=seed, **LONGER.get(game, SHORT[game]))
    for place in table.places:
        choose_at(place.handheld, late=late)
    rng = Random(f"{game} {seed}")

    def pick(choices: list[Action]) -> Action:
        if Roll() in choices and rng.random() < 0.6:
            return Roll()
        return rng.choice([each for each in choices if not isinstance(each, EndMatch)])

    for _ in range(DECISIONS):
        if table.over or any(place.position is Position.STOPPED for place in table.places):
            break
        with suppress(UndoneError):
            table.walk(rng, most=1, pick=pick)
        for place in table.places:  # all hear of an open throw at once, and who asks does it now
            turn.show(place.own_seat, table.now_us)
            table.do(place.seat, Tick())
            table.do(place.seat, Tick())
    choosers = [place.own_seat.fair.committer for place in table.places]
    caught = any(place.position is Position.STOPPED for place in table.places)
    table.close()
    thrown = [good for chooser in choosers for good in chooser.thrown]
    return thrown, sum(chooser.chosen for chooser in choosers), caught


def choose_at(handheld: Handheld, *, late: bool) -> None:
    """Put a chooser into the place of a handheld's own, honest part in fair dice."""
    fair = handheld.own_seat.fair
    committer: Committer = Chooser(fair.committer, late=late)
    fair.committer = committer
    fair.dice.entropy = committer.draw


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Throw in every game, early and late."""
    figures: Counter[str] = Counter()
    for number in numbers(seconds):
        for game in RULES:
            thrown, chosen, caught = play(game, seed * 100_000 + number, late=False)
            assert not caught, f"{game}, match {number}: who only asks is accused"
            assert not chosen, f"{game}, match {number}: who asks early has {chosen} choices"
            figures[f"{game}: throws"] += len(thrown)
        game = tuple(RULES)[number % len(RULES)]
        _, chosen, caught = play(game, seed * 100_000 + number, late=True)
        assert caught or not chosen, f"{game}, match {number}: {chosen} choices, nobody caught"
        figures["matches in which a tenure of before was chosen"] += chosen > 0
        figures["of these caught"] += caught
    return dict(figures)
