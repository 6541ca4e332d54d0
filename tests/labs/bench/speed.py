"""The times of coach, bots and hints, and a learner's games: ``make bench``.

``maexchen-sim match`` and ``soak`` print the speed of the simulation, and the traffic of a bus.
"""

import contextlib
import os
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import process_time

from game import RULES
from game.coach import analyse
from game.coach.reference import match_worth, reference
from tests.labs.bench.beside import beside_openspiel
from tests.labs.bench.deciding import deciding, hints
from tests.support.bots import by_the_book

REPEATS = 3
MOST_S = 2.0
MATCHES = {
    "class, last standing, 8": (replace(RULES["class"], ends="last_standing"), 8),
    "physicist, 8": (RULES["physicist"], 8),
    "holy-family, 8": (RULES["holy-family"], 8),
    "  with many towers, 8": (replace(RULES["holy-family"], tower_one_in=3), 8),
    "holy-family, 2": (RULES["holy-family"], 2),
}


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


def judging(say: Callable[..., None], headline: Callable[[str], None]) -> None:
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
    began_s = process_time()
    analyse(record)
    return process_time() - began_s


def main() -> None:
    began = time.perf_counter()
    machine()
    judging(say, headline)
    deciding(say, headline)
    hints(say, headline)
    beside_openspiel(say, headline)
    print(f"\nall of it took {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
