"""Sealed rooms, and the sealed line between one guest and a room's host.

It carries messages both ways, in order, until something is lost: then both begin another one, as
after a WebSocket that broke. The guest knows the host's key; the host knows no key of the guest.
All classes are pure. Times are in µs on the caller's clock.
"""

import hmac
from collections.abc import Callable
from hashlib import sha256
from struct import Struct
from typing import Final, NamedTuple

from firmware.effects import Room
from firmware.table.crypto import KEY_BYTES, exchange, hkdf, seal, unseal
from firmware.table.protocol import MAX_FRAME, TAG_BYTES, Budget
from firmware.table.protocol import invitations as wire

LEAST_KEY_BYTES: Final = 16
"""Chosen: nobody guesses 128 bits."""
NONCE_BYTES: Final = 12
"""That of ChaCha20-Poly1305 (RFC 8439, 2.8). It is random: after 2**32 frames two share one with
2**-33."""
MORE_BYTES: Final = NONCE_BYTES + TAG_BYTES
"""The nonce and the tag, by which a sealed frame is longer."""
_NAME_BYTES = 16
_REMEMBERED = 20_000
"""Nonces of frames that came; the link admits 500 messages a second."""


class SealedRoom:
    """The seal of a room's frames, at one handheld.

    Args:
        code: of the room.
        key: at least `LEAST_KEY_BYTES` random bytes.
        entropy: returns that many random bytes.

    Raises:
        ValueError: the key is too short.

    Attributes:
        name: stands for the room at a broker, and does not reveal code or key.
    """

    def __init__(self, code: str, key: bytes, entropy: Callable[[int], bytes]) -> None:
        if len(key) < LEAST_KEY_BYTES:
            raise ValueError(f"a room's key has {LEAST_KEY_BYTES} bytes or more, not {len(key)}")
        salt = code.encode()
        self.name = hkdf(key, b"maexchen room", _NAME_BYTES, salt).hex()
        self._key = hkdf(key, b"maexchen room frames", salt=salt)
        self._entropy = entropy
        self._seen: dict[bytes, None] = {}

    def name_of(self, device: bytes) -> str:
        """Return what stands for a device at a broker, and does not reveal it."""
        return hkdf(self._key, b"maexchen room device" + device, _NAME_BYTES).hex()

    def seal(self, frame: bytes) -> bytes:
        """Return a frame as it goes to the room."""
        nonce = self._entropy(NONCE_BYTES)
        return nonce + seal(self._key, nonce, frame, b"")

    def opened(self, sealed: bytes) -> bytes | None:
        """Return a frame that came from the room; None if it is forged, or came before."""
        nonce = sealed[:NONCE_BYTES]
        if len(sealed) < MORE_BYTES or nonce in self._seen:
            return None
        frame = unseal(self._key, nonce, sealed[NONCE_BYTES:], b"")
        if frame is not None:
            self._seen[nonce] = None
            if len(self._seen) > _REMEMBERED:
                del self._seen[next(iter(self._seen))]
        return frame


MOST_MESSAGE: Final = 64 * 1024
"""The longest message, in bytes; chosen."""
MOST_QUEUED: Final = 8 * MOST_MESSAGE
"""The most bytes that a guest keeps for a host that has not answered yet; chosen."""
AGAIN_US, ALIVE_US, LOST_US = 1_000_000, 5_000_000, 30_000_000
"""A hello is repeated, an idle end says that it is there, a silent one counts as gone. Chosen: a
host may stand still for 15 s after 5 s in which nothing was said, and has 10 s to catch up."""
MOST_OPEN, MOST_BEGUN = 32, 16
"""The most lines of a host that are open, and that no guest has said anything on. Chosen."""
FRAMES_AT_ONCE, FRAMES_PER_S = 480, 20
"""The frames of a guest's line: so many at once, and so many in the long run. Chosen: 160 of the
longest messages, and 300 that came while the host stood still for 15 s."""
HERE_US, HERE_OFTEN = 500_000, 20
"""A host says that it is here: so often this many times, and then like an idle end. Chosen."""
HELLOS_AT_ONCE, HELLOS_PER_S = 32, 8
"""The hellos to a host, likewise, from all together: each costs it two exchanges. Chosen."""

