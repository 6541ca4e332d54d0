"""``make kernel``: a match on a real kernel; exit status 1 if anything is not as it should be.

A run without a fault writes its log to ``docs/kernel.md``. The output of the kernels goes to
standard error.
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from hw_sim.air import bluetooth_address
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.panel import terminal
from tests.labs.kernel.machine import PYTHON, ROOT, Machine
from tests.labs.kernel.player import Player
from tests.support.tables import seats_text, secret

LOG = ROOT / "docs" / "kernel.md"
HEAD = """\
# On a real kernel

The log of one run of `make kernel`, made by it. Two handhelds play a match of `holy-family` for one
point over Bluetooth to its end, each `maexchen run` as installed in a kernel of its own. The kernel
is user-mode Linux, built from Debian's source. Its I2C bus leads to the simulator's register models
over virtio, its GPIO chip is gpio-sim under the real rpi-lgpio, and its Bluetooth adapter is a
simulated controller behind `/dev/vhci`, as restricted as a Pi's. It is a process among others: no
timing finer than 10 ms is claimed.

"""
NAMES = ("Ana", "Ben")
SETTINGS = """\
language = "en"
[table]
key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
secret = "{secret}"
game = "holy-family"
options = {{ points = 1 }}
seat = {seat}
faults = "off"
{seats}"""
COMMAND = f"{PYTHON.parent}/maexchen run --settings /var/lib/settings.toml --begin"
LONGEST_S = 1800.0
POWER_UP_S = 0.6
LOST_SAMPLES = "FIFO overrun"
"""The violation of a data sheet that a busy machine causes, since it reads too late."""


class Seat:
    """A player, and their handheld in a kernel."""

    def __init__(self, number: int, folder: Path, air: BluetoothAir) -> None:
        self.name = NAMES[number]
        folder.mkdir()
        own = {"secret": secret(number).hex(), "seat": number}
        settings = SETTINGS.format(**own, seats=seats_text(NAMES, bluetooth_address))
        (folder / "settings.toml").write_text(settings)
        adapter = air.transport(number).source
        self.machine = Machine(folder, number, adapter, self._tell)
        self.player = Player(self.machine.board, self.name, self._tell)

    def _tell(self, line: str) -> None:
        print(f"{self.name}: {line}", file=sys.stderr, flush=True)

    def judged(self) -> str:
        """Return how it went; if not well, show the panel beside what the kernel printed."""
        board, over = self.machine.board, self.player.over
        wrong = [line for line in board.violations if LOST_SAMPLES not in line]
        panel = [] if over else terminal(bytes(board.display.memory))
        for line in (*wrong, *panel):
            self._tell(line)
        end = "the match is over" if over else "it does not end"
        return f"{self.name}: {end}, {len(wrong)} faults"


async def play(folder: Path) -> list[str]:
    """Play until every panel says that the match is over; return what became of each seat."""
    air = BluetoothAir(9, asyncio.get_running_loop(), profile="pi")
    seats = [Seat(number, folder / name, air) for number, name in enumerate(NAMES)]
    await asyncio.sleep(POWER_UP_S)
    kernels = [asyncio.ensure_future(seat.machine.run(COMMAND)) for seat in seats]
    hands = asyncio.gather(*(seat.player.play() for seat in seats))
    tasks = (hands, *kernels)
    await asyncio.wait(tasks, timeout=LONGEST_S, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    for end in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(end, Exception):
            print(repr(end), file=sys.stderr)
    return [seat.judged() for seat in seats]


def main() -> int:
    """Play; keep the log of a run in which all is well."""
    with tempfile.TemporaryDirectory(prefix="kernel-") as folder:
        told = asyncio.run(play(Path(folder)))
    print(*told, sep="\n")
    well = all(line.endswith("the match is over, 0 faults") for line in told)
    if well:
        LOG.write_text(HEAD + "\n".join(["```", *told, "```", ""]))
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
