"""How a round of a bluff game ends, from every position, if everybody plays the solved round.

It is computed by walking the rules' own states. A player who believes rolls afresh. The rest of the
round depends only on the standing value, and is the same for every seat, turned to that seat.

Between two rounds the worth of the match to every seat follows from it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from itertools import product
from operator import mul
from typing import NamedTuple

from game.actions import Announce, Believe, Doubt, Look, Roll, SeatAction
from game.bluff.legality import playing_order
from game.bluff.rules import MAEXCHEN, PLACE, RANKING, BluffRules, Match, next_seat, value_of
from game.coach.judged import WorthUnit
from game.engines import new_match, rolls, view
from game.status import Phase
from game.strategy import Equilibrium, Round, Standing, Standings, standing_of
from game.strategy.book import MOST, PlaysFor, counted, goal, of_standing, standings
from game.strategy.ends import Worths, shifted
from game.strategy.equilibrium import Belief
from game.strategy.position import State, after, believed, known
from game.strategy.signal import mixed

_ENOUGH = 1e-15
_ENDS = 4096
"""The number of ends that are kept, as seen from another seat."""


class End(NamedTuple):
    """The end of a round: who pays how much, and whether the direction of play turns.

    Seats count in playing order from the opener, who is 0.
    """

    paid: tuple[tuple[int, int], ...]
    turned: bool

    def moved(self, by: int, seats: int) -> "End":
        """Return the same end ``by`` seats further, of ``seats``."""
        return _moved(self, by, seats)


@lru_cache(_ENDS)
def _moved(end: End, by: int, seats: int) -> End:
    return End(tuple([((seat + by) % seats, cost) for seat, cost in end.paid]), end.turned)


class Stood(NamedTuple):
    """A point at which the round goes on and its worth is known, by seat as in ``End``."""

    worths: Worths

    def moved(self, by: int, _: int) -> "Stood":
        """Return the same ``by`` seats further."""
        return Stood(shifted(self.worths, -by))


class Recurrence(NamedTuple):
    """The round comes back to a position that is being worked out, ``by`` seats further."""

    position: State
    by: int

    def moved(self, by: int, seats: int) -> "Recurrence":
        """Return the same ``by`` seats further, of ``seats``."""
        return Recurrence(self.position, (self.by + by) % seats)


Ends = Mapping[End | Stood | Recurrence, float]
"""The chances of all ends of a round; they add up to 1."""


class Reference:
    """A round of ``seats`` players who all play its equilibrium, for counted penalties.

    Args:
        rules: of a bluff game.
        seats: how many play.
        solved: the round to play.
    """

    def __init__(self, rules: BluffRules, seats: int, solved: Round) -> None:
        if rules.credit:
            rules = replace(rules, fewest_players=2, credit=1, stakes="matches")
        elif rules.points:
            rules = replace(rules, points=10, losers=1)
        self.play = Equilibrium(solved)
        """How everybody plays."""
        self.seats = seats
        names = tuple(f"seat {seat}" for seat in range(seats))
        self.start = State(new_match(rules, names, 0), (None,) * seats, None)
        self._known: dict[State, Ends] = {}
        self._announced: dict[object, Ends] = {}
        self._open: set[State] = set()
        self.fallen = cache(self._fallen)
        self.unseen: dict[tuple[State, SeatAction], Ends] = {}
        """The ends of the round after a roll that nobody has seen and an action."""

    @cached_property
    def opening(self) -> Mapping[End, float]:
        """The ends of a round from its beginning, with their chances."""
        for value in reversed(RANKING):  # high values first: that keeps the recursion shallow
            stands = believed(self.start, (value,))
            if stands is not None:
                self.rolled(stands)
        ends = self.rolled(self.start)
        return {end: chance for end, chance in ends.items() if isinstance(end, End)}

    def ends(self, state: State) -> Ends:
        """Return how the round ends from a position."""
        match = state.match
        if has_ended(match):
            return {_end(match): 1.0}
        ways = self.play(known(state)).items()
        return mixed((self.done(state, action), share) for action, share in ways)

    def _hands_on(self, state: State) -> bool:
        """Return whether an offered cup may be handed on unrolled: then its dice matter further."""
        return state.match.phase is Phase.OFFERED and bool(self.play.answer(known(state))[1])

    def done(self, state: State, action: SeatAction) -> Ends:
        """Return how the round ends after an action of the seat that is to act."""
        if type(action) is Roll:
            return self.rolled(state)
        if type(action) is not Announce or action.wrong_way:
            return self.ends(after(state, action))
        match = state.match
        key = (
            state.stood, match.phase, match.announced, match.announcer_rolls, match.said,
            match.rolls, match.to_act, action, *_doubted_alike(state, action.value),
        )  # fmt: skip
        found = self._announced.get(key)
        if found is None:
            offered = after(state, action)
            found = self.ends(offered)
            if not (self._hands_on(offered) or any(type(end) is Recurrence for end in found)):
                self._announced[key] = found
        return found

    def rolled(self, state: State) -> Ends:
        """Return how the round ends if the seat that is to act rolls now."""
        empty, turned = self.emptied(state)
        found = self._known.get(empty)
        if found is None and empty in self._open:
            return {Recurrence(empty, turned): 1.0}
        if found is None:
            self._open.add(empty)
            found = mixed(self._went_on(self.fallen(empty)))
            self._open.discard(empty)
        found = self._known[empty] = self._closed(empty, found)
        return self._moved(found, turned)

    def ways(self, belief: Belief, action: SeatAction) -> Iterator[tuple[Ends, float]]:
        """Yield the ends after an action in positions that look alike, with their shares."""
        if type(action) is Roll:
            yield self.rolled(belief[0][0]), sum(chance for _, chance in belief)
        elif type(action) is Look or type(action) is Believe:
            yield from self._went_on([(after(state, action), chance) for state, chance in belief])
        else:
            if type(action) is Doubt or (type(action) is Announce and not action.wrong_way):
                offered = after(belief[0][0], action)
                if not self._hands_on(offered):
                    belief = _told_apart(belief, action)
            for state, chance in belief:
                yield self.done(state, action), chance

    def _went_on(self, belief: Sequence[tuple[State, float]]) -> Iterator[tuple[Ends, float]]:
        """Yield the same if everybody goes on by the equilibrium."""
        spread: dict[SeatAction, list[tuple[State, float]]] = {}
        for state, chance in belief:
            if has_ended(state.match):
                yield self.ends(state), chance
                continue
            for action, share in self.play(known(state)).items():
                spread.setdefault(action, []).append((state, chance * share))
        for action, alike in spread.items():
            yield from self.ways(tuple(alike), action)

    def emptied(self, state: State) -> tuple[State, int]:
        """Return the position before a roll, without dice, and by how many seats it is turned.

        The seat that rolls over a believed value is always the same there.
        """
        match, turned = state.match, 0
        if match.phase is Phase.BELIEVED and match.announced is not None:
            stands = believed(self.start, (match.announced,))
            assert stands is not None, "it was believed"
            turned = ((match.to_act or 0) - (stands.match.to_act or 0)) % self.seats
            state = stands
        return State(view(state.match, None), (None,) * self.seats, state.stood), turned

    def _fallen(self, empty: State) -> Belief:
        """Return the positions that a roll makes of a position without dice."""
        return tuple((after(empty, roll), float(chance)) for roll, chance in rolls(empty.match))

    def _closed(self, position: State, ends: Ends) -> Ends:
        """Replace the ``Recurrence`` of solved positions by what follows from there."""
        if not any(type(end) is Recurrence for end in ends):
            return ends
        while (
            sum(
                chance
                for end, chance in ends.items()
                if isinstance(end, Recurrence) and end.position not in self._open
            )
            >= _ENOUGH
        ):
            ways: list[tuple[Ends, float]] = []
            for end, chance in ends.items():
                if isinstance(end, Recurrence) and end.position not in self._open:
                    follows = ends if end.position == position else self._known[end.position]
                    ways.append((self._moved(follows, end.by), chance))
                else:
                    ways.append(({end: 1.0}, chance))
            ends = mixed(ways)
        left = {
            end: chance
            for end, chance in ends.items()
            if not isinstance(end, Recurrence) or end.position in self._open
        }
        total = sum(left.values())
        return {end: chance / total for end, chance in left.items()}

    def _moved(self, ends: Ends, by: int) -> Ends:
        if not by:
            return ends
        return {end.moved(by, self.seats): chance for end, chance in ends.items()}


def _told_apart(belief: Belief, action: SeatAction) -> Belief:
    """Merge positions that an announcement or a doubt makes equal."""
    found: dict[object, tuple[State, float]] = {}
    for state, chance in belief:
        value = action.value if type(action) is Announce else state.match.announced
        assert value is not None, "something is announced"
        key = _doubted_alike(state, value)
        found[key] = state, chance + (found[key][1] if key in found else 0.0)
    return tuple(found.values())


def _doubted_alike(state: State, value: int) -> tuple[object, ...]:
    """Return what is equal for dice that make a doubt of ``value`` equal.

    A tower of a last roll may spare a liar (R-HF-8).
    """
    match = state.match
    assert match.dice is not None, "all dice are known here"
    assert match.to_act is not None, "somebody announces or doubts"
    rolled, to = value_of(match.dice), next_seat(match, match.to_act)
    lies = PLACE[rolled] - PLACE[value]
    spares = match.tower and match.rules.rolls in (match.rolls, match.announcer_rolls)
    return lies < 0, lies > 0, rolled == MAEXCHEN, spares, state.own[to]


def has_ended(match: Match) -> bool:
    """Return whether the round of a reference is over."""
    return match.round != 1 or match.to_act is None


def _end(match: Match) -> End:
    """Return the end of a round: the first to pay opens the next one."""
    first = match.opener
    rest = [s for s in range(len(match.tally)) if match.tally[s] and s != first]
    paid = tuple((seat, match.tally[seat]) for seat in (first, *rest))
    return End(paid, match.direction < 0)


@cache
def reference(rules: BluffRules, seats: int) -> Reference:
    """Return the reference of a game for ``seats`` players; made once."""
    made = Reference(rules, seats, counted(rules, seats).solved)
    assert made.opening, "a round ends"
    return made


class Scored(Reference):
    """A round that was solved for a standing of the match: its seats are all different.

    It also has the worth of rolling over a believed value.
    """

    def __init__(self, solved: Round) -> None:
        super().__init__(solved.rules, solved.seats, solved)

    def rolled(self, state: State) -> Ends:
        """Return how the round ends if the seat that is to act rolls now."""
        match, solved = state.match, self.play.solved
        if match.phase is Phase.OPENING:
            return {Stood(solved.worths): 1.0}
        if match.phase is Phase.BELIEVED and match.announced is not None:
            seat = match.to_act or 0
            return {Stood(shifted(solved.believed(seat, PLACE[match.announced]), -seat)): 1.0}
        return super().rolled(state)

    def emptied(self, state: State) -> tuple[State, int]:
        """Return the position before a roll, without dice; it is not turned."""
        return State(view(state.match, None), (None,) * self.seats, state.stood), 0


MOST_ROUNDS = 150
"""A match of two with more rounds is judged by counted penalties; chosen."""
_PIECE = 64
"""The number of standings that ``prepared`` works out per step."""
_KEPT = 32
"""The number of rounds played for the match, the last ones asked for, that are kept."""


class MatchWorth(Standings):
    """Worths of one game for ``seats`` players who begin it, by the play of the book.

    ``goal`` is the goal of its first round. Two players who count penalties play for the match in
    ``class``: then each of their standings is worked out once.
    """

    def __init__(self, rules: BluffRules, seats: int) -> None:
        super().__init__(rules)
        self.goal = goal(rules, seats, seats)
        ends = self.goal is not PlaysFor.PENALTIES or (
            seats == 2 and 0 < self.limit * seats <= MOST_ROUNDS and self.limit**seats <= MOST
        )
        self.unit: WorthUnit = "chance" if ends else "penalties"
        self._known: dict[Standing, Worths] = {}
        self.seats = seats

    def prepared(self) -> Iterator[None]:
        """Work out all that the first round needs, piece by piece. Calling this is optional."""
        if self.unit == "chance" and self.goal is PlaysFor.PENALTIES:
            tallies = product(range(self.limit), repeat=self.seats)
            for number, each in enumerate(sorted(tallies, key=sum, reverse=True)):
                self.worths((each, 0))
                if not number % _PIECE:
                    yield

    def play(self, match: Match) -> Reference:
        """Return how the round that begins is played."""
        playing = len(match.playing)
        if goal(self.rules, self.seats, playing) is PlaysFor.PENALTIES:
            return reference(self.rules, playing)
        return _scored(self.rules, standing_of(match))

    def of_end(
        self, match: Match, order: tuple[int, ...], stood: Worths
    ) -> Callable[[End | Stood, int], Worths]:
        """Return the worth of each end of the running round, by seat.

        ``order`` are the seats that play, from the opener in playing order. The second argument of
        the returned function is the number of seats after the opener from which the end counts.
        ``stood`` are the counted penalties before the round, as worths.
        """
        standing = tuple(match.tally[seat] for seat in order), len(match.out)
        counts = goal(self.rules, self.seats, len(order)) is PlaysFor.PENALTIES
        solved: Standings = self if counts else standings(self.rules, len(order))

        @cache
        def worth(end: End | Stood, by: int) -> Worths:
            end = end.moved(by, len(order))
            if isinstance(end, Stood):
                return self._by_seat(order, end.worths)  # its round is played for the match
            if self.unit == "penalties":
                paid = dict(end.paid)
                return self._counted(stood, order, [paid.get(p, 0) for p in range(len(order))])
            return self._by_seat(order, solved.after(standing, end.paid, end.turned))

        return worth

    def _counted(self, stood: Worths, order: Sequence[int], paid: Sequence[int]) -> Worths:
        """Return the worths after the seats of ``order`` have paid; the others are not compared."""
        less = dict(zip(order, fewer(paid)))
        return tuple([worth + less.get(seat, 0.0) for seat, worth in enumerate(stood)])

    def ended(self, before: Match, stood: Worths, match: Match) -> Worths:
        """Return the worth of a match after a round of ``before`` that is over."""
        if self.unit == "chance":
            return self.between(match)
        order = before.playing
        paid = [match.tally[seat] - before.tally[seat] for seat in order]
        return self._counted(stood, order, paid)

    def between(self, match: Match) -> Worths:
        """Return the chances not to lose, by seat, before a round begins or when it is over."""
        if match.outcome is not None:
            losers = match.outcome.losers
            left = (*losers, *match.outcome.left)
            return tuple(float(seat not in left) for seat in range(len(match.players)))
        return self._by_seat(playing_order(match), self.worths(standing_of(match)))

    def _by_seat(self, order: Sequence[int], worths: Worths) -> Worths:
        by_seat = dict(zip(order, worths))
        return tuple(by_seat.get(seat, 0.0) for seat in range(self.seats))

    def worths(self, standing: Standing) -> Worths:
        """Return the chances not to lose, 0 to 1, from a standing on."""
        playing = len(standing[0])
        if goal(self.rules, self.seats, playing) is not PlaysFor.PENALTIES:
            return standings(self.rules, playing).worths(standing)
        found = self._known.get(standing)
        if found is None:
            opening = reference(self.rules, playing).opening
            chances = tuple(opening.values())
            ends = [self.after(standing, end.paid, end.turned) for end in opening]
            found = tuple([sum(map(mul, chances, each)) for each in zip(*ends)])
            self._known[standing] = found
        return found


@lru_cache(_KEPT)
def _scored(rules: BluffRules, standing: Standing) -> Scored:
    """Return the round that is played for the match from a standing."""
    return Scored(of_standing(rules, standing).solved)


def fewer(tally: Sequence[float]) -> Worths:
    """Return by seat how many fewer penalties it has than the mean of the others."""
    whole, others = sum(tally), max(1, len(tally) - 1)
    return tuple((whole - own) / others - own for own in tally)


@cache
def match_worth(rules: BluffRules, seats: int) -> MatchWorth:
    """Return the worths of a game; made once."""
    return MatchWorth(rules, seats)
