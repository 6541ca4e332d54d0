"""The best play of one seat in a round of a bluff game, if the ways of the others are known.

A bot's own code makes a way (``firmware.bots.bot``), or a solved round does (``ByTheBook``).

The others play as bots of a known kind do, or by the book: see ``ways``. Only the standing value
and the seat to roll matter for what follows, so the round is worked out backwards over the standing
value. Nothing is drawn, and the rules' states are not walked: a round takes milliseconds.

It agrees with a walk of all positions (``research.strength``) to a fortieth of a gain against
bots that hand on few dice unrolled.

Three things are left out of what is still to come, not of the decision at hand. Towers do not fall.
Nobody passes the cup the wrong way. The seat itself does not hand dice on unrolled.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate, repeat
from math import fsum
from operator import mul
from typing import NamedTuple, Protocol

from game.actions import (
    Announce,
    Believe,
    Doubt,
    GiveIn,
    Look,
    OwnUp,
    Roll,
    SeatAction,
    ShowMaexchen,
    ShowTower,
)
from game.bluff.rules import PLACE, BluffRules
from game.strategy.bluff import NOTHING, InPieces, beaten_by, lowest_over
from game.strategy.ends import Prices
from game.strategy.equilibrium import Equilibrium
from game.strategy.signal import CHANCES, PLACES, TOP


class Why(NamedTuple):
    """The reason for the worth of a choice in a bluff game, in numbers.

    Attributes:
        chance: of an announcement, that the next player doubts it; of an answer, that the
            announcement is a lie. 0 to 1; None for other actions.
        if_so: the worth of the choice in that case, None if it cannot happen; of each answer the
            worth of a doubt.
        if_not: the same for the other case.
        beaten: the chance, 0 to 1, that one roll may follow what stands after the choice; None of
            an answer, and if nothing stands.
        payers: of an announcement or a roll, the worths if another player pays 1. They are in
            playing order, the next player first.
    """

    chance: float | None
    if_so: float | None
    if_not: float | None
    beaten: float | None
    payers: Sequence[float] = ()


Masses = Sequence[float]
"""The chances of the dice under a cup, by their place; they need not add up to 1."""


class KnownAnswer(NamedTuple):
    """The shares of all answers to an announcement; the rest believe and roll.

    ``hands_on`` has by place the share that believes and hands the dice on unrolled with it.
    """

    doubt: float
    gives_in: float
    hands_on: tuple[tuple[int, float], ...] = ()


class KnownTurn(NamedTuple):
    """How a turn of a known player goes.

    Attributes:
        offers: by announced place, and number of the roll: the chances of the dice.
        pays: the chance that the player owns up, or makes a fault.
        shows: the chance that the player shows a Mäxchen.
    """

    offers: Mapping[tuple[int, int], Masses]
    pays: float
    shows: float
    bundles: tuple[tuple[int, int, "DiceOffered"], ...]
    """The same as ``offers``: place, number of the roll, and the dice."""


class DiceOffered(NamedTuple):
    """Dice under an announcement: the chances of a lie, of a truth, and of a Mäxchen."""

    lie: float = 0.0
    truth: float = 0.0
    top: float = 0.0


def bundle(rules: BluffRules, place: int, dice: Masses) -> DiceOffered:
    """Return dice as they are under the announcement of ``place``."""
    others = dice[:TOP]
    lie = sum(others[:place]) + (sum(others[place + 1 :]) if rules.understating == "lie" else 0.0)
    return DiceOffered(lie, max(0.0, sum(others) - lie), dice[TOP])


class KnownWay(Hashable, Protocol):
    """The way of a known player; ``stands`` is a place, or ``NOTHING``."""

    def told(self, stands: int) -> KnownTurn:
        """Return how the player's turn over ``stands`` goes."""
        ...

    def answer(self, stands: int, roll: int, place: int) -> KnownAnswer:
        """Return how the player answers ``place``, announced over ``stands`` after that roll.

        ``roll`` is 0 for dice that were handed on.
        """
        ...


ThrowsActions = Callable[[int, int, int | None], Mapping[SeatAction, float]]
"""The chances of a player's actions, by what stands, the number of the roll, and seen dice."""


