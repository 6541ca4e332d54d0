"""Opponents by name; and the one who learns the errors of the others from public play.

Each action is weighed by what each way would have done in its place. The input is public alone:
what a player announced over what, what was lifted, and what was doubted or believed.

``habits`` estimates how the others lie and doubt. The shark plays the best answer to that. It
counts the rounds in which it leaves the book (the equilibrium). Once it has lost its stake in them,
it keeps to the book for the rest of the match. Advice takes a person for a ``SeenHabits`` of such
habits, among the ways of ``PEOPLE``.

Numbers without a source are chosen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product, repeat
from math import exp, log
from operator import mul
from random import Random
from typing import Any, NamedTuple, Self, cast

from firmware.bots import NO_TELLS, Sight, Tells
from firmware.bots.bot import Bot
from firmware.bots.expert import Expert, known_of
from firmware.bots.holy_family import HABIT
from firmware.input.controls import Choice
from firmware.settings import Opponents
from game import AnyMatch, AnyRules, BluffRules, Match, Phase, hides_dice
from game.actions import Announce, Believe, Doubt, Roll, ShowTower
from game.bluff.legality import playing_order
from game.bluff.rules import PLACE, RANKING, next_seat, value_of
from game.rules import Reach, reach_of
from game.strategy import Known, Round
from game.strategy.against import ByTheBook, KnownAnswer, KnownTurn, bundle
from game.strategy.bluff import NOTHING, lowest_over, place_of
from game.strategy.book import counted, equilibrium
from game.strategy.equilibrium import Equilibrium
from game.strategy.signal import CHANCES, PLACES, TOP, Signal

ODD = 0.03
"""The chance of an action that is against the player's way: any announcement, any answer."""
KEPT = 512
"""The number of stages, and of turns of people, the last ones asked for, that are kept."""
UNLIKELY = 0.005
"""Ways with a smaller chance than this are left out of expectations."""


class Liar(NamedTuple):
    """A way to announce.

    Attributes:
        book: the share of announcements as in the solved game; for the rest, 0 to 1 each:
        truth: how often dice that may be announced are announced as they are.
        lie: how often other dice are lied about, if rolling again is the alternative.
        low: the share of lies, and of blind announcements, that goes to the lowest possible value,
            the same share of the rest to the next, and so on.
    """

    book: float
    truth: float = 1.0
    lie: float = 1.0
    low: float = 0.5


class Doubter(NamedTuple):
    """A way to answer: ``book`` as in ``Liar``; else a doubt, with chance ``most`` at most.

    ``heed`` is the weight of the announced value's chance. At 0 every value is doubted alike; at 2
    only unlikely ones are. Places below ``lowest`` are believed.
    """

    book: float
    most: float = 1.0
    heed: float = 2.0
    lowest: int = 0


@dataclass(frozen=True, eq=False)
class Ways:
    """The possible ways to play, each with its likelihood for an unknown player.

    Attributes:
        blind: whether answers to dice that nobody has seen tell of them, too.
    """

    liars: Mapping[Liar, float]
    doubters: Mapping[Doubter, float]
    blind: bool

    def __deepcopy__(self, _: object) -> Self:
        return self


