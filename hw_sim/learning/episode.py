"""A match in numbers: choices, chance, and the knowledge of everybody, as vectors.

All seat actions of a game are numbered once (``Numbers``). A player knows what everybody saw, and
their own looks under the cup. That knowledge contains no hidden dice.

Seats are counted clockwise from the observing seat. The vector holds the present standing; earlier
announcements are in ``Episode.knows`` alone.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final, NamedTuple

from firmware.bots.arena import Arena
from game import (
    AnyRules,
    AnyStep,
    BluffRules,
    CoasterMatch,
    CoasterRules,
    IllegalAction,
    Match,
    OpenMatch,
    Phase,
    SetupError,
    SevensRules,
    Status,
    Unit,
    apply,
    hides_dice,
    illegality,
    laid_open,
    legal_actions,
    parsed_option,
    public,
    rule_set,
    seat_actions,
    view,
)
from game.actions import Action, Look, Roll, SeatAction
from game.bluff.values import PLACE, RANKING, value_of
from game.coach.match_worth import fewer
from game.dice import FACES, Dice
from game.events import RoundDecided
from game.explore import chances
from game.strategy.response import stood_after

MOST_ACTIONS = 20_000
"""A match ends as it stands after this number of actions and throws; random play stays below."""


def rules_of(game: str, players: int, options: Mapping[str, object] | None = None) -> AnyRules:
    """Return the rules of a game; ``class`` may be played by two here.

    ``options`` as ``game.rule_set`` takes them, or as text. Raises SetupError as it does.
    """
    read = {
        name: parsed_option(game, name, value) if isinstance(value, str) else value
        for name, value in (options or {}).items()
    }
    rules = rule_set(game, read)
    return replace(rules, fewest_players=2) if players == 2 else rules


class Numbers:
    """The seat actions of a game for a number of players, numbered from 0.

    It remembers the numbers of each list of legal actions, and the steps of each list of chances:
    both lists are cached by the core, so a list that comes again is the same object.
    """

    def __init__(self, rules: AnyRules, players: int) -> None:
        self.actions: tuple[SeatAction, ...] = seat_actions(rules, players)
        self._number: dict[object, int] = {
            action: number for number, action in enumerate(self.actions)
        }
        self._legal: dict[int, tuple[object, list[int]]] = {}
        self._due: dict[int, tuple[object, Due]] = {}

    def __getitem__(self, action: object) -> int:
        return self._number[action]

    def legal(self, actions: tuple[SeatAction, ...]) -> list[int]:
        """Return the numbers of legal actions, ascending."""
        known = self._legal.get(id(actions))
        if known is None or known[0] is not actions:
            numbers = sorted(self._number[action] for action in actions)
            known = self._legal[id(actions)] = actions, numbers
            if len(self._legal) > KEPT:
                self._legal.clear()
        return known[1]

    def due(self, found: tuple[tuple[SeatAction, Fraction], ...]) -> "Due":
        """Return what chance can bring, with chances as floats."""
        known = self._due.get(id(found))
        if known is None or known[0] is not found:
            outcomes = tuple((action, float(chance)) for action, chance in found)
            due = Due(outcomes, tuple(accumulate(chance for _, chance in outcomes)))
            known = self._due[id(found)] = found, due
            if len(self._due) > KEPT:
                self._due.clear()
        return known[1]


class Due(NamedTuple):
    """The possible outcomes of chance, each with its chance, and the sums of the chances so far."""

    outcomes: tuple[tuple[SeatAction, float], ...] = ()
    sums: tuple[float, ...] = ()


_NOTHING_DUE: Final = Due()
KEPT: Final = 4096
"""The number of lists that ``Numbers`` keeps at most."""


@lru_cache
def numbers_of(rules: AnyRules, players: int) -> Numbers:
    """Return the numbers of a game; made once."""
    return Numbers(rules, players)


class _Quiet(Arena):
    """An arena where nobody learns how the others lie, which takes a third of a step."""

    def act(self, action: Action) -> AnyStep:
        """Apply an action, as ``Arena.act`` does."""
        match, seat = self.match, self.match.to_act
        step = apply(match, laid_open(match, action))
        if hides_dice(match) and hides_dice(step.match):
            self.stood = stood_after(match, action, self.stood)
            if type(action) is Roll:
                self.own = [None] * len(self.own)
            elif type(action) is Look and match.dice is not None and seat is not None:
                self.own[seat] = match.dice, match.tower
        self.match = step.match
        return step


class Episode:
    """A match, or its first rounds, with choices and chance by number.

    Args:
        rules: the game.
        players: how many.
        first: the seat that opens.
        rounds: the most rounds that are played; 0 for a whole match.
        watched: whether the seats learn how the others lie, as bots want to.

    Raises SetupError as ``game.new_match`` does, and for a whole match without an end (B-8).
    """

    def __init__(
        self,
        rules: AnyRules,
        players: int,
        first: int = 0,
        rounds: int = 0,
        *,
        watched: bool = False,
    ) -> None:
        names = [f"player {seat}" for seat in range(players)]
        if rounds < 0:
            raise SetupError(f"{rounds} rounds: choose 0, for a whole match, or more")
        if not rounds and rules.unit in (Unit.DRINK, Unit.GLASS):
            raise SetupError("drinks have no end: say how many rounds are played")
        self.arena = (Arena if watched else _Quiet)(rules, names, first)
        self.numbers = numbers_of(rules, players)
        self.rounds = rounds
        self._due = _NOTHING_DUE
        self._lost = [0.0] * players
        self._first = first
        self._told: list[tuple[Action, int | None, object]] = []

    def copy(self) -> "Episode":
        """Return one that goes on by itself."""
        other = object.__new__(Episode)
        other.__dict__.update(self.__dict__)
        other.arena, other._lost = self.arena.copy(), list(self._lost)
        other._told = list(self._told)
        return other

    def __deepcopy__(self, _memo: object) -> "Episode":
        return self.copy()

    @property
    def due(self) -> tuple[tuple[SeatAction, float], ...]:
        """The outcomes of chance that are due, with exact chances; empty while a seat decides."""
        return self._due.outcomes

    @property
    def players(self) -> int:
        """How many play."""
        return len(self._lost)

    @property
    def is_over(self) -> bool:
        """Whether the match, or the last of its rounds, is over."""
        match = self.arena.match
        played = bool(self.rounds) and match.round > self.rounds
        return match.to_act is None or played or match.turn >= MOST_ACTIONS

    @property
    def seat(self) -> int | None:
        """The seat that decides; None if chance is due, or if the episode is over."""
        return None if self.due or self.is_over else self.arena.match.to_act

    def choices(self) -> list[int]:
        """Return the numbers of the legal actions of the seat that decides, ascending."""
        if self.seat is None:
            return []
        return self.numbers.legal(legal_actions(self.arena.match))

    def choose(self, number: int) -> None:
        """Do what ``number`` stands for; where dice are thrown, they are ``due`` then.

        Raises:
            IllegalAction: it is not among ``choices``.
        """
        action = self.numbers.actions[number]
        if (reason := illegality(self.arena.match, action)) is not None:
            raise IllegalAction(reason, action)
        found = chances(self.arena.match, action)
        if len(found) > 1:
            self._due = self.numbers.due(found)
        else:
            self._act(found[0][0])

    def fall(self, index: int) -> None:
        """Let that of ``due`` happen."""
        action, self._due = self._due.outcomes[index][0], _NOTHING_DUE
        self._act(action)

    def draw(self, share: float) -> None:
        """Let that of ``due`` happen whose chances reach ``share``, from 0 up to 1."""
        self.fall(min(bisect_right(self._due.sums, share), len(self._due.sums) - 1))

    def _act(self, action: SeatAction) -> None:
        arena, before = self.arena, self.arena.match
        shown = public(action, before)
        step = arena.act(action)
        seat = before.to_act if type(action) is Look else None
        self._told.append((shown, seat, None if seat is None else arena.own[seat]))
        if not hides_dice(before):
            for event in step.events:
                if isinstance(event, RoundDecided):
                    self._lost[event.worst] += 1.0

    def knows(self, seat: int) -> str:
        """Return all that ``seat`` has seen so far: equal where it cannot tell two pasts apart."""
        told = [
            f"{action!r}: {own}" if by == seat else repr(action) for action, by, own in self._told
        ]
        return f"seat {seat}: " + "; ".join((f"first={self._first}", *told))

    def returns(self) -> list[float]:
        """Return by seat what everybody has gained; they add up to 0.

        A gain is the mean of the others' losses less the player's own. In a whole match its losers
        lose 1 together; in ``rounds`` penalties count, and in games of open dice lost rounds.
        """
        match, lost = self.arena.match, self._lost
        if not self.rounds:
            losers = match.outcome.losers if match.outcome else ()
            lost = [(seat in losers) / max(1, len(losers)) for seat in range(self.players)]
        elif hides_dice(match):
            lost = [float(each) for each in match.tally]
        return list(fewer(lost))


_PHASES = {phase: place for place, phase in enumerate(Phase)}
_STATUS = {status: place for place, status in enumerate(Status)}
_FULL = 20.0
"""Counts of penalties and coasters are shown as shares of it."""
_DICE = 7.0
"""No cup holds more dice."""


def features(episode: Episode, seat: int) -> list[float]:
    """Return the knowledge of ``seat`` about the present standing."""
    players, match = episode.players, episode.arena.match
    seats = [(seat + place) % players for place in range(players)]
    known = [0.0] * (len(_PHASES) + players * (1 + len(_STATUS)))
    known[_PHASES[match.phase]] = 1.0
    at = len(_PHASES)
    if match.to_act is not None:
        known[at + (match.to_act - seat) % players] = 1.0
    at += players
    for other in seats:
        known[at + _STATUS[match.status[other]]] = 1.0
        at += len(_STATUS)
    known += _FEATURES[match.rules.family](episode, match, seats)
    return known


_VALUES = len(RANKING)


def _bluff(episode: Episode, match: Match, seats: list[int]) -> list[float]:
    """Return what is known of a bluff game; the dice are those that the seat has seen itself."""
    own, tower = episode.arena.own[seats[0]] or (None, False)
    players, most = len(seats), match.rules.rolls
    known = [0.0] * (players + 3 * _VALUES)
    if match.announcer is not None:
        known[(match.announcer - seats[0]) % players] = 1.0
    at = players
    for value in (match.announced, episode.arena.stood, value_of(own) if own else None):
        if value is not None:
            known[at + PLACE[value]] = 1.0
        at += _VALUES
    known += (float(tower), float(match.seen), float(match.direction > 0))
    known += (min(match.rolls / most, 1.0), min(match.announcer_rolls / most, 1.0))
    known += [min(match.tally[each] / _FULL, 1.0) for each in seats]
    return known


def _open(_: Episode, match: OpenMatch, seats: list[int]) -> list[float]:
    match, players = view(match, seats[0]), len(seats)
    known = [0.0] * players
    if match.leader is not None:
        known[(match.leader - seats[0]) % players] = 1.0
    known += (min(match.limit, 4) / 4, min(match.throws, 4) / 4)
    known += _faces(match.dice)
    known += [min(match.coasters[at] / _FULL, 1.0) for at in seats]
    for at in seats:
        known += _faces(match.shown(at))
        known.append(float(match.hands[at] is not None))
    return known


def _coaster(episode: Episode, match: CoasterMatch, seats: list[int]) -> list[float]:
    known = _open(episode, match, seats)
    known += _faces(match.aside)
    known += (float(match.stage > 1), (match.half - 1) / 2, min(match.pile / _FULL, 1.0))
    return known


_FEATURES: Mapping[str, Callable[[Episode, Any, list[int]], list[float]]] = {
    BluffRules.family: _bluff,
    CoasterRules.family: _coaster,
    SevensRules.family: _open,
}
"""By family: the features of its matches."""


def _faces(dice: Dice | None) -> list[float]:
    shown = [0.0] * len(FACES)
    for die in dice or ():
        shown[die - 1] += 1 / _DICE
    return shown
