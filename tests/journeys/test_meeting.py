"""Strangers find each other over either medium, one watching, and one medium failing."""

import asyncio
from contextlib import asynccontextmanager
from random import Random

import pytest

from firmware.table.seat.position import Position
from game import RULES
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.air.infrared import InfraredAir
from hw_sim.clock.virtual import run
from hw_sim.hand.signals.room_light import LightScene
from hw_sim.table.evening import Airs, Guest
from hw_sim.table.setup import TableSetup

NEVER_S = 1e6


@asynccontextmanager
async def guests(setup, names, folder):
    loop = asyncio.get_running_loop()
    airs = Airs(BluetoothAir(setup.seed, loop), InfraredAir(setup.seed, loop))
    scene = LightScene.pub(Random(setup.seed))
    made = [
        Guest(at, name, setup, airs, scene, folder / f"{name}.sqlite")
        for at, name in enumerate(names)
    ]
    async with asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(guest.run()) for guest in made]
        try:
            yield made, airs
        finally:
            for task in running:
                task.cancel()


async def sit_down(setup, folder, *, fails=None, watchers=1):
    """Three play and one watches. Returns their handhelds when the match has begun at all."""
    names = (*setup.names, "Zoe")[: len(setup.names) + watchers]
    async with guests(setup, names, folder) as (made, airs):
        if fails is not None:
            fails(airs, len(made))
        host, *others = made
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(host.invite(setup, names[: len(setup.names)], names[1]))
            for guest in others:
                tasks.create_task(guest.join(host.name, watches=guest.name == "Zoe"))
        await host.until(lambda: all(guest.device.core.position for guest in made))
        return [(guest.device.core, guest.device.standing) for guest in made]


def no_bluetooth(airs, count):
    for at in range(count):
        airs.bluetooth.absent(at)


def no_infrared(airs, count):
    for one in range(count):
        for other in range(one):
            airs.infrared.block(one, other, NEVER_S)


@pytest.mark.parametrize(
    ("link", "fails"),
    [
        ("ir", None),
        ("both", None),
        ("both", no_bluetooth),
        ("both", no_infrared),
    ],
)
def test_they_meet_over_whatever_carries(tmp_path, link, fails):
    setup = TableSetup(RULES["physicist"], players=3, seed=5, link=link)
    tables = run(sit_down(setup, tmp_path, fails=fails))
    assert len({standing.agreed.key for _, standing in tables}) == 1
    assert [standing.agreed.me for _, standing in tables] == [0, 1, 2, 3]
    positions = [core.position for core, _ in tables]
    assert positions.count(Position.MINE) == 1
    assert positions[1] is Position.MINE
    assert positions[3] is Position.WATCHING
