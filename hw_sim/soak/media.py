"""The media that a soak runs over, each with the real link code on its simulated air."""

import asyncio
from collections.abc import Callable, Mapping

from firmware.link.bluetooth import BluetoothLink
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.soak.radio import Link, Medium


class BluetoothMedium:
    """bumble's hosts on virtual controllers."""

    def __init__(self, seats: int, seed: int) -> None:
        self._air = BluetoothAir(seed, asyncio.get_running_loop())
        self._addresses = {seat: BluetoothAir.address(seat) for seat in range(seats)}

    def link(self, seat: int, on_frame: Callable[[int, bytes], None]) -> Link:
        """Make controller, host and link of a seat anew."""
        transport = self._air.transport(seat)
        return BluetoothLink(transport, seat, self._addresses, on_frame, _ignore_state)

    def disturb(self, one: int, other: int) -> bool:
        """Cut the connection between two seats."""
        return self._air.cut(one, other)

    def off(self, seat: int) -> None:
        """The controller is off too."""
        self._air.switch_off(seat)


def _ignore_state(seat: int, up: bool) -> None:
    """Links come and go; the handover's own resends are all that is needed."""
    del seat, up


MEDIA: Mapping[str, Callable[[int, int], Medium]] = {"bluetooth": BluetoothMedium}
"""By name: makes the medium for so many seats, with a seed."""
