"""How long the light is on at a simulated table, and what for."""

from collections import Counter
from functools import partial

from firmware.link.infrared.coding import decoded
from firmware.link.infrared.fragments import Pieces
from firmware.link.infrared.link import InfraredLink
from firmware.link.infrared.modulation import Pulse, demodulated
from firmware.table.protocol.header import kind_of
from firmware.table.protocol.kinds import MessageKind

MOST_A_HOP_S = 7.0
"""The light of three seats for each hop and the throw that comes before the first, on average."""
LOBBY = "lobby"
"""The name for frames without a seal."""


def name_of(frame: bytes) -> str:
    """Return the name of a frame's kind."""
    kind = kind_of(frame)
    return LOBBY if kind is None else MessageKind(kind).name


class LightWatch:
    """Sees all light at a table.

    Attributes:
        light_us: by the name of its kind, for how long what was sent lit the air.
        frames: likewise, how many frames were on the air as a whole.
        said: likewise, how many frames were handed to the links.
    """

    def __init__(self) -> None:
        self.light_us: Counter[str] = Counter()
        self.frames: Counter[str] = Counter()
        self.said: Counter[str] = Counter()
        self._pieces: dict[int, Pieces] = {}
        self._open_us: Counter[int] = Counter()
        """By sender, the light of pieces whose frame is not complete."""

    @property
    def light_s(self) -> float:
        """How long the light was on."""
        return (self.light_us.total() + self._open_us.total()) / 1e6

    def a_hop_s(self, hops: int) -> float:
        """For how long the light was on, for each hop and the turn before the first."""
        return self.light_s / (hops + 1)

    def watch(self, table) -> None:
        """Watch a table that does not run yet."""
        self.watch_air(table.infrared)
        for seat in table.seats:
            for link in seat.link.links:
                if isinstance(link, InfraredLink):
                    link.send = partial(self._sending, link.send)

    def watch_air(self, air) -> None:
        """Watch the air alone."""
        air.observers.append(self._sent)

    def _sending(self, send, device: bytes | None, frame: bytes) -> None:
        self.said[name_of(frame)] += 1
        send(device, frame)

    def _sent(self, sent: tuple[int, int, tuple[int, ...]]) -> None:
        start_us, sender, lengths_us = sent
        packet = decoded(demodulated(_marks(start_us, lengths_us))[0])
        light_us = sum(lengths_us)
        if not packet.is_piece:
            self._count(packet.content, light_us)
            return
        frame = self._pieces.setdefault(sender, Pieces()).add(packet.content)
        self._open_us[sender] += light_us
        if frame is not None:
            self._count(frame, self._open_us.pop(sender))

    def _count(self, frame: bytes, light_us: int) -> None:
        self.light_us[name_of(frame)] += light_us
        self.frames[name_of(frame)] += 1


def _marks(start_us: int, lengths_us: tuple[int, ...]) -> list[Pulse]:
    marks = []
    for place, length_us in enumerate(lengths_us):
        if place % 2 == 0:
            marks.append(Pulse(start_us, length_us))
        start_us += length_us
    return marks
