"""Speeds and latencies: ``make bench``, or ``python -m tests.labs.bench.speed``.

A speed that depends on the machine is compared within the run, with the time that the simulation
covers. Latencies are virtual times and depend on the seeds alone.
"""

import asyncio
import gc
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

from firmware.bots.arena import Arena, filled
from firmware.bots.hint import (
    FollowedMatch,
    _book_way,
    _kept,
    _lapsing,
    _played_by,
    _worth,
    advice,
    prepared,
)
from firmware.bots.opponents import drawn
from game import RULES
from game.coach import analyse
from game.coach.reference import match_worth, reference
from game.strategy.book import of_standing
from hw_sim.cli.trials import soak
from hw_sim.players.bot_kinds import personality_of
from hw_sim.table import TableSetup
from hw_sim.table.table import SimulatedTable
from hw_sim.trials.faults import Harm
from tests.support.bots import by_the_book
from tests.support.matches import Played, numbers, play_match
from tests.support.measures import Summary, spread

CLASS = RULES["class"]
REPEATS = 3
MOST_S = 2.0
MATCHES = {
    "class, last standing, 8": (replace(RULES["class"], ends="last_standing"), 8),
    "physicist, 8": (RULES["physicist"], 8),
    "holy-family, 8": (RULES["holy-family"], 8),
    "  with many towers, 8": (replace(RULES["holy-family"], tower_one_in=3), 8),
    "holy-family, 2": (RULES["holy-family"], 2),
}
ROUNDS = 12
SEED = 3
HINT_MS = 100
"""The longest that a hint takes on this machine."""
AMONG = ("honest", "trusting", "cheeky", "skilled", "learner", "expert", "shark")
WANTED_MS = 50
"""At most, on a Pi Zero 2 …"""
SLOWER = 15
"""… which is taken to be so many times slower than this machine."""
MOST_BUS_SHARE = 0.30
"""The bus must not be busier in any second of play."""
PASSED = (("memory", 4, 200, 20.0), ("bluetooth", 4, 200, 10.0), ("ir", 3, 100, 0.0))
"""Soaks that are timed: medium, seats, hops, and the fewest hops/s, 0 where none are asked for."""
SEEDS = {3: 6, 8: 2}
"""How many matches of so many players are played."""


def say(name: str, *values: object) -> None:
    print(f"{name:24}", *values, flush=True)


def headline(text: str) -> None:
    print(f"\n{text}", flush=True)


def watch(busy_us: Counter[tuple[int, int]], table: SimulatedTable) -> None:
    """Count the time in µs that each bus of a table is in use, by seat and second."""
    loop = asyncio.get_running_loop()
    for seat in table.seats:

        def after_job(seat=seat.seat, bus=seat.board.bus, caught_up=seat.board.bus.after_job):
            busy_us[seat, int(loop.time())] += bus.elapsed_us
            caught_up()

        seat.board.bus.after_job = after_job


def matches(folder: Path) -> None:
    headline("whole matches: " + ", ".join(f"{seeds} of {each}" for each, seeds in SEEDS.items()))
    played, seconds = list[Played](), list[float]()
    for players, seed in ((each, seed) for each, seeds in SEEDS.items() for seed in range(seeds)):
        busy_us = Counter[tuple[int, int]]()
        setup = TableSetup(CLASS, players=players, seed=1 + seed)
        journals = folder / f"{players} players, seed {1 + seed}"
        journals.mkdir()
        played.append(play_match(setup, journals, prepare=partial(watch, busy_us)))
        seconds += [us / 1e6 for us in busy_us.values()]
    summary = Summary(map(numbers, played))
    say("light to dice", spread(summary.look_ms, " ms"))
    say("dark to no dice", spread(summary.hide_ms, " ms"))
    say("virtual / wall", f"{median(one.outcome.virtual_s / one.wall_s for one in played):.0f}")
    seat_s = sum(one.outcome.virtual_s * one.setup.players for one in played)
    say(
        "I2C bus", f"{sum(seconds) / seat_s:.1%} of the time in use, {max(seconds):.1%} of a second"
    )
    if max(seconds) > MOST_BUS_SHARE:
        say("MISSED", f"the bus is in use for more than {MOST_BUS_SHARE:.0%} of a second")
    for line in summary.shortfalls:
        say("MISSED", line)
    for one in played:
        for line in one.outcome.violations + one.outcome.leaks:
            say("WRONG", f"{one.setup.players} players, seed {one.setup.seed}: {line}")


