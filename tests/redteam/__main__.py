"""Run the attacks side by side, and print what they tried: ``python -m tests.redteam --help``."""

import argparse
import importlib
import pkgutil
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import tests.redteam

PROCESSES = 2


def attacks() -> list[str]:
    """The names of the attacks, in alphabetical order."""
    found = pkgutil.iter_modules(tests.redteam.__path__)
    return sorted(module.name for module in found if not module.name.startswith("_"))


def run(name: str, seconds: float, seed: int) -> tuple[str, float, dict[str, object], str]:
    """Name, seconds it took, figures, and the promise that was broken ("" for none)."""
    started_s = time.monotonic()
    try:
        figures = importlib.import_module(f"tests.redteam.{name}").attack(seconds, seed)
        broken = ""
    except Exception as error:
        figures, broken = {}, f"{type(error).__name__}: {error}"
    return name, time.monotonic() - started_s, figures, broken


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.redteam", description=__doc__)
    parser.add_argument("--minutes", type=float, default=15, help="altogether, about")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=attacks(), help="this attack alone")
    asked = parser.parse_args()
    chosen = [asked.only] if asked.only else attacks()
    side_by_side = min(PROCESSES, len(chosen))
    each_s = asked.minutes * 60 * side_by_side / len(chosen)
    failed = 0
    with ProcessPoolExecutor(side_by_side) as pool:
        jobs = [pool.submit(run, name, each_s, asked.seed) for name in chosen]
        for job in jobs:
            name, took_s, figures, broken = job.result()
            failed += bool(broken)
            print(f"{name}: seed {asked.seed}, {took_s:.0f} s: {broken or 'every promise held'}")
            for what, figure in figures.items():
                print(f"    {what}: {figure}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
