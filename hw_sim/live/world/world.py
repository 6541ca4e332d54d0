"""One match at a table in its own virtual time, with people's commands, as a session.

Real time moves it: how fast it goes, when it rests, and what follows each step. A handheld shows
from outside its case, lid, light and the action of its hand.

Numbers without a source are chosen.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from math import atan2, degrees, hypot
from pathlib import Path
from random import Random
from typing import Any, Final

from steckbrett.clock import ClockError

from firmware.display.screens import Screen
from firmware.table.protocol.messages import GONE_AFTER_US
from hw_sim.clock import PacedLoop
from hw_sim.hand.control.browser_hand import RINGS_US, BrowserHand, Feeling
from hw_sim.hand.signals import G_MPS2
from hw_sim.live.world import session
from hw_sim.live.world.session import CUTS, FAULTS, SessionRecorder, journals_in
from hw_sim.live.world.setup import WorldSetup
from hw_sim.panel.prompts import spoken
from hw_sim.players.bot_kinds import personality_of
from hw_sim.players.player_hand import BRISK
from hw_sim.table.handheld import SharedServices, SimulatedHandheld
from hw_sim.table.table import SimulatedTable

ERRORS_EVERY_S = 0.1
"""The time between two looks at the bus errors that are due."""
FORGETS_EVERY_S = 10.0
"""The time between two times that old motion and light are forgotten."""
SHAKEN_MPS2 = 2 * G_MPS2
"""A phone that feels more is shaken; a tap on its glass is weaker."""
REMEMBERED_US = 60_000_000
"""The time for which past motion and light are kept: no sensor asks for earlier ones."""
log = logging.getLogger(__name__)


DARK_FOR_S = 1.5
"""The time for which a brown-out takes the power."""
LOSES_S = 0.05
"""The time until a handheld that lost its power can be switched on again."""
VOTES_EVERY_S, VOTE_TRIES = 1.0, 30
"""The time between two tries of a player to vote for that, and the most tries; chosen."""


@dataclass
class Power:
    """Switches the handhelds of a table on and off, and breaks them. On the table's loop.

    Args:
        table: all its seats are off.
        works: what runs while a seat has power; is asked anew whenever it gets some.
        on_off: gets a seat that has lost its power.

    A seat whose works failed begins anew from its journal, as after a loss of power.
    """

    table: SimulatedTable
    works: Callable[[int], list[Coroutine[Any, Any, None]]]
    on_off: Callable[[int], None]

    def __post_init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._tasks: dict[int, list[asyncio.Task[None]]] = {}
        self._broken: dict[int, set[str]] = {seat: set() for seat in self.table.places}

    def is_on(self, seat: int) -> bool:
        """Whether a handheld has power."""
        return seat in self._tasks

    def broken(self, seat: int) -> list[str]:
        """Return the present faults of a seat, by the names of `FAULTS`, sorted."""
        return sorted(self._broken[seat])

    def switch_on(self, seat: int) -> None:
        """Give power to a handheld that has none: start its works."""
        self._tasks[seat] = [self._loop.create_task(work) for work in self.works(seat)]
        for task in self._tasks[seat]:
            task.add_done_callback(partial(self._ended, seat))

    def set_fault(self, seat: int, fault: str, there: bool) -> None:
        """Break something of a seat, or mend it; nothing happens if it is so already.

        Raises:
            KeyError: there is no such seat or no such fault.
        """
        broken = self._broken[seat]
        if (fault in broken) == there:
            return
        if fault in CUTS:
            self._set_powerless(seat, fault, there)
            return
        if fault not in FAULTS:
            raise KeyError(fault)
        (broken.add if there else broken.discard)(fault)
        board, air = self.table.at(seat).board, self.table.air
        if fault == "link":
            (air.absent if there else air.present)(seat)
        elif fault == "stuck":
            board.stick(stuck=there)
        elif self.is_on(seat):
            (board.unplug if there else board.replug)(fault)

    def cancel(self) -> None:
        """Cancel the works of all seats."""
        for tasks in self._tasks.values():
            for task in tasks:
                task.cancel()

    def _set_powerless(self, seat: int, fault: str, there: bool) -> None:
        broken = self._broken[seat]
        powered = self.is_on(seat)
        if there and powered:
            self._switch_off(seat)
            broken.add(fault)
            if fault == "brownout":
                self._loop.call_later(DARK_FOR_S, self.set_fault, seat, fault, False)
        elif not there:
            broken.discard(fault)
            if not powered and broken.isdisjoint(CUTS):
                self._loop.call_later(LOSES_S, self._reboot, seat)

    def _switch_off(self, seat: int) -> None:
        for task in self._tasks.pop(seat):
            task.cancel()
        self.table.at(seat).board.unplug("display")
        self.table.air.switch_off(seat)
        self.on_off(seat)

    def _reboot(self, seat: int) -> None:
        """Begin anew from the journal, on new parts: only what is wrong around them stays so."""
        if self.is_on(seat) or not self._broken[seat].isdisjoint(CUTS):
            return
        self.table.reboot(seat)
        self._broken[seat] &= {"link"}
        self.switch_on(seat)

    def _ended(self, seat: int, task: asyncio.Task[None]) -> None:
        if task.cancelled() or (error := task.exception()) is None:
            return
        name = self.table.setup.names[seat]
        log.error("%s's handheld failed and begins anew from its journal", name, exc_info=error)
        if task in self._tasks.get(seat, ()):
            self._switch_off(seat)
            self._loop.call_later(DARK_FOR_S, self._reboot, seat)


class World:
    """The table and all that is done to it, on a loop of its own.

    Args:
        setup: the table and its people.
        folder: for the journals; a match that is in them goes on.
        record: the file that is to keep the session; None keeps none.
        customise: see `SimulatedTable`.

    Attributes:
        session: writes the commands to that file; None if none is kept.
        trouble: the failure of the simulation itself, else None. A failure at one seat is none.
        screens: the screen of each display, by seat; none of a seat that is off.
        languages: of the panels, by seat.
        feelings: the motion at each accelerometer, by seat.
        power: the power and the faults of the seats.
    """

    def __init__(
        self,
        setup: WorldSetup,
        folder: Path,
        record: Path | None = None,
        customise: Callable[[SharedServices], SharedServices] = lambda services: services,
    ) -> None:
        self.setup = setup
        self.session: SessionRecorder | None = None
        table = setup.table
        if setup.has_foreign_bots:  # nothing on the disk tells them dice
            table, record = table.beside_foreign_bots(), None
        if record is not None and table.part is None:  # what others do is in no session
            journals = journals_in(folder, setup.table.players)
            self.session = SessionRecorder(record, setup.to_json(), journals)
        self.trouble: str | None = None
        self.loop = PacedLoop()
        self.screens: dict[int, Screen] = {}
        self.feelings: dict[int, Feeling] = {}
        self.languages: dict[int, str] = defaultdict(lambda: setup.table.language)
        self._grips: dict[int, BrowserHand] = {}
        self._votes: dict[int, asyncio.Task[None]] = {}
        self._bus_errors_per_s = 0.0
        self._chance = Random(f"bus errors {setup.table.seed}")
        inside = self.loop.inside
        try:
            self.table = inside(lambda: SimulatedTable(table, folder, setup.boot, customise))
        except BaseException:
            if self.session is not None:
                self.session.close()
            raise
        self.power = inside(lambda: Power(self.table, self._works, self._went_off))
        self._bus_errors = inside(self._begin)

    @property
    def now_us(self) -> int:
        """Virtual time in µs."""
        return self.loop.now_us

    @property
    def ends_us(self) -> int:
        """The virtual time in µs until which it is known."""
        return self.now_us

    @property
    def is_closed(self) -> bool:
        """Whether nothing can happen in it any more."""
        return self.loop.is_closed()

    @property
    def is_over(self) -> bool:
        """Whether every handheld that runs shows the end of the match."""
        return self.table.is_over

    @property
    def asks_person(self) -> bool:
        """Whether a person is to act at a handheld that has power."""
        people = self.setup.people
        seats = [each for each in self.table.seats if each.seat < people]
        return any(self.power.is_on(each.seat) and each.handheld.is_asked for each in seats)

    def says(self, seat: int) -> str:
        """Return the text of a seat's display, in words; empty while it is off."""
        screen = self.screens.get(seat)
        return "" if screen is None else spoken(screen, self.languages[seat])

    def advance(self, until_us: int, budget_s: float | None = None) -> bool:
        """Let the world go on until a virtual time in µs; returns whether it got there.

        ``budget_s``: as in `PacedLoop.advance`. A `ClockError` is not raised but kept in
        ``trouble``; then it returns True.
        """
        try:
            return self.loop.advance(until_us, budget_s)
        except ClockError as error:
            self.trouble = str(error)
            return True

    def do(self, command: session.Command) -> None:
        """Do something now, and add it to the session; raises what `apply` does.

        Nothing happens once it is closed.
        """
        if self.is_closed:
            return
        if self.session is not None:
            self.session.add(self.now_us, command)
        self.apply(command)

    def apply(self, command: session.Command) -> None:
        """Do something at the present virtual time, without remembering it.

        Raises:
            LookupError, TypeError, ValueError: nobody can do that here; from a made-up session.
        """
        self.loop.inside(lambda: self._apply(command))

    def close(self) -> None:
        """Mark the end of the session, cancel all that runs and close the loop.

        A `ClockError` is not raised but kept in ``trouble``; closed again nothing happens.
        """
        if self.is_closed:
            return
        self.mark()
        if self.session is not None:
            self.session.close()
        self.advance(self.now_us)  # what never began would leave its journal open
        self.loop.inside(self._cancel)
        try:
            self.loop.end()
        except ClockError as error:  # what was under way came to nothing
            self.trouble = str(error)

    def mark(self) -> None:
        """Add the present digest of everything to the session."""
        if self.session is not None:
            self.session.mark(self.now_us, self.digest())

    def digest(self) -> str:
        """SHA-256, in hex, over every bus, every panel and the air, since the power came."""
        digest = sha256(f"{self.now_us} {self.table.services.air_digest.hex}".encode())
        for seat in self.table.seats:
            digest.update(seat.board.bus.digest.encode())
            digest.update(seat.watch.digest.encode())
            digest.update(seat.board.display.memory)
        return digest.hexdigest()

    # ---- inside the loop ---------------------------------------------------------------------

    def _begin(self) -> asyncio.Task[None]:
        for seat in self.table.seats:
            self._feel(seat.seat)
            self.power.switch_on(seat.seat)
        self._forget()
        return asyncio.get_running_loop().create_task(self._fail_now_and_then())

    def _forget(self) -> None:
        self.table.forget(self.now_us - REMEMBERED_US)
        asyncio.get_running_loop().call_later(FORGETS_EVERY_S, self._forget)

    def _works(self, place: int) -> list[Coroutine[Any, Any, None]]:
        """Return what runs at a seat that gets power: its handheld, and its player."""
        seat, people = self.table.at(place), self.setup.people

        def show(screen: Screen) -> None:
            self.screens[place] = screen

        seat.on_show.append(show)
        seat.runtime.speak(self.languages[place])
        self._feel(place)
        if place < people:
            seat.calibrate()  # a key moves no thumb
            rng = Random(f"grip {self.setup.table.seed}/{place}")
            grip = self._grips[place] = BrowserHand(seat.held, rng)
            return [seat.run(), grip.play()]
        if place == self.setup.table.players:
            return [seat.run()]
        player = self.table.player_at(place)
        player.personality = personality_of(self.setup.bots[place - people])
        player.tempo = BRISK
        return [seat.run(), player.play()]

    def _feel(self, place: int) -> None:
        seat = self.table.at(place)
        feeling = Feeling(seat.hand.acceleration, Random(f"noise {place}"))
        self.feelings[place], seat.board.acceleration = feeling, feeling.felt

    def _went_off(self, seat: int) -> None:
        self._grips.pop(seat, None)
        self.screens.pop(seat, None)

    def _cancel(self) -> None:
        self.power.cancel()
        self._bus_errors.cancel()

    async def _fail_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(ERRORS_EVERY_S)
            for seat in self.table.seats if self._bus_errors_per_s else ():
                due = int(self._bus_errors_per_s * ERRORS_EVERY_S + self._chance.random())
                # Errors that no transfer met lapse: a bus that rests saves up none.
                seat.board.nack(max(0, due - seat.board.bus.failures_due))

    def _make_way(self, seat: int, times_us: Sequence[int]) -> None:
        grip = self._grips.get(seat)
        if grip is not None:
            grip.make_way(max(times_us, default=self.now_us))

    def _apply(self, command: session.Command) -> None:
        here = self.table.places
        if self.setup.table.part is not None and getattr(command, "seat", here[0]) not in here:
            return  # no hand here reaches a handheld elsewhere
        match command:
            case session.SetLight(lux):
                self.table.services.scene.jump(self.now_us, lux)
            case session.SetNoise(mps2):
                for feeling in self.feelings.values():
                    feeling.noise_mps2 = mps2
            case session.SetBusErrors(per_s):
                self._bus_errors_per_s = per_s
            case session.SetFault(seat, fault, there):
                self.power.set_fault(seat, fault, there)
            case session.SetLanguage(seat, language):
                self.languages[seat] = language
                self.table.at(seat).runtime.speak(language)
            case session.Drag(seat, samples):
                self._make_way(seat, [t_us + RINGS_US for t_us, *_ in samples])
                for t_us, x_m, y_m in samples:
                    self.feelings[seat].drag.follow(t_us, x_m, y_m)
            case session.FollowPhone(seat, samples):
                if any(hypot(*felt) > SHAKEN_MPS2 for _, *felt in samples):
                    self._make_way(seat, [t_us for t_us, *_ in samples])
                for t_us, x, y, z in samples:
                    self.feelings[seat].phone.add(t_us, (x, y, z))
            case session.GoWithout(seat, gone):
                if seat not in self._votes or self._votes[seat].done():
                    vote = self._vote(seat, gone)
                    self._votes[seat] = asyncio.get_running_loop().create_task(vote)
            case grip if (hand := self._grips.get(grip.seat)) is not None:
                GRIPS[type(grip)](hand, grip)
            case _:  # nobody can do anything with one that has no power
                pass

    async def _vote(self, place: int, absent: int) -> None:
        own_seat, player = self.table.at(place).handheld.own_seat, self.table.player_at(place)
        player.tempo = BRISK
        for _ in range(VOTE_TRIES):
            is_due = own_seat.inbox.silent_us(absent, self.now_us) > GONE_AFTER_US
            if is_due and await player.go_without(absent):
                return
            await asyncio.sleep(VOTES_EVERY_S)


