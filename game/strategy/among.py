"""A round of ``maxen`` or ``chicago`` among three and more: the aim of a throw, and its chances.

``facing`` solves a round in which every player has one aim, not to be lowest or to be highest. It
works back from the last player: the state is the hand to beat, the number of players to come, and
the limit of throws. A third throw of ``maxen`` counts there as if all saw it. ``turn`` is the best
turn of one player among players with that aim, for given worths of the round's ends.

``ends`` counts coasters; ``three_dice`` has the worths of standings instead.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby
from math import fsum, prod
from typing import NamedTuple, TypeVar

from game.coaster.rules import MOST_THROWS, ONES, RANKS, CoasterHand, CoasterMatch, CoasterRules
from game.dice import Dice
from game.strategy.turns import HANDS, CoasterTurn, Facing, Replies, Worths, ladder, ranks

_T = TypeVar("_T")


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


_KEPT = 4096
"""The number of turns, the last ones asked for, that are kept."""
UpTo = Callable[[float], float]
"""The chance that a player's hand ends with a given rank, or a lower one."""


def aimed(game: str, aim: Aim, to_come: int, limit: int, mark: float) -> CoasterTurn:
    """Return the best turn of a player as in ``facing``."""
    return CoasterTurn(game, limit, [reached(game, aim, to_come, limit, mark)] * limit)


def reached(game: str, aim: Aim, to_come: int, limit: int, mark: float) -> Worths:
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
        return _replies(game, 1).facing(NOT_LOWEST, 0, [0.0] * len(HANDS))  # no choice is left
    ends = reached(game, aim, to_come, limit, mark)
    return _replies(game, limit).facing((aim, to_come), mark, ends)


@cache
def _replies(game: str, limit: int) -> Replies:
    return Replies(game, limit)


@cache
def lifting(game: str, mark: float) -> CoasterTurn:
    """Return the turn of a player who lifts a covered third throw against ``mark``."""
    return aimed(game, NOT_LOWEST, 0, MOST_THROWS, mark)


@cache
def _lifted(game: str, aside: Dice, mark: float) -> Facing:
    """Return the hands of a covered third throw, its sixes turned if that beats ``mark``."""
    return Facing(game, lifting(game, mark).finals(MOST_THROWS - 1, aside))


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
    customs, deals, own = match.rules.customs, match.stage == 1, match.coasters[seat]
    safe, most = own + match.pile / len(match.order), match.pile if deals else own

    def moved(hand: Dice) -> tuple[float, float]:
        if not customs.halves:
            return float(deals), safe if hand == ONES else float(not deals)
        worth = match.rules.coasters if hand == ONES else min(customs.worths[hand], most)
        return worth, 0 if deals or hand == ONES else worth

    return tuple(Stake(top, *each) for top, each in tops(match.rules.game, moved))


def tops(game: str, of: Callable[[Dice], _T]) -> Iterator[tuple[int, _T]]:
    """Yield what hands bring, by their ranks: the highest rank that brings the same, and that."""
    rank = RANKS[game].__getitem__
    for brought, hands in groupby(sorted(HANDS, key=rank), of):
        yield max(map(rank, hands)), brought


class TopWorths(NamedTuple):
    """The worths of a round to one player, by its highest hand.

    Attributes:
        top: the highest rank with these worths; the lowest is just above the end before.
        worths: by the place of the highest hand and of the lowest one, from the leader on.
    """

    top: int
    worths: tuple[tuple[float, ...], ...]


def ends(match: CoasterMatch, seat: int) -> tuple[TopWorths, ...]:
    """Return the ends of a round to ``seat``, in coasters against the mean of the others'."""
    own, share = match.order.index(seat), 1 / (len(match.order) - 1)

    def worth(stake: Stake, best: int, worst: int) -> float:
        gives = stake.gives * (1.0 if best == own else -share)
        return gives + stake.loses * (-1.0 if worst == own else share)

    return by_top([(each.top, each) for each in stakes(match, seat)], len(match.order), worth)


def by_top(
    stakes: Sequence[tuple[int, _T]], seats: int, worth: Callable[[_T, int, int], float]
) -> tuple[TopWorths, ...]:
    """Return the ends of a round of ``seats`` players, from what ``tops`` yields of it.

    ``worth`` is that of a stake, and of the places of the highest and the lowest hand.
    """
    places = range(seats)
    known = {
        stake: tuple(tuple(worth(stake, best, worst) for worst in places) for best in places)
        for stake in {stake for _, stake in stakes}
    }
    return tuple(TopWorths(top, known[stake]) for top, stake in stakes)


