"""``python -m tests.project.covered coverage.json``: what SlipCover measured, against the floors.

Prints for each file that the tests do not cover whole how many percent of its lines and branches
they do, and which lines and branches not, one line a file. Exits with 1 where a floor is missed.
"""

import json
import sys
from pathlib import Path

FLOORS_PERCENT = {
    "game research/vector": 100.0,
    "drivers firmware hw_sim research/learning research/strength": 90.0,
}
"""How much of the lines and branches of these packages together the tests take at the least."""
COUNTS = ("covered_lines", "covered_branches", "missing_lines", "missing_branches")


def percent_covered(summaries):
    """How much of the lines and branches is covered, 0 to 100; 100 where there are none."""
    covered_lines, covered_branches, *missing = (
        sum(summary[count] for summary in summaries) for count in COUNTS
    )
    covered = covered_lines + covered_branches
    all_there_is = covered + sum(missing)
    return 100 * covered / all_there_is if all_there_is else 100.0


def main(measured):
    files = json.loads(Path(measured).read_text(encoding="utf-8"))["files"]
    missed = []
    for packages, floor in FLOORS_PERCENT.items():
        folders = tuple(f"{package}/" for package in packages.split())
        inside = {name: file for name, file in sorted(files.items()) if name.startswith(folders)}
        for name, file in inside.items():
            if (percent := percent_covered([file["summary"]])) < 100:
                branches = [f"{start}->{end}" for start, end in file["missing_branches"]]
                print(f"{percent:5.1f} %  {name}: ", *file["missing_lines"], *branches)
        percent = percent_covered([file["summary"] for file in inside.values()])
        print(f"{percent:5.1f} %  {packages}, and it must be {floor:g} %")
        if not inside or percent < floor:
            missed.append(packages)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
