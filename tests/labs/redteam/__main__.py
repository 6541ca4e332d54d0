"""Run the attacks side by side, and print what they tried.

Exit status: 0 if every promise held, 1 if one was broken.
"""

import argparse
import importlib
import pkgutil
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from math import ceil

import tests.labs.redteam

PROCESSES = 2


def attacks() -> list[str]:
    """The names of the attacks, in alphabetical order."""
    found = pkgutil.iter_modules(tests.labs.redteam.__path__)
    return sorted(module.name for module in found if not module.name.startswith("_"))


def run(name: str, ends_s: float, rounds: int, seed: int) -> tuple[bool, str, dict[str, object]]:
    """Attack for one of so many rounds that are left until a monotonic time.

    Returns whether every promise held, what came of it, and its figures.
    """
    started_s, told, figures = time.monotonic(), "every promise held", {}
    seconds = max(0.0, ends_s - started_s) / rounds
    holds = True
    try:
        figures = importlib.import_module(f"tests.labs.redteam.{name}").attack(seconds, seed)
    except Exception as error:
        holds, told = False, f"{type(error).__name__}: {error}"
    return holds, f"{name}: seed {seed}, {time.monotonic() - started_s:.0f} s: {told}", figures


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
    broken = 0
    with ProcessPoolExecutor(side_by_side) as pool:
        jobs = [
            pool.submit(run, name, ends_s, ceil((len(chosen) - place) / side_by_side), asked.seed)
            for place, name in enumerate(chosen)
        ]
        for job in jobs:
            holds, told, figures = job.result()
            broken += not holds
            print(told, *(f"    {what}: {each}" for what, each in figures.items()), sep="\n")
    print(f"{len(chosen)} attacks, {broken} succeeded")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
