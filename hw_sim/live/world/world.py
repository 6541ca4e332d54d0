"""One match at a table in its own virtual time, with what people do to it and a record of that."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from firmware.cli.console import CommandError
from game.spoken import Language
from hw_sim.clock.errors import ClockError
from hw_sim.clock.paced import PacedLoop
from hw_sim.hand.control.felt import Feeling
from hw_sim.hand.control.grip import KEYS, Grip
from hw_sim.live.world.session import Session, Stimulus, journals_in
from hw_sim.live.world.setup import WorldSetup
from hw_sim.panel.spoken import spoken
from hw_sim.players.bot_kinds import manners_of
from hw_sim.table.table import SimulatedTable

FAULTS = (
    "display", "accelerometer", "light", "stuck", "brownout", "link", "battery",
)  # fmt: skip
"""What can go wrong, by name; all but the brown-out last until they are taken back."""
DARK_FOR_S = 1.5
"""A brown-out takes the power for so long."""
LOSES_S = 0.05
"""A handheld that lost its power needs so long until it can be switched on again."""
ERRORS_EVERY_S = 0.1


class World:
    """The table and all that is done to it, on a loop of its own.

    Args:
        setup: what is played, and by whom.
        folder: for the journals; a match that is in them goes on.

    ``trouble`` is what failed in the simulation itself, else None.
    """

    def __init__(self, setup: WorldSetup, folder: Path) -> None:
        self.setup = setup
        self.folder = folder
        self.session = Session(setup.to_json(), journals_in(folder, setup.table.players))
        self.trouble: str | None = None
        self.loop = PacedLoop()
        self.shown: dict[int, str] = {}
        """What each display says, in words, by seat."""
        self.on_show: Callable[[int], None] | None = None
        self._tasks: dict[int, list[asyncio.Task[Any]]] = {}
        self._grips: dict[int, Grip] = {}
        self.feelings: dict[int, Feeling] = {}
        self._broken: dict[int, set[str]] = {}
        self._errors_per_s = 0.0
        self._chance = Random(f"bus errors {setup.table.seed}")
        self.loop.inside(self._begin)

    @property
    def now_us(self) -> int:
        """Virtual time in µs."""
        return self.loop.now_us

    @property
    def is_over(self) -> bool:
        """Whether every handheld that runs shows the end of the match."""
        return self.table.is_over

    def is_on(self, seat: int) -> bool:
        """Whether a handheld has power."""
        return seat in self._tasks

    def broken(self, seat: int) -> list[str]:
        """What is wrong with a seat just now, by the names of `FAULTS`."""
        return sorted(self._broken.get(seat, ()))

    def advance(self, until_us: int, budget_s: float | None = None) -> bool:
        """Let the world go on until a virtual time; returns whether it got there in the budget."""
        try:
            return self.loop.advance(until_us, budget_s)
        except ClockError as error:
            self.trouble = str(error)
            return True

    def do(self, seat: int, kind: str, *values: Any) -> None:
        """Do something now, and remember it."""
        stimulus = Stimulus(self.now_us, seat, kind, values)
        self.session.stimuli.append(stimulus)
        self.apply(stimulus)

    def close(self) -> Session:
        """End it and put everything away; the session that was played."""
        self.mark_end()
        self.loop.inside(self._cancel)
        try:
            self.loop.end()
        except ClockError as error:  # what was under way came to nothing
            self.trouble = str(error)
        return self.session

    def mark_end(self) -> Session:
        """The session as it is up to now."""
        self.session.end_us = self.now_us
        self.session.digest = self.digest()
        return self.session

    def digest(self) -> str:
        """SHA-256 over every bus, every panel and the air, since the power came."""
        digest = sha256(f"{self.now_us} {self.table.said.hex}".encode())
        for seat in self.table.seats:
            digest.update(seat.board.bus.digest.encode())
            digest.update(seat.watch.digest.encode())
            digest.update(seat.board.display.memory)
        return digest.hexdigest()

    def apply(self, stimulus: Stimulus) -> None:
        """Do what a stimulus says, at the present virtual time.

        ======== ================================================================================
        drag     a list of (t_us, x m, y m): where the handheld was dragged to
        felt     a list of (t_us, x, y, z in m/s²): what a phone felt, gravity included
        lift     True or False: the cup
        touch    True or False: the pad
        tilt     roll and pitch in degrees from how it is held
        key      one of the keys of a terminal
        drop     let it fall
        lux      the light of the room
        noise    of the accelerometer, m/s² r.m.s.
        errors   failing transactions a second on every bus
        fault    one of `FAULTS`, and whether it is there
        ======== ================================================================================
        """
        self.loop.inside(lambda: self._apply(stimulus))

    # ---- inside the loop ---------------------------------------------------------------------

    def _begin(self) -> None:
        setup = self.setup
        self.table = SimulatedTable(setup.table, self.folder, setup.boot)
        for seat in range(setup.table.players):
            self._switch_on(seat)
        self._errors = asyncio.get_running_loop().create_task(self._fail_now_and_then())

    def _switch_on(self, place: int) -> None:
        seat = self.table.seats[place]
        language: Language = "en" if self.setup.table.language == "en" else "de"

        def showing(screen: Any) -> None:
            self.shown[place] = spoken(screen, language)
            if self.on_show is not None:
                self.on_show(place)

        seat.runtime.observers.screens.append(showing)
        self.feelings[place] = Feeling(seat)
        if place < self.setup.people:
            grip = self._grips[place] = Grip(seat, Random(f"grip {self.setup.table.seed}/{place}"))
            work = grip.play()
        else:
            player = self.table.players[place]
            player.manners = manners_of(self.setup.bots[place - self.setup.people])
            work = player.play()
        loop = asyncio.get_running_loop()
        self._tasks[place] = [loop.create_task(seat.run()), loop.create_task(work)]
        for task in self._tasks[place]:
            task.add_done_callback(self._ended)

    def _switch_off(self, place: int) -> None:
        for task in self._tasks.pop(place, []):
            task.cancel()
        self._grips.pop(place, None)
        seat = self.table.seats[place]
        seat.board.unplug("display")
        self.shown[place] = ""
        self.table.air.switch_off(place)
        if self.on_show is not None:
            self.on_show(place)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self.trouble = f"{type(error).__name__}: {error}"

    def _cancel(self) -> None:
        for tasks in self._tasks.values():
            for task in tasks:
                task.cancel()
        self._errors.cancel()

    async def _fail_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(ERRORS_EVERY_S)
            for seat in self.table.seats if self._errors_per_s else ():
                if self._chance.random() < self._errors_per_s * ERRORS_EVERY_S:
                    seat.board.bus_error(1)

    def _apply(self, stimulus: Stimulus) -> None:
        seat, values = stimulus.seat, stimulus.values
        grip = self._grips.get(seat)
        match stimulus.kind:
            case "drag":
                drag = self.feelings[seat].drag
                for sample in values[0]:
                    drag.follow(*sample)
            case "felt":
                for t_us, x, y, z in values[0]:
                    self.feelings[seat].phone.feel(t_us, (x, y, z))
            case "lux":
                self.table.seats[seat].hand.sensor.scene.jump(self.now_us, values[0])
            case "noise":
                for feeling in self.feelings.values():
                    feeling.noise_mps2 = values[0]
            case "errors":
                self._errors_per_s = values[0]
            case "fault":
                self._break(seat, values[0], values[1])
            case _ if grip is None:
                pass  # nobody can do anything with a handheld that has no power
            case "lift":
                grip.lift(values[0])
            case "touch":
                grip.touch(values[0])
            case "tilt":
                grip.tilt(values[0], values[1])
            case "key":
                if values[0] in KEYS:
                    grip.press(values[0])
            case "drop":
                grip.drop()

    def _break(self, place: int, fault: str, broken: bool) -> None:
        broken_now = self._broken.setdefault(place, set())
        if (fault in broken_now) == broken:
            return
        powered = self.is_on(place)
        if fault in ("brownout", "battery"):
            if broken and powered:
                self._switch_off(place)
                broken_now.add(fault)
                if fault == "brownout":
                    asyncio.get_running_loop().call_later(
                        DARK_FOR_S, self._break, place, fault, False
                    )
            elif not broken:
                broken_now.discard(fault)
                if not powered and not broken_now & {"brownout", "battery"}:
                    asyncio.get_running_loop().call_later(LOSES_S, self._power_returns, place)
            return
        (broken_now.add if broken else broken_now.discard)(fault)
        board = self.table.seats[place].board
        match fault:
            case "display" | "accelerometer" | "light" if powered:
                (board.unplug if broken else board.replug)(fault)
            case "stuck":
                board.stick_bus(broken)
            case "link":
                (self.table.air.absent if broken else self.table.air.present)(place)
            case _:
                pass

    def _power_returns(self, place: int) -> None:
        if self.is_on(place) or self._broken[place] & {"brownout", "battery"}:
            return
        self.table.reboot(place)
        self._broken[place] &= {"link"}
        self._switch_on(place)


def replayed(session: Session, folder: Path, until_us: int | None = None, name: str = "") -> World:
    """Play a session again in an empty folder, until a virtual time in µs or to its end.

    Raises:
        CommandError: no table is set up like that; ``name`` is what the complaint calls it.
    """
    try:
        setup = WorldSetup.from_json(session.setup)
    except (ValueError, LookupError, TypeError, AttributeError):
        raise CommandError(f"session {name}: no table is set up like that") from None
    session.unpack(folder)
    world = World(setup, folder)
    end_us = session.end_us if until_us is None else until_us
    for stimulus in session.stimuli:
        if stimulus.t_us > end_us:
            break
        world.advance(stimulus.t_us)
        try:
            world.apply(stimulus)
        except (ValueError, LookupError, TypeError, AttributeError):
            world.close()
            raise CommandError(f"session {name}: nobody can do {stimulus.kind!r} so") from None
    world.advance(end_us)
    return world


def next_match(setup: WorldSetup) -> WorldSetup:
    """The same people and bots in another match."""
    table = replace(setup.table, seed=setup.table.seed + 1)
    return replace(setup, table=table, boot=0)
