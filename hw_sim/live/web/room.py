"""The match that is played now and the pages in front of it: what all connections share."""

import asyncio
import logging
from typing import get_args

from hw_sim.live.web.access import Rights, rights_of
from hw_sim.live.web.bench.bench import Bench
from hw_sim.live.web.client import Client
from hw_sim.live.web.doors import A_PAGE, A_SEAT, NO_PAGE
from hw_sim.live.web.frames import Frames, welcome
from hw_sim.live.web.keeper import NOT_KEPT, Keeper
from hw_sim.live.web.protocol import LATER, RefusalError
from hw_sim.live.world import commands
from hw_sim.live.world.pace import Pace
from hw_sim.live.world.world import World

SLEEPS_AFTER_S = 4.0
"""So long after the last page was closed the table stands still."""
LIVED_US = 30_000_000
"""A table is set up anew after a failure if it has lived so long, virtual; else it stands still."""
MOST_WATCHERS = 40
MOST_PAGES = 8
"""So many pages of one seat."""
log = logging.getLogger(__name__)


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

    def worth(self, transport: asyncio.BaseTransport) -> int:
        """What a connection is to the `Doors`."""
        for client in self.clients:
            if client.transport is transport:
                return A_PAGE if _seat_of(client) is None else A_SEAT
        return NO_PAGE

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
        self.keeper.close()

    def wake(self) -> None:
        """Let time go on: a page looks."""
        self._stay_awake()
        self.pace.do(lambda: None)
        self.pace.wake()

    def welcome(self, client: Client, rights: Rights) -> None:
        """Give a page its rights; of the pages of one seat the oldest goes when there are too many.

        Raises:
            RefusalError: so many watch already.
        """
        others = [each for each in self.clients if _seat_of(each) == rights.seat and each.rights]
        if rights.seat is None and len(others) >= MOST_WATCHERS:
            raise RefusalError(LATER, "the room is full")
        if rights.seat is not None and len(others) >= MOST_PAGES:
            others[0].cut()
        client.rights = rights
        self.wake()

    def free(self, seat: int) -> None:
        """Free a seat: all its pages are those of a stranger from now on.

        Raises:
            OSError: that cannot be written down; then the seat is still taken.
        """
        setup = self.keeper.setup
        self.keeper.claims.leave(seat)
        self._let_go(seat)
        for client in self.clients:
            rights = client.rights
            if rights is not None and rights.seat == seat:
                client.rights = rights_of(
                    rights.view, rights.language, None, setup, open_table=self.open_table
                )
                client.forget()
                client.send(welcome(self.keeper, client.rights, None))
                client.send({"is": "left"})
        if setup.people == 1 and not self.open_table:
            self.pace.do(self._be_as_usual)

    def leave(self, client: Client) -> None:
        """A page is gone; its hand lets go of lid, pad and keys, unless another page has them."""
        self.clients.remove(client)
        seat = _seat_of(client)
        if seat is not None and all(_seat_of(other) != seat for other in self.clients):
            self._let_go(seat)
        if not self.clients:
            loop = asyncio.get_running_loop()
            self._sleeping = loop.call_later(SLEEPS_AFTER_S, self._sleep)

    def play_again(self) -> None:
        """Begin the next match of the same people, if this one is over.

        Raises:
            OSError, JournalError: it cannot be written down; then everything stays as it is.
        """
        if self.world.is_over:
            world = self.keeper.next()
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
        except NOT_KEPT as error:
            log.warning("the table stands still until it is started again: %s", error)

    def _begin(self, world: World) -> None:
        """Play in another world."""
        self.pace.world = world
        self.frames.begin_match()
        self.bench.follow(self.world)
        for client in self.clients:
            client.forget()
            client.send({"is": "again"})

    def _be_as_usual(self) -> None:
        """Undo what only somebody with rights may do to time."""
        self.bench.leave_past()
        self.pace.paused, self.pace.speed = False, 1.0

    def _let_go(self, seat: int) -> None:
        """Take the hands of a seat off pad, lid and keys."""
        self._do(commands.Touch(seat, down=False))
        self._do(commands.Lift(seat, open=False))
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
        self.frames.plan()

    def _stay_awake(self) -> None:
        if self._sleeping is not None:
            self._sleeping.cancel()
            self._sleeping = None

    def _sleep(self) -> None:
        self._sleeping = None
        if not self.clients:
            self.pace.asleep = True


def _seat_of(client: Client) -> int | None:
    return None if client.rights is None else client.rights.seat
