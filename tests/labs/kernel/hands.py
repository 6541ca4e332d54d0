"""A hand that plays by the glass alone: it reads the gestures that the last line offers, and tries.

It neither knows the rules nor what it says: of the entries of a dial it takes one by chance, but
none that leads out of the match.
"""

import asyncio
from functools import cache
from random import Random

from drivers import now_us
from firmware.display.oled import font
from firmware.display.text.labels import Text
from firmware.display.text.language import ENGLISH, book, key_of, say
from hw_sim.board import SimulatedBoard
from hw_sim.hand.signals.hand import Hand
from hw_sim.hand.signals.light import LightScene

COLUMNS = 128
WORDS_PAGE, HINT_PAGE = 6, 7
LUX = 80.0
GLANCE_S = 0.3
HOLD_S = 1.3
TAP_S = 0.4
TILT_DEG = 38.0
TILT_S = (0.4, 1.1)
LOOK_S = 1.6
TAKES = 0.7
"""How likely a highlighted entry is taken."""

WAKES = 0.1
"""How likely a dark handheld is moved, each time it is looked at."""

HINTS = [
    text
    for text in Text
    if text.name.startswith("HINT_") and "{" not in book(ENGLISH).texts[key_of(text)]
]
"""What the last line of a panel may say: gestures, without anybody's name."""

_AVOIDED = (
    Text.MORE, Text.END_MATCH, Text.LEAVE, Text.STOP_MATCH, Text.VOID_ROUND, Text.SCORES, Text.HELP,
)  # fmt: skip


@cache
def _ink(text: str, name: str) -> bytes:
    """Return a text as columns of eight rows, the lowest of which is the baseline."""
    ink = font.load(name).render(text)
    columns = []
    for x in range(ink.mask.width):
        rows = range(ink.mask.height)
        lit = [7 - ink.top + y for y in rows if ink.mask.is_lit(x, y)]
        columns.append(sum(1 << row for row in lit if 0 <= row < 8))
    return bytes(columns)


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
        self._loop = asyncio.get_running_loop()
        self.hand = Hand(self._rng, LightScene(self._rng, LUX))
        board.acceleration = self.hand.acceleration
        board.illuminance = self.hand.illuminance
        self.over = False
        """The panel thanks for playing."""
        self.hints: list[str] = []
        """What the last line said, each time it changed."""

    async def play(self) -> None:
        """Do what the panel offers until it thanks for playing."""
        while not self.over:
            await asyncio.sleep(GLANCE_S)
            await self._act()

    def _hint(self) -> Text | None:
        display = self._board.display
        if not display.is_on:
            return None
        hint = hint_of(bytes(display.memory))
        said = "-" if hint is None else hint.name
        if not self.hints or self.hints[-1] != said:
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
            if self.hand.openness(self._now_us) == 0.0:  # it cannot tell: show it light, then dark
                await self._lift()
            await self._cover()
        elif hint in (Text.HINT_TILT_HOLD, Text.HINT_TILT_TAP, Text.HINT_TAP):
            await self._take(holds="HOLD" in name, alone="TILT" not in name)
        elif "SHAKE" in name and "ON" not in name and self._rng.random() < 0.6:
            await self._cover()
            await self._until(self.hand.shake(self._now_us, 1.5))
            await asyncio.sleep(1.2)
        elif name.startswith(("HINT_LIFT", "HINT_DOUBT")) and self._rng.random() < 0.6:
            await self._lift()
            await self._cover()
        elif "TILT" in name and hint is not Text.HINT_TAKE_BACK:
            await self._tilt()

    async def _take(self, *, holds: bool, alone: bool) -> None:
        memory = bytes(self._board.display.memory)
        avoided = any(shows(memory, WORDS_PAGE, say(text, "en")) for text in _AVOIDED)
        if not alone and (avoided or self._rng.random() > TAKES):
            await self._tilt()
            return
        self._board.touch(True)
        await asyncio.sleep(HOLD_S if holds else TAP_S)
        self._board.touch(False)
        await asyncio.sleep(0.8)

    async def _tilt(self) -> None:
        side = self._rng.choice((-1, 1))
        await self._until(self.hand.tilt(self._now_us, side * TILT_DEG, 0.0))
        await asyncio.sleep(self._rng.uniform(*TILT_S))
        await self._until(self.hand.tilt(self._now_us, 0.0, 0.0))
        await asyncio.sleep(0.6)

    async def _lift(self) -> None:
        await self._until(self.hand.lift(self._now_us))
        await asyncio.sleep(LOOK_S)

    async def _cover(self) -> None:
        if self.hand.openness(self._now_us) > 0.0:
            await self._until(self.hand.cover(self._now_us))
            await asyncio.sleep(0.5)

    @property
    def _now_us(self) -> int:
        return now_us(self._loop)

    async def _until(self, t_us: int) -> None:
        await asyncio.sleep(max(0.0, t_us / 1e6 - self._loop.time()))
