"""Three handhelds in three kernels, ``maexchen run`` as installed, and a match to its end."""

import asyncio
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

from drivers import now_us
from firmware.display.oled import font
from firmware.display.oled.bitmap import Bitmap
from firmware.display.text.labels import Text
from firmware.display.text.language import ENGLISH, book, key_of, say
from hw_sim.air import bluetooth_address
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.board import SimulatedBoard
from hw_sim.hand.control import HandheldInHand
from hw_sim.hand.signals.hand import Hand
from hw_sim.hand.signals.light import LightScene
from hw_sim.panel import COLUMNS, terminal
from hw_sim.players.player_hand import PlayerHand
from tests.labs.kernel.care import MAEXCHEN
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


WORDS_PAGE, HINT_PAGE = 6, 7
LUX = 80.0
GLANCE_S = 0.3
LOOK_S = 1.6
TILT_DEG = 38.0
TILT_S = (0.4, 1.1)
TAKES, SHAKES, LIFTS = 0.7, 0.6, 0.6
"""How likely a highlighted entry is taken, and a hint to shake or to lift is followed."""

WAKES = 0.1
"""How likely a dark handheld is moved, each time it is looked at."""

HINTS = [
    text
    for text in Text
    if text.name.startswith("HINT_") and "{" not in book(ENGLISH).texts[key_of(text)]
]
"""The texts that the last line of a panel may show: gestures, without a player's name."""

_AVOIDED = (
    Text.MORE, Text.END_MATCH, Text.LEAVE, Text.STOP_MATCH, Text.VOID_ROUND, Text.SCORES, Text.HELP,
)  # fmt: skip


@cache
def _ink(text: str, name: str) -> bytes:
    """Return a text as columns of eight rows, the lowest of which is the baseline."""
    ink = font.load(name).render(text)
    line = Bitmap(ink.mask.width, 8)
    line.paste(ink.mask, 0, 7 - ink.top)
    return line.columns[::8]


def shows(memory: bytes, page: int, text: str) -> bool:
    """Whether a line of the panel, eight rows, has this text in it, in one of the two fonts."""
    line = memory[page * COLUMNS : (page + 1) * COLUMNS]
    return any((b"\0" + _ink(text, name)) in b"\0" + line for name in (font.STRONG, font.SMALL))


def hint_of(memory: bytes) -> Text | None:
    """Return the longest hint that the last line of the panel shows; None for none."""
    found = [text for text in HINTS if shows(memory, HINT_PAGE, say(text, "en"))]
    return max(found, key=lambda text: len(say(text, "en")), default=None)


class Player:
    """Somebody who holds a board and looks at its panel, for as long as `play` runs."""

    def __init__(self, board: SimulatedBoard, name: str) -> None:
        self._board = board
        self._rng = Random(f"hand {name}")
        self.hand = Hand(self._rng, LightScene(self._rng, LUX))
        board.acceleration = self.hand.acceleration
        board.illuminance = self.hand.illuminance
        held = HandheldInHand(self.hand, board.touch, None, [])
        self._do = PlayerHand(held, lambda: None, self._rng)
        self.over = False
        """The panel thanks for playing."""
        self.hints: list[str] = []
        """The texts of the last line, in their order."""

    async def play(self) -> None:
        """Do what the panel offers until it thanks for playing."""
        while not self.over:
            await asyncio.sleep(GLANCE_S)
            await self._act()

    def _hint(self) -> Text | None:
        display = self._board.display
        hint = hint_of(bytes(display.memory)) if display.is_on else None
        said = "-" if hint is None else hint.name
        if self.hints[-1:] != [said]:
            self.hints.append(said)
        return hint

    async def _act(self) -> None:
        if not self._board.display.is_on and self._rng.random() < WAKES:
            await self._tilt()  # it sleeps, and may do so while it is to be used: motion wakes it
        hint = self._hint()
        name = "" if hint is None else hint.name
        if hint is Text.HINT_OVER:
            self.over = True
        elif hint is Text.HINT_COVER:
            await self._look()  # it cannot tell that the cup is closed: show it light, then dark
        elif hint in (Text.HINT_TILT_HOLD, Text.HINT_TILT_TAP, Text.HINT_TAP):
            await self._take(holds="HOLD" in name, alone="TILT" not in name)
        elif "SHAKE" in name and "ON" not in name and self._rng.random() < SHAKES:
            await self._do.cover()
            await self._do.shake(again=True)
        elif name.startswith(("HINT_LIFT", "HINT_DOUBT")) and self._rng.random() < LIFTS:
            await self._look()
        elif "TILT" in name and hint is not Text.HINT_TAKE_BACK:
            await self._tilt()

    async def _take(self, *, holds: bool, alone: bool) -> None:
        memory = bytes(self._board.display.memory)
        avoided = any(shows(memory, WORDS_PAGE, say(text, "en")) for text in _AVOIDED)
        if not alone and (avoided or self._rng.random() > TAKES):
            await self._tilt()
        else:
            await (self._do.hold() if holds else self._do.tap())
            await asyncio.sleep(self._do.tempo.free_s)

    async def _tilt(self) -> None:
        """Tilt to either side, and back."""
        loop = asyncio.get_running_loop()
        for roll_deg in (self._rng.choice((-1, 1)) * TILT_DEG, 0.0):
            ends_us = self.hand.tilt(now_us(loop), roll_deg, 0.0)
            await asyncio.sleep(ends_us / 1e6 - loop.time() + self._rng.uniform(*TILT_S))

    async def _look(self) -> None:
        await self._do.lift()
        await asyncio.sleep(LOOK_S)
        await self._do.cover()
