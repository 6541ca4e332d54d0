"""Followers of the hint beside players of a simple rule, at tables of bots.

``python -m research.strength.hinted`` prints how often each lost, with intervals of 95 %. Seats and
openers change in turn. ``--matches 300 --table 0`` takes a minute. The hint knows the kinds of the
project. It takes the two strangers for people, and learns from what they show.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from random import Random
from time import perf_counter
from typing import cast

from firmware.bots import Sight
from firmware.bots.arena import Arena, filled
from firmware.bots.expert import drawn_of, known_of
from firmware.bots.hint import FollowedMatch, advice
from game import RULES, Match, Phase
from game.actions import Announce, Look, Refuse, SeatAction, ShowMaexchen
from game.bluff.rules import PLACE, value_of
from game.strategy.book import equilibrium
from hw_sim.players.bot_kinds import personality_of
from hw_sim.players.player_hand import PlayerPersonality
from hw_sim.story.evening_report import Rate
from hw_sim.training.spots import beginner

Chooses = Callable[[FollowedMatch, Sight, Random], SeatAction]
STRANGERS: Mapping[str, PlayerPersonality] = {
    "believer": PlayerPersonality(trust=0.8, daring=0.5, lazy=0.3, physical=1.0, nosy=0.0),
    "doubter": PlayerPersonality(trust=0.02, daring=0.15, lazy=0.05, physical=1.0, nosy=0.0),
}
"""Kinds that no hint knows: one believes nearly all and often hands on, one doubts nearly all."""
GAMES = ("class", "holy-family")
PAIRS = (
    ("honest", "trusting"),
    ("cheeky", "trusting"),
    ("skilled", "learner"),
    ("believer", "believer"),
    ("doubter", "doubter"),
    ("expert", "expert"),
)
THIRD = {"honest": "cheeky", "cheeky": "honest", "skilled": "honest"}
"""The third bot at a table of four, by the first of the pair; without one the first sits twice."""
TABLES = (
    *product(GAMES, PAIRS),
    *((game, (*pair, THIRD.get(pair[0], pair[0]))) for game, pair in product(GAMES, PAIRS)),
)


def truthful(_: FollowedMatch, sight: Sight, rng: Random) -> SeatAction:
    """Show a Mäxchen, tell the truth wherever it may be told, else follow the book."""
    if (told := _truth(sight)) is not None:
        return told
    return drawn_of(equilibrium(cast(Match, sight.match))(known_of(sight)), rng)


def rule_of_thumb(followed: FollowedMatch, sight: Sight, _: Random) -> SeatAction:
    """Look at dice, refuse a cup that came the wrong way, else choose as a beginner.

    The ``beginner`` of the trainer does neither: it is asked for no look. A whole match needs both.
    """
    ways = (way for way in (Look(), Refuse()) if way in sight.options)
    return next(ways, None) or beginner(followed.arena)


def _truth(sight: Sight) -> SeatAction | None:
    match = cast(Match, sight.match)
    if match.phase is not Phase.THROWN or sight.seen is None:
        return None
    if ShowMaexchen() in sight.options:
        return ShowMaexchen()
    said = Announce(value_of(sight.seen))
    stands = match.announced
    admissible = stands is None or PLACE[said.value] > PLACE[stands]
    return said if admissible and said in sight.options else None


def hinted(kinds: Sequence[str]) -> Chooses:
    """Return a follower of the hint that knows these kinds; without any, of people."""

    def chooses(followed: FollowedMatch, _: Sight, rng: Random) -> SeatAction:
        seat = followed.arena.match.to_act or 0
        known = [None if kind in STRANGERS else personality_of(kind) for kind in kinds]
        beside = [*known[:seat], None, *known[seat:]] if known else ()
        return drawn_of(advice(followed, beside).ways, rng)

    return chooses


def expert(_: FollowedMatch, sight: Sight, rng: Random) -> SeatAction:
    """Decide as the bot of this name does."""
    return cast(SeatAction, personality_of("expert").decide(sight, rng))


OTHERS: Mapping[str, Chooses] = {
    "hint for anybody": hinted(()),
    "truth, else book": truthful,
    "truth, else roll": rule_of_thumb,
    "expert": expert,
}


def lost(game: str, kinds: Sequence[str], chooses: Chooses, matches: int, seed: int = 1) -> int:
    """Return how many of so many matches a player lost; seats and openers change in turn."""
    seats, found = len(kinds) + 1, 0
    places = list(product(range(seats), repeat=2))
    for number in range(matches):
        (me, first), rng = places[number % len(places)], Random(f"{seed} {number}")
        bots = list[PlayerPersonality | None](
            STRANGERS.get(kind) or personality_of(kind) for kind in kinds
        )
        bots.insert(me, None)
        followed = FollowedMatch(Arena(RULES[game], [f"seat {n}" for n in range(seats)], first))
        while (seat := followed.arena.match.to_act) is not None:
            match, sight = followed.arena.match, followed.arena.sight()
            bot = bots[seat]
            choice = chooses(followed, sight, rng) if bot is None else bot.decide(sight, rng)
            followed.act(filled(match, cast(SeatAction, choice), rng))
        outcome = followed.arena.match.outcome
        found += outcome is not None and me in outcome.losers
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=3000)
    parser.add_argument("--table", type=int, action="append", help="its place in TABLES, from 0")
    parser.add_argument("--who", action="append", help="a player alone, by name")
    args = parser.parse_args()
    for game, kinds in [TABLES[n] for n in args.table or range(len(TABLES))]:
        who = {"hint": hinted(kinds), **OTHERS}
        for name, chooses in who.items():
            if args.who and name not in args.who:
                continue
            began = perf_counter()
            hits = lost(game, kinds, chooses, args.matches)
            low, high = Rate(hits, args.matches).interval()
            table = f"{game} of {len(kinds) + 1}, {' + '.join(kinds)}"
            share = f"{hits / args.matches:.1%} [{low:.1%} {high:.1%}]"
            print(f"{table}: {name} loses {share}; {perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
