"""Many matches of one game in lock step, as arrays: a fast world for learners; needs numpy.

``world_of(rules, players, matches, rng)`` makes the world of any game. Legal actions are those of
the core, kept for each situation. Moves are those of the core on arrays; tests compare both, action
by action, on the same draws.

A learner does::

    world = world_of(rule_set("wikipedia", {}), players=4, matches=4096, rng=default_rng(1))
    while learning:
        actions = policy(world.observe(), world.mask())
        over = world.step(actions)
        gains = world.returns()[over]
        world.reset(over)

Only what seats do is played, no faults and no votes. Flourishes change nothing and are left out.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from game.actions import (
    Announce,
    Believe,
    Doubt,
    EndMatch,
    GiveIn,
    Lift,
    Look,
    OwnUp,
    Refuse,
    Roll,
    Say,
    SeatAction,
    ShowMaexchen,
    ShowTower,
    Words,
)
from game.bluff.moves import REVERSING, SHARED
from game.bluff.position import is_admissible, is_lie, is_wrong_way, resolved
from game.bluff.rules import BluffRules
from game.bluff.values import DICE, MAEXCHEN, value_of
from game.engines import AnyMatch, seat_actions
from game.lock_step import NOTHING, Flags, Floats, Ints, Move, World, shares
from game.open_world import OpenWorld
from game.rules import FAMILIES, AnyRules
from game.status import (
    BELIEVED,
    DOUBTED,
    IN,
    OFFERED,
    OPENING,
    OUT,
    OVER,
    ROLL_AGAIN,
    THROWN,
)

_PHASES: Final = (OVER, OPENING, BELIEVED, THROWN, OFFERED, DOUBTED, ROLL_AGAIN)
_, _OPENING, _BELIEVED, _THROWN, _OFFERED, _DOUBTED, _ROLL_AGAIN = range(len(_PHASES))
_OF_MISTAKES: Final = (Say, Refuse, ShowTower)
"""Kinds of actions of games with mistakes in the open alone."""


class BluffWorld(World):
    """Matches of a bluff game; see ``World``.

    ``to_act``, ``opener``, ``announcer``, ``direction``, ``rolls``, ``seen``, ``tower`` and
    ``round`` are as in a ``Match``, with -1 for None; ``standing`` and ``dice`` are places in the
    ladder of the rules. ``wrong_way`` says that the cup was offered against the direction.

    Chance below ``len(DICE)`` is a tower of these dice if the game has towers. Any other number
    stands for dice by its remainder.
    """

    PHASES = _PHASES
    FRESH = (NOTHING, NOTHING, NOTHING, 0, 0, 0, 0, 0)

    direction: Ints
    opener: Ints
    standing: Ints
    announcer: Ints
    dice: Ints
    rolls: Ints
    seen: Ints
    tower: Ints
    announcer_rolls: Ints
    wrong_way: Ints

    def __init__(
        self, rules: BluffRules, players: int, matches: int, rng: np.random.Generator
    ) -> None:
        ladder, self.rules = rules.ladder, rules
        mistakes = self._mistakes = rules.customs.open_mistakes
        actions = [
            each
            for each in seat_actions(rules, players)
            if (mistakes or type(each) not in _OF_MISTAKES)
            and not getattr(each, "flourish", None)
            and (mistakes or not getattr(each, "wrong_way", False))
        ]
        size = self._size = len(ladder) + 1
        moves: dict[type, Move] = {
            **{Roll: self._roll, Look: self._look, Believe: self._believe, Doubt: self._doubt},
            **{Lift: self._lift, ShowMaexchen: self._show, ShowTower: self._void_tower},
            **{Announce: self._announce, Say: self._announce, EndMatch: self._end},
            **{GiveIn: self._give_in, OwnUp: self._give_in, Refuse: self._refuse},
        }
        shape = (len(_PHASES), size, rules.rolls + 1, 5, 2, 2, 3)
        super().__init__(rules, players, matches, rng, actions, moves, shape)
        self.ways = len(DICE) * max(1, rules.tower_one_in)
        said = [getattr(each, "value", None) for each in actions]
        self._said = np.array([rules.place[value] if value else NOTHING for value in said])
        self._higher = np.array(
            [getattr(each, "words", None) is Words.ONE_MORE for each in actions]
        )
        self._wrong = np.array([getattr(each, "wrong_way", False) for each in actions])
        self._lie = np.array([[is_lie(rules, said, dice) for dice in ladder] for said in ladder])
        self._place = np.array([rules.place[value_of(dice)] for dice in DICE])
        self._top = rules.place[MAEXCHEN]
        ends = players - 1 if rules.ends == "first_out" else 1
        points = max(1, players - rules.losers)
        self._least = {"matches": ends, "points": points, "drinks": 0}[rules.stakes]
        self._features = len(_PHASES) + 2 * size + 4 * players + 6
        self.reset(np.ones(matches, np.bool_))

    def _open(self, at: Ints, first: Ints) -> None:
        self.direction[at] = 1
        self._begin(at, first)

    def roll_of(self, _: int, fall: int) -> Roll:
        """Return the roll that a number of chance stands for."""
        return Roll(DICE[fall % len(DICE)], self.rules.tower_one_in > 0 and bool(fall < len(DICE)))

    def _situation(self) -> Ints:
        phase, standing, rolls, sight, later, by_sight, _ = self._strides
        found: Ints = self.phase * phase + (self.standing + 1) * standing + self.rolls * rolls
        found += (self.seen * (1 + (self.dice == self._top) + 2 * self.tower)) * sight
        found += (self.round > 1) * later
        found += (
            (self.announcer_rolls > 0) & (self.announcer_rolls <= self.rules.looks)
        ) * by_sight
        if self._mistakes:
            found += (self._in[self.playing] > 2) * (1 + self.wrong_way)
        return found

    def _example(self, *at: int) -> AnyMatch:
        phase, standing, rolls, sight, later, by_sight, ways = at
        players = self.players
        announced = self.rules.ladder[standing - 1] if standing else None
        only_two = tuple(IN if seat < 2 else OUT for seat in range(players))
        return self._start.replace(
            phase=_PHASES[phase],
            announced=announced,
            announcer=players - 1 if standing else None,
            said=Announce(announced, None, ways > 1) if announced else None,
            announcer_rolls=by_sight,
            rolls=rolls,
            seen=sight > 0,
            dice=(None, (3, 2), (2, 1), (3, 2), (2, 1))[sight],
            tower=sight > 2,
            round=later + 1,
            status=self._start.status if ways or not self._mistakes else only_two,
        )

    def _move_of(self, match: Any, action: SeatAction) -> Move:
        if isinstance(action, Believe | Doubt) and is_wrong_way(match):
            return self._take_wrongly
        if self._mistakes and isinstance(action, Announce | Say):
            value = resolved(match, action) if isinstance(action, Say) else action.value
            if value is None or not is_admissible(match, value):
                return self._give_in
        return super()._move_of(match, action)

    def observe(self) -> Floats:
        """Return what the seat to act knows: matches × features, 0 to 1.

        They are the phase, the standing announcement, the dice if the seat has looked at them, the
        announcer and the opener counted from the observing seat, its rolls, the announcer's, the
        direction, a tower that it has seen, whether the cup came the wrong way, and by seat from
        the observer the penalties and who is in.
        """
        seats, me, at = self.players, self.to_act, 0
        known = np.zeros((self.matches, self._features), np.float32)
        for value, size in (
            (self.phase, len(_PHASES)),
            (self.standing + 1, self._size),
            (self.seen * (self.dice + 1), self._size),
            (np.where(self.announcer < 0, seats, (self.announcer - me) % seats), seats + 1),
            ((self.opener - me) % seats, seats),
        ):
            known[self._rows, value + at] = 1
            at += size
        known[:, at] = self.rolls / self.rules.rolls
        known[:, at + 1] = self.announcer_rolls / self.rules.rolls
        known[:, at + 2] = self.direction > 0
        if self._mistakes:
            known[:, at + 3], known[:, at + 4] = self.seen & self.tower, self.wrong_way
        places = self._seen_from(self._ring.take(me, 0))
        known[:, at + 5 : at + 5 + seats] = shares(self.tally.take(places))
        known[:, at + 5 + seats :] = self._from_me(self.playing)
        return known

    def _roll(self, at: Ints, _: Ints, falls: Ints) -> None:
        self.dice[at], self.seen[at] = self._place[falls % len(DICE)], 0
        if self._mistakes:
            self.tower[at] = (falls < len(DICE)) & (self.rules.tower_one_in > 0)
            again = self.announcer[at] == self.to_act[at]
            spared, at = at[again], at[~again]
            self.phase[spared], self.rolls[spared] = _DOUBTED, 0
            self.to_act[spared] = self._after(spared, self.to_act[spared])
        self.phase[at] = _THROWN
        self.rolls[at] += 1

    def _look(self, at: Ints, _actions: Ints, _falls: Ints) -> None:
        self.seen[at] = 1

    def _believe(self, at: Ints, _actions: Ints, _falls: Ints) -> None:
        self.phase[at] = _BELIEVED

    def _doubt(self, at: Ints, _actions: Ints, _falls: Ints) -> None:
        self.phase[at] = _DOUBTED

    def _announce(self, at: Ints, actions: Ints, _: Ints) -> None:
        seat, said = self.to_act[at], self._said[actions]
        if self._mistakes:
            repeated = self.standing[at] + self._higher[actions]
            said = np.where(said < 0, repeated, said)
            self.wrong_way[at] = self._wrong[actions]
        self.to_act[at] = self._after(at, seat, against=self._wrong[actions])
        self.standing[at], self.announcer[at], self.phase[at] = said, seat, _OFFERED
        self.announcer_rolls[at], self.rolls[at], self.seen[at] = self.rolls[at], 0, 0

    def _take_wrongly(self, at: Ints, _actions: Ints, _falls: Ints) -> None:
        self._penalise(at, self.announcer[at], others=1 << self.to_act[at])

    def _refuse(self, at: Ints, _actions: Ints, _falls: Ints) -> None:
        self._penalise(at, self.announcer[at], winner=self.to_act[at])

    def _lift(self, at: Ints, _actions: Ints, _falls: Ints) -> None:
        rules, standing, dice = self.rules, self.standing[at], self.dice[at]
        doubter, announcer = self.to_act[at], self.announcer[at]
        lied = self._lie[standing, dice]
        if self._mistakes:
            spared = lied & (self.tower[at] > 0) & (self.announcer_rolls[at] == rules.rolls)
            if spared.any():
                again, goes_on = at[spared], at[~spared]
                self._void_tower(again, again, again)
                self.to_act[again], self.rolls[again] = self.announcer[again], rules.rolls - 1
                self._lift(goes_on, goes_on, goes_on)
                return
        counts = standing >= self._top
        if rules.customs.lifted_maexchen_costs_too:
            counts = counts | (dice == self._top)
        price = np.where(lied, rules.maexchen_false, rules.maexchen_true)
        cost = np.where(counts, price, 1)
        turns = (dice == self._top) & rules.customs.reverses
        if rules.mexican:
            turns = turns | (dice == rules.place[REVERSING])
        payer, winner = np.where(lied, announcer, doubter), np.where(lied, doubter, announcer)
        shared = (dice == rules.place[SHARED]) & rules.mexican
        if rules.free_doubt:
            cost = np.where(lied | shared, cost, 0)
        others = shared * (self.playing[at] & ~(1 << payer)) if rules.mexican else None
        self._penalise(at, payer, cost, winner, others, turns)

    def _void_tower(self, at: Ints, _actions: Ints, _falls: Ints) -> None:
        self.phase[at], self.dice[at], self.tower[at] = _ROLL_AGAIN, NOTHING, 0
        self.seen[at] = 0
        self.rolls[at] -= 1

    def _give_in(self, at: Ints, _actions: Ints, _falls: Ints) -> None:
        seat, announcer = self.to_act[at], self.announcer[at]
        self._penalise(at, seat, winner=np.where(announcer < 0, seat, announcer))

    def _show(self, at: Ints, _actions: Ints, _falls: Ints) -> None:
        seat = self.to_act[at]
        turns = self.rules.customs.reverses
        self._penalise(at, self._after(at, seat), winner=seat, turns=turns)

    def _end(self, at: Ints, _actions: Ints, _falls: Ints) -> None:
        tally = np.where(self._is_in[self.playing[at]], self.tally[at], NOTHING)
        self._over(at, tally == tally.max(1, keepdims=True))

    def _after(self, at: Ints, seat: Ints, against: Flags | int = 0) -> Ints:
        way = (self.direction[at] > 0) ^ against
        return self._next[way.astype(np.intp), self.playing[at], seat]

    def _penalise(
        self,
        at: Ints,
        payer: Ints,
        cost: Ints | int = 1,
        winner: Ints | None = None,
        others: Ints | None = None,
        turns: Flags | bool = False,
    ) -> None:
        """Turn the direction or not, book a cost on ``payer``, and begin a round.

        ``others`` has a bit for each seat that pays 1 after it, in playing order.
        """
        usual = 1 if self.rules.reverses == "once" else self.direction[at]
        turned = turns & (self._in[self.playing[at]] > 2)
        self.direction[at] = np.where(turned, -self.direction[at], usual)
        self._book(at, payer, cost)
        if others is not None:
            for step in range(1, self.players):
                seat = (payer + step * self.direction[at]) % self.players
                pays = self._holds(others, seat)
                self._book(at[pays], seat[pays], 1)
        opens = winner if self.rules.opener == "winner" and winner is not None else payer
        ends = self._in[self.playing[at]] <= self._least
        if ends.any():
            self._over(at[ends], self.lost[at[ends]])
            at, opens = at[~ends], opens[~ends]
        stays = self._holds(self.playing[at], opens) & (self.rules.opener != "next")
        self._begin(at, np.where(stays, opens, self._after(at, opens)))

    def _book(self, at: Ints, seat: Ints, cost: Ints | int) -> None:
        rules = self.rules
        if rules.stakes == "matches":
            had = rules.credit - self.tally[at, seat]
            cost = np.where(had > 0, np.minimum(cost, had), 1)
            goes = had < cost if rules.swim else had <= cost
        else:
            goes = (self.tally[at, seat] + cost >= rules.points) & (rules.stakes == "points")
            goes &= self._in[self.playing[at]] > self._least
        self.tally[at, seat] += cost
        self.playing[at[goes]] &= ~(1 << seat[goes])
        self.lost[at[goes], seat[goes]] = True

    def _begin(self, at: Ints, opener: Ints) -> None:
        self._clear(at, _OPENING, opener)
        self.round[at] += 1
        self.opener[at] = opener


_WORLDS: Final[Mapping[str, Callable[..., World]]] = {
    family: BluffWorld if family == BluffRules.family else OpenWorld for family in FAMILIES
}
"""By family: its world."""


def world_of(rules: AnyRules, players: int, matches: int, rng: np.random.Generator) -> World:
    """Return a world of ``matches`` matches; its arguments and errors are those of ``World``."""
    return _WORLDS[rules.family](rules, players, matches, rng)
