"""Speeds and latencies: ``make bench``, or ``python -m tests.labs.bench.speed``.

A speed that depends on the machine is compared within the run, with the time that the simulation
covers. Latencies are virtual times and depend on the seeds alone.
"""

import asyncio
import gc
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import NamedTuple

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


class Line(NamedTuple):
    """A line of the report: what is measured, the figures, and what is wrong with them if any."""

    name: str
    figures: str
    wrong: str = ""


def watch(busy_us: Counter[tuple[int, int]], table: SimulatedTable) -> None:
    """Count the time in µs that each bus of a table is in use, by seat and second."""
    loop = asyncio.get_running_loop()
    for seat in table.seats:

        def after_job(seat=seat.seat, bus=seat.board.bus, caught_up=seat.board.bus.after_job):
            busy_us[seat, int(loop.time())] += bus.elapsed_us
            caught_up()

        seat.board.bus.after_job = after_job


def matches() -> Iterator[Line]:
    """whole matches: six of three players, two of eight"""
    played, seconds = list[Played](), list[float]()
    for players, seed in ((each, seed) for each, seeds in SEEDS.items() for seed in range(seeds)):
        busy_us = Counter[tuple[int, int]]()
        setup = TableSetup(CLASS, players=players, seed=1 + seed)
        with tempfile.TemporaryDirectory() as journals:
            played.append(play_match(setup, Path(journals), prepare=partial(watch, busy_us)))
        seconds += [us / 1e6 for us in busy_us.values()]
    summary = Summary(map(numbers, played))
    yield Line("light to dice", spread(summary.look_ms, " ms"))
    yield Line("dark to no dice", spread(summary.hide_ms, " ms"))
    pace = median(one.outcome.virtual_s / one.wall_s for one in played)
    yield Line("virtual / wall", f"{pace:.0f}", "; ".join(summary.shortfalls))
    seat_s = sum(one.outcome.virtual_s * one.setup.players for one in played)
    yield Line(
        "I2C bus",
        f"{sum(seconds) / seat_s:.1%} of the time in use, {max(seconds):.1%} of a second",
        f"more than {MOST_BUS_SHARE:.0%} of a second" * (max(seconds) > MOST_BUS_SHARE),
    )
    for one in played:
        for line in one.outcome.violations + one.outcome.leaks:
            yield Line(f"{one.setup.players} players, seed {one.setup.seed}", "", line)


def hops() -> Iterator[Line]:
    """the cup passed on and on: 10 % of frames lost, repeated, late; cuts; reboots"""
    gc.collect()
    gc.freeze()  # what was made before is not searched for garbage at their cost
    for link, players, wanted, least in PASSED:
        began_s = process_time()
        tally = soak(link, players, wanted, Harm(loss=0.1, cuts=0.05, reboots=0.02), seed=1)
        pace = tally.hops / (process_time() - began_s)
        at_table = f"{tally.virtual_s / tally.hops:.2f} s at the table per hop, {players} players"
        wrong = "not one cup" if not tally.is_well else f"less than {least:g} hops/s"
        yield Line(
            link,
            f"{pace:,.0f} hops per second of CPU time, {at_table}",
            wrong * (pace < least or not tally.is_well),
        )


def judging() -> Iterator[Line]:
    """the coach: up to 40 rounds, CPU time from nothing, tables included, least of three"""
    for name, (rules, players) in MATCHES.items():
        record = by_the_book(rules, players, seed=1)
        took_s = min(_judged_s(record) for _ in range(REPEATS))
        actions = len(record.actions)
        late = f"more than {MOST_S:g} s" * (took_s > MOST_S)
        yield Line(name, f"{took_s:.2f} s for {actions} actions", late)


def _judged_s(record) -> float:
    reference.cache_clear()
    match_worth.cache_clear()
    return _seconds(analyse, record)[0]


def deciding() -> Iterator[Line]:
    """solved opponents: CPU time, slowest of a match, tables from nothing where it is first"""
    gc.disable()  # its passes take as long as all that the bench left in memory
    for game, rules in RULES.items():
        sizes = sorted({rules.fewest_players, rules.most_players, 5})
        for kind in ("expert", "shark"):
            found = [_played(rules, players, kind) for players in sizes]
            before_ms, round_ms, most_ms = (1e3 * max(each) for each in zip(*found))
            late = most_ms * SLOWER > WANTED_MS
            yield Line(
                f"{kind} of {game}",
                f"a decision {most_ms:.2f} ms; a match {before_ms:.0f} ms, a round {round_ms:.0f} "
                f"ms beforehand; among {', '.join(map(str, sizes))}",
                f"{SLOWER} times that is more than {WANTED_MS} ms" * late,
            )
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


def hints() -> Iterator[Line]:
    """hints among eight: CPU time, slowest of a match, of both that a page asks for"""
    for game in ("class", "holy-family"):
        prepared_ms, piece_ms = (1e3 * each for each in _hinted(game, AMONG, prepares=True))
        plain_ms = 1e3 * _hinted(game, AMONG, prepares=False)[0]
        yield Line(
            f"hint in {game}",
            f"{prepared_ms:.0f} ms prepared, {plain_ms:.0f} ms else: {plain_ms / prepared_ms:.0f} "
            f"times; the longest piece of the preparation takes {piece_ms:.0f} ms",
            f"more than {HINT_MS} ms" * (prepared_ms > HINT_MS),
        )


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
    """Print every part under what it says of itself."""
    for part in (judging, deciding, hints, matches, hops):
        print(f"\n{part.__doc__}")
        for line in part():
            print(f"{line.name:24}", line.figures, f"MISSED: {line.wrong}" * bool(line.wrong))


if __name__ == "__main__":
    main()
