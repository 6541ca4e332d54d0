"""The worlds of all games in lock step, and that of the bluff games.

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
from game.bluff.legality import is_admissible, is_wrong_way, resolved
from game.bluff.rules import DICE, MAEXCHEN, BluffRules, value_of
from game.engines import AnyMatch, apply, seat_actions
from game.events import Penalised, Revealed, Reversed
from game.options import SetupError
from game.rules import FAMILIES, AnyRules
from game.status import BELIEVED, DOUBTED, IN, OFFERED, OPENING, OUT, OVER, ROLL_AGAIN, THROWN
from research.vector import NOTHING, Flags, Floats, Ints, LockStep, Move, shares
from research.vector.open_world import OpenWorld

_PHASES: Final = (OVER, OPENING, BELIEVED, THROWN, OFFERED, DOUBTED, ROLL_AGAIN)
_, _OPENING, _BELIEVED, _THROWN, _OFFERED, _DOUBTED, _ROLL_AGAIN = range(len(_PHASES))
_OF_MISTAKES: Final = (Say, Refuse, ShowTower)
"""Kinds of actions of games with mistakes in the open alone."""


class BluffWorld(LockStep):
    """Matches of a bluff game; see ``LockStep``.

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
        mistakes = self.mistakes = rules.customs.open_mistakes
        actions = [
            each
            for each in seat_actions(rules, players)
            if (mistakes or type(each) not in _OF_MISTAKES)
            and not getattr(each, "flourish", None)
            and (mistakes or not getattr(each, "wrong_way", False))
        ]
        size = self._size = len(ladder) + 1
        shape = (len(_PHASES), size, rules.rolls + 1, 5, 2, 2, 3)
        super().__init__(rules, players, matches, rng, actions, shape)
        self.ways = len(DICE) * max(1, rules.tower_one_in)
        said = [getattr(each, "value", None) for each in actions]
        self.said = np.array([rules.place[value] if value else NOTHING for value in said])
        self.higher = np.array([getattr(each, "words", None) is Words.ONE_MORE for each in actions])
        self.wrong = np.array([getattr(each, "wrong_way", False) for each in actions])
        lifts = [[self._lifted(said, value) for value in ladder] for said in ladder]
        self.lifts = np.array(lifts, np.intp).transpose(2, 0, 1)
        self.place = np.array([rules.place[value_of(dice)] for dice in DICE])
        self.top = rules.place[MAEXCHEN]
        most_out = rules.losers or int(rules.ends == "first_out")
        self.least = players - most_out if most_out else 1
        self._features = len(_PHASES) + 2 * size + 4 * players + 6
        self.reset(np.ones(matches, np.bool_))

    def _lifted(self, announced: int, value: int) -> tuple[bool, int, bool, bool]:
        """Return what a lift comes to, by the core, if no tower spares the announcer.

        It is whether that seat has lied, the penalty of who was wrong, whether the direction turns,
        and whether everybody else pays 1.
        """
        dice, last = (value // 10, value % 10), self.players - 1
        doubted = self._start.replace(
            phase=DOUBTED, announced=announced, announcer=last, announcer_rolls=1, dice=dice
        )
        told = apply(doubted, Lift()).events
        lied = next(each.lied for each in told if isinstance(each, Revealed))
        costs = [each.cost for each in told if isinstance(each, Penalised)]
        turns = any(isinstance(each, Reversed) for each in told)
        return lied, costs[0] if costs else 0, turns, len(costs) > 1

    def _open(self, at: Ints, first: Ints) -> None:
        self.direction[at] = 1
        _begin(self, at, first)

    def roll_of(self, _: int, fall: int) -> Roll:
        """Return the roll that a number of chance stands for."""
        return Roll(DICE[fall % len(DICE)], self.rules.tower_one_in > 0 and bool(fall < len(DICE)))

    def _situation(self) -> Ints:
        phase, standing, rolls, sight, later, by_sight, _ = self._strides
        found: Ints = self.phase * phase + (self.standing + 1) * standing + self.rolls * rolls
        found += (self.seen * (1 + (self.dice == self.top) + 2 * self.tower)) * sight
        found += (self.round > 1) * later
        found += (
            (self.announcer_rolls > 0) & (self.announcer_rolls <= self.rules.looks)
        ) * by_sight
        if self.mistakes:
            found += (self.seats.count[self.playing] > 2) * (1 + self.wrong_way)
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
            status=self._start.status if ways or not self.mistakes else only_two,
        )

    def _move_of(self, match: Any, action: SeatAction) -> Move:
        if isinstance(action, Believe | Doubt) and is_wrong_way(match):
            return _take_wrongly
        if self.mistakes and isinstance(action, Announce | Say):
            value = resolved(match, action) if isinstance(action, Say) else action.value
            if value is None or not is_admissible(match, value):
                return _give_in
        return _MOVES[type(action)]

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
        if self.mistakes:
            known[:, at + 3], known[:, at + 4] = self.seen & self.tower, self.wrong_way
        known[:, at + 5 : at + 5 + seats] = shares(self.tally.take(self._places()))
        known[:, at + 5 + seats :] = self.seats.seen_from(me, self.playing)
        return known


