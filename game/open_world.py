"""Matches of ``maxen``, ``chicago`` and ``sevens`` in lock step; needs numpy.

A game is a record of tables that the core fills: what a throw makes of the dice set aside, what may
be kept of it, and what it is worth. Moves are those of the core on arrays, and tests compare both.
``game.vector`` is the door.
"""

from collections.abc import Callable
from itertools import combinations_with_replacement
from typing import Any, Final

import numpy as np

from game import status
from game.actions import Give, Keep, Lift, Roll, SeatAction, Stop
from game.coaster.legality import keeps
from game.coaster.rounds import SECOND, THIRD
from game.coaster.rules import CoasterRules
from game.coaster.values import CUP, ONES
from game.dice import FACES, Dice, high_to_low, throws
from game.engines import AnyMatch, seat_actions
from game.lock_step import NOTHING, OVER, Flags, Floats, Ints, World, shares
from game.options import SetupError
from game.sevens.rules import SevensRules
from game.sevens.values import score
from game.status import ROLL_OFF, THROWN, TO_LIFT, TO_THROW

_PHASES: Final = (status.OVER, ROLL_OFF, TO_THROW, THROWN, TO_LIFT)
_, _ROLL_OFF, _TO_THROW, _THROWN, _TO_LIFT = range(len(_PHASES))
_NOT_PLAYED: Final = ("levelling", "may_give")
"""Options that no world has: they ask a player between two rounds."""
_LOW: Final = -(10**6)
"""Lower than any rank."""
_MOST: Final = 4
"""The most throws of a turn, with a bonus (T-4)."""


