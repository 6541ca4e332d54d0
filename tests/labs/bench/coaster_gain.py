"""The gain of a best response over a match of ``maxen`` or ``chicago`` among experts.

``python -m tests.labs.bench.coaster_gain maxen 3 240`` plays matches for 240 seconds of one core.
It takes one round of each by lot, and walks it to its end by what experts throw. A player who
answers best gains there; times the rounds of the match, that is the gain over it. Third throws of
``maxen`` are taken as open.
"""

import sys
from collections.abc import Iterator
from functools import cache
from random import Random
from statistics import mean
from time import process_time

from firmware.bots.arena import filled
from firmware.bots.expert import best
from game import RULES, apply, legal_actions, new_match
from game.coaster.rules import MOST_THROWS, RANKS, CoasterHand
from game.strategy import among, three_dice
from game.strategy.turns import HANDS, CoasterTurn
from research.strength.measure import estimate

LEAST = 5e-4
"""Hands of experts that are less likely than this are left out."""
DRAWN = 8
"""The number of earlier hands, drawn by lot, that a player answers."""


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
    """A round of experts, walked to its end; only its highest and lowest hands so far count.

    ``low`` and ``high`` are a rank and a place, None before the first hand.
    """

    def __init__(self, match, rng: Random) -> None:
        self.rng = rng
        self.match, self.seats, self.game = match, len(match.order), match.rules.game
        self.ranks = RANKS[self.game]
        self.shows = {self.ranks[hand]: hand for hand in HANDS}
        standing = match.pile, tuple(match.coasters[seat] for seat in match.order)
        told = three_dice.told(match.rules)
        self.ends = [told.ends(standing, place) for place in range(self.seats)]
        self.worths, self.thrown = cache(self._worths), cache(self._thrown)

    def gains(self) -> list[float]:
        """Return what a best response gains, by place from the leader on."""
        found, reached = [], {(None, None, None): 1.0}
        for place in range(self.seats):
            then = dict[tuple, float]()
            drawn = self.rng.choices(list(reached), list(reached.values()), k=DRAWN)
            found.append(
                mean(self.gained(place, *state) for state in (drawn if place else drawn[:1]))
            )
            for state, chance in reached.items() if place < self.seats - 1 else ():
                for limit, rank, each in self.thrown(place, *state):
                    after = limit, *self.after(place, rank, *state[1:])
                    then[after] = then.get(after, 0.0) + chance * each
            reached = then
        return found

    def gained(self, place, limit, low, high) -> float:
        """Return what a player who throws now gains by answering best, among experts."""
        best, ends = self.response(place, limit, low, high)
        finals = self.expert(place, limit, low, high).finals()
        experts = sum(
            chance * worth
            for number, chances in enumerate(finals)
            for chance, worth in zip(chances, ends[min(number, len(ends) - 1)])
        )
        return best.worth - experts

    def response(self, place, limit, low, high) -> tuple[CoasterTurn, list[list[float]]]:
        """Return the best turn of a player who throws now, and the worths of its ends."""
        ends = []
        for each in [limit] if limit else range(1, MOST_THROWS + 1):
            then = {
                rank: self.worths(place + 1, each, *self.after(place, rank, low, high))[place]
                for rank in self.shows
            }
            ends.append([then[self.ranks[hand]] for hand in HANDS])
        ends *= limit or 1
        return CoasterTurn(self.game, limit or MOST_THROWS, ends), ends

    def _worths(self, place, limit, low, high) -> list[float]:
        """Return everybody's worth among experts."""
        if place == self.seats:
            return [
                next(each.worths[high[1]][low[1]] for each in ends if high[0] <= each.top)
                for ends in self.ends
            ]
        found = [0.0] * self.seats
        for now, rank, chance in self.thrown(place, limit, low, high):
            then = self.worths(place + 1, now, *self.after(place, rank, low, high))
            for seat, worth in enumerate(then):
                found[seat] += chance * worth
        return found

    def _thrown(self, place, limit, low, high) -> list[tuple[int, int, float]]:
        """Return what an expert throws: the limit then, the rank, and its chance."""
        each = dict[tuple[int, int], float]()
        is_last = place == self.seats - 1  # who is sure of the other hands answers best anyway
        state = place, limit, low, high
        turn = self.response(*state)[0] if is_last else self.expert(*state)
        for number, chances in enumerate(turn.finals()):
            now = limit or min(number + 1, MOST_THROWS)
            for hand, chance in zip(HANDS, chances):
                key = now, self.ranks[hand]
                each[key] = each.get(key, 0.0) + chance
        likely = {key: chance for key, chance in each.items() if chance >= LEAST}
        whole = sum(likely.values())
        return [(*key, chance / whole) for key, chance in likely.items()]

    @staticmethod
    def after(place, rank, low, high):
        """Return the lowest and the highest hand; the later of two equal ones is the lower."""
        here = rank, place
        is_low, is_high = low is None or rank <= low[0], high is None or rank > high[0]
        return here if is_low else low, here if is_high else high

    def expert(self, place, limit, low, high):
        hands = [None] * len(self.match.players)
        for earlier in range(place):
            if earlier <= low[1] and earlier != high[1]:
                rank = low[0]
            elif earlier >= high[1]:
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


def gains(game: str, players: int, seed: int) -> Iterator[float]:
    """Yield the gain over one match after another, as the mean of the seats."""
    rng = Random(seed)
    while True:
        rounds = rounds_of(game, players, rng)
        yield len(rounds) * mean(Walked(rng.choice(rounds), rng).gains())


def main() -> None:
    """Print the gain over each match, their mean, and its interval of 95 %."""
    game, players, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    found, until_s = [], process_time() + seconds
    for gained in gains(game, players, 1):
        found.append(gained)
        print(f"{gained:.5f}", flush=True)
        if len(found) > 1 and process_time() > until_s:
            break
    gained, half = estimate(found)
    print(f"{game}, {players}: {gained:.4f} ± {half:.4f} of a match, {len(found)} matches")


if __name__ == "__main__":
    main()
