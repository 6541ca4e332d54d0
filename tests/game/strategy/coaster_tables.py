"""Find anew what the standings of ``maxen`` and ``chicago`` among three and more are worth.

``python -m tests.game.strategy.shipped maxen 3 4`` writes them. All players throw as ``among`` has
it. Seats other than the leader's have the same chances.
"""

from bisect import bisect
from collections import Counter
from functools import cache
from itertools import accumulate
from random import Random
from struct import Struct

from game.coaster.rules import MOST_THROWS, RANKS
from game.strategy.among import aim_of, facing
from game.strategy.coasters import Standing, at_stake, standings
from game.strategy.three_dice import TableStandings
from game.strategy.turns import HANDS, ladder, ranks
from research.strength.odds import leading

ROUNDS = 100_000
CLOSE = 1e-5


@cache
def drawn_of(game, aim, to_come: int, limit: int, mark: int) -> tuple[list[float], list[int]]:
    """Return the sums of the chances of the final ranks, and the ranks."""
    found = facing(game, aim, to_come, limit, mark)
    return [found.up_to(rank) for rank in ladder(game)], list(ladder(game))


def rounds(rules, players: int, stage: int, rng: Random) -> dict[tuple[int, int, int], float]:
    """Return the shares of rounds by places of the highest and lowest hand, and by stake."""
    game, aim, counts = rules.game, aim_of(rules, players, stage), Counter()
    finals = leading(game, aim, players - 1).finals()
    ways = [
        (chance, min(thrown, MOST_THROWS), rank)
        for thrown, chances in enumerate(finals, 1)
        for rank, chance in zip(ranks(game), chances)
        if chance
    ]
    sums = list(accumulate(chance for chance, _, _ in ways))
    stakes = {RANKS[game][hand]: at_stake(game, hand) for hand in HANDS}
    for _ in range(ROUNDS):
        _, limit, rank = ways[min(bisect(sums, rng.random() * sums[-1]), len(ways) - 1)]
        top, low, best, worst = rank, rank, 0, 0
        for place in range(1, players):
            mark = top if aim.highest else low
            chances, shown = drawn_of(game, aim, players - 1 - place, limit, mark)
            rank = shown[min(bisect(chances, rng.random()), len(shown) - 1)]
            if rank > top:
                top, best = rank, place
            if rank <= low:
                low, worst = rank, place
        counts[best, worst, stakes[top]] += 1
    return {way: count / ROUNDS for way, count in counts.items()}


def alike(shares, players: int) -> dict[tuple[bool, bool, int], float]:
    """Return the share of each pair, by whether the leader is the highest or the lowest."""
    found: dict[tuple[bool, bool, int], float] = Counter()
    for (best, worst, stake), share in shares.items():
        if best != worst:
            found[not best, not worst, stake] += share
    pairs = {(True, False): players - 1, (False, True): players - 1}
    pairs[False, False] = (players - 1) * (players - 2)
    return {way: share / pairs[way[:2]] for way, share in found.items()}


def solve(rules, players: int, known: dict[Standing, tuple[float, ...]]) -> None:
    """Add the worths of all standings of ``players`` to ``known``, which has those of fewer."""
    of = TableStandings(rules, known.__getitem__)
    rng = Random(f"{rules.game} {players}")
    chances = {stage: alike(rounds(rules, players, stage, rng), players) for stage in (1, 2)}
    places = range(players)

    def found(standing: Standing) -> tuple[float, ...]:
        worths, whole, met = [0.0] * players, 0.0, {}
        for best in places:
            for worst in places:
                if best == worst:
                    continue
                for stake in range(7):
                    share = chances[1 if standing[0] else 2].get((not best, not worst, stake))
                    if not share:
                        continue
                    whole += share
                    key = best if not standing[0] or not rules.customs.halves else 0, worst, stake
                    if key not in met:
                        met[key] = of.after(standing, best, worst, stake)
                    for place, each in enumerate(met[key]):
                        worths[place] += share * each
        first, *others = (each / whole for each in worths)
        held = standing[1][1:]
        for count in set(held):  # seats with equally many coasters have the mean
            at = [place for place, each in enumerate(held) if each == count]
            mean = sum(others[place] for place in at) / len(at)
            for place in at:
                others[place] = mean
        return (first, *others)

    every = list(standings(rules, players))
    second = [each for each in every if not each[0]]
    for pile, held in second:
        known[pile, held] = tuple(1 - each / sum(held) for each in held)
    while True:
        change = 0.0
        for standing in second:
            now = found(standing)
            change = max(change, *(abs(a - b) for a, b in zip(now, known[standing])))
            known[standing] = now
        if change < CLOSE:
            break
    for standing in every[len(second) :]:
        known[standing] = found(standing)


@cache
def solved(rules, players: int) -> dict[Standing, tuple[float, ...]]:
    """Return the worths of all standings of three to ``players``."""
    known = dict(solved(rules, players - 1)) if players > 3 else {}
    solve(rules, players, known)
    return known


def found(rules, players: int) -> bytes:
    """Return them in the format of the file."""
    row, known = Struct(f">{players}e"), solved(rules, players)
    rows = [known[standing] for standing in standings(rules, players)]
    return b"".join(row.pack(*[max(0.0, 1 - each) for each in every]) for every in rows)
