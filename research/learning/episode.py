"""A match in numbers: choices, chance, and the knowledge of everybody, as vectors.

All seat actions of a game are numbered once (``Numbers``). A player knows what everybody saw, and
their own looks under the cup. That knowledge contains no hidden dice.

Seats are counted clockwise from the observing seat. The vector holds the present standing; earlier
announcements are in ``Episode.knows`` alone.
"""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final, NamedTuple

from firmware.bots import Sight
from firmware.bots.arena import Arena
from game import (
    AnyMatch,
    AnyRules,
    BluffRules,
    CoasterMatch,
    CoasterRules,
    IllegalAction,
    Match,
    OpenMatch,
    Phase,
    Reason,
    SetupError,
    SevensRules,
    Status,
    Unit,
    advance,
    hides_dice,
    illegality,
    laid_open,
    legal_actions,
    new_match,
    parsed_option,
    public,
    rolls,
    rule_set,
    seat_actions,
)
from game.actions import Action, Announce, Lift, Look, Roll, Say, SeatAction, ShowTower
from game.bluff.rules import PLACE, RANKING, value_of
from game.coach.reference import fewer
from game.dice import FACES, Dice
from game.events import EventTuples, RoundDecided
from game.strategy.position import stood_after

MOST_ACTIONS = 20_000
"""A match ends as it stands after this number of actions and throws; random play stays below;
chosen."""


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
        self._legal: dict[int, Legal] = {}
        self._due: dict[tuple[int, bool], tuple[object, Due]] = {}
        self.none_legal = bytes(len(self.actions))
        """A mask of nothing, as ``mask`` returns one."""

    def __getitem__(self, action: object) -> int:
        return self._number[action]

    def legal(self, actions: tuple[SeatAction, ...]) -> "Legal":
        """Return legal actions by number."""
        known = self._legal.get(id(actions))
        if known is None or known.actions is not actions:
            numbers = sorted(self._number[action] for action in actions)
            mask = bytes(map(set(numbers).__contains__, range(len(self.actions))))
            known = self._legal[id(actions)] = Legal(actions, numbers, mask)
            if len(self._legal) > KEPT:
                self._legal.clear()
        return known

    def due(self, found: tuple[tuple[Roll, Fraction], ...], lifts: bool) -> "Due":
        """Return what chance can bring, the likeliest first: rolls, or lifts of such dice.

        A learner that tries them in order then finds it soon: seven dice have 792 throws.
        """
        known = self._due.get((id(found), lifts))
        if known is None or known[0] is not found:
            kind = Lift if lifts else Roll
            likely = sorted(found, key=lambda each: -each[1])
            outcomes = tuple((kind(roll.dice, roll.tower), float(each)) for roll, each in likely)
            shares = [chance for _, chance in outcomes]
            due = Due(outcomes, tuple(accumulate(shares)), tuple(enumerate(shares)))
            known = self._due[id(found), lifts] = found, due
            if len(self._due) > KEPT:
                self._due.clear()
        return known[1]


class Legal(NamedTuple):
    """Legal actions: their numbers, ascending, and a byte for each action: 1 for those, else 0."""

    actions: tuple[SeatAction, ...]
    numbers: list[int]
    mask: bytes


class Due(NamedTuple):
    """The outcomes of chance: each with its chance, the sums of the chances so far, the numbers."""

    outcomes: tuple[tuple[SeatAction, float], ...] = ()
    sums: tuple[float, ...] = ()
    by_number: tuple[tuple[int, float], ...] = ()


_NOTHING_DUE: Final = Due()
KEPT: Final = 4096
"""The number of lists that ``Numbers`` keeps at most."""


@lru_cache
def numbers_of(rules: AnyRules, players: int) -> Numbers:
    """Return the numbers of a game; made once."""
    return Numbers(rules, players)


_BY_CHANCE: Final = (Roll, Lift, ShowTower)
"""Kinds of actions that dice belong to."""
_MOVES_STOOD: Final = (Roll, Announce, Say)


class _Quiet:
    """The match of an episode whose seats do not learn how the others lie.

    ``match`` is a draft that every action changes; ``own`` and ``stood`` are as in ``Arena``.
    """

    def __init__(self, match: AnyMatch) -> None:
        self.match: Any = match.draft()
        self.own: list[tuple[Dice, bool] | None] = [None] * len(match.players)
        self.stood: int | None = None
        self._hides = hides_dice(match)

    def copy(self) -> "_Quiet":
        """Return an independent copy."""
        other = object.__new__(_Quiet)
        other.__dict__.update(self.__dict__)
        other.match, other.own = self.match.draft(), list(self.own)
        return other

    def act(self, action: Action) -> EventTuples:
        """Write a legal action on the match; return what happened."""
        match, kind = self.match, type(action)
        if self._hides:
            if kind in _MOVES_STOOD:
                self.stood = stood_after(match, action, self.stood)
            if kind is Roll:
                self.own = [None] * len(self.own)
            elif kind is Look:
                self.own[match.to_act] = match.dice, match.tower
        return advance(match, laid_open(match, action) if kind in _BY_CHANCE else action)


