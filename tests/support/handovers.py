"""How long the cup takes from hand to hand at a simulated table, by what the panels are to show."""

import asyncio
from typing import NamedTuple

from firmware.display.screens import OfferPage, OnItsWayPage
from firmware.table.seat.cup_custody import Position
from hw_sim.air.bluetooth import BluetoothAir

OFFER_INFRARED_MS = 350.0
"""From "said" to the offer, over infrared alone and where nothing gets lost; the median."""
TAKE_INFRARED_MS = 1200.0
"""From the answering tap to the cup in hand, likewise."""
OFFER_INTERVALS = 8.0
"""Over Bluetooth, in connection intervals, half of them for the set-up of a connection: what is
offered is answered once the log that leads to it is there, signed; the median."""
TAKE_INTERVALS = 6.0
"""Likewise, from the answering tap to the cup in hand."""


class Crossing(NamedTuple):
    """Something that had to get from one seat to another.

    ``took_s`` is the time it took, ``interval_s`` the interval of the seats' connection; None
    without Bluetooth.
    """

    took_s: float
    interval_s: float | None


class HandoverWatch:
    """Sees the cup's way at a table.

    Attributes:
        offers: from "said" at the giver to the offer on the receiver's panel.
        takings: from the answer's gesture to the cup being in the receiver's hand.
    """

    def __init__(self) -> None:
        self.offers: list[Crossing] = []
        self.takings: list[Crossing] = []
        self._seats: dict[str, int] = {}
        self._said_s: dict[tuple[int, int], float] = {}
        self._answered_s: dict[tuple[int, int], float] = {}
        self._giver: dict[int, int] = {}

    def watch(self, table) -> None:
        """Watch every seat of a table that does not run yet."""
        self._air = table.air
        self._loop = asyncio.get_running_loop()
        self._seats = {name: seat for seat, name in enumerate(table.setup.names)}
        for seat in table.seats:
            seat.on_show.append(_Eyes(self, seat).showing)

    def slowness(self, link: str) -> list[float]:
        """Each crossing as a share of what the median may take over this link, by whole µs."""
        infrared = (self.offers, OFFER_INFRARED_MS), (self.takings, TAKE_INFRARED_MS)
        bluetooth = (self.offers, OFFER_INTERVALS), (self.takings, TAKE_INTERVALS)
        return [
            _us(one.took_s) / _us(most * (1e-3 if link == "ir" else one.interval_s))
            for crossings, most in (infrared if link == "ir" else bluetooth)
            for one in crossings
            if link == "ir" or one.interval_s
        ]

    def _crossed(
        self, crossings: list[Crossing], since_s: dict[tuple[int, int], float], taker: int
    ) -> None:
        one, other = self._giver.get(taker, taker), taker
        began_s, now_s = since_s.pop((one, other), None), self._loop.time()
        if began_s is None:
            return
        bluetooth = isinstance(self._air, BluetoothAir)
        interval_s = self._air.interval_s(one, other) if bluetooth else None
        crossings.append(Crossing(now_s - began_s, interval_s))


def _us(seconds: float) -> int:
    """Whole µs of a time in s: what takes just as long as it may is not longer by a rounding."""
    return round(1e6 * seconds)


class _Eyes:
    """The changes of one seat's panel, as news."""

    def __init__(self, watch: HandoverWatch, seat) -> None:
        self._watch = watch
        self._seat = seat
        self._leaving = False
        self._position = Position.WATCHING

    def showing(self, screen) -> None:
        """A screen is to be shown."""
        watch, me = self._watch, self._seat.seat
        position = self._seat.handheld.position
        if isinstance(screen, OnItsWayPage):
            to = watch._seats[screen.to]
            watch._giver[to] = me
            if not self._leaving and screen.said is not None:
                watch._said_s[me, to] = watch._loop.time()
        self._leaving = isinstance(screen, OnItsWayPage)
        if isinstance(screen, OfferPage):
            watch._crossed(watch.offers, watch._said_s, me)
        if position is not self._position:
            if position is Position.TAKING:
                watch._answered_s[watch._giver.get(me, me), me] = watch._loop.time()
            elif self._position is Position.TAKING:
                watch._crossed(watch.takings, watch._answered_s, me)
            self._position = position


MOST_A_HOP_S = 7.0
"""The light of three seats for each hop and the throw that comes before the first, on average."""


class LightWatch:
    """Sees all light at a table; ``light_us`` is how long transmissions took."""

    def __init__(self) -> None:
        self.light_us = 0

    def a_hop_s(self, hops: int) -> float:
        """For how long the light was on, for each hop and the turn before the first."""
        return self.light_us / 1e6 / (hops + 1)

    def watch(self, table) -> None:
        """Watch a table that does not run yet."""
        table.infrared.observers.append(self._sent)

    def _sent(self, sent: tuple[int, int, tuple[int, ...]]) -> None:
        _, _, lengths_us = sent
        self.light_us += sum(lengths_us)
