"""``make kernel``: everything on a real kernel; exit status 1 if anything is not as it should be.

If all is well, the log of the run becomes ``docs/kernel.md``. ``python -m tests.labs.kernel
PART ...`` does some parts only, and leaves the page alone.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.labs.kernel import care, compare, match
from tests.labs.kernel.world import ROOT, Told

LOG = ROOT / "docs" / "kernel.md"
Part = Callable[[Path, Told, Told], Awaitable[bool]]
"""Does something in a folder, logs what came of it, and returns whether it is as it should be.

The last argument gets every line that a kernel prints.
"""
PARTS: dict[str, Part] = {
    "comparison": compare.comparison,
    "calibrate": care.calibrate,
    "board": care.board,
    "doctor": care.doctor,
    "match": match.whole_match,
}

_HEAD = """\
# On a real kernel

The log of one run of `make kernel`, made by it; times are stripped. The kernel is user-mode Linux,
built from Debian's source; its I2C bus leads to the simulator's register models over virtio, its
GPIO chip is gpio-sim under the real rpi-lgpio, infrared is rc-loopback, and its Bluetooth adapter
is a simulated controller behind `/dev/vhci`, as restricted as a Pi's. It is a process among
others: no timing finer than 10 ms is claimed.
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.labs.kernel", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    args = parser.parse_args()
    unknown = [name for name in args.parts if name not in PARTS]
    if unknown:
        parser.error(f"there is no {unknown[0]}: choose from {', '.join(PARTS)}")
    results = [done(name) for name in args.parts or PARTS]
    well = all(good for good, _ in results)
    if well and not args.parts:
        LOG.write_text("\n".join([_HEAD, *(section for _, section in results)]))
    return 0 if well else 1


def done(name: str) -> tuple[bool, str]:
    """Do a part; return whether all is as it should be, and the section of the log."""
    part, lines = PARTS[name], list[str]()

    def log(line: str) -> None:
        print(line, flush=True)
        lines.append(line)

    def aside(line: str) -> None:
        print(f"    | {line}", file=sys.stderr, flush=True)

    log(f"## {name}\n\n{part.__doc__}\n\n```")
    with tempfile.TemporaryDirectory(prefix="kernel-") as folder:
        good = asyncio.run(part(Path(folder), log, aside))  # type: ignore[arg-type]
    log(f"```\n\n{'As it should be.' if good else 'NOT as it should be.'}\n")
    return good, "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
