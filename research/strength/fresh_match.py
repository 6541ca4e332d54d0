"""The gain of a best response over a whole match of ``class``, from its beginning.

``python -m research.strength.fresh_match [PLAYERS]`` goes through all standings backwards. Three
players take three minutes of processor time, four about a quarter of an hour.
"""

import sys
from collections.abc import Iterator
from itertools import product
from typing import Final, cast

from game import RULES, BluffRules, Match, new_match
from game.bluff.legality import playing_order
from game.coach.reference import Ends, Reference, Scored
from game.status import IN, SWIMS
from game.strategy import standing_of
from game.strategy.book import of_standing
from game.strategy.ends import Worths
from game.strategy.position import State
from game.strategy.standings import Standing, Standings
from research.strength.response import BestResponse

CLASS: Final = cast(BluffRules, RULES["class"])


class Unshipped(Scored):
    """A round for the match that is walked to its end, without shipped worths."""

    def rolled(self, state: State) -> Ends:
        return Reference.rolled(self, state)


class Worked(Standings):
    """Standings with the worths that the walked rounds have."""

    def __init__(self) -> None:
        super().__init__(CLASS)
        self.known: dict[Standing, Worths] = {}

    def worths(self, standing: Standing) -> Worths:
        return self.known[standing]


def gains(players: int) -> Iterator[tuple[tuple[int, ...], list[float]]]:
    """Yield each standing, the last ones first, with the gain of a best response by place."""
    book, best = Worked(), dict[tuple[Standing, int], float]()
    names = tuple(f"seat {seat}" for seat in range(players))
    tallies = [t for t in product(range(CLASS.credit + 1), repeat=players) if t[0] or not any(t)]
    for tally in sorted(tallies, key=sum, reverse=True):
        play = of_standing(CLASS, (tally, 0))
        opening = Unshipped(play.solved).opening
        after = [book.after((tally, 0), end.paid, end.turned) for end in opening]
        worths = tuple(
            sum(chance * each[place] for chance, each in zip(opening.values(), after))
            for place in range(players)
        )
        book.known[tally, 0] = worths
        status = tuple(SWIMS if each == CLASS.credit else IN for each in tally)
        start = new_match(CLASS, names, 0).replace(tally=tally, status=status)
        for place in range(players):

            def ends(match: Match, place: int = place) -> float:
                if match.outcome is not None:
                    return float(place not in match.outcome.losers)
                return best[standing_of(match), playing_order(match).index(place)]

            best[(tally, 0), place] = BestResponse(play, place, ends).worth(start)
        yield tally, [best[(tally, 0), place] - worths[place] for place in range(players)]


def main() -> None:
    """Print the gain from every standing; the last line is that of a fresh match."""
    players = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    for tally, gained in gains(players):
        print(*tally, *(f"{gain:.2e}" for gain in gained), flush=True)


if __name__ == "__main__":
    main()