GRIPS: Final[Mapping[type, Callable[[BrowserHand, Any], None]]] = {
    session.LiftCup: lambda grip, command: grip.lift(command.open),
    session.CoverCup: lambda grip, _: grip.cover(),
    session.PressPad: lambda grip, command: grip.touch(command.down),
    session.Tilt: lambda grip, command: grip.tilt(command.roll_deg, command.pitch_deg),
    session.PressKey: lambda grip, command: grip.press(command.key, command.down),
    session.TurnDial: lambda grip, command: grip.turn(command.entries),
    session.Drop: lambda grip, _: grip.drop(),
}
"""The actions of a hand, by its commands."""


SHAKES_FROM_MPS2 = 4.5
"""Acceleration apart from 1 g that counts as being shaken."""
TILTS_FROM_DEG = 14.0
"""A handheld that rolls further is shown as tilted."""
STEP_DEG = 4
"""Poses are rounded to such steps, so that a hand that trembles costs nothing."""
OPEN_FROM = 0.15
"""A lid that is open by a larger share is shown as lifted."""
HELD_DEG = -16
"""The pitch of a handheld in a hand that rests."""


def handheld_look(
    seat: SimulatedHandheld, felt: tuple[float, float, float], now_us: int, *, has_power: bool
) -> dict[str, Any]:
    """Describe the present look of a handheld, without its panel, ready for JSON.

    ``felt`` is the acceleration of its case in m/s².

    ``cup``: whether it is here; ``lid``: 0 closed to 1 open; ``led``: whether the pad's is on;
    ``roll`` and ``pitch``: degrees in steps of 4, absent while it is shaken; ``doing``: "shakes",
    "lifts", "touches", "tilts" or ""; ``power``: whether it has some.
    """
    lid = round(seat.hand.openness(now_us), 2)
    led = seat.board.touch_pad.level
    look: dict[str, Any] = {
        "cup": seat.holds_cup,
        "lid": lid,
        "led": bool(led) and has_power,
        "power": has_power,
    }
    pose = pose_of(felt)
    if pose is None:
        return look | {"doing": "shakes"}
    roll, pitch = pose
    return look | {"roll": roll, "pitch": pitch, "doing": _doing(lid, bool(led), roll)}


def look_elsewhere(*, cup: bool, doing: str) -> dict[str, Any]:
    """Describe a handheld that is not simulated here, as far as the log and its phone tell."""
    pose: dict[str, Any] = {"roll": 0, "pitch": HELD_DEG, "faults": []}
    return pose | {"cup": cup, "lid": 0.0, "led": False, "power": True, "doing": doing}


def pose_of(felt: tuple[float, float, float]) -> tuple[int, int] | None:
    """Return roll and pitch in degrees, in steps of 4; None while the handheld is shaken."""
    x, y, z = felt
    if abs(hypot(x, y, z) - G_MPS2) > SHAKES_FROM_MPS2:
        return None
    return _stepped(-x, hypot(y, z)), _stepped(-y, hypot(x, z))


def _doing(lid: float, led: bool, roll: int) -> str:
    if lid > OPEN_FROM:
        return "lifts"
    if led:
        return "touches"
    return "tilts" if abs(roll) > TILTS_FROM_DEG else ""


def _stepped(part: float, rest: float) -> int:
    return round(degrees(atan2(part, rest)) / STEP_DEG) * STEP_DEG
