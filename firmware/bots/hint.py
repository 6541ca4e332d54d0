"""The best choice for a player who practises, by what the program knows of the others.

It is the best reply to those who sit there: see ``seated``. If nothing is known of a table, it is
the book, the equilibrium that nobody can take advantage of, without the choices that lose the
match. In games of open dice it is the best of the round or of the match, whoever plays.

Numbers without a source are chosen.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from functools import cache, lru_cache, partial
from itertools import product
from math import prod
from types import MappingProxyType
from typing import NamedTuple, cast

from firmware.bots import Sight
from firmware.bots.arena import Arena
from firmware.bots.bot import Bot, PlayedBy, WithLapses
from firmware.bots.expert import Expert, best, known_of, prepare_round
from firmware.bots.opponents import PEOPLE, Habits, PersonWay, SeenHabits, learned_of
from game import AnyMatch, BluffRules, Match, OpenMatch, Phase, hides_dice
from game import actions as do
from game.bluff.legality import playing_order
from game.bluff.rules import PLACE, value_of
from game.record import Record
from game.rules import unsolved as options_unsolved
from game.strategy import open_games
from game.strategy.against import Against, ByTheBook, CupKnown, KnownWay, Masses, Why
from game.strategy.bluff import NOTHING, place_of
from game.strategy.book import LEAST, PlaysFor, book_of, equilibrium, goal, solving, standings
from game.strategy.book import MOST as MOST_STANDINGS
from game.strategy.ends import Ends, Prices
from game.strategy.signal import CHANCES, PLACES
from game.strategy.standings import ByLot, Standing, standing_of

EQUAL = 0.002
"""A choice that is worth so little less than the best is its equal, in a match or in penalties."""
HARM = 0.01
"""A choice of the book that costs more, in a match or in penalties, is not told."""
_TWO = 2
HALF = 0.5
"""A bot that plays a smaller share of its decisions by the book is a simple player."""
MOST = 192
"""The most rounds of a match that are all solved against the bots of a table: from the start of a
match of three on, and from later on with more players."""
WORTHS = 4096
"""The number of their worths, the last ones asked for, that are kept."""
KEPT = 16
"""The number of solved rounds, of bots and of habits of people, the last ones asked for, that are
kept: an evening meets ever new ones."""
BOOKS = 64
"""The number of players by the book that are kept: all of a table, in some rounds."""


Kind = Bot | SeenHabits | None
"""How a seat plays: a bot of a known kind, the habits of a person, or None for the book."""


class HintFits(Enum):
    """The players against whom a hint holds."""

    THIS_TABLE = auto()
    """The players of this table, as ``seated`` takes them: it is the best reply to them."""
    ANYBODY = auto()
    """Every player: it is the book."""
    NOBODY_ASKED = auto()
    """There is no other choice, the dice lie open, or nobody has solved the match."""


class Advice(NamedTuple):
    """The advice of hint, coach and trainer for one decision.

    Attributes:
        ways: choices with their chances, 0 to 1, the greatest first; empty if it is not the seat's
            turn, or nothing is known.
        fits: against whom they hold.
        worths: the worth of each choice against those players, in a match the chance not to lose,
            else in penalties or the coach's unit; empty for a choice without an alternative. Among
            people none is greater than that of a truth that may be told.
        whys: the reasons for them; without those that nothing but the dice decides.
    """

    ways: Mapping[do.SeatAction, float]
    fits: HintFits = HintFits.NOBODY_ASKED
    worths: Mapping[do.SeatAction, float] = MappingProxyType({})
    whys: Mapping[do.SeatAction, Why] = MappingProxyType({})

    @property
    def best(self) -> do.SeatAction:
        """The choice told first."""
        return next(iter(self.ways))


class FirstOffer(NamedTuple):
    """The announcement that the dice under the cup were first offered with.

    ``seat`` announced ``place`` over ``stands`` after its roll number ``roll``.
    """

    seat: int
    stands: int
    roll: int
    place: int


class FollowedMatch:
    """A match as it goes, and the origin of the dice under the cup."""

    def __init__(self, arena: Arena, actions: Iterable[do.Action] = ()) -> None:
        self.arena = arena
        self.thrown: FirstOffer | None = None
        for action in actions:
            self.act(action)

    def act(self, action: do.Action) -> None:
        """Apply an action, as ``Arena.act`` does."""
        before = self.arena.match
        match = self.arena.act(action).match
        if not (hides_dice(before) and hides_dice(match)):
            return
        if before.phase is Phase.THROWN and match.phase is Phase.OFFERED:
            assert before.to_act is not None, "somebody announces"
            assert match.announced is not None, "a value"
            stands = place_of(before.announced)
            self.thrown = FirstOffer(before.to_act, stands, before.rolls, PLACE[match.announced])


def hint(record: Record, seat: int, bots: Sequence[Bot | None] = ()) -> Advice:
    """Return what ``seat`` should choose now, by what that seat has seen.

    The ``record`` has all dice that this seat has looked at, and may have others. ``bots`` has by
    seat the bot that plays there; None for a person, or a bot of an unknown kind. If it is empty,
    the hint holds against anybody.
    """
    followed = FollowedMatch(Arena(record.rules, record.players, record.first), record.actions)
    return advice(followed, bots) if followed.arena.match.to_act == seat else Advice({})


def advice(followed: FollowedMatch, bots: Sequence[Bot | None]) -> Advice:
    """Return the advice for the seat that is to act; ``bots`` as in ``hint``.

    It is empty under house rules that no solver knows.
    """
    sight = followed.arena.sight()
    match, options = sight.match, sight.options
    if options_unsolved(match.rules) and len(options) > 1:
        return Advice({})
    if not hides_dice(match):
        choice = best(match)
        if choice is None:
            return Advice({cast(do.SeatAction, options[0]): 1.0} if len(options) == 1 else {})
        return Advice({choice: 1.0}, worths=open_games.worths(cast(OpenMatch, match)))
    if do.Refuse() in options or len(options) == 1:
        return Advice(
            {do.Refuse() if do.Refuse() in options else cast(do.SeatAction, options[0]): 1.0}
        )
    order = playing_order(match)
    here = seated(sight, bots)
    against, cup = _table(followed, sight, here)
    worths: Mapping[do.SeatAction, float] = against.worths(
        cup, cast(Sequence[do.SeatAction], options)
    )
    whys = {way: why for way in worths if (why := against.why(cup, way)) is not None}
    if not bots or not worths:
        ways = _harmless(_by_the_book(sight), worths if len(order) > _TWO else {}, sight)
        return Advice(ways, HintFits.ANYBODY, worths, whys)
    if do.ShowMaexchen() in worths and not _solves_all(
        match.rules, len(match.players), standing_of(match), here
    ):
        # A shown Mäxchen costs nothing. A lie would gain by an estimate alone.
        worths = _no_better_than(do.ShowMaexchen(), worths)
    if any(isinstance(kind, SeenHabits) for kind in here):
        # A person is an estimate. It gains nothing over a truth that may be told.
        worths = _no_better_than(_truth(sight), worths)
    return Advice({_natural(worths, sight): 1.0}, HintFits.THIS_TABLE, worths, whys)


def seated(sight: Sight, bots: Sequence[Bot | None]) -> tuple[Kind, ...]:
    """Return what each seat is taken for in a bluff game, in playing order.

    A bot is its kind. A person is first anybody, and then what this match has shown openly:
    announcements, answers, and lifted dice. None is the seat that is to act, and every seat if
    ``bots`` is empty.
    """
    match = cast(Match, sight.match)
    order = playing_order(match)
    if not bots:
        return (None,) * len(order)
    learned = learned_of(sight.tells, PEOPLE, len(order))
    learned.follow(sight.tells, match)
    return tuple(
        None if seat == match.to_act else bots[seat] or learned.of(seat).person for seat in order
    )


def prepared(
    match: AnyMatch, me: int, bots: Sequence[Bot | None], *, beside: bool = True
) -> Iterator[None]:
    """Make what the hints for seat ``me`` need in the running round, piece by piece.

    Calling this is optional, and so is going on to the end. ``bots`` are as in ``hint``.
    ``beside``: also what is safe against anybody.
    """
    is_played = match.outcome is None and me in match.playing
    if options_unsolved(match.rules) or not is_played:
        return
    if not hides_dice(match):
        prepare_round(match)
        yield
        return
    rules, begun, standing = match.rules, len(match.players), standing_of(match)
    order = playing_order(match)
    anybody = Habits(PEOPLE).person
    here = tuple(None if seat == me or not bots else bots[seat] or anybody for seat in order)
    for kinds in dict.fromkeys((here, (None,) * len(order))) if beside else (here,):
        for place, bot in enumerate(kinds):
            if order[place] != me:
                if _strength(bot) or isinstance(bot, SeenHabits):
                    yield from solving(rules, begun, standing, not _strength(bot))
                way = _way(rules, begun, standing, place, bot)
                yield
                for stands in (*range(PLACES - rules.customs.meiern), NOTHING):
                    way.told(stands)
                    yield
        if _solves_all(rules, begun, standing, kinds):
            spans = [range(tally, rules.credit + 1) for tally in standing[0]]
            for later in sorted(product(*spans), key=sum, reverse=True):
                for payer, tally in enumerate(later):
                    if tally > standing[0][payer]:
                        _opened_by(
                            payer, rules, begun, (later, standing[1]), order.index(me), kinds
                        )
                yield
        # ``yield from`` would close it
        for _ in _kept(rules, begun, standing, order.index(me), kinds).solving:
            yield


def _by_the_book(sight: Sight) -> Mapping[do.SeatAction, float]:
    """Return the choices that the book makes often enough to be told."""
    shares = equilibrium(cast(Match, sight.match))(known_of(sight))
    return {way: share for way, share in shares.items() if share >= LEAST}


def _harmless(
    shares: Mapping[do.SeatAction, float], worths: Mapping[do.SeatAction, float], sight: Sight
) -> Mapping[do.SeatAction, float]:
    """Return the book's choices, the most frequent first, without those that lose by ``worths``."""
    most = max(worths.values(), default=0.0)
    left = {way: share for way, share in shares.items() if most - worths.get(way, most) <= HARM}
    if worths and not left:
        left = {_natural(worths, sight): 1.0}
    whole = sum(left.values())
    return dict(
        sorted(((way, share / whole) for way, share in left.items()), key=lambda each: -each[1])
    )


