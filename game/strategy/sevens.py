"""When to stop in ``sevens``: every throw replaces the one before, so only its score counts.

All dice lie open, so a round is worked out backwards from its last player: to everybody each way to
go on is worth what comes of it for him, be it somebody else who loses the round. ``Round`` does so
for one round and what its end is worth; ``Standings`` for a match, in chances not to lose it.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

from game.actions import Roll, SeatAction, Stop
from game.engines import legal_actions, new_match, rolls
from game.sevens.rules import SevensRules
from game.sevens.state import SevensMatch
from game.sevens.values import score
from game.strategy.ends import Worths
from game.strategy.ends import counted as penalties

Ends = Callable[[int], Worths]
"""What it is worth, from the leader on in playing order, that a player loses the round."""
Worst = tuple[int, int] | None
"""Who has the highest score so far, counted from the leader, and that score; None for nobody."""

SMALL = 15
"""A match of so many players times rounds, or fewer, is solved whole within seconds."""


@cache
def scores(rules: SevensRules) -> Mapping[int, Fraction]:
    """Return the chance of every score of one throw, the lowest first."""
    chances: dict[int, Fraction] = {}
    for roll, chance in rolls(new_match(rules, ("first", "second"), 0)):
        points = score(roll.dice or (), rules.seven_dice)
        chances[points] = chances.get(points, Fraction(0)) + chance
    return dict(sorted(chances.items()))


class Round:
    """A solved round of ``seats`` players, who count from its leader, 0."""

    def __init__(self, rules: SevensRules, seats: int, ends: Ends) -> None:
        self._rules, self._seats, self._ends = rules, seats, ends
        self._scores = [(points, float(chance)) for points, chance in scores(rules).items()]
        self._known: dict[tuple[int, int, int, Worst], Worths] = {}

    @property
    def worths(self) -> Worths:
        """What the round is worth, from its leader on."""
        return self.thrown(0, 0, 0, None)

    def thrown(self, player: int, throws: int, limit: int, worst: Worst) -> Worths:
        """What it is worth that a player throws, after so many throws of ``limit``.

        ``limit`` is 0 for a leader, who sets it (S-2).
        """
        key = player, throws, limit, worst
        found = self._known.get(key)
        if found is None:
            sums = [0.0] * self._seats
            for points, chance in self._scores:
                best = self.stopped(player, throws + 1, limit, worst, points)
                if throws + 1 < (limit or self._rules.throws):
                    again = self.thrown(player, throws + 1, limit, worst)
                    best = again if again[player] > best[player] else best
                sums = [total + chance * each for total, each in zip(sums, best)]
            found = self._known[key] = tuple(sums)
        return found

    def stopped(self, player: int, throws: int, limit: int, worst: Worst, points: int) -> Worths:
        """What it is worth that a player stops at ``points`` after so many throws (S-2, S-4)."""
        if worst is None or points >= worst[1]:
            worst = player, points
        if player + 1 == self._seats:
            return self._ends(worst[0])
        return self.thrown(player + 1, 0, limit or throws, worst)


class Standings:
    """The rounds of a match, each solved when it is asked for, with all that can follow it.

    A standing is what everybody has lost, from the leader on; who has, the last one first; and how
    many rounds are left.
    """

    def __init__(self, rules: SevensRules) -> None:
        self._rules = rules
        self._rounds: dict[tuple[tuple[int, ...], tuple[int, ...], int], Round] = {}
        self.deciding = cache(self._deciding)

    def round(self, lost: tuple[int, ...], losers: tuple[int, ...], left: int) -> Round:
        """The round that is played from a standing; ``worths`` are chances not to lose."""
        key = lost, losers, left
        found = self._rounds.get(key)
        if found is None:
            after = cache(lambda loser: self._after(lost, losers, left, loser))
            found = self._rounds[key] = Round(self._rules, len(lost), after)
        return found

    def _deciding(self, seats: int) -> Round:
        """The round that decides between those who have lost equally many (S-4)."""
        return Round(
            self._rules,
            seats,
            lambda loser: tuple(float(player != loser) for player in range(seats)),
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
            following = self.round(tuple(now[p] for p in order), recent, left - 1).worths
        else:
            most = [player for player in range(seats) if now[player] == max(now)]
            leader = next(each for each in recent if each in most)
            order = most[most.index(leader) :] + most[: most.index(leader)]
            if len(order) == 1:
                return tuple(float(player != leader) for player in range(seats))
            following = self.deciding(len(order)).worths
        worths = [1.0] * seats
        for player, worth in zip(order, following):
            worths[player] = worth
        return tuple(worths)


@cache
def counted(rules: SevensRules, seats: int) -> Round:
    """Return a round of so many for lost rounds: one's own against the mean of the others'."""
    ends = penalties(seats)
    return Round(rules, seats, lambda loser: tuple(ends(loser, 1, False)))


@cache
def standings(rules: SevensRules) -> Standings:
    """Return the rounds of a match; made once."""
    return Standings(rules)


def prepare(rules: SevensRules, players: int) -> None:
    """Work out beforehand what takes long."""
    if is_small(rules, players):
        _ = standings(rules).round((0,) * players, (), rules.rounds).worths
    else:
        _ = counted(rules, players).worths


def is_small(rules: SevensRules, players: int) -> bool:
    """Tell whether a match is solved whole; in others each round is, for lost rounds."""
    return players * rules.rounds <= SMALL


def running(match: SevensMatch) -> Round:
    """Return the round that runs, for chances not to lose the match if that is small."""
    rules, order = match.rules, match.order
    if not is_small(rules, len(match.players)):
        return counted(rules, len(order))
    if match.deciding:
        return standings(rules).deciding(len(order))
    lost = tuple(match.coasters[seat] for seat in order)
    losers = dict.fromkeys(order.index(seat) for seat in reversed(match.lost) if seat in order)
    return standings(rules).round(lost, tuple(losers), rules.rounds - len(match.lost))


def worths(match: SevensMatch) -> Mapping[SeatAction, float]:
    """Return what each legal action of a seat that has thrown is worth to it.

    In a small match it is the chance not to lose that, else how many fewer rounds it loses than the
    others in the mean, in this round.
    """
    solved, seven_dice = running(match), match.rules.seven_dice
    dice, order = match.dice, match.order
    assert dice is not None, "he has thrown"
    assert match.to_act is not None, "somebody has"
    player = order.index(match.to_act)
    worst: Worst = None
    for place, seat in enumerate(order[:player]):
        points = score(match.hands[seat], seven_dice)
        if worst is None or points >= worst[1]:
            worst = place, points
    limit = 0 if match.to_act == match.leader else match.limit  # which outlives one who leaves
    stop = solved.stopped(player, match.throws, limit, worst, score(dice, seven_dice))
    again = solved.thrown(player, match.throws, limit, worst)
    worth: dict[SeatAction, float] = {Stop(): stop[player], Roll(): again[player]}
    return {action: worth[action] for action in legal_actions(match)}
