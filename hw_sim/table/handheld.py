"""One simulated handheld at the table: the real firmware on a simulated board, in a hand."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from firmware.device.open import open_handheld
from firmware.input.gestures.recognizer import Recognizer
from firmware.journal.sqlite import Journal
from firmware.journal.writes import Write
from firmware.link.bluetooth.link import BluetoothLink
from firmware.link.dual import BothLinks, Once
from firmware.link.infrared.link import InfraredLink
from firmware.runtime.board import assemble
from firmware.runtime.ports import Ports
from firmware.runtime.runtime import Runtime
from firmware.settings.model import Settings
from game.dice import Dice
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.air.infrared import InfraredAir
from hw_sim.board.board import SimulatedBoard
from hw_sim.hand.signals.hand import Hand
from hw_sim.hand.signals.recorded_shakes import ShakeLibrary
from hw_sim.hand.signals.room_light import LightScene
from hw_sim.panel.dice_reader import read_dice
from hw_sim.secrecy.dice_watch import DiceWatch

WRITE_S = (0.004, 0.025)
"""What one synchronous write takes on a memory card."""
LIT_BITS = 8 * 1024


@dataclass(frozen=True)
class Surroundings:
    """What all seats of a table share: the air, the light of the room, recorded shakes if any."""

    air: BluetoothAir
    infrared: InfraredAir
    scene: LightScene
    shakes: ShakeLibrary | None


class SimulatedHandheld:
    """One seat: board, hand, journal, link and runtime.

    Args:
        settings: the handheld's settings.
        seed: decides its parts, its hand and its dice.
        around: what the table shares.
    """

    def __init__(self, settings: Settings, seed: int, around: Surroundings) -> None:
        loop = asyncio.get_running_loop()
        name = f"{seed}/{settings.seat}"
        self.seat = settings.seat
        self._disk = Random(f"disk {name}")
        self._lit_share = 0.0
        self.board = SimulatedBoard(f"board {name}", loop)
        self.hand = Hand(
            Random(f"hand {name}"), around.scene, shakes=around.shakes, glow=self._glow
        )
        self.board.display.on_write.append(self._measure_glow)
        self.board.acceleration = self.hand.acceleration
        self.board.illuminance = self.hand.illuminance
        self.journal = Journal(settings.journal)
        self.handheld = open_handheld(settings, self.journal, Random(f"dice {name}").randbytes)
        self.recognizer = Recognizer()
        self.runtime = Runtime(
            assemble(self.board.bus, self.board.bus.execute, self.board.gpio, loop),
            self.handheld,
            self.recognizer,
            Ports(self._write, self._send),
            "en" if settings.language == "en" else "de",
        )
        self.watch = DiceWatch(
            self.board.display,
            self.handheld,
            self.hand,
            self.recognizer,
            lambda t_us, call: loop.call_at(t_us / 1e6, call),
        )
        self.runtime.observers.screens.append(
            lambda screen: self.watch.showing(screen, self.runtime.now_us)
        )
        self.on_link: Callable[[int, bool], None] = _ignore_state
        """Is told when a Bluetooth connection with a seat opens and ends."""
        self.link = self._link(settings, around, Random(f"manners {name}").random)

    def _link(
        self, settings: Settings, around: Surroundings, chance: Callable[[], float]
    ) -> BluetoothLink | InfraredLink | BothLinks:
        """What the settings say that carries frames to the other seats."""
        addresses = {place: other.address for place, other in enumerate(settings.table.seats)}
        take = Once(self.runtime.receive, asyncio.get_running_loop().time).take

        def infrared() -> InfraredLink:
            return InfraredLink(around.infrared.port(self.seat), self.seat, take, chance)

        def bluetooth() -> BluetoothLink:
            transport = around.air.transport(self.seat)
            return BluetoothLink(transport, self.seat, addresses, take, self._link_changed)

        match settings.link:
            case "ir":
                return infrared()
            case "bluetooth":
                return bluetooth()
            case "both":
                return BothLinks(bluetooth(), infrared())

    def _link_changed(self, seat: int, up: bool) -> None:
        self.on_link(seat, up)

    async def run(self) -> None:
        """Switch it on and run it until cancelled."""
        await self.link.start()
        try:
            await self.runtime.run()
        finally:
            self.link.abandon()
            self.journal.close()
            self.board.close()

    def read_dice(self) -> Dice | None:
        """The dice that a person reads off the panel now; None if it shows none or is off."""
        display = self.board.display
        return read_dice(display.memory) if display.is_lit else None

    def touch(self, down: bool) -> None:
        """Put a finger on the pad, or take it off."""
        self.watch.touching(down, self.runtime.now_us)
        self.board.touch(down)

    def _send(self, seat: int, frame: bytes) -> None:
        self.link.send(seat, frame)

    async def _write(self, batch: tuple[Write, ...]) -> None:
        self.journal.write(batch)
        await asyncio.sleep(self._disk.uniform(*WRITE_S))

    def _glow(self, _t_us: int) -> float:
        display = self.board.display
        return self._lit_share * display.contrast / 255 if display.is_lit else 0.0

    def _measure_glow(self, _t_us: int) -> None:
        self._lit_share = int.from_bytes(self.board.display.memory).bit_count() / LIT_BITS


def _ignore_state(seat: int, up: bool) -> None:
    """Links come and go; the handheld's own resends are all that is needed."""
    del seat, up
