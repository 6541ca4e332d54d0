"""Speeds and latencies: ``make bench``, or ``python -m tests.labs.bench.speed``.

A speed that depends on the machine is compared within the run: with a game of OpenSpiel, or with
the time that the simulation covers. Latencies are virtual times and depend on the
seeds alone.
"""

import asyncio
import contextlib
import gc
import os
import platform
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
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
from tests.labs.bench.beside import beside_openspiel
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
SMALL, LARGE = 3, 8
SMALL_SEEDS = (1, 2, 3, 4, 5, 6)
LARGE_SEEDS = (1, 2)


def say(name: str, *values: object) -> None:
    print(f"{name:24}", *values, flush=True)


def headline(text: str) -> None:
    print(f"\n{text}", flush=True)


def machine() -> None:
    headline("machine")
    model = platform.processor() or platform.machine()
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith(("model name", "Model")):
                model = line.partition(":")[2].strip()
                break
    say("processor", f"{model}, {os.cpu_count()} cores")
    say("python", f"{platform.python_implementation()} {platform.python_version()}, {sys.platform}")
    if hasattr(os, "getloadavg"):
        say("load before", f"{os.getloadavg()[0]:.1f}")


class Stopwatch:
    """The time in µs that each bus of a table is in use, by seat and second."""

    def __init__(self) -> None:
        self.busy_us: Counter[tuple[int, int]] = Counter()

    def watch(self, table: SimulatedTable) -> None:
        for seat in table.seats:
            self._watch_bus(seat, asyncio.get_running_loop())

    def _watch_bus(self, seat, loop) -> None:
        bus = seat.board.bus
        caught_up = bus.after_job

        def after_job() -> None:
            self.busy_us[seat.seat, int(loop.time())] += bus.elapsed_us
            caught_up()

        bus.after_job = after_job


def matches(folder: Path) -> None:
    small = [_timed(folder, SMALL, seed) for seed in SMALL_SEEDS]
    large = [_timed(folder, LARGE, seed) for seed in LARGE_SEEDS]
    headline(
        f"matches: {SMALL} players, seeds {_list(SMALL_SEEDS)}; {LARGE} players, seeds "
        f"{_list(LARGE_SEEDS)}; one after the other, on one core"
    )
    for players, played in ((SMALL, small), (LARGE, large)):
        speeds = [one.outcome.virtual_s / one.wall_s for one, _ in played]
        lengths = [one.outcome.virtual_s / 60 for one, _ in played]
        say(
            f"{players} players",
            f"virtual / wall median {median(speeds):.0f}, from {min(speeds):.0f} to "
            f"{max(speeds):.0f}; a match takes {min(lengths):.1f} to {max(lengths):.1f} min",
        )
    both = small + large
    summary = Summary(numbers(one) for one, _ in both)
    seconds = [us / 1e6 for _, watch in both for us in watch.busy_us.values()]
    seat_s = sum(one.outcome.virtual_s * one.setup.players for one, _ in both)
    headline("in virtual time, over all of these matches")
    say("light to dice", spread(summary.look_ms, " ms"))
    say("dark to no dice", spread(summary.hide_ms, " ms"))
    say(
        "panel traffic",
        f"{summary.traffic():.1f} full frames a picture, as lit panels are written again",
    )
    worst = max(seconds)
    say(
        "I2C bus",
        f"{sum(seconds) / seat_s:.1%} of the time in use, {worst:.1%} of a second at most",
    )
    if worst > MOST_BUS_SHARE:
        say("MISSED", f"the bus is in use for more than {MOST_BUS_SHARE:.0%} of a second")
    for line in summary.shortfalls:
        say("MISSED", line)
    for one, _ in both:
        for line in one.outcome.violations + one.outcome.leaks:
            say("WRONG", f"{one.setup.players} players, seed {one.setup.seed}: {line}")


def _list(seeds: tuple[int, ...]) -> str:
    return ", ".join(map(str, seeds))


def _timed(folder: Path, players: int, seed: int) -> tuple[Played, Stopwatch]:
    journals = folder / f"{players} players, seed {seed}"
    journals.mkdir()
    watch = Stopwatch()
    setup = TableSetup(CLASS, players=players, seed=seed)
    return play_match(setup, journals, prepare=watch.watch), watch


class Prompt(NamedTuple):
    """A soak that is timed: medium, seats, hops, and hops/s asked for, 0 where none are."""

    link: str
    players: int
    hops: int
    pace: float


ASKED = (
    Prompt("memory", 4, 200, 20.0),
    Prompt("bluetooth", 4, 200, 10.0),
    Prompt("ir", 3, 100, 0.0),
)


def hops() -> None:
    headline("the cup passed on and on: 10 % of frames lost, repeated, late; cuts; reboots")
    gc.collect()
    gc.freeze()  # what was made before is not searched for garbage at their cost
    for asked in ASKED:
        began_s = time.process_time()
        harm = Harm(loss=0.1, cuts=0.05, reboots=0.02)
        tally = soak(asked.link, asked.players, asked.hops, harm, seed=1)
        pace = tally.hops / (time.process_time() - began_s)
        say(
            asked.link,
            f"{pace:,.0f} hops per second of CPU time, {tally.hops / tally.wall_s:,.0f} on the "
            f"clock, {tally.virtual_s / tally.hops:.2f} s at the table per hop, "
            f"{asked.players} players{'' if tally.is_well else ' WRONG: not one cup'}",
        )
        if pace < asked.pace:
            say("MISSED", f"{asked.link}: less than {asked.pace:,.0f} hops/s")


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
    while (
        seat := followed.arena.match.to_act
    ) is not None and followed.arena.match.round <= ROUNDS:
        match = followed.arena.match
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
    began = time.perf_counter()
    machine()
    judging()
    deciding()
    hints()
    beside_openspiel(say, headline)
    with tempfile.TemporaryDirectory() as name:
        matches(Path(name))
        hops()
    print(f"\nall of it took {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