BOTS = Ways(
    {
        Liar(1.0): 0.4,
        **{Liar(book, 0.85, 0.5): 0.1 for book in (0.8, 0.4)},
        Liar(0.0, 1.0, 0.0): 0.1,
        Liar(0.0, 0.85, 0.25): 0.1,
        Liar(0.0, 0.85, 0.85): 0.1,
        Liar(0.0, 0.0, 0.9, 0.3): 0.1,
    },
    {
        Doubter(1.0): 0.4,
        **{Doubter(book, 0.8): 0.1 for book in (0.8, 0.4)},
        **{Doubter(0.0, most): 0.08 for most in (0.9, 0.75, 0.55)},
        Doubter(0.0, 0.5, 0.0): 0.08,
        Doubter(0.0, 1.0, 0.0): 0.04,
        Doubter(0.0, 0.0): 0.04,
    },
    blind=False,
)
_LIARS = [Liar(0.0, *way) for way in product((0.0, 0.85, 1.0), (0.0, 0.5, 1.0), (0.1, 0.5))]
_DOUBTERS = [Doubter(0.0, *way) for way in product((0.0, 0.25, 0.5, 0.75, 1.0), (0.0, 2.0))]
_FROM = [Doubter(0.0, 1.0, 0.0, PLACE[value]) for value in (52, 62, 64, 11, 33, 55)]
"""Those who believe the lower values and doubt the others."""
PEOPLE = Ways(
    dict.fromkeys((Liar(1.0), *_LIARS), 1 / (1 + len(_LIARS))),
    dict.fromkeys((Doubter(1.0), *_DOUBTERS, *_FROM), 1 / (1 + len(_DOUBTERS + _FROM))),
    blind=True,
)
"""People seldom play by the book: it is as likely as any other way."""
_BELOW = tuple(sum(CHANCES[:place]) for place in range(PLACES + 1))


class AnnouncingChances(NamedTuple):
    """The chances of each place to be announced, by whether the dice are so.

    ``vague`` is the part of ``truths`` that does not go by the dice: they may be more.
    """

    truths: Sequence[float]
    lies: Sequence[float]
    vague: Sequence[float]


class Stage:
    """A roll that its player may look at, and its answer, in each way to play."""

    def __init__(self, solved: Round, player: int, stands: int, roll: int, ways: Ways) -> None:
        self.turn = solved.turn(player, stands)
        played = self.turn.rolls[roll - 1]
        assert isinstance(played, Signal), "a roll that may be looked at is a signal"
        self.book, self.lowest = played, lowest_over(solved.rules, stands)
        self.outside = self.turn.outside[roll - 1]
        exact = solved.rules.understating == "lie"
        self.told = tuple(self._told(way, exact) for way in ways.liars)
        """By way, in their order."""
        self.doubts = tuple(
            tuple([_doubt(way, book, place) for place, book in enumerate(played.doubts)])
            for way in ways.doubters
        )
        """By way, and by place."""

    def _told(self, way: Liar, exact: bool) -> AnnouncingChances:
        book, low = self.book, self.lowest
        lying = sum(CHANCES[p] * book.lied[p] for p in range(PLACES))
        told = [0.0] * PLACES
        for chance, names in zip(CHANCES, book.truths):
            for place, share in names:
                told[place] += chance * share
        odd, even = _BELOW[PLACES] * ODD / (PLACES - low), 1 - ODD
        truths, lies, vague, rest = *([0.0] * PLACES for _ in range(3)), 1.0
        for place in range(low, PLACES):
            blind = rest * way.low if place < PLACES - 1 else rest
            rest -= blind
            above = CHANCES[place] if exact else 1 - _BELOW[place]
            free = 1 - _BELOW[low]
            others = (1 - way.truth) * blind
            false = others * (free - above) + way.lie * _BELOW[low] * blind
            true = way.book * told[place] + (1 - way.book) * way.truth * CHANCES[place]
            false = way.book * lying * book.lies[place] + (1 - way.book) * false
            vague[place] = (even * (1 - way.book) * others + odd) * above
            truths[place] = even * true + vague[place]
            lies[place] = even * false + odd * (1 - above)
        return AnnouncingChances(truths, lies, vague)


def _doubt(way: Doubter, book: float, place: int) -> float:
    """Return the chance of a doubt in this way, where the book's is ``book``."""
    other: float = way.most * _BELOW[place] ** way.heed if place >= way.lowest else 0.0
    return ODD / 2 + (1 - ODD) * (way.book * book + (1 - way.book) * other)


@lru_cache(KEPT)
def _stage(solved: Round, player: int, stands: int, roll: int, ways: Ways) -> Stage:
    return Stage(solved, player, stands, roll, ways)


