"""The bench: what goes on inside the handhelds, and all that can be done to them from outside.

It looks at a world without changing what happens in it. It shows a page nothing of a handheld whose
panel that page may not see. It sends nothing itself.
"""

import asyncio
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hw_sim.air.bluetooth import HeardPacket
from hw_sim.live.web import incoming
from hw_sim.live.web.bench.decoder import decode_packet
from hw_sim.live.web.bench.probe import MOST_LINES, SAMPLE_US, Probe
from hw_sim.live.web.bench.vcd import vcd
from hw_sim.live.world.replay import Replay
from hw_sim.live.world.session import load
from hw_sim.live.world.world import World
from hw_sim.live.world.world_runner import WorldRunner
from hw_sim.panel.picture import gif, panel, png

NEWS_S = 0.1
"""Least real time between two news of the bench."""


PLOTTED_US = 12_000_000
"""The virtual time before a moment that is plotted: as much as the page has room for."""


class Bench:
    """The source of the bench pages: the readings that they show, and their exports."""

    def __init__(self, pace: WorldRunner) -> None:
        self._replay: Replay | None = None
        self._pace = pace
        self._probes: dict[int, Probe] = {}
        self._air: list[dict[str, Any]] = []
        self._folder: Path | None = None
        self._watching = False
        self._sent_s = 0.0

    @property
    def past(self) -> World | None:
        """A world that is looked at again; None in the present."""
        return None if self._replay is None else self._replay.world

    def follow(self, world: World) -> None:
        """Listen to the air of another world."""
        self._close_probes()
        self._air = []
        world.table.air.observers.append(lambda packet: self._add_packet(packet, world))

    def close(self) -> None:
        """Take all probes off the boards, and leave the past."""
        self._close_probes()
        self.leave_past()

    # ---- what is shown -----------------------------------------------------------------------

    def news(self, viewers: Sequence[frozenset[int]], world: World) -> list[dict[str, Any]]:
        """Return the news for each page that shows the bench, of the panels that it may see.

        ``viewers``: the seats of those panels, for every page. Empty while nothing is due yet: news
        come a few times a second.
        """
        self._watching = bool(viewers)
        self._probe(frozenset().union(*viewers), world)
        loop_s = asyncio.get_running_loop().time()
        if not viewers or loop_s - self._sent_s < NEWS_S:
            return []
        self._sent_s = loop_s
        news = {
            "t": world.now_us / 1e6,
            "end": self._pace.world.now_us / 1e6,
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
            {**news, "seats": {seat: seats[seat] for seat in seats if seat in entitled}}
            for entitled in viewers
        ]

    def _probe(self, wanted: frozenset[int], world: World) -> None:
        """Read a probe at each board of these seats, and at no other."""
        for seat, probe in list(self._probes.items()):
            if seat not in wanted or probe.board is not world.table.seats[seat].board:
                self._probes.pop(seat).close()
        for seat in wanted:
            if seat not in self._probes:
                self._probes[seat] = Probe(world, seat)
            self._probes[seat].read()

    def _add_packet(self, packet: HeardPacket, world: World) -> None:
        looked_at = world is (self.past or self._pace.world)
        if self._watching and looked_at and len(self._air) < MOST_LINES:
            self._air.append(
                {
                    "t_us": packet.t_us,
                    "from": packet.sender,
                    "to": packet.receiver,
                    "size": len(packet.payload),
                    "about": decode_packet(packet.payload),
                }
            )

    # ---- what is done ------------------------------------------------------------------------

    def do(self, message: incoming.BenchMessage) -> None:
        """Do what a page of the bench asks for; a command to the table only in the present."""
        pace = self._pace
        match message:
            case incoming.Pause(on):
                pace.paused = on or self.past is not None
            case incoming.SetSpeed(factor):
                pace.speed = factor
            case incoming.StepTime(ms):
                if pace.paused:
                    self._step(ms)
            case incoming.Seek(s):
                self._seek(s)
            case incoming.GoLive():
                self.leave_past()
            case command:
                if self.past is None:
                    pace.world.do(command)

    def _step(self, ms: float) -> None:
        world = self.past or self._pace.world
        due_us = world.loop.due_us
        wanted_us = world.now_us + round(ms * 1000)
        until_us = due_us if due_us is not None and not ms else wanted_us
        if self._replay is None:
            world.advance(until_us)
        else:
            self._replay.advance(min(until_us, self._pace.world.now_us))

    def leave_past(self) -> None:
        """Leave the past, if it is looked at, and look at the present match."""
        if self._replay is not None:
            self._close_probes()
            self._replay.world.close()
            self._replay = None
            self._air = []
            self._pace.paused = False
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def _seek(self, s: float) -> None:
        live = self._pace.world
        wanted_us = min(round(s * 1e6), live.now_us)
        if live.session is None or not live.session.is_open:
            return  # what was done is not known to its end
        probed = frozenset(self._probes)
        self.leave_past()
        self._folder = Path(tempfile.mkdtemp(prefix="maexchen-past-"))
        replay = Replay(load(live.session.path), self._folder)
        replay.advance(max(0, wanted_us - PLOTTED_US))
        self._replay = replay
        self.follow(replay.world)
        self._pace.paused = True
        while replay.world.now_us < wanted_us:
            replay.advance(min(wanted_us, replay.world.now_us + SAMPLE_US))
            self._probe(probed, replay.world)

    # ---- what is taken along -----------------------------------------------------------------

    def export(self, what: str, seat: int) -> tuple[str, bytes] | None:
        """The type and bytes of a file of a seat; None if there is no such seat or file.

        ``what``: ``bus.vcd``, ``panel.png``, ``panel.gif``.
        """
        world = self.past or self._pace.world
        if not 0 <= seat < len(world.table.seats):
            return None
        memory = bytes(world.table.seats[seat].board.display.memory)
        probe = self._probes.get(seat)
        match what:
            case "bus.vcd":
                dump = vcd((), ()) if probe is None else vcd(probe.transfers, probe.edges)
                return "text/plain", dump.encode()
            case "panel.png":
                return "image/png", png(panel(memory))
            case "panel.gif":
                film = [*probe.film] if probe is not None else []
                return "image/gif", gif(film or [(world.now_us, memory)], world.now_us)
        return None

    def _close_probes(self) -> None:
        for probe in self._probes.values():
            probe.close()
        self._probes.clear()
