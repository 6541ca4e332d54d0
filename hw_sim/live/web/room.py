"""The match that is played now and the pages in front of it: what all connections share."""

import asyncio

from hw_sim.hand.control.grip import KEYS
from hw_sim.live.web.bench.bench import Bench
from hw_sim.live.web.client import Client
from hw_sim.live.web.frames import Frames
from hw_sim.live.web.keeper import Keeper
from hw_sim.live.world import commands
from hw_sim.live.world.pace import Pace
from hw_sim.live.world.world import World

SLEEPS_AFTER_S = 4.0
"""So long after the last page was closed the table stands still."""


class Room:
    """One table: its world, its bench, its pages. On the loop of the server.

    ``open_table``: every page sees every panel and may do everything.
    """

    def __init__(self, keeper: Keeper, *, open_table: bool) -> None:
        self.keeper = keeper
        self.open_table = open_table
        self.clients: list[Client] = []
        self.pace = Pace(keeper.world(), self._advanced)
        self.bench = Bench(self.pace)
        self.frames = Frames(self.pace, self.bench, keeper, self.clients)
        self._sleeping: asyncio.TimerHandle | None = None
        self.bench.follow(self.world)

    @property
    def world(self) -> World:
        """The world that is played in now."""
        return self.pace.world

    def close(self) -> None:
        """Close the match and keep its session; the match goes on from its journals."""
        self.pace.close()
        self.frames.close()
        self._stay_awake()
        self.bench.close()
        self.keeper.keep(self.world.close())

    def wake(self) -> None:
        """Let time go on: a page looks."""
        self._stay_awake()
        self.pace.do(lambda: None)
        self.pace.wake()

    def leave(self, client: Client) -> None:
        """A page is gone; its hand lets go of lid, pad and keys, unless another page has them."""
        self.clients.remove(client)
        seat = None if client.rights is None else client.rights.seat
        if seat is not None and all(
            other.rights is None or other.rights.seat != seat for other in self.clients
        ):
            self._do(commands.Touch(seat, down=False))
            self._do(commands.Lift(seat, open=False))
            for key in KEYS:
                self._do(commands.PressKey(seat, key, down=False))
        if not self.clients:
            loop = asyncio.get_running_loop()
            self._sleeping = loop.call_later(SLEEPS_AFTER_S, self._sleep)

    def play_again(self) -> None:
        """Begin the next match of the same people, if this one is over."""
        if not self.world.is_over:
            return
        self.bench.leave_past()
        self.keeper.keep(self.world.close())
        self.pace.world = self.keeper.next()
        self.frames.begin_match()
        self.bench.follow(self.world)
        for client in self.clients:
            client.forget()
            client.send({"is": "again"})

    def _do(self, command: commands.Command) -> None:
        self.pace.do(lambda: self.world.do(command))

    def _advanced(self) -> None:
        self.frames.plan()

    def _stay_awake(self) -> None:
        if self._sleeping is not None:
            self._sleeping.cancel()
            self._sleeping = None

    def _sleep(self) -> None:
        self._sleeping = None
        if not self.clients:
            self.pace.asleep = True