_begun = lru_cache(new_match)


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
        names = tuple(f"player {seat}" for seat in range(players))
        if rounds < 0:
            raise SetupError(f"{rounds} rounds: choose 0, for a whole match, or more")
        if not rounds and rules.unit in (Unit.DRINK, Unit.GLASS):
            raise SetupError("drinks have no end: say how many rounds are played")
        self._first_match = _begun(rules, names, first)
        self.arena = Arena(rules, names, first) if watched else _Quiet(self._first_match)
        self.numbers = numbers_of(rules, players)
        self.rounds = rounds
        self._due = _NOTHING_DUE
        self._legal: Legal | None = None
        self._lost = [0.0] * players
        self._counts_rounds = bool(rounds) and not hides_dice(self._first_match)
        self._first = first
        self._done: list[SeatAction] = []
        self.is_over: bool = False
        """Whether the match, or the last of its rounds, is over."""
        self.seat: int | None = first
        """The seat that decides; None if chance is due, or if the episode is over."""

    def copy(self) -> "Episode":
        """Return one that goes on by itself."""
        other = object.__new__(Episode)
        other.__dict__.update(self.__dict__)
        other.arena, other._lost = self.arena.copy(), list(self._lost)
        other._done = list(self._done)
        return other

    def __deepcopy__(self, _memo: object) -> "Episode":
        return self.copy()

    @property
    def due(self) -> tuple[tuple[SeatAction, float], ...]:
        """The outcomes of chance now, with exact chances; empty while a seat decides."""
        return self._due.outcomes

    @property
    def due_by_number(self) -> tuple[tuple[int, float], ...]:
        """The chances of ``due`` by number, as ``fall`` takes it."""
        return self._due.by_number

    @property
    def players(self) -> int:
        """How many play."""
        return len(self._lost)

    def _legal_now(self) -> Legal:
        if self._legal is None:
            legal = () if self.seat is None else legal_actions(self.arena.match)
            self._legal = self.numbers.legal(legal)
        return self._legal

    def choices(self) -> list[int]:
        """Return the numbers of the legal actions of the seat that decides, ascending."""
        return self._legal_now().numbers

    def mask(self) -> bytes:
        """Return a byte for each action by number: 1 for those of ``choices``, else 0."""
        return self._legal_now().mask

    def choose(self, number: int) -> None:
        """Do what ``number`` stands for; where dice are thrown, they are ``due`` then.

        Raises:
            IllegalAction: it is not among ``choices``.
        """
        action, match = self.numbers.actions[number], self.arena.match
        if not self._legal_now().mask[number]:
            other = Reason.THROW_DUE if self.due else Reason.MATCH_OVER
            raise IllegalAction(illegality(match, action) or other, action)
        if isinstance(action, _BY_CHANCE):
            lifts = type(action) is Lift
            if type(action) is Roll or (action := laid_open(match, action)).dice is None:
                found = rolls(match)
                if len(found) > 1:
                    self._due, self.seat = self.numbers.due(found, lifts), None
                    self._legal = None
                    return
        self._act(action)

    def fall(self, index: int) -> None:
        """Let that of ``due`` happen."""
        action, self._due = self._due.outcomes[index][0], _NOTHING_DUE
        self._act(action)

    def draw(self, share: float) -> None:
        """Let that of ``due`` happen whose chances reach ``share``, from 0 up to 1."""
        self.fall(min(bisect_right(self._due.sums, share), len(self._due.sums) - 1))

    def _act(self, action: SeatAction) -> None:
        self._done.append(action)
        told, match, self._legal = self.arena.act(action), self.arena.match, None
        played = bool(self.rounds) and match.round > self.rounds
        self.is_over = match.to_act is None or played or match.turn >= MOST_ACTIONS
        self.seat = None if self.is_over else match.to_act
        if self._counts_rounds:
            if isinstance(told, tuple):
                worst = [each[2] for each in told if each[0] is RoundDecided]
            else:
                worst = [each.worst for each in told.events if isinstance(each, RoundDecided)]
            for seat in worst:
                self._lost[seat] += 1.0

    def knows(self, seat: int) -> str:
        """Return all that ``seat`` has seen so far: equal where it cannot tell two pasts apart."""
        match: Any = self._first_match.draft()
        told = [f"first={self._first}"]
        for action in self._done:
            if type(action) is Look and match.to_act == seat:
                told.append(f"{action!r}: {(match.dice, match.tower)}")
            else:
                told.append(repr(public(action, match)))
            advance(match, laid_open(match, action))
        return f"seat {seat}: " + "; ".join(told)

    def sight(self) -> Sight:
        """Return what a bot may know that is to act; only in an episode that is watched."""
        assert isinstance(self.arena, Arena), "nobody watches"
        return self.arena.sight()

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
Seats = tuple[int, ...]
"""The seats, from the one that observes."""


