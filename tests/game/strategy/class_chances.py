"""Find anew what the standings of a match of ``class`` are worth, and keep it.

``python -m tests.game.strategy.class_chances 3 4 5`` does so for three to five players. Six take a
minute, seven four, and eight 20.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from struct import Struct
from zlib import compress

from game import RULES
from game.strategy import FromTable, Round, Standing, class_chances
from game.strategy.class_chances import TALLIES, place
from game.strategy.ends import Worths

KEPT = Path(class_chances.__file__).parent / "tables"


def standings(players: int) -> Iterator[Standing]:
    """Those that may follow a round, the last ones first, and that of the beginning."""
    tallies = [each for each in product(range(TALLIES), repeat=players) if each[0]]
    for each in sorted(tallies, key=sum, reverse=True):
        yield each, 0
    yield (0,) * players, 0


def as_kept(solved: Round) -> bytes:
    """Return the worths of a round in the format of the file."""
    loses = [max(0.0, 1.0 - worth) for worth in solved.worths]
    return Struct(f">{len(loses)}e").pack(*loses)


def found(players: int) -> bytes:
    """Solve a match from its last rounds on."""
    known: dict[Standing, Worths] = {}
    solved = FromTable(RULES["class"], known.get)
    row = Struct(f">{players}e")
    rows = [bytes(row.size)] * TALLIES**players
    for standing in standings(players):
        kept = rows[place(standing[0])] = as_kept(solved.round(standing))
        known[standing] = tuple(1.0 - each for each in row.unpack(kept))
    return b"".join(rows)


def main(numbers: Sequence[str]) -> None:
    """Write what follows from the rules."""
    for players in map(int, numbers):
        kept = compress(found(players), 9)
        (KEPT / f"class-{players}.bin").write_bytes(kept)
        print(players, "players:", len(kept), "bytes", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