def stage(solved: Round, player: int, stands: int, roll: int, ways: Ways = BOTS) -> Stage:
    """Return a stage, made anew if ``KEPT`` others were asked for since the last time."""
    return _stage(solved, solved.prices.alike(player), stands, roll, ways)


def prepare_stages(solved: Round) -> None:
    """Make all stages of first rolls now."""
    for player in range(solved.prices.rollers):
        for stands in (*range(TOP), NOTHING):
            stage(solved, player, stands, 1)


class Habits:
    """The likelihood of each way for one player."""

    def __init__(self, ways: Ways) -> None:
        self.liar, self.doubter = tuple(ways.liars.values()), tuple(ways.doubters.values())
        self._liar, self._doubter = ([log(w) for w in each] for each in (self.liar, self.doubter))
        self._customary = [1, 1]

    def announced(self, seen: Stage, place: int, lied: bool | None) -> None:
        """Learn from an announcement; ``lied`` is None if nobody has looked."""
        for way, told in enumerate(seen.told):
            true, false = told.truths[place], told.lies[place]
            chance = true + false if lied is None else false if lied else true
            self._liar[way] += log(max(chance, 1e-9))
        self.liar = _even(self._liar)

    def opened(self, place: int) -> bool:
        """Learn from the first announcement of a round; return whether it is the custom."""
        self._customary[place == PLACE[HABIT]] += 1
        return place == PLACE[HABIT]

    def rolled_again(self, seen: Stage) -> None:
        """Learn from a roll that was followed by another instead of an announcement."""
        for way, told in enumerate(seen.told):
            self._liar[way] += log(max(1 - sum(told.truths) - sum(told.lies), ODD))
        self.liar = _even(self._liar)

    def answered(self, seen: Stage, place: int, doubted: bool) -> None:
        """Learn from an answer."""
        for way, doubts in enumerate(seen.doubts):
            self._doubter[way] += log(doubts[place] if doubted else 1 - doubts[place])
        self.doubter = _even(self._doubter)

    def told(self, at: Stage) -> AnnouncingChances:
        """Return the announcements expected of the player."""
        weights, told = zip(*[each for each in zip(self.liar, at.told) if each[0] > UNLIKELY])
        sums = [[sum(map(mul, weights, each)) for each in zip(*rows)] for rows in zip(*told)]
        return AnnouncingChances(*sums)

    def doubts(self, at: Stage) -> list[float]:
        """Return the expected chance of a doubt, by place."""
        ways = [(w, doubts) for w, doubts in zip(self.doubter, at.doubts) if w > UNLIKELY]
        return [sum([w * doubts[p] for w, doubts in ways]) for p in range(PLACES)]

    @property
    def person(self) -> "SeenHabits":
        """The player as advice takes them, equal for nearly equal habits."""
        habits = self.liar, self.doubter, _shares(self._customary)
        return SeenHabits(*[tuple([round(100 * w) for w in ways]) for ways in habits])


class SeenHabits(NamedTuple):
    """A person as seen by a table: the likelihood of each way, in hundredths.

    Attributes:
        liar: of each of the liars of ``PEOPLE``, in their order.
        doubter: the same of the doubters.
        opens: of opening a round by the dice, and by custom (R-HF-10).
    """

    liar: tuple[int, ...]
    doubter: tuple[int, ...]
    opens: tuple[int, ...] = (1, 1)


