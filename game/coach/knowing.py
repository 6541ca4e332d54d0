"""A round of a bluff game as it goes, and what its players may know of it."""

from game.actions import Announce, Lift, Roll, Say, SeatAction, ShowMaexchen, ShowTower
from game.bluff.position import resolved
from game.bluff.state import Match
from game.coach.reference import Belief, Ends, Reference
from game.engines import legal_actions, view
from game.strategy.response import State, after, known

_SHOWS = (Lift, ShowMaexchen, ShowTower)


class Going:
    """A round as it goes.

    ``state`` is how things really lie, seats counted in playing order from the opener, were he
    ``turned`` seats further on: who rolls over what he has believed is always the same seat there.
    What can be thought of it by who has seen no dice follows from what everybody did, were he the
    reference player; what such a one never does tells nothing.
    """

    def __init__(self, play: Reference) -> None:
        self.play = play
        self.state = play.start
        self.turned = 0
        self._belief: Belief = ((play.start, 1.0),)
        self._rolled: State | None = None
        """The position before the last roll, while nobody has done anything after it."""

    def ends(self) -> Ends:
        """Return what the round ends in, as things lie."""
        return self.play.ends(self.state)

    def ends_for(self, place: int) -> Ends:
        """Return what it ends in, for all that a seat can know, so far after the opener."""
        if self.state.own[(place - self.turned) % self.play.seats] is not None:
            return self.ends()
        return self.play.mixed((self.play.ends(state), chance) for state, chance in self._belief)

    def expected(self, action: SeatAction) -> Ends:
        """Return what the round ends in after ``action``, for all its player can know."""
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
        """Go on by an action, a roll with its dice."""
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
        shared = [
            (state, chance * self.play.play(known(state)).get(action, 0.0))
            for state, chance in self._belief
        ]
        total = sum(chance for _, chance in shared)
        told = [(s, c / total) for s, c in shared if c] if total else list(self._belief)
        self._belief = tuple((after(state, action), chance) for state, chance in told)
        self.state = after(self.state, action)


def plain(match: Match, action: SeatAction) -> SeatAction:
    """Return an action without what binds nobody: its flourish, or the words of its value."""
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
    """Return what the seat that is to act may do, by what it sees; without ways of saying it."""
    match = state.match
    legal = legal_actions(view(match, match.to_act))
    return tuple(
        action
        for action in legal
        if action == plain(match, action) and not (type(action) is Announce and action.wrong_way)
    )
