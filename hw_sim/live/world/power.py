"""The power and the faults of a table's seats: brown-outs, batteries, reboots."""

import asyncio
from collections.abc import Callable, Collection, Coroutine
from functools import partial
from typing import Any

from hw_sim.air import Air
from hw_sim.board import SimulatedBoard

DARK_FOR_S = 1.5
"""The time for which a brown-out takes the power."""
LOSES_S = 0.05
"""The time until a handheld that lost its power can be switched on again."""
_POWERLESS = {"brownout", "battery"}
_PARTS = ("display", "accelerometer", "light")


class Power:
    """Switches the handhelds of a table on and off, and breaks them. On the table's loop.

    Args:
        seats: those whose handhelds are here; all are off.
        board: returns the present board of a seat.
        air: carries the handhelds' frames.
        reboot: gets a seat whose handheld begins anew from its journal.
        works: what runs while a seat has power; is asked anew whenever it gets some.
        on_off: gets a seat that has lost its power.
        on_failure: gets a seat and the error that one of its works ended with; it begins anew from
            its journal, as after a loss of power.
    """

    def __init__(
        self,
        seats: Collection[int],
        board: Callable[[int], SimulatedBoard],
        air: Air,
        reboot: Callable[[int], object],
        works: Callable[[int], list[Coroutine[Any, Any, None]]],
        on_off: Callable[[int], None],
        on_failure: Callable[[int, BaseException], None],
    ) -> None:
        self._board = board
        self._air = air
        self._begin_anew = reboot
        self._works = works
        self._on_off = on_off
        self._on_failure = on_failure
        self._loop = asyncio.get_running_loop()
        self._tasks: dict[int, list[asyncio.Task[None]]] = {}
        self._broken: dict[int, set[str]] = {seat: set() for seat in seats}

    def is_on(self, seat: int) -> bool:
        """Whether a handheld has power."""
        return seat in self._tasks

    def broken(self, seat: int) -> list[str]:
        """Return the present faults of a seat, by the names of `commands.FAULTS`, sorted."""
        return sorted(self._broken[seat])

    def switch_on(self, seat: int) -> None:
        """Give power to a handheld that has none: start its works."""
        self._tasks[seat] = [self._loop.create_task(work) for work in self._works(seat)]
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
        if fault in _POWERLESS:
            self._set_powerless(seat, fault, there)
            return
        if fault not in (*_PARTS, "stuck", "link"):
            raise KeyError(fault)
        (broken.add if there else broken.discard)(fault)
        board = self._board(seat)
        if fault == "link":
            (self._air.absent if there else self._air.present)(seat)
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
            if not powered and not broken & _POWERLESS:
                self._loop.call_later(LOSES_S, self._reboot, seat)

    def _switch_off(self, seat: int) -> None:
        for task in self._tasks.pop(seat):
            task.cancel()
        self._board(seat).unplug("display")
        self._air.switch_off(seat)
        self._on_off(seat)

    def _reboot(self, seat: int) -> None:
        """Begin anew from the journal, on new parts: only what is wrong around them stays so."""
        if self.is_on(seat) or self._broken[seat] & _POWERLESS:
            return
        self._begin_anew(seat)
        self._broken[seat] &= {"link"}
        self.switch_on(seat)

    def _ended(self, seat: int, task: asyncio.Task[None]) -> None:
        if task.cancelled() or (error := task.exception()) is None:
            return
        self._on_failure(seat, error)
        if task in self._tasks.get(seat, ()):
            self._switch_off(seat)
            self._loop.call_later(DARK_FOR_S, self._reboot, seat)