def _no_better_than(
    way: do.SeatAction | None, worths: Mapping[do.SeatAction, float]
) -> Mapping[do.SeatAction, float]:
    """Return the worths, none of them greater than that of ``way``, if it has one."""
    most = worths.get(way) if way else None
    return worths if most is None else {each: min(worth, most) for each, worth in worths.items()}


def _truth(sight: Sight) -> do.Announce | None:
    """Return the announcement of the dice that were seen, if they are more than what stands."""
    match = cast(Match, sight.match)
    if match.phase is not Phase.THROWN or sight.seen is None:
        return None
    said = value_of(sight.seen)
    stands = match.announced
    return do.Announce(said) if stands is None or PLACE[said] > PLACE[stands] else None


def _natural(worths: Mapping[do.SeatAction, float], sight: Sight) -> do.SeatAction:
    """Return one of the best choices: to show or tell the dice, not to lie; never to give in."""
    most = max(worths.values())
    equal = [way for way, worth in worths.items() if worth >= most - EQUAL]
    seen = sight.seen or sight.own
    truth = None if seen is None else do.Announce(value_of(seen))
    for way in (do.ShowMaexchen(), truth, do.Look(), do.Roll()):
        if way in equal:
            return cast(do.SeatAction, way)
    last = [way for way in equal if not _gives_in(way, cast(Match, sight.match))]
    said = [way for way in last if isinstance(way, do.Announce)]
    if said and len(said) == len(last):
        return min(said, key=lambda way: PLACE[way.value])
    return max(last or equal, key=lambda way: worths[way])


