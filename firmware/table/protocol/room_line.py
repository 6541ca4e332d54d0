"""A sealed line between one guest and the host of a room, over a medium that is not trusted.

The body of a LINE frame begins with its part::

    HELLO   1, ephemeral key of the guest (32), tag (16)
    ANSWER  2, id (16), ephemeral key of the host (32), tag (16)
    DATA    3, id (16), counter (8, big-endian), sealed: a flag and a piece of a message

The id is the beginning of the guest's ephemeral key. Each tag covers all that stands before it.
A frame that does not unseal is ignored, so nobody else can end a line. A replayed hello makes a
half-open line, which gives nothing without the guest's ephemeral private key.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from firmware.effects.places import Room
from firmware.table.crypto.primitives import exchange, hkdf, seal, unseal
from firmware.table.protocol.invitations import (
    HEAD_BYTES,
    LAYOUT,
    InvitationKind,
)

LOST_US = 20_000_000
"""A peer that is silent for so long is lost."""
ALIVE_US = 5_000_000
HELLO_US = 1_000_000
GAP_US = 4_000_000
"""A missing frame that later frames have overtaken may still come for so long."""
MOST_HALF_OPEN = 16
MOST_OPEN = 32
MOST_BYTES = 65_536
"""The longest message."""
MOST_AHEAD = 32
MOST_FRAMES_PER_S = 60
"""Authentic frames of one guest per second; the line of a faster one is cut."""
_PIECE = 4000
_KEY, _ID = 32, 16
_HELLO, _ANSWER, _DATA = 1, 2, 3
_MORE, _LAST, _ALIVE, _END = 0, 1, 2, 3
_ZERO = bytes(12)
_BASE = (9).to_bytes(_KEY, "little")


def host_key_of(private: bytes) -> bytes:
    """Return the public key, 32 bytes, of a private key of 32 bytes (X25519)."""
    key = exchange(private, _BASE)
    if key is None:
        raise ValueError("this private key has no public key: draw another one")
    return key


def room_of(code: str, host_key: bytes, me: bytes = b"") -> Room:
    """Return the room of a host's public key, 32 bytes; its seal comes from that key.

    ``me``: the own device, six bytes, to get frames of lines.
    """
    return Room(code, key=hkdf(host_key, b"maexchen room seal"), me=me)


def _head(sender: bytes, receiver: bytes, session: bytes) -> bytes:
    return bytes((LAYOUT, InvitationKind.LINE)) + sender + receiver + session


def _keys(static: bytes, fresh: bytes, transcript: bytes) -> tuple[bytes, bytes, bytes]:
    made = hkdf(static + fresh, b"maexchen line", 3 * _KEY, hkdf(transcript, b"transcript"))
    return made[:_KEY], made[_KEY : 2 * _KEY], made[2 * _KEY :]


@dataclass
class _Pipe:
    """Both directions of a line whose keys are agreed."""

    head: bytes
    id: bytes
    out_key: bytes
    in_key: bytes
    heard_us: int
    said_us: int
    frames: list[bytes] = field(default_factory=list)
    sent: int = 0
    taken: int = 0
    ahead: dict[int, bytes] = field(default_factory=dict)
    gap_us: int | None = None
    part: bytes = b""
    lost: bool = False
    second: int = 0
    in_second: int = 0

    def say(self, flag: int, piece: bytes = b"") -> None:
        count = self.sent.to_bytes(8, "big")
        header = self.head + bytes((_DATA,)) + self.id + count
        body = seal(self.out_key, bytes(4) + count, bytes((flag,)) + piece, header)
        self.frames.append(header + body)
        self.sent += 1

    def send(self, message: bytes) -> None:
        pieces = [message[at : at + _PIECE] for at in range(0, len(message), _PIECE)] or [b""]
        for piece in pieces[:-1]:
            self.say(_MORE, piece)
        self.say(_LAST, pieces[-1])

    def receive(self, frame: bytes, now_us: int) -> list[bytes]:
        at = HEAD_BYTES + 1 + _ID
        count, header = frame[at : at + 8], frame[: at + 8]
        number = int.from_bytes(count, "big")
        if len(count) < 8 or number < self.taken or number in self.ahead or self.lost:
            return []
        plain = unseal(self.in_key, bytes(4) + count, frame[at + 8 :], header)
        if not plain:
            return []
        self.heard_us = now_us
        if self.second != now_us // 1_000_000:
            self.second, self.in_second = now_us // 1_000_000, 0
        self.in_second += 1
        self.ahead[number] = plain
        messages = []
        while (plain := self.ahead.pop(self.taken, b"")) and not self.lost:
            self.taken, self.gap_us = self.taken + 1, None
            if plain[0] in (_MORE, _LAST):
                self.part += plain[1:]
                self.lost = len(self.part) > MOST_BYTES
            if plain[0] == _LAST and not self.lost:
                messages.append(self.part)
                self.part = b""
            self.lost = self.lost or plain[0] == _END
        if self.ahead and self.gap_us is None:
            self.gap_us = now_us
        self.lost = self.lost or len(self.ahead) > MOST_AHEAD
        return messages

    def tick(self, now_us: int) -> None:
        waits = self.gap_us is not None and now_us - self.gap_us > GAP_US
        self.lost = self.lost or waits or now_us - self.heard_us > LOST_US
        if not self.lost and now_us - self.said_us >= ALIVE_US:
            self.said_us = now_us
            self.say(_ALIVE)


def _check(message: bytes) -> None:
    if len(message) > MOST_BYTES:
        raise ValueError(f"a message has {len(message)} bytes: send at most {MOST_BYTES}")


class GuestLine:
    """The guest's end; ``device`` has 6 bytes, ``host_key`` 32. Raises ValueError: a bad key."""

    def __init__(self, device: bytes, host_key: bytes, entropy: Callable[[int], bytes]) -> None:
        self._device, self._private = device, entropy(_KEY)
        self._key, self._session = host_key_of(self._private), entropy(4)
        static = exchange(self._private, host_key)
        if static is None:
            raise ValueError("the host's key is not valid: ask the host for a new link")
        self._static, self._host_key = static, host_key
        self._hello = _head(device, bytes(6), self._session) + bytes((_HELLO,)) + self._key
        self._hello += seal(hkdf(static, b"maexchen line hello"), _ZERO, b"", self._hello)
        self._queue: list[bytes] = []
        self._frames: list[bytes] = []
        self._pipe: _Pipe | None = None
        self._began_us: int | None = None
        self._said_us = 0
        self.is_lost = False

    @property
    def is_open(self) -> bool:
        """Whether the host has answered, and nothing is lost."""
        return self._pipe is not None and not self.is_lost

    def send(self, message: bytes) -> None:
        """Send up to 64 KiB, or queue them until the line is open. Raises ValueError."""
        _check(message)
        if self._pipe is not None:
            self._pipe.send(message)
        elif sum(map(len, self._queue)) + len(message) <= 4 * MOST_BYTES and len(self._queue) < 64:
            self._queue.append(message)
        else:
            self.is_lost = True

    def receive(self, frame: bytes, now_us: int) -> list[bytes]:
        """Return the messages, in order, that a frame makes whole."""
        body = frame[HEAD_BYTES:]
        to_me = frame[:2] == bytes((LAYOUT, InvitationKind.LINE)) and frame[8:14] == self._device
        if not to_me or self.is_lost or body[1 : 1 + _ID] != self._key[:_ID]:
            return []
        if body[0] == _ANSWER and self._pipe is None and len(body) == 1 + _ID + _KEY + 16:
            self._open(frame, now_us)
        elif body[0] == _DATA and self._pipe is not None:
            messages = self._pipe.receive(frame, now_us)
            self.is_lost = self._pipe.lost
            return messages
        return []

    def _open(self, frame: bytes, now_us: int) -> None:
        key = frame[-_KEY - 16 : -16]
        fresh = exchange(self._private, key)
        if fresh is None:
            return
        proof, out, into = _keys(self._static, fresh, self._hello + key + self._host_key)
        if unseal(proof, _ZERO, frame[-16:], frame[:-16]) is None:
            return
        head = _head(self._device, frame[2:8], self._session)
        self._pipe = _Pipe(head, self._key[:_ID], out, into, now_us, now_us)
        self._pipe.say(_ALIVE)
        for message in self._queue:
            self._pipe.send(message)
        self._queue.clear()

    def tick(self, now_us: int) -> None:
        """Repeat the hello, or keep the line alive."""
        if self._pipe is not None:
            self._pipe.tick(now_us)
            self.is_lost = self.is_lost or self._pipe.lost
        elif self._began_us is None or now_us - self._said_us >= HELLO_US:
            self._began_us = now_us if self._began_us is None else self._began_us
            self._said_us = now_us
            self._frames = [self._hello]
            self.is_lost = self.is_lost or now_us - self._began_us > LOST_US

    def take(self) -> list[bytes]:
        """Return the frames for the room since the last call."""
        frames, self._frames = self._frames, []
        if self._pipe is not None:
            frames, self._pipe.frames = frames + self._pipe.frames, []
        return frames


