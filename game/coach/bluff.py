"""A bluff match, judged action by action.

The worth of a position, by the true dice, changes with every action. The skill part of that change
is the cost of the decision: how much less it is worth than the best choice, in the mean over all
that its player could not know. Between two the choices of the book are the best ones. Among three
and more the book leaves a little, mostly because too few in it announce less than they have. Luck
is the rest: the dice, the hidden facts, and what the book would have left.

``Walk`` goes through the match, ``Going`` through a round, and knows what its players may know.
"""

from collections.abc import Callable, Iterable
from math import fsum
from typing import cast

from game.actions import (
    Action,
    Announce,
    Believe,
    Doubt,
    EndMatch,
    Fault,
    GiveIn,
    Leave,
    Lift,
    Look,
    Roll,
    Say,
    SeatAction,
    ShowMaexchen,
    ShowTower,
    StopMatch,
    VoidRound,
)
from game.bluff import legality
from game.bluff.legality import playing_order, resolved
from game.bluff.rules import BLUFF_GAMES, PLACE, BluffRules, Match, value_of
from game.coach.judged import (
    FREE,
    Account,
    Analysis,
    Caveat,
    CoachError,
    CurvePoint,
    Judged,
    Model,
    Turning,
    WorthUnit,
    check_solved,
)
from game.coach.reference import End, Ends, MatchWorth, Recurrence, Reference, match_worth
from game.engines import apply, legal_actions, new_match, view
from game.options import level
from game.record import Record
from game.rules import AnyRules
from game.status import Phase
from game.strategy.against import Why
from game.strategy.bluff import beaten_by
from game.strategy.book import PlaysFor
from game.strategy.equilibrium import Belief, followed
from game.strategy.position import State, after, known
from game.strategy.signal import mixed

_USUAL = {rules.game: rules for rules in BLUFF_GAMES}
Worths = tuple[float, ...]
"""Worths by seat."""
GAPS = {"class": 0.0, "physicist": 0.0012, "holy-family": 0.00004}
"""The most that the best answer gains a round against three or more reference players, in penalties
more than the mean of the others."""

PRECISIONS = {"class": 0.08, "physicist": 0.05, "holy-family": 0.01}
"""The most that a choice of the book is charged among three and more, in a match or in penalties:
``python -m research.strength.coaching`` measures it."""


_OUTSIDE = EndMatch, Fault, Leave, StopMatch, VoidRound
"""After one of these the rest of a round cannot be known completely."""


def analyse_bluff(record: Record) -> Analysis:
    """Judge a match of a bluff game. Raises CoachError if dice are unknown, or for other rolls."""
    walk = Walk(_begun(record))
    for line, action in enumerate(record.actions, start=2):
        walk.act(line, action)
    return walk.analysis()


def basis_of_bluff(rules: AnyRules, players: int) -> tuple[WorthUnit, Model]:
    """Return the unit of worths, and the reference's play: see ``basis``."""
    worth = match_worth(level(cast(BluffRules, rules)), players)
    return worth.unit, _model(worth)


def _begun(record: Record) -> Match:
    rules, usual = cast(BluffRules, record.rules), _USUAL[record.rules.game]
    if (rules.rolls, rules.looks) != (usual.rolls, usual.looks):
        raise CoachError(
            f"line 1: nobody can judge {rules.game} of {rules.rolls} rolls, {rules.looks} of them "
            "to be looked at"
        )
    check_solved(rules)
    for line, action in enumerate(record.actions, start=2):
        if type(action) is Roll and action.dice is None:
            raise CoachError(f"line {line}: a roll without its dice: only who knows all can judge")
    return new_match(rules, record.players, record.first)


_SHOWS = (Lift, ShowMaexchen, ShowTower)


