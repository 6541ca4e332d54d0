"""Run the attacks side by side, and print what they tried."""

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


def run(
    name: str, ends_s: float, rounds: int, seed: int
) -> tuple[str, float, dict[str, object], str]:
    """Attack for one of so many rounds that are left until a monotonic time.

    Returns the name, the seconds it took, figures, and the promise that was broken ("" for none).
    """
    started_s = time.monotonic()
    seconds = max(0.0, ends_s - started_s) / rounds
    try:
        figures = importlib.import_module(f"tests.labs.redteam.{name}").attack(seconds, seed)
        broken = ""
    except Exception as error:
        figures, broken = {}, f"{type(error).__name__}: {error}"
    return name, time.monotonic() - started_s, figures, broken


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.labs.redteam", description=__doc__)
    parser.add_argument("--minutes", type=float, default=15, help="altogether, about")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=attacks(), help="this attack alone")
    asked = parser.parse_args()
    chosen = [asked.only] if asked.only else attacks()
    side_by_side = min(PROCESSES, len(chosen))
    ends_s = time.monotonic() + asked.minutes * 60
    failed = 0
    with ProcessPoolExecutor(side_by_side) as pool:
        jobs = [
            pool.submit(run, name, ends_s, ceil((len(chosen) - place) / side_by_side), asked.seed)
            for place, name in enumerate(chosen)
        ]
        for job in jobs:
            name, took_s, figures, broken = job.result()
            failed += bool(broken)
            print(f"{name}: seed {asked.seed}, {took_s:.0f} s: {broken or 'every promise held'}")
            for what, figure in figures.items():
                print(f"    {what}: {figure}", flush=True)
    late_s = time.monotonic() - ends_s
    print(f"{len(chosen)} attacks, {asked.minutes + late_s / 60:.1f} minutes, {failed} succeeded")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
