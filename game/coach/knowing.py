"""A running round of a bluff game, and what its players may know of it."""

from game.actions import Announce, Lift, Roll, Say, SeatAction, ShowMaexchen, ShowTower
from game.bluff.position import resolved
from game.bluff.state import Match
from game.coach.reference import Ends, Reference
from game.engines import legal_actions, view
from game.strategy.beliefs import Belief, followed
from game.strategy.response import State, after

_SHOWS = (Lift, ShowMaexchen, ShowTower)


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
        if action == plain(match, action) and not (type(action) is Announce and action.wrong_way)
    )
