"""Many matches of a bluff game in lock step, as arrays: a fast world for learners; needs numpy.

``VectorWorld(rules, players, matches, rng)`` plays ``matches`` matches of one rule set. Legal
actions come from a table that the core's own checks fill, one row for each situation. Moves are
those of ``game.bluff.moves`` on arrays; tests compare both, action by action, on the same draws.

A learner does::

    world = VectorWorld(rule_set("wikipedia", {}), players=4, matches=4096, rng=default_rng(1))
    while learning:
        actions = policy(world.observe(), world.mask())
        over = world.step(actions)
        gains = world.returns()[over]
        world.reset(over)

``world_of`` makes the world of any rules that have one. Games with words, towers and points
(``holy-family``) and the coaster games have none yet.
"""

from collections.abc import Callable, Mapping
from itertools import product
from typing import Final

import numpy as np
import numpy.typing as npt

from game.actions import (
    Announce,
    Believe,
    Doubt,
    EndMatch,
    GiveIn,
    Lift,
    Look,
    OwnUp,
    Roll,
    SeatAction,
    ShowMaexchen,
)
from game.bluff.legality import CHECKS
from game.bluff.moves import REVERSING, SHARED, new_match
from game.bluff.position import is_lie
from game.bluff.rules import BluffRules
from game.bluff.values import DICE, MAEXCHEN, value_of
from game.open_world import SevensWorld, gains
from game.options import SetupError
from game.rules import AnyRules
from game.sevens.rules import SevensRules
from game.status import BELIEVED, DOUBTED, OFFERED, OPENING, OVER, THROWN

Ints = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]

_PHASES: Final = (OPENING, BELIEVED, THROWN, OFFERED, DOUBTED, OVER)
_OPENING, _BELIEVED, _THROWN, _OFFERED, _DOUBTED, _OVER = range(len(_PHASES))
_NOBODY: Final = -1
_UNSEEN, _SEEN, _MAEXCHEN_SEEN = range(3)
_FULL: Final = 20.0
"""Penalties are observed as shares of it."""
_ALL_DICE: Final = np.array(DICE)


