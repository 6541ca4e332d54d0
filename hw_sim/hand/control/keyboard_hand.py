"""A hand that follows the keys of a person: key presses become motion, light and touch.

A terminal sends a key again and again while it is held; the hand guesses its release from silence.
A browser sends press and release, and no repeats. Keys only move the hand: the handheld finds out
from its sensors whether that is a throw, a peek or an announcement.

The hand does one thing after the other. Only lifting goes on beside everything else, but a cup that
waits to fall closed is covered before a shake and a touch.

Numbers without a source are chosen.
"""

import asyncio
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from random import Random
from typing import Self

from drivers import now_us
from firmware.display.oled.pages.lists import most_pages
from firmware.display.screens import DialStrip, HelpPage, Screen
from hw_sim.hand.control import HandheldInHand, Lid, until
from hw_sim.hand.signals import leaning, us
from hw_sim.hand.signals.shakes import HeldShake, MadeUpShake, ShakeStyle


class Key(Enum):
    """The meanings of the keyboard's keys here."""

    SHAKE = auto()
    LIFT = auto()
    LIFT_TOGGLE = auto()
    LEFT = auto()
    RIGHT = auto()
    TAP = auto()
    HOLD = auto()
    QUIT = auto()


_SEQUENCES: Mapping[bytes, Key] = {
    b"\x1b[D": Key.LEFT,
    b"\x1b[C": Key.RIGHT,
    b"\x1bOD": Key.LEFT,
    b"\x1bOC": Key.RIGHT,
}
"""Cursor keys in both modes of a terminal (ECMA-48, and DEC's application mode)."""

_CHARACTERS: Mapping[bytes, Key] = {
    b" ": Key.SHAKE,
    b"l": Key.LIFT,
    b"u": Key.LIFT_TOGGLE,
    b"a": Key.LEFT,
    b"d": Key.RIGHT,
    b"\r": Key.TAP,
    b"\n": Key.TAP,
    b"t": Key.TAP,
    b"h": Key.HOLD,
    b"q": Key.QUIT,
    b"\x04": Key.QUIT,
}
_ESCAPE = b"\x1b"
_LONGEST_SEQUENCE = 8


class KeyReader:
    """Makes keys of the bytes a terminal sends; a sequence may come in pieces."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[Key]:
        """Add bytes, and return the keys that are complete now; what is no key here is left out."""
        data = self._rest + data
        keys: list[Key] = []
        while data:
            length = _first_length(data)
            if length is None:
                break
            first, data = data[:length], data[length:]
            key = _SEQUENCES.get(first) or _CHARACTERS.get(first.lower())
            if key is not None:
                keys.append(key)
        self._rest = data
        return keys


def _first_length(data: bytes) -> int | None:
    """How many bytes the first key has; None while it may go on."""
    if data[:1] != _ESCAPE:
        return 1
    if len(data) == 1:
        return None
    if data[1:2] == b"O":
        return 3 if len(data) >= 3 else None
    if data[1:2] != b"[":
        return 1
    for place in range(2, min(len(data), _LONGEST_SEQUENCE)):
        if 0x40 <= data[place] <= 0x7E:
            return place + 1
    return None if len(data) < _LONGEST_SEQUENCE else 1


SHAKE_US = us(1.5)
"""One press shakes for this time; held, it goes on …"""
SHAKE_ON_US = us(0.6)
"""… until this time after the last repeat, …"""
LONGEST_SHAKE_US = us(8.0)
"""… but no longer than this: the handheld takes ten seconds for no shake."""
TILTED_US = us(0.35)
"""One press tilts for this time if there is no dial. With a dial it tilts until the highlight has
visibly moved by an entry for every press …"""
SLOWEST_STEP_US = us(1.2)
"""… or has not moved for this time. A held key goes on …"""
TILTED_ON_US = us(0.15)
"""… until this time after the last repeat."""
SETTLE_US = us(0.55)
"""A dial takes as level the pose in which it is held for this time after it opened."""
TILT_STEPS = ((45, 54.0), (15, 40.0), (0, 26.0))
"""Tilts in degrees, by the least number of repeats of the key: steeper is faster …"""
REPEATS_PER_S, REPEATS_AFTER_US = 30, us(0.5)
"""… a key held without repeats counts at this rate, after this time …"""
HURRY = ((4, 45), (2, 15), (0, 0))
"""… and entries that are still to go count as these numbers of repeats."""
EASE_DEG = 12.0
"""From this tilt to the side on the near edge comes up: there is no other such pose."""
TURN_S = 0.12
TOUCH_US = us(0.3)
"""A tap: longer than a dozing pad takes to notice, shorter than half a hold."""
HOLD_US = us(1.2)
HOLD_ON_US = us(0.7)
"""A hold lasts until this time after the last repeat."""
CALM_US = us(0.45)
"""A finger that comes down sooner after a motion would be taken for a grip."""
REPEAT_US = us(0.08)
"""Terminals repeat a held key 20 times a second or more; nobody types so fast."""
SAME_PRESS_US = us(0.7)
"""Repeats of a key that began within this are one press, where a second one would do harm."""
MOST_WAITING = 6
"""The most presses that wait for the hand at once; more are forgotten."""
TAKEN_UP_US = us(0.2)
"""The time from taking a handheld up to moving it: meanwhile it sees how dark a covered cup is."""
_GLANCE_S = 0.03
_LONG_AGO_US = -us(60.0)


class Doing(Enum):
    """The hand's action, to be shown to the person."""

    SHAKING = auto()
    TILTING = auto()
    TOUCHING = auto()
    LIFTING = auto()


