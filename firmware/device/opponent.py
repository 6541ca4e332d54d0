"""The built-in opponent: plays one seat by itself, from what the display there shows.

It uses its seat's core as a player does, by dial, taps and holds. It decides by the ``PlayView`` of
its own seat alone, and pauses so that people can follow.
"""

from collections.abc import Callable
from random import Random

from firmware.bots.intent import Memory, intent, waits
from firmware.bots.kinds import drawn
from firmware.display.screens import GestureKind, Meaning
from firmware.display.screens.ways import meaning_of
from firmware.input.gestures.gesture import Gesture, Held, Pressed, Released, Tap
from firmware.play.handheld import Handheld
from firmware.settings.model import Opponents
from firmware.table.seat.position import ACTING

THINKING_S = (1.6, 3.2)
"""Least and most seconds from one thing it does to the next …"""
READING_S = (4.0, 5.0)
"""… and how long the end of a round stands before it goes on."""


class Opponent:
    """Plays a seat until the match is over.

    Args:
        core: the seat it plays; it uses only the ``view`` and the dial.
        do: makes that core handle a gesture.
        rng: seeded source of its personality, its decisions and its pauses.
        kind: how it plays.
    """

    def __init__(
        self,
        core: Handheld,
        do: Callable[[Gesture], None],
        rng: Random,
        kind: Opponents = "usual",
    ) -> None:
        self.due_us: int | None = None
        """When ``act`` does something, in µs; None while it has nothing to do."""
        self._core = core
        self._do = do
        self._rng = rng
        self._bot = drawn(kind, rng)
        self._bot.prepare(core.match.rules, len(core.match.players))
        self._memory = Memory()
        self._watched: int | None = None

    def plan(self, now_us: int) -> None:
        """Set ``due_us`` if there is something to do; ``act`` does it at that time."""
        if self._core.match.turn != self._watched:  # how many actions there were is public
            self._watched = self._core.match.turn
            self._memory.watch(self._core.view())
            self._bot.prepare_round(self._core.match)
        if self._core.position not in ACTING:
            self.due_us = None
        elif self.due_us is None:
            pause_s = READING_S if self._core.view().reads_end else THINKING_S
            self.due_us = now_us + round(self._rng.uniform(*pause_s) * 1e6)

    def act(self, now_us: int) -> None:
        """If ``due_us`` has come, highlight one entry of the dial, and tap or hold it."""
        if self.due_us is None or now_us < self.due_us:
            return
        self.due_us = None
        view = self._core.view()
        if waits(view):
            return
        choice = intent(view, self._memory, self._bot, self._rng)
        dial = self._core.dial
        index = None if dial is None or choice is None else dial.index_of(choice)
        if dial is None or index is None:
            return
        if meaning_of(self._core.screen, GestureKind.TAP) is Meaning.GO_ON:
            self._do(Pressed(now_us))
            self._do(Tap(now_us))
        dial.index = index
        self._do(Pressed(now_us))
        if not dial.entry.holds:
            self._do(Tap(now_us))
            return
        self._do(Held(now_us))
        self._read()
        self._do(Released(now_us))

    def _read(self) -> None:
        """Remember the own dice on the display: a look lasts no longer than a hold."""
        view = self._core.view()
        if view.own_dice is not None:
            self._memory.read(view.own_dice, view.match.turn, tower=view.tower)
        elif view.lifted and view.thrown is not None:
            self._memory.read(view.thrown.dice, view.match.turn)
