"""Parts without power for a moment, broken writes and jumps of light, in matches.

All runs in virtual time. These promises must hold: a display that was without power is lit and
right again within 2 s; one that took broken bytes is lit within 2 s, and right within 13 s. A part
that lost its set-up is named and well again within 3 s. No handheld ends, and every match does. A
covered cup hides its dice within 0.2 s in a room of any brightness.
"""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from drivers.ssd1306 import Panel
from firmware.display.oled.draw import draw
from firmware.display.screens import LookPage
from firmware.effects.core import Core
from firmware.runtime.runtime import Runtime
from game import RULES
from hw_sim.clock.virtual import run
from hw_sim.hand.signals.room_light import LightScene
from hw_sim.parts.ssd1306 import SSD1306
from hw_sim.table.handheld import SimulatedHandheld
from hw_sim.table.setup import TableSetup
from hw_sim.table.table import SimulatedTable
from tests.support.matches import short_setup
from tests.support.rigs import Rig, alone

PARTS = ("display", "display", "accelerometer", "light")
RIGHT_WITHIN_S = 2.0
STRAYS_WITHIN_S = 13.0
"""What broken bytes left where nothing was changed stays for so long, as docs/security.md says."""
WELL_WITHIN_S = 3.0
GLANCE_S = 0.02
GONE_WITHIN_S = 0.2
LOOKS = 4
FIGURES = ("matches", "glitches", "of lit displays", "of them told", "broken writes", "looks")

Figures = dict[str, int | float | str]


def attack(seconds: float, seed: int) -> Figures:
    """Play matches with one mischief after another, and try brighter rooms, until time is over."""
    end_s = time.monotonic() + seconds
    found: Figures = dict.fromkeys(FIGURES, 0)
    found |= dict.fromkeys(("display right again after s", "without strays after s"), 0.0)
    round_ = 0
    while time.monotonic() < end_s or not round_:
        chance = Random(f"parts {seed}/{round_}")
        with TemporaryDirectory() as folder:
            in_a_match(chance, Path(folder), found)
        for number in range(3):
            with TemporaryDirectory() as folder:
                in_a_brighter_room(chance, Path(folder), found, f"{seed}/{round_}/{number}")
        with TemporaryDirectory() as folder:
            with_broken_writes(chance, Path(folder), found)
        round_ += 1
    return found


def count(found: Figures, what: str, more: int = 1) -> None:
    found[what] = int(found[what]) + more


def in_a_match(chance: Random, folder: Path, found: Figures) -> None:
    """Break something every few seconds while a match is played to its end."""
    game = chance.choice(tuple(RULES))
    setup = TableSetup(
        short_setup().rules if game == "class" else RULES[game],
        players=3,
        seed=chance.randrange(1 << 20),
    )

    async def main() -> None:
        table = SimulatedTable(setup, folder)
        told: list[list[str]] = [[] for _ in table.seats]
        for seat, lines in zip(table.seats, told):
            seat.runtime.observers.troubles.append(lines.append)
        playing = asyncio.ensure_future(table.play())
        await asyncio.sleep(5.0)
        while not playing.done() and not table.is_over:
            await asyncio.sleep(chance.uniform(0.0, 12.0))
            seat = chance.choice(table.seats)
            await glitch(seat, chance.choice(PARTS), told[seat.seat], table, found)
        await playing
        assert table.is_over, setup

    run(main(), limit_s=8 * 3600.0)
    count(found, "matches")


async def glitch(
    seat: SimulatedHandheld, part: str, told: list[str], table: SimulatedTable, found: Figures
) -> None:
    """Take the power of a part away for a moment."""
    count(found, "glitches")
    before = len(told)
    if part == "display":
        count(found, "of lit displays", int(seat.board.display.is_lit))
    seat.board.unplug(part)
    seat.board.replug(part)
    if part == "display":
        await right_again(seat.board.display, seat.handheld, seat.runtime, found, table)
        lost = [line for line in told[before:] if "has lost its set-up" in line]
        assert len(lost) <= 1, lost
        count(found, "of them told", len(lost))  # not where it was switched off just then
    else:
        await asyncio.sleep(WELL_WITHIN_S)
    assert table.is_over or not seat.device.shell.part_alerts, (part, told[before:])