class OpenWorld(World):
    """Matches of a game of open dice; see ``World``.

    ``cups`` are by number the dice set aside and the dice thrown, none before a throw. ``cup`` is
    that of the seat to act, and ``hands`` are those of the seats that have thrown, -1 for none.
    ``covered`` has a bit for each seat whose throw is covered, ``members`` for each of the order.
    ``to_act``, ``leader``, ``limit``, ``round``, ``half``, ``pile`` and ``deciding`` are as in a
    match, with -1 for None. ``thrown`` counts throws, and ``tally`` the coasters.
    """

    PHASES = _PHASES
    FRESH = (0, 0, 0)

    members: Ints
    leader: Ints
    start: Ints
    limit: Ints
    half: Ints
    loser: Ints
    pile: Ints
    deciding: Ints
    cup: Ints
    thrown: Ints
    covered: Ints

    def __init__(
        self,
        rules: CoasterRules | SevensRules,
        players: int,
        matches: int,
        rng: np.random.Generator,
    ) -> None:
        for option in _NOT_PLAYED:
            if getattr(rules, option, False):
                raise SetupError(f"game.vector does not play {rules.game} with {option} = yes")
        self.rules: Any = rules
        actions = [each for each in seat_actions(rules, players) if type(each) is not Give]
        self._tables(actions)
        shape = (len(_PHASES), len(self.cups), 2, 2)
        moves = {Roll: self._roll, Keep: self._keep, Stop: self._stop, Lift: self._lift}
        super().__init__(rules, players, matches, rng, actions, moves, shape)
        self.ways = self._fall.shape[1]
        self.hands, self._last = (np.zeros((matches, players), np.intp) for _ in range(2))
        self.reset(np.ones(matches, np.bool_))

    def _tables(self, actions: list[SeatAction]) -> None:
        """Fill what follows from the rules, by cup and by throw."""
        rules, number, most = self.rules, CUP, CUP
        if isinstance(rules, SevensRules):
            number, most = rules.dice, 1
        high = FACES[::-1]
        asides = [
            dice for size in range(most) for dice in combinations_with_replacement(high, size)
        ]
        cups: list[tuple[Dice, Dice]] = [(aside, ()) for aside in asides]
        falls, ways = [], len(FACES) ** number
        for aside in asides:
            found = throws(number - len(aside))
            times = [int(chance * ways) for _, chance in found]
            falls.append(np.repeat(len(cups) + np.arange(len(found)), times))
            cups += [(aside, dice) for dice, _ in found]
        self.cups, self._fall = tuple(cups), np.array(falls, np.int16)
        pending = {aside: cup for cup, aside in enumerate(asides)}

        def table(of: Callable[[Dice, Dice], int]) -> Ints:
            return np.array([of(*cup) if cup[1] else 0 for cup in cups], np.intp)

        def kept(aside: Dice, each: SeatAction) -> int:
            if not isinstance(each, Keep):
                return 0
            return pending.get(high_to_low(aside + each.aside + (1,) * each.turned), 0)

        self._aside = np.array([pending[aside] for aside, _ in cups])
        self._kept = np.array([[kept(aside, each) for each in actions] for aside in asides])
        self._pips = table(lambda _, dice: sum(dice))
        self._pay: Callable[[Ints, Ints, Ints, Ints], None] = self._lose_a_round
        if isinstance(rules, CoasterRules):
            customs, turns = rules.customs, (rules.six_stays, rules.turns_one)
            self._pay = self._pay_in_halves if customs.halves else self._pay_until_safe
            self._covers = customs.third_covered
            self._rank = table(lambda aside, dice: customs.ranks[aside + dice])
            self._worth = table(lambda aside, dice: customs.worths[aside + dice])
            self._ones = table(lambda aside, dice: aside + dice == ONES) > 0
            self._bonus = table(lambda *cup: len(keeps(rules.game, *cup, True, *turns))) > 0
        else:
            self._rank = table(lambda _, dice: -score(dice, rules.seven_dice))
            self._bonus, self._covers = np.zeros(len(cups), np.bool_), False
        faces = [[each.count(face) / number for each in cup for face in FACES] for cup in cups]
        self._faces = np.array([*faces, [0.0] * 2 * len(FACES)], np.float32)
        self._shown: Floats = self._faces[:, : len(FACES)] + self._faces[:, len(FACES) :]

    def _open(self, at: Ints, first: Ints) -> None:
        self.members[at], self.start[at], self.leader[at] = self._all, first, NOTHING
        self.half[at], self.pile[at], self._last[at] = 1, getattr(self.rules, "coasters", 0), 0
        self.loser[at] = NOTHING
        self.deciding[at], self.limit[at], self.hands[at] = 0, self.rules.throws, NOTHING
        self._clear(at, _ROLL_OFF, first)

    def roll_of(self, match: int, fall: int) -> Roll:
        """Return the roll that a number of chance stands for in a match now."""
        return Roll(self.cups[self._fall[self._aside[self.cup[match]], fall]][1])

    def _situation(self) -> Ints:
        phase, cup, last, _ = self._strides
        found: Ints = self.phase * phase + self.cup * cup
        found += (self.thrown >= self.limit) * last
        found += self.thrown == self.rules.throws
        return found

    def _example(self, *at: int) -> AnyMatch:
        phase, cup, last, bonus = at
        aside, dice = self.cups[cup]
        throws = self.rules.throws if bonus else 1
        changes: dict[str, Any] = {"aside": aside} if aside else {}
        return self._start.replace(
            phase=_PHASES[phase],
            dice=dice or None,
            throws=throws,
            limit=throws + (not last),
            **changes,
        )

    def observe(self) -> Floats:
        """Return what the seat to act knows: matches × features, 0 to 1.

        They are the phase, the dice set aside and thrown, its throws and their limit, the half, the
        pile and whether the round decides. By seat from the observer they are the leader, who has
        lost the first half, who plays, coasters, and the open dice of who has finished.
        """
        seats, at = self.players, len(_PHASES)
        known = np.zeros((self.matches, at + 17 + 10 * seats), np.float32)
        known[self._rows, self.phase] = 1
        known[:, at : at + 12] = self._faces.take(self.cup, 0)
        known[:, at + 12], known[:, at + 13] = self.thrown / _MOST, self.limit / _MOST
        known[:, at + 14], known[:, at + 15] = self.half / THIRD, self.deciding
        known[:, at + 16] = shares(self.pile)
        at += 17
        places = self._seen_from(self._ring.take(self.to_act, 0))
        for each in (
            self._from_me(self._bit.take(self.leader)),
            self._from_me(self._bit.take(self.loser)),
            self._from_me(self.playing),
            shares(self.tally.take(places)),
        ):
            known[:, at : at + seats] = each
            at += seats
        hands = self.hands.take(places)
        if self._covers:
            hands = np.where(self._from_me(self.covered), self._aside.take(hands), hands)
        known[:, at:] = self._shown.take(hands, 0).reshape(self.matches, -1)
        return known

    def step(self, actions: Ints, falls: Ints | None = None) -> Flags:
        """Do ``actions``, as ``World.step`` does; the turns that they end, end together."""
        self._ended: list[Ints] = []
        over = super().step(actions, falls)
        if self._ended:
            self._finish(np.concatenate(self._ended))
            over = self.phase == OVER
        return over

    def _roll(self, at: Ints, _: Ints, falls: Ints) -> None:
        cup = self._fall[self._aside[self.cup[at]], falls]
        off = self.phase[at] == _ROLL_OFF
        if off.any():
            self._throw_for_the_lead(at[off], cup[off])
            at, cup = at[~off], cup[~off]
        self.cup[at], self.phase[at] = cup, _THROWN
        thrown = self.thrown[at] = self.thrown[at] + 1
        third = thrown == self.rules.throws
        goes_on = (thrown < self.limit[at]) | (third & self._bonus[cup])
        if self._covers:
            self.covered[at] |= third << self.to_act[at]
            goes_on &= ~third
        self._ended.append(at[~goes_on])

    def _keep(self, at: Ints, actions: Ints, _: Ints) -> None:
        self.cup[at] = self._kept[self._aside[self.cup[at]], actions]
        self.phase[at] = _TO_THROW

    def _stop(self, at: Ints, _actions: Ints, _falls: Ints) -> None:
        self._ended.append(at)

    def _lift(self, at: Ints, _actions: Ints, _falls: Ints) -> None:
        seat = self.to_act[at]
        self.covered[at] &= ~(1 << seat)
        self.cup[at], self.phase[at] = self.hands[at, seat], _THROWN
        self._ended.append(at[~self._bonus[self.cup[at]]])

    def _throw_for_the_lead(self, at: Ints, cup: Ints) -> None:
        seat = self.to_act[at]
        self.hands[at, seat] = cup
        following = self._next[1, self.members[at], seat]
        done = following == self.start[at]
        self.to_act[at[~done]] = following[~done]
        at = at[done]
        pips = np.where(self._is_in[self.members[at]], self._pips[self.hands[at]], self.ways)
        tied = self._bits(pips == pips.min(1, keepdims=True))
        first = self._first(tied, self.start[at])
        alone = self._in[tied] == 1
        self._begin(at[alone], first[alone])
        again = at[~alone]
        self.members[again], self.start[again], self.hands[again] = (
            tied[~alone],
            first[~alone],
            NOTHING,
        )
        self._clear(again, _ROLL_OFF, first[~alone])

    def _finish(self, at: Ints) -> None:
        """End a turn: the next seat throws, or lifts covered dice, or the round ends."""
        seat = self.to_act[at]
        throws = self.hands[at, seat] < 0
        self.hands[at, seat] = self.cup[at]
        leads = at[throws & (seat == self.leader[at])]
        self.limit[leads] = np.minimum(self.thrown[leads], self.rules.throws)
        following = self._next[1, self.members[at], seat]
        goes_on = throws & (following != self.leader[at])
        on, done = at[goes_on], at[~goes_on]
        self.phase[on], self.to_act[on] = _TO_THROW, following[goes_on]
        self.thrown[on], self.cup[on] = 0, 0
        lifts = self.covered[done] > 0
        if lifts.any():
            on, done = done[lifts], done[~lifts]
            seat = self._first(self.covered[on], self.leader[on])
            self.phase[on], self.to_act[on], self.thrown[on] = _TO_LIFT, seat, self.rules.throws
            self.cup[on] = self._aside[self.hands[on, seat]]
        if len(done):
            self._settle(done)

    def _settle(self, at: Ints) -> None:
        """Pay a round; the earlier of two equal throws in playing order ranks higher."""
        ring, rows = self._ring[self.leader[at]], np.arange(len(at))
        hands, is_in = self.hands[at[:, None], ring], self._is_in[self.members[at, None], ring]
        ranks = self._rank[hands]
        best = np.where(is_in, ranks, _LOW).argmax(1)
        worst = self.players - 1 - np.where(is_in, ranks, -_LOW)[:, ::-1].argmin(1)
        self._pay(at, ring[rows, best], ring[rows, worst], hands[rows, best])

    def _pay_in_halves(self, at: Ints, best: Ints, worst: Ints, top: Ints) -> None:
        """Pay a round of ``maxen`` (R-MAX-2 to R-MAX-4)."""
        deals, held = (
            self.pile[at] > 0,
            np.where(self.pile[at] > 0, self.pile[at], self.tally[at, best]),
        )
        count = np.minimum(self._worth[top], held)
        ends = self._ones[top]
        count[ends] = 0
        self.pile[at] -= count * deals
        self.tally[at, best] -= count * ~deals
        self.tally[at, worst] += count
        sits = ~ends & (self.pile[at] == 0)
        self._only_holders(at[sits])
        ends = ends | (sits & (self._in[self.playing[at]] == 1))
        self._begin(at[~ends], worst[~ends])
        at, loser = at[ends], worst[ends]
        first = np.where(self.half[at] == 1, loser, self.loser[at])
        last = (self.half[at] == THIRD) | ((self.half[at] == SECOND) & (loser == first))
        self._over(at[last], loser[last, None] == self._seats)
        at, loser, first = at[~last], loser[~last], first[~last]
        self.half[at] += 1
        both = (1 << first) | (1 << loser)
        self.playing[at] = np.where(self.half[at] == THIRD, both, self._all)
        self.pile[at], self.tally[at], self.loser[at] = self.rules.coasters, 0, first
        self._begin(at, first)

    def _pay_until_safe(self, at: Ints, best: Ints, worst: Ints, top: Ints) -> None:
        """Pay a round of ``chicago`` (R-CHI-1 to R-CHI-3)."""
        deals, ones = self.pile[at] > 0, self._ones[top]
        self.pile[at] -= deals
        self.tally[at, worst] += deals
        self.tally[at, best] -= np.where(ones, self.tally[at, best], ~deals)
        self.playing[at] &= ~((ones & deals) << best)
        self._only_holders(at[self.pile[at] == 0])
        ends = self._in[self.playing[at]] == 1
        self._over(at[ends], self._is_in[self.playing[at[ends]]])
        self._begin(at[~ends], worst[~ends])

    def _only_holders(self, at: Ints) -> None:
        """Let every player without a coaster sit out, or be safe."""
        self.playing[at] &= self._bits(self.tally[at] > 0)

    def _lose_a_round(self, at: Ints, _best: Ints, worst: Ints, _top: Ints) -> None:
        """Book a round of ``sevens``, and decide between those who have lost most (S-4)."""
        decides = self.deciding[at] > 0
        self._over(at[decides], worst[decides, None] == self._seats)
        at, worst = at[~decides], worst[~decides]
        self.tally[at, worst] += 1
        self._last[at, worst] = self.round[at]
        ends = self.round[at] >= self.rules.rounds
        self._begin(at[~ends], worst[~ends])
        at = at[ends]
        most = self.tally[at] == self.tally[at].max(1, keepdims=True)
        alone = most.sum(1) == 1
        self._over(at[alone], most[alone])
        at, most = at[~alone], most[~alone]
        self.playing[at], self.deciding[at] = self._bits(most), 1
        self._begin(at, np.where(most, self._last[at], NOTHING).argmax(1))

    def _begin(self, at: Ints, leader: Ints) -> None:
        self._clear(at, _TO_THROW, leader)
        self.members[at], self.leader[at] = self.playing[at], leader
        self.hands[at], self.limit[at] = NOTHING, self.rules.throws
        self.round[at] += 1
