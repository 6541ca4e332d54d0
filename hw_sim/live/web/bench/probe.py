"""The bench's record of one handheld."""

from collections import deque
from typing import Any

from firmware.input.gestures.light import LX_PER_COUNT
from firmware.input.gestures.swings import COUNTS_PER_G
from hw_sim.board.bus import Transfer
from hw_sim.board.netlist import INT1_BCM, TOUCH_BCM
from hw_sim.live.web.bench.decoder import Decoder
from hw_sim.live.world.handheld_look import handheld_look
from hw_sim.live.world.world import World

KEPT = 20_000
"""The number of transfers and edges that are kept for an export."""
SAMPLE_US = 40_000
"""Between two points of a plot, virtual."""
FILM_US = 20_000_000
"""A moving picture of a panel goes back so far, virtual."""
MOST_LINES = 30
"""The most transactions that are shown at once; older ones are only counted."""
_PINS = {INT1_BCM: "int1", TOUCH_BCM: "touch"}


class Probe:
    """Listens to the bus and the pins of one board.

    Attributes:
        transfers, edges: the last `KEPT`; an edge is its time in µs, its pin and its level.
        fresh: lines for the page, taken by the bench.
        points: s, lux, m/s² along x, y, z, roll in degrees, level of the pad; then the firmware's
            view: the lux of a lift, the lux of a closing, and the strength of the motion in g.
        film: the panel's memories with the times in µs from which they stood, oldest first.
    """

    def __init__(self, world: World, seat: int) -> None:
        self.board = world.table.seats[seat].board
        self.transfers: deque[Transfer] = deque(maxlen=KEPT)
        self.edges: deque[tuple[int, str, int]] = deque(maxlen=KEPT)
        self.fresh: list[dict[str, Any]] = []
        self.points: list[list[float]] = []
        self.film: deque[tuple[int, bytes]] = deque()
        self._decoder = Decoder()
        self._sampled_us = -SAMPLE_US
        self._world, self._seat = world, seat
        self.board.bus.trace = []
        self.board.gpio.on_drive.append(self._edge)

    def close(self) -> None:
        """Listen no longer."""
        self.board.bus.trace = None
        if self._edge in self.board.gpio.on_drive:
            self.board.gpio.on_drive.remove(self._edge)

    def read(self) -> None:
        """Add what has happened since the last call; a point at most every `SAMPLE_US`."""
        trace = self.board.bus.trace or []
        self.transfers.extend(trace)
        for transfer in trace[-MOST_LINES:]:
            line = self._decoder.decode(transfer)
            self.fresh.append(line._asdict())
        if len(trace) > MOST_LINES:
            self.fresh.insert(0, {"left_out": len(trace) - MOST_LINES})
        trace.clear()
        now_us = self._world.now_us
        memory = self.board.display.memory
        if not self.film or self.film[-1][1] != memory:
            self.film.append((now_us, bytes(memory)))
        while len(self.film) > 1 and self.film[1][0] < now_us - FILM_US:
            self.film.popleft()
        if now_us - self._sampled_us >= SAMPLE_US:
            self._sampled_us = now_us
            self.points.append(self._point(now_us))

    def _point(self, now_us: int) -> list[float]:
        x, y, z = self._world.feelings[self._seat].felt(now_us)
        seat = self._world.table.seats[self._seat]
        seen = handheld_look(self._world, self._seat)
        return [
            now_us / 1e6,
            round(seat.hand.illuminance(now_us), 3),
            *(round(each, 2) for each in (x, y, z)),
            seen.get("roll", 0),
            float(seat.board.touch_pad.level),
            round(seat.recognizer.lift_threshold_counts * LX_PER_COUNT, 2),
            round(seat.recognizer.close_threshold_counts * LX_PER_COUNT, 2),
            round(seat.recognizer.shake_level_counts / COUNTS_PER_G, 2),
        ]

    def _edge(self, pin: int, level: int) -> None:
        if pin in _PINS:
            self.edges.append((self.board.now_us(), _PINS[pin], level))
            self.fresh.append(
                {"t_us": self.board.now_us(), "part": _PINS[pin].upper(), "level": level}
            )
