"""The messages between a guest's handheld and the tab that hosts the evening, over a sealed line.

A guest opens the line (`firmware.table.protocol.room_line`); what crosses it is one of these.
"""

from typing import Final

import msgspec

PAGE, LOBBY = 0, 1
"""The two streams of a guest: that of the page, and that of the handheld in the lobby."""
MOST_BYTES: Final = 64 * 1024
"""No longer message crosses a line."""


class Ask(msgspec.Struct, tag="ask", frozen=True):
    """From a guest: a request with a number, such as to sit down; ``body`` is JSON."""

    number: int
    path: str
    body: str = ""


class Answer(msgspec.Struct, tag="answer", frozen=True):
    """From the host: the answer to a request, with a status as in HTTP; ``body`` is JSON.

    ``release``: of the host's site, empty for one that is not known.
    """

    number: int
    status: int
    body: str
    release: str = ""


class Opens(msgspec.Struct, tag="opens", frozen=True):
    """From a guest: a stream begins, `PAGE` or `LOBBY`; one that was open ends before."""

    stream: int


class Says(msgspec.Struct, tag="says", frozen=True):
    """Either way: a text on a stream, as on a WebSocket.

    On `PAGE` it is JSON of `hw_sim.live.web.incoming` or `outgoing`; on `LOBBY` a `Crossing`.
    """

    stream: int
    text: str


class Cuts(msgspec.Struct, tag="cuts", frozen=True):
    """Either way: a stream ends, with a code and a reason as those of a WebSocket."""

    stream: int
    code: int = 1006
    reason: str = ""


Talk = Ask | Answer | Opens | Says | Cuts
_decoder: Final = msgspec.msgpack.Decoder(Talk)


def encode(message: Talk) -> bytes:
    """Return a message as it crosses a line."""
    return msgspec.msgpack.encode(message)


def decode(data: bytes) -> Talk | None:
    """Read a message; None for malformed data, and for more than `MOST_BYTES`."""
    try:
        return _decoder.decode(data) if len(data) <= MOST_BYTES else None
    except msgspec.DecodeError:
        return None
