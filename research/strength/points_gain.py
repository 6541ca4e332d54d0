"""The gain of better decisions over a match of ``holy-family`` among experts, by the rules alone.

``python -m research.strength.points_gain 3 4`` takes one round by lot of each of four matches, and
walks all its ends by what the bots decide. At each likely decision of the round it tries every
action of the dial, with experts before and after. The gains of the best ones add up; times the
rounds of the match, that is the gain over it. A round takes 20 s of processor time.

Only the chances of the bots, the rules, and the numbers of the shipped file go in, for the worths
of the standings after the round. The walk finds the worth of the round's beginning anew, too.
"""

import sys
from collections.abc import Iterable, Iterator
from importlib.resources import files
from itertools import accumulate, repeat
from random import Random
from struct import Struct
from typing import NamedTuple, cast
from zlib import decompress

import numpy as np

from firmware.bots.bot import sight_of
from game import RULES, BluffRules, Match, Phase, illegality, laid_open, rolls
from game.actions import Roll, SeatAction
from game.strategy import position
from game.strategy.position import Known, State
from hw_sim.players.bot_kinds import personality_of
from research.strength.measure import estimate, strategy_of, turns

RULES_OF = cast(BluffRules, RULES["holy-family"])
CLOSE = 1e-10
"""Worths are worked out until they change less than this; chosen."""
RARE = 1e-7
"""Positions with a smaller chance are not walked; chosen."""
TRIED = 2e-3
"""The walk skips a decision with a smaller chance in a round; chosen."""


class Found(NamedTuple):
    """The result of a walk through a match.

    Attributes:
        gained: the gain over the match, the mean of the seats, as a chance not to lose it.
        drift: the greatest distance of a worth that the walk finds from the shipped one.
        untried: the decisions of a round that were too rare to be tried, as their mean number.
    """

    gained: float
    drift: float
    untried: float


class WalkedDecision(NamedTuple):
    """One decision of a round: its positions look alike, and each has its chance.

    Attributes:
        known: what the seat that is to act knows.
        states: the positions.
        after: the positions after each possible action; empty if the decision is too rare.
    """

    known: Known
    states: list[tuple[State, float]]
    after: dict[SeatAction, list[tuple[State, float]]]


class Worths:
    """The numbers of the shipped file of so many players, read without the reader of the game."""

    def __init__(self, players: int) -> None:
        kept = files("game.strategy") / "tables" / f"holy-family-{players}.bin"
        self._kept, self._row = decompress(kept.read_bytes()), Struct(f">{players}e")

    def __call__(self, match: Match) -> list[float]:
        """Return the chances not to lose, by seat, between two rounds or after the last one."""
        seats = range(len(match.players))
        if match.outcome is not None:
            return [float(seat not in match.outcome.losers) for seat in seats]
        step = repeat(match.direction, len(seats) - 1)
        order = list(accumulate(step, initial=match.opener))
        place = 0
        for seat in order:
            place = place * RULES_OF.points + match.tally[seat % len(seats)]
        loses = self._row.unpack_from(self._kept, place * self._row.size)
        worths = dict(zip((seat % len(seats) for seat in order), loses))
        return [1 - worths[seat] for seat in seats]


