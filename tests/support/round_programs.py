"""The worth of a bluff round between two, by linear programs over the core's positions.

Nothing here comes from the solver: every action is one of ``legal_actions``, every roll one of
``rolls``, every position one that ``apply`` made. With dice that nobody has seen it is a game of
open cards. A player who looks knows more than the other until the dice are rolled again or lifted:
that stage is a linear program.

Handing the dice on unrolled would make a stage too long to write down. Here it may be done once, by
the answerer, with the values ``hands_on``; then the roller has to doubt, or believe and roll. With
every value that asks too much of the roller, with none too much of the answerer. If both have the
same worth, or the answerer wants only values that nothing beats, the whole stage has that worth.
"""

import numpy as np
from scipy.optimize import linprog

from game import apply, legal_actions, new_match, rolls
from game.actions import Announce, Believe, Doubt, Lift, Look, Roll
from game.bluff.rules import RANKING
from game.status import Phase

NAMES = ("Ana", "Ben")
CLOSE = 1e-13
"""A position that play comes back to is worked out until it changes by less."""

TIGHT = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


def paid(match, seat):
    """Return the penalties that a round has brought the seat, between two."""
    return float(match.tally[1 - seat] - match.tally[seat])


class Programs:
    """The worths of a round.

    Args:
        rules: of a bluff game.
        hands_on: the values with which dice may be handed on that their roller has seen.
        ends: what a match is worth to a seat once the round is over; the other seat gets the
            negative. None counts penalties: then both seats are alike.
        flourishes: whether announcements may be made with them.
    """

    def __init__(self, rules, hands_on=(), ends=None, flourishes=False):
        self.start = new_match(rules, NAMES, 0)
        self.hands_on, self.flourishes = frozenset(hands_on), flourishes
        self.ends, self.alike = ends or paid, ends is None
        self.error = 0.0
        """The most that the two sides of one program were apart."""
        self._known, self._found, self._guess, self._open = {}, {}, {}, set()
        self._guessed = False

    def worths(self, lowest=None):
        """Return the worth of having believed each value from ``lowest`` on, by value.

        ``lowest`` None means all of them; the key None then has the worth of the round to its
        opener.
        """
        found = {}
        for value in reversed(RANKING[RANKING.index(lowest or RANKING[0]) :]):
            stands = self._step(self._step(self.start, Roll()), Announce(value))
            if Believe() in legal_actions(stands):
                found[value] = self._settled(self._step(stands, Believe()))
        if lowest is None:
            found[None] = self._settled(self.start)
        return found

    def _settled(self, match):
        """Return the worth of a position, however often play comes back to it."""
        before = {}
        while True:
            self._found, self._guessed = {}, False
            found = self._worth(match)
            change = max(abs(w - self._guess.get(key, 0.0)) for key, w in self._found.items())
            if not self._guessed or change < CLOSE:
                self._known |= self._found
                return found
            if before:
                self._guess, before = extrapolated(before, self._guess, self._found), {}
            else:
                self._guess, before = self._found, self._guess

    def _worth(self, match):
        """Return the worth of a position to the seat to act, if nobody has seen the dice."""
        asked = match.phase in (Phase.OFFERED, Phase.DOUBTED)
        key = (
            match.phase, match.announced, match.rolls, match.announcer == match.to_act,
            match.announcer_rolls if asked else None, None if self.alike else match.to_act,
        )  # fmt: skip
        for known in (self._known, self._found):
            if key in known:
                return known[key]
        if key in self._open:
            self._guessed = True
            return self._guess.get(key, 0.0)
        self._open.add(key)
        found = self._found[key] = max(self._ways(match))
        self._open.remove(key)
        return found

    def _ways(self, match):
        for action in self._actions(match):
            if type(action) is Look:
                yield self._program(match)
            elif type(action) is Lift:
                yield sum(
                    float(chance) * self._after(match, Lift(roll.dice, roll.tower), match.to_act)
                    for roll, chance in rolls(match)
                )
            else:
                yield self._after(match, action, match.to_act)

    def _actions(self, match):
        plain = (a for a in legal_actions(match) if getattr(a, "flourish", None) is None)
        return legal_actions(match) if self.flourishes else tuple(plain)

    def _step(self, match, action):
        return apply(match, action).match.replace(turn=0)

    def _after(self, match, action, seat):
        return self._for(self._step(match, action), seat)

    def _for(self, match, seat):
        """Return the worth to a seat of a position in which nobody knows any dice."""
        if match.round != self.start.round or match.to_act is None:
            return self.ends(match, seat)
        assert match.dice is None, "these dice somebody knows"
        worth = self._worth(match)
        return worth if match.to_act == seat else -worth

    def _program(self, match):
        """Return the worth of a look, by a linear program: shares of announcements by the dice."""
        seat = match.to_act
        chances, besides, told = [], [], {}
        for row, (roll, chance) in enumerate(rolls(match)):
            seen = self._step(match.replace(dice=roll.dice, tower=roll.tower), Look())
            chances.append(float(chance))
            besides.append(-np.inf)
            for action in self._actions(seen):
                after = self._step(seen, action)
                if after.phase is Phase.OFFERED:
                    for answer, worth in self._answers(after, seat):
                        told.setdefault(action, {}).setdefault(answer, {})[row] = worth
                else:
                    besides[row] = max(besides[row], self._for(after, seat))
        payoffs = [
            np.array([[each[row] for row in range(len(chances))] for each in answers.values()])
            for answers in told.values()
        ]
        low, high = two_sides(np.array(chances), np.array(besides), payoffs)
        self.error = max(self.error, high - low)
        return (low + high) / 2

    def _answers(self, offered, seat):
        """How an offered cup may be answered whose dice ``seat`` knows, and what it makes of it."""
        for answer in self._actions(offered):
            after = self._step(offered, answer)
            if type(answer) is Doubt:
                yield answer, self._after(after, Lift(), seat)
            elif type(answer) is Believe:
                yield Roll(), self._after(after, Roll(), seat)
                for action in self._actions(after) if after.to_act != seat else ():
                    if type(action) is Announce and action.value in self.hands_on:
                        back = self._answers(self._step(after, action), seat)
                        yield action, max(worth for _, worth in back)
            else:
                yield answer, self._for(after, seat)


