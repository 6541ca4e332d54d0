"""Make the air around a table. Bluetooth's is imported only where a seat has Bluetooth."""

import asyncio
from collections.abc import Iterable

from hw_sim.air.air import Air, ControllerProfile, NoAir


def air_of(
    seed: int,
    loop: asyncio.AbstractEventLoop,
    profile: ControllerProfile,
    media: Iterable[tuple[str, ...]],
) -> Air:
    """Make the air around a table. ``media`` are those of each seat, or those of all.

    Raises:
        ModuleNotFoundError: a seat has Bluetooth, and the extra ``bluetooth`` is not installed.
    """
    if not any("bluetooth" in each for each in media):
        return NoAir()
    from hw_sim.air.bluetooth import BluetoothAir

    return BluetoothAir(seed, loop, profile=profile)