class VectorWorld:
    """A number of ``matches`` of ``players`` in lock step; arrays have one row for each match.

    Args:
        rules: of a bluff game without words and towers.
        players: how many sit at each table.
        matches: how many are played.
        rng: the only source of chance.

    ``actions`` are the actions by number. ``phase``, ``to_act``, ``opener``, ``announcer``,
    ``direction``, ``round`` and ``tally`` are as in a ``Match``, with -1 for None; ``standing`` and
    ``dice`` are places in the ladder of the rules. ``playing`` has a bit for each seat that is in.

    Raises SetupError for rules that it does not play, and as ``new_match`` does.
    """

    def __init__(
        self, rules: BluffRules, players: int, matches: int, rng: np.random.Generator
    ) -> None:
        if rules.family != BluffRules.family or rules.customs.open_mistakes:
            raise SetupError(f"game.vector plays class and physicist, not {rules.game}")
        if matches < 1:
            raise SetupError(f"{matches} matches: choose 1 or more")
        new_match(rules, tuple(f"seat {seat}" for seat in range(players)), 0)
        self.rules, self.players, self.matches, self._rng = rules, players, matches, rng
        self.actions: tuple[SeatAction, ...] = (
            *(Roll(), Look(), Believe(), Doubt(), Lift(), GiveIn(), ShowMaexchen(), OwnUp()),
            EndMatch(),
            *(Announce(value) for value in rules.ladder),
        )
        self._tables()
        rows = matches
        self.phase, self.to_act, self.opener = (np.zeros(rows, np.intp) for _ in range(3))
        self.standing, self.announcer, self.dice = (np.zeros(rows, np.intp) for _ in range(3))
        self.rolls, self.seen, self.announcer_rolls = (np.zeros(rows, np.intp) for _ in range(3))
        self.direction, self.round, self.playing = (np.zeros(rows, np.intp) for _ in range(3))
        self.tally = np.zeros((rows, players), np.intp)
        self.lost = np.zeros((rows, players), np.bool_)
        self.reset(np.ones(rows, np.bool_))

    def _tables(self) -> None:
        """Fill what follows from the rules: legal actions, lies, prices and the next seats."""
        rules, seats = self.rules, self.players
        size = self._size = len(rules.ladder) + 1
        self._most = rules.rolls + 1
        start = new_match(rules, tuple(f"seat {seat}" for seat in range(seats)), 0)
        shape = (len(_PHASES), size, self._most, 3, 2, 2)
        mask = np.zeros((*shape, len(self.actions)), np.bool_)
        for at in product(*map(range, shape)):
            phase, standing, rolls, sight, later, seen_roll = at
            match = start.replace(
                phase=_PHASES[phase],
                announced=rules.ladder[standing - 1] if standing else None,
                announcer=seats - 1 if standing else None,
                announcer_rolls=seen_roll,
                rolls=rolls,
                seen=sight != _UNSEEN,
                dice=(None, (3, 1), (2, 1))[sight],
                round=later + 1,
            )
            mask[at] = [CHECKS[type(each)](match, each) is None for each in self.actions]
        self._mask = mask.reshape(-1, len(self.actions))
        self._strides = np.array([np.prod(shape[at + 1 :], dtype=int) for at in range(len(shape))])
        self._count = self._mask.sum(1)
        self._order = np.argsort(~self._mask, axis=1, kind="stable")
        ladder = rules.ladder
        self._lie = np.array([[is_lie(rules, said, dice) for dice in ladder] for said in ladder])
        self._place_of_dice = np.array([rules.place[value_of(dice)] for dice in DICE])
        self._top = rules.place[MAEXCHEN]
        bits = np.arange(2**seats)
        self._next = np.zeros((2, 2**seats, seats), np.intp)
        for way, seat, step in product((0, 1), range(seats), range(seats, 0, -1)):
            there = (seat + (step if way else -step)) % seats
            is_in = (bits >> there) & 1 == 1
            self._next[way, is_in, seat] = there
        self._in = np.array([bin(each).count("1") for each in bits])
        self._rows = np.arange(self.matches)
        self._ring = (np.arange(seats)[:, None] + np.arange(seats)) % seats
        self._stays = ((bits[:, None, None] >> self._ring) & 1).astype(np.float32)
        features = len(_PHASES) + 2 * size + 4 * seats + 4
        self._known = np.zeros((self.matches, features), np.float32)
        self._now: Ints | None = None

    def reset(self, rows: Flags) -> None:
        """Begin the matches of ``rows`` anew; the opener is drawn."""
        at, self._now = np.flatnonzero(rows), None
        self.opener[at] = self._rng.integers(self.players, size=len(at))
        self.direction[at], self.round[at] = 1, 0
        self.playing[at], self.tally[at], self.lost[at] = 2**self.players - 1, 0, False
        self._begin(at, self.opener[at])

    def situations(self) -> Ints:
        """Return the number of each match's situation, a row of the table of legal actions."""
        if self._now is not None:
            return self._now
        sight = np.where(self.seen > 0, 1 + (self.dice == self._top), 0)
        by_sight = (self.announcer_rolls > 0) & (self.announcer_rolls <= self.rules.looks)
        phase, standing, rolls, seen, later, _ = self._strides
        found: Ints = self.phase * phase + (self.standing + 1) * standing + self.rolls * rolls
        found += sight * seen
        found += (self.round > 1) * later
        found += by_sight
        self._now = found
        return found

    def mask(self) -> Flags:
        """Return what the seat to act may do now: matches × actions."""
        return self._mask[self.situations()]

    def random_actions(self) -> Ints:
        """Return a legal action for each match, each with equal chance; 0 where it is over."""
        at = self.situations()
        drawn = (self._rng.random(self.matches) * self._count[at]).astype(np.intp)
        found: Ints = self._order[at, drawn]
        return found

    def observe(self) -> npt.NDArray[np.float32]:
        """Return what the seat to act knows: matches × features, 0 to 1.

        They are the phase, the standing announcement, the announcer and the opener counted from the
        observing seat, the dice if it has looked at them, its rolls, the announcer's, the
        direction, and by seat from the observer the penalties and who is in.
        """
        seats, me, known = self.players, self.to_act, self._known
        known.fill(0)
        at = 0
        for value, size in (
            (self.phase, len(_PHASES)),
            (self.standing + 1, self._size),
            (np.where(self.seen > 0, self.dice + 1, 0), self._size),
            (np.where(self.announcer < 0, seats, (self.announcer - me) % seats), seats + 1),
            ((self.opener - me) % seats, seats),
        ):
            known[self._rows, value + at] = 1
            at += size
        known[:, at] = self.rolls / self.rules.rolls
        known[:, at + 1] = self.announcer_rolls / self.rules.rolls
        known[:, at + 2] = self.direction > 0
        paid = self.tally[self._rows[:, None], self._ring[me]]
        np.minimum(paid / _FULL, 1, out=known[:, at + 3 : at + 3 + seats], casting="unsafe")
        known[:, at + 3 + seats :] = self._stays[self.playing, me]
        return known.copy()

    def returns(self) -> npt.NDArray[np.float64]:
        """Return what everybody gained, by match and seat, as ``gains`` does; 0 before."""
        return gains(self.lost)

    def step(self, actions: Ints, dice: Ints | None = None) -> Flags:
        """Do ``actions``, by number, and return which matches are over now.

        ``dice`` are indices into ``game.bluff.values.DICE`` for the rolls; None draws them. A match
        that is over stays as it is. Raises ValueError if an action is not legal.
        """
        goes_on = self.phase != _OVER
        legal = self._mask[self.situations(), actions]
        if not (legal | ~goes_on).all():
            row = int(np.flatnonzero(~legal & goes_on)[0])
            raise ValueError(f"match {row}: {self.actions[int(actions[row])]} is not possible")
        self._now = None
        if dice is None:
            dice = self._rng.integers(len(DICE), size=self.matches)
        kinds = np.where(goes_on, np.minimum(actions, _ANNOUNCES), _NONE)
        order = np.argsort(kinds, kind="stable")
        ends = np.searchsorted(kinds[order], np.arange(_NONE + 1))
        for kind, move in enumerate(_MOVES):
            at = order[ends[kind] : ends[kind + 1]]
            if len(at):
                move(self, at, actions, dice)
        return self.phase == _OVER  # type: ignore[no-any-return]

    def _roll(self, at: Ints, _: Ints, dice: Ints) -> None:
        self.dice[at] = self._place_of_dice[dice[at]]
        self.phase[at], self.seen[at] = _THROWN, 0
        self.rolls[at] += 1

    def _look(self, at: Ints, _actions: Ints, _dice: Ints) -> None:
        self.seen[at] = 1

    def _believe(self, at: Ints, _actions: Ints, _dice: Ints) -> None:
        self.phase[at] = _BELIEVED

    def _doubt(self, at: Ints, _actions: Ints, _dice: Ints) -> None:
        self.phase[at] = _DOUBTED

    def _announce(self, at: Ints, actions: Ints, _: Ints) -> None:
        seat = self.to_act[at]
        self.standing[at], self.announcer[at] = actions[at] - _ANNOUNCES, seat
        self.phase[at], self.to_act[at] = _OFFERED, self._after(at, seat)
        self.announcer_rolls[at], self.rolls[at], self.seen[at] = self.rolls[at], 0, 0

    def _lift(self, at: Ints, _actions: Ints, _dice: Ints) -> None:
        rules, standing, dice = self.rules, self.standing[at], self.dice[at]
        doubter, announcer = self.to_act[at], self.announcer[at]
        lied = self._lie[standing, dice]
        counts = standing >= self._top
        if rules.customs.lifted_maexchen_costs_too:
            counts = counts | (dice == self._top)
        price = np.where(lied, rules.maexchen_false, rules.maexchen_true)
        cost = np.where(counts, price, 1)
        turns = (dice == self._top) & rules.customs.reverses
        if rules.mexican:
            turns = turns | (dice == rules.place[REVERSING])
        self._turn(at, turns)
        payer, winner = np.where(lied, announcer, doubter), np.where(lied, doubter, announcer)
        shared = (dice == rules.place[SHARED]) & rules.mexican
        if rules.free_doubt:
            cost = np.where(lied | shared, cost, 0)
        if rules.mexican:
            stays = (self.playing[at, None] >> np.arange(self.players)) & 1
            stays[np.arange(len(at)), payer] = 0
            self.tally[at] += stays * shared[:, None]
        self._penalise(at, payer, cost, winner)

    def _give_in(self, at: Ints, _actions: Ints, _dice: Ints) -> None:
        self._turn(at, np.zeros(len(at), np.bool_))
        self._penalise(at, self.to_act[at], np.ones(len(at), np.intp), self.announcer[at])

    def _show(self, at: Ints, _actions: Ints, _dice: Ints) -> None:
        seat = self.to_act[at]
        payer = self._after(at, seat)
        self._turn(at, np.full(len(at), self.rules.customs.reverses))
        self._penalise(at, payer, np.ones(len(at), np.intp), seat)

    def _end(self, at: Ints, _actions: Ints, _dice: Ints) -> None:
        stays = (self.playing[at, None] >> np.arange(self.players)) & 1 == 1
        tally = np.where(stays, self.tally[at], -1)
        self.lost[at] = tally == tally.max(1, keepdims=True)
        self._over(at)

    def _after(self, at: Ints, seat: Ints) -> Ints:
        way = (self.direction[at] > 0).astype(np.intp)
        return self._next[way, self.playing[at], seat]

    def _turn(self, at: Ints, turns: Flags) -> None:
        turns = turns & (self._in[self.playing[at]] > 2)
        stays = 1 if self.rules.reverses == "once" else self.direction[at]
        self.direction[at] = np.where(turns, -self.direction[at], stays)

    def _penalise(self, at: Ints, payer: Ints, cost: Ints, winner: Ints) -> None:
        rules = self.rules
        if rules.stakes == "matches":
            had = rules.credit - self.tally[at, payer]
            cost = np.where(had > 0, np.minimum(cost, had), 1)
            left = had - cost
            goes = left < 0 if rules.swim else left <= 0
            self.playing[at[goes]] &= ~(1 << payer[goes])
            self.lost[at[goes], payer[goes]] = True
        self.tally[at, payer] += cost
        if rules.stakes == "matches":
            ends = goes if rules.ends == "first_out" else self._in[self.playing[at]] == 1
            self._over(at[ends])
            at, payer, winner = at[~ends], payer[~ends], winner[~ends]
        opens = winner if rules.opener == "winner" else payer
        is_in = (self.playing[at] >> opens) & 1 == 1
        replaced = np.full(len(at), True) if rules.opener == "next" else ~is_in
        self._begin(at, np.where(replaced, self._after(at, opens), opens))

    def _begin(self, at: Ints, opener: Ints) -> None:
        self._clear(at, _OPENING)
        self.round[at] += 1
        self.opener[at], self.to_act[at] = opener, opener

    def _over(self, at: Ints) -> None:
        self._clear(at, _OVER)
        self.to_act[at] = 0

    def _clear(self, at: Ints, phase: int) -> None:
        self.phase[at], self.standing[at], self.announcer[at] = phase, _NOBODY, _NOBODY
        self.dice[at], self.rolls[at], self.seen[at], self.announcer_rolls[at] = _NOBODY, 0, 0, 0


def world_of(
    rules: AnyRules, players: int, matches: int, rng: np.random.Generator
) -> VectorWorld | SevensWorld:
    """Return a world of ``matches`` matches; see ``VectorWorld``. Raises SetupError as it does."""
    world = _WORLDS.get(rules.family)
    if world is None:
        raise SetupError(f"game.vector plays class, physicist and sevens, not {rules.game}")
    return world(rules, players, matches, rng)


_WORLDS: Final[Mapping[str, Callable[..., VectorWorld | SevensWorld]]] = {
    BluffRules.family: VectorWorld,
    SevensRules.family: SevensWorld,
}
"""By family: its world."""


_W = VectorWorld
_MOVES: Final = (
    *(_W._roll, _W._look, _W._believe, _W._doubt, _W._lift, _W._give_in, _W._show, _W._give_in),
    *(_W._end, _W._announce),
)
"""By number of an action, announcements last: its move. To own up is a move like giving in."""
_ANNOUNCES: Final = len(_MOVES) - 1
_NONE: Final = len(_MOVES)
"""No action: the match is over."""
