"""The gain of a best response over a match of ``maxen`` or ``chicago`` among experts.

``python -m research.strength.coaster_gain maxen 3 240`` plays matches for 240 seconds of one core.
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
from typing import NamedTuple, cast

from firmware.bots.arena import filled
from firmware.bots.expert import best
from game import RULES, CoasterMatch, apply, legal_actions, new_match
from game.coaster.rules import MOST_THROWS, RANKS, CoasterHand, CoasterRules
from game.strategy import among, three_dice
from game.strategy.turns import HANDS, CoasterTurn
from research.strength.measure import estimate

LEAST = 5e-4
"""Hands of experts that have a smaller chance are left out; chosen."""
DRAWN = 8
"""The number of earlier hands, drawn by lot, that a player answers; chosen."""


def rounds_of(game: str, players: int, rng: Random) -> list[CoasterMatch]:
    """Play a match of experts; return it as it stood when each round of three and more began."""
    names, found = tuple(f"seat {n}" for n in range(players)), list[CoasterMatch]()
    match = new_match(cast(CoasterRules, RULES[game]), names, 0)
    while match.outcome is None:
        begins = match.round and match.to_act == match.leader and not match.throws
        if begins and len(match.order) > 2:
            found.append(match)
        action = best(match) or legal_actions(match)[0]
        match = apply(match, filled(match, action, rng)).match
    return found


class Before(NamedTuple):
    """The throws before a player in a round: only the lowest and the highest hand count.

    Attributes:
        limit: the number of throws that the leader took; None for the leader.
        low: the rank and the place of the lowest hand.
        high: those of the highest hand.
    """

    limit: int | None = None
    low: tuple[int, int] | None = None
    high: tuple[int, int] | None = None

    def then(self, limit: int, rank: int, place: int) -> "Before":
        """Return it with one more hand; the later of two equal ones is the lower."""
        here = rank, place
        is_low = self.low is None or rank <= self.low[0]
        is_high = self.high is None or rank > self.high[0]
        return Before(limit, here if is_low else self.low, here if is_high else self.high)


class WalkedCoasters:
    """A round of experts, walked to its end."""

    def __init__(self, match: CoasterMatch, rng: Random) -> None:
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
        found, reached = list[float](), {Before(): 1.0}
        for place in range(self.seats):
            then = dict[Before, float]()
            drawn = self.rng.choices(list(reached), list(reached.values()), k=DRAWN)
            found.append(mean(self.gained(place, each) for each in drawn[: DRAWN if place else 1]))
            for before, chance in reached.items() if place < self.seats - 1 else ():
                for after, share in self.thrown(place, before):
                    then[after] = then.get(after, 0.0) + chance * share
            reached = then
        return found

    def gained(self, place: int, before: Before) -> float:
        """Return what a player who throws now gains by answering best, among experts."""
        best, ends = self.response(place, before)
        experts: float = sum(
            chance * worth
            for number, chances in enumerate(self.expert(place, before).finals())
            for chance, worth in zip(chances, ends[min(number, len(ends) - 1)])
        )
        return float(best.worth) - experts

    def response(self, place: int, before: Before) -> tuple[CoasterTurn, list[list[float]]]:
        """Return the best turn of a player who throws now, and the worths of its ends."""
        ends, limit = [], before.limit
        for each in [limit] if limit else range(1, MOST_THROWS + 1):
            then = {
                rank: self.worths(place + 1, before.then(each, rank, place))[place]
                for rank in self.shows
            }
            ends.append([then[self.ranks[hand]] for hand in HANDS])
        ends *= limit or 1
        return CoasterTurn(self.game, limit or MOST_THROWS, ends), ends

    def _worths(self, place: int, before: Before) -> list[float]:
        """Return everybody's worth among experts."""
        if place == self.seats:
            low, high = before.low, before.high
            assert low is not None, "somebody has thrown"
            assert high is not None, "somebody has thrown"
            return [
                next(each.worths[high[1]][low[1]] for each in ends if high[0] <= each.top)
                for ends in self.ends
            ]
        found = [0.0] * self.seats
        for after, chance in self.thrown(place, before):
            for seat, worth in enumerate(self.worths(place + 1, after)):
                found[seat] += chance * worth
        return found

    def _thrown(self, place: int, before: Before) -> list[tuple[Before, float]]:
        """Return what follows the throws of an expert, with its chances."""
        each = dict[tuple[int, int], float]()
        is_last = place == self.seats - 1  # who is sure of the other hands answers best anyway
        turn = self.response(place, before)[0] if is_last else self.expert(place, before)
        for number, chances in enumerate(turn.finals()):
            limit = before.limit or min(number + 1, MOST_THROWS)
            for hand, chance in zip(HANDS, chances):
                key = limit, self.ranks[hand]
                each[key] = each.get(key, 0.0) + chance
        likely = {key: chance for key, chance in each.items() if chance >= LEAST}
        whole = sum(likely.values())
        return [(before.then(*key, place), chance / whole) for key, chance in likely.items()]

    def expert(self, place: int, before: Before) -> CoasterTurn:
        """Return the turn of an expert at a place."""
        hands: list[CoasterHand | None] = [None] * len(self.match.players)
        low, high = before.low, before.high
        for earlier in range(place):
            assert low is not None, "somebody has thrown"
            assert high is not None, "somebody has thrown"
            if earlier <= low[1] and earlier != high[1]:
                rank = low[0]
            elif earlier >= high[1]:
                rank = high[0]
            else:
                rank = next(each for each in sorted(self.shows) if each > low[0])
            hands[self.match.order[earlier]] = CoasterHand((), self.shows[rank])
        to_act, limit = self.match.order[place], before.limit or MOST_THROWS
        match = self.match.replace(to_act=to_act, hands=tuple(hands), limit=limit)
        return among.turn(match, self.ends[place])


def gains(game: str, players: int, seed: int) -> Iterator[float]:
    """Yield the gain over one match after another, as the mean of the seats."""
    rng = Random(seed)
    while True:
        rounds = rounds_of(game, players, rng)
        yield len(rounds) * mean(WalkedCoasters(rng.choice(rounds), rng).gains())


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
