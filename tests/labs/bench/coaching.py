"""Whether the coach is right about those who play: ``python -m tests.labs.bench.coaching [N]``.

It prints, over N matches each (200 unless told):

- what the coach charges players by the book who play among themselves, for the worst seat;
- how far the book is from its own worths, over as many decisions of players who err;
- whether the mean costs of bots in mixed tables order them as their losses in tournaments do.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import correlation, mean

from firmware.bots.arena import Arena, filled
from game import RULES
from game.actions import EndMatch
from game.coach import analyse
from game.record import Record
from hw_sim.players.bot_kinds import KINDS, personality_of
from tests.support.by_the_book import NAMES, by_the_book

KEPT = json.loads(Path("docs/strength.json").read_text(encoding="utf-8"))
USUAL_N = 200
MOST_CHANCE, MOST_PENALTIES, LEAST_ORDER = 0.02, 0.02, 0.9
CLASS, HOLY = RULES["class"], RULES["holy-family"]
VARIANTS = {
    "class": (CLASS, range(3, 9)),
    "class, understating": (replace(CLASS, understating="lie"), range(3, 9)),
    "class, last standing": (replace(CLASS, ends="last_standing"), range(3, 9)),
    "class, drinks": (replace(CLASS, stakes="drinks"), range(3, 9)),
    "physicist": (RULES["physicist"], range(2, 9)),
    "holy-family": (HOLY, range(2, 9)),
    "holy-family, two losers": (replace(HOLY, losers=2), range(3, 9)),
}


def mixed(game: str, kinds: list[str], rng: Random, most_rounds: int = 40) -> Record:
    """Return the record of a match of bots, by the rules alone."""
    rules = RULES[game]
    first, actions = rng.randrange(len(kinds)), []
    arena = Arena(rules, NAMES[: len(kinds)], first)
    bots = [personality_of(kind) for kind in kinds]
    while (seat := arena.match.to_act) is not None and arena.match.round <= most_rounds:
        done = filled(arena.match, bots[seat].decide(arena.sight(), rng), rng)
        actions.append(done)
        arena.act(done)
        if type(done) is EndMatch:
            break
    return Record(rules, arena.match.players, first, tuple(actions))


def alone(matches: int) -> Iterator[str]:
    """Yield what the coach charges the book a match, or a round, in every game."""
    for name, (rules, counts) in VARIANTS.items():
        for players in counts:
            cost, rounds = [0.0] * players, 0
            for seed in range(matches):
                told = analyse(by_the_book(rules, players, seed))
                rounds += 1 if told.unit == "chance" else told.decisions[-1].round
                for each in told.decisions:
                    cost[each.seat] += each.cost
            worst = max(cost) / rounds
            missed = "MISSED" * (worst > (MOST_CHANCE if told.unit == "chance" else MOST_PENALTIES))
            yield f"{name}, {players}: {worst:.5f} {told.unit} {missed}"


def precision(game: str, players: int, matches: int) -> Iterator[str]:
    """Yield how much more the best choice is worth than those of the book, and its worst charge."""
    rng, more, charged, decisions = Random(game), [0.0], 0.0, 0
    for _ in range(matches):
        told = analyse(mixed(game, rng.sample(KINDS, players), rng))
        for each in told.decisions:
            decisions += 1
            if each.cost:
                free = each.chances[each.action] + each.cost
                more.append(max(each.chances.values()) - free)
        charged = max(charged, max(more))
    more.sort()
    share = more[int(0.99 * len(more))]
    yield (
        f"{game}, {players}: {decisions} decisions, the book leaves at most {charged:.4f} "
        f"{told.unit}, 99 of 100 times below {share:.4f}"
    )


def ranked(numbers: Sequence[float]) -> list[float]:
    """Return the rank of each number; equal ones share theirs."""
    return [
        mean(rank for rank, other in enumerate(sorted(numbers)) if other == number)
        for number in numbers
    ]


def order(game: str, matches: int) -> str:
    """Return the rank correlation of mean costs with the losses of the tournament."""
    rng, costs = Random(f"order {game}"), {kind: list[float]() for kind in KINDS}
    for _ in range(matches):
        kinds = rng.sample(KINDS, 4)
        told = analyse(mixed(game, kinds, rng))
        rounds = 1 if told.unit == "chance" else told.decisions[-1].round
        for seat, kind in enumerate(kinds):
            costs[kind].append(-told.accounts[seat].skill / rounds)
    means = {kind: mean(each) for kind, each in costs.items() if each}
    lost = next(each for each in KEPT if each["game"] == game)["tournament"]
    pairs = [(means[kind], lost[kind][0]) for kind in means]
    found = correlation(*map(ranked, zip(*pairs)))
    told_of = ", ".join(
        f"{k} {means[k]:.3f} ({lost[k][0]:.3f})" for k in sorted(means, key=means.get)
    )
    return f"{game}: order {found:.2f} {'MISSED' * (found < LEAST_ORDER)} {told_of}"


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else USUAL_N
    for game in RULES:
        print(order(game, matches), flush=True)
    for game in ("class", "physicist", "holy-family"):
        for players in (3, 4):
            print(*precision(game, players, matches), flush=True)
    for line in alone(matches):
        print(line, flush=True)


if __name__ == "__main__":
    main()
