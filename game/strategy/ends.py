"""The worth of a round's end to every seat at the table; the numbers that are shipped.

A file of ``tables`` has everybody's chance to lose for each standing. In a bluff game its order is
that of the tallies from the opener on, counted up from the last one; for open dice it is that of
``coasters.standings``. 16-bit floats keep small chances as exact as large ones. All chances of an
unsolved standing are 0. ``two_players.json`` is the file of matches between two:

``coasters`` has for each coaster game the leader's chance not to lose in each of
``coasters.standings``, in that order. ``points`` has the opener's chance to win ``holy-family``, by
the points, 1 to 10, that the opener and then the other player may still take, with a tower in 200
rolls (R-HF-4, R-HF-8). ``payers`` has by the number of players, 3 to 8, and by place after the
opener the chances to pay 1 and 2 in its round for penalties. ``python -m
tests.game.strategy.two_players`` writes all but the points; tests check them against the rules.
"""

import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any
from zlib import decompress

from game.bluff.rules import BluffRules
from game.strategy.signal import CHANCES, TOP

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


@cache
def results() -> dict[str, Any]:
    """Return the content of the file of matches between two."""
    return json.loads(_file("two_players.json").read_text("utf-8"))  # type: ignore[no-any-return]


@cache
def is_here(game: str, players: int) -> bool:
    """Return whether the package has a game's table; the one of a page lacks the large ones."""
    return _file(f"tables/{game}-{players}.bin").is_file()


@cache
def table(game: str, players: int) -> bytes:
    """Return the content of a file: at most 1 MB, of ``class`` among eight."""
    return decompress(_file(f"tables/{game}-{players}.bin").read_bytes())


def _file(name: str) -> "Traversable":
    from importlib.resources import files  # many modules, for a reader that few need

    return files("game.strategy") / name


Worths = tuple[float, ...]
"""The worth of something to each player who is in, in playing order: from the opener for the end of
a round, from the seat to roll within it."""

Ends = Callable[[int, int, bool], Sequence[float]]
"""``ends(payer, cost, turned)``: the worths, from the opener on, if a player pays 1 or 2.

``payer`` counts from the opener, 0, in playing order. ``turned``: a Mäxchen was lifted, and turns
the direction of play (R-HF-7). Any unit will do: counted penalties, chances to win the match."""


def counted(seats: int) -> Ends:
    """Return ends that count penalties: one's own against the mean of the others'."""

    def ends(payer: int, cost: int, _: bool) -> Worths:
        shared = cost / (seats - 1)
        return tuple(-float(cost) if place == payer else shared for place in range(seats))

    return ends


def shifted(worths: Worths, by: int) -> Worths:
    """Return the same worths from the player ``by`` places further on."""
    return worths[by:] + worths[:by]


class Prices:
    """The outcomes of a doubt, and their worths.

    If ``ends`` are given, the ``rollers`` players differ. If it is None, penalties are counted, and
    all players are alike.
    """

    def __init__(self, rules: BluffRules, seats: int, ends: Ends | None) -> None:
        self._rules, self._seats = rules, seats
        self._ends = counted(seats) if ends is None else ends
        self.rollers = 1 if ends is None else seats
        self.paid, self.doubted = cache(self._paid), cache(self._doubted)
        self.unseen, self._lifted = cache(self._of_unseen), cache(self._ends_of)

    def alike(self, player: int) -> int:
        """Return the player that stands for ``player``: itself, or 0 if all are alike."""
        return player % self.rollers

    def _paid(self, player: int, payer: int, cost: int, turned: bool = False) -> Worths:
        """Return the worths, from ``player`` on, if the ``payer``-th after it pays 1 or 2."""
        first = self.alike(player)
        return shifted(tuple(self._ends((first + payer) % self._seats, cost, turned)), first)

    def _doubted(self, player: int, payer: int, place: int, rolled: int) -> Worths:
        """Return the worths if ``place`` is doubted and ``rolled`` lifted; see ``_paid``."""
        return self.paid(player, payer, self._cost(place, rolled), self._turns_play(rolled))

    def _cost(self, place: int, rolled: int) -> int:
        """Return the cost of a doubt if ``place`` is announced and ``rolled`` is lifted: 1 or 2."""
        customs = self._rules.customs
        twice = place == TOP or (rolled == TOP and customs.lifted_maexchen_costs_too)
        return customs.maexchen_cost if twice else 1

    def _turns_play(self, place: int) -> bool:
        """Return whether lifting dice of ``place`` turns the direction of play (R-HF-7)."""
        return place == TOP and self._rules.customs.reverses and self._seats > 2

    def _ends_of(self, place: int) -> tuple[tuple[tuple[int, int, bool], float], ...]:
        """Return the ends of a doubt of ``place`` over all rolls, with their chances."""
        lies = self._rules.understating == "lie"
        chances: dict[tuple[int, int, bool], float] = {}
        for rolled, chance in enumerate(CHANCES):
            liar = rolled != place if lies else rolled < place
            end = int(not liar), self._cost(place, rolled), self._turns_play(rolled)
            chances[end] = chances.get(end, 0.0) + chance
        return tuple(chances.items())

    def _of_unseen(self, announcer: int, place: int, towers: float) -> Worths:
        """Return the worths, from the announcer on, of a doubt of ``place`` with unseen dice.

        A share ``towers`` of the rolls would spare the announcer (R-HF-8).
        """
        worths, whole = (0.0,) * self._seats, 0.0
        for (payer, cost, turned), chance in self._lifted(place):
            share = chance if payer else chance * (1 - towers)
            whole += share
            paid = self.paid(announcer, payer, cost, turned)
            worths = tuple([w + share * p for w, p in zip(worths, paid)])
        return tuple([each / whole for each in worths])
