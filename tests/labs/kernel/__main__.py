"""``make kernel``: everything on a real kernel; exit status 1 if anything is not as it should be.

If all is well, the log of the run becomes ``docs/kernel.md``. ``python -m tests.labs.kernel
PART ...`` does some parts only, and leaves the page alone.
"""

import argparse
import asyncio
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from hw_sim.air.bluetooth import BluetoothAir
from tests.labs.kernel import care, compare, match
from tests.labs.kernel.world import ROOT

LOG = ROOT / "docs" / "kernel.md"
Log = Callable[[str], None]
Part = Callable[[Path, Log], Awaitable[bool]]
"""Does something in a folder, logs what came of it, and returns whether it is as it should be."""


async def board(folder: Path, log: Log) -> bool:
    """The tests that a builder runs on a Pi: pytest --pi -m pi tests/drivers."""
    passed = await care.board_suite(folder, _aside)
    log(f"{passed} passed, 0 failed" if passed else "not all passed")
    return passed > 0


async def doctor(folder: Path, log: Log) -> bool:
    """The doctor as installed, with hands: a board that is well, and faults."""
    well = True
    for fault in (None, *care.FAULTS):
        air = BluetoothAir(3, asyncio.get_running_loop(), profile="pi")
        found = await care.examined(fault, folder, air.transport(0).source, _aside)
        log(f"{fault or 'well'}: {'; '.join(found) or '-'}")
        well &= (
            not found
            if fault is None
            else any(re.search(care.words_of(fault), line) for line in found)
        )
    return well


async def calibrate(folder: Path, log: Log) -> bool:
    """The calibration as installed, with a hand that does what it reads."""
    lines = await care.calibrated(folder, _aside)
    for line in lines:
        log(line)
    return lines[-1] == "exit status 0"


async def comparison(folder: Path, log: Log) -> bool:
    """On simulator and kernel the same: messages, errors (class, errno, words), edges."""
    different = 0
    for fault in (None, *compare.FAULTS):
        mine = await asyncio.to_thread(compare.simulated, fault)
        theirs = await compare.on_kernel(fault, folder, _aside)
        differences = mine.differences(theirs)
        different += len(differences)
        log(
            f"{fault or 'well'}: {len(mine.said)} lines, {len(mine.traffic)} messages, "
            f"{len(mine.edges)} edges: {len(differences)} differences"
        )
        for line in differences:
            log(f"  {line}")
    return not different


async def whole_match(folder: Path, log: Log) -> bool:
    """Three handhelds in three kernels, over Bluetooth, to the end of a class match."""
    return await match.played(folder, log, _aside)


PARTS: dict[str, Part] = {
    "comparison": comparison,
    "calibrate": calibrate,
    "board": board,
    "doctor": doctor,
    "match": whole_match,
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
    part = PARTS[name]
    lines: list[str] = []

    def log(line: str) -> None:
        print(line, flush=True)
        lines.append(line)

    log(f"## {name}\n\n{part.__doc__}\n\n```")
    with tempfile.TemporaryDirectory(prefix="kernel-") as folder:
        good = asyncio.run(part(Path(folder), log))  # type: ignore[arg-type]
    log(f"```\n\n{'As it should be.' if good else 'NOT as it should be.'}\n")
    return good, "\n".join(lines)


def _aside(line: str) -> None:
    """Show what a kernel prints, apart from the log."""
    print(f"    | {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
