"""How long the cup takes from hand to hand at a simulated table, by what the panels are to show."""

import asyncio
from functools import partial
from statistics import median

from firmware.display.screens import OfferPage, OnItsWayPage
from firmware.table.seat.cup_custody import Position

MOST_MS = {"ir": (350.0, 1200.0), "bluetooth": (620.0, 90.0)}
"""By link, the most that the medians may be: to the offer, and to the cup in hand. Infrared loses
nothing there. Over Bluetooth they are 4 and 3 intervals of 30 ms, and 500 ms to connect."""
MOST_LIGHT_S = 7.0
"""The light of three seats for each hop and the throw that comes before the first, on average."""


class HandoverWatch:
    """Sees the cup's way at a table, and the light that it takes.

    Attributes:
        offers_ms: from "said" at the giver to the offer on the receiver's panel.
        takings_ms: from the answer's gesture to the cup being in the receiver's hand.
        light_us: how long infrared light was on.
    """

    def __init__(self) -> None:
        self.offers_ms, self.takings_ms, self.light_us = list[float](), list[float](), 0
        self._leaving = set[int]()
        self._said_s, self._answered_s = dict[int, float](), dict[int, float]()

    def watch(self, table) -> None:
        """Watch every seat of a table that does not run yet."""
        self._loop, self._names = asyncio.get_running_loop(), table.setup.names
        for seat in table.seats:
            seat.on_show.append(partial(self._shows, seat))
        table.infrared.observers.append(self._sent)

    def medians_ms(self) -> tuple[float, float]:
        """Return the medians of both times; 0 where no cup crossed."""
        return median(self.offers_ms or [0.0]), median(self.takings_ms or [0.0])

    def _shows(self, seat, screen) -> None:
        now_s, me = self._loop.time(), seat.seat
        if not isinstance(screen, OnItsWayPage):
            self._leaving.discard(me)
        elif me not in self._leaving:
            self._leaving.add(me)
            if screen.said is not None:
                self._said_s[self._names.index(screen.to)] = now_s
        if isinstance(screen, OfferPage) and me in self._said_s:
            self.offers_ms.append(1000 * (now_s - self._said_s.pop(me)))
        if seat.handheld.position is Position.TAKING:
            self._answered_s.setdefault(me, now_s)
        elif me in self._answered_s:
            self.takings_ms.append(1000 * (now_s - self._answered_s.pop(me)))

    def _sent(self, sent: tuple[int, int, tuple[int, ...]]) -> None:
        self.light_us += sum(sent[-1])