_DOING = {
    **dict.fromkeys((Key.LEFT, Key.RIGHT), Doing.TILTING),
    **dict.fromkeys((Key.TAP, Key.HOLD), Doing.TOUCHING),
    Key.SHAKE: Doing.SHAKING,
}


@dataclass(eq=False)
class _SeenDial:
    """A dial, or the pages of the help, as the panel shows them: ``index`` of ``count``."""

    page: object
    index: int
    count: int

    @classmethod
    def on(cls, screen: Screen) -> Self | None:
        """Return the dial on a screen; None if there is none."""
        dial = getattr(screen, "dial", None)
        if isinstance(dial, DialStrip):
            return cls((type(screen), dial.count), dial.index, dial.count)
        if isinstance(screen, HelpPage):
            return cls(HelpPage, screen.page, most_pages(screen.rules))
        return None


class KeyboardHand:
    """Moves a hand as keys are pressed; run `play` beside the handheld.

    Args:
        held: the handheld that it holds.
        rng: how this person shakes.

    ``lid`` is its cup's.
    """

    def __init__(self, held: HandheldInHand, rng: Random) -> None:
        self.lid = Lid(held)
        self._held = held
        self._hand = held.hand
        self._rng = rng
        self._loop = asyncio.get_running_loop()
        self._pressed_us: dict[Key, int] = {}
        self._down: set[Key] = set()
        self._waiting: deque[Key] = deque()
        self._woken = asyncio.Event()
        self._busy: Key | None = None
        self._ready_us = self._now_us + TAKEN_UP_US
        self._until_us = 0
        self._repeats = 0
        self._steps = 0
        self._dial: _SeenDial | None = None
        self._dial_since_us = 0
        self._settled: _SeenDial | None = None
        held.on_show.append(self._look)

    @property
    def doing(self) -> list[Doing]:
        """The hand's present actions."""
        doing = [] if self._busy is None else [_DOING[self._busy]]
        return [*doing, Doing.LIFTING] if self.lid.is_open else doing

    def hold(self, key: Key) -> None:
        """A key went down, and stays so until `release`."""
        if key not in self._down:
            self._down.add(key)
            self.press(key)

    def release(self, key: Key) -> None:
        """A key that is held came up."""
        self._down.discard(key)

    def press(self, key: Key) -> None:
        """A key came from the keyboard, pressed or repeated; nobody will say that it came up."""
        now_us = self._now_us
        since_us = now_us - self._pressed_us.get(key, _LONG_AGO_US)
        self._pressed_us[key] = now_us
        match key:
            case Key.LIFT:
                self.lid.press()
            case Key.LIFT_TOGGLE:
                if since_us >= REPEAT_US:
                    self.lid.toggle()
            case Key.LEFT | Key.RIGHT:
                self._press_arrow(key, since_us)
            case Key.SHAKE | Key.TAP | Key.HOLD:
                self._press_once(key, since_us)
            case Key.QUIT:
                pass

    def turn(self, key: Key, entries: int) -> None:
        """Tilt as ``entries`` presses of an arrow would."""
        self._ask_for(key, entries)

    async def play(self) -> None:
        """Do what is asked for, one thing after the other, until cancelled."""
        try:
            while True:
                await self._woken.wait()
                while self._waiting:
                    self._busy = self._waiting.popleft()
                    await self._do(self._busy)
                    self._busy = None
                self._woken.clear()
        finally:
            self.lid.stop()

    # Presses while an action goes on

    def _press_arrow(self, key: Key, since_us: int) -> None:
        repeated = since_us < REPEAT_US and key not in self._down
        if self._busy is key and self._steps:
            if repeated:
                self._repeats += 1
                self._until_us = self._now_us + TILTED_ON_US
            else:
                self._steps += 1
        elif not repeated or key not in self._waiting:
            self._ask_for(key)

    def _press_once(self, key: Key, since_us: int) -> None:
        if self._busy is key:
            on_us = SHAKE_ON_US if key is Key.SHAKE else HOLD_ON_US
            self._until_us = max(self._until_us, self._now_us + on_us)
        elif since_us > SAME_PRESS_US or key in self._down:
            self._ask_for(key)

    def _ask_for(self, key: Key, times: int = 1) -> None:
        if len(self._waiting) < MOST_WAITING:
            self._waiting.extend([key] * times)
            self._woken.set()

    # Motion and touch, one after the other

    async def _do(self, key: Key) -> None:
        self._repeats = 0
        await until(self._ready_us)
        if key not in (Key.LEFT, Key.RIGHT):
            await until(self.lid.make_way())
        match key:
            case Key.SHAKE:
                await self._shake()
            case Key.LEFT:
                await self._tilt(key, -1)
            case Key.RIGHT:
                await self._tilt(key, 1)
            case Key.TAP:
                await self._touch(TOUCH_US, stays=False)
            case _:
                await self._touch(HOLD_US, stays=True)

    async def _shake(self) -> None:
        hand, person = self._hand, self._hand.person
        start_us = max(self._now_us, hand.free_us)
        style = ShakeStyle.drawn(
            self._rng, rate_hz=person.shake_hz, peak_g=person.shake_g, settle_s=person.settle_s
        )
        rest = hand.motion.pose
        shaking = leaning(self._rng.uniform(-30.0, 30.0), self._rng.uniform(-30.0, 30.0))
        lasts_s = (LONGEST_SHAKE_US + HeldShake.FADE_US) / 1e6 + 1.0
        self._until_us = start_us + SHAKE_US
        shake = HeldShake(
            MadeUpShake(start_us, lasts_s, style, rest, shaking, rest), self._until_us
        )
        hand.motion.add(shake)
        self.lid.follow_shake(shake.end_us)
        last_us = start_us + LONGEST_SHAKE_US
        while self._now_us < shake.stop_us - us(2 * _GLANCE_S):
            await asyncio.sleep(_GLANCE_S)
            if Key.SHAKE in self._down:
                self._until_us = max(self._until_us, self._now_us + us(4 * _GLANCE_S))
            stop_us = min(self._until_us, last_us)
            if stop_us > shake.stop_us > self._now_us:
                shake.stop_us = stop_us
                hand.motion.wait_until(shake.end_us)
                self.lid.follow_shake(shake.end_us)
        await until(shake.end_us)

    async def _tilt(self, key: Key, direction: int) -> None:
        hand = self._hand
        self._steps = 1
        while self._waiting and self._waiting[0] is key:
            self._waiting.popleft()
            self._steps += 1
        dial = self._dial
        if dial is not self._settled:  # a dial that a page hides needs the same time
            await until(max(self._dial_since_us, hand.free_us) + SETTLE_US)
            self._settled = dial
        began_us = moved_us = self._until_us = self._now_us
        start = index = dial.index if dial is not None else 0
        tilted_deg = 0.0
        while True:
            now_us, at_end = self._now_us, False
            if dial is None or dial is not self._dial:
                done = now_us - began_us >= TILTED_US
            else:
                if index != dial.index:
                    index, moved_us = dial.index, now_us
                at_end = index == (0 if direction < 0 else dial.count - 1)
                done = at_end or abs(index - start) >= self._steps
                done = done or now_us - moved_us > SLOWEST_STEP_US
            held = key in self._down
            if done and now_us >= self._until_us and not (held and not at_end):
                break
            held_us = now_us - began_us - REPEATS_AFTER_US if held else 0
            wanted = self._steps - abs(index - start)
            repeats = max(
                self._repeats,
                REPEATS_PER_S * held_us // us(1.0),
                next(repeats for steps, repeats in HURRY if wanted >= steps or not steps),
            )
            steep_deg = next(deg for least, deg in TILT_STEPS if repeats >= least)
            if steep_deg != tilted_deg:
                tilted_deg = steep_deg
                await until(hand.tilt(now_us, direction * steep_deg, EASE_DEG, TURN_S))
            await asyncio.sleep(_GLANCE_S)
        self._steps = 0
        await until(hand.level(self._now_us, TURN_S))

    def _look(self, screen: Screen) -> None:
        """Follow the dial on the panel; one that was not there before is another one."""
        dial = _SeenDial.on(screen)
        if dial is not None and self._dial is not None and self._dial.page == dial.page:
            self._dial.index = dial.index
        elif dial is not self._dial:
            self._dial = dial
            self._dial_since_us = self._now_us

    async def _touch(self, lasts_us: int, *, stays: bool) -> None:
        await until(self._hand.free_us + CALM_US)
        self._until_us = self._now_us + lasts_us
        last_us = self._until_us
        self._hand.hold(self._now_us, lasts_us / 1e6)
        self._held.touch(True)
        try:
            while self._now_us < (self._until_us if stays else last_us) or (
                stays and Key.HOLD in self._down
            ):
                await asyncio.sleep(_GLANCE_S)
        finally:
            self._held.touch(False)

    @property
    def _now_us(self) -> int:
        return now_us(self._loop)
