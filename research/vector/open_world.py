"""Matches of ``maxen``, ``chicago`` and ``sevens`` in lock step.

A game is a record of tables that the core fills: what a throw makes of the dice set aside, what may
be kept of it, and what it is worth. Moves are those of the core on arrays, and tests compare both.
``research.vector.worlds`` is the door.
"""

from collections.abc import Callable, Mapping
from itertools import combinations_with_replacement
from typing import Any, Final

import numpy as np

from game import status
from game.actions import GiveCoaster, Keep, Lift, Roll, SeatAction, Stop
from game.coaster.moves import SECOND, THIRD
from game.coaster.rules import CUP, ONES, RICH, CoasterRules, keeps
from game.dice import FACES, Dice, high_to_low, throws
from game.engines import AnyMatch, seat_actions
from game.open_dice import OpenRules
from game.sevens import SevensRules, score
from game.status import LEVELLING, ROLL_OFF, THROWN, TO_LIFT, TO_THROW
from research.vector import NOTHING, OVER, Flags, Floats, Ints, LockStep, Move, shares

_PHASES: Final = (status.OVER, ROLL_OFF, TO_THROW, THROWN, TO_LIFT, LEVELLING)
_, _ROLL_OFF, _TO_THROW, _THROWN, _TO_LIFT, _LEVELLING = range(len(_PHASES))
_LOW: Final = -(10**6)
"""Lower than any rank."""
_MOST: Final = 4
"""The most throws of a turn, with a bonus (T-4)."""


class Cups:
    """A game of open dice as tables that the core fills: by cup, and by throw.

    ``dice`` are by number of a cup the dice set aside and the dice thrown, none before a throw.
    ``aside`` is the cup before a throw. ``fall`` is the cup after a throw, by the cup before it,
    and ``kept`` the one after an action. A greater ``rank`` is a better throw.

    Args:
        number: the dice that are thrown.
        most: fewer dice than this may be set aside.
        actions: the actions by number.
    """

    rank: Ints
    worth: Ints
    ones: Flags
    pay: Callable[[Any, Ints, Ints, Ints, Ints], None]
    """Pays a round: it takes the rows, the best and the worst seat, and the best cup."""
    covers = False
    """Whether third throws are covered."""

    def __init__(self, number: int, most: int, actions: list[SeatAction]) -> None:
        high, ways = FACES[::-1], len(FACES) ** number
        asides = [
            dice for size in range(most) for dice in combinations_with_replacement(high, size)
        ]
        self.dice: list[tuple[Dice, Dice]] = [(aside, ()) for aside in asides]
        falls = []
        for aside in asides:
            found = throws(number - len(aside))
            times = [int(chance * ways) for _, chance in found]
            falls.append(np.repeat(len(self.dice) + np.arange(len(found)), times))
            self.dice += [(aside, dice) for dice, _ in found]
        self.fall = np.array(falls, np.int16)
        before = {aside: cup for cup, aside in enumerate(asides)}

        def kept(aside: Dice, each: SeatAction) -> int:
            if not isinstance(each, Keep):
                return 0
            return before.get(high_to_low(aside + each.aside + (1,) * each.turned), 0)

        self.kept = np.array([[kept(aside, each) for each in actions] for aside in asides])
        self.aside = np.array([before[aside] for aside, _ in self.dice])
        self.pips = self.by_throw(lambda _, dice: sum(dice))
        self.bonus = np.zeros(len(self.dice), np.bool_)
        faces = [[each.count(face) / number for each in cup for face in FACES] for cup in self.dice]
        self.faces = np.array([*faces, [0.0] * 2 * len(FACES)], np.float32)
        self.shown: Floats = self.faces[:, : len(FACES)] + self.faces[:, len(FACES) :]

    def by_throw(self, of: Callable[[Dice, Dice], int]) -> Ints:
        """Return something of the dice aside and thrown, by cup; 0 before a throw."""
        return np.array([of(*cup) if cup[1] else 0 for cup in self.dice], np.intp)