class WalkedPoints:
    """A round that experts play, from its beginning, walked to all its ends.

    Play comes back to some positions. Their worths solve linear equations, one for each position.
    """

    def __init__(self, match: Match, ends: Worths) -> None:
        self._round, self._ends = match.round, ends
        self._plays = strategy_of(personality_of("expert"))
        self.seats = range(len(match.players))
        self.start = State(match.replace(turn=0), (None,) * len(self.seats), None)
        self.shipped = ends(match)
        self._moves: dict[State, list[tuple[State, float]]] = {}
        self._worths: dict[State, list[float]] = {}
        self.reach([self.start])
        self.tried = list(self.decisions())
        self.reach(
            state for each in self.tried for then in each.after.values() for state, _ in then
        )
        self.solve()
        self.worths = self.worth(self.start)

    def is_over(self, state: State) -> bool:
        return state.match.outcome is not None or state.match.round != self._round

    def reach(self, states: Iterable[State]) -> None:
        """Find what experts do in these positions, and in all that follow."""
        due = list(states)
        while due:
            state = due.pop()
            if state not in self._moves and not self.is_over(state):
                self._moves[state] = list(self.moves(state))
                due += [each for each, _ in self._moves[state]]

    def solve(self) -> None:
        """Find the worth of each position, if experts play on."""
        place = {state: number for number, state in enumerate(self._moves)}
        ended = np.zeros((len(place), len(self.seats)))
        rows, columns, chances = list[int](), list[int](), list[float]()
        for state, number in place.items():
            for each, chance in self._moves[state]:
                if self.is_over(each):
                    ended[number] += chance * np.array(self._ends(each.match))
                else:
                    rows.append(number)
                    columns.append(place[each])
                    chances.append(chance)
        worths, change = ended, 1.0
        while change > CLOSE:
            then = [np.bincount(rows, chances * each, len(place)) for each in worths[columns].T]
            before, worths = worths, ended + np.transpose(then)
            change = abs(worths - before).max()
        self._worths = dict(zip(place, worths.tolist()))

    def worth(self, state: State) -> list[float]:
        """Return the chances not to lose, by seat, if experts play on."""
        return self._ends(state.match) if self.is_over(state) else self._worths[state]

    def moves(self, state: State) -> Iterator[tuple[State, float]]:
        """Yield the positions that follow what an expert does, with their chances."""
        for action, chance in self._plays(position.known(state)).items():
            if chance:
                yield from ((each, chance * part) for each, part in after(state, action))

    def decisions(self) -> Iterator[WalkedDecision]:
        """Yield, move by move, the decisions that experts come to."""
        layer = {self.start: 1.0}
        while layer:
            alike: dict[Known, list[tuple[State, float]]] = {}
            following: dict[State, float] = {}
            for state, chance in layer.items():
                if chance < RARE or self.is_over(state):
                    continue
                alike.setdefault(position.known(state), []).append((state, chance))
                for each, part in self._moves[state]:
                    following[each] = following.get(each, 0.0) + chance * part
            for known, states in alike.items():
                actions, chance = possible(known, states[0][0]), sum(each for _, each in states)
                if len(actions) == 1:
                    continue
                then = {
                    action: [
                        (each, chance * part)
                        for state, chance in states
                        for each, part in after(state, action)
                    ]
                    for action in (actions if chance >= TRIED else ())
                }
                yield WalkedDecision(known, states, then)
            layer = following

    def gain(self) -> tuple[float, float]:
        """Return what the best actions gain, all seats together, and how much is untried."""
        gained = untried = 0.0
        for known, states, then in self.tried:
            if not then:
                untried += sum(chance for _, chance in states)
                continue
            seat = known.match.to_act or 0
            worths = [
                sum(self.worth(state)[seat] * chance for state, chance in each)
                for each in (states, *then.values())
            ]
            gained += max(worths) - worths[0]
        return gained, untried


def possible(known: Known, state: State) -> list[SeatAction]:
    """Return the actions of the dial that the rules allow."""
    match, options = state.match, cast(tuple[SeatAction, ...], sight_of(known).options)
    return [each for each in options if illegality(match, laid_open(match, each)) is None]


def after(state: State, action: SeatAction) -> list[tuple[State, float]]:
    """Return the positions after an action, with their chances."""
    if not isinstance(action, Roll):
        return [(position.after(state, action), 1.0)]
    return [(position.after(state, roll), float(chance)) for roll, chance in rolls(state.match)]


def begun(players: int, rng: Random) -> list[Match]:
    """Play a match of experts; return it as it stood when each round began."""
    found: list[Match] = []
    bots = [personality_of("expert")] * players
    for match, *_ in turns(RULES_OF, bots, rng):
        if match.phase is Phase.OPENING and match.round > len(found):
            found.append(cast(Match, match))
    return found


def walks(players: int, matches: int, seed: int) -> Iterator[Found]:
    """Yield what a walk of one round tells, for each of so many matches."""
    rng, ends = Random(seed), Worths(players)
    for _ in range(matches):
        rounds = begun(players, rng)
        walked = WalkedPoints(rng.choice(rounds), ends)
        drift = max(abs(a - b) for a, b in zip(walked.worths, walked.shipped))
        gained, untried = walked.gain()
        yield Found(len(rounds) * gained / players, drift, untried)


def main() -> None:
    """Print what is found of each match, then the mean of the gains and its interval."""
    players, matches = int(sys.argv[1]), int(sys.argv[2])
    found = []
    for each in walks(players, matches, 1):
        found.append(each.gained)
        print(each, flush=True)
    gained, half = estimate(found)
    print(f"{players} players: {gained:.4f} ± {half:.4f} of a match")


if __name__ == "__main__":
    main()
