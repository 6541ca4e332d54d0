"""Tells the truth where it can, and doubts what less than one roll in four is worth."""

from game.actions import Announce, Believe, Doubt, Look
from game.bluff.rules import RANKING, is_pair, value_of


class Careful:
    def decide(self, sight, rng):
        options = sight.options
        values = [option for option in options if isinstance(option, Announce)]
        if Believe() in options:
            better = RANKING[RANKING.index(sight.match.announced) :]
            chance = sum(1 if is_pair(value) else 2 for value in better) / 36
            return Doubt() if chance < 0.25 else Believe()
        if sight.seen and values:
            truth = Announce(value_of(sight.seen))
            return truth if truth in values else rng.choice(values[:3])
        return Look() if Look() in options else options[0]
