"""A running round of a bluff game, and what its players may know of it."""

from math import fsum
from typing import NamedTuple

from game.actions import (
    Announce,
    Believe,
    Doubt,
    GiveIn,
    Lift,
    Roll,
    Say,
    SeatAction,
    ShowMaexchen,
    ShowTower,
)
from game.bluff import legality
from game.bluff.legality import resolved
from game.bluff.rules import PLACE, Match, value_of
from game.coach.reference import Ends, Reference
from game.engines import legal_actions, view
from game.status import Phase
from game.strategy.bluff import lowest_over
from game.strategy.equilibrium import Belief, followed
from game.strategy.response import State, after, known
from game.strategy.signal import CHANCES

_SHOWS = (Lift, ShowMaexchen, ShowTower)


class Parted(NamedTuple):
    """The ends of a round after a choice, in two cases: see ``Why``."""

    chance: float | None
    if_so: Ends | None
    if_not: Ends | None
    beaten: float | None


class Going:
    """A running round.

    ``state`` is the true position. Seats in it count in playing order from the opener. It is stored
    as if the opener sat ``turned`` seats further on: the seat that rolls over a believed value is
    then always the same. The belief of a player who has seen no dice is that of ``beliefs``.
    """

    def __init__(self, play: Reference) -> None:
        self.play = play
        self.state = play.start
        self.turned = 0
        self._belief: Belief = ((play.start, 1.0),)
        self._rolled: State | None = None
        """The position before the last roll; None once somebody has acted after it."""

    def ends(self) -> Ends:
        """Return how the round ends, by the true dice."""
        return self.play.ends(self.state)

    def ends_for(self, place: int) -> Ends:
        """Return how it ends, by what the seat ``place`` seats after the opener can know."""
        if self.state.own[(place - self.turned) % self.play.seats] is not None:
            return self.ends()
        return self.play.mixed((self.play.ends(state), chance) for state, chance in self._belief)

    def expected(self, action: SeatAction) -> Ends:
        """Return how the round ends after ``action``, by what its player can know."""
        state = self.state
        if type(action) is Roll or state.own[state.match.to_act or 0] is not None:
            return self.play.done(state, action)
        if self._rolled is None:
            return self._unseen(action)
        key = self._rolled, action
        found = self.play.unseen.get(key)
        if found is None:
            found = self.play.unseen[key] = self._unseen(action)
        return found

    def _unseen(self, action: SeatAction) -> Ends:
        return self.play.mixed(self.play.ways(self._belief, action))

    def why(self, action: SeatAction) -> Parted | None:
        """Return the two cases that decide what ``action`` is worth, by what its player can know.

        None if nothing but the dice decides, or the action is a fault.
        """
        state = self.state
        if type(action) is Roll:
            stands = state.match.announced
            beaten = None if stands is None else self._beaten(stands)
            return Parted(None, None, None, beaten)
        own = state.own[state.match.to_act or 0] is not None
        cases: Belief = ((state, 1.0),) if own else self._belief
        if type(action) is Announce:
            return self._offered([(after(each, action), chance) for each, chance in cases])
        if type(action) is not Doubt and type(action) is not Believe:
            return None
        match = state.match
        assert match.announced is not None, "it is answered"
        lies = [case for case in cases if is_lie(case[0].match, match.announced)]
        truths = [case for case in cases if not is_lie(case[0].match, match.announced)]
        share = fsum(chance for _, chance in lies)
        if type(action) is Believe:
            return Parted(share, None, None, self._beaten(match.announced))
        return Parted(share, self._all(lies, action), self._all(truths, action), None)

    def _offered(self, cases: list[tuple[State, float]]) -> Parted | None:
        offered = cases[0][0]
        match = offered.match
        if match.phase is not Phase.OFFERED or match.announced is None:
            return None
        chance = self.play.play(known(offered)._replace(own=None)).get(Doubt(), 0.0)
        accepts = next((way for way in (Believe(), GiveIn()) if way in options(offered)), None)
        passed = None if accepts is None else self._all(cases, accepts)
        return Parted(chance, self._all(cases, Doubt()), passed, self._beaten(match.announced))

    def _all(self, cases: list[tuple[State, float]], action: SeatAction) -> Ends | None:
        """Return the ends after an action in cases of known dice; None for no cases."""
        whole = fsum(chance for _, chance in cases)
        if not whole:
            return None
        even = tuple((state, chance / whole) for state, chance in cases)
        return self.play.mixed(self.play.ways(even, action))

    def _beaten(self, stands: int) -> float:
        """Return the chance that one roll may be announced truly over a standing value."""
        return fsum(CHANCES[lowest_over(self.state.match.rules, PLACE[stands]) :])

    def follow(self, action: SeatAction) -> None:
        """Apply an action, a roll with its dice."""
        if type(action) is Roll:
            self._rolled, turned = self.play.emptied(self.state)
            self.turned += turned
            self._belief = self.play.fallen(self._rolled)
            self.state = after(self._rolled, action)
            return
        self._rolled = None
        if type(action) in _SHOWS:
            self.state = after(self.state, action)
            self._belief = ((self.state, 1.0),)
            return
        self._belief = followed(self.play.play, self._belief, action)
        self.state = after(self.state, action)


def is_lie(match: Match, announced: int) -> bool:
    """Return whether an announcement is a lie about the dice under the cup (B-4)."""
    assert match.dice is not None, "all dice are known here"
    return legality.is_lie(match.rules, announced, value_of(match.dice))


def plain(match: Match, action: SeatAction) -> SeatAction:
    """Return an action without its flourish, which binds nobody, and words as their value."""
    if type(action) is Announce:
        return Announce(action.value, None, action.wrong_way)
    if type(action) is Say:
        value = resolved(match, action)
        return action if value is None else Announce(value, None, action.wrong_way)
    if type(action) is Roll:
        return Roll()
    if type(action) is Lift:
        return Lift()
    return ShowTower() if type(action) is ShowTower else action


def options(state: State) -> tuple[SeatAction, ...]:
    """Return what the seat that is to act may do, by what it sees, without flourishes and words."""
    match = state.match
    legal = legal_actions(view(match, match.to_act))
    return tuple(
        action
        for action in legal
        if type(action) is not Say
        and action == plain(match, action)
        and not (type(action) is Announce and action.wrong_way)
    )
