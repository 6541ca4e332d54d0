"""The shipped worths of the standings of a match of ``class`` among three to eight.

Solving such a match backwards takes 2 s among four and twenty minutes among eight on a desk
computer. ``python -m tests.game.strategy.class_chances`` did it; a test checks it against the
rules.

A file has everybody's chance to lose for each standing. Its order is that of the tallies from the
opener on, counted up from the last one. 16-bit floats keep small chances as exact as large ones.
All chances of an unsolved standing are 0.

The solver rounds each worth when it finds it, so that all later ones follow from the rounded ones.
Among three and more an equilibrium can hang on a preference smaller than any rounding.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from struct import Struct
from zlib import decompress

from game.bluff.rules import BLUFF_GAMES, BluffRules
from game.strategy.ends import Worths
from game.strategy.standings import Standing

_CLASS = next(rules for rules in BLUFF_GAMES if rules.stakes == "matches")
RANGE = range(3, 9)
"""The numbers of players that have a table."""
TALLIES = 4
"""The number of possible tallies of a player who is in: 0 to 3 penalties."""


def is_told(rules: BluffRules, players: int) -> bool:
    """Return whether there is a table: for ``class`` with its usual options."""
    usual = replace(_CLASS, fewest_players=rules.fewest_players)
    return players in RANGE and rules == usual


def told(players: int) -> Callable[[Standing], Worths | None]:
    """Return the function from a standing of ``players`` to its worths, or to None if it has none.

    A standing has none if its opener has paid nothing and others have: that follows from no round.
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
    """Return the index of a standing, from 0."""
    found = 0
    for tally in tallies:
        found = TALLIES * found + tally
    return found


@cache
def _table(players: int) -> bytes:
    """Return the table: 1 MB for eight players, about a fifth of that for each player fewer."""
    from importlib.resources import files  # many modules, for a reader that few need

    return decompress((files("game.strategy") / "tables" / f"class-{players}.bin").read_bytes())
