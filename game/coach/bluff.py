"""A bluff match, judged action by action.

The worth of a position, by the true dice, changes with every action. The skill part of that change
is the cost of the decision: how much less it is worth than any choice of the book, in the mean over
all that its player could not know. No choice of the book costs anything. Among three and more their
worths differ a little, and another choice can be worth more. Luck is the rest: the dice, the hidden
facts, the draw among choices of the book, and gains that the book lets go.
"""

from math import fsum
from typing import cast

from game.actions import (
    Action,
    Announce,
    EndMatch,
    Fault,
    Leave,
    Look,
    Roll,
    SeatAction,
    StopMatch,
    VoidRound,
)
from game.bluff.position import playing_order
from game.bluff.rules import BLUFF_GAMES, BluffRules
from game.bluff.state import Match
from game.bluff.values import PLACE, value_of
from game.coach.analysis import Account, Analysis, Caveat, CoachError, Judged, Model, Turning
from game.coach.knowing import Going, options, plain
from game.coach.match_worth import MatchWorth, match_worth
from game.coach.reference import Ends, Recurrence
from game.engines import apply, new_match
from game.record import Record
from game.strategy.book import LEAST, PlaysFor
from game.strategy.response import known

_USUAL = {rules.game: rules for rules in BLUFF_GAMES}
Worths = tuple[float, ...]
"""Worths by seat."""
GAPS = {"class": 0.0, "physicist": 0.0012, "holy-family": 0.00004}
"""The most that the best answer gains a round against three or more reference players, in penalties
more than the mean of the others."""


def analyse_bluff(record: Record) -> Analysis:
    """Judge a match of a bluff game. Raises CoachError if dice are unknown, or for other rolls."""
    rules, usual = cast(BluffRules, record.rules), _USUAL[record.rules.game]
    if (rules.rolls, rules.looks) != (usual.rolls, usual.looks):
        raise CoachError(
            f"line 1: nobody can judge {rules.game} of {rules.rolls} rolls, {rules.looks} of them "
            "to be looked at"
        )
    walk = Walk(record)
    for line, action in enumerate(record.actions, start=2):
        walk.act(line, action)
    return walk.analysis()


class Walk:
    """The match as it goes, with its worth to every seat on the way."""

    def __init__(self, record: Record) -> None:
        rules, seats = cast(BluffRules, record.rules), len(record.players)
        self._rules = rules
        self._match = new_match(rules, record.players, record.first)
        self._worth = match_worth(rules, seats)
        self._decisions: list[Judged] = []
        self._parts: dict[str, list[list[float]]] = {
            part: [[] for _ in range(seats)] for part in Account._fields[:-1]
        }
        self._turning: Turning | None = None
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
        if type(action) is Roll and action.dice is None:
            raise CoachError(f"line {line}: a roll without its dice: only who knows all can judge")
        actor = action.seat if isinstance(action, Fault | Leave) else before.to_act
        gained: Worths | None = None
        self._match = apply(before, action).match
        if isinstance(action, (EndMatch, Fault, Leave, StopMatch, VoidRound)):
            self._going = None  # the rest of this round cannot be known completely
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
                self._parts["skill" if seat == actor else "others"][seat].append(each)
        by = None if isinstance(action, StopMatch | VoidRound) else actor
        self._remember(line, before, by, action, was, change)
        if self._match.outcome is None and self._match.round != before.round:
            self._begin("start" if self._worth.unit == "penalties" else "luck")

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
        assert not isinstance(action, (Fault, Leave, VoidRound, StopMatch)), "a seat decides"
        done, ways = plain(match, action), options(state)
        if ways == (done,):
            return (0.0,) * len(match.players)
        worths = {
            way: self._worths(going, going.expected(way)) for way in dict.fromkeys((*ways, done))
        }
        usual = going.play.play(known(state))
        mean = tuple(
            fsum(share * worths[way][each] for way, share in usual.items())
            for each in range(len(match.players))
        )
        chances: dict[SeatAction, float] = {way: each[seat] for way, each in worths.items()}
        best = max((*usual, done), key=lambda way: (chances[way], way == done))
        least = min(chances[way] for way, share in usual.items() if share >= LEAST)
        cost = max(0.0, least - chances[done])
        own = state.own[state.match.to_act or 0]
        lie = None
        if type(done) is Announce and own is not None:
            lie = _is_lie(self._rules, done.value, value_of(own[0]))
        self._decisions.append(Judged(line, match.round, seat, done, chances, best, cost, lie))
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

    def _worths(self, going: Going, ends: Ends) -> Worths:
        worths = [
            (self._ends(end, going.turned), chance)
            for end, chance in ends.items()
            if not isinstance(end, Recurrence)
        ]
        return tuple(
            fsum(chance * each[seat] for each, chance in worths)
            for seat in range(len(self._match.players))
        )

    def analysis(self) -> Analysis:
        """Return the analysis of the match so far."""
        match, rules = self._match, self._rules
        accounts = tuple(
            Account(**{part: fsum(each[seat]) for part, each in self._parts.items()}, result=now)
            for seat, now in enumerate(self._now)
        )
        return Analysis(
            rules.game, match.players, self._worth.unit, _model(rules, self._worth),
            match.outcome is not None, tuple(self._decisions), accounts, self._turning,
        )  # fmt: skip


def _model(rules: BluffRules, worth: MatchWorth) -> Model:
    if worth.goal is not PlaysFor.PENALTIES:
        caveat: Caveat | None = "BY_LOT" if worth.goal is PlaysFor.LOT else None
        return Model("equilibrium", 0.0 if worth.seats == 2 else None, caveat)
    if worth.seats == 2:
        return Model("equilibrium", 0.0, None)
    caveat = "NO_SCORE" if rules.stakes == "drinks" else "UNSOLVED"
    return Model("equilibrium", GAPS[rules.game], caveat)


def _with(worths: Worths, seat: int, worth: float) -> Worths:
    return (*worths[:seat], worth, *worths[seat + 1 :])


def _less(one: Worths, other: Worths) -> Worths:
    return tuple(a - b for a, b in zip(one, other, strict=True))


def _is_lie(rules: BluffRules, announced: int, rolled: int) -> bool:
    """Return whether an announcement is a lie about the dice (B-4)."""
    if rules.understating == "lie":
        return announced != rolled
    return PLACE[announced] > PLACE[rolled]