class HostLines:
    """The host's ends of all lines; ``device`` has 6 bytes, ``private`` 32."""

    def __init__(self, device: bytes, private: bytes, entropy: Callable[[int], bytes]) -> None:
        self._device, self._private, self._entropy = device, private, entropy
        self._key = host_key_of(private)
        self._half: dict[bytes, tuple[bytes, bytes, _Pipe]] = {}
        """By id: the hello, its answer, and the line."""
        self._open: dict[bytes, tuple[bytes, _Pipe]] = {}
        self._frames: list[tuple[bytes, bytes]] = []

    def receive(self, frame: bytes, now_us: int) -> list[tuple[bytes, bytes | None]]:
        """Return (id of the line, message) for each whole message; None: the line is gone."""
        body, device = frame[HEAD_BYTES:], frame[2:8]
        if frame[:2] != bytes((LAYOUT, InvitationKind.LINE)) or len(body) < 1 + _ID:
            return []
        name = body[1 : 1 + _ID]
        if body[0] == _HELLO and len(body) == 1 + _KEY + 16:
            self._greet(frame, name, now_us)
        if body[0] != _DATA:
            return []
        half = self._half.get(name)
        pipe = self._open[name][1] if name in self._open else half and half[2]
        if not pipe or frame[2:8] != pipe.head[8:14]:
            return []
        before = len(pipe.ahead) + pipe.taken
        messages = pipe.receive(frame, now_us)
        if half and len(pipe.ahead) + pipe.taken > before and len(self._open) < MOST_OPEN:
            del self._half[name]
            self._open[name] = device, pipe
        found: list[tuple[bytes, bytes | None]] = [(name, each) for each in messages]
        if name in self._open and (pipe.lost or pipe.in_second > MOST_FRAMES_PER_S):
            self.end(name)
            found.append((name, None))
        return found if name in self._open or found else []

    def _greet(self, frame: bytes, name: bytes, now_us: int) -> None:
        device, session, key = frame[2:8], frame[14:18], frame[HEAD_BYTES + 1 : -16]
        if name in self._open:
            return
        if name in self._half:
            if self._half[name][0] == frame:
                self._frames.append((device, self._half[name][1]))
            return
        static, private = exchange(self._private, key), self._entropy(_KEY)
        if static is None:
            return
        if unseal(hkdf(static, b"maexchen line hello"), _ZERO, frame[-16:], frame[:-16]) is None:
            return
        fresh, mine = exchange(private, key), host_key_of(private)
        if fresh is None:
            return
        proof, into, out = _keys(static, fresh, frame + mine + self._key)
        head = _head(self._device, device, session)
        answer = head + bytes((_ANSWER,)) + name + mine
        answer += seal(proof, _ZERO, b"", answer)
        while len(self._half) >= MOST_HALF_OPEN:
            del self._half[next(iter(self._half))]
        self._half[name] = frame, answer, _Pipe(head, name, out, into, now_us, now_us)
        self._frames.append((device, answer))

    def tick(self, now_us: int) -> list[bytes]:
        """Keep the lines alive; return the ids of lines that are lost."""
        for name, (_, _, pipe) in list(self._half.items()):
            if now_us - pipe.heard_us > LOST_US:
                del self._half[name]
        for _, pipe in self._open.values():
            pipe.tick(now_us)
        gone = [name for name, (_, pipe) in self._open.items() if pipe.lost]
        for name in gone:
            self.end(name)
        return gone

    def send(self, line: bytes, message: bytes) -> None:
        """Send up to 64 KiB on a line; nothing if it is gone. Raises ValueError: too long."""
        _check(message)
        if line in self._open:
            self._open[line][1].send(message)

    def end(self, line: bytes) -> None:
        """End a line; the guest hears of it."""
        if line in self._open:
            device, pipe = self._open.pop(line)
            pipe.say(_END)
            self._frames += [(device, frame) for frame in pipe.frames]

    def take(self) -> list[tuple[bytes, bytes]]:
        """Return (device of the guest, frame) for each frame since the last call."""
        frames, self._frames = self._frames, []
        for device, pipe in self._open.values():
            frames += [(device, frame) for frame in pipe.frames]
            pipe.frames = []
        return frames
