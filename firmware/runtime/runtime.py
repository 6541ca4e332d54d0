"""The runtime: samples to gestures to the core, its effects to panel, sounds, disk and links.

It runs on any asyncio loop and takes its time from it alone, so the same code runs under a virtual
clock.

A task of its own serves each part (`supervisor`); nothing is lost while one fails.

Stores and frames wait in one queue. A frame whose ``after`` names a store makes a promise that only
that store keeps over a power loss (PROTOCOL.md: a cup is stored before it is sent). The queue keeps
the core's order; the writer checks it nevertheless, and ends the handheld rather than break the
promise.

Numbers without a source are chosen.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from drivers import now_us
from drivers.errors import PartError, PartFault
from drivers.gpio import PinError
from drivers.piezo import Tone
from drivers.ttp223 import TouchPad
from firmware.display.screens import Screen, StartingPage
from firmware.display.text.language import Language
from firmware.effects import (
    MS,
    Beep,
    Blank,
    Core,
    Effect,
    KeepChoice,
    ListenAt,
    Part,
    PartFailed,
    PartWell,
    Place,
    Presence,
    Received,
    Report,
    SendToDevice,
    Sense,
    Show,
    Sound,
    Store,
    Stored,
    Tick,
    Ticket,
)
from firmware.input.gestures import Gesture, Input, Touch
from firmware.input.gestures.recognizer import Recognizer
from firmware.journal import Put, Write
from firmware.journal.sqlite import JournalError
from firmware.runtime.board import Board, LightSense, MotionSense
from firmware.runtime.panel import PanelUpdater
from firmware.runtime.sleep import Timer, Wake


def _nobody(*_what: object) -> None:
    """Do nothing: the handheld has no place."""


@dataclass(frozen=True)
class Observers:
    """Callbacks of a runtime, called in order; add to the lists before it runs.

    Attributes:
        screens: get each screen that the core wants on the panel.
        gestures: get each gesture, before the core does.
        troubles: get one line on each new trouble of a part.
    """

    screens: list[Callable[[Screen], None]] = field(default_factory=list)
    gestures: list[Callable[[Gesture], None]] = field(default_factory=list)
    troubles: list[Callable[[str], None]] = field(default_factory=list)

    def trouble(self, line: str) -> None:
        """Call all ``troubles`` with a line."""
        for told in self.troubles:
            told(line)


@dataclass(frozen=True)
class Ports:
    """A runtime's outside beyond its board.

    Attributes:
        write: writes a batch to the journal as one transaction; raises JournalError.
        send: takes a frame for a device (six bytes), or for all neighbours (None).
        listen_at: takes a place from now on; None: nowhere.
        observers: get reports on the runtime's work.
    """

    write: Callable[[tuple[Write, ...]], Awaitable[None]]
    send: Callable[[bytes | None, bytes], None] = _nobody
    listen_at: Callable[[Place | None], None] = _nobody
    observers: Observers = field(default_factory=Observers)


class StoreOrderError(Exception):
    """A frame was about to leave before its store: a defect of the core."""


class Writer:
    """A queue of stores and frames, done in the order added.

    Args:
        ports: the targets.
        report: gets each store that has ended.
    """

    def __init__(self, ports: Ports, report: Callable[[Stored], None]) -> None:
        self._ports = ports
        self._report = report
        self._queue: asyncio.Queue[Store | SendToDevice | KeepChoice] = asyncio.Queue()
        self._stored: set[Ticket] = set()
        """Tickets of finished stores; every core counts its tickets anew."""

    def add(self, effect: Store | SendToDevice | KeepChoice) -> None:
        """Queue an effect behind everything that was added before."""
        if isinstance(effect, Store):
            self._stored.discard(effect.ticket)
        self._queue.put_nowait(effect)

    async def serve(self) -> None:
        """Write and send until a store fails: what still waits never leaves.

        Raises:
            StoreOrderError: a frame came before its store.
        """
        while True:
            effect = await self._queue.get()
            match effect:
                case Store():
                    if not await self._is_stored(effect):
                        return
                case SendToDevice(device, frame, after):
                    self._demand(after)
                    self._ports.send(device, frame)
                case KeepChoice(write):
                    await self._keep(write)

    async def _is_stored(self, store: Store) -> bool:
        trouble = None
        try:
            await self._ports.write(store.batch)
            self._stored.add(store.ticket)
        except JournalError as error:
            trouble = str(error)
        self._report(Stored(store.ticket, trouble))
        return trouble is None

    def _demand(self, after: int | None) -> None:
        if after is not None and after not in self._stored:
            raise StoreOrderError(f"a frame was to leave before store {after} is on the disk")

    async def _keep(self, write: Put) -> None:
        """Store what the player chose; a failure does not stop a match."""
        try:
            await self._ports.write((write,))
        except JournalError as error:
            self._ports.observers.trouble(str(error))


RETRY_S: Final = 0.5
"""Interval of tries to set up a part that has failed."""
PANEL_RETRY_S: Final = 0.04
"""The same for the panel: shorter, because it may show dice."""

Serve = Callable[[Callable[[], None]], Awaitable[None]]
"""Sets a part up, calls its argument once the part answers, and serves it."""


async def keep(
    part: Part,
    serve: Serve,
    report: Callable[[PartFailed | PartWell], None],
    name: Callable[[str], None],
) -> None:
    """Serve a part until cancelled.

    Args:
        part: the one that ``serve`` serves.
        serve: called anew whenever it has raised a PartError.
        report: gets each failure, and each recovery once.
        name: gets one line on each new trouble.
    """
    trouble: str | None = None

    def well() -> None:
        nonlocal trouble
        if trouble is not None:
            trouble = None
            report(PartWell(part))

    while True:
        try:
            await serve(well)
        except PartError as error:
            if str(error) != trouble:
                trouble = str(error)
                name(trouble)
            wrong = error.part.split()[0] if error.fault is PartFault.WRONG_PART else None
            report(PartFailed(part, wrong))
            await asyncio.sleep(PANEL_RETRY_S if part is Part.PANEL else RETRY_S)


TONES: Final[Mapping[Sound, tuple[Tone, ...]]] = {
    Sound.MAEXCHEN: (
        Tone(784, 70 * MS),
        Tone(0, 20 * MS),
        Tone(784, 70 * MS),
        Tone(0, 20 * MS),
        Tone(784, 70 * MS),
        Tone(1047, 300 * MS),
    ),
    Sound.LOST: (Tone(392, 150 * MS), Tone(330, 150 * MS), Tone(262, 300 * MS)),
    Sound.WON: (Tone(784, 80 * MS), Tone(988, 80 * MS), Tone(1175, 80 * MS), Tone(1568, 180 * MS)),
    Sound.OFFER: (Tone(880, 90 * MS), Tone(0, 30 * MS), Tone(1175, 140 * MS)),
    Sound.TURN: (Tone(988, 120 * MS),),
    Sound.NUDGE: (Tone(988, 80 * MS), Tone(0, 80 * MS), Tone(988, 80 * MS)),
    Sound.CUP_DOWN: (Tone(220, 30 * MS), Tone(150, 50 * MS)),
    Sound.RATTLE: (
        Tone(1900, 6 * MS),
        Tone(0, 14 * MS),
        Tone(2300, 5 * MS),
        Tone(0, 22 * MS),
        Tone(1700, 6 * MS),
        Tone(0, 11 * MS),
        Tone(2600, 5 * MS),
        Tone(0, 21 * MS),
    ),
}


class Runtime:
    """Runs one handheld on one board.

    Args:
        board: the parts.
        core: takes gestures and reports; its effects are done in order.
        recognizer: turns samples into gestures.
        ports: targets of stores and frames, and the observers.
        language: of the screens.

    Attributes:
        shows: how many screens the core asked for so far, the first one of ``run`` included.
    """

    def __init__(
        self, board: Board, core: Core, recognizer: Recognizer, ports: Ports, language: Language
    ) -> None:
        self.board = board
        self.observers = ports.observers
        self.shows = 0
        self._core = core
        self._recognizer = recognizer
        self._ports = ports
        self._loop = asyncio.get_running_loop()
        self._writer = Writer(ports, self._report)
        self._panel = PanelUpdater(board.bus, board.panel, language, self.observers.trouble)
        self._wake = Wake(self._loop, self._panel.set_brightness, self._reset)
        self._motion = MotionSense(board, self._wake, self._feed, self._reset)
        self._light = LightSense(board, self._wake, recognizer, self._feed)
        self._silent = False
        self._waking_touch = False
        self._defect: asyncio.Future[None] = self._loop.create_future()
        self._timer = Timer(self._loop, partial(self._ending, self._tick))
        self._gesture_timer = Timer(self._loop, partial(self._ending, self._tick_recognizer))

    @property
    def now_us(self) -> int:
        """The loop's time in µs: the handheld's clock."""
        return now_us(self._loop)

    @property
    def sensing(self) -> bool:
        """Whether gestures matter now, so that the sensors run at full rate."""
        return self._wake.sensing.on

    @property
    def asleep(self) -> bool:
        """Whether the display is off because nobody looks; the sensors only wait to be woken."""
        return not self._wake.awake.on

    @property
    def shown(self) -> asyncio.Future[None]:
        """Done as soon as a first screen is on the panel."""
        return self._panel.shown

    def speak(self, language: Language) -> None:
        """Show screens in another language from now on."""
        self._panel.speak(language)

    async def run(self) -> None:
        """Serve the board until cancelled.

        Raises:
            ExceptionGroup: a defect, in a task or in a callback of the loop; all tasks have ended.
                The handheld continues in a new process, from the journal.
        """
        touch = TouchPad(self.board.gpio, self.board.touch_pin, self._on_touch, self._loop)
        self._show(Show(StartingPage(), 0))
        self._wake.wake()
        try:
            async with asyncio.TaskGroup() as tasks:
                for work in self._work():
                    tasks.create_task(work)
                self._do(self._core.start(self.now_us))
        finally:
            touch.close()
            self.board.piezo.stop()
            self._timer.set(None)
            self._gesture_timer.set(None)
            self._wake.stop()

    def _work(self) -> list[Coroutine[Any, Any, None]]:
        parts = (
            (Part.PANEL, self._panel.serve),
            (Part.ACCELEROMETER, self._motion.serve),
            (Part.LIGHT, self._light.serve),
        )
        kept = [keep(part, serve, self._report, self.observers.trouble) for part, serve in parts]
        return [*kept, self._writer.serve(), self._until_defect()]

    async def _until_defect(self) -> None:
        await self._defect

    def _ending(self, call: Callable[..., None], *given: Any) -> None:
        """Call ``call``. A defect in it ends the run; the loop alone would only log it."""
        if self._defect.done():
            return
        try:
            call(*given)
        except Exception as error:
            self._defect.set_exception(error)

    # From the world to the core

    def receive(self, frame: bytes) -> None:
        """Report a frame that arrived, sealed or clear, to the core."""
        self._ending(self._report, Received(frame))

    def present(self, seat: int, is_here: bool) -> None:
        """Report a broker's presence of a seat to the core."""
        self._ending(self._report, Presence(seat, is_here))

    def _on_touch(self, t_us: int, down: bool) -> None:
        self._ending(self._touched, t_us, down)

    def _touched(self, t_us: int, down: bool) -> None:
        if down and self.asleep:
            self._waking_touch = True  # it wakes, and does nothing else
            self._wake.wake()
        elif self._waking_touch:
            self._waking_touch = down
        else:
            self._feed(Touch(t_us, down))

    def _feed(self, sample: Input) -> None:
        self._gestures(self._recognizer.feed(sample, self.now_us))

    def _reset(self) -> None:
        """Drop earlier samples, and those that woke the handheld: they mean nothing else."""
        self._recognizer.reset(self.now_us)

    def _gestures(self, gestures: tuple[Gesture, ...]) -> None:
        for gesture in gestures:
            self._wake.add_gesture(gesture)
            for told in self.observers.gestures:
                told(gesture)
            self._report(gesture)
        if gestures:
            self._wake.settle()
        self._gesture_timer.set(self._recognizer.next_timer_us)

    def _tick_recognizer(self) -> None:
        self._gestures(self._recognizer.tick(self.now_us))

    def _report(self, what: Gesture | Report) -> None:
        self._do(self._core.handle(what, self.now_us))

    def _tick(self) -> None:
        self._report(Tick())

    # From the core to the world

    def _do(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Show():
                    self._show(effect)
                case Blank(generation):
                    self._panel.blank(generation)
                case Store() | SendToDevice() | KeepChoice():
                    self._writer.add(effect)
                case ListenAt(place):
                    self._ports.listen_at(place)
                case Sense(fully, asked):
                    self._wake.sense(fully, asked=asked)
                case Beep(sound):
                    self._play(sound)
                    if sound is Sound.NUDGE:
                        self._wake.flash()
        self._timer.set(self._core.next_timer_us)

    def _play(self, sound: Sound) -> None:
        """Play a sound. Without its pin the handheld stays silent, and goes on."""
        if self._silent:
            return
        try:
            self.board.piezo.play(TONES[sound], self._core.shell.volume)
        except PinError as error:
            self._silent = True
            self.observers.trouble(str(error))

    def _show(self, show: Show) -> None:
        self.shows += 1
        for told in self.observers.screens:
            told(show.screen)
        self._panel.show(show)
        self._wake.add_screen(show.screen)