def extrapolated(first, second, third):
    """Return the limit of numbers that come closer by the same share each time."""
    return {
        key: last - (last - second[key]) ** 2 / bend
        if abs(bend := last - 2 * second[key] + first.get(key, 0.0)) > CLOSE and key in second
        else last
        for key, last in third.items()
    }


def two_sides(chances, besides, payoffs):
    """Return the least and the most worth that both can make sure of, for the roller.

    Args:
        chances: of each roll.
        besides: the worth of not announcing, by roll; minus infinity if that is impossible.
        payoffs: for each announcement, by answer and roll, the gain of the roller.
    """
    throws, labels = len(chances), len(payoffs)
    alone = np.isfinite(besides)
    size = throws * (labels + 1) + labels
    goal = np.zeros(size)
    goal[throws * labels : throws * (labels + 1)] = np.where(alone, -besides, 0.0)
    goal[throws * (labels + 1) :] = -1.0
    above = np.zeros((sum(map(len, payoffs)), size))
    row = 0
    for label, each in enumerate(payoffs):
        rows = slice(row, row := row + len(each))
        above[rows, throws * label : throws * (label + 1)] = -each
        above[rows, throws * (labels + 1) + label] = 1.0
    whole = np.tile(np.eye(throws), labels + 1)
    whole = np.hstack((whole, np.zeros((throws, labels))))
    bounds = [(0, None)] * (throws * labels) + [(0, None if a else 0) for a in alone]
    bounds += [(None, None)] * labels
    found = linprog(goal, above, np.zeros(len(above)), whole, chances, bounds, options=TIGHT)
    assert found.status == 0, found.message
    shares = found.x[: throws * (labels + 1)].clip(0).reshape(labels + 1, throws)
    shares *= chances / shares.sum(0)
    low = sum((each @ share).min() for each, share in zip(payoffs, shares))
    low += shares[labels][alone] @ besides[alone]
    best, row = besides.copy(), 0
    for each in payoffs:
        answers = -found.ineqlin.marginals[row : row + len(each)].clip(None, 0)
        row += len(each)
        best = np.maximum(best, answers / answers.sum() @ each)
    return low, chances @ best