def told(rules: BluffRules, stands: int, throws: ThrowsActions) -> KnownTurn:
    """Return how a turn goes, from the actions after each roll.

    All dice that may not be announced are played alike.
    """
    offers: dict[tuple[int, int], list[float]] = {}
    pays = shows = 0.0
    lowest, rolling = lowest_over(rules, stands), 1.0
    throws = cache(throws)
    for roll in range(1, rules.rolls + 1):
        whole, rolling = rolling, 0.0
        if not whole:
            break
        unseen = dict(throws(stands, roll, None))
        looks = whole * unseen.pop(Look(), 0.0)
        every: list[tuple[int, float, Mapping[SeatAction, float]]] = [
            (rolled, whole * chance, unseen) for rolled, chance in enumerate(CHANCES)
        ]
        if looks:
            seen = [throws(stands, roll, max(rolled, lowest - 1)) for rolled in range(PLACES)]
            every += [(r, looks * c, way) for r, (c, way) in enumerate(zip(CHANCES, seen))]
        for rolled, mass, ways in every:
            for action, share in ways.items():
                if isinstance(action, Roll | ShowTower):
                    rolling += mass * share
                elif isinstance(action, ShowMaexchen):
                    shows += mass * share
                elif isinstance(action, Announce) and PLACE[action.value] >= lowest:
                    key = PLACE[action.value], roll
                    offers.setdefault(key, [0.0] * PLACES)[rolled] += mass * share
                else:
                    pays += mass * share
    bundles = [(p, roll, bundle(rules, p, dice)) for (p, roll), dice in offers.items()]
    return KnownTurn(offers, pays, shows, tuple(bundles))


class ByTheBook:
    """The way of a player who plays a solved round; ``player`` counts from its opener."""

    def __init__(self, book: Equilibrium, player: int) -> None:
        self._book, self._player = book, player
        self._told: dict[int, KnownTurn] = {}

    def told(self, stands: int) -> KnownTurn:
        """See ``KnownWay``."""
        if stands not in self._told:
            self._told[stands] = told(self._book.solved.rules, stands, self.throws)
        return self._told[stands]

    def throws(self, stands: int, roll: int, rolled: int | None) -> Mapping[SeatAction, float]:
        """See ``ThrowsActions``."""
        return self._book.thrown(self._player, stands, roll, rolled)

    def answer(self, stands: int, roll: int, place: int) -> KnownAnswer:
        """See ``KnownWay``."""
        solved = self._book.solved
        by = (self._player - 1) % solved.seats
        doubt, hands_on = self._book.answer_to(by, stands, roll, place)
        if place == TOP and solved.rules.customs.meiern:
            return KnownAnswer(doubt, 1 - doubt)
        return KnownAnswer(doubt, 0.0, tuple(hands_on.items()))


KEPT = 704
"""The number of meetings, the last ones asked for, that are kept: all of 32 pairs of neighbours;
chosen."""


@lru_cache(KEPT)
def _met(looks: int, way: KnownWay, to: KnownWay, stands: int) -> tuple[list[float], ...]:
    """Return by place the chances of the ends of a player's offers over what stands.

    They are a doubted lie, a doubted truth, a doubted Mäxchen, an offer that is believed for a
    roll, one that the next player gives in to, dice handed on, and unseen dice.
    """
    masses = tuple([[0.0] * PLACES for _ in range(7)])
    for place, roll, dice in way.told(stands).bundles:
        whole = sum(dice)
        if roll > looks:
            masses[-1][place] += whole
            continue
        doubt, gives_in, hands_on = to.answer(stands, roll, place)
        rest = 1 - doubt - gives_in - sum([share for _, share in hands_on])
        ends = *(doubt * each for each in dice), rest * whole, gives_in * whole
        for row, chance in zip(masses, ends):
            row[place] += chance
        for higher, share in hands_on:
            masses[-2][higher] += share * whole
    return masses


_CLOSE = 1e-6
_SWEEPS = 40
_NEVER = float("-inf")


