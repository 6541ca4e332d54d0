"""The best response to a strategy, found by walking the rules' own states.

It knows nothing about how the strategy was made. Every action is one of ``legal_actions``, every
roll one of ``rolls``, every position the result of ``apply``. The responder's uncertainty is a set
of positions with their chances. Positions that differ only in what can no longer matter are worked
out once.
"""

from collections.abc import Callable

from game.actions import Announce, Lift, Roll, SeatAction
from game.bluff.rules import RANKING, Match, rank
from game.engines import illegality, legal_actions, rolls, view
from game.reasons import IllegalAction
from game.status import ROLL_AGAIN
from game.strategy import Strategy
from game.strategy.bluff import fixed_point
from game.strategy.position import State, after, believed, known

_Belief = tuple[tuple[State, float], ...]
"""Positions that look alike to the responder, with their chances; they need not add up to 1."""


class BestResponse:
    """The best play of ``seat`` in one round against ``others``, who all play one strategy.

    ``ends`` gives the worth of the match to the seat once the round is over. If ``own`` is given,
    the seat plays that strategy instead of its best; the result is as exact.
    """

    def __init__(
        self,
        others: Strategy,
        seat: int,
        ends: Callable[[Match], float],
        own: Strategy | None = None,
    ) -> None:
        self._others, self._own = others, own
        self._seat = seat
        self._ends = ends
        self._known: dict[object, float] = {}
        self._open: dict[object, float] = {}
        """The assumed worths of the positions that are being worked out."""
        self._assuming: dict[object, tuple[float, frozenset[object]]] = {}
        """Worths that hold only under these assumptions, with the keys they rely on."""
        self._relied: set[object] = set()
        self._round = 0

    def worth(self, match: Match) -> float:
        """Return the worth of ``match``, between two rounds, to the seat."""
        self._round = match.round
        start = State(match, (None,) * len(match.players), None)
        for value in reversed(RANKING):
            self._announced(start, value)
        return self._value(((start, 1.0),))

    def worth_over(self, match: Match, value: int) -> float:
        """Return the worth to the seat if ``value`` was announced and is believed.

        ``match`` is between two rounds. Its opener announces; the player who believes rolls. This
        costs less than ``worth``, and the less the higher the value.
        """
        self._round = match.round
        start = State(match, (None,) * len(match.players), None)
        for higher in RANKING[: rank(value) : -1]:
            self._announced(start, higher)
        state = believed(start, (value,))
        assert state is not None, "it can be believed"
        return self._rolled(((state, 1.0),))

    def _announced(self, start: State, value: int) -> None:
        """Work out beforehand what follows ``value``, to keep the recursion shallow."""
        for opening in ((value,), (RANKING[0], value)):
            state = believed(start, opening)
            if state is not None:
                self._rolled(((state, 1.0),))

    def _value(self, belief: _Belief) -> float:
        """Return the worth of the positions to the seat, each times its chance."""
        match = belief[0][0].match
        if match.round != self._round or match.to_act is None:
            return sum(chance * self._ends(state.match) for state, chance in belief)
        total = sum(chance for _, chance in belief)
        even = tuple((state, chance / total) for state, chance in belief)
        hidden = [(s.match.dice, s.match.tower, s.own, round(chance, 13)) for s, chance in even]
        key = (match, belief[0][0].stood, *hidden)
        best = match.to_act == self._seat and self._own is None
        decide = self._best if best else self._theirs
        return total * self._once(key, lambda: decide(even))

    def _once(self, key: object, work: Callable[[], float]) -> float:
        """Return the result of ``work``, worked out once for each ``key``.

        If play comes back to the same key, its worth is the fixed point.
        """
        if key in self._known:
            return self._known[key]
        if key in self._assuming:
            worth, assumed = self._assuming[key]
            self._relied |= assumed
            return worth
        if key in self._open:
            self._relied.add(key)
            return self._open[key]
        relied_before, self._relied = self._relied, set()
        self._open[key] = 0.0
        worth = work()
        if key in self._relied:

            def repeated(assumed: float) -> float:
                self._open[key] = assumed
                for reliant in [k for k, (_, on) in self._assuming.items() if key in on]:
                    del self._assuming[reliant]
                return work()

            worth = fixed_point(repeated, worth)
            self._relied.discard(key)
            self._settle(key)
        del self._open[key]
        if self._relied:
            self._assuming[key] = worth, frozenset(self._relied)
        else:
            self._known[key] = worth
        self._relied |= relied_before
        return worth

    def _settle(self, key: object) -> None:
        """Pass on the assumptions of a solved ``key`` to the worths that relied on it."""
        for reliant, (worth, on) in list(self._assuming.items()):
            if key in on:
                rest = (on - {key}) | self._relied
                if rest:
                    self._assuming[reliant] = worth, rest
                else:
                    del self._assuming[reliant]
                    self._known[reliant] = worth

    def _rolled(self, belief: _Belief) -> float:
        """Return the worth of a roll: dice that are rolled again are void, whatever they were."""
        state, total = belief[0][0], sum(chance for _, chance in belief)
        nothing: tuple[None, ...] = (None,) * len(state.own)
        match, stood = state.match.replace(dice=None, tower=False), state.stood
        if match.phase is not ROLL_AGAIN:
            match, stood = match.replace(announcer_rolls=0), None
        empty = State(match, nothing, stood)

        def fallen() -> float:
            return self._split(
                tuple((after(empty, roll), float(chance)) for roll, chance in rolls(empty.match))
            )

        return total * self._once((empty.match, empty.stood), fallen)

    def _done(self, belief: _Belief, action: SeatAction) -> float:
        """Return the worth of ``action`` in each of these positions."""
        if type(action) is Roll:
            return self._rolled(belief)
        match = after(belief[0][0], action).match
        if match.round != self._round and type(action) is not Lift:  # the same for all dice
            return sum(chance for _, chance in belief) * self._ends(match)
        return self._split(tuple((after(state, action), chance) for state, chance in belief))

    def _best(self, belief: _Belief) -> float:
        """Return the worth of the seat's best action; it acts alike in all these positions."""
        return max(
            self._done(belief, action)
            for action in legal_actions(view(belief[0][0].match, self._seat))
            if not (type(action) is Announce and action.flourish)  # it binds nobody: see ``after``
        )

    def _theirs(self, belief: _Belief) -> float:
        """Return the worth of a strategy's actions, chosen in each position on its own."""
        mine = belief[0][0].match.to_act == self._seat
        strategy = self._own if mine and self._own is not None else self._others
        spread: dict[SeatAction, list[tuple[State, float]]] = {}
        for state, chance in belief:
            for action, share in strategy(known(state)).items():
                reason = illegality(state.match, action)
                if reason is not None:
                    raise IllegalAction(reason, action)
                spread.setdefault(action, []).append((state, chance * share))
        return sum(self._done(tuple(each), a) for a, each in spread.items())

    def _split(self, belief: _Belief) -> float:
        """Return the worth of positions that the responder can tell apart."""
        looks: dict[object, list[tuple[State, float]]] = {}
        for state, chance in belief:
            seen = view(state.match, self._seat), state.own[self._seat]
            looks.setdefault(seen, []).append((state, chance))
        return sum(self._value(tuple(alike)) for alike in looks.values())
