"""A simulated player's hand on their handheld: one gesture after the other, and nothing else.

It goes by the dial on its own display alone: which dial there is, and its highlight.
"""

import asyncio
from collections.abc import Callable
from random import Random

from drivers.time import now_us
from firmware.input.controls.dial import Choice, Dial
from hw_sim.hand.control.lid import HandheldInHand
from hw_sim.hand.signals.hand import Press
from hw_sim.hand.signals.motion import us
from hw_sim.players.personality import USUAL

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
"""A highlight may go too far so often before the player suspects their own pose."""
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
        await self._until(self._hand.shake(self._now_us, duration_s))
        await asyncio.sleep(tempo.after_shake_s)

    async def lift(self) -> None:
        """Uncover the light sensor."""
        await self._until(self._held.lift(self._now_us))

    async def cover(self) -> None:
        """Cover the light sensor, where it is not covered."""
        if self._hand.openness(self._now_us) > 0.0:
            await self._until(self._held.cover(self._now_us))
            await asyncio.sleep(self.tempo.covered_s)

    async def drop(self) -> None:
        """Let the handheld fall, and take it up again."""
        await self._until(self._hand.drop(self._now_us))
        await self.pause(LIES_S)
        await self._until(self._hand.take_up(self._now_us))
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
        await self._until(since_us + us(tempo.settle_s))
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
        await self._until(self._hand.tilt(self._now_us, angle_deg, 0.0, over_s))

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
        await self._until(press.down_us)
        self._held.touch(True)
        if meanwhile is not None:
            await self._until(press.up_us - 200_000)
            meanwhile()
        await self._until(press.up_us)
        self._held.touch(False)
        await asyncio.sleep(self.tempo.free_s)

    @property
    def _now_us(self) -> int:
        return now_us(self._loop)

    async def _until(self, t_us: int) -> None:
        delay_us = t_us - self._now_us
        if delay_us > 0:
            await asyncio.sleep(delay_us / 1e6)


def _side(entries: int) -> int:
    """1 for entries to the right of the highlight, -1 for those to the left."""
    return 1 if entries > 0 else -1
