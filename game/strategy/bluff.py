"""A round of a bluff game for two players, solved by backward induction over what stands.

Who believes rolls afresh, so what a position is worth depends only on what stands and on who is to
roll. What stands rises, or, where equal values may be announced, stays: then its worth is found as
the one number that reproduces itself.

Dice that nobody has seen are worth the same to both: the cup is then doubted or believed by its
value alone. Dice that their roller has seen are never handed on by the other one, but for
one case (R-PHYS-4): the roller never announces less than he has, so a higher announcement would be
a lie that he knows of.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from game.bluff.customs import Equal
from game.bluff.rules import BluffRules
from game.strategy.signal import CHANCES, PLACES, TOP, Signal, Terms, signal, worth
from game.strategy.stakes import UNIT, Stakes

NOTHING = PLACES
"""What stands when nothing stands, where a place is counted."""
_NEVER = float("-inf")
_CLOSE = 1e-14


class Unseen(NamedTuple):
    """What it is worth to be offered dice that nobody has seen, and whether to doubt them.

    To hand them on would be a third answer. It is never better: the other one has as good a choice.
    """

    worth: float
    doubt: bool


class Blind(NamedTuple):
    """What it is worth to have made a roll that may not be seen, and what is best then.

    It is the place to announce, or None for what there is besides: to roll again, or to give up.
    """

    worth: float
    announce: int | None


class Turn(NamedTuple):
    """How a seat plays over what stands: ``rolls[k]`` is after its roll ``k + 1``.

    ``outside[k]`` is what it is worth then not to announce, and ``again[k]`` whether that is to
    roll once more rather than to give up.
    """

    worth: float
    rolls: tuple[Signal | Blind, ...]
    outside: tuple[float, ...]
    again: tuple[bool, ...]


class Round:
    """A solved round. Both seats are 0 and 1; with even stakes they play alike.

    Args:
        rules: of a bluff game.
        stakes: as the seat has them that opens, seat 0.
    """

    def __init__(self, rules: BluffRules, stakes: Stakes = UNIT) -> None:
        self.rules = rules
        self.stakes = (stakes,) if stakes.even else (stakes, stakes.turned())
        seats = len(self.stakes)
        self.turns: list[list[Turn | None]] = [[None] * (PLACES + 1) for _ in range(seats)]
        """By seat and place of what stands; None over a Mäxchen that cannot be believed."""
        self.fresh = [[0.0] * PLACES for _ in range(seats)]
        """What it is worth to have believed."""
        self.unseen: list[list[Unseen | None]] = [[None] * PLACES for _ in range(seats)]
        self.spared: list[list[Unseen | None]] = [[None] * PLACES for _ in range(seats)]
        """The same, where a tower would spare the announcer (R-HF-8)."""
        self._towers = 1 / rules.tower_one_in if rules.tower_one_in else 0.0
        for stands in range(TOP, -1, -1):
            self._solve(stands)
        self._solve(NOTHING)

    @property
    def worth(self) -> float:
        """What the round is worth to its opener."""
        return self.turn(0, NOTHING).worth

    def turn(self, seat: int, stands: int) -> Turn:
        """How ``seat`` plays over the place ``stands``, or ``NOTHING``."""
        found = self.turns[seat % len(self.stakes)][stands]
        assert found is not None, "over a Mäxchen there is nothing to play"
        return found

    def answer(self, seat: int, place: int, spared: bool) -> Unseen:
        """How ``seat`` answers an announcement of ``place`` about dice that nobody has seen."""
        found = (self.spared if spared else self.unseen)[seat % len(self.stakes)][place]
        assert found is not None, "every announcement is answered"
        return found

    def _solve(self, stands: int) -> None:
        seats = range(len(self.stakes))
        customs = self.rules.customs
        if stands == TOP and customs.meiern:
            for seat in seats:
                self.fresh[seat][TOP] = self.stakes[seat].own[0]  # he gives in
                self._answer(seat, TOP)
            return
        if stands != NOTHING and _lowest(self.rules, stands) == stands:
            start = self.stakes[0].own[0]
            self._assume(0, stands, fixed_point(lambda v: self._reproduced(stands, v), start))
            for seat in reversed(seats[1:]):
                self._assume(seat, stands, self._worth(seat, stands))
        for seat in seats:
            turn = self._turn(seat, stands, final=True)
            self.turns[seat][stands] = turn
            if stands != NOTHING:
                self._assume(seat, stands, turn.worth)

    def _reproduced(self, stands: int, assumed: float) -> float:
        """What seat 0 gets over ``stands`` if it is worth ``assumed`` when it comes back."""
        self._assume(0, stands, assumed)
        for seat in range(len(self.stakes) - 1, 0, -1):
            self._assume(seat, stands, self._worth(seat, stands))
        return self._worth(0, stands)

    def _assume(self, seat: int, stands: int, worth: float) -> None:
        self.fresh[seat][stands] = worth
        self._answer(seat, stands)

    def _answer(self, seat: int, place: int) -> None:
        """Work out the answers to a ``place`` that nobody has seen."""
        for spared, table in ((False, self.unseen), (True, self.spared)):
            doubted = self._doubted(seat, place, spared)
            believed = self.fresh[seat][place]
            table[seat][place] = Unseen(max(doubted, believed), doubted >= believed)

    def _doubted(self, seat: int, place: int, spared: bool) -> float:
        """What a doubt is worth to ``seat`` about dice that nobody has seen."""
        stakes = self.stakes[seat]
        liar = CHANCES_OF_LIES[self.rules.understating == "lie"][place]
        if spared:
            liar *= (1 - self._towers) / (1 - liar * self._towers)
        cost = self._cost(place)
        result = liar * stakes.others[cost] + (1 - liar) * stakes.own[cost]
        if self.rules.customs.lifted_maexchen_costs_too and place != TOP:
            result += CHANCES[TOP] * (stakes.own[1] - stakes.own[0])
        return result

    def _cost(self, place: int) -> int:
        """0 for a cost of one, 1 for two, if ``place`` is announced and doubted."""
        return int(place == TOP and self.rules.customs.maexchen_cost > 1)

    def _worth(self, seat: int, stands: int) -> float:
        return self._turn(seat, stands, final=False).worth

    def _turn(self, seat: int, stands: int, *, final: bool) -> Turn:
        """How ``seat`` plays over ``stands``; only what it is worth unless it is ``final``."""
        rules, nothing = self.rules, stands == NOTHING
        customs = rules.customs
        gives_up = customs.open_mistakes or (customs.meiern and not nothing)
        floor = self.stakes[seat].own[0] if gives_up else _NEVER
        last = 1 if nothing and customs.opener_rolls_once else rules.rolls
        rolls: list[Signal | Blind] = []
        outsides, agains = [], []
        after = _NEVER
        for roll in range(last, 0, -1):
            outside = max(floor, after)
            stage: Signal | Blind
            if roll > rules.looks:
                stage = self._blind(seat, stands, roll, outside)
                after = stage.worth
            else:
                terms = self._terms(seat, stands, outside)
                if self._towers:
                    shown = fixed_point(partial(_shown, terms), terms.shown)
                    terms = terms._replace(shown=shown)
                after = worth(terms)
                if final:
                    rolls.append(signal(terms))
                    outsides.append(outside)
                    agains.append(outside > floor)
                continue
            rolls.append(stage)
            outsides.append(outside)
            agains.append(outside > floor)
        return Turn(after, tuple(rolls[::-1]), tuple(outsides[::-1]), tuple(agains[::-1]))

    def _blind(self, seat: int, stands: int, roll: int, outside: float) -> Blind:
        table = self.spared if self._towers and roll == self.rules.rolls else self.unseen
        answers = table[(seat + 1) % len(self.stakes)]
        best = Blind(outside, None)
        for place in range(_lowest(self.rules, stands), PLACES):
            answer = answers[place]
            if answer is not None and -answer.worth > best.worth:
                best = Blind(-answer.worth, place)
        return best

    def _terms(self, seat: int, stands: int, outside: float) -> Terms:
        customs, stakes = self.rules.customs, self.stakes[seat]
        other = (seat + 1) % len(self.stakes)
        costs = [self._cost(place) for place in range(PLACES)]
        veiled = None
        if customs.lifted_maexchen_costs_too:
            veiled = max(stakes.own[1], self.fresh[seat][TOP])
        return Terms(
            lowest=_lowest(self.rules, stands),
            believed=[-believed for believed in self.fresh[other]],
            lie=[stakes.own[cost] for cost in costs],
            truth=[stakes.others[cost] for cost in costs],
            outside=outside,
            forced=frozenset({TOP}) if customs.meiern else frozenset(),
            towers=self._towers,
            shown=outside if outside > _NEVER else stakes.own[0],
            veiled=veiled,
        )


def _lowest(rules: BluffRules, stands: int) -> int:
    """The lowest place that may be announced over ``stands`` after rolling (B-3)."""
    if stands == NOTHING:
        return 0
    equal = rules.customs.equal
    stays = equal is Equal.ANY or (equal is Equal.MAEXCHEN and stands == TOP)
    return stands if stays else stands + 1


def _shown(terms: Terms, shown: float) -> float:
    return worth(terms._replace(shown=shown))


def fixed_point(function: Callable[[float], float], start: float) -> float:
    """Return the number that ``function`` reproduces, to the last digits.

    It changes less than its argument does, and is linear but for few kinks: secants find it.
    """
    before, number = start, function(start)
    gap_before = number - before
    while abs(gap_before) > _CLOSE:
        gap = function(number) - number
        if abs(gap) <= _CLOSE or gap == gap_before:
            break
        step = gap * (number - before) / (gap_before - gap)
        before, number, gap_before = number, number + step, gap
    return number


CHANCES_OF_LIES = (
    tuple(sum(CHANCES[:place]) for place in range(PLACES)),
    tuple(1 - chance for chance in CHANCES),
)
"""The chance that a roll nobody saw makes a place a lie; second, where understating is one."""