def _roll(world: BluffWorld, at: Ints, _: Ints, falls: Ints) -> None:
    world.dice[at], world.seen[at] = world.place[falls % len(DICE)], 0
    if world.mistakes:
        world.tower[at] = (falls < len(DICE)) & (world.rules.tower_one_in > 0)
        again = world.announcer[at] == world.to_act[at]
        spared, at = at[again], at[~again]
        world.phase[spared], world.rolls[spared] = _DOUBTED, 0
        world.to_act[spared] = _after(world, spared, world.to_act[spared])
    world.phase[at] = _THROWN
    world.rolls[at] += 1


def _look(world: BluffWorld, at: Ints, _actions: Ints, _falls: Ints) -> None:
    world.seen[at] = 1


def _believe(world: BluffWorld, at: Ints, _actions: Ints, _falls: Ints) -> None:
    world.phase[at] = _BELIEVED


def _doubt(world: BluffWorld, at: Ints, _actions: Ints, _falls: Ints) -> None:
    world.phase[at] = _DOUBTED


def _announce(world: BluffWorld, at: Ints, actions: Ints, _: Ints) -> None:
    seat, said = world.to_act[at], world.said[actions]
    if world.mistakes:
        repeated = world.standing[at] + world.higher[actions]
        said = np.where(said < 0, repeated, said)
        world.wrong_way[at] = world.wrong[actions]
    world.to_act[at] = _after(world, at, seat, against=world.wrong[actions])
    world.standing[at], world.announcer[at], world.phase[at] = said, seat, _OFFERED
    world.announcer_rolls[at], world.rolls[at], world.seen[at] = world.rolls[at], 0, 0


def _take_wrongly(world: BluffWorld, at: Ints, _actions: Ints, _falls: Ints) -> None:
    _penalise(world, at, world.announcer[at], others=1 << world.to_act[at])


def _refuse(world: BluffWorld, at: Ints, _actions: Ints, _falls: Ints) -> None:
    _penalise(world, at, world.announcer[at], winner=world.to_act[at])


def _lift(world: BluffWorld, at: Ints, _actions: Ints, _falls: Ints) -> None:
    doubter, announcer = world.to_act[at], world.announcer[at]
    lied, cost, turns, shared = world.lifts[:, world.standing[at], world.dice[at]]
    if world.mistakes:
        most = world.rules.rolls
        spared = (lied & world.tower[at] > 0) & (world.announcer_rolls[at] == most)
        if spared.any():
            again, goes_on = at[spared], at[~spared]
            _void_tower(world, again, again, again)
            world.to_act[again], world.rolls[again] = world.announcer[again], most - 1
            _lift(world, goes_on, goes_on, goes_on)
            return
    payer, winner = np.where(lied, (announcer, doubter), (doubter, announcer))
    others = shared * (world.playing[at] & ~(1 << payer)) if shared.any() else None
    _penalise(world, at, payer, cost, winner, others, turns > 0)


