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


def run(
    name: str, ends_s: float, rounds: int, seed: int
) -> tuple[str, float, dict[str, object], str, str]:
    """Attack for one of so many rounds that are left until a monotonic time.

    Returns the name, the seconds it took, figures, the promise that was broken ("" for none), and
    why that cannot be judged ("" if it can).
    """
    started_s, machine, unjudged = time.monotonic(), Machine(), ""
    seconds = max(0.0, ends_s - started_s) / rounds
    try:
        figures = importlib.import_module(f"tests.labs.redteam.{name}").attack(seconds, seed)
        broken = ""
    except Exception as error:
        figures, broken = {}, f"{type(error).__name__}: {error}"
        unjudged = machine.cannot_judge(error)
    return name, time.monotonic() - started_s, figures, broken, unjudged


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
    failed = busy = 0
    with ProcessPoolExecutor(side_by_side) as pool:
        jobs = [
            pool.submit(run, name, ends_s, ceil((len(chosen) - place) / side_by_side), asked.seed)
            for place, name in enumerate(chosen)
        ]
        for job in jobs:
            name, took_s, figures, broken, unjudged = job.result()
            failed += bool(broken and not unjudged)
            busy += bool(unjudged)
            told = f"{unjudged} ({broken})" if unjudged else broken or "every promise held"
            print(f"{name}: seed {asked.seed}, {took_s:.0f} s: {told}")
            for what, figure in figures.items():
                print(f"    {what}: {figure}", flush=True)
    late_s = time.monotonic() - ends_s
    took = f"{len(chosen)} attacks, {asked.minutes + late_s / 60:.1f} minutes"
    print(f"{took}, {failed} succeeded, {busy} not judged")
    return 1 if failed else UNJUDGED if busy else 0


if __name__ == "__main__":
    sys.exit(main())
