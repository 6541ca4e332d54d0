"""A take of a scene on a simulated board: the person's plan, and parts that sense it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import NamedTuple

from firmware.runtime.board import Board, assemble
from hw_sim.board.board import SimulatedBoard
from hw_sim.hand.signals.hand import Hand
from hw_sim.trials.gestures.scenes import Plan, Scene, planned


class Staged(NamedTuple):
    """A take that can be sensed.

    Attributes:
        plan: what is done when.
        end_us: when all of it is over.
        parts: the drivers of the board.
        violations: what the parts complained of so far.
    """

    plan: Plan
    end_us: int
    parts: Board
    violations: list[str]


@contextmanager
def staged(scene: Scene, seed: str, take_s: int) -> Iterator[Staged]:
    """Stage a take of about ``take_s`` on the running loop; ``seed`` decides all of it."""
    loop = asyncio.get_running_loop()
    rng = Random(f"scene {seed}")
    plan = Plan()
    hand = Hand(rng, scene.room(rng))
    end_us = planned(scene, hand, rng, plan, take_s)
    board = SimulatedBoard(seed, loop)
    board.acceleration, board.illuminance = hand.acceleration, hand.illuminance
    for press in plan.presses:
        loop.call_at(press.down_us / 1e6, board.touch, True)
        loop.call_at(press.up_us / 1e6, board.touch, False)
    parts = assemble(board.bus, board.bus.execute, board.gpio, loop)
    try:
        yield Staged(plan, end_us, parts, board.violations)
    finally:
        parts.motion_pin.close()
        board.close()
