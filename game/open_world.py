"""Many matches of ``sevens`` in lock step, as arrays; needs numpy. ``game.vector`` is its door.

Throws are numbers into a table of all throws, sorted high to low. Scores come from
``game.sevens.values``. Moves are those of ``game.sevens.moves`` on arrays, and tests compare both.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from game.actions import Roll, SeatAction, Stop
from game.dice import FACES, throws
from game.options import SetupError, check_table
from game.sevens.rules import SevensRules
from game.sevens.values import score
from game.status import OVER, ROLL_OFF, THROWN, TO_THROW

Ints = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]

PHASES: Final = (ROLL_OFF, TO_THROW, THROWN, OVER)
_ROLL_OFF, _TO_THROW, _THROWN, _OVER = range(len(PHASES))
_NOTHING: Final = -1
_ROLL, _STOP = 0, 1
_FULL: Final = 20.0
"""Lost rounds are observed as shares of it."""


def gains(lost: Flags) -> npt.NDArray[np.float64]:
    """Return what everybody gained, by match and seat, from who has lost; losers lose 1 together.

    A gain is the mean of the others' losses less one's own.
    """
    shares = lost / np.maximum(1, lost.sum(1, keepdims=True))
    others = (shares.sum(1, keepdims=True) - shares) / (lost.shape[1] - 1)
    return np.asarray(others - shares)


class SevensWorld:
    """A number of ``matches`` of ``players`` in lock step; arrays have one row for each match.

    Arguments and methods are those of ``VectorWorld``. ``throws`` are all throws by number.
    ``phase`` is a place in ``PHASES``. ``dice`` and ``hands`` are numbers of throws; they and
    ``leader`` are -1 for None. ``coasters`` are lost rounds. Raises SetupError as ``new_match``
    does, and for no match.
    """

    def __init__(
        self, rules: SevensRules, players: int, matches: int, rng: np.random.Generator
    ) -> None:
        if matches < 1:
            raise SetupError(f"{matches} matches: choose 1 or more")
        check_table(rules, tuple(f"seat {seat}" for seat in range(players)), 0)
        self.rules, self.players, self.matches, self._rng = rules, players, matches, rng
        self.actions: tuple[SeatAction, ...] = (Roll(), Stop())
        found = throws(rules.dice)
        self.throws = tuple(dice for dice, _ in found)
        ways = [int(chance * len(FACES) ** rules.dice) for _, chance in found]
        self._fallen: Ints = np.repeat(np.arange(len(found)), ways)
        self._score = np.array([score(dice, rules.seven_dice) for dice in self.throws])
        self._pips = np.array([sum(dice) for dice in self.throws])
        faces = [[dice.count(face) / rules.dice for face in FACES] for dice in self.throws]
        self._faces = np.array([*faces, [0.0] * len(FACES)], np.float32)
        rows, shape = matches, (matches, players)
        self.phase, self.to_act, self.leader = (np.zeros(rows, np.intp) for _ in range(3))
        self.thrown, self.limit, self.dice = (np.zeros(rows, np.intp) for _ in range(3))
        self.round, self.start = (np.zeros(rows, np.intp) for _ in range(2))
        self.coasters, self.hands, self._last = (np.zeros(shape, np.intp) for _ in range(3))
        self.playing, self.members, self.lost = (np.zeros(shape, np.bool_) for _ in range(3))
        self.deciding = np.zeros(rows, np.bool_)
        self._features = len(PHASES) + 2 + len(FACES) + (3 + len(FACES)) * players
        self._rows = np.arange(matches)
        self._ring = (np.arange(players)[:, None] + np.arange(players)) % players
        self.reset(np.ones(rows, np.bool_))

    def reset(self, rows: Flags) -> None:
        """Begin the matches of ``rows`` anew; who throws first for the lead is drawn."""
        at = np.flatnonzero(rows)
        self.start[at] = self._rng.integers(self.players, size=len(at))
        self.to_act[at], self.phase[at], self.leader[at] = self.start[at], _ROLL_OFF, _NOTHING
        self.round[at], self.coasters[at], self._last[at] = 0, 0, 0
        self.playing[at], self.members[at] = True, True
        self.lost[at], self.deciding[at], self.limit[at] = False, False, self.rules.throws
        self._clear(at)

    def mask(self) -> Flags:
        """Return what the seat to act may do now: matches × actions."""
        return np.stack((self.phase != _OVER, self.phase == _THROWN), 1)

    def random_actions(self) -> Ints:
        """Return a legal action for each match, each with equal chance; 0 where it is over."""
        stops = (self._rng.random(self.matches) < 1 / 2) & (self.phase == _THROWN)
        found: Ints = stops.astype(np.intp)
        return found

    def draw(self) -> Ints:
        """Return a throw for each match, by number."""
        drawn: Ints = self._fallen[self._rng.integers(len(self._fallen), size=self.matches)]
        return drawn

    def observe(self) -> npt.NDArray[np.float32]:
        """Return what the seat to act knows: matches × features, 0 to 1.

        They are the phase, its throws and their limit, the dice, and by seat from the observer the
        leader, who plays, lost rounds, and the dice of who has finished.
        """
        ring, rows, seats = self._ring[self.to_act], self._rows[:, None], self.players
        known = np.zeros((self.matches, self._features), np.float32)
        known[self._rows, self.phase] = 1
        known[:, 4], known[:, 5] = self.thrown / self.rules.throws, self.limit / self.rules.throws
        known[:, 6:12] = self._faces[self.dice]
        at = 12 + seats
        known[:, 12:at] = ring == self.leader[:, None]
        known[:, at : at + seats] = self.playing[rows, ring]
        np.minimum(
            self.coasters[rows, ring] / _FULL,
            1,
            out=known[:, at + seats : at + 2 * seats],
            casting="unsafe",
        )
        for place in range(seats):
            hand = at + 2 * seats + len(FACES) * place
            thrown = self.hands[self._rows, ring[:, place]]
            known[:, hand : hand + len(FACES)] = self._faces[thrown]
        return known

    def returns(self) -> npt.NDArray[np.float64]:
        """Return what everybody gained, by match and seat, as ``gains`` does; 0 before."""
        return gains(self.lost)

    def step(self, actions: Ints, dice: Ints | None = None) -> Flags:
        """Do ``actions``, by number, and return which matches are over now.

        ``dice`` are numbers of throws; None draws them. A match that is over stays as it is. Raises
        ValueError if an action is not legal.
        """
        goes_on = self.phase != _OVER
        wrong = np.flatnonzero((actions == _STOP) & goes_on & (self.phase != _THROWN))
        if len(wrong):
            raise ValueError(f"match {wrong[0]}: {Stop()} is not possible")
        fell = self.draw() if dice is None else dice
        rolls = goes_on & (actions == _ROLL)
        off = np.flatnonzero(rolls & (self.phase == _ROLL_OFF))
        at = np.flatnonzero(rolls & (self.phase != _ROLL_OFF))
        self.phase[at], self.dice[at] = _THROWN, fell[at]
        self.thrown[at] += 1
        last = at[self.thrown[at] >= self.limit[at]]
        self._finish(np.concatenate((np.flatnonzero(goes_on & (actions == _STOP)), last)))
        if len(off):
            self._throw_for_the_lead(off, fell[off])
        return self.phase == _OVER  # type: ignore[no-any-return]

    def _throw_for_the_lead(self, at: Ints, dice: Ints) -> None:
        seat = self.to_act[at]
        self.hands[at, seat] = dice
        following = self._after(at, seat)
        done = following == self.start[at]
        self.to_act[at[~done]] = following[~done]
        at = at[done]
        pips = np.where(self.members[at], self._pips[self.hands[at]], np.iinfo(np.intp).max)
        tied = pips == pips.min(1, keepdims=True)
        ring = self._ring[self.start[at]]
        first = ring[np.arange(len(at)), np.take_along_axis(tied, ring, 1).argmax(1)]
        alone = tied.sum(1) == 1
        self._begin(at[alone], first[alone])
        again = at[~alone]
        self.members[again], self.start[again] = tied[~alone], first[~alone]
        self.to_act[again] = first[~alone]
        self._clear(again)

    def _after(self, at: Ints, seat: Ints) -> Ints:
        """Return the next seat of the order, clockwise; its first one after the last."""
        ring = self._ring[seat][:, 1:]
        place = np.take_along_axis(self.members[at], ring, 1).argmax(1)
        found: Ints = ring[np.arange(len(at)), place]
        return found

    def _finish(self, at: Ints) -> None:
        seat = self.to_act[at]
        self.hands[at, seat] = self.dice[at]
        leads = seat == self.leader[at]
        self.limit[at[leads]] = self.thrown[at[leads]]
        following = self._after(at, seat)
        done = following == self.start[at]
        on = at[~done]
        self.phase[on], self.to_act[on] = _TO_THROW, following[~done]
        self.thrown[on], self.dice[on] = 0, _NOTHING
        if done.any():
            self._settle(at[done])

    def _settle(self, at: Ints) -> None:
        """Book the loss of a round: the highest score, the later of two equal ones (S-4)."""
        ring = self._ring[self.start[at]][:, ::-1]
        scores = np.where(self.members[at], self._score[self.hands[at]], _NOTHING)
        latest = np.take_along_axis(scores, ring, 1).argmax(1)
        worst = ring[np.arange(len(at)), latest]
        decides = self.deciding[at]
        self._over(at[decides], worst[decides, None] == np.arange(self.players))
        at, worst = at[~decides], worst[~decides]
        self.coasters[at, worst] += 1
        self._last[at, worst] = self.round[at]
        ends = self.round[at] >= self.rules.rounds
        self._begin(at[~ends], worst[~ends])
        at = at[ends]
        most = self.coasters[at] == self.coasters[at].max(1, keepdims=True)
        alone = most.sum(1) == 1
        self._over(at[alone], most[alone])
        at, most = at[~alone], most[~alone]
        self.playing[at], self.deciding[at] = most, True
        self._begin(at, np.where(most, self._last[at], _NOTHING).argmax(1))

    def _begin(self, at: Ints, leader: Ints) -> None:
        self.members[at], self.start[at] = self.playing[at], leader
        self.leader[at], self.to_act[at] = leader, leader
        self.phase[at], self.limit[at] = _TO_THROW, self.rules.throws
        self.round[at] += 1
        self._clear(at)

    def _over(self, at: Ints, lost: Flags) -> None:
        self.phase[at], self.to_act[at], self.lost[at] = _OVER, 0, lost
        self._clear(at)

    def _clear(self, at: Ints) -> None:
        self.hands[at], self.thrown[at], self.dice[at] = _NOTHING, 0, _NOTHING