class PersonWay:
    """The way of a person in rounds of ``seats`` players, for ``game.strategy.against``.

    The person plays by the book, for penalties: with a Mäxchen that no announcement may follow, and
    when announcing dice that nobody sees. Dice that nobody has seen are doubted like those of a
    last look.
    """

    def __init__(self, rules: BluffRules, seats: int, person: SeenHabits) -> None:
        self._book, self._person, self._habits = counted(rules, seats), person, Habits(PEOPLE)
        self._habits.doubter = _shares(person.doubter)
        self._answers: dict[tuple[int, int], list[KnownAnswer]] = {}

    def told(self, stands: int) -> KnownTurn:
        """See ``KnownWay``."""
        opens = self._person.opens if _is_custom(self._book.solved.rules, stands) else (1, 0)
        return _told_by(self._book, self._person.liar, stands, _shares(opens)[1])

    def answer(self, stands: int, roll: int, place: int) -> KnownAnswer:
        """See ``KnownWay``."""
        rules = self._book.solved.rules
        if lowest_over(rules, stands) > TOP or (place == TOP and rules.customs.meiern):
            return ByTheBook(self._book, 0).answer(stands, roll, place)
        key = stands, min(max(1, roll), rules.looks)
        if key not in self._answers:
            doubts = self._habits.doubts(stage(self._book.solved, 0, *key, PEOPLE))
            self._answers[key] = [KnownAnswer(doubt, 0.0) for doubt in doubts]
        return self._answers[key][place]


@lru_cache(KEPT)
def _told_by(book: Equilibrium, liar: tuple[int, ...], stands: int, custom: float) -> KnownTurn:
    """Return the turn of a person who announces so, and with the chance ``custom`` by it."""
    by_the_book, habits, solved = ByTheBook(book, 0), Habits(PEOPLE), book.solved
    rules, habits.liar = solved.rules, _shares(liar)
    if lowest_over(rules, stands) > TOP:
        return by_the_book.told(stands)
    offers: dict[tuple[int, int], list[float]] = {}
    pays, shows, rolling, lowest = 0.0, 0.0, 1.0 - custom, lowest_over(rules, stands)
    for roll in range(1, 1 + len(solved.turn(0, stands).rolls)):
        whole, rolling = rolling, 0.0
        if roll <= rules.looks:
            said = habits.told(stage(solved, 0, stands, roll, PEOPLE))
            rolling = whole * max(0.0, 1 - sum(said.truths) - sum(said.lies))
            for place in range(lowest, PLACES):
                true, lied, vague = (whole * each[place] for each in said)
                if place == TOP and rules.customs.meiern:
                    shows, true, vague = shows + true, 0.0, 0.0
                offers[place, roll] = _masses(rules, place, true - vague, lied, vague)
            continue
        for action, share in by_the_book.throws(stands, roll, None).items():
            if isinstance(action, Announce) and PLACE[action.value] >= lowest:
                offers[PLACE[action.value], roll] = [whole * share * each for each in CHANCES]
            elif isinstance(action, Roll | ShowTower):
                rolling += whole * share
            else:
                pays += whole * share
    if custom:
        dice = offers[PLACE[HABIT], 1]
        offers[PLACE[HABIT], 1] = [each + custom * chance for each, chance in zip(dice, CHANCES)]
    bundles = tuple([(p, roll, bundle(rules, p, dice)) for (p, roll), dice in offers.items()])
    return KnownTurn(offers, pays + rolling, shows, bundles)


def _is_custom(rules: BluffRules, stands: int) -> bool:
    """Return whether a custom names the value that is announced now (R-HF-10)."""
    return rules.points > 0 and stands == NOTHING


def _shares(ways: Sequence[int]) -> tuple[float, ...]:
    return tuple([each / sum(ways) for each in ways])


def _masses(rules: BluffRules, place: int, true: float, lied: float, vague: float) -> list[float]:
    """Return the chances of the dice under ``place``: as they are told, less, or any true ones."""
    is_exact = rules.understating == "lie"
    wrong = [(each < place or is_exact) and each != place for each in range(PLACES)]
    whole = sum(chance for chance, is_wrong in zip(CHANCES, wrong) if is_wrong)
    less, more = lied / (whole or 1.0), vague / (1 - whole)
    masses = [chance * (less if is_wrong else more) for chance, is_wrong in zip(CHANCES, wrong)]
    masses[place] += true
    return masses


