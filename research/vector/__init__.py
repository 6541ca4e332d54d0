"""Many matches of one game in lock step, as arrays: a fast world for learners.

A world keeps the legal actions of every situation that it has met, as the core lists them for an
example. Its moves write on the rows of the matches that do them. All worlds share what is here.

May import: game.
Begin with ``worlds``, which has the door ``world_of``.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from game.actions import Roll, SeatAction
from game.engines import AnyMatch, legal_actions, new_match
from game.options import SetupError
from game.rules import AnyRules
from game.status import Phase

Ints = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]
Move = Callable[[Any, Ints, Ints, Ints], None]
"""Writes an action on a world; it takes the rows of its matches, the actions and the falls."""

OVER: Final = 0
"""The place of this phase in every world; chosen."""
NOTHING: Final = -1
"""The value that stands for None in an array; chosen."""
_SHARES: Final = np.linspace(0, 1, 21, dtype=np.float32)
"""By number of losses: what is observed of it; more than 20 are no more than 20."""


def gains(lost: Flags) -> npt.NDArray[np.float64]:
    """Return what everybody gained, by match and seat, from who has lost; losers lose 1 together.

    A gain is the mean of the others' losses less one's own.
    """
    shares = lost / np.maximum(1, lost.sum(1, keepdims=True))
    others = (shares.sum(1, keepdims=True) - shares) / (lost.shape[1] - 1)
    return np.asarray(others - shares)


def shares(counts: Ints) -> Floats:
    """Return counts of losses as they are observed, from 0 to 1."""
    return _SHARES.take(counts, mode="clip")


class Seats:
    """The seats of a table as tables; a set of them is a number with a bit for each seat.

    ``numbers`` are the seats, and ``ring`` has all of them from each one on. ``is_in`` tells by set
    and seat who is in it, ``count`` how many. ``next`` is the next seat of a set after a seat:
    ``next[1]`` clockwise, ``next[0]`` the other way. ``bit`` is a set of one seat, or of none.
    """

    def __init__(self, players: int) -> None:
        self.numbers = np.arange(players)
        self.ring = (self.numbers[:, None] + self.numbers) % players
        self.all = 2**players - 1
        bits = np.arange(self.all + 1)
        self.is_in: Flags = (bits[:, None] >> self.numbers) & 1 == 1
        self.count = self.is_in.sum(1)
        self.next = np.zeros((2, len(bits), players), np.intp)
        for way, seat, step in product((0, 1), range(players), range(players, 0, -1)):
            there = (seat + (step if way else -step)) % players
            self.next[way, self.is_in[:, there], seat] = there
        self.bit = np.array([*(1 << self.numbers), 0], np.intp)
        self._around: Flags = self.is_in[:, self.ring].reshape(-1, players)

    def seen_from(self, seat: Ints, bits: Ints) -> Flags:
        """Return which seats are in a set, counted from a seat on."""
        return self._around.take(bits * len(self.numbers) + seat, 0)

    def first(self, bits: Ints, seat: Ints) -> Ints:
        """Return a seat that is in a set, or else the next one clockwise that is."""
        return np.where(self.is_in[bits, seat], seat, self.next[1, bits, seat])

    def bits(self, flags: Flags) -> Ints:
        """Return the set of the seats with a flag."""
        return (flags << self.numbers).sum(1)  # type: ignore[no-any-return]


class Situations:
    """The moves of the legal actions in each situation, kept once it has come up.

    ``moves`` are all moves. ``move`` has the number of a move, or -1, by row and action; ``mask``
    tells what is legal, ``count`` how much, and ``order`` names the legal actions first.
    """

    def __init__(self, number: int, actions: int) -> None:
        self._row = np.full(number, NOTHING)
        self.moves: list[Move] = []
        self.move = np.zeros((0, actions), np.int8)

    def rows(self, numbers: Ints, moves_of: Callable[[int], Mapping[int, Move]]) -> Ints:
        """Return the rows of situations; those that are new are asked for."""
        found: Ints = self._row[numbers]
        if (found < 0).any():
            new = np.unique(numbers[found < 0])
            moves = np.full((len(new), self.move.shape[1]), NOTHING, np.int8)
            for row, number in zip(moves, new):
                for action, move in moves_of(int(number)).items():
                    if move not in self.moves:
                        self.moves.append(move)
                    row[action] = self.moves.index(move)
            self._row[new] = len(self.move) + np.arange(len(new))
            self.move = np.concatenate((self.move, moves))
            self.mask = self.move >= 0
            self.count = self.mask.sum(1)
            self.order = np.argsort(~self.mask, axis=1, kind="stable")
            found = self._row[numbers]
        return found


class LockStep:
    """A number of ``matches`` of ``players`` in lock step; arrays have one row for each match.

    Args:
        rules: of any game that has a world.
        players: how many sit at each table.
        matches: how many are played.
        rng: the only source of chance.

    ``actions`` are the actions by number. ``phase`` is a place in ``PHASES``. ``playing`` has a bit
    for each seat that is in. ``tally`` counts losses by seat, and ``lost`` tells who has lost.
    Chance is a number from 0 up to ``ways``, all equally likely.

    Raises SetupError for rules that it does not play, and as ``new_match`` does.
    """

    PHASES: ClassVar[tuple[Phase, ...]]
    FRESH: ClassVar[tuple[int, ...]]
    """The last of the numbers that a world annotates, as they are when a round begins."""

    phase: Ints
    to_act: Ints
    playing: Ints
    round: Ints

    def __init__(
        self,
        rules: AnyRules,
        players: int,
        matches: int,
        rng: np.random.Generator,
        actions: Sequence[SeatAction],
        shape: tuple[int, ...],
    ) -> None:
        if matches < 1:
            raise SetupError(f"{matches} matches: choose 1 or more")
        self.players, self.matches, self._rng = players, matches, rng
        self.actions, self.ways = tuple(actions), 0
        self._start = new_match(rules, tuple(f"seat {seat}" for seat in range(players)), 0)
        names = ("phase", "to_act", "playing", "round", *type(self).__annotations__)
        self._state = np.zeros((len(names), matches), np.intp)
        for name, numbers in zip(names, self._state):
            setattr(self, name, numbers)
        self._cleared = self._state[-len(self.FRESH) :]
        self._fresh = np.array(self.FRESH)[:, None]
        self.tally = np.zeros((matches, players), np.intp)
        self.lost = np.zeros((matches, players), np.bool_)
        self.seats, self._rows = Seats(players), np.arange(matches)
        self._number_of = {action: number for number, action in enumerate(self.actions)}
        self._shape = shape
        self._strides = [int(np.prod(shape[at + 1 :])) for at in range(len(shape))]
        self._table = Situations(int(np.prod(shape)), len(self.actions))
        self._now: Ints | None = None

    def reset(self, rows: Flags) -> None:
        """Begin the matches of ``rows`` anew; the seat that begins is drawn."""
        at, self._now = np.flatnonzero(rows), None
        self.playing[at], self.round[at] = self.seats.all, 0
        self.tally[at], self.lost[at] = 0, False
        self._open(at, self._rng.integers(self.players, size=len(at)))

    def situations(self) -> Ints:
        """Return the number of each match's situation, a row of the table of legal actions."""
        if self._now is None:
            self._now = self._table.rows(self._situation(), self._moves_in)
        return self._now

    def _moves_in(self, situation: int) -> dict[int, Move]:
        match = self._example(*map(int, np.unravel_index(situation, self._shape)))
        return {
            self._number_of[action]: self._move_of(match, action)
            for action in legal_actions(match)
            if action in self._number_of
        }

    def mask(self) -> Flags:
        """Return what the seat to act may do now: matches × actions."""
        now = self.situations()
        return self._table.mask.take(now, 0)

    def random_actions(self) -> Ints:
        """Return a legal action for each match, each with equal chance; 0 where it is over."""
        now = self.situations()
        drawn = (self._rng.random(self.matches) * self._table.count[now]).astype(np.intp)
        found: Ints = self._table.order[now, drawn]
        return found

    def draw(self) -> Ints:
        """Return what chance brings to each match, by number."""
        return self._rng.integers(self.ways, size=self.matches)

    def returns(self) -> npt.NDArray[np.float64]:
        """Return what everybody gained, by match and seat, as ``gains`` does; 0 before."""
        return gains(self.lost)

    def step(self, actions: Ints, falls: Ints | None = None) -> Flags:
        """Do ``actions``, by number, and return which matches are over now.

        ``falls`` are what chance brings, by number; None draws them. A match that is over stays as
        it is. Raises ValueError if an action is not legal.
        """
        now = self.situations()
        moves = self._table.move[now, actions]
        wrong = np.flatnonzero((moves < 0) & (self.phase != OVER))
        if len(wrong):
            refused = self.actions[int(actions[wrong[0]])]
            raise ValueError(f"match {wrong[0]}: {refused} is not possible")
        if falls is None:
            falls = self.draw()
        self._now = None
        order = np.argsort(moves, kind="stable")
        ends = np.searchsorted(moves[order], np.arange(len(self._table.moves) + 1))
        for move, begin, end in zip(self._table.moves, ends, ends[1:]):
            if begin < end:
                at = order[begin:end]
                move(self, at, actions[at], falls[at])
        return self.phase == OVER  # type: ignore[no-any-return]

    def observe(self) -> Floats:
        """Return what the seat to act knows: matches × features, 0 to 1."""
        raise NotImplementedError

    def roll_of(self, match: int, fall: int) -> Roll:
        """Return the roll that a number of chance stands for in a match now."""
        raise NotImplementedError

    def _open(self, at: Ints, first: Ints) -> None:
        """Begin matches with the seats ``first``."""
        raise NotImplementedError

    def _situation(self) -> Ints:
        """Return the number of each match's situation among all that ``shape`` has."""
        raise NotImplementedError

    def _example(self, *at: int) -> AnyMatch:
        """Return a match of the core in the situation at these places of ``shape``."""
        raise NotImplementedError

    def _move_of(self, match: Any, action: SeatAction) -> Move:
        """Return the move that an action is in a match of the core."""
        raise NotImplementedError

    def _places(self) -> Ints:
        """Return the places of all seats, from the one to act, in a table of matches and seats."""
        return self._rows[:, None] * self.players + self.seats.ring.take(self.to_act, 0)

    def over(self, at: Ints, lost: Flags) -> None:
        """End matches, of which some seats have ``lost``."""
        self.clear(at, OVER, np.zeros(len(at), np.intp))
        self.lost[at] = lost

    def clear(self, at: Ints, phase: int, to_act: Ints) -> None:
        """Clear what a round begins with."""
        self._cleared[:, at] = self._fresh
        self.phase[at], self.to_act[at] = phase, to_act