_ID_BYTES = 8
_BODY = Struct(f">B{_ID_BYTES}s")
_NUMBER = Struct(">I")
_HELLO, _ANSWER, _PART, _HERE = range(4)
_LAST, _MORE, _ALIVE, _END = range(4)
_HEADER_BYTES = wire.HEAD_BYTES + _BODY.size
_CHUNK = MAX_FRAME - wire.HEAD_BYTES - _BODY.size - _NUMBER.size - 1 - TAG_BYTES
_BASE = bytes((9, *bytes(31)))
"""The point by which a public key is made of a private one (RFC 7748, 4.1)."""


def host_key_of(private: bytes) -> bytes:
    """Return the public key, 32 bytes, of a host's private key of 32 bytes (X25519)."""
    key = exchange(private, _BASE)
    assert key is not None, "the base is of no small order"
    return key


def room_of(code: str, host_key: bytes, me: bytes = b"") -> Room:
    """Return the room of a host's evening: who knows the host's key reads it, and nobody else.

    ``me``: the own device, six bytes, whose lines come here; empty: none do.
    """
    return Room(code, key=hkdf(host_key, b"maexchen line room"), me=me)


class _Came(NamedTuple):
    """A frame of a line: its step, the line, and the rest; all before the rest is the header."""

    head: wire.Head
    header: bytes
    step: int
    line: bytes
    rest: bytes


def _read(frame: bytes) -> _Came | None:
    """Read a frame of a line; None for any other."""
    try:
        head, body = wire.head_of(frame), wire.body_of(frame)
    except wire.InvitationError:
        return None
    is_line = head.kind is wire.InvitationKind.LINE
    if not is_line or not isinstance(body, wire.Plain) or len(body.data) < _BODY.size:
        return None
    step, line = _BODY.unpack_from(body.data)
    return _Came(head, frame[:_HEADER_BYTES], step, line, frame[_HEADER_BYTES:])


class _Secret:
    """The secret of a line: of an ephemeral key of the guest with the host's key."""

    def __init__(self, guest: bytes, host: bytes, shared: bytes) -> None:
        self.guest, self._host, self._shared = guest, host, shared

    @property
    def hello(self) -> bytes:
        """The key that proves that a hello comes from who made its ephemeral key."""
        return hkdf(self._shared, b"maexchen line hello", salt=self.guest + self._host)

    def keys(self, answer: bytes, shared: bytes) -> tuple[bytes, bytes]:
        """Return the keys to the host and to the guest; both have an ephemeral key in them."""
        salt = self.guest + answer + self._host
        keys = hkdf(self._shared + shared, b"maexchen line", 2 * KEY_BYTES, salt)
        return keys[:KEY_BYTES], keys[KEY_BYTES:]


