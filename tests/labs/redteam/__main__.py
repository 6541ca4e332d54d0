"""Run the attacks side by side, and print what they tried.

Exit status: 0 if every promise held, 1 if one was broken, 3 if none was broken and one could not be
judged, because others kept the machine busy while something was late.
"""

import argparse
import importlib
import pkgutil
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from math import ceil

import tests.labs.redteam
from tests.labs.redteam._machine import Machine

PROCESSES = 2
UNJUDGED = 3
"""The exit status for a machine that is too busy; 2 is that of wrong arguments."""


def attacks() -> list[str]:
    """The names of the attacks, in alphabetical order."""
    found = pkgutil.iter_modules(tests.labs.redteam.__path__)
    return sorted(module.name for module in found if not module.name.startswith("_"))


def run(name: str, ends_s: float, rounds: int, seed: int) -> tuple[int, str, dict[str, object]]:
    """Attack for one of so many rounds that are left until a monotonic time.

    Returns the exit status for it alone, what came of it, and its figures.
    """
    started_s, machine = time.monotonic(), Machine()
    seconds = max(0.0, ends_s - started_s) / rounds
    status, told, figures = 0, "every promise held", {}
    try:
        figures = importlib.import_module(f"tests.labs.redteam.{name}").attack(seconds, seed)
    except Exception as error:
        status, told = 1, f"{type(error).__name__}: {error}"
        if unjudged := machine.cannot_judge(error):
            status, told = UNJUDGED, f"{unjudged} ({told})"
    return status, f"{name}: seed {seed}, {time.monotonic() - started_s:.0f} s: {told}", figures


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.labs.redteam",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minutes", type=float, default=15, help="altogether, about")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=attacks(), help="this attack alone")
    asked = parser.parse_args()
    chosen = [asked.only] if asked.only else attacks()
    side_by_side = min(PROCESSES, len(chosen))
    ends_s = time.monotonic() + asked.minutes * 60
    statuses = list[int]()
    with ProcessPoolExecutor(side_by_side) as pool:
        jobs = [
            pool.submit(run, name, ends_s, ceil((len(chosen) - place) / side_by_side), asked.seed)
            for place, name in enumerate(chosen)
        ]
        for job in jobs:
            status, told, figures = job.result()
            statuses.append(status)
            print(
                told,
                *(f"    {what}: {each}" for what, each in figures.items()),
                sep="\n",
                flush=True,
            )
    took = asked.minutes + (time.monotonic() - ends_s) / 60
    found = f"{statuses.count(1)} succeeded, {statuses.count(UNJUDGED)} not judged"
    print(f"{len(chosen)} attacks, {took:.1f} minutes, {found}")
    return 1 if 1 in statuses else max(statuses)


if __name__ == "__main__":
    sys.exit(main())
