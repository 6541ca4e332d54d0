"""Simulated players: they look at their own panel and move their own hand, nothing else.

What a player knows comes from his handheld's display: the screen it shows and the entry its dial
highlights. Dice he reads from the display's memory, as a person reads them from the glass.
"""

import asyncio
from collections.abc import Callable
from random import Random

from firmware.dial import Choice
from firmware.handheld import Handheld
from firmware.texts import Message
from firmware.turn import Position, may_look
from game import Phase
from game.actions import Announce, Doubt, Look, Roll
from game.values import Dice, value_of
from hw_sim.hand import Hand, Press
from hw_sim.manners import Manners
from hw_sim.secrecy import DiceWatch

GLANCE_S = 0.1
"""A player looks at his display this often while he does something with it."""
REACTION_S = (0.4, 1.2)
"""Until he notices that something has changed."""
THINKING_S = (0.6, 2.2)
"""Until he has decided."""
SHAKE_S = (1.2, 2.2)
SHAKE_AGAIN_S = (1.8, 2.8)
AFTER_SHAKE_S = 0.9
"""The handheld wants rest before it has rolled."""
LOOKING_S = (1.0, 2.0)
READING_S = (1.5, 3.5)
"""How long a verdict is looked at."""
HOLD_S = 1.0
SETTLE_S = 0.55
"""Level and still for so long, a dial finds its neutral pose."""
TILTS_DEG = ((9, 54.0), (3, 40.0), (0, 26.0))
"""How far he tilts, by how many entries are still to go."""
PATIENCE_S = 20.0
"""He gives up on a dial that does not get where he wants."""