class _Stream:
    """The messages of one end, under the keys of a line: what it says, and what it hears.

    ``is_lost``: whether something is missing, or the other end has ended the line.
    """

    def __init__(self, line: bytes, me: bytes, other: bytes, says: bytes, hears: bytes) -> None:
        self._headers = {step: _header(me, other, step, line) for step in (_ANSWER, _PART)}
        self._says, self._hears = says, hears
        self._said = self._heard = 1
        self._parts = b""
        self.is_lost = False

    def answer(self, key: bytes) -> bytes:
        """Return the answer with the host's ephemeral key; a proof has the number 0."""
        header = self._headers[_ANSWER]
        return header + key + seal(self._says, _nonce(0), b"", header)

    def proves(self, header: bytes, proof: bytes) -> bool:
        """Whether the answer of this header comes from who has the keys."""
        return unseal(self._hears, _nonce(0), proof, header) == b""

    def frames(self, message: bytes) -> list[bytes]:
        """Return the frames of a message.

        Raises:
            ValueError: it is longer than `MOST_MESSAGE`.
        """
        if len(message) > MOST_MESSAGE:
            raise ValueError(f"a message of {len(message)} bytes: {MOST_MESSAGE} fit")
        chunks = [message[at : at + _CHUNK] for at in range(0, max(1, len(message)), _CHUNK)]
        kinds = [_MORE] * (len(chunks) - 1) + [_LAST]
        return [self._frame(kind, chunk) for kind, chunk in zip(kinds, chunks)]

    def alive(self) -> bytes:
        """Return a frame that says that this end is there."""
        return self._frame(_ALIVE, b"")

    def end(self) -> bytes:
        """Return a frame that ends the line."""
        return self._frame(_END, b"")

    def hear(self, came: _Came) -> list[bytes] | None:
        """Return the messages that a frame completes; None if it is forged, or came before."""
        rest = came.rest
        if self.is_lost or len(rest) < _NUMBER.size:
            return None
        (number,) = _NUMBER.unpack_from(rest)
        if number < self._heard:
            return None
        part = unseal(self._hears, _nonce(number), rest[_NUMBER.size :], came.header)
        if not part:
            return None
        kind, chunk = part[0], part[1:]
        is_gap, self._heard = number != self._heard, number + 1
        if is_gap or kind == _END or len(self._parts) + len(chunk) > MOST_MESSAGE:
            self.is_lost = True
            return []
        if kind == _ALIVE:
            return []
        self._parts += chunk
        if kind == _MORE:
            return []
        message, self._parts = self._parts, b""
        return [message]

    def _frame(self, kind: int, chunk: bytes) -> bytes:
        number, self._said = self._said, self._said + 1
        header = self._headers[_PART]
        part = seal(self._says, _nonce(number), bytes((kind,)) + chunk, header)
        return header + _NUMBER.pack(number) + part


def _nonce(number: int) -> bytes:
    return number.to_bytes(12)


def _header(me: bytes, other: bytes, step: int, line: bytes) -> bytes:
    head = wire.Head(wire.InvitationKind.LINE, me, other, bytes(4))
    return wire.packed(head, wire.Plain(_BODY.pack(step, line)))


