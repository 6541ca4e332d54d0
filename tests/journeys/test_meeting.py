"""Strangers find each other over either medium, one watching, and one medium failing."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from firmware.table.seat.position import Position
from game import RULES
from hw_sim.clock.virtual import run
from hw_sim.table.evening import arrive
from hw_sim.table.handheld import Surroundings
from hw_sim.table.setup import TableSetup

NEVER_S = 1e6


@asynccontextmanager
async def guests(setup, names, folder):
    around = Surroundings.of(setup)
    made = [arrive(at, name, setup, around, folder) for at, name in enumerate(names)]
    async with asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(guest.handheld.run()) for guest in made]
        try:
            yield made, around
        finally:
            for task in running:
                task.cancel()


async def sit_down(setup, folder, *, fails=None, watchers=1):
    """Three play and one watches. Returns their handhelds when the match has begun at all."""
    names = (*setup.names, "Zoe")[: len(setup.names) + watchers]
    async with guests(setup, names, folder) as (made, around):
        if fails is not None:
            fails(around, len(made))
        host, *others = [guest.person for guest in made]
        devices = [guest.handheld.handheld for guest in made]
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(host.invite(setup.rules, names[: len(setup.names)], names[1]))
            for guest in others:
                tasks.create_task(guest.join(host.name, watches=guest.name == "Zoe"))
        await host.until(lambda: all(device.core.position for device in devices))
        return [(device.core, device.standing) for device in devices]


def no_bluetooth(around, count):
    for at in range(count):
        around.air.absent(at)


def no_infrared(around, count):
    for one in range(count):
        for other in range(one):
            around.infrared.block(one, other, NEVER_S)


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
