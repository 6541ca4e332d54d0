"""One seed is one run, to the bit: ``python -m tests.labs.digests`` plays and compares digests.

A digest is SHA-256 over every byte on every bus, every picture and all that was said, with their
times. ``kept.json`` keeps those of whole matches of every game over Bluetooth and over infrared,
of evenings in the lobby, and of a table in the browser. ``--write`` keeps them anew, where a change
is meant to change what happens; the runs that differ tell how far it reaches.
"""

import argparse
import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from tests.labs.digests import KEPT, LINKS, SEEDS, SETUPS, digest, kept, names

PROCESSES = 2


def attempt(name: str) -> tuple[str, str]:
    """The digest of a run, or what it failed of; one run that fails leaves the others be."""
    try:
        return name, digest(name)
    except Exception as error:
        return name, f"failed: {type(error).__name__}: {error}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.labs.digests", description=__doc__)
    parser.add_argument("--seeds", type=int, default=len(SEEDS), help="of each match so many")
    parser.add_argument("--game", choices=SETUPS, help="matches of this game alone")
    parser.add_argument("--link", choices=LINKS, help="matches over this link alone")
    parser.add_argument("--write", action="store_true", help="keep the digests instead")
    asked = parser.parse_args()
    wanted = names(asked.seeds, asked.game, asked.link and LINKS[asked.link])
    before, after = kept(), dict[str, str]()
    started_s = time.monotonic()
    with ProcessPoolExecutor(PROCESSES) as pool:
        for name, now in pool.map(attempt, wanted):
            after[name] = now
            if now != before.get(name):
                print(f"{name}: {before.get(name, 'nothing')[:12]} is kept, now {now[:60]}")
    differing = [name for name in wanted if after[name] != before.get(name)]
    took_s = time.monotonic() - started_s
    print(f"{len(wanted) - len(differing)} of {len(wanted)} are as they were; {took_s:.0f} s")
    if not asked.write:
        return 1 if differing else 0
    if any(now.startswith("failed") for now in after.values()):
        print("nothing is kept: mend what failed first")
        return 1
    both = {**before, **after}
    lines = {name: both[name] for name in names() if name in both}
    KEPT.write_text(json.dumps(lines, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
