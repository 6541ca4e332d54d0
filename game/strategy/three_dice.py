"""How ``maxen`` and ``chicago`` are thrown best: what to keep, what to turn, when to stop.

One turn is worked out backwards from what its end is worth, and what that is worth from the turns
that follow. With two players the round is exact, in coasters: what the lowest throw costs by the
highest (R-MAX-2, R-CHI-1), and what covered dice may be (T-5). With more, every later player is
taken to throw for nothing but the score to beat; then it counts how likely it is to be the lowest
and, where that gives coasters away, the highest.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial

from game.actions import Keep, Roll, SeatAction, Stop
from game.coaster.keeping import keeps
from game.coaster.state import MOST_THROWS, CoasterMatch, Hand
from game.coaster.values import CUP, ONES, RANKS, WORTH
from game.dice import Dice, high_to_low, throws
from game.engines import legal_actions

ALL = 21
"""What a General is taken to cost who is lowest, in coasters: it ends the half (R-MAX-4)."""
SIX = 6
"""What a Chicago is taken to gain, in coasters: it ends all danger (R-CHI-2, R-CHI-3)."""

_CHANCES = {number: tuple((d, float(c)) for d, c in throws(number)) for number in range(CUP + 1)}
_End = Callable[[Dice, int], float]


class Turn:
    """The best turn of somebody who may throw ``limit`` times, 1 to 3.

    ``end(hand, throws)`` is what it is worth to stop after so many throws, the hand sorted high to
    low; ``covered(aside)`` what a covered third throw is worth in ``maxen``.
    """

    def __init__(
        self, game: str, limit: int, end: _End, covered: Callable[[Dice], float] | None = None
    ) -> None:
        self._game, self._limit, self._end, self._covered = game, limit, end, covered
        self._known: dict[tuple[int, Dice], float] = {}

    def worth(self, thrown: int = 0, aside: Dice = ()) -> float:
        """What the next throw is worth after ``thrown`` ones, with ``aside`` set aside."""
        key = thrown, aside
        found = self._known.get(key)
        if found is None:
            if self._covered is not None and thrown == MOST_THROWS - 1:
                found = self._covered(aside)
            else:
                found = sum(
                    chance * max(self.options(thrown + 1, aside, dice).values())
                    for dice, chance in _CHANCES[CUP - len(aside)]
                )
            self._known[key] = found
        return found

    def options(self, thrown: int, aside: Dice, dice: Dice) -> Mapping[SeatAction, float]:
        """What each action is worth after a throw, the ``thrown``-th, that shows ``dice``."""
        hand = high_to_low(aside + dice)
        options: dict[SeatAction, float] = {_STOP: self._end(hand, min(thrown, MOST_THROWS))}
        bonus = thrown == MOST_THROWS == self._limit
        if thrown < self._limit:
            options[_ROLL] = self.worth(thrown, aside)
        if thrown < self._limit or bonus:
            for keep, after in _ways(self._game, aside, high_to_low(dice), bonus):
                options[keep] = self.worth(thrown, after)
        return options


_STOP, _ROLL = Stop(), Roll()


@cache
def _ways(game: str, aside: Dice, dice: Dice, bonus: bool) -> tuple[tuple[Keep, Dice], ...]:
    return tuple(
        (keep, high_to_low(aside + keep.aside + (1,) * keep.turned))
        for keep in keeps(game, aside, dice, bonus)
    )


def beats(game: str, hand: Dice, earlier: Dice) -> bool:
    """Whether a later hand ranks higher than an earlier one (M-3, C-2)."""
    return RANKS[game][hand] > RANKS[game][earlier]


def at_stake(game: str, best: Dice) -> int:
    """What a round moves between the lowest and the highest hand, in coasters."""
    if game == "maxen":
        return ALL if best == ONES else WORTH[best]
    return SIX if best == ONES else 1


Price = Callable[[bool, int], float]
"""What the end of a round of two is worth to its second player: whether he won, and what for.

The first one has the same with its sign turned, but for a constant.
"""


def coasters(won: bool, stake: int) -> float:
    """Count coasters: won ones, less than 0 if lost."""
    return float(stake if won else -stake)


@cache
def settled(game: str, first: Dice, second: Dice, price: Price = coasters) -> float:
    """What two open hands bring the second player."""
    won = beats(game, second, first)
    return price(won, at_stake(game, second if won else first))


@cache
def covered_end(first: Hand, second: Hand, price: Price = coasters) -> float:
    """The same of ``maxen`` with third throws still covered: lifted in order, turned at best."""
    if first.covered:
        return sum(
            chance
            * min(_lifted(first.aside, dice, lambda h: covered_end(Hand((), h), second, price)))
            for dice, chance in _CHANCES[CUP - len(first.aside)]
        )
    mine = _hand(first)
    if second.covered:
        return sum(
            chance * max(_lifted(second.aside, dice, lambda h: settled("maxen", mine, h, price)))
            for dice, chance in _CHANCES[CUP - len(second.aside)]
        )
    return settled("maxen", mine, _hand(second), price)


def _lifted(aside: Dice, dice: Dice, end: Callable[[Dice], float]) -> list[float]:
    """What it is worth to be content with lifted dice, and to turn sixes for a bonus throw."""
    worths = [end(high_to_low(aside + dice))]
    for _, after in _ways("maxen", aside, dice, True):
        worths.append(sum(c * end(high_to_low(after + d)) for d, c in _CHANCES[CUP - len(after)]))
    return worths


def _hand(hand: Hand) -> Dice:
    assert hand.dice is not None, "it lies open"
    return high_to_low(hand.aside + hand.dice)


@cache
def answer(game: str, first: Hand, limit: int, price: Price = coasters) -> Turn:
    """The best turn of the second of two players against the first one's hand."""

    def end(hand: Dice, _: int) -> float:
        if first.covered:
            return covered_end(first, Hand((), hand), price)
        return settled(game, mine, hand, price)

    def covered(aside: Dice) -> float:
        return covered_end(first, Hand(aside, None, True), price)

    mine = () if first.covered else _hand(first)
    return Turn(game, limit, end, covered if game == "maxen" else None)


