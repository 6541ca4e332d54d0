"""The load of one handheld on its bus, processor and start: in a turn, waiting, asleep.

It is alone on its board: the real firmware, a hand, no radio. The processor's time is this
machine's, for the firmware and for the simulated parts below it; a profile tells the two apart.
"""

import asyncio
import cProfile
import json
import pstats
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from hw_sim.clock.virtual import run
from tests.firmware.runtime.test_splash import SCRIPT
from tests.support.rigs import POWER_UP_S, Rig

SIMULATED = "hw_sim"
NAP_S = 65.0


class Budget(NamedTuple):
    """What a stretch of virtual time cost: ``busy_s`` of bus, by second; ``cpu_s`` of processor."""

    virtual_s: float
    jobs: int
    busy_s: tuple[float, ...]
    cpu_s: float

    @property
    def line(self) -> str:
        share = sum(self.busy_s) / self.virtual_s
        jobs = self.jobs * 60 / self.virtual_s
        return (
            f"{jobs:5,.0f} wake-ups a minute for the bus; bus {share:.2%} in use, busiest second "
            f"{max(self.busy_s, default=0.0):.1%}; processor {self.cpu_s / self.virtual_s:.2%}"
        )


async def turn(rig: Rig) -> None:
    """Throw, look, and walk along the dial, for about a minute."""
    for _ in range(2):
        await rig.shake()
        for _ in range(3):
            await rig.lift()
            await rig.cover()
        for angle_deg in (30.0, -30.0, 45.0, -45.0):
            await rig.until(rig.hand.tilt(rig.runtime.now_us, angle_deg, 0.0))
            await asyncio.sleep(2.0)
            await rig.until(rig.hand.level(rig.runtime.now_us))
            await asyncio.sleep(1.0)


async def wait(rig: Rig) -> None:
    """Let another one play, and watch him."""
    await asyncio.sleep(15.0)


async def sleep(rig: Rig) -> None:
    """Lie on the table for ten minutes."""
    await asyncio.sleep(600.0)


def measured(work, seat: int, nap_s: float = 0.0) -> Budget:
    """Run a handheld through some work and return what that cost."""

    async def main(folder: Path) -> Budget:
        rig = Rig(folder, seat=seat)
        task = asyncio.ensure_future(rig.run())
        await asyncio.sleep(POWER_UP_S + nap_s)
        loop, bus = asyncio.get_running_loop(), rig.board.bus
        jobs = 0
        busy_us: Counter[int] = Counter()
        after = bus.after_job

        def count() -> None:
            nonlocal jobs
            jobs += 1
            busy_us[int(loop.time())] += bus.elapsed_us
            after()

        bus.after_job = count
        began_s, cpu_s = loop.time(), time.process_time()
        await work(rig)
        cpu_s = time.process_time() - cpu_s
        virtual_s = loop.time() - began_s
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return Budget(virtual_s, jobs, tuple(us / 1e6 for us in busy_us.values()), cpu_s)

    with tempfile.TemporaryDirectory() as folder:
        return run(main(Path(folder)))


def firmware_share(work, seat: int) -> float:
    """Which share of the processor's time is not the simulator's, by a profile."""
    profile = cProfile.Profile()
    profile.runcall(measured, work, seat)
    ours = simulated = 0.0
    for (file, _, _), (_, _, own_s, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        if SIMULATED in Path(file).parts:
            simulated += own_s
        elif file != "~":
            ours += own_s
    return ours / (ours + simulated)


def everyday(say, headline) -> None:
    """Print it all, with the ``say`` and ``headline`` of the bench."""
    headline(
        "one handheld alone; the processor's share is this machine's, simulated parts included"
    )
    for name, work, seat, nap_s in (
        ("in a turn", turn, 0, 0.0),
        ("waiting", wait, 1, 0.0),
        ("asleep", sleep, 1, NAP_S),
    ):
        say(name, measured(work, seat, nap_s).line)
    say("of that the firmware", f"{firmware_share(turn, 0):.0%} in a turn, by a profile")
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    told = json.loads(ran.stdout)
    say(
        "start",
        f"first picture after {told['picture_s']:.2f} s of processor, everything loaded after "
        f"{told['all_s']:.2f} s",
    )
