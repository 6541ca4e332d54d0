"""Bots' gains and losses in a round: exact for two players, by played matches for more.

Numbers without a source are chosen.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations
from math import sqrt
from random import Random
from typing import Any, NamedTuple, cast

import msgspec

from firmware.bots.arena import Arena, Decides, filled
from firmware.bots.bot import Bot, chances, sight_of
from game import RULES, AnyMatch, AnyRules, BluffRules, Match, legal_actions, new_match
from game.actions import Action, Announce, Keep, Say, SeatAction
from game.bluff.legality import playing_order
from game.coach.reference import fewer
from game.coaster.rules import CoasterRules
from game.status import IN, SWIMS
from game.strategy import Equilibrium, Round, Strategy, standing_of
from game.strategy.open_games import SOLVERS
from game.strategy.position import Known
from hw_sim.players.bot_kinds import KINDS, BotKind, personality_of
from hw_sim.players.foreign import BotError, ForeignBot
from research.strength import open_games
from research.strength.response import BestResponse

log = logging.getLogger(__name__)

NAMES = ("first", "second")
LEARNS: BotKind = "shark"
"""This kind plays by its observations of other rounds: it has no strategy of one round."""
TOLD: tuple[BotKind, ...] = tuple(kind for kind in KINDS if kind != LEARNS)
BEST: tuple[BotKind, ...] = ("expert",)
"""With mistakes, towers and three rolls a round takes so long that only these are measured."""
IN_MATCHES = {3: 3, 4: 4, 5: 5, 6: 3, 7: 2, 8: 2}
"""By number of players: how many have one match left when the gain over a match is measured. These
sit from the opener on, and the others have none: a match left for all of eight would take an hour.
"""
MOST_TROUBLE = 3
"""A bot that was so many times in trouble does not play on."""
SEATS = 4
"""The number of players at the table of a tournament."""
LONG = 9_999
"""The most rounds of bots that play on end."""
SPELLS = (20, 100, 500)
"""The numbers of rounds that two bots play on end, for the shark to learn."""
ROUNDS = 3
"""Rounds for each match of the tournament."""
MORE = {"chicago": 4, "sevens": 10}
"""By game: how many times as many matches its tournament has. With 1000 of ``sevens`` the intervals
of most bots overlap, so that they have no order.
"""
Z = 1.96
"""The half-width of an interval in standard errors, by definition: 19 of 20 intervals hold the true
mean."""


class Estimate(NamedTuple):
    """A mean of many rounds or matches, and the half-width of its interval."""

    mean: float
    half: float


@dataclass(frozen=True, slots=True)
class Strength:
    """How the bots play one game.

    Attributes:
        exploitable: what the best response gains a round against a bot, in penalties, openings
            and answers in turn; empty for open games.
        matrix: what the bot of the row gains a round against that of the column; the same.
        tournament: how often a bot lost a match of four, a seat being a chance of a quarter.
    """

    game: str
    exploitable: Mapping[str, float]
    matrix: Mapping[str, Mapping[str, float]]
    tournament: Mapping[str, Estimate]
    gaps: Mapping[str, float]
    """By number of players: the best response's gain a round, in penalties, against the equilibrium
    for penalties in all other seats; in open games in coasters, against play by the book."""
    over_matches: Mapping[str, float]
    """By number of players: the best response's gain over a match, in chances not to lose it,
    against experts in all other seats; ``IN_MATCHES`` have one match left."""
    hunted: Mapping[str, Sequence[Estimate]]
    """By bot: what the expert gains a round from it, in penalties, by play; then what the shark
    does in each of the ``SPELLS``."""
    odds: Mapping[str, Any] = field(default_factory=dict)
    """The best gains that open games offer: see ``open_games.offered``."""


def strategy_of(bot: Bot) -> Strategy:
    """Return the play of ``bot`` in a bluff game as chances of actions."""
    remembered: dict[Known, dict[SeatAction, float]] = {}

    def strategy(known: Known) -> dict[SeatAction, float]:
        if known not in remembered:
            decided = chances(bot, sight_of(known))
            assert not any(isinstance(choice, Keep) for choice in decided), "a bluff game"
            remembered[known] = cast(dict[SeatAction, float], decided)
        return remembered[known]

    return strategy


def turns(
    rules: AnyRules, bots: Sequence[Decides], rng: Random, first: int = 0, most_rounds: int = 1000
) -> Iterator[tuple[AnyMatch, Action, AnyMatch]]:
    """Play a match of ``bots``, by seat, to its end, or ``most_rounds`` rounds of it.

    Yield the match before each action, that, and the match after it. ``rng`` is the only source of
    chance.
    """
    arena = Arena(rules, [f"seat {n}" for n in range(len(bots))], first)
    while (seat := arena.match.to_act) is not None and arena.match.round <= most_rounds:
        match = arena.match
        choice = bots[seat].decide(arena.sight(), rng)
        legal = legal_actions(match)
        assert choice in legal or isinstance(choice, Announce | Say), (match, choice)
        done = filled(match, choice, rng)
        yield match, done, arena.act(done).match


def play(
    rules: AnyRules, bots: Sequence[Decides], rng: Random, first: int = 0, most_rounds: int = 1000
) -> AnyMatch:
    """Play as ``turns`` does; return the match as it stands then."""
    ((_, _, match),) = deque(turns(rules, bots, rng, first, most_rounds), maxlen=1)
    return match


def two_players(game: str) -> BluffRules:
    """The rules of a bluff game as two play it."""
    return replace(cast(BluffRules, RULES[game]), fewest_players=2)


def gained(seat: int) -> Callable[[Match], float]:
    """Return a function of a match: the gain of a seat in a round, in penalties.

    A penalty counts against the mean of the others.
    """
    return lambda match: fewer(match.tally)[seat]


def won(seat: int) -> Callable[[Match], float]:
    """Whether one of two seats has won the match, a half, or lost it, minus a half."""
    return lambda match: 0.5 - (match.outcome is not None and seat in match.outcome.losers)


def exploitable(rules: BluffRules, bot: Strategy) -> float:
    """Return the best response's gain a round against ``bot``, in penalties, 0 or more.

    In a game for points the gain is in chances to win, in the round of the last point.
    """
    start, ends = new_match(rules, NAMES, 0), gained
    if rules.points:
        start, ends = start.replace(tally=(rules.points - 1,) * 2), won
    return sum(BestResponse(bot, seat, ends(seat)).worth(start) for seat in (0, 1)) / 2


def duel(rules: BluffRules, own: Strategy, other: Strategy) -> float:
    """Return the gain of ``own`` a round against ``other``, in penalties, over both openers."""
    start = new_match(rules, NAMES, 0)
    return sum(BestResponse(other, s, gained(s), own).worth(start) for s in (0, 1)) / 2


def gap(game: str, players: int) -> float:
    """Return the best response's gain a round, in penalties, against others by the book.

    That is from the seat where it is most, and as ``gained`` counts.
    """
    rules = two_players(game)
    solved = Round(rules, players)
    start = new_match(rules, tuple(f"seat {seat}" for seat in range(players)), 0)
    book = Equilibrium(solved)
    return max(
        BestResponse(book, seat, gained(seat)).worth(start) - solved.worths[seat]
        for seat in range(players)
    )


def over_match(rules: BluffRules, bot: Strategy, players: int, with_one: int) -> float:
    """Return the best response's gain over a match of ``class`` if all others play like ``bot``.

    ``with_one`` of them, from the opener on, have one match left, the others none. It is in chances
    not to lose, from the seat where it is most.
    """

    @cache
    def worth(tallies: tuple[int, ...], place: int, own: Strategy | None) -> float:
        """The chance not to lose before a round; places count from its opener."""
        names = tuple(f"seat {seat}" for seat in range(players))
        status = tuple(SWIMS if tally == rules.credit else IN for tally in tallies)
        start = new_match(rules, names, 0).replace(tally=tallies, status=status)

        def ends(match: Match) -> float:
            if match.outcome is not None:
                return float(place not in match.outcome.losers)
            return worth(standing_of(match)[0], playing_order(match).index(place), own)

        return BestResponse(bot, place, ends, own).worth(start)

    start = (rules.credit - 1,) * with_one + (rules.credit,) * (players - with_one)
    return max(worth(start, place, None) - worth(start, place, bot) for place in range(players))


def gained_by_play(game: str, own: BotKind, other: BotKind, rounds: int, spell: int) -> Estimate:
    """Return the gain of ``own`` a round on ``other``, in penalties, ``spell`` rounds on end."""
    rules = two_players(game)
    if not rules.points:
        rules = replace(rules, stakes="drinks")
    each = []
    for number in range(rounds // spell):
        bots = [replace(personality_of(kind), rounds=LONG) for kind in (own, other)]
        match = play(rules, bots, Random(number), first=number % 2, most_rounds=spell)
        played = match.round - (match.outcome is None)
        each.append(gained(0)(cast(Match, match)) / played)
    return estimate(each)


def tournament(
    game: str, kinds: Sequence[str], matches: int, seed: int, foreign: Sequence[ForeignBot] = ()
) -> dict[str, Estimate]:
    """How often each kind loses a match of four drawn from them, as shares of its matches.

    A ``foreign`` bot sits in every one of them in its turn. If it is in trouble, the match ends and
    it has lost it; after ``MOST_TROUBLE`` times it has lost all that would follow.
    """
    rng, rules = Random(seed), RULES[game]
    guests = {bot.name: bot for bot in foreign}
    troubles: dict[str, int] = dict.fromkeys(guests, 0)
    lost: dict[str, list[float]] = {kind: [] for kind in (*kinds, *guests)}
    for number in range(matches):
        guest = [foreign[number % len(foreign)].name] if foreign else []
        seated = rng.sample(list(kinds), SEATS - len(guest)) + guest
        if guest:
            rng.shuffle(seated)
        first = rng.randrange(SEATS)
        losers: Sequence[int] = [seated.index(name) for name in guest]
        if any(troubles[name] >= MOST_TROUBLE for name in guest):
            lost[guest[0]].append(1.0)
            continue
        bots = [guests.get(kind) or personality_of(kind) for kind in seated]
        try:
            match = play(rules, bots, rng, first=first, most_rounds=LONG)
            losers = match.outcome.losers if match.outcome else ()
        except BotError as error:
            troubles[guest[0]] += 1
            log.warning("%s: it has lost this match", error)
        for seat, kind in enumerate(seated):
            lost[kind].append(float(seat in losers) / max(1, len(losers)))
    return {kind: estimate(each) for kind, each in lost.items() if each}


def estimate(each: Sequence[float]) -> Estimate:
    """Return the mean of one value or more, and the half-width of its interval."""
    mean = sum(each) / len(each)
    variance = sum((one - mean) ** 2 for one in each) / max(1, len(each) - 1)
    return Estimate(mean, Z * sqrt(variance / len(each)))


def measure(
    game: str, matches: int = 1000, seed: int = 1, foreign: Sequence[ForeignBot] = ()
) -> Strength:
    """Measure all bots at one game; takes minutes where it is a bluff game.

    If there are ``foreign`` ones, only a tournament with them is measured.
    """
    if foreign:
        return Strength(game, {}, {}, tournament(game, KINDS, matches, seed, foreign), {}, {}, {})
    matches_here = matches * MORE.get(game, 1)
    bare = Strength(game, {}, {}, tournament(game, KINDS, matches_here, seed), {}, {}, {})
    return _MEASURES.get(RULES[game].family, _of_open)(bare, matches)


def _of_bluff(bare: Strength, matches: int) -> Strength:
    """Add what is measured of a bluff game."""
    game, rules = bare.game, two_players(bare.game)
    over_matches: dict[str, float] = {}
    hunted: dict[str, Sequence[Estimate]] = {}
    kinds = BEST if rules.customs.open_mistakes else TOLD
    strategies = {kind: strategy_of(personality_of(kind)) for kind in kinds}
    loses: dict[str, float] = {
        kind: exploitable(rules, strategy) for kind, strategy in strategies.items()
    }
    matrix: dict[str, dict[str, float]] = {kind: {} for kind in strategies}
    for one, other in combinations(strategies, 2):
        matrix[one][other] = duel(rules, strategies[one], strategies[other])
        matrix[other][one] = -matrix[one][other]  # they open in turn
    gaps = {str(players): gap(game, players) for players in open_games.of_more(rules)}
    if rules.credit:
        over_matches = {
            str(players): over_match(rules, strategies["expert"], players, with_one)
            for players, with_one in IN_MATCHES.items()
        }
    if not rules.points:
        for kind in KINDS:
            pairs = [(BEST[0], SPELLS[1]), *((LEARNS, spell) for spell in SPELLS)]
            hunted[kind] = [
                gained_by_play(game, own, kind, ROUNDS * matches, spell) for own, spell in pairs
            ]
    return replace(
        bare, exploitable=loses, matrix=matrix, gaps=gaps, over_matches=over_matches, hunted=hunted
    )


def _of_open(bare: Strength, _matches: int) -> Strength:
    """Add what a game of open dice offers."""
    solved = RULES[bare.game].family in SOLVERS
    return replace(bare, odds=open_games.offered(bare.game)) if solved else bare


def _of_coasters(bare: Strength, matches: int) -> Strength:
    """Add what is measured of a coaster game."""
    more = open_games.of_more(RULES[bare.game])
    gaps = {str(players): open_games.gap(bare.game, players) for players in more}
    return replace(_of_open(bare, matches), gaps=gaps)


_MEASURES = {BluffRules.family: _of_bluff, CoasterRules.family: _of_coasters}
"""By family, if more is measured than a game of open dice offers."""


def to_plain(strength: Strength) -> dict[str, Any]:
    """Return it as JSON has it."""
    plain: dict[str, Any] = msgspec.to_builtins(strength)
    return plain


def from_plain(plain: Mapping[str, Any]) -> Strength:
    """Return it from what ``to_plain`` returned.

    Raises msgspec.ValidationError for anything else.
    """
    return msgspec.convert(plain, Strength)
