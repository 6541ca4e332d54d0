"""When to stop in ``sevens``: every throw replaces the one before, so only its score counts.

All dice lie open, so a round is worked out backwards from its last player. Each player chooses the
best for themself, even if that only changes which other player loses. ``SevensRound`` solves one
round for given worths of its end; ``SevensStandings`` a match, in chances not to lose it.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, reduce
from math import comb
from operator import add, mul

from game.actions import Roll, SeatAction, Stop
from game.engines import legal_actions, new_match, rolls
from game.sevens import SevensMatch, SevensRules, score
from game.strategy.ends import Worths
from game.strategy.ends import counted as penalties

Ends = Callable[[int], Worths]
"""The worths, from the leader on in playing order, if a player loses the round."""
Worst = tuple[int, int] | None
"""The player with the highest score so far, counted from the leader, and that score; or None."""

SMALL = 15
"""The most players times rounds of a match that is solved whole, within seconds; chosen."""
MOST = 2_000
"""The most ways to share out the lost rounds in a match that is played for the match at all;
chosen."""


@cache
def scores(rules: SevensRules) -> Mapping[int, Fraction]:
    """Return the chance of every score of one throw, the lowest first."""
    chances: dict[int, Fraction] = {}
    for roll, chance in rolls(new_match(rules, ("first", "second"), 0)):
        points = score(roll.dice or (), rules.seven_dice)
        chances[points] = chances.get(points, Fraction(0)) + chance
    return dict(sorted(chances.items()))


class SevensRound:
    """A solved round of ``seats`` players, who count from its leader, 0.

    ``alike``: the worths of its end depend on nothing but whether a player loses. Then every player
    who has thrown and is not the worst one has the same worth, whoever is the worst.
    """

    def __init__(self, rules: SevensRules, seats: int, ends: Ends, alike: bool = False) -> None:
        self._rules, self._seats, self._ends, self._alike = rules, seats, ends, alike
        self._points = tuple(scores(rules))
        self._chances = tuple(map(float, scores(rules).values()))
        self._known: dict[tuple[int, int, int, Worst], Worths] = {}
        self._as_worst = cache(self._worst)

    @property
    def worths(self) -> Worths:
        """The worths of the round, from its leader on."""
        return self.thrown(0, 0, 0, None)

    def thrown(self, player: int, throws: int, limit: int, worst: Worst) -> Worths:
        """Return the worths if a player throws, after ``throws`` of ``limit`` throws.

        ``limit`` is 0 for a leader, who sets it (S-2).
        """
        key = player, throws, limit, worst
        found = self._known.get(key)
        if found is None:
            if self._alike and worst is not None and worst[0]:
                first, *rest = self.thrown(player, throws, limit, (0, worst[1]))
                place = worst[0] - 1
                found = (rest[place], *rest[:place], first, *rest[place + 1 :])
            elif throws and player + 1 == self._seats:  # nobody comes whom the limit binds
                found = self.thrown(player, 0, limit - throws, worst)
            else:
                columns = zip(*self._fallen(player, throws + 1, limit, worst))
                found = tuple([reduce(add, map(mul, self._chances, each)) for each in columns])
            self._known[key] = found
        return found

    def _fallen(self, player: int, throws: int, limit: int, worst: Worst) -> list[Worths]:
        """Return the worths after each score of a throw, the lowest first, if the best follows."""
        fallen = self._as_worst(player, limit or throws)
        if worst is not None:
            low = bisect_left(self._points, worst[1])
            fallen = [self._ended(player, limit or throws, worst)] * low + fallen[low:]
        if throws == (limit or self._rules.throws):
            return fallen
        again = self.thrown(player, throws, limit, worst)
        return [again if again[player] > stop[player] else stop for stop in fallen]

    def _worst(self, player: int, limit: int) -> list[Worths]:
        """Return the worths if a player stops at each score, the lowest first, as the worst one."""
        return [self._ended(player, limit, (player, points)) for points in self._points]

    def stopped(self, player: int, throws: int, limit: int, worst: Worst, points: int) -> Worths:
        """Return the worths if a player stops at ``points`` after ``throws`` throws (S-2, S-4)."""
        if worst is None or points >= worst[1]:
            worst = player, points
        return self._ended(player, limit or throws, worst)

    def _ended(self, player: int, limit: int, worst: tuple[int, int]) -> Worths:
        """Return the worths after a player's turn."""
        if player + 1 == self._seats:
            return self._ends(worst[0])
        return self.thrown(player + 1, 0, limit, worst)