def turn(match: CoasterMatch, ends: tuple[TopWorths, ...]) -> CoasterTurn:
    """Return the best turn of the seat to act among three and more, for ``ends`` of the round."""
    assert match.to_act is not None, "somebody has thrown"
    place = match.order.index(match.to_act)
    hands = [match.hands[seat] for seat in match.order]
    return _turn(
        match.rules.game,
        aim_of(match.rules, len(hands), match.stage),
        ends,
        tuple(map(_open, hands[:place])),
        tuple(_open(hand) for hand in hands[place + 1 :] if hand is not None),
        hands[place + 1 :].count(None),
        0 if hands[place] is None and match.to_act == match.leader else match.limit,
    )


def _open(hand: CoasterHand | None) -> CoasterHand:
    assert hand is not None, "he has thrown"
    return CoasterHand(hand.aside, None if hand.covered else hand.dice, hand.covered)


@lru_cache(_KEPT)
def _turn(
    game: str,
    aim: Aim,
    ends_by_top: tuple[TopWorths, ...],
    earlier: tuple[CoasterHand, ...],
    later: tuple[CoasterHand, ...],
    to_come: int,
    limit: int,
) -> CoasterTurn:
    """Return the best turn; ``limit`` is 0 for a leader, who sets it."""

    def end(thrown: int) -> Worths:
        table = _Table(game, aim, ends_by_top, earlier, later, to_come, thrown)
        worth = cache(table.worth)
        return list(map(worth, ranks(game)))

    throws = limit or MOST_THROWS
    ends = [end(limit or n + 1) for n in range(1 if limit else throws)]
    return CoasterTurn(game, throws, ends * throws if limit else ends)


_Share = tuple[int, float]
"""A place, from the leader on, and a chance."""


def _shares(known: int, beaten: Mapping[int, float]) -> list[_Share]:
    """Return the chance of each place: ``known``, unless one of the others has ``beaten`` it."""
    stays, whole = prod(1 - each for each in beaten.values()), fsum(beaten.values()) or 1.0
    return [(known, stays), *((p, (1 - stays) * each / whole) for p, each in beaten.items())]


def _mean(
    worths: tuple[tuple[float, ...], ...], bests: list[_Share], worsts: list[_Share]
) -> float:
    """Return the mean worth of what others win and lose; 0 if there is only one of them."""
    ways = [
        (b * w, worths[best][worst]) for best, b in bests for worst, w in worsts if best != worst
    ]
    whole = fsum(often for often, _ in ways)
    return fsum(often * worth for often, worth in ways) / whole if whole else 0.0


class _Table(NamedTuple):
    """The other hands, thrown and still to come, when a player's turn ends."""

    game: str
    aim: Aim
    ends: tuple[TopWorths, ...]
    earlier: tuple[CoasterHand, ...]
    later: tuple[CoasterHand, ...]
    to_come: int
    limit: int

    def worth(self, rank: int) -> float:
        """Return the mean worth of a hand of that rank: see ``TopWorths``."""
        before = [self._hand(hand, rank) for hand in self.earlier]
        after = [self._hand(hand, rank) for hand in self.later] + self._coming(rank)
        others = [(up_to, up_to(rank - 1)) for up_to in before]
        others += [(up_to, up_to(rank)) for up_to in after]
        own, highest = len(before), prod(below for _, below in others)
        bests, worsts = self._who(before + after)
        worth, under, ended, lost = 0.0, -1, 0.0, 0.0
        for top, worths in self.ends:
            chance = prod(up_to(top) for up_to, _ in others) if top >= rank else 0.0
            loss = prod(max(0.0, up_to(top) - below) for up_to, below in others)
            lowest = fsum(often * worths[best][own] for best, often in bests)
            neither = _mean(worths, bests, worsts)
            worth += neither * (chance - ended) + (lowest - neither) * (loss - lost)
            if under < rank <= top:
                tops = fsum(often * worths[own][worst] for worst, often in worsts)
                worth += (tops - neither) * highest
            under, ended, lost = top, chance, loss
        return worth

    def _who(self, others: list[UpTo]) -> tuple[list[_Share], list[_Share]]:
        """Return which of the others is the highest of them, and which the lowest, with chances.

        A hand that is not known yet only counts against the open ones.
        """
        own, hands = len(self.earlier), (*self.earlier, *self.later)
        places = [place for place in range(len(others) + 1) if place != own]
        known = {
            place: RANKS[self.game][hand.aside + hand.dice]
            for place, hand in zip(places, hands)
            if hand.dice is not None
        }
        if not known:
            even = [(place, 1 / len(places)) for place in places]
            return even, even
        top, low = max(known, key=known.__getitem__), min(reversed(known), key=known.__getitem__)
        above, below = dict[int, float](), dict[int, float]()
        for place, up_to in zip(places, others):
            if place not in known:
                above[place], below[place] = 1 - up_to(known[top]), up_to(known[low])
        return _shares(top, above), _shares(low, below)

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
