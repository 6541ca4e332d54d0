"""What the standings of a match of ``class`` among three to eight are worth, as it is shipped.

To solve such a match backwards takes 2 s among four and twenty minutes among eight on a desk. It
was done by ``python -m tests.firmware.bots.class_chances``; a test holds that it follows from the
rules.

A file tells of each standing, tallies from the opener on counted up from the last one, everybody's
chance to lose, as a float of 16 bits: so small chances are told as well as large ones. They are
rounded where they are worked out, so that all follows from them, for among three and more an
equilibrium can hang on a preference smaller than any rounding. All are 0 where it is not told.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib.resources import files
from struct import Struct
from zlib import decompress

from game import RULES, BluffRules
from game.strategy import Standing
from game.strategy.ends import Worths

RANGE = range(3, 9)
"""So many players."""
TALLIES = 4
"""Penalties of somebody who is in: 0 to 3."""


def is_told(rules: BluffRules, players: int) -> bool:
    """Tell whether there is a table: for ``class`` as it is usually played."""
    usual = RULES["class"]
    assert isinstance(usual, BluffRules), "a bluff game"
    return players in RANGE and rules == replace(usual, fewest_players=rules.fewest_players)


def told(players: int) -> Callable[[Standing], Worths | None]:
    """Return what tells the worths of a standing of so many; None where it does not.

    It does not where an opener has paid nothing and others have, which follows from no round.
    """
    table, row = _table(players), Struct(f">{players}e")

    def worths(standing: Standing) -> Worths | None:
        tallies, out = standing
        if len(tallies) != players or out:
            return None
        loses = row.unpack_from(table, row.size * place(tallies))
        return tuple([1.0 - each for each in loses]) if any(loses) else None

    return worths


def place(tallies: tuple[int, ...]) -> int:
    """Return which standing it is, from 0 on."""
    found = 0
    for tally in tallies:
        found = TALLIES * found + tally
    return found


@cache
def _table(players: int) -> bytes:
    """A megabyte for eight, some more than a fifth as much for each player less."""
    return decompress((files("firmware.bots") / "tables" / f"class-{players}.bin").read_bytes())
