"""A person who holds a board: reads the last line of its panel, and moves it as that asks."""

import asyncio
from collections.abc import Callable
from functools import cache
from random import Random

from drivers import now_us
from firmware.display.oled import font
from firmware.display.oled.bitmap import Bitmap
from firmware.display.text.labels import Text, ending_key
from firmware.display.text.language import ENGLISH, book, key_of, say, section
from hw_sim.board import SimulatedBoard
from hw_sim.hand.control import HandheldInHand
from hw_sim.hand.signals.hand import Hand
from hw_sim.hand.signals.light import LightScene
from hw_sim.panel import COLUMNS
from hw_sim.players.player_hand import PlayerHand

END_PAGE, WORDS_PAGE, HINT_PAGE = 2, 6, 7
LUX = 80.0
GLANCE_S, LOOK_S = 0.3, 1.6
TILT_DEG, TILT_S = 38.0, 0.8
TAKES, WAKES = 0.7, 0.1
"""How likely the player does what the panel asks for, and moves a dark handheld."""

HINTS = [
    text
    for text in Text
    if text.name.startswith("HINT_") and "{" not in book(ENGLISH).texts[key_of(text)]
]
"""The texts that the last line of a panel may show: gestures, without a player's name."""

AVOIDED = (
    Text.MORE, Text.END_MATCH, Text.LEAVE, Text.STOP_MATCH, Text.VOID_ROUND, Text.SCORES, Text.HELP,
)  # fmt: skip


@cache
def _ink(text: str, name: str) -> bytes:
    """Return a text as columns of eight rows, the lowest of which is the baseline."""
    ink = font.load(name).render(text)
    line = Bitmap(ink.mask.width, 8)
    line.paste(ink.mask, 0, 7 - ink.top)
    return line.columns[::8]


def shows(memory: bytes, page: int, text: Text | str) -> bool:
    """Whether a line of the panel, eight rows, has this text in it, in one of the two fonts."""
    line = b"\0" + memory[page * COLUMNS : (page + 1) * COLUMNS]
    return any(b"\0" + _ink(say(text, "en"), name) in line for name in (font.STRONG, font.SMALL))


def tells_the_end(memory: bytes) -> bool:
    """Whether the panel shows why the match is over."""
    rules = section("ending", ENGLISH)
    return any(shows(memory, END_PAGE, ending_key(rule)) for rule in rules)


def _offers_to_end(memory: bytes) -> bool:
    return any(shows(memory, WORDS_PAGE, text) for text in AVOIDED)


def hint_of(memory: bytes) -> str:
    """Return the name of the longest hint that the last line of the panel shows; "" for none."""
    found = [text for text in HINTS if shows(memory, HINT_PAGE, text)]
    return max(found, key=lambda text: len(say(text, "en"))).name if found else ""


class Player:
    """Somebody who holds a board and looks at its panel, for as long as `play` runs.

    ``tell`` gets the names of the hints as they change.
    """

    def __init__(
        self, board: SimulatedBoard, name: str, tell: Callable[[str], object] = print
    ) -> None:
        self._display = board.display
        self._tell = tell
        self._rng = Random(name)
        self.hand = Hand(self._rng, LightScene(self._rng, LUX))
        board.acceleration = self.hand.acceleration
        board.illuminance = self.hand.illuminance
        held = HandheldInHand(self.hand, board.touch, None, [])
        self._do = PlayerHand(held, lambda: None, self._rng)
        self.hint = ""
        """The name of what the last line asks for."""
        self.over = False

    async def play(self) -> None:
        """Do what the panel offers until it says that the match is over."""
        while not self.over:
            await asyncio.sleep(GLANCE_S)
            memory = bytes(self._display.memory)
            before, self.hint = self.hint, hint_of(memory) if self._display.is_on else ""
            if self.hint != before:
                self._tell(self.hint or "no hint")
            self.over = self.hint in ("HINT_TAP", "HINT_OVER") and tells_the_end(memory)
            if not self._display.is_on:
                if self._rng.random() < WAKES:
                    await self._tilt()
            elif self._rng.random() < TAKES:
                await self._follow(memory)
            elif "TILT" in self.hint:
                await self._tilt()

    async def _follow(self, memory: bytes) -> None:
        """Do what the last line asks for."""
        match self.hint:
            case "HINT_TILT_HOLD" | "HINT_TILT_TAP" if not _offers_to_end(memory):
                await (self._do.hold() if "HOLD" in self.hint else self._do.tap())
            case "HINT_TAP":
                await self._do.tap()
            case "HINT_SHAKE_ON" | "HINT_TAKE_BACK" | "HINT_COVER_AGAIN":
                pass
            case hint if "SHAKE" in hint:
                await self._do.cover()
                await self._do.shake(again=True)
            case hint if hint.startswith(("HINT_LIFT", "HINT_DOUBT", "HINT_COVER")):
                await self._do.lift()  # to cover, too: it must see light, then dark
                await asyncio.sleep(LOOK_S)
                await self._do.cover()
            case hint if "TILT" in hint:
                await self._tilt()

    async def _tilt(self) -> None:
        """Tilt to either side, and back."""
        loop = asyncio.get_running_loop()
        for roll_deg in (self._rng.choice((-1, 1)) * TILT_DEG, 0.0):
            ends_us = self.hand.tilt(now_us(loop), roll_deg, 0.0)
            await asyncio.sleep(ends_us / 1e6 - loop.time() + TILT_S)
