"""A hand that is led through a calibration, and does what the guide asks for."""

import asyncio
from collections.abc import Callable
from random import Random

from drivers.time import now_us
from firmware.upkeep.calibrate.guide import Guide, GuideStep
from hw_sim.board.board import SimulatedBoard
from hw_sim.hand.signals.hand import Hand, Person
from hw_sim.hand.signals.light import LightScene

S = 1_000_000
Habit = Callable[[Hand, int], object]
"""A hand's action in a step, from a time in µs on."""


class Pupil:
    """Does what a calibration asks for, a second later; call it whenever the guide has changed.

    Args:
        board: its accelerometer and light sensor sense the hand.
        loop: whose time it is.
        seed: decides how the hand moves.
        person: who it is; None draws somebody.
        lux: the light of the room.
        habits: what the hand does instead, by the step's name in small letters.

    ``steps``: what was asked for so far.
    """

    def __init__(
        self,
        board: SimulatedBoard,
        loop: asyncio.AbstractEventLoop,
        seed: int | str = 1,
        person: Person | None = None,
        lux: float = 60.0,
        **habits: Habit,
    ) -> None:
        rng = Random(f"pupil {seed}")
        self.hand = Hand(rng, LightScene(rng, lux), person=person or Person.drawn(rng))
        self.steps: list[GuideStep] = []
        self._loop = loop
        self._habits: dict[str, Habit] = {**_USUAL, **habits}
        self._told: object = None
        board.acceleration = self.hand.acceleration
        board.illuminance = self.hand.illuminance

    def __call__(self, guide: Guide) -> None:
        """Plan what the guide's step asks for, unless step and complaints are as before."""
        now = (guide.step, guide.complaints)
        if now == self._told:
            return
        self._told = now
        self.do(guide.step)

    def do(self, step: GuideStep) -> None:
        """Plan what a step asks for."""
        self.steps.append(step)
        habit = self._habits.get(step.name.lower())
        if habit is not None:
            habit(self.hand, now_us(self._loop) + S)


def _put_down(hand: Hand, t_us: int) -> None:
    hand.lift(t_us)
    hand.put_down(t_us)


def _cover(hand: Hand, t_us: int) -> None:
    hand.cover(hand.take_up(t_us))


def _lift(hand: Hand, t_us: int) -> None:
    for turn in range(3):
        hand.lift(t_us + 3 * turn * S)
        hand.cover(t_us + 3 * turn * S + S)


def _shake(hand: Hand, t_us: int) -> None:
    for _ in range(3):
        t_us = hand.shake(t_us, 1.4) + 2 * S


_USUAL: dict[str, Habit] = {
    "put_down": _put_down,
    "uncover": Hand.lift,
    "cover": _cover,
    "lift": _lift,
    "shake": _shake,
    "tilt": lambda hand, t_us: hand.tilt(t_us, 40.0, 0.0),
}