class GuestLine:
    """The end of a guest.

    Args:
        device: of the guest, six bytes.
        host_key: the host's public key, 32 bytes.
        entropy: returns that many random bytes.

    Attributes:
        is_lost: whether it is over: make another one.

    Raises:
        ValueError: the host's key is none.
    """

    def __init__(self, device: bytes, host_key: bytes, entropy: Callable[[int], bytes]) -> None:
        self._private = entropy(KEY_BYTES)
        guest, shared = host_key_of(self._private), exchange(self._private, host_key)
        if shared is None:
            raise ValueError("this is no key of a host: use the whole link")
        self._line = sha256(guest).digest()[:_ID_BYTES]
        self._device, self._secret = device, _Secret(guest, host_key, shared)
        header = _header(device, wire.EVERYBODY, _HELLO, self._line)
        self._hello = header + guest + seal(self._secret.hello, _nonce(0), b"", header)
        self._stream: _Stream | None = None
        self._queued: list[bytes] = []
        self._out: list[bytes] = []
        self._said_us = self._heard_us = 0
        self._calls = 0
        self._answer = self._beginning = self._asked = b""  # ``asked``: the beginning called last
        self._asked_us = -AGAIN_US
        self.is_lost = False

    @property
    def is_open(self) -> bool:
        """Whether the host has answered."""
        return self._stream is not None and not self.is_lost

    def send(self, message: bytes) -> None:
        """Say a message, as soon as the host has answered.

        Raises:
            ValueError: it is longer than `MOST_MESSAGE`.
        """
        if self._stream is not None:
            self._out += self._stream.frames(message)
        elif sum(map(len, self._queued)) + len(message) > MOST_QUEUED:
            self.is_lost = True
        else:
            self._queued.append(message)

    def receive(self, frame: bytes, now_us: int) -> list[bytes]:
        """Return the messages that a frame completes; none for a frame of anybody else."""
        came = _read(frame)
        if came is not None and came.step == _HERE:
            self._hear_of(came.line, now_us)
        if came is None or came.line != self._line or self.is_lost:
            return []
        if came.step == _ANSWER:
            self._begin(came, now_us)
            return []
        if came.step != _PART or self._stream is None:
            return []
        messages = self._stream.hear(came)
        if messages is None:
            return []
        self._heard_us = now_us
        self.is_lost = self._stream.is_lost
        return messages

    def _hear_of(self, beginning: bytes, now_us: int) -> None:
        """Call a host that may have begun anew, once a second at most: anybody can say that."""
        if beginning == self._beginning:
            return
        if self._stream is None:
            self._calls = min(self._calls, 1)
        elif now_us - self._asked_us >= AGAIN_US:
            self._asked, self._asked_us = beginning, now_us
            self._out.append(self._hello)

    def _begin(self, came: _Came, now_us: int) -> None:
        """Have the keys of an answer that is the host's; another one than before ends the line."""
        if self._answer == came.rest:
            self._beginning = self._asked
            return
        answer, proof = came.rest[:KEY_BYTES], came.rest[KEY_BYTES:]
        shared = exchange(self._private, answer) if len(answer) == KEY_BYTES else None
        if shared is None:
            return
        says, hears = self._secret.keys(answer, shared)
        stream = _Stream(self._line, self._device, came.head.sender, says, hears)
        if not stream.proves(came.header, proof):
            return
        if self._stream is not None:
            self.is_lost = True
            return
        self._answer = came.rest
        self._stream, self._heard_us, self._said_us = stream, now_us, now_us
        queued = self._queued or [b""]
        self._out = [frame for message in queued for frame in stream.frames(message)]
        self._queued = []

    def tick(self, now_us: int) -> None:
        """Call the host, or say that the guest is there; to be called some times a second."""
        if self._stream is None:
            if self._calls == 0 or now_us - self._said_us >= AGAIN_US * min(self._calls, 4):
                self._calls += 1
                self._said_us, self._out = now_us, [self._hello]
        elif now_us - self._heard_us >= LOST_US:
            self.is_lost = True
        elif now_us - self._said_us >= ALIVE_US:
            self._said_us = now_us
            self._out.append(self._stream.alive())

    def take(self) -> list[bytes]:
        """Return the frames to send since the last call, in order."""
        out, self._out = self._out, []
        return out


class _HostEnd:
    """The end of a host: ``device`` of the guest; ``is_open``: the guest has said something."""

    def __init__(self, device: bytes, hello: bytes, answer: bytes, stream: _Stream) -> None:
        self.device, self.hello, self.answer, self.stream = device, hello, answer, stream
        self.is_open = False
        self.said_us = self.heard_us = 0
        self.allowance: Budget | None = None


