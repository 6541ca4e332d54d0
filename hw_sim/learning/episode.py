"""A match in numbers: choices, chance, and what everybody may know of it.

All seat actions of a game are numbered once (``Numbers``). A player knows what everybody saw, and
their own looks under the cup. That knowledge contains no hidden dice.
"""

from collections.abc import Mapping
from dataclasses import replace

from firmware.bots.arena import Arena
from game import (
    AnyRules,
    IllegalAction,
    SetupError,
    Unit,
    hides_dice,
    illegality,
    legal_actions,
    parsed_option,
    public,
    rule_set,
    seat_actions,
)
from game.actions import Look, SeatAction
from game.coach.match_worth import fewer
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
