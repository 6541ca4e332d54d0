"""Real time for a world: how fast it goes, when it rests, and what follows each step."""

import asyncio
from collections.abc import Callable

from hw_sim.live.world.world import World

USUAL_SPEED = 2.5
"""Time goes this much faster than life while no person is to act, until somebody chooses another
speed. A bot's turn takes about 4 s then."""
TICK_S = 0.010
"""Least real time between two steps of the world. A command takes its step at once."""
LONGEST_TICK_S = 0.05
BUDGET_S = 0.015
"""Most real time of one step: then it is the browsers' turn, and virtual time goes slower."""


class WorldRunner:
    """Advances a world as real time passes.

    Args:
        world: the first world.
        on_step: is called after each step.
    """

    def __init__(self, world: World, on_step: Callable[[], None]) -> None:
        self.world = world
        self.speed = USUAL_SPEED
        self.paused = False
        self.held = False
        """A room looks at something else: nothing moves until it has seen that."""
        self.asleep = True
        """Nobody looks: nothing moves."""
        self._on_step = on_step
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._seen_s = self._loop.time()
        self._orders: list[Callable[[], None]] = []
        self._closed = False

    @property
    def rate(self) -> float:
        """How fast time goes now: no faster than life while a person is to act."""
        return min(self.speed, 1.0) if self.world.asks_person else self.speed

    def do(self, order: Callable[[], None]) -> None:
        """Call ``order`` soon, between two steps of the world; ``on_step`` follows.

        Nothing happens once it is closed.
        """
        if self._closed:
            return
        self._orders.append(order)
        self._again(0.0)

    def wake(self) -> None:
        """Let time go on, if it is asleep: the time it slept is left out."""
        if self.asleep:
            self.asleep = False
            self._seen_s = self._loop.time()
            self._again(0.0)

    def hold(self, *, on: bool) -> None:
        """Let time stand still, or go on: the time in between is left out."""
        self.held = on
        self._seen_s = self._loop.time()
        if not self._closed:
            self._again(0.0)

    def close(self) -> None:
        """Cancel the next step, and every order."""
        self._closed = True
        self._orders.clear()
        if self._timer is not None:
            self._timer.cancel()

    @property
    def _moves(self) -> bool:
        return not (self.paused or self.asleep or self.held) and self.world.trouble is None

    def _again(self, after_s: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(after_s, self._step)

    def _step(self) -> None:
        self._timer = None
        now_s = self._loop.time()
        passed_s, self._seen_s = now_s - self._seen_s, now_s
        world = self.world
        if self._moves:
            until_us = world.now_us + round(min(passed_s, 0.25) * self.rate * 1e6)
            world.advance(until_us, BUDGET_S)
        orders, self._orders = self._orders, []
        for order in orders:
            order()
        self._on_step()
        if self._moves and not self._closed:
            due_us = self.world.loop.due_us
            ahead_s = LONGEST_TICK_S
            if due_us is not None:
                ahead_s = (due_us - self.world.now_us) / 1e6 / self.rate
            self._again(min(max(ahead_s, TICK_S), LONGEST_TICK_S))