def _void_tower(world: BluffWorld, at: Ints, _actions: Ints, _falls: Ints) -> None:
    world.phase[at], world.dice[at], world.tower[at] = _ROLL_AGAIN, NOTHING, 0
    world.seen[at] = 0
    world.rolls[at] -= 1


def _give_in(world: BluffWorld, at: Ints, _actions: Ints, _falls: Ints) -> None:
    seat, announcer = world.to_act[at], world.announcer[at]
    _penalise(world, at, seat, winner=np.where(announcer < 0, seat, announcer))


def _show(world: BluffWorld, at: Ints, _actions: Ints, _falls: Ints) -> None:
    seat = world.to_act[at]
    turns = world.rules.customs.reverses
    _penalise(world, at, _after(world, at, seat), winner=seat, turns=turns)


def _end(world: BluffWorld, at: Ints, _actions: Ints, _falls: Ints) -> None:
    tally = np.where(world.seats.is_in[world.playing[at]], world.tally[at], NOTHING)
    world.over(at, tally == tally.max(1, keepdims=True))


def _after(world: BluffWorld, at: Ints, seat: Ints, against: Flags | int = 0) -> Ints:
    way = (world.direction[at] > 0) ^ against
    return world.seats.next[way.astype(np.intp), world.playing[at], seat]


def _penalise(
    world: BluffWorld,
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
    usual = 1 if world.rules.reverses == "once" else world.direction[at]
    turned = turns & (world.seats.count[world.playing[at]] > 2)
    world.direction[at] = np.where(turned, -world.direction[at], usual)
    _book(world, at, payer, cost)
    if others is not None:
        for step in range(1, world.players):
            seat = (payer + step * world.direction[at]) % world.players
            pays = world.seats.is_in[others, seat]
            _book(world, at[pays], seat[pays], 1)
    opens = winner if world.rules.opener == "winner" and winner is not None else payer
    ends = world.seats.count[world.playing[at]] <= world.least
    if ends.any():
        world.over(at[ends], world.lost[at[ends]])
        at, opens = at[~ends], opens[~ends]
    stays = world.seats.is_in[world.playing[at], opens] & (world.rules.opener != "next")
    _begin(world, at, np.where(stays, opens, _after(world, at, opens)))


def _book(world: BluffWorld, at: Ints, seat: Ints, cost: Ints | int) -> None:
    rules = world.rules
    if rules.stakes == "matches":
        had = rules.credit - world.tally[at, seat]
        cost = np.where(had > 0, np.minimum(cost, had), 1)
        goes = had < cost if rules.swim else had <= cost
    else:
        goes = (world.tally[at, seat] + cost >= rules.points) & (rules.stakes == "points")
        goes &= world.seats.count[world.playing[at]] > world.least
    world.tally[at, seat] += cost
    world.playing[at[goes]] &= ~(1 << seat[goes])
    world.lost[at[goes], seat[goes]] = True


def _begin(world: BluffWorld, at: Ints, opener: Ints) -> None:
    world.clear(at, _OPENING, opener)
    world.round[at] += 1
    world.opener[at] = opener


_MOVES: Final[Mapping[type, Move]] = {
    **{Roll: _roll, Look: _look, Believe: _believe, Doubt: _doubt, Lift: _lift},
    **{ShowMaexchen: _show, ShowTower: _void_tower, Announce: _announce, Say: _announce},
    **{EndMatch: _end, GiveIn: _give_in, OwnUp: _give_in, Refuse: _refuse},
}
"""By kind of action: its move."""

_WORLDS: Final[Mapping[str, Callable[..., LockStep]]] = {
    family: BluffWorld if family == BluffRules.family else OpenWorld for family in FAMILIES
}
"""By family: its world."""


def world_of(rules: AnyRules, players: int, matches: int, rng: np.random.Generator) -> LockStep:
    """Return a world of ``matches`` matches; its arguments and errors are those of ``LockStep``.

    Raises SetupError for a handicap, too.
    """
    if rules.handicap:
        raise SetupError("matches in lock step begin level: leave the handicap out")
    return _WORLDS[rules.family](rules, players, matches, rng)
