"""A round of ``maxen`` or ``chicago`` among three and more: the aim of a throw, and its chances.

``facing`` solves a round in which every player has one aim, not to be lowest or to be highest. It
works back from the last player: the state is the hand to beat, the number of players to come, and
the limit of throws. A third throw of ``maxen`` counts there as if all saw it. ``turn`` is the best
turn of one player among players with that aim, for the coasters that the round moves.
"""

from collections.abc import Callable
from functools import cache
from math import inf, prod
from typing import NamedTuple

from game.coaster.rules import RANKS, CoasterRules
from game.coaster.state import MOST_THROWS, CoasterHand, CoasterMatch
from game.coaster.values import ONES
from game.dice import Dice
from game.strategy.turns import HANDS, CoasterTurn, Facing, Replies, Worths, ladder, ranks


class Aim(NamedTuple):
    """The aim of every player.

    Attributes:
        highest: True to have the highest hand, False not to be lowest.
        ones: the extra worth of three ones.
    """

    highest: bool = False
    ones: float = 0.0


NOT_LOWEST = Aim()
USUAL = 3
"""The coasters assumed to be at stake in ``maxen`` when a player aims at three ones."""


def aim_of(rules: CoasterRules, seats: int, stage: int) -> Aim:
    """Return the assumed aim of ``seats`` players in the first or the second phase of a match.

    Without halves, only the highest hand counts in the second phase (R-CHI-3). With halves, three
    ones let another player lose as much as all coasters (R-MAX-4).
    """
    if not rules.customs.halves:
        return Aim(highest=stage == 2)
    return Aim(ones=rules.coasters / (USUAL * seats))


UpTo = Callable[[float], float]
"""The chance that a player's hand ends with a given rank, or a lower one."""


def aimed(game: str, aim: Aim, to_come: int, limit: int, mark: float) -> CoasterTurn:
    """Return the best turn of a player as in ``facing``."""
    return CoasterTurn(game, limit, [_reached(game, aim, to_come, limit, mark)] * limit)


def _reached(game: str, aim: Aim, to_come: int, limit: int, mark: float) -> Worths:
    """Return the chances to reach an aim, by hand; ``mark`` is the hand to beat."""
    lowest = not aim.highest
    by_rank = dict.fromkeys(ladder(game), float(lowest))
    for rank in by_rank:
        if (rank > mark) != lowest:
            lasts = _lasts(game, aim, to_come, limit, rank)
            by_rank[rank] = 1 - lasts if lowest else lasts
    by_rank[RANKS[game][ONES]] += aim.ones
    return list(map(by_rank.__getitem__, ranks(game)))


@cache
def _lasts(game: str, aim: Aim, to_come: int, limit: int, rank: int) -> float:
    """Return the chance that a hand stays the lowest, or the highest, of all to come."""
    if not to_come:
        return 1.0
    falls = facing(game, aim, to_come - 1, limit, rank).up_to(rank)
    return _lasts(game, aim, to_come - 1, limit, rank) * (falls if aim.highest else 1 - falls)


@cache
def facing(game: str, aim: Aim, to_come: int, limit: int, mark: float) -> Facing:
    """Return the final hands of a player with ``to_come`` players to come, who turns best.

    ``mark`` is the rank of the hand to beat, the lowest or the highest so far. ``limit`` is how
    often each of them may throw. The later of two equal hands is the lower (M-3, C-2).
    """
    if limit == 1:
        return _single(game)
    ends = _reached(game, aim, to_come, limit, mark)
    return _replies(game, limit).facing((aim, to_come), mark, ends)


@cache
def _single(game: str) -> Facing:
    """Return the final hands of a player who may throw once: nothing is left to choose."""
    return Replies(game, 1).facing(NOT_LOWEST, 0, [0.0] * len(HANDS))


@cache
def _replies(game: str, limit: int) -> Replies:
    return Replies(game, limit)


@cache
def leading(game: str, aim: Aim, to_come: int) -> CoasterTurn:
    """Return the best turn of a leader, whose throws are the limit of all ``to_come`` (T-1)."""
    mark = -inf if aim.highest else inf
    ends = [_reached(game, aim, to_come, n, mark) for n in range(1, MOST_THROWS + 1)]
    return CoasterTurn(game, MOST_THROWS, ends)


def prepare(rules: CoasterRules, players: int) -> None:
    """Make the tables that many decisions with so many players need."""
    for aim in {aim_of(rules, players, stage) for stage in (1, 2)}:
        for to_come in range(players - 1):
            for limit in range(1, MOST_THROWS + 1):
                for mark in ladder(rules.game):
                    facing(rules.game, aim, to_come, limit, mark)
    if rules.customs.third_covered:
        for mark in ladder(rules.game):
            _lifting(rules.game, mark)


@cache
def _lifting(game: str, mark: float) -> CoasterTurn:
    """Return the turn of a player who lifts a covered third throw against ``mark``."""
    return aimed(game, NOT_LOWEST, 0, MOST_THROWS, mark)


@cache
def _lifted(game: str, aside: Dice, mark: float) -> Facing:
    """Return the hands of a covered third throw, its sixes turned if that beats ``mark``."""
    return Facing(game, _lifting(game, mark).finals(MOST_THROWS - 1, aside))


