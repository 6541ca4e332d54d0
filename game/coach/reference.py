"""What a round of a bluff game ends in, from every position, if all go on as the round was solved.

Walked through the rules' own states. Who believes rolls afresh: what follows depends on what stands
alone, and is the same for everybody, turned to his seat.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from game.actions import Roll, SeatAction
from game.bluff.moves import new_match
from game.bluff.rules import BluffRules
from game.bluff.state import Match
from game.bluff.values import PLACE, RANKING, value_of
from game.engines import rolls, view
from game.status import Phase
from game.strategy import Equilibrium, Round
from game.strategy.response import State, after, believed, known

_ENOUGH = 1e-15


class End(NamedTuple):
    """How a round ends: who pays how much, and whether play turns.

    Seats count in playing order from the opener, who is 0.
    """

    paid: tuple[tuple[int, int], ...]
    turned: bool

    def moved(self, by: int, seats: int) -> "End":
        """The same ``by`` seats further, of so many ``seats``."""
        return End(tuple(((seat + by) % seats, cost) for seat, cost in self.paid), self.turned)


class Again(NamedTuple):
    """The round comes back to a position that is being worked out, ``by`` seats further."""

    position: State
    by: int

    def moved(self, by: int, seats: int) -> "Again":
        """The same ``by`` seats further, of so many ``seats``."""
        return Again(self.position, (self.by + by) % seats)


Ends = Mapping[End | Again, float]
"""The chances of all ends of a round; they add up to 1."""
Belief = tuple[tuple[State, float], ...]
"""Positions that look alike to a player, with their chances, which add up to 1."""


class Reference:
    """A round of ``seats`` players who all play its equilibrium, for counted penalties."""

    def __init__(self, rules: BluffRules, seats: int) -> None:
        if rules.game == "class":
            rules = replace(rules, fewest_players=2, credit=1, stakes="matches")
        elif rules.points:
            rules = replace(rules, points=10, losers=1)
        self.play = Equilibrium(Round(rules, seats))
        """How everybody plays."""
        self.seats = seats
        names = tuple(f"seat {seat}" for seat in range(seats))
        self.start = State(new_match(rules, names, 0), (None,) * seats, None)
        self._known: dict[State, Ends] = {}
        self._answers: dict[object, Ends] = {}
        self._open: set[State] = set()
        self._fallen: dict[State, Belief] = {}
        self.unseen: dict[tuple[State, SeatAction], Ends] = {}
        """What the round ends in after a roll that nobody has seen and an action."""
        for value in reversed(RANKING):
            stands = believed(self.start, (value,))
            if stands is not None:
                self.rolled(stands)
        opening = self.rolled(self.start)
        self.opening = {end: chance for end, chance in opening.items() if isinstance(end, End)}
        """What a round ends in, from its beginning."""

    def ends(self, state: State) -> Ends:
        """Return what the round ends in."""
        match = state.match
        if has_ended(match):
            return {_end(match): 1.0}
        knows = known(state)
        if match.phase is not Phase.OFFERED or self.play.answer(knows)[1]:
            return self._mixed(state, self.play(knows))
        assert match.dice is not None, "all dice are known here"
        assert match.announced is not None, "something was announced"
        seat, rolled = match.to_act, value_of(match.dice)
        lies = PLACE[rolled] - PLACE[match.announced]
        key = (
            state.stood, match.announced, match.announcer_rolls, match.announcer, match.said, seat,
            state.own[seat or 0], rolled == RANKING[-1], lies < 0, lies > 0, match.tower,
        )  # fmt: skip
        found = self._answers.get(key)
        if found is None or any(type(end) is Again for end in found):
            found = self._answers[key] = self._mixed(state, self.play(knows))
        return found

    def done(self, state: State, action: SeatAction) -> Ends:
        """Return what the round ends in after an action of the seat that is to act."""
        return self.rolled(state) if type(action) is Roll else self.ends(after(state, action))

    def mixed(self, ways: Iterable[tuple[Ends, float]]) -> Ends:
        """Return the chances of all ends of several positions, each with its own chance."""
        mixed: dict[End | Again, float] = {}
        for ends, share in ways:
            for end, chance in ends.items():
                mixed[end] = mixed.get(end, 0.0) + share * chance
        return mixed

    def rolled(self, state: State) -> Ends:
        """Return what the round ends in if the seat that is to act rolls now."""
        empty, turned = self.emptied(state)
        found = self._known.get(empty)
        if found is None and empty in self._open:
            return {Again(empty, turned): 1.0}
        if found is None:
            self._open.add(empty)
            ways = [(self.ends(fallen), chance) for fallen, chance in self.fallen(empty)]
            self._open.discard(empty)
            found = self.mixed(ways)
        found = self._known[empty] = self._closed(empty, found)
        return self._moved(found, turned)

    def emptied(self, state: State) -> tuple[State, int]:
        """Return the position before a roll, without dice, and by how many seats it is turned.

        Who rolls over what he has believed is always the same seat there.
        """
        match, turned = state.match, 0
        if match.phase is Phase.BELIEVED and match.announced is not None:
            stands = believed(self.start, (match.announced,))
            assert stands is not None, "it was believed"
            turned = ((match.to_act or 0) - (stands.match.to_act or 0)) % self.seats
            state = stands
        return State(view(state.match, None), (None,) * self.seats, state.stood), turned

    def fallen(self, empty: State) -> Belief:
        """Return what a roll makes of a position without dice."""
        found = self._fallen.get(empty)
        if found is None:
            ways = rolls(empty.match)
            found = tuple((after(empty, roll), float(chance)) for roll, chance in ways)
            self._fallen[empty] = found
        return found

    def _mixed(self, state: State, chances: Mapping[SeatAction, float]) -> Ends:
        if len(chances) == 1:
            return self.done(state, *chances)
        return self.mixed((self.done(state, action), share) for action, share in chances.items())

    def _closed(self, position: State, ends: Ends) -> Ends:
        """Put in, for coming back to positions that are known by now, what follows from there."""
        while (
            sum(
                chance
                for end, chance in ends.items()
                if isinstance(end, Again) and end.position not in self._open
            )
            >= _ENOUGH
        ):
            ways: list[tuple[Ends, float]] = []
            for end, chance in ends.items():
                if isinstance(end, Again) and end.position not in self._open:
                    follows = ends if end.position == position else self._known[end.position]
                    ways.append((self._moved(follows, end.by), chance))
                else:
                    ways.append(({end: 1.0}, chance))
            ends = self.mixed(ways)
        left = {e: c for e, c in ends.items() if isinstance(e, End) or e.position in self._open}
        total = sum(left.values())
        return {end: chance / total for end, chance in left.items()}

    def _moved(self, ends: Ends, by: int) -> Ends:
        if not by:
            return ends
        return {end.moved(by, self.seats): chance for end, chance in ends.items()}


def has_ended(match: Match) -> bool:
    """Tell whether the round of a reference is over."""
    return match.round != 1 or match.to_act is None


def _end(match: Match) -> End:
    """How a round ended: who pays first opens the next one."""
    first = match.opener
    rest = [s for s in range(len(match.tally)) if match.tally[s] and s != first]
    paid = tuple((seat, match.tally[seat]) for seat in (first, *rest))
    return End(paid, match.direction < 0)


@cache
def reference(rules: BluffRules, seats: int) -> Reference:
    """Return the reference of a game for so many seats; made once."""
    return Reference(rules, seats)
