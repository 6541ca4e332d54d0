"""A simulated player's hand on their handheld, and how people play: pace, motion, accidents.

The hand makes one gesture after the other, and nothing else. It goes by the dial on its own display
alone: which dial there is, and its highlight.

Numbers without a source are chosen.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Self

from drivers import now_us
from firmware.bots.bot import Bot
from firmware.input.controls import Choice, Dial
from hw_sim.hand.control import HandheldInHand, until
from hw_sim.hand.signals import us
from hw_sim.hand.signals.hand import Press


@dataclass(frozen=True)
class Slips:
    """A player's clumsiness and honesty; every value is a chance from 0 to 1.

    Attributes:
        drops: to drop the handheld, each time the player is to act with the cup.
        shakes: to shake it while the cup is on offer, each time the player glances at it.
        honest: to let a fault count that the handheld has noticed.
    """

    drops: float = 0.0
    shakes: float = 0.0
    honest: float = 0.8

    @classmethod
    def drawn(cls, rng: Random) -> Self:
        """Draw somebody; most are seldom clumsy."""
        return cls(
            drops=rng.uniform(0.0, 0.006),
            shakes=rng.uniform(0.0, 0.004),
            honest=rng.uniform(0.5, 1.0),
        )


Seconds = tuple[float, float]
"""Drawn between these two bounds, in virtual seconds."""


@dataclass(frozen=True)
class Tempo:
    """How long things take; the defaults are those of people who play for the first time.

    Attributes:
        reaction_s: until the player notices a change.
        thinking_s: until the player has decided.
        looking_s: how long dice are looked at.
        reading_s: how long a verdict is looked at.
        said_s: how long an announcement stands before it is said.
        done_s: after a choice that needs no more.
        shake_s, again_s: how long a shake lasts, for a first throw and for another.
        after_shake_s: the handheld wants rest before it has rolled.
        covered_s: after covering, until the handheld has noticed.
        glance_s: between two looks at the display during an action.
        settle_s: level and still for this time, a dial finds its neutral pose.
        settles: whether the player waits for that before every tilt, else only since the dial
            opened.
        steep_deg: the tilt, by how many entries are more than still to go.
        tilt_s: how long a tilt takes; None: as long as the person's do.
        checks_s: how long the player checks that the highlight stays.
        tap_s: how long a tap lasts; None: as long as the person's do.
        free_s: from one touch until the next thing.
    """

    reaction_s: Seconds = (0.4, 1.2)
    thinking_s: Seconds = (0.6, 2.2)
    looking_s: Seconds = (1.0, 2.0)
    reading_s: Seconds = (1.5, 3.5)
    said_s: float = 1.2
    done_s: float = 0.3
    shake_s: Seconds = (1.2, 2.2)
    again_s: Seconds = (1.8, 2.8)
    after_shake_s: float = 0.9
    covered_s: float = 0.3
    glance_s: float = 0.1
    settle_s: float = 0.55
    settles: bool = True
    steep_deg: tuple[tuple[int, float], ...] = ((9, 54.0), (3, 40.0), (0, 26.0))
    tilt_s: float | None = None
    checks_s: float = 0.45
    tap_s: float | None = None
    free_s: float = 0.25


USUAL = Tempo()
BRISK = Tempo(
    reaction_s=(0.1, 0.2),
    thinking_s=(0.0, 0.3),
    looking_s=(0.4, 0.6),
    reading_s=(1.5, 2.5),
    said_s=0.1,
    done_s=0.1,
    shake_s=(1.0, 1.3),
    again_s=(1.5, 1.8),
    after_shake_s=0.55,
    covered_s=0.2,
    glance_s=0.03,
    settle_s=0.5,
    settles=False,
    steep_deg=((2, 54.0), (0, 40.0)),
    tilt_s=0.12,
    checks_s=0.3,
    tap_s=0.24,
    free_s=0.05,
)
"""At a table where people play: nobody waits for a bot longer than its handheld needs."""


@dataclass(frozen=True)
class PlayerPersonality(Bot):
    """How a person plays; both values are chances from 0 to 1.

    Attributes:
        physical: to shake and lift rather than choose on the dial.
        nosy: to lift the cup when no peek is due.
    """

    physical: float = field(kw_only=True)
    nosy: float = field(kw_only=True)

    @classmethod
    def drawn(cls, rng: Random) -> Self:
        """Draw every value, from ``rng`` alone."""
        bot = Bot.drawn(rng)
        return cls(
            bot.trust,
            bot.daring,
            bot.lazy,
            physical=rng.uniform(0.8, 1.0),
            nosy=rng.uniform(0.0, 0.2),
        )


HOLD_S = 1.0
DENIAL_DEG = 40.0
"""The tilt that says no."""
DENIAL_S = 0.6
PATIENCE_S = 20.0
"""The time after which the player gives up on a dial that does not reach its entry."""
STUBBORN_US = 1_800_000
"""A highlight that has not moved for this time needs a steeper tilt, …"""
BIAS_DEG = 12.0
"""… by so much, …"""
MOST_BIAS_DEG = 54.0
"""… up to this. If that does not help either, the player holds the handheld as usual until the dial
takes that for level."""
RELEARN_S = 2.0
"""The time for which the player holds it still for that."""
SLIPS = 1
"""Times a highlight may go too far before the player suspects their own pose."""
LIES_S = (0.5, 2.0)
"""How long a handheld lies where it fell."""


class PlayerHand:
    """One hand, and what it can do.

    Args:
        held: the handheld.
        dial: the dial on the display; None while there is none.
        rng: seeded source of how long things take.
        place: what must not change under a tilt, which else comes to nothing.

    ``tempo`` is how quick it is.
    """

    def __init__(
        self,
        held: HandheldInHand,
        dial: Callable[[], Dial | None],
        rng: Random,
        place: Callable[[], object] = lambda: None,
    ) -> None:
        self.tempo = USUAL
        self._dial = dial
        self._place = place
        self._held = held
        self._hand = held.hand
        self._rng = rng
        self._loop = asyncio.get_running_loop()
        self._tilted: Dial | None = None
        self._bias_deg = 0.0
        """The player's deviation from the usual pose that keeps the highlight in place."""
        self._strays = 0
        self._angle_deg: float | None = None
        self._seen: Dial | None = None
        self._seen_us = 0

    async def shake(self, *, again: bool) -> None:
        """Shake as for a first throw, or as for another."""
        tempo = self.tempo
        duration_s = self._rng.uniform(*(tempo.again_s if again else tempo.shake_s))
        await until(self._hand.shake(self._now_us, duration_s))
        await asyncio.sleep(tempo.after_shake_s)

    async def lift(self) -> None:
        """Uncover the light sensor."""
        await until(self._held.lift(self._now_us))

    async def cover(self) -> None:
        """Cover the light sensor, where it is not covered."""
        if self._hand.openness(self._now_us) > 0.0:
            await until(self._held.cover(self._now_us))
            await asyncio.sleep(self.tempo.covered_s)

    async def drop(self) -> None:
        """Let the handheld fall, and take it up again."""
        await until(self._hand.drop(self._now_us))
        await self.pause(LIES_S)
        await until(self._hand.take_up(self._now_us))
        await asyncio.sleep(self.tempo.settle_s)

    async def tap(self) -> None:
        """Tap the pad, and wait until the finger is off it."""
        now_us, tap_s = self._now_us, self.tempo.tap_s
        await self._press(
            self._hand.tap(now_us) if tap_s is None else self._hand.hold(now_us, tap_s)
        )

    async def hold(
        self, hold_s: float = HOLD_S, meanwhile: Callable[[], None] | None = None
    ) -> None:
        """Hold the pad; ``meanwhile`` is done shortly before the finger leaves it."""
        await self._press(self._hand.hold(self._now_us, hold_s), meanwhile)

    async def deny(self) -> None:
        """Deny a sensed fault by a tilt, from a level pose and back to it."""
        for angle_deg in (0.0, DENIAL_DEG):
            await self._tilt(angle_deg)
            await asyncio.sleep(DENIAL_S)
        await self._tilt(0.0)

    async def choose(
        self,
        choice: Choice,
        *,
        hold_s: float = HOLD_S,
        meanwhile: Callable[[], None] | None = None,
    ) -> bool:
        """Tilt to an entry of the dial, then tap or hold. Returns whether it came to that.

        If the dial asks for a hold, it lasts ``hold_s``; for ``meanwhile`` see ``hold``.
        """
        found = await self._tilt_to(choice)
        dial = self._dial()
        if not found or dial is None or dial.entry.choice != choice:
            return False
        if dial.entry.holds:
            await self.hold(hold_s, meanwhile)
        else:
            await self.tap()
        return True

    async def pause(self, seconds: tuple[float, float]) -> None:
        """Wait for a time drawn between two bounds in virtual seconds."""
        await asyncio.sleep(self._rng.uniform(*seconds))
        self._notice_dial()

    async def _tilt_to(self, choice: Choice) -> bool:
        place, tempo = self._place(), self.tempo
        self._notice_dial()
        if tempo.settles or self._angle_deg != self._bias_deg:
            await self._tilt(self._bias_deg)
        since_us = self._now_us if tempo.settles else self._seen_us
        await until(since_us + us(tempo.settle_s))
        started_us = moved_us = self._now_us
        tilted_deg, index = 0.0, -1
        while self._now_us - started_us < PATIENCE_S * 1e6:
            dial = self._dial()
            target = None if dial is None else dial.index_of(choice)
            if dial is None or target is None or self._place() != place:
                break
            if dial is not self._tilted:  # it may take another pose for level; mostly the usual one
                self._tilted, self._bias_deg, self._strays = dial, 0.0, 0
            togo = target - dial.index
            if togo == 0:
                await self._tilt(self._bias_deg, tempo.tilt_s or 0.15)
                await asyncio.sleep(tempo.checks_s)
                if self._dial() is dial and dial.index == target:
                    return True
                await self._strayed(dial.index - target)
                tilted_deg, moved_us = 0.0, self._now_us
                continue
            if dial.index != index:
                index, moved_us = dial.index, self._now_us
            elif self._now_us - moved_us > STUBBORN_US:
                await self._lean_by(BIAS_DEG * _side(togo))
                moved_us = self._now_us
                continue
            steep_deg = next(deg for steps, deg in tempo.steep_deg if abs(togo) > steps)
            angle_deg = self._bias_deg + steep_deg * _side(togo)
            if angle_deg != tilted_deg:
                tilted_deg = angle_deg
                await self._tilt(angle_deg)
            await asyncio.sleep(tempo.glance_s)
        await self._tilt(self._bias_deg)
        return False

    async def _tilt(self, angle_deg: float, over_s: float | None = None) -> None:
        """Tilt away from the usual pose; the highlight stays where that comes to the bias."""
        self._angle_deg = angle_deg
        over_s = self.tempo.tilt_s if over_s is None else over_s
        await until(self._hand.tilt(self._now_us, angle_deg, 0.0, over_s))

    def _notice_dial(self) -> None:
        """Remember since when this dial is on the display."""
        if self._dial() is not self._seen:
            self._seen, self._seen_us = self._dial(), self._now_us

    async def _lean_by(self, angle_deg: float) -> None:
        """Hold it further to one side; past `MOST_BIAS_DEG` begin again with the usual pose."""
        self._bias_deg += angle_deg
        if abs(self._bias_deg) > MOST_BIAS_DEG:
            self._bias_deg = 0.0
            await self._tilt(0.0)
            await asyncio.sleep(RELEARN_S)

    async def _strayed(self, entries: int) -> None:
        """The highlight did not stay. Once is a slip; if it runs away, "level" is not level.

        A dial that opens while the handheld lies somewhere takes that pose for the level one.
        """
        step = _side(entries)
        self._strays = step if self._strays * step < 0 else self._strays + step
        if abs(self._strays) > SLIPS:
            self._strays = 0
            await self._lean_by(BIAS_DEG * _side(-entries))

    async def _press(self, press: Press, meanwhile: Callable[[], None] | None = None) -> None:
        await until(press.down_us)
        self._held.touch(True)
        if meanwhile is not None:
            await until(press.up_us - 200_000)
            meanwhile()
        await until(press.up_us)
        self._held.touch(False)
        await asyncio.sleep(self.tempo.free_s)

    @property
    def _now_us(self) -> int:
        return now_us(self._loop)


def _side(entries: int) -> int:
    """1 for entries to the right of the highlight, -1 for those to the left."""
    return 1 if entries > 0 else -1
