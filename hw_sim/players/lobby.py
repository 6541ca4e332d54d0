"""Somebody with a handheld that knows nobody: comes to a table, plays, and plays again."""

import asyncio
from collections.abc import Callable
from functools import partial
from random import Random

from firmware.device.device import Device
from firmware.display.screens import Item, MatchOverPage, Phrase, QuestionPage
from firmware.display.text.labels import Text, game_name
from firmware.lobby.questions import AFAR
from firmware.play.handheld import Handheld
from game import AnyMatch, AnyRules
from game.dice import Dice
from hw_sim.hand.control.lid import HandheldInHand
from hw_sim.players.player import Player
from hw_sim.players.player_hand import PlayerHand

PATIENCE_S = 240.0
"""Nobody waits longer than this for the others."""
GLANCE_S = 0.2
READING_S = (1.0, 2.5)
EFFECT_S = 2.0
"""The time that a player waits for a choice or a tap to show before they try again."""
ATTEMPTS = 5


class LobbyError(Exception):
    """Somebody waited in vain; its text is one line, and a note tells the screen."""


class LobbyPlayer:
    """One person with a handheld that has just been switched on.

    Args:
        name: as the lobby calls the person.
        seed: decides how the person moves and plays.
        device: only its display is looked at.
        held: returns the same in the person's hand.
        read_dice: reads dice off the panel; None while there are none.
        leaks: returns what the watcher of the match that is played saw.

    ``over`` are the matches played to their end, ``leaks`` what the watchers saw in them.
    """

    def __init__(
        self,
        name: str,
        seed: str,
        device: Device,
        held: Callable[[], HandheldInHand],
        read_dice: Callable[[], Dice | None],
        leaks: Callable[[], list[str]],
    ) -> None:
        self.name = name
        self.over: list[AnyMatch] = []
        self.leaks: list[str] = []
        self._seed = seed
        self._device = device
        self._held = held
        self._read_dice = read_dice
        self._leaks = leaks
        self._rng = Random(f"guest {seed}")

    async def make_room(self) -> str:
        """Make a room at a broker, and read its code off the display."""
        await self.choose(AFAR)
        await self.choose(Text.OPEN_TABLE)
        await self.until(lambda: self._room is not None)
        assert self._room is not None, "it is on the display"
        return self._room

    async def enter_room(self, code: str) -> None:
        """Enter the room of a code that somebody has read out."""
        await self.choose(AFAR)
        await self.choose(Text.JOIN_TABLE)
        for digit in code:
            await self.choose(digit)

    @property
    def _room(self) -> str | None:
        screen = self._device.screen
        lines = screen.lines if isinstance(screen, QuestionPage) else ()
        rooms = [line.name for line in lines if isinstance(line, Phrase)]
        return next((name for name in rooms if isinstance(name, str) and name.isdecimal()), None)

    async def invite(self, rules: AnyRules, names: tuple[str, ...], first: str) -> None:
        """Open a table, wait until ``names`` are there, and seat them in this order.

        ``first`` opens. As every wait below, it may fail:

        Raises:
            LobbyError: the display did not become what is waited for within `PATIENCE_S`.
        """
        await self.choose(Text.OPEN_TABLE)
        await self.choose(Phrase(game_name(rules.game)))
        await self.choose(Text.GO_ON)
        await self.until(lambda: sorted(self._lines) == sorted(names))
        await self.choose(Text.ALL_HERE)
        await self._seat(names)
        await self.choose(Text.GO_ON)
        await self.choose(first)
        await self.compare()

    async def join(self, host: str, *, watches: bool = False) -> None:
        """Take a place at the table of the host of this name, to play or watch; compare numbers."""
        await self.choose(Text.WATCH_TABLE if watches else Text.JOIN_TABLE)
        await self.choose(Phrase(Text.TABLE_OF, name=host))
        await self.compare()

    async def compare(self) -> None:
        """Wait for the numbers, tap that they are the same, and wait for the match to begin."""
        await self.until(lambda: self._hint is Text.HINT_SAME_NUMBERS)
        await self._tap_until(lambda: self._page[0] is not Text.SAME_NUMBERS)
        await self.until(lambda: isinstance(self._device.core, Handheld))

    async def play(self, clumsy: bool) -> None:
        """Play the match that has begun to its end; adds to ``over`` and ``leaks``."""
        core = self._device.core
        assert isinstance(core, Handheld), "a match has begun"
        seeded = f"{self._seed}/{len(self.over)}"
        clumsiness = Random(f"clumsy {seeded}") if clumsy else None
        rng = Random(f"player {seeded}")
        player = Player(core, self._held(), self._read_dice, rng, clumsiness)
        await player.play()
        await self.until(lambda: isinstance(self._device.screen, MatchOverPage))
        self.leaks += self._leaks()
        self.over.append(core.match)

    async def again(self) -> None:
        """Leave the page of the end, choose another match, and wait for its core."""
        before = self._device.core
        await self._tap_until(lambda: not isinstance(self._device.screen, MatchOverPage))
        await self.choose(Text.AGAIN)
        await self.until(lambda: self._device.core is not before)

    async def choose(self, item: Item) -> None:
        """Wait until ``item`` is on the dial, tilt to it, and tap or hold; in `ATTEMPTS`.

        One that has no effect within `EFFECT_S` was none.
        """
        for _ in range(ATTEMPTS):
            await self.until(lambda: self._device.pick(item) is not None)
            pick, page = self._device.pick(item), self._page
            await self._pause()
            chosen = pick is not None and await self._handling().choose(pick)
            if chosen and await self._shows(partial(self._is_past, item, page)):
                return
        raise self._vain("cannot choose what is to come next")

    def _is_past(self, item: Item, page: object) -> bool:
        return self._device.pick(item) is None or self._page != page

    async def _tap_until(self, done: Callable[[], bool]) -> None:
        """Tap until ``done`` is true, in `ATTEMPTS`: a pad that dozes may miss a short tap."""
        for _ in range(ATTEMPTS):
            await self._pause()
            await self._handling().tap()
            if await self._shows(done):
                return
        raise self._vain("taps to no effect")

    async def _shows(self, done: Callable[[], bool]) -> bool:
        """Return whether ``done`` becomes true within `EFFECT_S`."""
        for _ in range(round(EFFECT_S / GLANCE_S)):
            if done():
                return True
            await asyncio.sleep(GLANCE_S)
        return False

    def _vain(self, what: str) -> LobbyError:
        error = LobbyError(f"{self.name} {what}: the evening is over")
        error.add_note(f"the display shows {self._device.screen}")
        return error

    async def until(self, done: Callable[[], bool]) -> None:
        """Wait until ``done`` is true, looking every `GLANCE_S` virtual seconds."""
        for _ in range(round(PATIENCE_S / GLANCE_S)):
            if done():
                return
            await asyncio.sleep(GLANCE_S)
        raise self._vain(f"has waited {PATIENCE_S:.0f} s in vain for the others")

    async def _seat(self, names: tuple[str, ...]) -> None:
        """Move people until they sit in the order of ``names``."""
        for place, name in enumerate(names):
            while self._lines.index(name) != place:
                await self.choose(self._lines[self._lines.index(name) - 1])
                await asyncio.sleep(GLANCE_S)

    @property
    def _page(self) -> tuple[Item | None, tuple[str, ...]]:
        """The part of the screen that changes when a choice leaves its item on the dial."""
        screen = self._device.screen
        title = screen.title if isinstance(screen, QuestionPage) else None
        return title, self._lines if title is Text.SEATS else ()

    @property
    def _lines(self) -> tuple[str, ...]:
        screen = self._device.screen
        lines = screen.lines if isinstance(screen, QuestionPage) else ()
        return tuple(line for line in lines if isinstance(line, str))

    @property
    def _hint(self) -> Text | None:
        screen = self._device.screen
        return screen.hint if isinstance(screen, QuestionPage) else None

    def _handling(self) -> PlayerHand:
        return PlayerHand(self._held(), lambda: self._device.dial, self._rng)

    async def _pause(self) -> None:
        await asyncio.sleep(self._rng.uniform(*READING_S))
