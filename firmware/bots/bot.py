"""A bot's decision in every phase of every game, drawn by chance or as exact chances.

The bot gets a source of chance that splits at each comparison of a draw, and at each draw of one of
many. The result is a ``game.strategy.Strategy``, and the rules can tell its worth.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import exp, prod
from random import Random
from typing import Any, TypeVar, cast

from firmware.bots import Personality, Sight, bluff, holy_family, open_dice
from firmware.input.controls import Choice, plain
from game import AnyMatch, AnyRules, BluffRules, Phase, hides_dice, legal_actions, new_match
from game.actions import Announce, Believe, Doubt, GiveIn, Lift, Look, Roll, Say, SeatAction
from game.bluff.legality import resolved
from game.bluff.rules import PLACE, RANKING
from game.strategy import Known
from game.strategy.against import ByTheBook, KnownAnswer, KnownTurn, told
from game.strategy.bluff import NOTHING
from game.strategy.position import State, after, believed, known
from game.strategy.signal import mixed

_Way = Callable[[Personality, Sight, Random], Choice]

_CLASS: tuple[_Way, _Way, _Way] = (bluff.answer, bluff.before_rolling, bluff.after_rolling)
_BLUFFS = {
    "physicist": (bluff.answer, bluff.before_rolling_with_air, bluff.after_rolling_with_air),
    "holy-family": (holy_family.answer, holy_family.before_rolling, holy_family.after_rolling),
}
"""The play of a bluff game: with an offered cup, before a roll, and after it; others are played
as ``class``."""


class Bot(Personality):
    """A personality that plays any game in ``game.RULES``."""

    def prepare(self, rules: AnyRules, players: int) -> None:
        """Build the tables for the decisions of such a match beforehand; takes up to seconds."""

    def prepare_round(self, match: AnyMatch) -> None:
        """Do the same for the running round, if there is one."""

    def decide(self, sight: Sight, rng: Random) -> Choice:
        """Return the next choice, in any phase in which this seat is to act.

        ``rng`` is the only source of chance. An announcement has its flourish and direction.
        ``Keep`` means: set these dice aside and throw the rest. Everything else is one of
        ``sight.options``.
        """
        match = sight.match
        if not hides_dice(match):
            return open_dice.decide(self, sight, rng)
        answer, before_rolling, after_rolling = _BLUFFS.get(match.rules.game, _CLASS)
        match match.phase:
            case Phase.OFFERED:
                return answer(self, sight, rng)
            case Phase.DOUBTED:
                return Lift()
            case Phase.THROWN:
                return after_rolling(self, sight, rng)
            case _:
                return before_rolling(self, sight, rng)


_T = TypeVar("_T")
_STEPS = 24
"""The number of whole numbers that an exponential draw can give; no dial is longer."""
UNLIKELY = 0.01
"""A known way leaves out decisions of a bot with a smaller chance; chosen."""
_THREE = 3


class _Fork:
    """A source of chance that takes each outcome in turn: ``ways`` first, then each first one."""

    def __init__(self, ways: list[int], least: float) -> None:
        self.ways, self._least = ways, least
        self.weights: list[list[float]] = []
        self.chance = 1.0

    def split(self, weights: Sequence[float]) -> int:
        depth = len(self.weights)
        if depth == len(self.ways):
            self.ways.append(next(way for way, weight in enumerate(weights) if weight > 0))
        self.weights.append(list(weights))
        self.chance *= weights[self.ways[depth]]
        return self.ways[depth]

    def random(self) -> "_Draw":
        return _Draw(self)

    def choice(self, of: Sequence[_T]) -> _T:
        return of[self.split([1 / len(of)] * len(of))]

    def choices(self, of: Sequence[_T], weights: Sequence[float]) -> list[_T]:
        return [of[self.split([weight / sum(weights) for weight in weights])]]

    def expovariate(self, rate: float) -> int:
        least = [exp(-rate * step) for step in range(_STEPS)]
        return self.split([a - b for a, b in zip(least, [*least[1:], 0.0])])

    def uniform(self, low: float, high: float) -> float:
        """Return the middle: only moods are drawn so, and their effect is not asked here."""
        return (low + high) / 2

    def following(self) -> list[int] | None:
        """Return the ways to go next time, None once all have been gone."""
        for depth in range(len(self.weights) - 1, -1, -1):
            before = prod(weights[way] for weights, way in zip(self.weights[:depth], self.ways))
            for way in range(self.ways[depth] + 1, len(self.weights[depth])):
                if before * self.weights[depth][way] > self._least:
                    return [*self.ways[:depth], way]
        return None


class _Draw:
    """A number from 0 up to 1, drawn only as exactly as its comparisons need."""

    def __init__(self, fork: _Fork) -> None:
        self._fork, self._low, self._high = fork, 0.0, 1.0

    def __lt__(self, bound: float) -> bool:
        low, high = self._low, self._high
        cut = min(max(bound, low), high)
        below = self._fork.split([(cut - low) / (high - low), (high - cut) / (high - low)]) == 0
        self._low, self._high = (low, cut) if below else (cut, high)
        return below

    def __ge__(self, bound: float) -> bool:
        return not self < bound


def chances(bot: Bot, sight: Sight, least: float = 0.0) -> dict[Choice, float]:
    """Return the chance of every possible decision of ``bot``; they add up to 1.

    Outcomes of its draws with a chance of ``least`` or less may be left out.
    """
    found: dict[Choice, float] = {}
    for choice, chance in _all(bot, sight, least):
        found[choice] = found.get(choice, 0.0) + chance
    return found


def _all(bot: Bot, sight: Sight, least: float) -> Iterator[tuple[Choice, float]]:
    ways: list[int] | None = []
    while ways is not None:
        fork = _Fork(ways, least)
        choice = bot.decide(sight, cast(Any, fork))
        yield choice, fork.chance
        ways = fork.following()


def sight_of(known: Known) -> Sight:
    """Return the sight of a bluff game's seat with this knowledge, with its dial's choices."""
    match = known.match
    here = match.phase is Phase.THROWN
    options = tuple(action for action in legal_actions(match) if action == plain(action))
    return Sight(
        match.replace(dice=None, tower=False),
        options,
        known.own if here else None,
        known.tower and here,
        None if here else known.own,
        known.stood,
    )


class PlayedBy:
    """The way of ``bot`` in a bluff game, for ``game.strategy.against``; not of an ``Expert``."""

    def __init__(self, rules: BluffRules, bot: Bot) -> None:
        self.rules, self._bot = rules, replace(bot, careless=0.0)
        start = new_match(replace(rules, fewest_players=2), ("one", "two", "three"), 0)
        self._start = State(start, (None,) * _THREE, None)
        self._told: dict[int, KnownTurn] = {}
        self._throws: dict[tuple[int, int, int | None], Mapping[SeatAction, float]] = {}
        self._answers: dict[tuple[bool, int], KnownAnswer] = {}

    def told(self, stands: int) -> KnownTurn:
        """See ``KnownWay``."""
        if stands not in self._told:
            self._told[stands] = told(self.rules, stands, self.throws)
        return self._told[stands]

    def throws(self, stands: int, roll: int, rolled: int | None) -> Mapping[SeatAction, float]:
        """See ``ThrowsActions``."""
        key = stands, roll, rolled
        if key not in self._throws:
            high, low = divmod(RANKING[rolled or 0], 10)
            state = self._over(stands)
            for _ in range(roll):
                state = after(state, Roll((high, low)))
            self._throws[key] = self._plain(state if rolled is None else after(state, Look()))
        return self._throws[key]

    def answer(self, stands: int, _roll: int, place: int) -> KnownAnswer:
        """See ``KnownWay``."""
        key = stands == NOTHING or not place, place
        if key not in self._answers:
            state = after(self._over(NOTHING if key[0] else 0), Roll((3, 1)))
            offered = after(state, Announce(RANKING[place]))
            ways, hands_on = self._plain(offered), list[tuple[int, float]]()
            believes, pays = ways.get(Believe(), 0.0), ways.get(GiveIn(), 0.0)
            for action, share in self._plain(after(offered, Believe())).items() if believes else ():
                if isinstance(action, Announce) and PLACE[action.value] > place:
                    hands_on.append((PLACE[action.value], believes * share))
                elif isinstance(action, Announce):
                    pays += believes * share  # a mistake
            self._answers[key] = KnownAnswer(ways.get(Doubt(), 0.0), pays, tuple(hands_on))
        return self._answers[key]

    def _over(self, stands: int) -> State:
        state = self._start if stands == NOTHING else believed(self._start, (RANKING[stands],))
        assert state is not None, "it can be believed"
        return state

    def _plain(self, state: State) -> Mapping[SeatAction, float]:
        """Return what the bot does, words as their value, without flourishes."""
        found: dict[SeatAction, float] = {}
        for choice, share in chances(self._bot, sight_of(known(state)), UNLIKELY).items():
            action = cast(SeatAction, choice)
            if isinstance(action, Announce | Say):
                value = action.value if isinstance(action, Announce) else None
                value = resolved(state.match, action) if isinstance(action, Say) else value
                action = Announce(cast(int, value))
            found[action] = found.get(action, 0.0) + share
        whole = sum(found.values())
        return {action: share / whole for action, share in found.items()}


class WithLapses:
    """The way of a player by the book who lapses into another way in a share of decisions."""

    def __init__(self, book: ByTheBook, other: PlayedBy, strength: float) -> None:
        self._book, self._other, self._strength = book, other, strength
        self._told: dict[int, KnownTurn] = {}

    def told(self, stands: int) -> KnownTurn:
        """See ``KnownWay``."""
        if stands not in self._told:
            self._told[stands] = told(self._other.rules, stands, self._throws)
        return self._told[stands]

    def _throws(self, stands: int, roll: int, rolled: int | None) -> Mapping[SeatAction, float]:
        both = (self._book.throws, self._strength), (self._other.throws, 1 - self._strength)
        return mixed((throws(stands, roll, rolled), share) for throws, share in both)

    def answer(self, stands: int, roll: int, place: int) -> KnownAnswer:
        """See ``KnownWay``."""
        one, other = (each.answer(stands, roll, place) for each in (self._book, self._other))
        share, rest = self._strength, 1 - self._strength
        return KnownAnswer(
            share * one.doubt + rest * other.doubt,
            share * one.gives_in + rest * other.gives_in,
            (
                *((place, share * each) for place, each in one.hands_on),
                *((place, rest * each) for place, each in other.hands_on),
            ),
        )
