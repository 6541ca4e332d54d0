"""The gain of a best response over a match of ``maxen`` or ``chicago`` among experts.

``python -m tests.labs.bench.coaster_gain maxen 3 10`` plays ten matches, takes one round of each by
lot, and walks it to its end by what experts throw. A player who answers best gains there; times the
rounds of the match, that is the gain over it. Third throws of ``maxen`` are taken as open.
"""

import sys
from collections.abc import Iterator
from functools import cache
from math import sqrt
from random import Random
from statistics import mean, stdev

from firmware.bots.arena import filled
from firmware.bots.expert import best
from game import RULES, apply, legal_actions, new_match
from game.coaster.rules import MOST_THROWS, RANKS, CoasterHand
from game.strategy import among, three_dice
from game.strategy.turns import HANDS, CoasterTurn


def rounds_of(game: str, players: int, rng: Random) -> list:
    """Play a match of experts; return it as it stood when each round of three and more began."""
    match, found = new_match(RULES[game], tuple(f"seat {n}" for n in range(players)), 0), []
    while match.outcome is None:
        begins = match.round and match.to_act == match.leader and not match.throws
        if begins and len(match.order) > 2:
            found.append(match)
        action = best(match) or legal_actions(match)[0]
        match = apply(match, filled(match, action, rng)).match
    return found


class Walked:
    """A round of experts, walked to its end; only its highest and lowest hands so far count."""

    def __init__(self, match) -> None:
        self.match, self.seats, self.game = match, len(match.order), match.rules.game
        self.ranks = RANKS[self.game]
        self.shows = {self.ranks[hand]: hand for hand in HANDS}
        standing = match.pile, tuple(match.coasters[seat] for seat in match.order)
        told = three_dice.told(match.rules)
        self.ends = [told.ends(standing, place) for place in range(self.seats)]
        self.after = cache(self.walked)

    def gains(self) -> list[float]:
        """Return what a best response gains, by place from the leader on."""
        worths, answered = self.walked(0, 0, None, None)
        return [answer - worth for answer, worth in zip(answered, worths)]

    def walked(self, place, limit, low, high):
        """Return everybody's worth, and that of a best response; ``low`` is a rank and a place."""
        if place == self.seats:
            ends = [
                next(each.worths[high[1]][low[1]] for each in ends if high[0] <= each.top)
                for ends in self.ends
            ]
            return ends, ends
        turn = self.expert(place, limit, low, high)
        limits = [limit] if limit else range(1, MOST_THROWS + 1)
        then = {
            (each, rank): self.after(
                place + 1,
                each,
                (rank, place) if low is None or rank <= low[0] else low,
                (rank, place) if high is None or rank > high[0] else high,
            )
            for each in limits
            for rank in self.shows
        }
        ends = [[then[each, self.ranks[hand]][0][place] for hand in HANDS] for each in limits]
        response = CoasterTurn(self.game, limit or MOST_THROWS, ends if not limit else ends * limit)
        worths, answered = [0.0] * self.seats, [0.0] * self.seats
        for number, chances in enumerate(turn.finals()):
            for hand, chance in zip(HANDS, chances):
                if chance:
                    each = then[limit or min(number + 1, MOST_THROWS), self.ranks[hand]]
                    for seat in range(self.seats):
                        worths[seat] += chance * each[0][seat]
                        answered[seat] += chance * each[1][seat]
        answered[place] = response.worth
        return worths, answered

    def expert(self, place, limit, low, high):
        hands = [None] * len(self.match.players)
        for earlier in range(place):
            if earlier == high[1]:
                rank = high[0]
            elif earlier == low[1] or earlier < low[1]:
                rank = low[0]
            elif earlier > high[1]:
                rank = high[0]
            else:
                rank = next(each for each in sorted(self.shows) if each > low[0])
            hands[self.match.order[earlier]] = CoasterHand((), self.shows[rank])
        return among.turn(
            self.match.replace(
                to_act=self.match.order[place], hands=tuple(hands), limit=limit or MOST_THROWS
            ),
            self.ends[place],
        )


def gains(game: str, players: int, matches: int, seed: int) -> Iterator[float]:
    """Yield the gain over each of so many matches, as the mean of the seats."""
    rng = Random(seed)
    for _ in range(matches):
        rounds = rounds_of(game, players, rng)
        yield len(rounds) * mean(Walked(rng.choice(rounds)).gains())


def main() -> None:
    """Print the gain over each match, their mean, and its interval."""
    game, players, matches = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    found = []
    for gained in gains(game, players, matches, 1):
        found.append(gained)
        print(f"{gained:.5f}", flush=True)
    half = 1.96 * stdev(found) / sqrt(matches)
    print(f"{game}, {players}: {mean(found):.4f} ± {half:.4f} of a match")


if __name__ == "__main__":
    main()
