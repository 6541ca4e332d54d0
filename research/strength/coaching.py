"""Whether the coach is right about those who play: ``python -m research.strength.coaching``.

It prints, over 200 matches each, or as many as ``--matches`` says:

- ``precision``: the most that the coach charges a choice that the book makes as a rule, whoever
  played before;
- ``alone``: what it charges experts who play among themselves: the mean of the seats, and the
  place from the first opener that it charges most. ``--only`` names the variants.
"""

import argparse
from collections.abc import Iterable, Iterator
from random import Random

from game import RULES, AnyRules, rule_set
from game.coach import analyse
from game.coach.judged import FREE
from game.record import Record
from hw_sim.players.bot_kinds import KINDS, BotKind, personality_of
from hw_sim.story.reasons import OFTEN
from research.strength.measure import estimate, turns

USUAL_N, MOST_ROUNDS = 200, 40
"""The usual number of matches, and the most rounds of one; chosen."""
MOST = 0.005
"""The most that experts may be charged at the worst place, in matches or penalties; chosen."""
VARIANTS: dict[str, AnyRules] = {
    **RULES,
    "class, understating": rule_set("class", {"understating": "lie"}),
    "class, last standing": rule_set("class", {"ends": "last_standing"}),
    "class, last standing, understating": rule_set(
        "class", {"ends": "last_standing", "understating": "lie"}
    ),
    "class, drinks": rule_set("class", {"stakes": "drinks"}),
    "class, drinks, understating": rule_set("class", {"stakes": "drinks", "understating": "lie"}),
    "holy-family, two losers": rule_set("holy-family", {"losers": 2}),
    "holy-family, one point": rule_set("holy-family", {"points": 1}),
    "holy-family, many towers": rule_set("holy-family", {"tower_one_in": 3}),
    "chicago, levelling": rule_set("chicago", {"levelling": True}),
    "sevens, seven dice": rule_set("sevens", {"seven_dice": True}),
}


def mixed(rules: AnyRules, kinds: list[BotKind], rng: Random) -> Record:
    """Return the record of a match of bots, without what comes after `MOST_ROUNDS`."""
    bots, first = [personality_of(kind) for kind in kinds], rng.randrange(len(kinds))
    played = list(turns(rules, bots, rng, first, MOST_ROUNDS))
    return Record(rules, played[0][0].players, first, tuple(done for _, done, _ in played))


def alone(matches: int, names: Iterable[str]) -> Iterator[str]:
    """Yield what the coach charges experts a match, or a round, in every game and variant."""
    for name in names:
        rules = VARIANTS[name]
        fewest = max(rules.fewest_players, 1 + getattr(rules, "losers", 0))
        for players in range(fewest, rules.most_players + 1):
            rng, cost, rounds = Random(f"{name} {players}"), [0.0] * players, 0
            means = list[float]()
            for _ in range(max(2, matches)):
                told = analyse(record := mixed(rules, ["expert"] * players, rng))
                rounds += 1 if told.unit == "chance" else told.decisions[-1].round
                means.append(sum(each.cost for each in told.decisions) / players)
                for each in told.decisions:
                    cost[(each.seat - record.first) % players] += each.cost
            mean, half = (one * len(means) / rounds for one in estimate(means))
            worst = max(cost) / rounds
            seat = f"{mean:.5f} ± {half:.5f} a seat, {worst:.5f} at the worst place"
            of = f"{rounds} {'matches' if told.unit == 'chance' else 'rounds, a round'}"
            yield f"{name}, {players}: {seat}; {told.unit}, {of}{' MISSED' * (worst > MOST)}"


def precision(game: str, players: int, matches: int) -> Iterator[str]:
    """Yield the most that a choice is charged that the book makes in more than half of cases."""
    rng, charged, decisions = Random(game), [0.0], 0
    for _ in range(matches):
        told = analyse(mixed(RULES[game], rng.sample(KINDS, players), rng))
        decisions += len(told.decisions)
        charged += [each.cost for each in told.decisions if each.share > OFTEN]
    charged.sort()
    most, share = charged[-1], charged[int(0.99 * len(charged))]
    yield (
        f"{game}, {players}: {decisions} decisions, {len(charged)} by the book, charged at most "
        f"{most:.4f} {told.unit}, 99 of 100 times below {share:.4f} "
        f"{'MISSED' * (most > told.model.precision + FREE)}"
    )


def main() -> None:
    """Print the parts that the command line names, or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", nargs="*", default=("precision", "alone"))
    parser.add_argument("--matches", type=int, default=USUAL_N, metavar="N")
    parser.add_argument("--only", action="append", choices=VARIANTS, metavar="NAME")
    args = parser.parse_args()
    if "precision" in args.part:
        for game in ("class", "physicist", "holy-family"):
            for players in range(RULES[game].fewest_players, 5):
                print(*precision(game, players, args.matches), flush=True)
    if "alone" in args.part:
        for line in alone(args.matches, args.only or VARIANTS):
            print(line, flush=True)


if __name__ == "__main__":
    main()
