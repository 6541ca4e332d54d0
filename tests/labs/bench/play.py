"""One loop of seats and matches, for the measures beside."""

from collections.abc import Iterator, Sequence
from math import inf
from random import Random

from firmware.bots.arena import Arena, filled
from game import AnyMatch, AnyRules
from game.actions import Action, EndMatch
from hw_sim.players.bot_kinds import personality_of
from tests.support.bots import NINE


def turns(
    rules: AnyRules, kinds: Sequence[str], rng: Random, first: int = 0, most_rounds: float = inf
) -> Iterator[tuple[AnyMatch, Action, AnyMatch]]:
    """Play a match of bots, by the rules alone; yield it before each action, that, and after it."""
    arena, bots = Arena(rules, NINE[: len(kinds)], first), [personality_of(kind) for kind in kinds]
    while (seat := arena.match.to_act) is not None and arena.match.round <= most_rounds:
        match = arena.match
        done = filled(match, bots[seat].decide(arena.sight(), rng), rng)
        yield match, done, arena.act(done).match
        if type(done) is EndMatch:
            return