def _gives_in(way: do.SeatAction, match: Match) -> bool:
    if isinstance(way, do.Announce) and match.announced is not None:
        return PLACE[way.value] < PLACE[match.announced]
    return isinstance(way, do.GiveIn | do.OwnUp)


def _table(
    followed: FollowedMatch, sight: Sight, bots: tuple[Kind, ...]
) -> tuple[Against, CupKnown]:
    """Return the round against ``bots``, in playing order, None for the book; and the cup."""
    match = cast(Match, sight.match)
    order = playing_order(match)
    me = order.index(cast(int, match.to_act))
    solved = _solved(match.rules, len(match.players), standing_of(match), me, bots)
    at = place_of(match.announced)
    seen = sight.seen if match.phase is Phase.THROWN else sight.own
    dice: Masses | None = None if seen is None else _only(PLACE[value_of(seen)])
    if match.phase is Phase.THROWN:
        return solved, CupKnown(at, match.rolls, None, dice, seen is not None)
    if match.announced is None or followed.thrown is None:
        return solved, CupKnown(at)
    thrown = followed.thrown
    dice = dice or _believed(solved.ways[order.index(thrown.seat)], thrown, match.rules)
    return solved, CupKnown(at, 0, at, dice, seen is not None)


def _only(place: int) -> tuple[float, ...]:
    return tuple(float(each == place) for each in range(PLACES))


def _believed(way: KnownWay | None, thrown: FirstOffer, rules: BluffRules) -> Masses:
    """Return the chances of dice that somebody has announced."""
    if way is None or thrown.roll > rules.looks:
        return CHANCES
    told = way.told(thrown.stands).offers.get((thrown.place, thrown.roll))
    whole = sum(told or ())
    return CHANCES if told is None or not whole else [each / whole for each in told]


