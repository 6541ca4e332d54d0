"""Solve the coaster games of two anew, half a minute long, and write their chances.

``python -m tests.game.strategy.two_players``
"""

import json
from dataclasses import replace
from pathlib import Path

from game import RULES
from game.coach.reference import reference
from game.strategy.coasters import CoasterStandings, standings
from game.strategy.ends import results

ROW = 6
MORE = range(3, 10)
PLAYED = (RULES["maxen"], RULES["chicago"], replace(RULES["chicago"], levelling=True))
KEPT = Path(__file__).parents[3] / "game" / "strategy" / "two_players.json"


def payers(seats: int) -> list[list[float]]:
    """Return by place after the opener the chances to pay 1 and 2 in a round for penalties."""
    shares = [[0.0, 0.0] for _ in range(seats)]
    for end, chance in reference(RULES["holy-family"], seats).opening.items():
        ((place, cost),) = end.paid
        shares[place][cost - 1] += chance
    return shares


def main() -> None:
    """Write the results of the rules."""
    games = []
    for rules in PLAYED:
        solved = CoasterStandings(rules, {})
        chances = [f"{solved.chance(standing):.13f}" for standing in standings(rules, 2)]
        rows = [", ".join(chances[begin : begin + ROW]) for begin in range(0, len(chances), ROW)]
        head = {"game": rules.game, "coasters": rules.coasters, "levelling": rules.levelling}
        games.append(f'{json.dumps(head)[:-1]}, "chances": [\n   ' + ",\n   ".join(rows) + "\n  ]}")
    points = [", ".join(f"{chance:.15f}" for chance in row) for row in results()["points"]]
    paid = {seats: [[round(each, 5) for each in row] for row in payers(seats)] for seats in MORE}
    parts = '{\n "coasters": [\n  ', ",\n  ".join(games), '\n ],\n "points": [\n  ['
    told = "".join(parts) + "],\n  [".join(points) + "]\n ],\n"
    told += f' "payers": {json.dumps(paid)}\n}}\n'
    KEPT.write_text(told, encoding="utf-8")


if __name__ == "__main__":
    main()