class CupKnown(NamedTuple):
    """The knowledge of the seat to act about the cup.

    Attributes:
        stands: the place that stands, or ``NOTHING``; of an offered cup, the place that the dice
            were announced over.
        roll: the number of the last roll, 0 if the cup was handed on.
        announced: the place that is offered, or was just believed; else None.
        dice: the chances of the dice under the cup; None if there are none.
        seen: whether the seat has seen them.
    """

    stands: int
    roll: int = 0
    announced: int | None = None
    dice: Masses | None = None
    seen: bool = False


class Against(InPieces):
    """A round against known ways, solved for one seat.

    Args:
        rules: of a bluff game.
        ways: by place in playing order from the opener; None for the seat that plays its best.
        prices: the worths of the round's ends.
    """

    def __init__(self, rules: BluffRules, ways: Sequence[KnownWay | None], prices: Prices) -> None:
        super().__init__()
        self._rules, self.ways, self._prices = rules, ways, prices
        self._seats, self._me = len(ways), ways.index(None)
        every, places = range(self._seats), range(PLACES)
        exact = rules.understating == "lie"
        self._lie = [[self._mine(p, 0, at, 0) for at in places] for p in every]
        self._truth = [[self._mine(p, 1, at, at) for at in places] for p in every]
        self._top = [
            [self._mine(p, int(not exact or at == TOP), at, TOP) for at in places] for p in every
        ]
        """By announcer and place: the worth if that is doubted, by the dice."""
        self._pays = [prices.paid(p, 0, 1)[(self._me - p) % self._seats] for p in every]
        """By player: the worth if that one pays 1."""
        self._payers = self._pays[self._me + 1 :] + self._pays[: self._me]
        self._rolls = [[0.0] * (PLACES + 1) for _ in every]
        """By player and standing place: the worth if that player rolls."""
        self._blind, self._handed = ([[0.0] * PLACES for _ in every] for _ in range(2))
        """By announcer and place: the worth of offering unseen dice, and of a cup handed on."""
        self._units: dict[tuple[int, int], tuple[list[float], ...]] = {}

    @property
    def worth(self) -> float:
        """The worth of the round from its beginning."""
        self.solve()
        return self._rolls[0][NOTHING]

    def _mine(self, player: int, payer: int, place: int, rolled: int) -> float:
        doubted = self._prices.doubted(player, payer, place, rolled)
        return doubted[(self._me - player) % self._seats]

    def _next(self, player: int) -> int:
        return (player + 1) % self._seats

    def _solve(self, stands: int) -> Iterator[None]:
        if stands == TOP and self._rules.customs.meiern:
            for player, row in enumerate(self._rolls):
                row[TOP] = self._pays[player]  # nobody can believe it
            self._answers(TOP)
            return
        stays = stands != NOTHING and lowest_over(self._rules, stands) == stands
        for row in self._rolls if stays else ():
            row[stands] = row[min(TOP, stands + 1)]
        for _ in range(_SWEEPS if stays else 1):
            before = [row[stands] for row in self._rolls]
            if stays:
                self._answers(stands)
            for player, row in enumerate(self._rolls):
                row[stands] = self._turn(player, stands)
                yield
            if max(abs(row[stands] - was) for row, was in zip(self._rolls, before)) < _CLOSE:
                break
        if stands != NOTHING:
            self._answers(stands)

    def _answers(self, place: int) -> None:
        unseen, rolls = bundle(self._rules, place, CHANCES), self._rules.rolls
        for player, (handed, blind) in enumerate(zip(self._handed, self._blind)):
            handed[place] = self._offered(player, NOTHING, 0, place, DiceOffered(lie=1.0))
            blind[place] = self._offered(player, NOTHING, rolls, place, unseen)

    def _doubted(self, player: int, place: int, dice: DiceOffered) -> float:
        """Return the worth of a doubted offer, times the chance of its dice."""
        lie = dice.lie * self._lie[player][place]
        return lie + dice.truth * self._truth[player][place] + dice.top * self._top[player][place]

    def _offered(self, player: int, stands: int, roll: int, place: int, dice: DiceOffered) -> float:
        """Return the worth of an offer, times the chance of its dice; nobody else knows them."""
        doubted, whole, to = self._doubted(player, place, dice), sum(dice), self._next(player)
        if self.ways[to] is None:
            return max(doubted, whole * self._rolls[to][place])
        doubt, passed = self._answered(player, stands, roll, place)
        return doubt * doubted + whole * passed

    def _answered(self, player: int, stands: int, roll: int, place: int) -> tuple[float, float]:
        """Return the chance that an offer is doubted, and the worth of all other answers."""
        to, handed = self._next(player), self._handed if roll <= self._rules.looks else self._blind
        way = self.ways[to]
        assert way is not None, "somebody answers in a known way"
        doubt, gives_in, hands_on = way.answer(stands, roll, place)
        worth, rest = gives_in * self._pays[to], 1 - doubt - gives_in
        for higher, share in hands_on:
            worth += share * handed[to][higher]
            rest -= share
        return doubt, worth + rest * self._rolls[to][place]

    def _turn(self, player: int, stands: int) -> float:
        way, to = self.ways[player], self._next(player)
        if way is None:
            return self._rolled(stands, 1)
        turn, answers = way.told(stands), self.ways[to]
        worth = turn.pays * self._pays[player] + turn.shows * self._pays[to]
        if answers is None:
            return worth + sum([self._heard(player, stands, *each) for each in turn.bundles])
        doubted, pays = (self._lie, self._truth, self._top), [self._pays[to]] * PLACES
        rows = [row[player] for row in doubted] + [self._rolls[to], pays, self._handed[to]]
        met = _met(self._rules.looks, way, answers, stands)
        ends = zip([*rows, self._blind[player]], met)
        return worth + fsum([sum(map(mul, *each)) for each in ends])

    def _heard(self, player: int, stands: int, place: int, roll: int, dice: DiceOffered) -> float:
        if roll > self._rules.looks:
            return sum(dice) * self._blind[player][place]
        return self._offered(player, stands, roll, place, dice)

    def _rolled(self, stands: int, roll: int) -> float:
        """Return the worth of the seat's own roll of that number, before it is looked at."""
        if roll <= self._rules.looks:
            return fsum(map(mul, CHANCES, self._seen(stands, roll)))
        said = self._blind[self._me][lowest_over(self._rules, stands) :]
        return max(*said, self._besides(stands, roll))

    def _besides(self, stands: int, roll: int) -> float:
        """Return the worth of the best action after a roll that announces nothing."""
        customs = self._rules.customs
        once = stands == NOTHING and customs.opener_rolls_once
        gives_up = customs.open_mistakes or (customs.meiern and stands != NOTHING)
        worth = self._pays[self._me] if gives_up else _NEVER
        if roll < (1 if once else self._rules.rolls):
            worth = max(worth, self._rolled(stands, roll + 1))
        return worth

    def _seen(self, stands: int, roll: int) -> list[float]:
        """Return by the place of dice just seen the worth of the best action."""
        lies, truths, tops = self._said(stands, roll)
        besides = repeat(self._besides(stands, roll))
        above = [*accumulate(lies[:0:-1], max)][::-1]
        lesser = lies if self._rules.understating == "lie" else truths
        below = accumulate(lesser, max, initial=_NEVER)
        found = [*map(max, besides, above, truths, below)]
        shown = self._pays[self._next(self._me)] if self._rules.customs.meiern else _NEVER
        return [*found, max(next(besides), shown, *tops)]

    def _said(self, stands: int, roll: int) -> tuple[list[float], ...]:
        """Return by place the worths of the seat's offers: of a lie, of a truth, of a Mäxchen."""
        empty = tuple([_NEVER] * PLACES for _ in range(3))
        found = self._units.setdefault((stands, roll), empty)
        for place in range(lowest_over(self._rules, stands), PLACES):
            if place == stands or found[0][place] == _NEVER:
                doubt, passed = self._answered(self._me, stands, roll, place)
                for row, doubted in zip(found, (self._lie, self._truth, self._top)):
                    row[place] = doubt * doubted[self._me][place] + passed
        return found

    def worths(self, cup: CupKnown, options: Sequence[SeatAction]) -> dict[SeatAction, float]:
        """Return the worth of each option that is a decision of this game."""
        self.solve()
        worths = ((action, self._worth(cup, action)) for action in options)
        return {action: worth for action, worth in worths if worth is not None}

    def _worth(self, cup: CupKnown, action: SeatAction) -> float | None:
        me, stands, roll = self._me, cup.stands, cup.roll
        match action:
            case Announce(value, _, wrong_way):
                return None if wrong_way else self._announced(cup, PLACE[value])
            case Roll():
                if cup.announced is not None:
                    return self._rolls[me][cup.announced]
                return self._rolled(stands, roll + 1)
            case Look():
                return fsum(map(mul, CHANCES, self._seen(stands, roll)))
            case ShowTower():
                return self._rolled(stands, roll)
            case OwnUp() | GiveIn():
                return self._pays[me]
            case ShowMaexchen():
                return self._pays[self._next(me)]
            case Doubt() | Believe():
                assert cup.announced is not None, "something is offered"
                assert cup.dice is not None, "there are dice under it"
                if type(action) is Believe:
                    return self._believed(cup, cup.announced)
                offered = bundle(self._rules, cup.announced, cup.dice)
                return self._doubted((me - 1) % self._seats, cup.announced, offered)
            case _:
                return None

    def why(self, cup: CupKnown, action: SeatAction) -> Why | None:
        """Return the reason for the worth of an action; None if nothing but the dice decides."""
        me, at = self._me, cup.announced
        stands = cup.stands if at is None else at
        if isinstance(action, Roll):
            beaten = None if stands == NOTHING else beaten_by(self._rules, stands)
            return Why(None, None, None, beaten, self._payers)
        if isinstance(action, Announce):
            return self._why_said(cup, stands, PLACE[action.value])
        if at is None or cup.dice is None or not isinstance(action, Doubt | Believe):
            return None
        lie, truth, top = bundle(self._rules, at, cup.dice)
        by, is_true = (me - 1) % self._seats, at == TOP or self._rules.understating != "lie"
        false, true = (lie, truth + top) if is_true else (lie + top, truth)
        right = truth * self._truth[by][at] + (top * self._top[by][at] if is_true else 0.0)
        caught, wrong = self._lie[by][at] if false else None, right / true if true else None
        return Why(false / (false + true), caught, wrong, None)

    def _why_said(self, cup: CupKnown, stands: int, place: int) -> Why | None:
        lowest = lowest_over(self._rules, stands) if cup.announced is None else stands + 1
        way = self.ways[self._next(self._me)]
        if (stands != NOTHING and place < lowest) or way is None:
            return None
        roll = 0 if cup.announced is not None else cup.roll
        doubt = way.answer(stands, roll, place).doubt
        dice = bundle(self._rules, place, CHANCES if cup.dice is None else cup.dice)
        whole = sum(dice)
        caught = self._doubted(self._me, place, dice) / whole
        passed = None
        if doubt < 1:
            passed = (self._announced(cup, place) / whole - doubt * caught) / (1 - doubt)
        beaten = beaten_by(self._rules, place)
        return Why(doubt, caught if doubt else None, passed, beaten, self._payers)

    def _believed(self, cup: CupKnown, place: int) -> float:
        """Return the worth of believing: to roll then, or to hand the dice on."""
        hands_on = [self._announced(cup, higher) for higher in range(place + 1, PLACES)]
        return max(self._rolls[self._me][place], *hands_on, _NEVER)

    def _announced(self, cup: CupKnown, place: int) -> float:
        me, unrolled = self._me, cup.announced is not None
        stands = cup.announced if cup.announced is not None else cup.stands
        lowest = stands + 1 if unrolled else lowest_over(self._rules, stands)
        if stands != NOTHING and place < lowest:
            return self._pays[me]
        dice = bundle(self._rules, place, CHANCES if cup.dice is None else cup.dice)
        if not (cup.seen or unrolled) and cup.roll > self._rules.looks:
            return self._blind[me][place]
        return self._offered(me, stands, 0 if unrolled else cup.roll, place, dice)
