"""The match that is played now and the pages in front of it: what all connections share."""

import asyncio
import logging
from collections.abc import Callable
from typing import get_args

from hw_sim.live.web.bench.bench import Bench
from hw_sim.live.web.broadcaster import Broadcaster
from hw_sim.live.web.client import Client
from hw_sim.live.web.match_store import STORE_ERRORS, MatchStore
from hw_sim.live.world import commands
from hw_sim.live.world.world import World
from hw_sim.live.world.world_runner import USUAL_SPEED, WorldRunner

SLEEPS_AFTER_S = 4.0
"""The time from the close of the last page until the table stands still."""
LIVED_US = 30_000_000
"""A table that fails after this virtual time is set up anew; else it stands still."""
log = logging.getLogger(__name__)


class LiveMatch:
    """One table: its world, its bench, its pages. On the loop of the server.

    Args:
        keeper: where the match is kept.
        world: what is played first.
        clients: the pages, as they come and go.
        claimed: tells for each seat of people whether it is taken.
        on_step: is called after each step of the world.
    """

    def __init__(
        self,
        keeper: MatchStore,
        world: World,
        clients: list[Client],
        claimed: Callable[[], list[bool]],
        on_step: Callable[[], None] = lambda: None,
    ) -> None:
        self.keeper = keeper
        self.clients = clients
        self._on_step = on_step
        self.pace = WorldRunner(world, self._advanced)
        self.bench = Bench(self.pace)
        self.frames = Broadcaster(self.pace, self.bench, clients, claimed)
        self._sleeping: asyncio.TimerHandle | None = None
        self.bench.follow(self.world)

    @property
    def world(self) -> World:
        """The world that is played in now."""
        return self.pace.world

    def close(self) -> None:
        """Close the match; it goes on from its journals."""
        self.pace.close()
        self.frames.close()
        self._stay_awake()
        self.bench.close()
        self.world.close()

    def wake(self) -> None:
        """Let time go on: a page looks."""
        self._stay_awake()
        self.pace.do(lambda: None)
        self.pace.wake()

    def leave(self, seat: int | None) -> None:
        """A page of a seat is gone; its hand lets go of everything, unless another has it."""
        if seat is not None and all(each.seat != seat for each in self.clients):
            self.let_go(seat)
        if not self.clients:
            loop = asyncio.get_running_loop()
            self._sleeping = loop.call_later(SLEEPS_AFTER_S, self._sleep)

    def play(self, world: World) -> None:
        """Play in another world, in place of this one."""
        self.bench.leave_past()
        self.world.close()
        self._begin(world)

    def _go_on(self) -> None:
        """Set up anew, from its journals, a match that something went wrong with in the middle."""
        if self.world.trouble is None:
            return
        log.warning("the table is set up anew: %s", self.world.trouble)
        self.bench.leave_past()
        self.world.close()
        try:
            self._begin(self.keeper.again())
        except STORE_ERRORS as error:
            log.warning("the table stands still until it is started again: %s", error)

    def _begin(self, world: World) -> None:
        """Play in another world."""
        self.pace.world = world
        self.bench.follow(self.world)

    def be_as_usual(self) -> None:
        """Undo what only somebody with rights may do to time."""
        self.bench.leave_past()
        self.pace.paused, self.pace.speed = False, USUAL_SPEED

    def let_go(self, seat: int) -> None:
        """Take the hands of a seat off pad, lid and keys."""
        self._do(commands.PressPad(seat, down=False))
        self._do(commands.CoverCup(seat))
        for key in get_args(commands.KeyName):
            self._do(commands.PressKey(seat, key, down=False))

    def _do(self, command: commands.Command) -> None:
        self.pace.do(lambda: self.world.do(command))

    def _advanced(self) -> None:
        if (
            self.world.trouble is not None
            and not self.world.is_closed
            and (self.world.now_us >= LIVED_US)
        ):
            self.pace.do(self._go_on)
        self._on_step()
        self.frames.plan()

    def _stay_awake(self) -> None:
        if self._sleeping is not None:
            self._sleeping.cancel()
            self._sleeping = None

    def _sleep(self) -> None:
        self._sleeping = None
        if not self.clients:
            self.pace.asleep = True