def _even(logs: list[float]) -> tuple[float, ...]:
    most = max(logs)
    weights = [exp(each - most) for each in logs]
    whole = sum(weights)
    return tuple(weight / whole for weight in weights)


MARGIN = 0.02
"""The least gain for which it leaves the book, as a share of the spread between a doubt's ends."""


@dataclass(frozen=True)
class Shark(Expert):
    """Plays against the errors of the table in bluff games, and as ``Expert`` in the others.

    Attributes:
        stake: in penalties. The shark keeps to the book once the rounds in which it left the book
            have cost this much more than its seats were worth there. No table can therefore cost it
            more in a match than this and one round.
    """

    stake: float = 6.0

    def prepare(self, rules: AnyRules, players: int) -> None:
        """Build the tables, as ``Bot.prepare`` does."""
        super().prepare(rules, players)
        if rules.family == BluffRules.family and reach_of(rules) is Reach.EXACT:
            for left in range(2, players + 1):
                _ = counted(cast(BluffRules, rules), left).solved

    def prepare_round(self, match: AnyMatch) -> None:
        """Prepare a round, as ``Bot.prepare_round``; between two, look ahead over all of it."""
        super().prepare_round(match)
        is_solved = reach_of(match.rules) is Reach.EXACT
        if is_solved and hides_dice(match) and match.outcome is None and len(match.playing) == 2:
            prepare_stages(equilibrium(match).solved)

    def by_the_book(self, sight: Sight, rng: Random) -> Choice | None:
        """Return the book's choice, or a better one against the players at this table."""
        usual, match = super().by_the_book(sight, rng), sight.match
        if (
            usual is None
            or not hides_dice(match)
            or match.to_act is None
            or sight.tells is NO_TELLS
            or reach_of(match.rules) is not Reach.EXACT
        ):
            return usual
        learned = learned_of(sight.tells)
        learned.follow(sight.tells, match)
        if learned.lost >= self.stake:
            return usual
        better = _better(usual, known_of(sight), learned)
        if better == usual or better not in sight.options:
            return usual
        learned.left.add(match.round)
        return better


def learned_of(tells: Tells, ways: Ways = BOTS, seats: int = 0) -> "Learned":
    """Return the knowledge about a table, which is kept with its ``tells``; of so many seats."""
    return cast(Learned, tells.made.setdefault((ways, seats), Learned(ways)))


class Ahead(NamedTuple):
    """The worth of a round between two to the shark, by which of the two rolls on.

    The index is the place of the standing value.
    """

    mine: list[float]
    theirs: list[float]


@dataclass
class Learned:
    """The knowledge about a table.

    Attributes:
        ways: the possible ways of its players.
        habits: by seat.
        left: the rounds in which the book was left.
        lost: the cost of those that are over, in penalties more than the mean of the others and
            than such a seat is worth; below 0 for a gain.
    """

    ways: Ways = BOTS
    habits: dict[int, Habits] = field(default_factory=dict)
    left: set[int] = field(default_factory=set)
    lost: float = 0.0
    _read: int = 0
    _ahead: tuple[int, Ahead] | None = None

    def follow(self, tells: Tells, match: Match) -> None:
        """Learn from the play since the last call, for the seat that is to act."""
        rules, seat = match.rules, match.to_act
        assert seat is not None, "somebody plays"
        solved = counted(rules, len(match.playing)).solved
        for each in tells.answered[self._read :]:
            stands, place, by = place_of(each.stood), PLACE[each.value], self.of(each.announcer)
            if stands != NOTHING and place <= stands:
                continue  # a mistake says nothing, and an equal announcement little
            last = min(each.rolls, rules.looks)
            is_custom = self.ways.blind and each.rolls == 1 and _is_custom(rules, stands)
            for roll in range(1, 1 if is_custom and by.opened(place) else last + 1):
                at = stage(solved, 0, stands, roll, self.ways)
                if roll < each.rolls:
                    by.rolled_again(at)
                else:
                    by.announced(at, place, each.lied)
            is_told = place == TOP and rules.customs.meiern
            if not is_told and (self.ways.blind or 0 < each.rolls == last):
                at = stage(solved, 0, stands, max(1, last), self.ways)
                self.of(each.seat).answered(at, place, each.doubted)
        self._read = len(tells.answered)
        for number in [n for n in self.left if n + 1 in tells.opened]:
            self.left.discard(number)
            self.lost += _lost(solved, match, seat, tells.opened[number], tells.opened[number + 1])

    def of(self, seat: int) -> Habits:
        """Return the estimated habits of a seat."""
        return self.habits.setdefault(seat, Habits(self.ways))

    def ahead(self, solved: Round, match: Match, other: int) -> Ahead:
        """Return the worths of the running round between two."""
        if self._ahead is None or self._ahead[0] != match.round:
            me = playing_order(match).index(other) - 1
            self._ahead = match.round, _ahead(solved, me % 2, self.of(other))
        return self._ahead[1]


