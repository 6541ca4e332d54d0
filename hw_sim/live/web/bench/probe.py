"""The bench's record of one handheld."""

from collections import deque
from collections.abc import Callable
from typing import Any

from hw_sim.board.board import SimulatedBoard
from hw_sim.board.netlist import INT1_BCM, TOUCH_BCM
from hw_sim.live.web.bench.decoder import Decoder
from hw_sim.steckbrett.board.bus import Transfer
from hw_sim.steckbrett.board.pins import Change

MOST_TRANSFERS = 20_000
MOST_BYTES = 20_000  # of a file with each bit, which then has 6 MB
"""The number of transfers and edges that are kept for an export."""
SAMPLE_US = 40_000
"""Between two points of a plot, virtual."""
FILM_US = 20_000_000
"""A moving picture of a panel goes back so far, virtual."""
MOST_LINES = 30
"""The most transactions that are shown at once; older ones are only counted."""
PINS = {INT1_BCM: "int1", TOUCH_BCM: "touch"}


class Probe:
    """Listens to the bus and the pins of one board.

    Args:
        board: the board.
        point: returns a point of the plots at a virtual time in µs.

    Attributes:
        transfers, edges: the last ones.
        fresh: lines for the page, taken by the bench.
        points: of the plots, taken by the bench.
        film: the panel's memories with the times in µs from which they stood, oldest first.
    """

    def __init__(self, board: SimulatedBoard, point: Callable[[int], list[float]]) -> None:
        self.board = board
        self._point = point
        self.transfers: deque[Transfer] = deque(maxlen=MOST_TRANSFERS)
        self.edges: deque[Change] = deque(maxlen=MOST_TRANSFERS)
        self.fresh: list[dict[str, Any]] = []
        self.points: list[list[float]] = []
        self.film: deque[tuple[int, bytes]] = deque()
        self._decoder = Decoder()
        self._sampled_us = -SAMPLE_US
        self.board.bus.trace = []
        self.board.gpio.pins.on_change.append(self._edge)

    def close(self) -> None:
        """Listen no longer."""
        self.board.bus.trace = None
        if self._edge in self.board.gpio.pins.on_change:
            self.board.gpio.pins.on_change.remove(self._edge)

    def latest(self) -> list[Transfer]:
        """Return the last transfers with at most `MOST_BYTES` together, oldest first."""
        left, found = MOST_BYTES, list[Transfer]()
        for transfer in reversed(self.transfers):
            left -= 1 + len(transfer.data)
            if left < 0:
                break
            found.append(transfer)
        return found[::-1]

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
        now_us = self.board.now_us()
        memory = self.board.display.memory
        if not self.film or self.film[-1][1] != memory:
            self.film.append((now_us, bytes(memory)))
        while len(self.film) > 1 and self.film[1][0] < now_us - FILM_US:
            self.film.popleft()
        if now_us - self._sampled_us >= SAMPLE_US:
            self._sampled_us = now_us
            self.points.append(self._point(now_us))

    def _edge(self, pin: int, level: int) -> None:
        if pin in PINS:
            now_us = self.board.now_us()
            self.edges.append(Change(now_us, pin, level))
            self.fresh.append({"t_us": now_us, "part": PINS[pin].upper(), "level": level})