class SevensStandings:
    """The rounds of a match, each solved on demand, with all that can follow it.

    A standing has the losses of all players, from the leader on; the players who have lost, the
    last first; and the number of rounds left.
    """

    def __init__(self, rules: SevensRules, players: int) -> None:
        self._rules, self._is_small = rules, players * rules.rounds <= SMALL
        self.deciding, self._by_share = cache(self._deciding), cache(self._shared)
        self.round = cache(self._round)

    def _round(self, lost: tuple[int, ...], losers: tuple[int, ...], left: int) -> SevensRound:
        """Return the round that is played from a standing; ``worths`` are chances not to lose."""
        after = cache(lambda loser: self._after(lost, losers, left, loser))
        return SevensRound(self._rules, len(lost), after)

    def _shared(self, lost: tuple[int, ...], left: int) -> Worths:
        """Return the estimated worths of a standing of a large match."""
        seats, found = len(lost), [0.0] * len(lost)
        for loser, worth in enumerate(counted(self._rules, seats).worths):
            share = (1 - (seats - 1) * worth) / seats
            for place, each in enumerate(self._after(lost, (), left, loser)):
                found[place] += share * each
        return tuple(found)

    def _deciding(self, seats: int) -> SevensRound:
        """Return the round that decides between players with equally many losses (S-4)."""
        return SevensRound(
            self._rules,
            seats,
            lambda loser: tuple(float(player != loser) for player in range(seats)),
            alike=True,
        )

    def _after(
        self, lost: tuple[int, ...], losers: tuple[int, ...], left: int, loser: int
    ) -> Worths:
        seats, now = len(lost), list(lost)
        now[loser] += 1
        recent = (loser, *(each for each in losers if each != loser))
        if left > 1:
            order = [(loser + by) % seats for by in range(seats)]
            recent = tuple(order.index(each) for each in recent)
            then = tuple(now[place] for place in order)
            if self._is_small:
                following = self.round(then, recent, left - 1).worths
            else:
                following = self._by_share(then, left - 1)
        else:
            most = [player for player in range(seats) if now[player] == max(now)]
            leader = next((each for each in recent if each in most), most[0])
            order = most[most.index(leader) :] + most[: most.index(leader)]
            if len(order) == 1:
                return tuple(float(player != leader) for player in range(seats))
            following = self.deciding(len(order)).worths
        worths = [1.0] * seats
        for player, worth in zip(order, following):
            worths[player] = worth
        return tuple(worths)


@cache
def counted(rules: SevensRules, seats: int) -> SevensRound:
    """Return a round of ``seats`` that counts lost rounds: one's own against the others' mean."""
    ends = penalties(seats)
    return SevensRound(rules, seats, lambda loser: tuple(ends(loser, 1, False)), alike=True)


@cache
def standings(rules: SevensRules, players: int) -> SevensStandings:
    """Return the rounds of a match that ``players`` began; made once."""
    return SevensStandings(rules, players)


def prepare(rules: SevensRules, players: int) -> None:
    """Make the slow tables beforehand."""
    if for_the_match(rules, players):
        _ = standings(rules, players).round((0,) * players, (), rules.rounds).worths
    else:
        _ = counted(rules, players).worths


def for_the_match(rules: SevensRules, players: int) -> bool:
    """Return whether a match is played for the match; very long ones are for lost rounds."""
    return comb(rules.rounds + players - 1, players) <= MOST


def prepare_round(match: SevensMatch) -> None:
    """Make the tables of the running round."""
    _ = running(match).worths


def chances(match: SevensMatch) -> Mapping[int, float]:
    """Return the chance not to lose the match, by the seats at the table, between rounds."""
    by_seat = dict(zip(match.order, running(match).worths))
    return dict.fromkeys(match.at_table, 1.0) | by_seat


def running(match: SevensMatch) -> SevensRound:
    """Return the running round, for chances not to lose the match unless that is very long."""
    rules, order, begun = match.rules, match.order, len(match.players)
    if not for_the_match(rules, begun):
        return counted(rules, len(order))
    if match.deciding:
        return standings(rules, begun).deciding(len(order))
    lost = tuple(match.coasters[seat] for seat in order)
    losers = dict.fromkeys(order.index(seat) for seat in reversed(match.lost) if seat in order)
    left = rules.rounds - len(match.lost)
    return standings(rules, begun).round(lost, tuple(losers), left)


def worths(match: SevensMatch) -> Mapping[SeatAction, float]:
    """Return the worth of each legal action to the seat that has thrown.

    It is the chance not to lose the match. In a very long one it is how many fewer rounds the seat
    loses than the mean of the others, in this round.
    """
    solved, seven_dice = running(match), match.rules.seven_dice
    dice, order = match.dice, match.order
    assert dice is not None, "he has thrown"
    assert match.to_act is not None, "somebody has"
    player = order.index(match.to_act)
    hands = [score(match.hands[seat], seven_dice) for seat in order[:player]]
    points, place = max(zip(hands, range(player)), default=(0, 0))
    worst = (place, points) if hands else None
    limit = 0 if match.to_act == match.leader else match.limit  # which outlives a player who leaves
    stop = solved.stopped(player, match.throws, limit, worst, score(dice, seven_dice))
    again = solved.thrown(player, match.throws, limit, worst)
    worth: dict[SeatAction, float] = {Stop(): stop[player], Roll(): again[player]}
    return {action: worth[action] for action in legal_actions(match)}
