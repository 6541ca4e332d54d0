"""Three handhelds in three kernels, ``maexchen run`` as installed, and a match to its end."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from hw_sim.air import bluetooth_address
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.panel import terminal
from tests.labs.kernel.care import MAEXCHEN
from tests.labs.kernel.hands import Player
from tests.labs.kernel.world import LOST_SAMPLES, World
from tests.support.tables import seats_text, secret

NAMES = ("Ana", "Ben", "Cem")
LONGEST_S = 900.0
CUT_AFTER_S = 60.0
CUT_SEAT = 1
DARK_S = 3.0

_SETTINGS = """\
language = "en"
[table]
key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
secret = "{secret}"
game = "class"
seat = {seat}
faults = "off"
"""


class Seat:
    """One handheld: its world, its kernel, and who holds it."""

    def __init__(
        self, number: int, folder: Path, air: BluetoothAir, told: Callable[[str], object]
    ) -> None:
        self.number = number
        self.boots = 0
        self._folder = folder / f"{number}"
        self._air = air
        name = NAMES[number]
        self.world = World(self._folder, number, lambda line: told(f"{name}: {line}"))
        self.player = Player(self.world.board, name)
        own = _SETTINGS.format(seat=number, secret=secret(number).hex())
        settings = own + seats_text(NAMES, bluetooth_address)
        (self._folder / "settings.toml").write_text(settings)

    async def boot(self) -> None:
        """Switch it on; the first time the match begins, later it goes on."""
        self._air.switch_off(self.number)
        begin = () if self.boots else ("--begin",)
        self.boots += 1
        await self.world.boot(
            [MAEXCHEN, "run", "--settings", "/var/lib/settings.toml", *begin],
            controller=self._air.transport(self.number).source,
        )
        self._ended = asyncio.ensure_future(self.world.machine.ended())

    async def cut(self) -> None:
        """Take the power off kernel and parts."""
        self.world.machine.cut()
        await self._ended
        self._air.switch_off(self.number)
        for part in ("accelerometer", "display", "light"):
            self.world.board.unplug(part)
            self.world.board.replug(part)

    def state(self) -> list[str]:
        """Return what its player saw last, as lines."""
        display = self.world.board.display
        hints = " ".join(self.player.hints[-20:])
        return [
            f"the panel is {'on' if display.is_on else 'dark'}, and was: {hints}",
            *terminal(bytes(display.memory)),
        ]

    async def close(self) -> None:
        """Take the power off, and the board away."""
        self.world.machine.cut()
        await self._ended
        self.world.close()


async def played(folder: Path, log: Callable[[str], None], told: Callable[[str], object]) -> bool:
    """Play until every panel thanks for playing; one handheld is cut in the middle."""
    air = BluetoothAir(9, asyncio.get_running_loop(), profile="pi")
    seats = [Seat(number, folder, air, told) for number in range(len(NAMES))]
    hands: list[asyncio.Future[None]] = []
    try:
        await asyncio.sleep(0.6)
        for seat in seats:
            await seat.boot()
        hands = [asyncio.ensure_future(seat.player.play()) for seat in seats]
        await asyncio.sleep(CUT_AFTER_S)
        await seats[CUT_SEAT].cut()
        log(f"{NAMES[CUT_SEAT]} loses power")
        await asyncio.sleep(DARK_S)
        await seats[CUT_SEAT].boot()
        done, _ = await asyncio.wait(hands, timeout=LONGEST_S, return_when=asyncio.FIRST_EXCEPTION)
        for hand in done:
            hand.result()
    finally:
        for hand in hands:
            hand.cancel()
        for seat in seats:
            await seat.close()
    well = True
    for seat in seats:
        said = "the match is over" if seat.player.over else "it does not end"
        found = [line for line in seat.world.board.violations if LOST_SAMPLES not in line]
        stuck = [] if seat.player.over else seat.state()
        for line in (*found, *stuck):
            told(f"{NAMES[seat.number]}: {line}")
        log(f"{NAMES[seat.number]}: booted {seat.boots} times, {said}; {len(found)} violations")
        well &= seat.player.over and not found
    return well