class Going:
    """A running round.

    ``state`` is the true position. Seats in it count in playing order from the opener. It is stored
    as if the opener sat ``turned`` seats further on: the seat that rolls over a believed value is
    then always the same. A player who has seen no dice believes what ``followed`` returns.
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
        return mixed((self.play.ends(state), chance) for state, chance in self._belief)

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
        return mixed(self.play.ways(self._belief, action))

    def why(self, action: SeatAction, worth: Callable[[Ends], float]) -> Why | None:
        """Return the two cases that decide what ``action`` is worth, by what its player can know.

        ``worth`` is that of ends to the player. None if nothing but the dice decides, or the action
        is a fault.
        """
        state = self.state
        if type(action) is Roll:
            stands = state.match.announced
            beaten = None if stands is None else beaten_by(state.match.rules, PLACE[stands])
            return Why(None, None, None, beaten)
        own = state.own[state.match.to_act or 0] is not None
        cases: Belief = ((state, 1.0),) if own else self._belief
        if type(action) is Announce:
            return self._offered([(after(each, action), chance) for each, chance in cases], worth)
        if type(action) is not Doubt and type(action) is not Believe:
            return None
        match = state.match
        assert match.announced is not None, "it is answered"
        lies = [case for case in cases if is_lie(case[0].match, match.announced)]
        truths = [case for case in cases if not is_lie(case[0].match, match.announced)]
        share = fsum(chance for _, chance in lies)
        caught, wrong = (self._mean(each, Doubt(), worth) for each in (lies, truths))
        return Why(share, caught, wrong, None)

    def _offered(
        self, cases: list[tuple[State, float]], worth: Callable[[Ends], float]
    ) -> Why | None:
        offered = cases[0][0]
        match = offered.match
        if match.phase is not Phase.OFFERED or match.announced is None:
            return None
        chance = self.play.play(known(offered)._replace(own=None)).get(Doubt(), 0.0)
        accepts = next((way for way in (Believe(), GiveIn()) if way in options(offered)), None)
        passed = None if accepts is None else self._mean(cases, accepts, worth)
        caught = self._mean(cases, Doubt(), worth)
        return Why(chance, caught, passed, beaten_by(match.rules, PLACE[match.announced]))

    def _mean(
        self, cases: list[tuple[State, float]], action: SeatAction, worth: Callable[[Ends], float]
    ) -> float | None:
        """Return the worth of an action in cases of known dice; None for no cases."""
        whole = fsum(chance for _, chance in cases)
        if not whole:
            return None
        even = tuple((state, chance / whole) for state, chance in cases)
        return worth(mixed(self.play.ways(even, action)))

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
    return type(action)() if isinstance(action, Roll | Lift | ShowTower) else action


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


class Walk:
    """The match as it goes, with its worth to every seat on the way."""

    def __init__(self, match: Match) -> None:
        """``match`` is between two rounds."""
        rules, seats = match.rules, len(match.players)
        self._rules = rules
        self._match = match
        self._worth = match_worth(rules, seats)
        self._decisions: list[Judged] = []
        self._parts: dict[str, list[list[float]]] = {
            part: [[] for _ in range(seats)] for part in Account._fields[:-1]
        }
        self._turning: Turning | None = None
        self._curve: list[CurvePoint] = []
        self._told: tuple[int, float] | None = None
        """The index of the lie that waits for its answer, and the liar's worth before it."""
        self._now = (0.0,) * seats
        self._going: Going | None = None
        self._begin("start")

    def _begin(self, part: str) -> None:
        order = playing_order(self._match)
        self._stood = self._now
        self._ends = self._worth.of_end(self._match, order, self._stood)
        going = self._going = Going(self._worth.play(self._match))
        opened = self._worths(going, going.expected(Roll()))
        self._book(part, _less(opened, self._now))
        self._now = opened

    def act(self, line: int, action: Action) -> None:
        """Apply the action of a line of the record, and judge it."""
        before, was, going = self._match, self._now, self._going
        actor = action.seat if isinstance(action, Fault | Leave) else before.to_act
        gained: Worths | None = None
        self._match = apply(before, action).match
        if isinstance(action, _OUTSIDE):
            self._going = None
            self._now = self._after(before)
            if isinstance(action, Fault):
                place = playing_order(before).index(action.seat)
                usual = self._worths(going, going.ends_for(place)) if going is not None else was
                change = _less(self._now, usual)
                gained = _with(change, action.seat, min(0.0, change[action.seat]))
        elif going is not None:
            gained = self._judged(going, line, before, action)
            going.follow(action if type(action) is Roll else plain(before, action))
            self._now = self._after(before)
        else:
            self._now = self._after(before)
        change = _less(self._now, was)
        if gained is None:
            self._book("table", change)
        else:
            self._book("luck", _less(change, gained))
            for seat, each in enumerate(gained):
                own = "faults" if isinstance(action, Fault) else "skill"
                self._parts[own if seat == actor else "others"][seat].append(each)
        by = None if isinstance(action, StopMatch | VoidRound) else actor
        self._remember(line, before, by, action, was, change)
        if self._match.outcome is None and self._match.round != before.round:
            self._begin("start" if self._worth.unit == "penalties" else "luck")
        self._curve.append(CurvePoint(line, before.round, self._now))

    def _after(self, before: Match) -> Worths:
        """Return the worth of the match now."""
        match = self._match
        if match.outcome is not None and match.outcome.rule == "B-10":
            return self._now  # stopped in mid-round: worths stay as they stood
        if match.outcome is not None or match.round != before.round:
            return self._worth.ended(before, self._stood, match)
        if self._going is None:
            return self._now
        return self._worths(self._going, self._going.ends())

    def _judged(self, going: Going, line: int, match: Match, action: Action) -> Worths:
        """Judge a decision: return its gain for every seat, as far as its player could know."""
        seat, state = match.to_act, going.state
        assert seat is not None, "somebody decides"
        assert not isinstance(action, _OUTSIDE), "a seat decides"
        done, ways = plain(match, action), options(state)
        if ways == (done,):
            return (0.0,) * len(match.players)
        ends = {way: going.expected(way) for way in dict.fromkeys((*ways, done))}
        usual = going.play.play(known(state))
        worths = {way: self._worths(going, ends[way]) for way in dict.fromkeys((*usual, done))}
        mean = tuple(
            fsum(share * worths[way][each] for way, share in usual.items())
            for each in range(len(match.players))
        )

        def worth(of: Ends) -> float:
            return self._worths(going, of, (seat,))[0]

        chances = {way: worth(each) for way, each in ends.items()}
        most = max(chances.values())
        ties = [way for way, worth in chances.items() if most - worth < FREE]
        cost = most - chances[done]
        best = done if cost < FREE else max(ties, key=lambda way: usual.get(way, 0.0))
        own, lie = state.own[state.match.to_act or 0], None
        if type(done) is Announce and own is not None:
            lie = is_lie(state.match, done.value)
        told = dict.fromkeys((done, best, own and Announce(value_of(own[0]))))
        whys = {way: why for way in told if way in ends and (why := going.why(way, worth))}
        behind = ((state.match.to_act or 0) + by for by in range(1, going.play.seats))
        payers = [worth({End(((p % going.play.seats, 1),), False): 1.0}) for p in behind]
        self._decisions.append(
            Judged(
                line, match.round, seat, done, chances, best, cost, lie,
                share=usual.get(done, 0.0), seen=own and own[0],
                whys={way: why._replace(payers=payers) for way, why in whys.items()},
                others=tuple(match.players[each] for each in playing_order(match, seat)[1:]),
            )
        )  # fmt: skip
        return _with(_less(worths[done], mean), seat, -cost)

    def _remember(
        self, line: int, before: Match, actor: int | None, action: Action, was: Worths,
        change: Worths,
    ) -> None:  # fmt: skip
        if self._told is not None and before.to_act is not None and type(action) is not Look:
            index, worth = self._told
            told = self._decisions[index]
            self._decisions[index] = told._replace(swing=self._now[told.seat] - worth)
            self._told = None
        last = self._decisions[-1] if self._decisions else None
        if last is not None and last.line == line and last.lie:
            self._told = len(self._decisions) - 1, was[last.seat]
        seat = max(range(len(change)), key=lambda each: abs(change[each]))
        if self._turning is None or abs(change[seat]) > abs(self._turning.change):
            self._turning = Turning(line, before.round, actor, action, seat, change[seat])

    def _book(self, part: str, change: Worths) -> None:
        for seat, each in enumerate(change):
            self._parts[part][seat].append(each)

    def _worths(self, going: Going, ends: Ends, seats: Iterable[int] = ()) -> Worths:
        """Return the worths of ends to ``seats``, or to all."""
        worths = [
            (self._ends(end, going.turned), chance)
            for end, chance in ends.items()
            if not isinstance(end, Recurrence)
        ]
        return tuple(
            fsum([chance * each[seat] for each, chance in worths])
            for seat in seats or range(len(self._match.players))
        )

    def analysis(self) -> Analysis:
        """Return the analysis of the match so far."""
        match, rules = self._match, self._rules
        accounts = tuple(
            Account(**{part: fsum(each[seat]) for part, each in self._parts.items()}, result=now)
            for seat, now in enumerate(self._now)
        )
        return Analysis(
            rules.game, match.players, self._worth.unit, _model(self._worth),
            match.outcome is not None, tuple(self._decisions), accounts, self._turning,
            tuple(self._curve),
        )  # fmt: skip


def _model(worth: MatchWorth) -> Model:
    rules = worth.rules
    if worth.seats == 2:
        return Model("equilibrium", 0.0, None)
    precision = PRECISIONS[rules.game]
    if worth.goal is not PlaysFor.PENALTIES:
        caveat: Caveat | None = "BY_LOT" if worth.goal is PlaysFor.LOT else None
        return Model("equilibrium", None, caveat, precision)
    return Model("equilibrium", GAPS[rules.game], "NO_SCORE", precision)


def _with(worths: Worths, seat: int, worth: float) -> Worths:
    return (*worths[:seat], worth, *worths[seat + 1 :])


def _less(one: Worths, other: Worths) -> Worths:
    return tuple(a - b for a, b in zip(one, other, strict=True))
