"""A match in numbers: choices, chance, and the knowledge of everybody, as vectors.

All seat actions of a game are numbered once (``Numbers``). A player knows what everybody saw, and
their own looks under the cup. That knowledge contains no hidden dice.

Seats are counted clockwise from the observing seat. The vector holds the present standing; earlier
announcements are in ``Episode.knows`` alone.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from firmware.bots.arena import Arena
from game import (
    AnyRules,
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
    hides_dice,
    illegality,
    legal_actions,
    parsed_option,
    public,
    rule_set,
    seat_actions,
    view,
)
from game.actions import Look, SeatAction
from game.bluff.values import PLACE, RANKING, value_of
from game.coach.match_worth import fewer
from game.dice import FACES, Dice
from game.events import RoundDecided
from game.explore import chances

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
    """The seat actions of a game for a number of players, numbered from 0."""

    def __init__(self, rules: AnyRules, players: int) -> None:
        self.actions: tuple[SeatAction, ...] = seat_actions(rules, players)
        self._number: dict[object, int] = {
            action: number for number, action in enumerate(self.actions)
        }

    def __getitem__(self, action: object) -> int:
        return self._number[action]


class Episode:
    """A match, or its first rounds, with choices and chance by number.

    Args:
        rules: the game.
        players: how many.
        first: the seat that opens.
        rounds: the most rounds that are played; 0 for a whole match.

    ``due`` is what chance can bring now, with its exact chances; empty while a seat decides.

    Raises SetupError as ``game.new_match`` does, and for a whole match without an end (B-8).
    """

    def __init__(self, rules: AnyRules, players: int, first: int = 0, rounds: int = 0) -> None:
        names = [f"player {seat}" for seat in range(players)]
        if rounds < 0:
            raise SetupError(f"{rounds} rounds: choose 0, for a whole match, or more")
        if not rounds and rules.unit in (Unit.DRINK, Unit.GLASS):
            raise SetupError("drinks have no end: say how many rounds are played")
        self.arena = Arena(rules, names, first)
        self.numbers = Numbers(rules, players)
        self.rounds = rounds
        self.due: tuple[tuple[SeatAction, float], ...] = ()
        self._lost = [0.0] * players
        self._told: list[list[str]] = [[f"first={first}"] for _ in range(players)]

    def copy(self) -> "Episode":
        """Return one that goes on by itself."""
        other = object.__new__(Episode)
        other.__dict__.update(self.__dict__)
        other.arena, other._lost = self.arena.copy(), list(self._lost)
        other._told = [list(told) for told in self._told]
        return other

    def __deepcopy__(self, _memo: object) -> "Episode":
        return self.copy()

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
        return sorted(self.numbers[action] for action in legal_actions(self.arena.match))

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
            self.due = tuple((each, float(chance)) for each, chance in found)
        else:
            self._act(found[0][0])

    def fall(self, index: int) -> None:
        """Let that of ``due`` happen."""
        action, self.due = self.due[index][0], ()
        self._act(action)

    def _act(self, action: SeatAction) -> None:
        arena, before = self.arena, self.arena.match
        seat, shown = before.to_act, repr(public(action, before))
        step = arena.act(action)
        looked = type(action) is Look
        for at, told in enumerate(self._told):
            told.append(f"{shown}: {arena.own[at]}" if looked and at == seat else shown)
        for event in step.events:
            if isinstance(event, RoundDecided):
                self._lost[event.worst] += 1.0

    def knows(self, seat: int) -> str:
        """Return all that ``seat`` has seen so far: equal where it cannot tell two pasts apart."""
        return f"seat {seat}: " + "; ".join(self._told[seat])

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


_PHASES, _STATUS = tuple(Phase), tuple(Status)
_FULL = 20.0
"""Counts of penalties and coasters are shown as shares of it."""
_DICE = 7.0
"""No cup holds more dice."""


def features(episode: Episode, seat: int) -> list[float]:
    """Return the knowledge of ``seat`` about the present standing."""
    seats = [(seat + place) % episode.players for place in range(episode.players)]
    match = view(episode.arena.match, seat)
    return [
        *_one(_PHASES, match.phase),
        *_one(seats, match.to_act),
        *(each for at in seats for each in _one(_STATUS, match.status[at])),
        *_FEATURES[match.rules.family](episode, match, seats),
    ]


def _bluff(episode: Episode, match: Match, seats: list[int]) -> Iterator[float]:
    own, tower = episode.arena.own[seats[0]] or (None, False)
    yield from _one(seats, match.announcer)
    yield from _value(match.announced)
    yield from _value(episode.arena.stood)
    yield from _value(value_of(own) if own else None)
    yield from (float(tower), float(match.seen), float(match.direction > 0))
    for rolls in (match.rolls, match.announcer_rolls):
        yield min(rolls / match.rules.rolls, 1.0)
    yield from (min(match.tally[at] / _FULL, 1.0) for at in seats)


def _open(_: Episode, match: OpenMatch, seats: list[int]) -> Iterator[float]:
    yield from _one(seats, match.leader)
    yield from (min(match.limit, 4) / 4, min(match.throws, 4) / 4)
    yield from _faces(match.dice)
    yield from (min(match.coasters[at] / _FULL, 1.0) for at in seats)
    for at in seats:
        yield from _faces(match.shown(at))
        yield float(match.hands[at] is not None)


def _coaster(episode: Episode, match: CoasterMatch, seats: list[int]) -> Iterator[float]:
    yield from _open(episode, match, seats)
    yield from _faces(match.aside)
    yield from (float(match.stage > 1), (match.half - 1) / 2, min(match.pile / _FULL, 1.0))


_FEATURES: Mapping[str, Callable[[Episode, Any, list[int]], Iterator[float]]] = {
    BluffRules.family: _bluff,
    CoasterRules.family: _coaster,
    SevensRules.family: _open,
}
"""By family: the features of its matches."""


def _one(of: "tuple[object, ...] | list[int]", which: object) -> list[float]:
    return [float(each == which) for each in of]


def _value(value: int | None) -> list[float]:
    shown = [0.0] * len(RANKING)
    if value is not None:
        shown[PLACE[value]] = 1.0
    return shown


def _faces(dice: Dice | None) -> list[float]:
    return [(dice or ()).count(face) / _DICE for face in FACES]