def features(episode: Episode, seat: int) -> bytes:
    """Return the knowledge of ``seat`` about the present standing: 32-bit floats from 0 to 1.

    Each part of it comes again and again, so its bytes are kept.
    """
    match, seats = episode.arena.match, _seats_from(seat, episode.players)
    standing = _standing(match.phase, match.to_act, match.status, seats)
    return standing + _FEATURES[match.rules.family](episode, match, seats)


@lru_cache(KEPT)
def _seats_from(seat: int, players: int) -> Seats:
    return tuple((seat + place) % players for place in range(players))


def _packed(*known: float) -> bytes:
    return array("f", known).tobytes()


def _one_of(size: int, at: int | None) -> list[float]:
    """Return so many zeros, with a 1 at a place; None: nowhere."""
    return [float(place == at) for place in range(size)]


def _from(seats: Seats, seat: int | None) -> list[float]:
    """Return a 1 for a seat, counted from the one that observes; None is nobody."""
    return _one_of(len(seats), None if seat is None else seats.index(seat))


@lru_cache(KEPT)
def _standing(phase: Phase, to_act: int | None, status: tuple[Status, ...], seats: Seats) -> bytes:
    """Return what every game has: the phase, who is to act, and who is in."""
    known = _one_of(len(_PHASES), _PHASES[phase]) + _from(seats, to_act)
    for other in seats:
        known += _one_of(len(_STATUS), _STATUS[status[other]])
    return _packed(*known)


def _bluff(episode: Episode, match: Match, seats: Seats) -> bytes:
    """Return what is known of a bluff game; the dice are those that the seat has seen itself."""
    own, tower = episode.arena.own[seats[0]] or (None, False)
    rolls, announced = match.rolls, match.announcer_rolls
    cup = _cup(tower, match.seen, match.direction, rolls, announced, match.rules.rolls)
    said = _said(match.announced, episode.arena.stood, own, match.announcer, seats)
    return said + cup + _shares(match.tally, seats)


@lru_cache(KEPT)
def _cup(
    tower: bool, seen: bool, direction: int, rolls: int, announcer_rolls: int, most: int
) -> bytes:
    shares = min(rolls / most, 1.0), min(announcer_rolls / most, 1.0)
    return _packed(tower, seen, direction > 0, *shares)


@lru_cache(4 * KEPT)
def _said(
    announced: int | None, stood: int | None, own: Dice | None, announcer: int | None, seats: Seats
) -> bytes:
    """Return who has announced, and three values: announced, stood, and seen by the seat."""
    known = _from(seats, announcer)
    for value in (announced, stood, value_of(own) if own else None):
        known += _one_of(len(RANKING), None if value is None else PLACE[value])
    return _packed(*known)


def _open(_: Episode, match: OpenMatch, seats: Seats) -> bytes:
    known = _lead(match.leader, match.limit, match.throws, seats) + _faces(match.dice)
    known += _shares(match.coasters, seats)
    for at in seats:
        hand = match.hands[at]
        covered = getattr(hand, "covered", False)
        known += _faces(hand.aside if covered else match.shown(at)) + _FLAGS[hand is not None]
    return known


@lru_cache(KEPT)
def _lead(leader: int | None, limit: int, throws: int, seats: Seats) -> bytes:
    return _packed(*_from(seats, leader), min(limit, 4) / 4, min(throws, 4) / 4)


_FLAGS: Final = (_packed(0.0), _packed(1.0))


def _coaster(episode: Episode, match: CoasterMatch, seats: Seats) -> bytes:
    pile = _packed(match.stage > 1, (match.half - 1) / 2, min(match.pile / _FULL, 1.0))
    return _open(episode, match, seats) + _faces(match.aside) + pile


_FEATURES: Mapping[str, Callable[[Episode, Any, Seats], bytes]] = {
    BluffRules.family: _bluff,
    CoasterRules.family: _coaster,
    SevensRules.family: _open,
}
"""By family: the features of its matches."""


@lru_cache(KEPT)
def _shares(counts: tuple[int, ...], seats: Seats) -> bytes:
    return _packed(*(min(counts[at] / _FULL, 1.0) for at in seats))


@lru_cache(KEPT)
def _faces(dice: Dice | None) -> bytes:
    shown = [0.0] * len(FACES)
    for die in dice or ():
        shown[die - 1] += 1 / _DICE
    return _packed(*shown)
