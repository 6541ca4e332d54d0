"""The media that a soak runs over, each with the real link code on its simulated air."""

import asyncio
from collections.abc import Callable, Mapping
from random import Random

from firmware.link.infrared.link import InfraredLink
from firmware.link.link import Link
from hw_sim.air.air import ControllerProfile
from hw_sim.air.infrared import InfraredAir
from hw_sim.trials.soak.brokers import BrokerMedium
from hw_sim.trials.soak.radio_seat import SoakMedium, devices_of


class BluetoothMedium:
    """The Bluetooth link: bumble's hosts on virtual controllers."""

    def __init__(self, seats: int, seed: int, controller: ControllerProfile) -> None:
        from hw_sim.air.bluetooth import BluetoothAir  # needs the extra bluetooth

        self._air = BluetoothAir(seed, asyncio.get_running_loop(), profile=controller)
        self._devices = devices_of(seats)

    def link(self, seat: int, on_frame: Callable[[bytes], None]) -> Link:
        """Make controller, host and link of a seat anew."""
        from firmware.link.bluetooth.link import BluetoothLink

        own = self._devices[seat]
        known = [device for device in self._devices if device != own]
        return BluetoothLink(self._air.opener(seat), own, on_frame, known)

    def disturb(self, one: int, other: int) -> bool:
        """Cut the connection between two seats; False if they have none."""
        return self._air.cut(one, other)

    def fail(self, seat: int) -> bool:
        """Let the controller fail."""
        for controller in self._air.controllers_of(seat):
            controller.fail()
        return True

    def mute(self, seat: int) -> bool:
        """Let the controller answer no command any more."""
        for controller in self._air.controllers_of(seat):
            controller.fall_mute()
        return True

    def off(self, seat: int) -> None:
        """Switch the controller off, too."""
        self._air.switch_off(seat)


class InfraredMedium:
    """The infrared link on simulated light that every seat sees."""

    BLOCKED_S = (0.2, 3.0)
    """How long a hand is held between two seats."""

    def __init__(self, seats: int, seed: int, controller: ControllerProfile) -> None:
        del seats, controller
        self._air = InfraredAir(seed, asyncio.get_running_loop())
        self._chance = Random(f"infrared medium {seed}")

    def link(self, seat: int, on_frame: Callable[[bytes], None]) -> Link:
        """Make port and link of a seat anew."""
        return InfraredLink(self._air.port(seat), on_frame, self._chance.random)

    def disturb(self, one: int, other: int) -> bool:
        """Hold a hand between two seats for 0.2 to 3 s; always True."""
        self._air.block(one, other, self._chance.uniform(*self.BLOCKED_S))
        return True

    def fail(self, seat: int) -> bool:
        """Do nothing: there is no controller."""
        del seat
        return False

    mute = fail

    def off(self, seat: int) -> None:
        """Do nothing: the port goes dark with its link."""
        del seat


MEDIA: Mapping[str, Callable[[int, int, ControllerProfile], SoakMedium]] = {
    "bluetooth": BluetoothMedium,
    "ir": InfraredMedium,
    "mqtt": BrokerMedium,
}
"""By name: makes the medium for a number of seats, with a seed and the Bluetooth controllers."""
