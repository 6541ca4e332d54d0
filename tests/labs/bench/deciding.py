"""How long solved opponents take for a decision: the handheld stands still meanwhile."""

import gc
from collections.abc import Callable
from random import Random
from time import process_time

from firmware.bots.arena import Arena, filled
from firmware.bots.opponents import drawn
from game import RULES

ROUNDS = 12
SEED = 3
WANTED_MS = 50
"""At most, on a Pi Zero 2 …"""
SLOWER = 15
"""… which is taken to be so many times slower than this machine."""


def deciding(say: Callable[..., None], headline: Callable[[str], None]) -> None:
    """The slowest of their decisions, and of what they make before a match and a round."""
    headline(
        "solved opponents: CPU time, slowest of a match, tables from nothing where it is first"
    )
    gc.disable()  # its passes take as long as all that the bench left in memory
    for game, rules in RULES.items():
        sizes = sorted({rules.fewest_players, rules.most_players, 5})
        for kind in ("expert", "shark"):
            found = [_played(rules, players, kind) for players in sizes]
            before_ms, round_ms, most_ms = (1e3 * max(each) for each in zip(*found))
            say(
                f"{kind} of {game}",
                f"a decision {most_ms:.2f} ms; a match {before_ms:.0f} ms, a round {round_ms:.0f} "
                f"ms beforehand; among {', '.join(map(str, sizes))}",
            )
            if most_ms * SLOWER > WANTED_MS:
                say("MISSED", f"{SLOWER} times that is more than {WANTED_MS} ms")
    gc.enable()


def _played(rules, players: int, kind) -> tuple[float, float, float]:
    """Seconds before the match, most before a round, and most for a decision."""
    rng = Random(SEED)
    bots = [drawn(kind, rng) for _ in range(players)]
    arena = Arena(rules, [f"seat {seat}" for seat in range(players)])
    before_s = _seconds(bots[0].prepare, rules, players)[0]
    rounds_s, decisions_s = [0.0], [0.0]
    while (seat := arena.match.to_act) is not None and arena.match.round <= ROUNDS:
        match, bot = arena.match, bots[seat]
        rounds_s.append(_seconds(bot.prepare_round, match)[0])
        took_s, choice = _seconds(bot.decide, arena.sight(), rng)
        decisions_s.append(took_s)
        arena.act(filled(match, choice, rng))
    return before_s, max(rounds_s), max(decisions_s)


def _seconds(work, *given):
    began_s = process_time()
    found = work(*given)
    return process_time() - began_s, found
