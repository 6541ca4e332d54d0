"""The bench: what goes on inside the handhelds, and all that can be done to them from outside.

It looks at a world without changing what happens in it. Of a handheld whose panel a page may not
see it tells nothing.
"""

import asyncio
import shutil
import tempfile
from pathlib import Path
from typing import Any

from aiohttp import web

from hw_sim.air.bluetooth import HeardPacket
from hw_sim.live.web.bench.decoder import packet as told_of
from hw_sim.live.web.bench.probe import MOST_LINES, Probe
from hw_sim.live.web.bench.vcd import vcd
from hw_sim.live.web.client import Client
from hw_sim.live.web.protocol import Said
from hw_sim.live.world.pace import Pace
from hw_sim.live.world.world import World, replayed
from hw_sim.panel.picture import gif, panel, png


class Bench:
    """What the bench pages show and do. ``past`` is a world being looked at again, else None."""

    def __init__(self, pace: Pace) -> None:
        self.past: World | None = None
        self._pace = pace
        self._probes: dict[int, Probe] = {}
        self._air: list[dict[str, Any]] = []
        self._folder: Path | None = None
        self._watching = False
        self._sent_s = 0.0

    def follow(self, world: World) -> None:
        """Another match is played."""
        self._close_probes()
        hear = world.table.air.observe

        def heard(packet: HeardPacket) -> None:
            if hear is not None:
                hear(packet)
            if self._watching and len(self._air) < MOST_LINES:
                self._air.append(
                    {
                        "t_us": packet.t_us,
                        "from": packet.sender,
                        "to": packet.receiver,
                        "size": len(packet.payload),
                        "about": told_of(packet.payload),
                    }
                )

        world.table.air.observe = heard

    def close(self) -> None:
        """Put everything away."""
        self._close_probes()
        self.leave_past()

    # ---- what is told ------------------------------------------------------------------------

    def frame(self, clients: list[Client], world: World) -> None:
        """Tell the pages that show the bench what is new, a few times a second."""
        self._watching = bool(clients)
        seats = {seat for client in clients for seat in client.entitled}
        for seat in set(self._probes) - seats:
            self._probes.pop(seat).close()
        for seat in seats:
            probe = self._probes.get(seat)
            if probe is None or probe.board is not world.table.seats[seat].board:
                if probe is not None:
                    probe.close()
                probe = self._probes[seat] = Probe(world, seat)
            probe.take()
        loop_s = asyncio.get_running_loop().time()
        if not clients or loop_s - self._sent_s < 0.1:
            return
        self._sent_s = loop_s
        for client in clients:
            mine = [seat for seat in sorted(client.entitled) if seat in self._probes]
            client.tell(
                {
                    "is": "bench",
                    "t": world.now_us / 1e6,
                    "end": self._pace.world.now_us / 1e6,
                    "air": self._air,
                    "seats": {
                        seat: {
                            "points": self._probes[seat].points,
                            "bus": self._probes[seat].fresh[-MOST_LINES:],
                        }
                        for seat in mine
                    },
                    "violations": sum(len(seat.board.violations) for seat in world.table.seats),
                }
            )
        self._air = []
        for probe in self._probes.values():
            probe.points, probe.fresh = [], []

    # ---- what is done ------------------------------------------------------------------------

    def order(self, said: Said) -> None:
        """Do what a page of the bench asks for."""
        pace, values = self._pace, said.values
        world = pace.world
        match said.do:
            case "pause":
                pace.paused = values["on"] or self.past is not None
            case "speed":
                pace.speed = values["x"]
            case "step":
                if self.past is None and pace.paused:
                    due_us = world.loop.due_us
                    wanted_us = world.now_us + round(values["ms"] * 1000)
                    world.advance(due_us if due_us is not None and not values["ms"] else wanted_us)
            case "seek":
                self._seek(values["s"])
            case "live":
                self.leave_past()
            case _ if self.past is not None:
                pass  # what was cannot be changed
            case "lux" | "noise" | "errors":
                world.do(0, said.do, values["value"])
            case "fault":
                world.do(values["seat"], "fault", values["name"], values["on"])

    def leave_past(self) -> None:
        """Look at the match that is played again."""
        if self.past is not None:
            self._close_probes()
            self.past.close()
            self.past = None
            self._pace.paused = False
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def _seek(self, s: float) -> None:
        live = self._pace.world
        wanted_us = min(round(s * 1e6), live.now_us)
        self.leave_past()
        self._close_probes()
        self._folder = Path(tempfile.mkdtemp(prefix="maexchen-past-"))
        self.past = replayed(live.session, self._folder, wanted_us)
        self._pace.paused = True

    # ---- what is taken along -----------------------------------------------------------------

    def export(self, what: str, seat_text: str) -> web.Response:
        """A file of a handheld: ``bus.vcd``, ``panel.png``, ``panel.gif``; or ``session.jsonl``."""
        world = self.past or self._pace.world
        seats = world.table.seats
        if not seat_text.isdecimal() or int(seat_text) >= len(seats):
            raise web.HTTPNotFound(text="There is no such seat.\n")
        seat = int(seat_text)
        if what == "bus.vcd":
            probe = self._probes.get(seat)
            text = vcd(probe.transfers, probe.edges) if probe is not None else vcd((), ())
            return _file(what, text.encode(), "text/plain")
        if what == "session.jsonl":
            session = self._pace.world.mark_end()
            return _file(what, session.text().encode(), "application/jsonl")
        if what == "panel.png":
            return _file(what, png(panel(seats[seat].board.display.memory)), "image/png")
        if what == "panel.gif":
            probe = self._probes.get(seat)
            film = probe.film if probe is not None else ()
            pictures = [*film] or [(world.now_us, bytes(seats[seat].board.display.memory))]
            return _file(what, gif(pictures, world.now_us), "image/gif")
        raise web.HTTPNotFound(text="There is nothing of that name.\n")

    def _close_probes(self) -> None:
        for probe in self._probes.values():
            probe.close()
        self._probes.clear()


def _file(name: str, data: bytes, kind: str) -> web.Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return web.Response(body=data, content_type=kind, headers=headers)
