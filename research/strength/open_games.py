"""The best gains that the open games offer, and how near play by the book is to them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple, cast

from game import RULES, AnyRules, CoasterMatch, CoasterRules, OpenRules, apply, new_match
from game.actions import Roll
from game.coaster.rules import CUSTOMS, MOST_THROWS, RANKS, CoasterHand
from game.sevens import SevensRules
from game.strategy import among
from game.strategy.coasters import Duel
from game.strategy.turns import HANDS, CoasterTurn
from research.strength import odds

MOST_TO_COME = 2
"""The least losses are measured for this number of players to come."""
MOST_MEASURED = 8
"""The players of the largest table that is measured."""
DIGITS = 13
"""Digits behind the point that are kept, since the rest is rounding; chosen."""


def of_more(rules: AnyRules) -> range:
    """Return the numbers of players, three and more, that are measured for a game."""
    return range(3, min(MOST_MEASURED, rules.most_players) + 1)


def variants(game: str) -> Iterator[tuple[str, OpenRules, bool]]:
    """Yield the variants of an open game: name, rules, whether sixes are turned."""
    rules = cast(OpenRules, RULES[game])
    yield "usual", rules, True
    if any(each.name == "seven_dice" for each in rules.options):
        yield "seven_dice", replace(cast(SevensRules, rules), seven_dice=True), True
    else:
        yield "no turning", rules, False


def offered(game: str) -> dict[str, Any]:
    """Return the odds of an open game as JSON has them; keys are strings.

    By variant: ``means`` by throws, ``kinds`` by name and throws, and with the rules as they are
    ``least_loss`` by players to come, throws and the hand to beat, and ``leads`` by players. Third
    throws count as open there. ``leads_covered`` is exact for two players with covered ones (T-5).
    """
    found: dict[str, Any] = {}
    for name, rules, turning in variants(game):
        throws = range(1, rules.throws + 1)
        found[name] = told = {
            "means": {str(n): _told(odds.mean(rules, n, turning)) for n in throws},
            "kinds": {
                kind: {str(n): _told(odds.best(rules, n, wanted, turning)) for n in throws}
                for kind, wanted in odds.kinds(rules).items()
            },
        }
        if turning:
            told["least_loss"] = {
                str(to_come): {
                    str(n): {
                        hand: _told(odds.least_loss(rules, n, mark, to_come))
                        for mark, hand in odds.marks(rules).items()
                    }
                    for n in throws
                }
                for to_come in range(MOST_TO_COME + 1)
            }
            told["leads"] = {
                str(players): _told(odds.least_loss(rules, 1, None, players - 1))
                for players in range(2, min(MOST_MEASURED, rules.most_players) + 1)
            }
            if game in CUSTOMS and CUSTOMS[game].third_covered:
                duel = Duel(game, lambda won, _: float(won))
                told["leads_covered"] = {"2": _told(-duel.opening().worth)}
    return found


def _told(number: Any) -> float:
    return round(float(number), DIGITS)


def gap(game: str, players: int) -> float:
    """Return a best response's gain a round in coasters, if all others play by the book.

    It is the most over both phases and over seats. A gain is a player's result against the mean of
    the others. All begin with equal coasters. Third throws of ``maxen`` are taken as open.
    """
    return max(max(_Round(_begun(game, players, phase)).gaps()) for phase in (1, 2))


def _begun(game: str, players: int, phase: int) -> CoasterMatch:
    seats = range(players)
    rules = cast(CoasterRules, RULES[game])
    match = new_match(rules, tuple(f"seat {seat}" for seat in seats), 0)
    for pips in seats:
        match = apply(match, Roll((1 + pips // 2, 1 + pips // 2, 1 + (1 + pips) // 2))).match
    each = match.rules.coasters // players if phase == 2 else 1
    pile = match.rules.coasters - players if phase == 1 else 0
    return match.replace(stage=phase, coasters=(each,) * players, pile=pile)


class _Left(NamedTuple):
    """The means over the rest of a round: it may go on at any hand.

    Attributes:
        worst: the result of the player with the worst hand so far, in coasters.
        best: the result of the player with the best hand so far.
        all: the sum of all players' results.
        gaps: by player to come, the further gain of a best response.
    """

    worst: float
    best: float
    all: float
    gaps: tuple[float, ...]


class _Round:
    """A round of players who all play by the book, worked out back from the last one.

    Only the worst and the best one of the hands so far count, as ranks.
    """

    def __init__(self, match: CoasterMatch) -> None:
        self._match, self._seats, self._game = match, len(match.order), match.rules.game
        self._ranks = RANKS[self._game]
        self._shows = {self._ranks[hand]: hand for hand in HANDS}
        self._stakes = among.stakes(match, match.order[0])
        self._pays = any(stake.gives for stake in self._stakes)
        self._loses = any(stake.loses for stake in self._stakes)
        self._left = cache(self._worked)

    def gaps(self) -> tuple[float, ...]:
        """Return the gain of a best response, by player from the leader on."""
        book = self._turn(0, 0, ())
        afters = [
            {rank: self._after(1, n, rank, rank) for rank in self._shows}
            for n in range(1, MOST_THROWS + 1)
        ]
        worths = [
            {rank: self._brings(left.worst + left.best, left) for rank, left in after.items()}
            for after in afters
        ]
        ends = [self._by_hand(worth) for worth in worths]
        finals = book.finals()
        gaps = [CoasterTurn(self._game, MOST_THROWS, ends).worth, *[0.0] * (self._seats - 1)]
        for number, chances in enumerate(finals):
            thrown = min(number, MOST_THROWS - 1)
            for rank, chance in self._by_rank(chances).items():
                gaps[0] -= chance * worths[thrown][rank]
                for place, gap in enumerate(afters[thrown][rank].gaps, 1):
                    gaps[place] += chance * gap
        return tuple(gaps)

    def _after(self, place: int, limit: int, worst: int, best: int) -> _Left:
        """Return the rest of the round when ``place`` is to throw; equal states are merged."""
        if not self._loses:
            worst = best
        elif not self._pays:
            under = max((s.top for s in self._stakes if s.top < best), default=-1)
            best = min(rank for rank in self._shows if rank >= worst and rank > under)
        return self._left(place, limit, worst, best)

    def _worked(self, place: int, limit: int, worst: int, best: int) -> _Left:
        if place == self._seats:
            stake = next(each for each in self._stakes if best <= each.top)
            return _Left(-stake.loses, stake.gives, stake.gives - stake.loses, ())
        book = self._turn(place, limit, (worst, best))
        afters = {
            rank: self._after(place + 1, limit, min(worst, rank), max(best, rank))
            for rank in self._shows
        }
        worths = {
            rank: self._brings(left.worst * (rank <= worst) + left.best * (rank > best), left)
            for rank, left in afters.items()
        }
        chances = self._by_rank([sum(each) for each in zip(*book.finals())])
        mean = sum(chance * worths[rank] for rank, chance in chances.items())
        response = CoasterTurn(self._game, limit, [self._by_hand(worths)] * limit).worth
        ways = [(chance, rank, afters[rank]) for rank, chance in chances.items()]
        return _Left(
            sum(chance * left.worst for chance, rank, left in ways if rank > worst),
            sum(chance * left.best for chance, rank, left in ways if rank <= best),
            sum(chance * left.all for chance, _, left in ways),
            (response - mean, *_mixed([(chance, left.gaps) for chance, _, left in ways])),
        )

    def _turn(self, place: int, limit: int, worst_and_best: tuple[int, ...]) -> CoasterTurn:
        """The turn by the book of a player after these throws; 0 is no limit."""
        hands: list[CoasterHand | None] = [None] * self._seats
        for earlier in range(place):
            hands[earlier] = CoasterHand((), self._shows[worst_and_best[min(earlier, 1)]])
        order = self._match.order
        by_seat = [hands[order.index(seat)] for seat in range(self._seats)]
        seat = order[place]
        return among.turn(
            self._match.replace(to_act=seat, hands=tuple(by_seat), limit=limit or MOST_THROWS),
            among.ends(self._match, seat),
        )

    def _brings(self, own: float, left: _Left) -> float:
        """Return a player's result of a round, against the mean of the others."""
        return own - (left.all - own) / (self._seats - 1)

    def _by_hand(self, by_rank: Mapping[int, float]) -> list[float]:
        return [by_rank[self._ranks[hand]] for hand in HANDS]

    def _by_rank(self, chances: Sequence[float]) -> dict[int, float]:
        found: dict[int, float] = {}
        for hand, chance in zip(HANDS, chances):
            if chance:
                found[self._ranks[hand]] = found.get(self._ranks[hand], 0.0) + chance
        return found


def _mixed(ways: Sequence[tuple[float, tuple[float, ...]]]) -> Iterator[float]:
    """The mean of tuples, each with its chance."""
    return (
        sum(chance * gap for (chance, _), gap in zip(ways, gaps))
        for gaps in zip(*(gaps for _, gaps in ways))
    )
