"""The match that is played now and the pages in front of it: what all connections share."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import InitVar, dataclass
from typing import Any, Final, Protocol, get_args

from hw_sim.live.web import incoming
from hw_sim.live.web.bench import PLOTTED_US, SAMPLE_US, Bench
from hw_sim.live.web.broadcaster import Broadcaster, Shown
from hw_sim.live.web.client import Client
from hw_sim.live.web.director import RevealPause
from hw_sim.live.web.match_store import STORE_ERRORS
from hw_sim.live.web.seating import Claims, RoomSettings
from hw_sim.live.world import session
from hw_sim.live.world.replay import TimeTravel
from hw_sim.live.world.world import World, WorldRunner

SLEEPS_AFTER_S = 4.0
"""The time from the close of the last page until the table stands still."""
LIVED_US = 30_000_000
"""A table that fails after this virtual time is set up anew; else it stands still."""
log = logging.getLogger(__name__)


class WorldSource(Protocol):
    """The keeper of a match; a `MatchStore`."""

    @property
    def number(self) -> int | None:
        """The number of the match."""

    def again(self) -> World:
        """Set the match up once more, from what is kept."""


@dataclass
class LiveMatch:
    """One table: its world, its bench, its pages. On the loop of the server.

    Args:
        store: where the match is kept.
        begun: what is played first.
        clients: the pages, as they come and go.
        claims: returns which seats of people are taken, by the number of the match.
        on_step: is called after each step of the world.
        room: returns how the big screen is set.
        screens: returns how many big screens show it; None counts those among the pages.

    Attributes:
        runner: runs the world in real time.
        travel: shows earlier moments of it.
        bench: reads what goes on in the world that is shown.
        scene: holds time and phones while the big screen shows a lifted cup.
    """

    store: WorldSource
    begun: InitVar[World]
    clients: list[Client]
    claims: Callable[[int | None], Claims]
    on_step: Callable[[], None]
    room: Callable[[], RoomSettings]
    screens: Callable[[], int] | None = None

    def __post_init__(self, begun: World) -> None:
        self.runner = WorldRunner(begun, self._advanced)
        self.travel = TimeTravel(lambda: self.runner.world)
        self.bench = Bench(begun)
        self.scene = RevealPause(self.screens or self._screens, self._held)
        self._broadcaster = Broadcaster(
            begun,
            self._shown,
            self._readings,
            self.clients,
            lambda: self.claims(self.store.number),
            self.scene,
            self.room,
        )
        self._sleeping: asyncio.TimerHandle | None = None

    @property
    def world(self) -> World:
        """The world that is played in now."""
        return self.runner.world

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, and every big screen has shown how."""
        if not self.world.is_over or self.scene.hides_verdict:
            return False
        return self._broadcaster.has_ended or not self.scene.has_screen

    def close(self) -> None:
        """Close the match; it goes on from its journals."""
        self.runner.close()
        self.scene.close()
        self._broadcaster.close()
        self._stay_awake()
        self.bench.close()
        self.travel.leave()
        self.world.close()

    def wake(self) -> None:
        """Let time go on: a page looks."""
        self._stay_awake()
        self.runner.do(lambda: None)
        self.runner.wake()

    def leave(self, seat: int | None) -> None:
        """A page of a seat is gone; its hand lets go of everything, unless another has it."""
        if seat is not None and all(each.seat != seat for each in self.clients):
            self.let_go(seat)
        if not self.clients:
            loop = asyncio.get_running_loop()
            self._sleeping = loop.call_later(SLEEPS_AFTER_S, self._sleep)

    def play(self, world: World) -> None:
        """Play in another world, in place of this one."""
        self._leave_past()
        self.scene.end()
        self.world.close()
        self.runner.world = world
        self.bench.follow(world)

    def do(self, command: session.Command) -> None:
        """Soon do something to a handheld."""
        self.runner.do(lambda: self.world.do(command))

    def move(self, client: Client, message: incoming.SeatMessage) -> None:
        """Do to a handheld what a page's hand does, if the seat is still this page's.

        The past cannot be changed.
        """
        if self.travel.past is None and client.seat == message.seat:
            self.world.do(client.hand.command(message, self.world.now_us, self.runner.rate))

    def change(self, message: incoming.BenchMessage) -> None:
        """Do what a page of the bench asks for, as `_BENCH` has it."""
        _BENCH[type(message)](self, message)

    def _pause(self, message: incoming.Pause) -> None:
        self.runner.paused = message.on or self.travel.past is not None

    def _set_speed(self, message: incoming.SetSpeed) -> None:
        self.runner.speed = message.factor

    def _step(self, message: incoming.StepTime) -> None:
        if self.runner.paused:
            self.travel.step(message.ms)

    def _seek(self, message: incoming.Seek) -> None:
        probed = self.bench.probed
        for looks, world in enumerate(self.travel.seek(message.s, PLOTTED_US, SAMPLE_US)):
            if looks == 0:
                self.runner.paused = True
                self.bench.follow(world)
            else:
                self.bench.probe(probed)

    def _go_live(self, _message: incoming.GoLive) -> None:
        self._leave_past()

    def _command(self, command: session.BenchCommand) -> None:
        if self.travel.past is None:
            self.world.do(command)

    def _screens(self) -> int:
        return sum(each.is_screen for each in self.clients)

    def _held(self) -> None:
        self.runner.hold(on=self.scene.stops_time)

    def _shown(self) -> Shown:
        runner = self.runner
        return Shown(self.travel.shown, self.travel.past is None, runner.speed, runner.paused)

    def _readings(self, seats: frozenset[int] | None) -> dict[str, Any] | None:
        return self.bench.readings(seats, self.world.now_us / 1e6)

    def _leave_past(self) -> None:
        if self.travel.past is not None:
            self.travel.leave()
            self.runner.paused = False
            self.bench.follow(self.world)

    def _set_up_anew(self) -> None:
        """Set up anew, from its journals, a match that something went wrong with in the middle."""
        if self.world.trouble is None:
            return
        log.warning("the table is set up anew: %s", self.world.trouble)
        self._leave_past()
        self.world.close()
        try:
            self.play(self.store.again())
        except STORE_ERRORS as error:
            log.warning("the table stands still until it is started again: %s", error)

    def let_go(self, seat: int) -> None:
        """Take the hands of a seat off pad, lid and keys."""
        self.do(session.PressPad(seat, down=False))
        self.do(session.CoverCup(seat))
        for key in get_args(session.KeyName):
            self.do(session.PressKey(seat, key, down=False))

    def _advanced(self) -> None:
        if (
            self.world.trouble is not None
            and not self.world.is_closed
            and (self.world.now_us >= LIVED_US)
        ):
            self.runner.do(self._set_up_anew)
        self.on_step()
        self._broadcaster.plan()

    def _stay_awake(self) -> None:
        if self._sleeping is not None:
            self._sleeping.cancel()
            self._sleeping = None

    def _sleep(self) -> None:
        self._sleeping = None
        if not self.clients:
            self.runner.asleep = True


_BENCH: Final[Mapping[type, Callable[[LiveMatch, Any], None]]] = {
    incoming.Pause: LiveMatch._pause,
    incoming.SetSpeed: LiveMatch._set_speed,
    incoming.StepTime: LiveMatch._step,
    incoming.Seek: LiveMatch._seek,
    incoming.GoLive: LiveMatch._go_live,
    **dict.fromkeys(get_args(session.BenchCommand), LiveMatch._command),
}
"""The messages of the bench; a command is done in the present alone."""