def with_broken_writes(chance: Random, folder: Path, found: Figures) -> None:
    """Let the display take other bytes than were sent, for a while; then none of it stays."""

    async def scenario(rig: Rig) -> None:
        display = rig.board.display
        whole, share = display.write, 0.0

        def write(data: bytes, t_us: int) -> None:
            broken = bytearray(data)
            if data and chance.random() < share:
                count(found, "broken writes")
                broken[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            whole(bytes(broken), t_us)

        display.write = write
        await rig.shake()
        for _ in range(LOOKS):
            share = chance.choice((0.02, 0.1, 0.5))
            for step in (rig.lift, rig.cover, lambda: rig.tilt_and_back(26.0, 0.2, 0.4)):
                await step()
                await asyncio.sleep(chance.uniform(0.0, 2.0))
                if chance.random() < 0.4:
                    share = 0.0
                    await without_strays(rig, found)
            share = 0.0
            await without_strays(rig, found)
        rig.watch.leaks.clear()  # what is broken on its way may stay for so long, dice, too

    alone(folder, scenario, seed=chance.randrange(1 << 20))


async def right_again(
    display: SSD1306,
    core: Core,
    runtime: Runtime,
    found: Figures,
    table: SimulatedTable | None = None,
) -> None:
    """Wait until a person sees what the core wants; a display that dozes is not waited for."""

    def seen() -> bool:
        ended = table is not None and table.is_over
        return ended or runtime.asleep or is_right(display, core)

    await wait(seen, RIGHT_WITHIN_S, "display right again after s", found)


async def without_strays(rig: Rig, found: Figures) -> None:
    """Wait until a display that takes what it is sent is lit, and until no broken byte is left."""
    display, core, runtime = rig.board.display, rig.core, rig.runtime
    within_s, what = RIGHT_WITHIN_S, "display right again after s"
    await wait(lambda: runtime.asleep or display.is_lit, within_s, what, found)
    within_s, what = STRAYS_WITHIN_S, "without strays after s"
    await wait(lambda: runtime.asleep or is_right(display, core), within_s, what, found)


async def wait(done: Callable[[], bool], within_s: float, what: str, found: Figures) -> None:
    """Wait until something is so, which is promised within so many seconds."""
    loop = asyncio.get_running_loop()
    began_s = loop.time()
    while not done():
        assert loop.time() - began_s < within_s, (what, began_s)
        await asyncio.sleep(GLANCE_S)
    found[what] = max(float(found[what]), round(loop.time() - began_s, 2))


def is_right(display: SSD1306, core: Core) -> bool:
    """Whether every pixel of the glass is as the core wants it."""
    assert core.screen is not None, "it has started"
    image = draw(core.screen, "en")
    if not display.is_lit or display.memory != Panel.pack(image.columns):
        return False
    return display.pixels() == tuple(
        bytes(image.is_lit(x, y) for x in range(image.width)) for y in range(image.height)
    )


def in_a_brighter_room(chance: Random, folder: Path, found: Figures, seed: str) -> None:
    """Look in a dim room, make it bright within seconds, and look again."""
    dim_lux, bright_lux = chance.uniform(5.0, 50.0), chance.uniform(500.0, 20_000.0)
    over_s, pause_s = chance.uniform(0.05, 4.0), chance.uniform(0.0, 8.0)
    rooms: list[LightScene] = []

    def room(rng: Random) -> LightScene:
        rooms.append(LightScene(rng, dim_lux))
        return rooms[-1]

    async def scenario(rig: Rig) -> None:
        await rig.shake()
        await rig.lift()
        await rig.cover()
        rooms[0].jump(rig.runtime.now_us, bright_lux, over_s)
        await asyncio.sleep(over_s + pause_s)
        for _ in range(LOOKS):
            await rig.lift()
            await asyncio.sleep(chance.uniform(0.1, 1.0))
            await rig.until(rig.hand.cover(rig.runtime.now_us))
            await asyncio.sleep(GONE_WITHIN_S)
            for _ in range(200):
                shown = isinstance(rig.core.screen, LookPage)
                assert not shown, f"dice stayed: {dim_lux:.0f} to {bright_lux:.0f} lx"
                await asyncio.sleep(GLANCE_S)
            count(found, "looks")
        rig.watch.leaks.clear()  # a room that brightens passes for a lift, as docs/LIMITS.md says

    alone(folder, scenario, seed=seed, scene=room)
