"""Find anew what the standings of a match are worth, and keep it.

``python -m tests.game.strategy.shipped class 3 4 5`` does so for three to five players. Six take a
minute, seven four, and eight 20. ``holy-family`` takes one minute for three players, and 20 for
four.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from struct import Struct
from zlib import compress

from game import RULES, strategy
from game.strategy import Round, Standing
from game.strategy.ends import Worths
from game.strategy.standings import SHIPPED, FromTable
from tests.game.strategy import coaster_tables

KEPT = Path(strategy.__file__).parent / "tables"


def standings(name: str, players: int) -> Iterator[Standing]:
    """Those that may follow a round, the last ones first, and that of the beginning."""
    game = SHIPPED[name]
    tallies = product(range(game.tallies), repeat=players)
    follow = [each for each in tallies if each[0] or not game.rules.credit]
    for each in sorted(follow, key=sum, reverse=True):
        yield each, 0
    if game.rules.credit:
        yield (0,) * players, 0


def as_kept(solved: Round) -> bytes:
    """Return the worths of a round in the format of the file."""
    loses = [max(0.0, 1.0 - worth) for worth in solved.worths]
    return Struct(f">{len(loses)}e").pack(*loses)


def found(name: str, players: int) -> bytes:
    """Solve a match from its last rounds on."""
    if name not in SHIPPED:
        return coaster_tables.found(RULES[name], players)
    game, known = SHIPPED[name], dict[Standing, Worths]()
    solved = FromTable(game.rules, known.get)
    row = Struct(f">{players}e")
    rows = [bytes(row.size)] * game.tallies**players
    for standing in standings(name, players):
        kept = rows[game.place(standing[0])] = as_kept(solved.round(standing))
        known[standing] = tuple(1.0 - each for each in row.unpack(kept))
    return b"".join(rows)


def main(name: str, numbers: Sequence[str]) -> None:
    """Write what follows from the rules."""
    for players in map(int, numbers):
        kept = compress(found(name, players), 9)
        (KEPT / f"{name}-{players}.bin").write_bytes(kept)
        print(players, "players:", len(kept), "bytes", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
