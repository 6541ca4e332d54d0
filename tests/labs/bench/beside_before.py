"""The handheld beside itself at an earlier commit: its table of four, and the start of its program.

Both run in turns, in processes of their own, and their processor times are compared. A match is
not the same at both commits, so a table's pace is virtual seconds for each second of processor.
"""

import io
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[3]
BEFORE = "036fe80"
"""The last commit before the simulator became a test bench."""
REPEATS = 3
TABLE = """
from pathlib import Path
from sys import argv
from time import process_time
from game import RULES
from hw_sim.table import TableSetup
from tests.support.matches import play_match
for seed in (3, int(argv[1])):  # the first one also loads what a table needs
    folder = Path(argv[2], str(seed))
    folder.mkdir()
    began_s = process_time()
    played = play_match(TableSetup(RULES["class"], players=4, seed=seed), folder)
print(played.outcome.virtual_s / (process_time() - began_s))
"""
START = """
from time import process_time
began_s = process_time()
import firmware.cli.run
print(process_time() - began_s)
"""
MOST_OF_THE_START, TABLE_ASKED = 0.55, 1.2
"""The start may take so much of the time before; a table runs at least so many times as fast."""


def beside_before(say: Callable[..., None], headline: Callable[[str], None]) -> None:
    headline(f"beside commit {BEFORE}, median of {REPEATS} turns")
    archive = ("git", "-C", ROOT, "archive", BEFORE)
    tree = subprocess.run(archive, capture_output=True, check=False)
    if tree.returncode:
        say("git", f"has no commit {BEFORE}, so nothing is compared: git fetch --unshallow")
        return
    with tempfile.TemporaryDirectory() as name:
        before = Path(name) / "before"
        with tarfile.open(fileobj=io.BytesIO(tree.stdout)) as files:
            files.extractall(before, filter="data")
        _measured(before, START)  # which also writes the bytecode
        tables, starts = [], []
        for turn in range(REPEATS):
            folders = [Path(name, f"{turn} {who}") for who in ("now", "before")]
            for folder in folders:
                folder.mkdir()
            paces = [
                _measured(tree, TABLE, str(turn + 4), str(folder))
                for tree, folder in zip((ROOT, before), folders)
            ]
            tables.append((paces[0] / paces[1], *paces))
            took = [_measured(tree, START) for tree in (ROOT, before)]
            starts.append((took[0] / took[1], *took))
    ratio, now, then = map(median, zip(*tables))
    say(
        "table of four", f"{ratio:.2f} times as fast ({now:.0f} and {then:.0f} virtual / processor)"
    )
    if ratio < TABLE_ASKED:
        say("MISSED", f"less than {TABLE_ASKED:g} times as fast")
    ratio, now, then = map(median, zip(*starts))
    say(
        "import of a handheld", f"{ratio:.2f} of its time ({now:.2f} and {then:.2f} s of processor)"
    )
    if ratio > MOST_OF_THE_START:
        say("MISSED", f"more than {MOST_OF_THE_START:g} of its time")


def _measured(tree: Path, program: str, *given: str) -> float:
    """Run a program with the packages of ``tree``; return the number that it prints last."""
    call = (sys.executable, "-c", program, *given)
    done = subprocess.run(call, cwd=tree, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])