class Stake(NamedTuple):
    """The coasters that a round moves by its highest hand.

    Attributes:
        top: the highest rank with this stake; the lowest is just above the stake before.
        loses: the payment of the lowest hand.
        gives: the coasters that the highest hand gets rid of.
    """

    top: int
    loses: float
    gives: float


def stakes(match: CoasterMatch, seat: int) -> tuple[Stake, ...]:
    """Return the stakes of a round whose highest hand is that of ``seat``.

    A General costs its loser as much as all coasters (R-MAX-4). A player who gets safe by a Chicago
    gets rid of their coasters, and in the first phase of their share of the pile (R-CHI-2,
    R-CHI-3).
    """
    deals, own = match.stage == 1, match.coasters[seat]
    customs = match.rules.customs
    ranks = customs.ranks
    if not customs.halves:
        safe = own + match.pile / len(match.order)
        plain = Stake(ranks[ONES] - 1, float(deals), float(not deals))
        return plain, Stake(ranks[ONES], float(deals), safe)
    most = match.pile if deals else own
    ladder: list[Stake] = []
    for hand in sorted(HANDS, key=ranks.__getitem__):
        worth = match.rules.coasters if hand == ONES else min(customs.worths[hand], most)
        stake = Stake(ranks[hand], worth, 0 if deals or hand == ONES else worth)
        if ladder and stake[1:] == ladder[-1][1:]:
            ladder.pop()
        ladder.append(stake)
    return tuple(ladder)


def turn(match: CoasterMatch) -> CoasterTurn:
    """Return the best turn of the seat to act among three and more.

    Its unit is coasters: the seat's own against the mean of the others'.
    """
    assert match.to_act is not None, "somebody has thrown"
    place = match.order.index(match.to_act)
    hands = [match.hands[seat] for seat in match.order]
    return _turn(
        match.rules.game,
        aim_of(match.rules, len(hands), match.stage),
        stakes(match, match.to_act),
        tuple(map(_known, hands[:place])),
        tuple(_known(hand) for hand in hands[place + 1 :] if hand is not None),
        hands[place + 1 :].count(None),
        0 if hands[place] is None and match.to_act == match.leader else match.limit,
    )


def _known(hand: CoasterHand | None) -> CoasterHand:
    assert hand is not None, "he has thrown"
    return CoasterHand(hand.aside, None if hand.covered else hand.dice, hand.covered)


@cache
def _turn(
    game: str,
    aim: Aim,
    stakes: tuple[Stake, ...],
    earlier: tuple[CoasterHand, ...],
    later: tuple[CoasterHand, ...],
    to_come: int,
    limit: int,
) -> CoasterTurn:
    """Return the best turn; ``limit`` is 0 for a leader, who sets it."""

    def end(thrown: int) -> Worths:
        table = _Table(game, aim, stakes, earlier, later, to_come, thrown)
        worth = cache(table.worth)
        return list(map(worth, ranks(game)))

    throws = limit or MOST_THROWS
    ends = [end(limit or n + 1) for n in range(1 if limit else throws)]
    return CoasterTurn(game, throws, ends * throws if limit else ends)


class _Table(NamedTuple):
    """The other hands, thrown and still to come, when a player's turn ends."""

    game: str
    aim: Aim
    stakes: tuple[Stake, ...]
    earlier: tuple[CoasterHand, ...]
    later: tuple[CoasterHand, ...]
    to_come: int
    limit: int

    def worth(self, rank: int) -> float:
        """Return the mean worth of a hand of that rank: see ``Stake``."""
        before = [self._hand(hand, rank) for hand in self.earlier]
        after = [self._hand(hand, rank) for hand in self.later] + self._coming(rank)
        others = [(up_to, up_to(rank - 1)) for up_to in before]
        others += [(up_to, up_to(rank)) for up_to in after]
        seats, highest = 1 + len(others), prod(below for _, below in others)
        worth, under, ended, lost = 0.0, -1, 0.0, 0.0
        for top, loses, gives in self.stakes:
            ends = prod(up_to(top) for up_to, _ in others) if top >= rank else 0.0
            loss = prod(max(0.0, up_to(top) - below) for up_to, below in others)
            worth += loses * (ends - ended - seats * (loss - lost)) - gives * (ends - ended)
            if under < rank <= top:
                worth += gives * seats * highest
            under, ended, lost = top, ends, loss
        return worth / (seats - 1)

    def _hand(self, hand: CoasterHand, rank: int) -> UpTo:
        """Return the distribution of another hand; a covered one is lifted against ``rank``."""
        if hand.dice is None:
            return _lifted(self.game, hand.aside, rank).up_to
        known = RANKS[self.game][hand.aside + hand.dice]
        return lambda top: float(known <= top)

    def _coming(self, rank: int) -> list[UpTo]:
        """Return the distributions of the hands to come, given the open hands and ``rank``."""
        hands = [hand.aside + hand.dice for hand in (*self.earlier, *self.later) if hand.dice]
        ranks = [rank, *(RANKS[self.game][hand] for hand in hands)]
        mark = max(ranks) if self.aim.highest else min(ranks)
        return [
            facing(self.game, self.aim, to_come, self.limit, mark).up_to
            for to_come in range(self.to_come)
        ]