def hops() -> None:
    headline("the cup passed on and on: 10 % of frames lost, repeated, late; cuts; reboots")
    gc.collect()
    gc.freeze()  # what was made before is not searched for garbage at their cost
    for link, players, wanted, least in PASSED:
        began_s = process_time()
        tally = soak(link, players, wanted, Harm(loss=0.1, cuts=0.05, reboots=0.02), seed=1)
        pace = tally.hops / (process_time() - began_s)
        at_table = f"{tally.virtual_s / tally.hops:.2f} s at the table per hop, {players} players"
        say(link, f"{pace:,.0f} hops per second of CPU time, {at_table}")
        if not tally.is_well:
            say("WRONG", f"{link}: not one cup")
        if pace < least:
            say("MISSED", f"{link}: less than {least:,.0f} hops/s")


def judging() -> None:
    """Say how long the coach takes for a match of up to 40 rounds, its tables included."""
    headline(f"the coach: up to 40 rounds, CPU time from nothing, least of {REPEATS}")
    for name, (rules, players) in MATCHES.items():
        record = by_the_book(rules, players, seed=1)
        took_s = min(_judged_s(record) for _ in range(REPEATS))
        actions = len(record.actions)
        say(name, f"{took_s:.2f} s for {actions} actions")
        if took_s > MOST_S:
            say("MISSED", f"{name}: more than {MOST_S:g} s")


def _judged_s(record) -> float:
    reference.cache_clear()
    match_worth.cache_clear()
    return _seconds(analyse, record)[0]


def deciding() -> None:
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


def hints() -> None:
    """The slowest hint of a lone player among eight, after idle time prepared it, and without."""
    headline("hints among eight: CPU time, slowest of a match, of both that a page asks for")
    for game in ("class", "holy-family"):
        prepared_ms, piece_ms = (1e3 * each for each in _hinted(game, AMONG, prepares=True))
        plain_ms = 1e3 * _hinted(game, AMONG, prepares=False)[0]
        say(
            f"hint in {game}",
            f"{prepared_ms:.0f} ms prepared, {plain_ms:.0f} ms else: {plain_ms / prepared_ms:.0f} "
            f"times; the longest piece of the preparation takes {piece_ms:.0f} ms",
        )
        if prepared_ms > HINT_MS:
            say("MISSED", f"that is more than {HINT_MS} ms")


def _hinted(game: str, kinds: Sequence[str], *, prepares: bool) -> tuple[float, float]:
    """Seconds of the slowest hint of seat 0, and of the longest piece that prepares one."""
    for kept in (_kept, _worth, _book_way, _lapsing, _played_by, of_standing):
        kept.cache_clear()
    rng, bots = Random(SEED), [None, *(personality_of(kind) for kind in kinds)]
    players = [each or personality_of("cheeky") for each in bots]
    followed = FollowedMatch(Arena(RULES[game], [f"seat {seat}" for seat in range(len(bots))]))
    slowest_s, longest_s, begun = 0.0, 0.0, 0
    while (seat := followed.arena.match.to_act) is not None:
        match = followed.arena.match
        if match.round > ROUNDS:
            break
        if prepares and match.round != begun:
            begun, pieces = match.round, prepared(match, 0, bots)
            while (piece := _seconds(next, pieces, pieces))[1] is None:
                longest_s = max(longest_s, piece[0])
        if seat == 0:
            took_s = sum(_seconds(advice, followed, asked)[0] for asked in (bots, ()))
            slowest_s = max(slowest_s, took_s)
        followed.act(filled(match, players[seat].decide(followed.arena.sight(), rng), rng))
    return slowest_s, longest_s


def _seconds(work, *given):
    began_s = process_time()
    found = work(*given)
    return process_time() - began_s, found


def main() -> None:
    judging()
    deciding()
    hints()
    with tempfile.TemporaryDirectory() as name:
        matches(Path(name))
    hops()


if __name__ == "__main__":
    main()
