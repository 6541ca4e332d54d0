"""A round of ``maxen`` or ``chicago`` among three and more: the aim of a throw, and its chances.

``facing`` solves a round in which every player has one aim, not to be lowest or to be highest. It
works back from the last player: the state is the hand to beat, the number of players to come, and
the limit of throws. A third throw of ``maxen`` counts there as if all saw it. ``turn`` is the best
turn of one player among players with that aim, for given worths of the round's ends.

``told`` has the worths of all standings with as many coasters as usual, in the format of
``shipped``. They follow from rounds in which all have that aim. ``ends`` counts coasters instead.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from math import fsum, inf, prod
from struct import Struct
from typing import NamedTuple

from game.coaster.rules import (
    COASTER_GAMES,
    MOST_THROWS,
    ONES,
    RANKS,
    CoasterHand,
    CoasterMatch,
    CoasterRules,
)
from game.dice import Dice
from game.strategy import shipped
from game.strategy.coasters import GENERAL, at_stake, solved
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


_KEPT = 4096
"""The number of turns, the last ones asked for, that are kept."""
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
    seats, own = range(len(match.order)), match.order.index(seat)
    share = 1 / (len(match.order) - 1)

    def worth(stake: Stake, best: int, worst: int) -> float:
        gives = stake.gives * (1.0 if best == own else -share)
        return gives + stake.loses * (-1.0 if worst == own else share)

    return tuple(
        TopWorths(
            each.top, tuple(tuple(worth(each, best, worst) for worst in seats) for best in seats)
        )
        for each in stakes(match, seat)
    )


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
            return [(place, 1 / len(places)) for place in places], [
                (place, 1 / len(places)) for place in places
            ]
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


Standing = tuple[int, tuple[int, ...]]
"""The coasters in the pile, and those of the players in play, from the leader on."""


def sorted_out(standing: Standing) -> Standing:
    """Return the standing with the others than the leader in the order of their coasters."""
    pile, (first, *others) = standing
    return pile, (first, *sorted(others))


class TableStandings:
    """The worths of the standings of a half of ``maxen``, or of a match of ``chicago``.

    ``known`` returns the worths of a standing of three and more whose others are sorted: the chance
    of each not to lose. All seats but the leader's count as equal.
    """

    def __init__(self, rules: CoasterRules, known: Callable[[Standing], Sequence[float]]) -> None:
        self._rules, self._known = rules, known

    def worths(self, standing: Standing) -> Sequence[float]:
        """Return the chance of each player in play not to lose, from the leader on."""
        pile, held = standing
        if len(held) == 1:
            return (0.0,)
        if len(held) == 2:
            leads = solved(self._rules).chance((pile, *held))
            return leads, 1 - leads
        first, *others = self._known(sorted_out(standing))
        found = iter(others)
        by_place = {p: next(found) for p in sorted(range(1, len(held)), key=held.__getitem__)}
        return (first, *[by_place[place] for place in range(1, len(held))])

    def after(self, standing: Standing, best: int, worst: int, stake: int) -> tuple[float, ...]:
        """Return the worths of a round's end by the places of its highest and its lowest hand.

        ``stake`` is that of ``at_stake``. The booking is that of ``game.coaster.moves``.
        """
        pile, held, halves = standing[0], list(standing[1]), self._rules.customs.halves
        places = range(len(held))
        if halves and stake == GENERAL:
            return tuple(float(place != worst) for place in places)
        deals, moved = pile > 0, stake if halves else 1
        if deals:
            moved = min(moved, pile)
            held[worst], pile = held[worst] + moved, pile - moved
        else:
            moved = held[best] if stake == GENERAL else min(moved, held[best])
            held[best] -= moved
            held[worst] += moved * halves
        gone = {best} if deals and stake == GENERAL else set()
        turns = [(worst + by) % len(held) for by in places]
        order = [place for place in turns if place not in gone and (pile or held[place])]
        following = self.worths((pile, tuple(held[place] for place in order)))
        by_place = dict(zip(order, following))
        return tuple(by_place.get(place, 1.0) for place in places)

    def ends(self, standing: Standing, own: int) -> tuple[TopWorths, ...]:
        """Return the ends of a round to the player at place ``own``, in chances not to lose."""
        ranks, stakes = RANKS[self._rules.game], list[tuple[int, int]]()
        for hand in sorted(HANDS, key=ranks.__getitem__):
            stake = at_stake(self._rules.game, hand)
            if stakes and stakes[-1][1] == stake:
                stakes.pop()
            stakes.append((ranks[hand], stake))
        seats = range(len(standing[1]))
        known = {
            stake: tuple(
                tuple(
                    self.after(standing, best, worst, stake)[own] if best != worst else 0.0
                    for worst in seats
                )
                for best in seats
            )
            for stake in {stake for _, stake in stakes}
        }
        return tuple(TopWorths(top, known[stake]) for top, stake in stakes)


def standings(rules: CoasterRules, players: int) -> Iterator[Standing]:
    """Yield those of ``players`` in play, without a pile first, the others' coasters ascending.

    Without halves, others may have left with some of the coasters (R-CHI-2).
    """
    most = rules.coasters
    for pile in range(most + 1):
        for held in range(0 if pile else players, most - pile + 1):
            if not rules.customs.halves or held == most - pile:
                for first in range(0 if pile else 1, held + 1):
                    for others in _shared(held - first, players - 1, 0 if pile else 1):
                        yield pile, (first, *others)


def _shared(coasters: int, players: int, least: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to share them out, ascending, each with ``least`` or more."""
    if players == 1:
        yield (coasters,)
        return
    for one in range(least, coasters // players + 1):
        for others in _shared(coasters - one, players - 1, one):
            yield (one, *others)


_USUAL = {rules.game: rules for rules in COASTER_GAMES}


@cache
def told(rules: CoasterRules) -> TableStandings:
    """Return what standings are worth, by the shipped tables; made once."""
    return TableStandings(rules, partial(_known, rules))


def is_told(rules: CoasterRules, players: int) -> bool:
    """Return whether three and more play for the match: with as many coasters as usual."""
    usual = _USUAL[rules.game]
    is_usual = rules.coasters == usual.coasters and players <= usual.most_players
    return is_usual and shipped.is_here(rules.game, players)


def _known(rules: CoasterRules, standing: Standing) -> Sequence[float]:
    """Return the worths of a standing; with coasters that somebody took along, an estimate."""
    pile, held = standing
    found = _table(rules.game, len(held)).get(standing)
    if found is None:
        each = pile / len(held)
        found = tuple(1 - (own + each) / (pile + sum(held)) for own in held)
    return found


@cache
def _table(game: str, players: int) -> Mapping[Standing, Sequence[float]]:
    rows = Struct(f">{players}e").iter_unpack(shipped.table(game, players))
    every = standings(_USUAL[game], players)
    return {at: tuple([1.0 - each for each in row]) for at, row in zip(every, rows)}
