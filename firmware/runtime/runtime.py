"""The handheld at work: sensors to gestures to the core, and the core's effects to the world.

This is the only place where anything waits. It runs on any asyncio loop and takes its time from it
alone, so under a virtual clock the very same code plays a twenty-minute match in seconds.

Each part is served by a task of its own. A part that fails is named on the display, set up anew
every half second or sooner, and served again as soon as it answers; nothing is lost meanwhile.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from drivers.adxl345 import SAMPLE_PERIOD_US, Interrupt
from drivers.bus import Priority
from drivers.errors import PartError, PartFault
from drivers.gpio import PinError
from drivers.ttp223 import TouchPad
from firmware.device.device import Device
from firmware.display.screens import Screen, StartingPage
from firmware.effects.effects import (
    Beep,
    Blank,
    Effect,
    KeepVolume,
    Listen,
    Send,
    Sense,
    Show,
    Store,
    Tell,
)
from firmware.effects.reports import Part, PartFailed, PartWell, Received, Report, Stored, Tick
from firmware.effects.sounds import VOLUME_KEY, Sound
from firmware.input.gestures.gesture import Covered, Gesture, Lifted
from firmware.input.gestures.recognizer import Recognizer
from firmware.input.gestures.samples import AccelBatch, Input, Light, Touch
from firmware.journal.sqlite import JournalError
from firmware.journal.writes import Put, Write
from firmware.play.handheld import Handheld
from firmware.runtime.board import Board
from firmware.runtime.idle import Brightness, Idle, concerns
from firmware.runtime.panel import PanelUpdater
from firmware.runtime.switch import Switch
from firmware.runtime.tones import TONES
from game.spoken import Language

RETRY_S = 0.5
"""A part that has failed is set up anew this often."""
PANEL_RETRY_S = 0.04
"""The panel sooner, for there may be dice on it."""
BATCH_WAIT_S = 0.15
"""A batch of motion comes every 0.1 s by interrupt; after this long it is fetched without one."""
LIGHT_PERIOD_S = 0.020
"""Between two readings of the light while the cup may be lifted …"""
LIGHT_SOON_S = 0.004
"""… and while one bright conversion waits for a second to confirm it."""
LIGHT_ASLEEP_S = 0.5
"""Between two readings while the cup is elsewhere."""
MOVED_AGAIN_S = 5.0
"""Motion that goes on is told again after this long, where only waking is watched for."""


class Link(Protocol):
    """What carries frames to other seats: Bluetooth, and later infrared."""

    def send(self, seat: int, data: bytes) -> None:
        """Take a frame for a seat; it arrives once, or not at all."""
        ...


@dataclass
class Counters:
    """What a runtime has done; for tests and benchmarks."""

    shows: int = 0
    """Pictures that the core asked for: what full frames would have cost."""


class Runtime:
    """Runs one handheld on one board.

    Args:
        board: the parts.
        handheld: the core.
        recognizer: turns samples into gestures.
        write: writes a batch to the journal; raises JournalError.
        language: of the screens.
    """

    def __init__(
        self,
        board: Board,
        handheld: Handheld | Device,
        recognizer: Recognizer,
        write: Callable[[tuple[Write, ...]], Awaitable[None]],
        language: Language,
    ) -> None:
        self.board = board
        self.handheld = handheld
        self.recognizer = recognizer
        self.counters = Counters()
        self.on_gesture: Callable[[Gesture], None] | None = None
        self.on_show: Callable[[Screen], None] | None = None
        self.on_trouble: Callable[[str], None] | None = None
        """Is told what is wrong with a part, once for each new trouble."""
        self._told: dict[Part, str] = {}
        self._write = write
        self._link: Link | None = None
        self.tell: Callable[[bytes | None, bytes], None] | None = None
        """Says a clear frame to a device, or to everybody near; None where nobody is spoken to."""
        self.listen: Callable[[bool], None] | None = None
        """Listens to what handhelds near announce, or does not."""
        self._loop = asyncio.get_running_loop()
        self._outbox: asyncio.Queue[Store | Send | Tell | KeepVolume] = asyncio.Queue()
        self._silent = False
        self._showing = PanelUpdater(board.bus, board.panel, language)
        self._wants_sensing = False
        self._sensing = Switch()
        self._awake = Switch(on=True)
        self._idle = Idle(self.now_us)
        self._waking_touch = False
        self._idle_timer: asyncio.TimerHandle | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._gesture_timer: asyncio.TimerHandle | None = None

    @property
    def now_us(self) -> int:
        """The loop's time in microseconds."""
        return round(self._loop.time() * 1e6)

    @property
    def sensing(self) -> bool:
        """Whether gestures matter now, so that the sensors run at full speed."""
        return self._sensing.on

    @property
    def asleep(self) -> bool:
        """Whether the display is off because nobody looks, and the sensors doze."""
        return not self._awake.on

    async def run(self, link: Link) -> None:
        """Serve the board until cancelled. A defect in any part of the runtime ends all of it."""
        self._link = link
        touch = TouchPad(self.board.gpio, self.board.touch_pin, self._on_touch, self._loop)
        self._show(Show(StartingPage(), 0))
        self._stir()
        try:
            async with asyncio.TaskGroup() as tasks:
                for work in self._work():
                    tasks.create_task(work)
                self._do(self.handheld.start(self.now_us))
        finally:
            touch.close()
            self.board.piezo.stop()
            for timer in (self._timer, self._gesture_timer, self._idle_timer):
                if timer is not None:
                    timer.cancel()

    def _work(self) -> list[Coroutine[Any, Any, None]]:
        return [
            self._keep(Part.PANEL, partial(self._showing.serve, partial(self._well, Part.PANEL))),
            self._keep(Part.ACCELEROMETER, self._serve_motion),
            self._keep(Part.LIGHT, self._serve_light),
            self._serve_outbox(),
        ]

    # From the world to the core

    def receive(self, seat: int, frame: bytes) -> None:
        """Take in a frame that arrived from a seat."""
        self._report(Received(seat, frame))

    def _on_touch(self, t_us: int, down: bool) -> None:
        if down and self.asleep:
            self._waking_touch = True  # it wakes, and does nothing else
            self._stir()
        elif self._waking_touch:
            self._waking_touch = down
        else:
            self._feed(Touch(t_us, down))

    def _feed(self, sample: Input) -> None:
        self._gestures(self.recognizer.feed(sample, self.now_us))

    def _gestures(self, gestures: tuple[Gesture, ...]) -> None:
        for gesture in gestures:
            self._idle.feel(gesture, self.now_us)
            if self.on_gesture is not None:
                self.on_gesture(gesture)
            self._report(gesture)
        self._settle_down()
        self._gesture_timer = self._set_timer(
            self._gesture_timer, self.recognizer.next_timer_us, self._tick_recognizer
        )

    def _tick_recognizer(self) -> None:
        self._gesture_timer = None
        self._gestures(self.recognizer.tick(self.now_us))

    def _report(self, what: Gesture | Report) -> None:
        self._do(self.handheld.handle(what, self.now_us))

    def _tick(self) -> None:
        self._timer = None
        self._report(Tick())

    def _set_timer(
        self, timer: asyncio.TimerHandle | None, due_us: int | None, call: Callable[[], None]
    ) -> asyncio.TimerHandle | None:
        if timer is not None:
            timer.cancel()
        if due_us is None:
            return None
        return self._loop.call_at(max(due_us, self.now_us) / 1e6, call)

    # From the core to the world

    def _do(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Show():
                    self._show(effect)
                case Blank(generation):
                    self._showing.blank(generation)
                case Store() | Send() | Tell() | KeepVolume():
                    self._outbox.put_nowait(effect)
                case Listen(on):
                    if self.listen is not None:
                        self.listen(on)
                case Sense(fully):
                    self._wants_sensing = fully
                    self._sensing.set(fully and self._awake.on)
                case Beep(sound):
                    self._play(sound)
                    if sound is Sound.NUDGE:
                        self._idle.flash(self.now_us)
                        self._settle_down()
        self._timer = self._set_timer(self._timer, self.handheld.next_timer_us, self._tick)

    def _play(self, sound: Sound) -> None:
        """Let a sound be heard. Without its pin the handheld is silent, and goes on."""
        if self._silent:
            return
        try:
            self.board.piezo.play(TONES[sound], self.handheld.volume)
        except PinError as error:
            self._silent = True
            if self.on_trouble is not None:
                self.on_trouble(str(error))

    def _show(self, show: Show) -> None:
        self.counters.shows += 1
        if self.on_show is not None:
            self.on_show(show.screen)
        self._showing.show(show)
        if concerns(show.screen):
            self._stir()

    def _stir(self) -> None:
        """Something happened that wants the display, or somebody who wants to see it."""
        self._idle.stir(self.now_us)
        self._settle_down()

    def _settle_down(self) -> None:
        """Make display and sensors as awake as they should be."""
        self._idle_timer = self._set_timer(
            self._idle_timer, self._idle.next_timer_us(self.now_us), self._settle_down
        )
        brightness = self._idle.brightness(self.now_us)
        awake = brightness is not Brightness.OFF
        if awake and self.asleep:
            self.recognizer.reset(self.now_us)  # what woke it means nothing else
        self._showing.shine(brightness)
        self._awake.set(awake)
        self._sensing.set(awake and self._wants_sensing)

    async def _serve_outbox(self) -> None:
        """Stores and sends, one after the other: what depends on a store comes after it."""
        while True:
            effect = await self._outbox.get()
            if isinstance(effect, Store):
                trouble = None
                try:
                    await self._write(effect.batch)
                except JournalError as error:
                    trouble = str(error)
                self._report(Stored(effect.ticket, trouble))
                if trouble is not None:
                    return
            elif isinstance(effect, KeepVolume):
                await self._keep_volume(effect.volume)
            elif isinstance(effect, Tell):
                if self.tell is not None:
                    self.tell(effect.device, effect.frame)
            elif self._link is not None:
                self._link.send(effect.seat, effect.frame)

    async def _keep_volume(self, volume: int) -> None:
        """A volume that cannot be kept is no reason to stop a match."""
        try:
            await self._write((Put(VOLUME_KEY, bytes([volume])),))
        except JournalError as error:
            if self.on_trouble is not None:
                self.on_trouble(str(error))

    # The parts

    async def _keep(self, part: Part, serve: Callable[[], Awaitable[None]]) -> None:
        """Serve a part for ever; when it fails, say so and try again."""
        while True:
            try:
                await serve()
            except PartError as error:
                self._tell(part, str(error))
                wrong = error.part.split()[0] if error.fault is PartFault.WRONG_PART else None
                self._report(PartFailed(part, wrong))
                await asyncio.sleep(PANEL_RETRY_S if part is Part.PANEL else RETRY_S)

    def _tell(self, part: Part, line: str) -> None:
        if self.on_trouble is not None and self._told.get(part) != line:
            self.on_trouble(line)
        self._told[part] = line

    def _well(self, part: Part) -> None:
        self._told.pop(part, None)
        if part in self.handheld.part_alerts:
            self._report(PartWell(part))

    async def _serve_motion(self) -> None:
        bus, accelerometer, pin = self.board.bus, self.board.accelerometer, self.board.motion_pin
        await bus.run(accelerometer.begin, Priority.MOTION)
        self._well(Part.ACCELEROMETER)
        while True:
            if not self._sensing.on:
                await self._watch_for_motion()
                continue
            await pin.wait(BATCH_WAIT_S)
            samples = await bus.run(accelerometer.drain, Priority.MOTION)
            if samples.xyz:
                newest_us = self.now_us - samples.left * SAMPLE_PERIOD_US
                self._feed(AccelBatch(newest_us, samples.xyz, overrun=samples.overrun))

    async def _watch_for_motion(self) -> None:
        """Let the accelerometer sleep until motion is to be sensed, or something moves it."""
        bus, accelerometer = self.board.bus, self.board.accelerometer
        await bus.run(accelerometer.watch_for_motion, Priority.MOTION)
        await self._moved_or_wanted()
        if not self._sensing.on:
            if Interrupt.ACTIVITY in await bus.run(accelerometer.interrupt_source, Priority.MOTION):
                self._stir()
            await self._sensing.turned_on(MOVED_AGAIN_S)
        if self._sensing.on:
            await bus.run(accelerometer.wake, Priority.MOTION)
            self.recognizer.reset(self.now_us)

    async def _moved_or_wanted(self) -> None:
        """Return when INT1 is high, or motion is to be sensed."""
        waits = [
            asyncio.ensure_future(self.board.motion_pin.wait()),
            asyncio.ensure_future(self._sensing.turned_on()),
        ]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
            await asyncio.gather(*waits, return_exceptions=True)

    async def _serve_light(self) -> None:
        await self.board.bus.run(self.board.light.begin, Priority.LIGHT)
        while True:
            await (self._see() if self._awake.on else self._doze())

    async def _see(self) -> None:
        """Follow the light, until the handheld falls asleep."""
        bus, light = self.board.bus, self.board.light
        await bus.run(light.fast, Priority.LIGHT)
        self._well(Part.LIGHT)
        await asyncio.sleep(light.settle_us / 1e6)
        last, fresh_us = -1, 0
        while self._awake.on:
            counts = await bus.run(light.read, Priority.LIGHT)
            now_us = self.now_us
            fresh = counts != last or now_us - fresh_us >= light.fresh_us
            if fresh:
                last, fresh_us = counts, now_us
            self._feed(Light(now_us, counts, fresh))
            if self.recognizer.lift_suspected:
                await asyncio.sleep(LIGHT_SOON_S)
            elif self._sensing.on:
                await asyncio.sleep(LIGHT_PERIOD_S)
            else:
                await self._sensing.turned_on(LIGHT_ASLEEP_S)

    async def _doze(self) -> None:
        """Look at the light now and then, until something stirs: it may be the light itself."""
        bus, light = self.board.bus, self.board.light
        await bus.run(light.slow, Priority.LIGHT)
        self._well(Part.LIGHT)
        await self._awake.turned_on(light.slow_settle_us / 1e6)
        while self.asleep:
            counts = await bus.run(light.read, Priority.LIGHT)
            if not self.asleep:
                return
            seen = self.recognizer.feed(Light(self.now_us, counts), self.now_us)
            changed = any(isinstance(gesture, Covered | Lifted) for gesture in seen)
            if changed or self.recognizer.lift_suspected:
                self._stir()
            await self._awake.turned_on(light.slow_period_us / 1e6)
