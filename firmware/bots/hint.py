"""The best choice for a player who practises, by what the program knows of the others.

Against bots of a known kind it is the best reply to them. Against people and unknown bots it is the
book, the equilibrium that nobody can take advantage of, without the choices that lose the match. In
games of open dice it is the best of the round or of the match, whoever plays.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple, cast

from firmware.bots.arena import Arena
from firmware.bots.bot import Bot
from firmware.bots.chances import Lapses, PlayedBy
from firmware.bots.expert import Expert, known_of
from firmware.bots.personality import Sight
from firmware.bots.solved import best
from game import BluffRules, Match, Phase, hides_dice
from game.actions import (
    Action,
    Announce,
    GiveIn,
    Look,
    OwnUp,
    Refuse,
    Roll,
    SeatAction,
    ShowMaexchen,
)
from game.bluff.position import playing_order
from game.bluff.values import PLACE, value_of
from game.record import Record
from game.strategy.against import Against, ByTheBook, Cup, Way
from game.strategy.bluff import NOTHING
from game.strategy.book import LEAST, PlaysFor, book_of, equilibrium, goal, standings
from game.strategy.ends import Prices
from game.strategy.equilibrium import Equilibrium
from game.strategy.signal import CHANCES, PLACES
from game.strategy.standings import Standing, standing_of

EQUAL = 0.002
"""Choices that are worth so little less than the best are its equals, in a match or in penalties."""
HARM = 0.01
"""A choice of the book that costs more, as judged for the match, is not told."""
_TWO = 2
KEPT = 64
"""The number of solved rounds, the last ones asked for, that are kept."""


class Hint(NamedTuple):
    """What to do.

    Attributes:
        ways: choices with their chances, 0 to 1, the greatest first; empty if it is not the seat's
            turn, or nothing is known.
        for_this_table: whether it is the best against these players, not what is safe against any.
    """

    ways: Mapping[SeatAction, float]
    for_this_table: bool = False


class Thrown(NamedTuple):
    """The announcement that the dice under the cup were first offered with.

    ``seat`` announced ``place`` over ``stands`` after its roll number ``roll``.
    """

    seat: int
    stands: int
    roll: int
    place: int


class Followed:
    """A match as it goes, and the origin of the dice under the cup."""

    def __init__(self, arena: Arena, actions: Iterable[Action] = ()) -> None:
        self.arena = arena
        self.thrown: Thrown | None = None
        for action in actions:
            self.act(action)

    def act(self, action: Action) -> None:
        """Apply an action, as ``Arena.act`` does."""
        before = self.arena.match
        match = self.arena.act(action).match
        if not (hides_dice(before) and hides_dice(match)):
            return
        if before.phase is Phase.THROWN and match.phase is Phase.OFFERED:
            assert before.to_act is not None, "somebody announces"
            assert match.announced is not None, "a value"
            stands = NOTHING if before.announced is None else PLACE[before.announced]
            self.thrown = Thrown(before.to_act, stands, before.rolls, PLACE[match.announced])


def hint(record: Record, seat: int, bots: Sequence[Bot | None] = ()) -> Hint:
    """Return what ``seat`` should choose now, by what that seat has seen.

    The ``record`` has all dice that this seat has looked at, and may have others. ``bots`` has by
    seat the bot that plays there; None for a person, or a bot of an unknown kind. If it is empty,
    all are people.
    """
    followed = Followed(Arena(record.rules, record.players, record.first), record.actions)
    return advice(followed, bots) if followed.arena.match.to_act == seat else Hint({})


def advice(followed: Followed, bots: Sequence[Bot | None]) -> Hint:
    """Return the hint for the seat that is to act; ``bots`` as in ``hint``."""
    sight = followed.arena.sight()
    match, options = sight.match, sight.options
    if not hides_dice(match):
        choice = best(match)
        if choice is None and len(options) == 1:
            choice = cast(SeatAction, options[0])
        return Hint({} if choice is None else {choice: 1.0})
    if Refuse() in options:
        return Hint({Refuse(): 1.0})
    order, known = playing_order(match), known_of(sight)
    here = [bots[seat] if bots and seat != match.to_act else None for seat in order]
    if here.count(None) == 1:
        worths = _worths(followed, sight, tuple(here))
        if worths:
            return Hint({_natural(worths, sight): 1.0}, for_this_table=True)
    shares = {way: share for way, share in equilibrium(match)(known).items() if share >= LEAST}
    if len(order) > _TWO:
        worths = _worths(followed, sight, (None,) * len(order))
        most = max(worths.values(), default=0.0)
        harmless = {
            way: share for way, share in shares.items() if worths.get(way, most) >= most - HARM
        }
        if worths and not harmless:
            harmless = {_natural(worths, sight): 1.0}
        whole = sum(harmless.values())
        shares = {way: share / whole for way, share in harmless.items()}
    return Hint(dict(sorted(shares.items(), key=lambda each: -each[1])))


def _natural(worths: Mapping[SeatAction, float], sight: Sight) -> SeatAction:
    """Return one of the best choices: to show or tell the dice, not to lie; never to give in."""
    most = max(worths.values())
    equal = [way for way, worth in worths.items() if worth >= most - EQUAL]
    seen = sight.seen or sight.own
    truth = None if seen is None else Announce(value_of(seen))
    for way in (ShowMaexchen(), truth, Look(), Roll()):
        if way in equal:
            return cast(SeatAction, way)
    last = [way for way in equal if not _gives_in(way, cast(Match, sight.match))]
    said = [way for way in last if isinstance(way, Announce)]
    if said and len(said) == len(last):
        return min(said, key=lambda way: PLACE[way.value])
    return max(last or equal, key=lambda way: worths[way])


def _gives_in(way: SeatAction, match: Match) -> bool:
    if isinstance(way, Announce) and match.announced is not None:
        return PLACE[way.value] < PLACE[match.announced]
    return isinstance(way, GiveIn | OwnUp)


def _worths(
    followed: Followed, sight: Sight, bots: tuple[Bot | None, ...]
) -> Mapping[SeatAction, float]:
    """Return what each choice is worth; ``bots`` in playing order, None for the book."""
    match = cast(Match, sight.match)
    order = playing_order(match)
    me = order.index(cast(int, match.to_act))
    solved = _solved(match.rules, len(match.players), standing_of(match), me, bots)
    at = NOTHING if match.announced is None else PLACE[match.announced]
    seen = sight.seen if match.phase is Phase.THROWN else sight.own
    dice = None if seen is None else _only(PLACE[value_of(seen)])
    if match.phase is Phase.THROWN:
        cup = Cup(at, match.rolls, None, dice, seen is not None)
    elif match.announced is None or followed.thrown is None:
        cup = Cup(at)
    else:
        thrown = followed.thrown
        dice = dice or _believed(solved.ways[order.index(thrown.seat)], thrown, match.rules)
        cup = Cup(at, 0, at, dice, seen is not None)
    return solved.worths(cup, cast(Sequence[SeatAction], sight.options))


def _only(place: int) -> tuple[float, ...]:
    return tuple(float(each == place) for each in range(PLACES))


def _believed(way: Way | None, thrown: Thrown, rules: BluffRules) -> Sequence[float]:
    """Return the chances of dice that somebody has announced."""
    if way is None or thrown.roll > rules.looks:
        return CHANCES
    told = way.told(thrown.stands).offers.get((thrown.place, thrown.roll))
    whole = sum(told or ())
    return CHANCES if told is None or not whole else [each / whole for each in told]


@lru_cache(KEPT)
def _solved(
    rules: BluffRules, begun: int, standing: Standing, me: int, bots: tuple[Bot | None, ...]
) -> Against:
    """Return the round of a standing, in which ``me`` plays best against ``bots``."""
    seats = len(bots)
    book = book_of(rules, begun, standing)
    ways = [
        None if place == me else _way(rules, book, place, bot) for place, bot in enumerate(bots)
    ]
    counts = goal(rules, begun, seats) is PlaysFor.PENALTIES and not rules.points
    ends = None if counts else standings(rules, seats).ends(standing)
    return Against(rules, ways, Prices(rules, seats, ends))


def _way(rules: BluffRules, book: Equilibrium, place: int, bot: Bot | None) -> Way:
    strength = bot.strength if isinstance(bot, Expert) else 1.0 if bot is None else 0.0
    if bot is None or strength == 1.0:
        return ByTheBook(book, place)
    if not strength:
        return _played_by(rules, bot)
    lapses = Bot(bot.trust, bot.daring, bot.lazy, bot.careless, bot.rounds, bot.manner)
    return Lapses(ByTheBook(book, place), _played_by(rules, lapses), strength)


@cache
def _played_by(rules: BluffRules, bot: Bot) -> PlayedBy:
    return PlayedBy(rules, bot)