def _of_coasters(rules: Any, actions: list[SeatAction]) -> Cups:
    cups, customs = Cups(CUP, CUP, actions), rules.customs
    cups.pay = _pay_in_halves if customs.halves else _pay_until_safe
    cups.covers = customs.third_covered
    cups.rank = cups.by_throw(lambda aside, dice: customs.ranks[aside + dice])
    cups.worth = cups.by_throw(lambda aside, dice: customs.worths[aside + dice])
    cups.ones = cups.by_throw(lambda aside, dice: aside + dice == ONES) > 0
    cups.bonus = cups.by_throw(lambda *cup: len(keeps(rules, *cup, True))) > 0
    return cups


def _of_sevens(rules: Any, actions: list[SeatAction]) -> Cups:
    cups = Cups(rules.dice, 1, actions)
    cups.pay = _lose_a_round
    cups.rank = cups.by_throw(lambda _, dice: -score(dice, rules.seven_dice))
    return cups


_CUPS: Final[Mapping[str, Callable[[Any, list[SeatAction]], Cups]]] = {
    CoasterRules.family: _of_coasters,
    SevensRules.family: _of_sevens,
}
"""By family: the tables of a game."""


class OpenWorld(LockStep):
    """Matches of a game of open dice; see ``LockStep``.

    ``cup`` is by number that of the seat to act in ``cups``, and ``hands`` are those of the seats
    that have thrown, -1 for none.
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
        self, rules: OpenRules, players: int, matches: int, rng: np.random.Generator
    ) -> None:
        self.rules: Any = rules
        self.levelling: bool = getattr(rules, "levelling", False)
        self.may_give: bool = getattr(rules, "may_give", False)
        gives = self.levelling or self.may_give
        every = seat_actions(rules, players)
        actions = [each for each in every if gives or type(each) is not GiveCoaster]
        takers = [getattr(each, "to", None) for each in actions]
        self.taker = np.array([NOTHING if seat is None else seat for seat in takers])
        self.cups = _CUPS[rules.family](rules, actions)
        shape = (len(_PHASES), len(self.cups.dice), 2, 2)
        super().__init__(rules, players, matches, rng, actions, shape)
        self.ways = self.cups.fall.shape[1]
        self.hands, self.last = (np.zeros((matches, players), np.intp) for _ in range(2))
        self.reset(np.ones(matches, np.bool_))

    def _open(self, at: Ints, first: Ints) -> None:
        self.members[at], self.start[at], self.leader[at] = self.seats.all, first, NOTHING
        self.half[at], self.pile[at], self.last[at] = 1, getattr(self.rules, "coasters", 0), 0
        self.loser[at] = NOTHING
        self.deciding[at], self.limit[at], self.hands[at] = 0, self.rules.throws, NOTHING
        self.clear(at, _ROLL_OFF, first)

    def roll_of(self, match: int, fall: int) -> Roll:
        """Return the roll that a number of chance stands for in a match now."""
        return Roll(self.cups.dice[self.cups.fall[self.cups.aside[self.cup[match]], fall]][1])

    def _situation(self) -> Ints:
        phase, cup, last, _ = self._strides
        found: Ints = self.phase * phase + self.cup * cup
        if self.levelling or self.may_give:
            at = np.flatnonzero(self.phase == _LEVELLING)
            found[at] += self._receivers(at) * cup
        found += (self.thrown >= self.limit) * last
        found += self.thrown == self.rules.throws
        return found

    def _receivers(self, at: Ints) -> Ints:
        """Return the sets of seats that may get a coaster, as ``receivers`` of the core does."""
        seat = self.to_act[at]
        gives_away = self.hands[at, seat] >= 0
        return np.where(gives_away, 1 << seat, self.seats.bits(self.tally[at] == 1))

    def _example(self, *at: int) -> AnyMatch:
        phase, cup, last, bonus = at
        if phase == _LEVELLING:
            receivers = tuple(map(int, self.seats.is_in[cup]))
            return self._start.replace(phase=LEVELLING, coasters=receivers)
        aside, dice = self.cups.dice[cup]
        throws = self.rules.throws if bonus else 1
        changes: dict[str, Any] = {"aside": aside} if aside else {}
        return self._start.replace(
            phase=_PHASES[phase],
            dice=dice or None,
            throws=throws,
            limit=throws + (not last),
            **changes,
        )

    def _move_of(self, _: Any, action: SeatAction) -> Move:
        return _MOVES[type(action)]

    def observe(self) -> Floats:
        """Return what the seat to act knows: matches × features, 0 to 1.

        They are the phase, the dice set aside and thrown, its throws and their limit, the half, the
        pile and whether the round decides. By seat from the observer they are the leader, who has
        lost the first half, who plays, coasters, and the open dice of who has finished.
        """
        seats, at = self.players, len(_PHASES)
        known = np.zeros((self.matches, at + 17 + 10 * seats), np.float32)
        known[self._rows, self.phase] = 1
        known[:, at : at + 12] = self.cups.faces.take(self.cup, 0)
        known[:, at + 12], known[:, at + 13] = self.thrown / _MOST, self.limit / _MOST
        known[:, at + 14], known[:, at + 15] = self.half / THIRD, self.deciding
        known[:, at + 16] = shares(self.pile)
        at += 17
        me, sets, places = self.to_act, self.seats, self._places()
        for each in (
            sets.seen_from(me, sets.bit.take(self.leader)),
            sets.seen_from(me, sets.bit.take(self.loser)),
            sets.seen_from(me, self.playing),
            shares(self.tally.take(places)),
        ):
            known[:, at : at + seats] = each
            at += seats
        hands = self.hands.take(places)
        if self.cups.covers:
            hands = np.where(sets.seen_from(me, self.covered), self.cups.aside.take(hands), hands)
        known[:, at:] = self.cups.shown.take(hands, 0).reshape(self.matches, -1)
        return known

    def step(self, actions: Ints, falls: Ints | None = None) -> Flags:
        """Do ``actions``, as ``LockStep.step`` does; the turns that they end, end together."""
        self.ended = [self._rows[:0]]
        super().step(actions, falls)
        _finish(self, np.concatenate(self.ended))
        return self.phase == OVER  # type: ignore[no-any-return]


def _roll(world: OpenWorld, at: Ints, _: Ints, falls: Ints) -> None:
    cup = world.cups.fall[world.cups.aside[world.cup[at]], falls]
    off = world.phase[at] == _ROLL_OFF
    if off.any():
        _throw_for_the_lead(world, at[off], cup[off])
        at, cup = at[~off], cup[~off]
    world.cup[at], world.phase[at] = cup, _THROWN
    thrown = world.thrown[at] = world.thrown[at] + 1
    third = thrown == world.rules.throws
    goes_on = (thrown < world.limit[at]) | (third & world.cups.bonus[cup])
    if world.cups.covers:
        world.covered[at] |= third << world.to_act[at]
        goes_on &= ~third
    world.ended.append(at[~goes_on])


def _keep(world: OpenWorld, at: Ints, actions: Ints, _: Ints) -> None:
    world.cup[at] = world.cups.kept[world.cups.aside[world.cup[at]], actions]
    world.phase[at] = _TO_THROW


def _stop(world: OpenWorld, at: Ints, _actions: Ints, _falls: Ints) -> None:
    world.ended.append(at)


def _lift(world: OpenWorld, at: Ints, _actions: Ints, _falls: Ints) -> None:
    seat = world.to_act[at]
    world.covered[at] &= ~(1 << seat)
    world.cup[at], world.phase[at] = world.hands[at, seat], _THROWN
    world.ended.append(at[~world.cups.bonus[world.cup[at]]])


def _throw_for_the_lead(world: OpenWorld, at: Ints, cup: Ints) -> None:
    seat = world.to_act[at]
    world.hands[at, seat] = cup
    following = world.seats.next[1, world.members[at], seat]
    done = following == world.start[at]
    world.to_act[at[~done]] = following[~done]
    at = at[done]
    pips = np.where(
        world.seats.is_in[world.members[at]], world.cups.pips[world.hands[at]], world.ways
    )
    tied = world.seats.bits(pips == pips.min(1, keepdims=True))
    first = world.seats.first(tied, world.start[at])
    alone = world.seats.count[tied] == 1
    _begin(world, at[alone], first[alone])
    again = at[~alone]
    world.members[again], world.start[again] = tied[~alone], first[~alone]
    world.hands[again] = NOTHING
    world.clear(again, _ROLL_OFF, first[~alone])


def _finish(world: OpenWorld, at: Ints) -> None:
    """End a turn: the next seat throws, or lifts covered dice, or the round ends."""
    seat = world.to_act[at]
    throws = world.hands[at, seat] < 0
    world.hands[at, seat] = world.cup[at]
    leads = at[throws & (seat == world.leader[at])]
    world.limit[leads] = np.minimum(world.thrown[leads], world.rules.throws)
    following = world.seats.next[1, world.members[at], seat]
    goes_on = throws & (following != world.leader[at])
    on, done = at[goes_on], at[~goes_on]
    world.phase[on], world.to_act[on] = _TO_THROW, following[goes_on]
    world.thrown[on], world.cup[on] = 0, 0
    lifts = world.covered[done] > 0
    if lifts.any():
        on, done = done[lifts], done[~lifts]
        seat = world.seats.first(world.covered[on], world.leader[on])
        world.phase[on], world.to_act[on], world.thrown[on] = _TO_LIFT, seat, world.rules.throws
        world.cup[on] = world.cups.aside[world.hands[on, seat]]
    if len(done):
        _settle(world, done)


def _settle(world: OpenWorld, at: Ints) -> None:
    """Pay a round; the earlier of two equal throws in playing order ranks higher."""
    ring, rows = world.seats.ring[world.leader[at]], np.arange(len(at))
    hands, is_in = world.hands[at[:, None], ring], world.seats.is_in[world.members[at, None], ring]
    ranks = world.cups.rank[hands]
    best = np.where(is_in, ranks, _LOW).argmax(1)
    worst = world.players - 1 - np.where(is_in, ranks, -_LOW)[:, ::-1].argmin(1)
    world.cups.pay(world, at, ring[rows, best], ring[rows, worst], hands[rows, best])


def _pay_in_halves(world: OpenWorld, at: Ints, best: Ints, worst: Ints, top: Ints) -> None:
    """Pay a round of ``maxen`` (R-MAX-2 to R-MAX-4)."""
    pile = world.pile[at]
    deals, held = pile > 0, np.where(pile > 0, pile, world.tally[at, best])
    count = np.minimum(world.cups.worth[top], held)
    ends = world.cups.ones[top]
    count[ends] = 0
    world.pile[at] -= count * deals
    world.tally[at, best] -= count * ~deals
    world.tally[at, worst] += count
    sits = ~ends & (world.pile[at] == 0)
    _only_holders(world, at[sits])
    ends = ends | (sits & (world.seats.count[world.playing[at]] == 1))
    _begin(world, at[~ends], worst[~ends])
    at, loser = at[ends], worst[ends]
    first = np.where(world.half[at] == 1, loser, world.loser[at])
    last = (world.half[at] == THIRD) | ((world.half[at] == SECOND) & (loser == first))
    world.over(at[last], loser[last, None] == world.seats.numbers)
    at, loser, first = at[~last], loser[~last], first[~last]
    world.half[at] += 1
    both = (1 << first) | (1 << loser)
    world.playing[at] = np.where(world.half[at] == THIRD, both, world.seats.all)
    world.pile[at], world.tally[at], world.loser[at] = world.rules.coasters, 0, first
    _begin(world, at, first)


def _pay_until_safe(world: OpenWorld, at: Ints, best: Ints, worst: Ints, top: Ints) -> None:
    """Pay a round of ``chicago``, or ask first who pays, or who levels (R-CHI-1 to R-CHI-4)."""
    if world.may_give:
        asks = world.pile[at] == 0
        _ask(world, at[asks], best[asks], worst[asks])
        at, best, worst, top = at[~asks], best[~asks], worst[~asks], top[~asks]
    deals, ones = world.pile[at] > 0, world.cups.ones[top]
    world.pile[at] -= deals
    world.tally[at, worst] += deals
    world.tally[at, best] -= np.where(ones, world.tally[at, best], ~deals)
    world.playing[at] &= ~((ones & deals) << best)
    _only_holders(world, at[world.pile[at] == 0])
    if world.levelling:
        rich, poor = (
            world.seats.bits(world.tally[at] >= RICH),
            world.seats.bits(world.tally[at] == 1),
        )
        asks = deals & (world.pile[at] == 0) & (rich > 0) & (poor > 0)
        world.hands[at[asks]] = NOTHING
        _ask(world, at[asks], world.seats.first(rich[asks], worst[asks]), worst[asks])
        at, worst = at[~asks], worst[~asks]
    _go_on(world, at, worst)


def _ask(world: OpenWorld, at: Ints, giver: Ints, leader: Ints) -> None:
    """Let a seat give a coaster or keep it; ``leader`` leads if it keeps it."""
    world.clear(at, _LEVELLING, giver)
    world.leader[at] = leader


def _give(world: OpenWorld, at: Ints, actions: Ints, _: Ints) -> None:
    """Move a coaster to its taker, who leads, or out of the game, or none (R-CHI-3, R-CHI-4)."""
    giver, taker = world.to_act[at], world.taker[actions]
    held, goes = world.tally[at, giver], taker == giver
    takes = (taker >= 0) & ~goes
    all_go = goes & world.cups.ones[world.hands[at, giver]]
    world.tally[at, giver] -= np.where(all_go, held, goes | takes)
    world.tally[at[takes], taker[takes]] += 1
    _only_holders(world, at)
    _go_on(world, at, np.where(takes, taker, world.leader[at]))


def _go_on(world: OpenWorld, at: Ints, leader: Ints) -> None:
    """Begin a round, or end the match of one who alone is in danger."""
    ends = world.seats.count[world.playing[at]] == 1
    world.over(at[ends], world.seats.is_in[world.playing[at[ends]]])
    _begin(world, at[~ends], leader[~ends])


def _only_holders(world: OpenWorld, at: Ints) -> None:
    """Let every player without a coaster sit out, or be safe."""
    world.playing[at] &= world.seats.bits(world.tally[at] > 0)


def _lose_a_round(world: OpenWorld, at: Ints, _best: Ints, worst: Ints, _top: Ints) -> None:
    """Book a round of ``sevens``, and decide between those who have lost most (S-4)."""
    decides = world.deciding[at] > 0
    world.over(at[decides], worst[decides, None] == world.seats.numbers)
    at, worst = at[~decides], worst[~decides]
    world.tally[at, worst] += 1
    world.last[at, worst] = world.round[at]
    ends = world.round[at] >= world.rules.rounds
    _begin(world, at[~ends], worst[~ends])
    at = at[ends]
    most = world.tally[at] == world.tally[at].max(1, keepdims=True)
    alone = most.sum(1) == 1
    world.over(at[alone], most[alone])
    at, most = at[~alone], most[~alone]
    world.playing[at], world.deciding[at] = world.seats.bits(most), 1
    _begin(world, at, np.where(most, world.last[at], NOTHING).argmax(1))


def _begin(world: OpenWorld, at: Ints, leader: Ints) -> None:
    world.clear(at, _TO_THROW, leader)
    world.members[at], world.leader[at] = world.playing[at], leader
    world.hands[at], world.limit[at] = NOTHING, world.rules.throws
    world.round[at] += 1


_MOVES: Final = {Roll: _roll, Keep: _keep, Stop: _stop, Lift: _lift, GiveCoaster: _give}
"""By kind of action: its move."""
