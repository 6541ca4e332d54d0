"""The shipped worths of the standings of matches of ``class`` and ``holy-family``.

Solving a match of ``class`` backwards takes 2 s among four and twenty minutes among eight on a desk
computer, ``holy-family`` one minute among three and 15 among four. ``python -m
tests.game.strategy.shipped`` did it; a test checks it against the rules.

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
from typing import TYPE_CHECKING, NamedTuple
from zlib import decompress

from game.bluff.rules import BLUFF_GAMES, BluffRules
from game.strategy.ends import Worths
from game.strategy.standings import Standing

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


class ShippedGame(NamedTuple):
    """The shipped tables of a game.

    Attributes:
        rules: of the matches that were solved.
        tallies: the number of possible tallies of a player who is in, from 0.
        players: the numbers of players that have a table.
    """

    rules: BluffRules
    tallies: int
    players: range

    def place(self, tallies: tuple[int, ...]) -> int:
        """Return the index of a standing, from 0."""
        found = 0
        for tally in tallies:
            found = self.tallies * found + tally
        return found


_USUAL = {rules.game: rules for rules in BLUFF_GAMES}
SHIPPED = {
    "class": ShippedGame(_USUAL["class"], 4, range(3, 9)),
    "holy-family": ShippedGame(_USUAL["holy-family"], 10, range(3, 5)),
}
"""By game."""


def is_told(rules: BluffRules, players: int) -> bool:
    """Return whether there is a table for so many who are in, with the usual options.

    A match for fewer points, or that two players lose, ends in such a match. Towers of another
    chance change little.
    """
    game = SHIPPED.get(rules.game)
    if game is None or players not in game.players or not is_here(rules.game, players):
        return False
    usual = replace(game.rules, fewest_players=rules.fewest_players)
    if rules.points:
        usual = replace(
            usual, points=rules.points, losers=rules.losers, tower_one_in=rules.tower_one_in
        )
    return rules == usual and rules.points <= game.rules.points


def told(rules: BluffRules, players: int) -> Callable[[Standing], Worths | None]:
    """Return the function from a standing of ``players`` to its worths, or to None if it has none.

    In ``class`` a standing has none if its opener has paid nothing and others have: that follows
    from no round. Before the last loser of ``holy-family`` only the last match is solved.
    """
    game = SHIPPED[rules.game]
    kept, row = table(rules.game, players), Struct(f">{players}e")
    spared, out_before = game.rules.points - rules.points, rules.losers - 1 if rules.points else 0

    def worths(standing: Standing) -> Worths | None:
        tallies, out = standing
        if len(tallies) != players or out != out_before:
            return None
        spent = tuple([tally + spared for tally in tallies]) if spared else tallies
        loses = row.unpack_from(kept, row.size * game.place(spent))
        return tuple([1.0 - each for each in loses]) if any(loses) else None

    return worths


@cache
def is_here(game: str, players: int) -> bool:
    """Return whether the package has a game's table; the one of a page lacks the large ones."""
    return _file(game, players).is_file()


@cache
def table(game: str, players: int) -> bytes:
    """Return the content of a file: at most 1 MB, of ``class`` among eight."""
    return decompress(_file(game, players).read_bytes())


def _file(game: str, players: int) -> "Traversable":
    from importlib.resources import files  # many modules, for a reader that few need

    return files("game.strategy") / "tables" / f"{game}-{players}.bin"
