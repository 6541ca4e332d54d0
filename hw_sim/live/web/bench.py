"""The bench of a table: readings of a board's bus, decoded, as plots and lines.

For people who look at the bus and the air. Names are those of the data sheets, of the Bluetooth
Core specification and of the handover's messages.

It looks at a world without changing what happens in it. It shows a page nothing of a handheld whose
panel that page may not see. It sends nothing itself.

May import: world, board, air, panel; firmware.table.protocol.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from steckbrett.board.bus import Transfer
from steckbrett.board.pins import Change
from steckbrett.parts.adxl345 import ADXL345
from steckbrett.traces.recording import vcd

from drivers.light_sensor import LIGHT_SENSORS
from firmware.input.gestures.light import LX_PER_COUNT
from firmware.input.gestures.shake import COUNTS_PER_G
from firmware.table.protocol import HEADER_BYTES, Header, MessageKind
from hw_sim.air import HeardPacket
from hw_sim.board import INT1_BCM, TOUCH_BCM, SimulatedBoard
from hw_sim.live.world.running import Replay
from hw_sim.live.world.world import World, pose_of
from hw_sim.panel import gif, panel, png

ACCELEROMETER, DISPLAY = 0x53, 0x3C
_LIGHTS = {address: part for part in LIGHT_SENSORS.values() for address in part.addresses}
PARTS = {ACCELEROMETER: "ADXL345", DISPLAY: "SSD1306"} | {
    address: part.name for address, part in _LIGHTS.items()
}

_REGISTERS = {ACCELEROMETER: {each.at: each.name for each in ADXL345.registers}} | {
    address: dict(enumerate(part.registers)) for address, part in _LIGHTS.items()
}
"""The names of registers by address of a part and of the register."""
_SSD = {
    0x20: "addressing mode", 0x21: "column window", 0x22: "page window", 0x81: "contrast",
    0x8D: "charge pump", 0xA4: "show RAM", 0xA6: "not inverted", 0xAE: "display off",
    0xAF: "display on", 0xA8: "multiplex", 0xD3: "offset", 0xD5: "clock", 0xD9: "precharge",
    0xDA: "COM pins", 0xDB: "VCOMH",
}  # fmt: skip
_CONTROL_DATA = 0x40


_CHANNELS = {0x0004: "ATT", 0x0005: "L2CAP", 0x0006: "SMP"}
_SIGNALS = {
    0x01: "refused", 0x06: "asks to disconnect", 0x07: "disconnects", 0x12: "asks for timing",
    0x13: "answers on timing", 0x14: "asks for a channel", 0x15: "opens the channel",
    0x16: "gives credit",
}  # fmt: skip
_LENGTHS_BYTES = 4
"""Before a frame stand the length of its SDU and its own."""


class DecodedLine(NamedTuple):
    """A transfer, decoded: its time in µs, part, direction, register and meaning."""

    t_us: int
    part: str
    read: bool
    register: str
    meaning: str
    size: int


class Decoder:
    """Follows one bus: a read goes on from the register that the last write chose."""

    def __init__(self) -> None:
        self._register: dict[int, int] = {}

    def decode(self, transfer: Transfer) -> DecodedLine:
        """The transfer in words; an unknown address or register in hex."""
        part = PARTS.get(transfer.address, f"0x{transfer.address:02X}")
        failed, size = transfer.failed, len(transfer.data)
        register, meaning = (
            ("", f"no answer (errno {failed})") if failed else self._meaning(transfer)
        )
        return DecodedLine(
            transfer.t_us, part, transfer.read, register, meaning, 0 if failed else size
        )

    def _meaning(self, transfer: Transfer) -> tuple[str, str]:
        data, address = transfer.data, transfer.address
        if not transfer.read and data:
            self._register[address] = data[0]
        pointer = self._register.get(address, 0)
        if address == DISPLAY:
            return _display(data)
        light = _LIGHTS.get(address)
        if light and not light.registers:
            value = int.from_bytes(data, "big")
            return "", f"{value} counts" if transfer.read else f"opcode 0x{value:02X}"
        body = data if transfer.read else data[1:]
        name = _REGISTERS.get(address, {}).get(pointer, f"0x{pointer:02X}")
        if not body:
            return name, "address"
        if light:
            value = int.from_bytes(body, "little")
            return name, f"{value} counts" if pointer == light.result else f"0x{value:04X}"
        if pointer == 0x32 and len(body) == 6:
            xyz = (int.from_bytes(body[i : i + 2], "little", signed=True) for i in (0, 2, 4))
            return name, "x {} y {} z {}".format(*xyz)
        if pointer == 0x39:
            return name, f"{body[0] & 0x3F} in the FIFO"
        return name, " ".join(f"{byte:02X}" for byte in body[:8])


def _display(data: bytes) -> tuple[str, str]:
    if not data:
        return "", ""
    if data[0] == _CONTROL_DATA:
        return "GDDRAM", f"{len(data) - 1} bytes of picture"
    opcode = data[1] if len(data) > 1 else data[0]
    name = _SSD.get(opcode, f"command 0x{opcode:02X}")
    return name, " ".join(f"{byte:02X}" for byte in data[2:8])


def decode_packet(payload: bytes) -> str:
    """Describe an L2CAP packet; a sealed frame by its clear header."""
    channel = int.from_bytes(payload[2:4], "little")
    body = payload[4:]
    if channel == 0x0005:
        return f"L2CAP: {_SIGNALS.get(body[0], hex(body[0])) if body else 'nothing'}"
    if channel in _CHANNELS:
        return _CHANNELS[channel]
    frame = body[_LENGTHS_BYTES:]
    if len(frame) < HEADER_BYTES or int.from_bytes(body[2:4], "little") != len(frame):
        return "part of a frame"
    header = Header.unpack(frame[:HEADER_BYTES])
    if header.kind not in list(MessageKind):
        return "frame of the lobby"
    kind = MessageKind(header.kind).name
    entries = f", {header.count} entries" if header.kind == MessageKind.LOG else ""
    return f"{kind} {header.number}{entries}"


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

    def readings(self, seats: frozenset[int] | None, end_s: float) -> dict[str, Any] | None:
        """Return the readings of these seats' boards for all pages that show the bench.

        ``seats``: None if no page does. ``end_s`` is the virtual time of the present match. None
        while nothing is due yet: readings come a few times a second.
        """
        self._watching = seats is not None
        self.probe(seats or frozenset())
        loop_s = asyncio.get_running_loop().time()
        if seats is None or loop_s - self._sent_s < READINGS_S:
            return None
        self._sent_s = loop_s
        told = {
            seat: {"points": probe.points, "bus": probe.fresh[-MOST_LINES:]}
            for seat, probe in sorted(self._probes.items())
        }
        readings = {"t": self._world.now_us / 1e6, "end": end_s, "air": self._air, "seats": told}
        self._air = []
        for probe in self._probes.values():
            probe.points, probe.fresh = [], []
        return readings

    def look(self, replay: Replay, wanted_us: int) -> None:
        """Look at a replay at a virtual time in µs, and plot what went before."""
        probed = frozenset(self._probes)
        replay.advance(max(replay.now_us, wanted_us - PLOTTED_US))
        self.follow(replay)
        while replay.now_us < min(wanted_us, replay.ends_us):
            replay.advance(min(wanted_us, replay.now_us + SAMPLE_US))
            self.probe(probed)

    def probe(self, wanted: frozenset[int]) -> None:
        """Read a probe at each board of these seats, and at no other."""
        at = self._world.table.at
        for seat, probe in list(self._probes.items()):
            if seat not in wanted or probe.board is not at(seat).board:
                self._probes.pop(seat).close()
        for seat in wanted:
            if seat not in self._probes:
                self._probes[seat] = Probe(at(seat).board, partial(self._point, seat))
            self._probes[seat].read()

    def _point(self, seat: int, now_us: int) -> list[float]:
        """Return a point of the plots.

        It has s, lux, m/s² along x, y, z, roll in degrees and the level of the pad; then the
        firmware's view: the lux of a lift, the lux of a closing, and the motion's strength in g.
        """
        handheld, felt = self._world.table.at(seat), self._world.feelings[seat].felt(now_us)
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
        if seat not in world.table.places:
            return None
        memory = bytes(world.table.at(seat).board.display.memory)
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