def _lost(
    solved: Round,
    match: Match,
    seat: int,
    began: tuple[int, tuple[int, ...]],
    ended: tuple[int, tuple[int, ...]],
) -> float:
    """Return the cost of a round to a seat beyond the worth of that seat, in penalties."""
    (opener, before), (_, after) = began, ended
    paid = [late - early for early, late in zip(before, after)]
    others = (sum(paid) - paid[seat]) / (solved.seats - 1)
    place = (seat - opener) * match.direction % len(paid)
    return paid[seat] - others + solved.worths[place % solved.seats]


def _ahead(solved: Round, me: int, other: Habits) -> Ahead:
    """Return the worths of a round between two: one plays by habit, the other best against it."""
    mine, theirs = ([0.0] * (PLACES + 1) for _ in range(2))
    mine[TOP], theirs[TOP] = solved.believed(me, TOP)[0], solved.believed(me + 1, TOP)[-1]
    both = sum(solved.worths)
    for stands in (*range(TOP - 1, -1, -1), NOTHING):
        at = stage(solved, me, stands, 1)
        truths, lies = _announced(solved, me, at, other.doubts(at), theirs)
        mine[stands] = sum(map(mul, CHANCES, map(max, truths, lies, repeat(at.outside))))
        at = stage(solved, 1 - me, stands, 1)
        told, rest = other.told(at), 1.0
        for place in range(at.lowest, PLACES):
            true, false = told.truths[place], told.lies[place]
            caught, wrong = _doubted(solved, 1 - me, place, 1)
            theirs[stands] += max(false * caught + true * wrong, (true + false) * mine[place])
            rest -= true + false
        theirs[stands] += rest * (both - at.outside)
    return Ahead(mine, theirs)


def _doubted(solved: Round, player: int, place: int, whose: int) -> tuple[float, float]:
    """Return the worths of a doubt of a lie and of a truth to ``whose``: announcer 0, doubter 1."""
    lie, truth = (solved.prices.doubted(player, k, place, place * k) for k in (0, 1))
    return lie[whose], truth[whose]


def _announced(
    solved: Round, player: int, at: Stage, doubts: Sequence[float], believed: Sequence[float]
) -> tuple[list[float], list[float]]:
    """Return by rolled place the worth of announcing it, and that of the best lie."""
    truths, lies = [float("-inf")] * PLACES, [float("-inf")] * PLACES
    best = float("-inf")
    for place in range(TOP, -1, -1):
        lies[place] = best
        if place >= at.lowest:
            caught, wrong = _doubted(solved, player, place, 0)
            doubt, rest = doubts[place], (1 - doubts[place]) * believed[place]
            truths[place] = doubt * wrong + rest
            if place < TOP or not solved.rules.customs.meiern:
                best = max(best, doubt * caught + rest)
    return truths, lies