def _solved(
    rules: BluffRules, begun: int, standing: Standing, me: int, bots: tuple[Kind, ...]
) -> Against:
    """Return the round of a standing, in which ``me`` plays best against ``bots``."""
    found = _kept(rules, begun, standing, me, bots)
    found.solve()
    return found


@lru_cache(KEPT)
def _kept(
    rules: BluffRules, begun: int, standing: Standing, me: int, bots: tuple[Kind, ...]
) -> Against:
    """Return the same, perhaps still to be solved."""
    seats = len(bots)
    ways = [
        None if place == me else _way(rules, begun, standing, place, bot)
        for place, bot in enumerate(bots)
    ]
    ends: Ends | None = None
    others = [_strength(bot) for place, bot in enumerate(bots) if place != me]
    if rules.points or (
        rules.stakes == "matches" and (rules.credit + 1) ** seats <= MOST_STANDINGS
    ):
        # Among simple players an opener is not as well off as among players by the book.
        is_simple = min(others) < HALF
        ends = (_by_lot(rules) if is_simple else standings(rules, seats)).ends(standing)
        if _solves_all(rules, begun, standing, bots):
            ends = partial(_after, rules, begun, standing, me, bots)
    return Against(rules, ways, Prices(rules, seats, ends))


def _solves_all(rules: BluffRules, begun: int, standing: Standing, bots: tuple[Kind, ...]) -> bool:
    """Return whether all rounds that may follow are solved against ``bots``, not estimated."""
    left = prod(rules.credit + 1 - tally for tally in standing[0]) * len(bots)
    simple = sum(1 for bot in bots if isinstance(bot, Bot) and not _strength(bot))
    is_match = goal(rules, begun, len(bots)) is not PlaysFor.PENALTIES
    is_short = rules.ends == "first_out" and rules.credit and left <= MOST
    return bool(is_match and is_short and simple == len(bots) - 1)


def _strength(bot: Kind) -> float:
    """Return the share of decisions that the solved round makes, 0 to 1; none of a person's."""
    return bot.strength if isinstance(bot, Expert) else float(bot is None)


def _after(
    rules: BluffRules,
    begun: int,
    standing: Standing,
    me: int,
    bots: tuple[Kind, ...],
    payer: int,
    *_: object,
) -> Sequence[float]:
    """Return the worth to ``me`` once ``payer`` has paid, and 0 for the others: see ``Ends``."""
    tallies, seats = list(standing[0]), len(bots)
    tallies[payer] += 1
    if tallies[payer] > rules.credit:
        worth = float(payer != me)
    else:
        worth = _opened_by(payer, rules, begun, (tuple(tallies), standing[1]), me, bots)
    return [worth * (place == me) for place in range(seats)]


def _opened_by(
    opener: int,
    rules: BluffRules,
    begun: int,
    standing: Standing,
    me: int,
    bots: tuple[Kind, ...],
) -> float:
    """Return the worth to ``me`` of a round that ``opener`` opens; all are places of another."""
    tallies, out = standing
    now = (*tallies[opener:], *tallies[:opener]), out
    turned = (*bots[opener:], *bots[:opener])
    return _worth(rules, begun, now, (me - opener) % len(bots), turned)


@lru_cache(WORTHS)
def _worth(
    rules: BluffRules, begun: int, standing: Standing, me: int, bots: tuple[Kind, ...]
) -> float:
    found = _kept.__wrapped__(rules, begun, standing, me, bots)
    found.solve()
    return found.worth


def _way(rules: BluffRules, begun: int, standing: Standing, place: int, bot: Kind) -> KnownWay:
    strength = _strength(bot)
    if isinstance(bot, SeenHabits):
        return _person(rules, len(standing[0]), bot)
    if bot is not None and not strength:
        return _played_by(rules, bot)
    book = book_of(rules, begun, standing)
    by_the_book = _book_way(book, book.solved.prices.alike(place))
    if bot is None or strength == 1.0:
        return by_the_book
    lapses = Bot(bot.trust, bot.daring, bot.lazy, bot.careless, bot.rounds, bot.manner)
    return _lapsing(by_the_book, _played_by(rules, lapses), strength)


_book_way, _lapsing = lru_cache(BOOKS)(ByTheBook), lru_cache(BOOKS)(WithLapses)
_person, _played_by = lru_cache(KEPT)(PersonWay), lru_cache(KEPT)(PlayedBy)
_by_lot = cache(ByLot)
