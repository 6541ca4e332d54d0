"""The bench: readings of what goes on inside the handhelds, and files of them.

It looks at a world without changing what happens in it. It shows a page nothing of a handheld whose
panel that page may not see. It sends nothing itself.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from firmware.input.gestures.light import LX_PER_COUNT
from firmware.input.gestures.swings import COUNTS_PER_G
from hw_sim.air.air import HeardPacket
from hw_sim.live.web.bench.decoder import decode_packet
from hw_sim.live.web.bench.probe import MOST_LINES, PINS, Probe
from hw_sim.live.world.handheld_look import pose_of
from hw_sim.live.world.world import World
from hw_sim.panel.picture import gif, panel, png
from hw_sim.steckbrett.traces.vcd import vcd

READINGS_S = 0.1
"""Least real time between two readings that are sent."""
PLOTTED_US = 12_000_000
"""The virtual time before a moment that is plotted: as much as the page has room for."""


class Bench:
    """The source of the bench pages: the readings that they show, and their exports.

    Args:
        world: the world that is looked at first.
    """

    def __init__(self, world: World) -> None:
        self._probes: dict[int, Probe] = {}
        self._watching = False
        self._sent_s = 0.0
        self._world = world
        self.follow(world)

    def follow(self, world: World) -> None:
        """Look at another world: at its boards, and at its air."""
        self.close()
        self._world = world
        self._air: list[dict[str, Any]] = []
        world.table.air.observers.append(self._add_packet)

    def close(self) -> None:
        """Take all probes off the boards, and leave the air."""
        observers = self._world.table.air.observers
        if self._add_packet in observers:
            observers.remove(self._add_packet)
        for probe in self._probes.values():
            probe.close()
        self._probes.clear()

    def readings(self, viewers: Sequence[frozenset[int]], end_s: float) -> list[dict[str, Any]]:
        """Return the readings for each page that shows the bench, of the panels that it may see.

        ``viewers``: the seats of those panels, for every page. ``end_s`` is the virtual time of the
        present match. Empty while nothing is due yet: readings come a few times a second.
        """
        self._watching = bool(viewers)
        self.probe(frozenset().union(*viewers))
        loop_s = asyncio.get_running_loop().time()
        if not viewers or loop_s - self._sent_s < READINGS_S:
            return []
        self._sent_s = loop_s
        world = self._world
        readings = {
            "t": world.now_us / 1e6,
            "end": end_s,
            "air": self._air,
            "violations": sum(len(seat.board.violations) for seat in world.table.seats),
        }
        seats = {
            seat: {"points": probe.points, "bus": probe.fresh[-MOST_LINES:]}
            for seat, probe in sorted(self._probes.items())
        }
        self._air = []
        for probe in self._probes.values():
            probe.points, probe.fresh = [], []
        return [
            {**readings, "seats": {seat: seats[seat] for seat in seats if seat in entitled}}
            for entitled in viewers
        ]

    @property
    def probed(self) -> frozenset[int]:
        """The seats whose boards are looked at."""
        return frozenset(self._probes)

    def probe(self, wanted: frozenset[int]) -> None:
        """Read a probe at each board of these seats, and at no other."""
        seats = self._world.table.seats
        for seat, probe in list(self._probes.items()):
            if seat not in wanted or probe.board is not seats[seat].board:
                self._probes.pop(seat).close()
        for seat in wanted:
            if seat not in self._probes:
                self._probes[seat] = Probe(seats[seat].board, partial(self._point, seat))
            self._probes[seat].read()

    def _point(self, seat: int, now_us: int) -> list[float]:
        """Return a point of the plots.

        It has s, lux, m/s² along x, y, z, roll in degrees and the level of the pad; then the
        firmware's view: the lux of a lift, the lux of a closing, and the motion's strength in g.
        """
        handheld, felt = self._world.table.seats[seat], self._world.feelings[seat].felt(now_us)
        recognizer = handheld.recognizer
        pose = pose_of(felt)
        return [
            now_us / 1e6,
            round(handheld.hand.illuminance(now_us), 3),
            *(round(each, 2) for each in felt),
            0 if pose is None else pose[0],
            float(handheld.board.touch_pad.level),
            round(recognizer.light.lift_threshold_counts * LX_PER_COUNT, 2),
            round(recognizer.light.close_threshold_counts * LX_PER_COUNT, 2),
            round(recognizer.shake.level / COUNTS_PER_G, 2),
        ]

    def _add_packet(self, packet: HeardPacket) -> None:
        if self._watching and len(self._air) < MOST_LINES:
            self._air.append(
                {
                    "t_us": packet.t_us,
                    "from": packet.sender,
                    "to": packet.receiver,
                    "size": len(packet.payload),
                    "about": decode_packet(packet.payload),
                }
            )

    def export(self, what: str, seat: int) -> tuple[str, bytes] | None:
        """The type and bytes of a file of a seat; None if there is no such seat or file.

        ``what``: ``bus.vcd``, ``panel.png``, ``panel.gif``.
        """
        world = self._world
        if not 0 <= seat < len(world.table.seats):
            return None
        memory = bytes(world.table.seats[seat].board.display.memory)
        probe = self._probes.get(seat)
        match what:
            case "bus.vcd":
                transfers, edges = (probe.latest(), probe.edges) if probe is not None else ((), ())
                return "text/plain", vcd(transfers, edges, PINS).encode()
            case "panel.png":
                return "image/png", png(panel(memory))
            case "panel.gif":
                film = [*probe.film] if probe is not None else []
                return "image/gif", gif(film or [(world.now_us, memory)], world.now_us)
        return None