def _better(usual: Choice, known: Known, learned: Learned) -> Choice:
    """Return a choice that is much better than the book's against such players, else the book's."""
    match = known.match
    if match.phase is Phase.OFFERED and known.own is None:
        return _answer(usual, known, learned)
    if match.phase is Phase.THROWN and known.own is not None and not known.tower:
        return _announcement(usual, known, learned)
    return usual


def _answer(usual: Choice, known: Known, learned: Learned) -> Choice:
    match, value, by = known.match, known.match.announced, known.match.announcer
    assert value is not None, "a value is announced"
    assert by is not None, "by somebody"
    solved, rolls, place = equilibrium(match).solved, match.announcer_rolls, PLACE[value]
    stands = place_of(known.stood)
    maexchen = place == TOP and solved.rules.customs.meiern
    if maexchen or not 0 < rolls <= solved.rules.looks or place <= stands != NOTHING:
        return usual  # a Mäxchen that cannot be believed, dice that nobody has seen, or a mistake
    player = playing_order(match).index(by)
    told = learned.of(by).told(stage(solved, player, stands, rolls))
    lie = told.lies[place] / (told.lies[place] + told.truths[place])
    caught, wrong = _doubted(solved, player, place, 1)
    believed = solved.believed(player + 1, place)[0]
    if solved.seats == 2:
        believed = learned.ahead(solved, match, by).mine[place]
    gain = lie * caught + (1 - lie) * wrong - believed
    if abs(gain) < MARGIN * (caught - wrong):
        return usual
    return Doubt() if gain > 0 else Believe()


def _announcement(usual: Choice, known: Known, learned: Learned) -> Choice:
    match = known.match
    assert known.own is not None, "he has seen his dice"
    assert match.to_act is not None, "it is his turn"
    solved, rolled = equilibrium(match).solved, PLACE[value_of(known.own)]
    player, next_one = playing_order(match).index(match.to_act), next_seat(match, match.to_act)
    at = stage(solved, player, place_of(match.announced), match.rolls)
    if rolled == TOP:
        return usual
    doubts = learned.of(next_one).doubts(at)
    if solved.seats == 2:
        believed: Sequence[float] = learned.ahead(solved, match, next_one).theirs
    else:
        believed = [solved.believed(player + 1, place)[-1] for place in range(PLACES)]
    worths: dict[Choice, float] = {}
    for place in range(max(at.lowest, rolled), PLACES):
        if place < TOP or not solved.rules.customs.meiern:
            ends = _doubted(solved, player, place, 0)[place == rolled]
            worth = doubts[place] * ends + (1 - doubts[place]) * believed[place]
            worths[Announce(RANKING[place])] = worth
    caught, wrong = _doubted(solved, player, TOP - 1, 0)
    best = max(worths, key=lambda way: worths[way], default=usual)
    much = worths.get(usual, at.outside) + MARGIN * (wrong - caught)
    return best if best in worths and worths[best] > much else usual


STRENGTHS: Mapping[str, float] = {"learner": 0.4, "skilled": 0.8, "expert": 1.0, "shark": 1.0}
"""The share of decisions that follow the solved games, 0 to 1."""
LAPSES: Mapping[str, Any] = {"trust": 0.2, "daring": 0.5, "lazy": 0.0}
"""The personality of solved players in their lapses."""

HONEST: Mapping[str, Any] = {"trust": 0.25, "daring": 0.0, "lazy": 0.0}
"""The personality of a player who lies only if there is no other way."""


def drawn(kind: Opponents, rng: Random) -> Bot:
    """Return an opponent of a kind; only the usual one's personality is drawn from ``rng``."""
    if kind == "usual":
        return Bot.drawn(rng)
    if kind == "honest":
        return Bot(**HONEST)
    own = Shark if kind == "shark" else Expert
    return own(**LAPSES, strength=STRENGTHS[kind])