@cache
def opening(game: str, price: Price = coasters) -> Turn:
    """The best turn of the first of two players: what he leaves to the second one is worth."""

    def end(hand: Dice, thrown: int) -> float:
        return -answer(game, Hand((), hand), thrown, price).worth()

    def covered(aside: Dice) -> float:
        return -answer(game, Hand(aside, None, True), MOST_THROWS, price).worth()

    return Turn(game, MOST_THROWS, end, covered if game == "maxen" else None)


def clear() -> None:
    """Forget all turns of two players that were worked out."""
    for known in (settled, covered_end, answer, opening):
        known.cache_clear()


@cache
def chance_to_beat(game: str, score: int, limit: int) -> float:
    """The chance of a hand that ranks higher than ``score``, by him who throws for that alone."""

    def end(hand: Dice, _: int) -> float:
        return float(RANKS[game][hand] > score)

    third = partial(_third, end=end) if game == "maxen" else None
    return Turn(game, limit, end, third).worth()


def _third(aside: Dice, end: _End) -> float:
    """What a covered third throw is worth that nobody else's covered dice matter for."""

    def lifted(hand: Dice) -> float:
        return end(hand, MOST_THROWS)

    return sum(c * max(_lifted(aside, d, lifted)) for d, c in _CHANCES[CUP - len(aside)])


@cache
def _above(aside: Dice, rank: int) -> float:
    """The chance that a covered third throw of ``maxen`` ranks higher than ``rank``."""
    return _third(aside, lambda hand, _: float(RANKS["maxen"][hand] > rank))


def prepare(game: str, players: int) -> None:
    """Work out beforehand what takes long: afterwards a decision takes few milliseconds."""
    if players == 2:
        opening(game).worth()
        return
    for score in set(RANKS[game].values()):
        for limit in range(1, MOST_THROWS + 1):
            chance_to_beat(game, score, limit)


def worths(match: CoasterMatch) -> Mapping[SeatAction, float]:
    """Return what each legal action of a seat that has thrown is worth, in coasters.

    ``match`` is the seat's view. With two players it is what the round brings in the mean; with
    more minus the chance to be lowest, and plus that to be highest where that gives coasters away.
    """
    dice = match.dice
    assert dice is not None, "he has thrown, and his dice lie open"
    options = _turn(match).options(match.throws, match.aside, dice)
    return {action: options[action] for action in legal_actions(match)}


def _turn(match: CoasterMatch) -> Turn:
    game, order = match.rules.game, match.order
    assert match.to_act is not None, "somebody has thrown"
    place = order.index(match.to_act)
    hands = [match.hands[seat] for seat in order]
    if len(order) > 2:
        return _among(match, place)
    if place == 1:
        first = hands[0]
        assert first is not None, "the first one throws first"
        return answer(game, first._replace(dice=None) if first.covered else first, match.limit)
    second = hands[1]
    if second is None:
        return opening(game)
    return _bonus(second._replace(dice=None) if second.covered else second)


@cache
def _bonus(second: Hand) -> Turn:
    """The first one's bonus throw in ``maxen``, once both have thrown."""
    return Turn("maxen", MOST_THROWS, lambda hand, _: -covered_end(Hand((), hand), second))


def _among(match: CoasterMatch, place: int) -> Turn:
    """The turn of one among three or more, against what each of the others may do."""
    game, order = match.rules.game, match.order
    hands = [match.hands[seat] for seat in order]
    open_hands = [h for h in hands[:place] + hands[place + 1 :] if h is not None and not h.covered]
    ranks = tuple(RANKS[game][_hand(hand)] for hand in open_hands)
    covered = tuple(h.aside for h in hands[:place] + hands[place + 1 :] if h and h.covered)
    to_come = sum(hand is None for hand in hands[place + 1 :])
    limit = match.limit
    gives = match.stage == 2
    return _many(game, ranks, covered, to_come, limit, place == 0, gives)


@cache
def _many(
    game: str,
    ranks: tuple[int, ...],
    covered: tuple[Dice, ...],
    to_come: int,
    limit: int,
    leads: bool,
    gives: bool,
) -> Turn:
    lowest, highest = min(ranks, default=None), max(ranks, default=-1)

    @cache
    def end(hand: Dice, thrown: int) -> float:
        rank, left = RANKS[game][hand], thrown if leads else limit
        behind = lowest is None or rank <= lowest
        lost = float(behind)
        won = float(gives and rank > highest)
        for aside in covered:
            above = _above(aside, rank)
            lost, won = lost * above, won * (1 - above)
        if to_come:
            above = chance_to_beat(game, rank, left)
            lost, won = lost * above**to_come, won * (1 - above) ** to_come
        return won - lost

    return Turn(game, limit, end, partial(_third, end=end) if game == "maxen" else None)