class HostLines:
    """The ends of a host, one for each line of a guest.

    A line has a name: 14 bytes, which its guest has drawn. Two lines never share one.

    Args:
        device: of the host, six bytes.
        private: the host's private key, 32 bytes.
        entropy: returns that many random bytes.
    """

    def __init__(self, device: bytes, private: bytes, entropy: Callable[[int], bytes]) -> None:
        self._device, self._private, self._host = device, private, host_key_of(private)
        self._entropy = entropy
        self._ends: dict[bytes, _HostEnd] = {}
        self._hellos: Budget | None = None
        self._here = _header(device, wire.EVERYBODY, _HERE, entropy(_ID_BYTES))
        self._heres, self._here_us = 0, 0
        self._out: list[tuple[bytes, bytes]] = []

    def receive(self, frame: bytes, now_us: int) -> list[tuple[bytes, bytes | None]]:
        """Return the messages that a frame completes, with the line of each; None: it is over.

        The first message of a guest may be empty: it opens the line.
        """
        came = _read(frame)
        if came is None:
            return []
        name = came.head.sender + came.line
        if came.step == _HELLO:
            self._answer(name, came, now_us)
        end = self._ends.get(name)
        if came.step != _PART or end is None:
            return []
        if (messages := end.stream.hear(came)) is None:
            return []
        end.heard_us = now_us
        end.allowance = end.allowance or Budget(FRAMES_AT_ONCE, FRAMES_PER_S, now_us)
        is_open = end.is_open
        if not is_open and sum(each.is_open for each in self._ends.values()) >= MOST_OPEN:
            end.stream.is_lost = True
        end.is_open = True
        if not end.allowance.take(now_us) or end.stream.is_lost:
            self.end(name)
            return [(name, None)] if is_open else []
        return [(name, message) for message in messages]

    def tick(self, now_us: int) -> list[bytes]:
        """Return the lines that went silent; say some times a second that this host is here."""
        wait_us = HERE_US if self._heres < HERE_OFTEN else ALIVE_US
        if self._heres == 0 or now_us - self._here_us >= wait_us:
            self._heres, self._here_us = self._heres + 1, now_us
            self._out.append((wire.EVERYBODY, self._here))
        silent = [name for name, each in self._ends.items() if now_us - each.heard_us >= LOST_US]
        gone = [name for name in silent if self._ends[name].is_open]
        for name in silent:
            self.end(name)
        for end in self._ends.values():
            if end.is_open and now_us - end.said_us >= ALIVE_US:
                end.said_us = now_us
                self._out.append((end.device, end.stream.alive()))
        return gone

    def send(self, line: bytes, message: bytes) -> None:
        """Say a message on a line; nothing if it is over.

        Raises:
            ValueError: it is longer than `MOST_MESSAGE`.
        """
        if (end := self._ends.get(line)) is not None:
            self._out += [(end.device, frame) for frame in end.stream.frames(message)]

    def end(self, line: bytes) -> None:
        """End a line; its guest hears of it."""
        if (end := self._ends.pop(line, None)) is not None and end.is_open:
            self._out.append((end.device, end.stream.end()))

    def take(self) -> list[tuple[bytes, bytes]]:
        """Return the frames to send since the last call, each behind the device of its guest."""
        out, self._out = self._out, []
        return out

    def _answer(self, name: bytes, came: _Came, now_us: int) -> None:
        """Answer a hello; one that was answered gets the same answer."""
        self._hellos = self._hellos or Budget(HELLOS_AT_ONCE, HELLOS_PER_S, now_us)
        if not self._hellos.take(now_us):
            return
        known = self._ends.get(name)
        if known is not None:
            if hmac.compare_digest(known.hello, came.rest):
                self._out.append((known.device, known.answer))
            return
        guest, proof = came.rest[:KEY_BYTES], came.rest[KEY_BYTES:]
        shared = exchange(self._private, guest) if len(guest) == KEY_BYTES else None
        if shared is None or came.line != sha256(guest).digest()[:_ID_BYTES]:
            return
        secret = _Secret(guest, self._host, shared)
        if unseal(secret.hello, _nonce(0), proof, came.header) != b"":
            return
        private = self._entropy(KEY_BYTES)
        answer, fresh = host_key_of(private), exchange(private, guest)
        assert fresh is not None, "the guest's key is of no small order"
        hears, says = secret.keys(answer, fresh)
        device = came.head.sender
        stream = _Stream(came.line, self._device, device, says, hears)
        end = _HostEnd(device, came.rest, stream.answer(answer), stream)
        end.heard_us = end.said_us = now_us
        begun = [each for each, made in self._ends.items() if not made.is_open]
        if len(begun) >= MOST_BEGUN:
            del self._ends[begun[0]]
        self._ends[name] = end
        self._out.append((device, end.answer))