class Player:
    """Plays one seat until the match is over.

    Args:
        handheld: only its display is looked at: ``screen``, ``dial``, ``position``.
        read_dice: reads dice off the panel; None while there are none.
        touch: puts a finger on the pad (True) or takes it off.
        hand: the hand that holds it.
        rng: his mind.
        watch: is told when the hand covers or lifts; he learns nothing from it.
    """

    def __init__(
        self,
        handheld: Handheld,
        read_dice: Callable[[], Dice | None],
        touch: Callable[[bool], None],
        hand: Hand,
        rng: Random,
        watch: DiceWatch,
    ) -> None:
        self.seat = handheld.seat
        self.manners = Manners.drawn(rng)
        self._handheld = handheld
        self._read_dice = read_dice
        self._touch = touch
        self._hand = hand
        self._rng = rng
        self._watch = watch
        self._loop = asyncio.get_running_loop()
        self._seen: int | None = None

    @property
    def _now_us(self) -> int:
        return round(self._loop.time() * 1e6)

    async def play(self) -> None:
        """Play until the match is over on the own display."""
        while self._handheld.position not in (Position.OVER, Position.STOPPED):
            await self._pause(REACTION_S)
            await self._act()

    async def _act(self) -> None:
        handheld = self._handheld
        if handheld.notice is not None and handheld.notice.message is Message.COVER_CUP:
            await self._cover_again()
        if handheld.faults or handheld.notice is not None:
            return
        match handheld.position:
            case Position.OFFERED if handheld.offer_armed:
                await self._answer()
            case Position.TO_PASS:
                await self._pause(READING_S)
                await self._cover()
                await self._choose(handheld.dial.entries[-1].choice if handheld.dial else None)
            case Position.MINE:
                await self._cover()
                await self._take_turn()
            case Position.WATCHING | Position.PASSING:
                await self._cover()
            case _:
                pass

    async def _answer(self) -> None:
        announced = self._handheld.match.announced
        assert announced is not None, "an offer has an announcement"
        await self._pause(THINKING_S)
        choice = self.manners.answer(announced, self._options(), self._rng)
        if choice == Doubt() and self._physical() and not self._handheld.too_dark:
            await self._lift()
            await self._pause(READING_S)
        else:
            await self._choose(choice)

    async def _take_turn(self) -> None:
        match = self._handheld.match
        if match.phase is Phase.THROWN:
            if not match.seen:
                self._seen = None
            choice = self.manners.after_rolling(self._seen, self._options(), self._rng)
        else:
            self._seen = None
            choice = self.manners.before_rolling(match, self._options(), self._rng)
        if not may_look(match) and self._rng.random() < self.manners.nosy:
            await self._lift()
            await self._pause(LOOKING_S)
            self._read()
            await self._cover()
        elif choice == Roll() and self._physical():
            await self._shake(again=match.rolls > 0)
        elif choice == Look():
            await self._look()
        else:
            await self._choose(choice)

    async def _shake(self, *, again: bool) -> None:
        duration_s = self._rng.uniform(*(SHAKE_AGAIN_S if again else SHAKE_S))
        await self._until(self._hand.shake(self._now_us, duration_s))
        await asyncio.sleep(AFTER_SHAKE_S)

    async def _look(self) -> None:
        if not self._physical() or self._handheld.too_dark:
            await self._choose(Look(), hold_s=HOLD_S + self._rng.uniform(*LOOKING_S), read=True)
            return
        await self._lift()
        await self._pause(LOOKING_S)
        self._read()
        await self._cover()

    def _read(self) -> None:
        dice = self._read_dice()
        if dice is not None:
            self._seen = value_of(dice)

    async def _lift(self) -> None:
        start_us = self._now_us
        end_us = self._hand.lift(start_us)
        self._watch.lifting(start_us)
        await self._until(end_us)

    async def _cover(self) -> None:
        start_us = self._now_us
        if self._hand.openness(start_us) > 0.0:
            end_us = self._hand.cover(start_us)
            self._watch.covering(start_us)
            await self._until(end_us)
            await asyncio.sleep(0.3)

    async def _cover_again(self) -> None:
        """The handheld cannot tell that the cup is closed: show it light, then dark."""
        await self._lift()
        await self._pause(LOOKING_S)
        await self._cover()

    async def _choose(
        self, choice: Choice | None, *, hold_s: float = HOLD_S, read: bool = False
    ) -> None:
        """Tilt to an entry of the dial, then tap or hold."""
        if choice is None or not await self._tilt_to(choice):
            return
        dial = self._handheld.dial
        if dial is None or dial.entry.choice != choice:
            return
        if dial.entry.holds:
            await self._press(self._hand.hold(self._now_us, hold_s), read=read)
        else:
            await self._press(self._hand.tap(self._now_us))
        await asyncio.sleep(1.2 if isinstance(choice, Announce) else 0.3)

    async def _tilt_to(self, choice: Choice) -> bool:
        handheld, hand = self._handheld, self._hand
        place = (handheld.position, handheld.match.turn)
        await self._until(hand.level(self._now_us))
        await asyncio.sleep(SETTLE_S)
        started_us = self._now_us
        tilted_deg = 0.0
        while self._now_us - started_us < PATIENCE_S * 1e6:
            dial = handheld.dial
            if dial is None or (handheld.position, handheld.match.turn) != place:
                break
            target = dial.index_of(choice)
            if target is None:
                break
            togo = target - dial.index
            if togo == 0:
                await self._until(hand.level(self._now_us, 0.15))
                await asyncio.sleep(0.45)
                if handheld.dial is dial and dial.index == target:
                    return True
                tilted_deg = 0.0
                continue
            angle_deg = next(deg for steps, deg in TILTS_DEG if abs(togo) > steps)
            angle_deg = angle_deg if togo > 0 else -angle_deg
            if angle_deg != tilted_deg:
                tilted_deg = angle_deg
                await self._until(hand.tilt(self._now_us, angle_deg, 0.0))
            await asyncio.sleep(GLANCE_S)
        await self._until(hand.level(self._now_us))
        return False

    async def _press(self, press: Press, *, read: bool = False) -> None:
        await self._until(press.down_us)
        self._touch(True)
        if read:
            await self._until(press.up_us - 200_000)
            self._read()
        await self._until(press.up_us)
        self._touch(False)
        await asyncio.sleep(0.25)

    def _options(self) -> list[Choice]:
        dial = self._handheld.dial
        if dial is None:
            return []
        return [entry.choice for entry in dial.entries if entry.choice is not None]

    def _physical(self) -> bool:
        return self._rng.random() < self.manners.physical

    async def _pause(self, seconds: tuple[float, float]) -> None:
        await asyncio.sleep(self._rng.uniform(*seconds))

    async def _until(self, t_us: int) -> None:
        delay_us = t_us - self._now_us
        if delay_us > 0:
            await asyncio.sleep(delay_us / 1e6)
