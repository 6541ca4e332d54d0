"""Pages that send frames of a WebSocket without end: ``python -m tests.labs.redteam._flooder``.

They are a process of their own, so that what sending costs is not taken for what hearing costs. It
prints its figures as a line of JSON.
"""

import argparse
import json
import os
import select
import socket
import struct
import time
from base64 import b64encode

FROM = "127.0.0.99"
EVERY_S = 0.01
COME_AT_ONCE = 4
COMES_IN_S = 5.0
"""The time for which a page tries to come in."""
MOST_OWED = 1 << 20
FINAL, MASKED = 0x80, 0x80


def frame(first: int, body: bytes = b"") -> bytes:
    """A masked frame (RFC 6455, 5.2) of less than 65,536 bytes."""
    mask = os.urandom(4)
    size = len(body)
    head = bytes((first, MASKED | size)) if size < 126 else struct.pack("!BBH", first, 254, size)
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(body))


PING, PONG = FINAL | 9, FINAL | 10
KINDS = {
    "ping": frame(PING),
    "pong": frame(PONG),
    "long ping": frame(PING, 125 * b"x"),
    "piece": frame(0),
    "both": frame(PING) + frame(PONG),
}
"""What can be sent without end, by its name; a ``piece`` is one of a message that never ends."""


class Page:
    """A page at the broker; ``is_cut``: it was shown out."""

    def __init__(self, port: int, kind: str) -> None:
        self.is_cut = False
        self.debt = frame(2, b"[") if kind == "piece" else b""
        self.socket = socket.create_connection(
            ("127.0.0.1", port), timeout=COMES_IN_S, source_address=(FROM, 0)
        )
        headers = {
            "Host": f"127.0.0.1:{port}",
            "Origin": f"http://127.0.0.1:{port}",
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Protocol": "mqtt",
            "Sec-WebSocket-Key": b64encode(os.urandom(16)).decode(),
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.socket.sendall(f"GET /mqtt HTTP/1.1\r\n{head}\r\n".encode())
        heard = b""
        while b"\r\n\r\n" not in heard:
            more = self.socket.recv(4096)
            if not more:
                raise ConnectionError("shown out at the door")
            heard += more
        self.socket.setblocking(False)

    def send(self, data: bytes) -> int:
        """Send what is owed and this, as much as goes; returns how many bytes went."""
        self.debt += data[: max(0, MOST_OWED - len(self.debt))]
        try:
            sent = self.socket.send(self.debt)
        except BlockingIOError:
            return 0
        except OSError:
            self.is_cut = True
            return 0
        self.debt = self.debt[sent:]
        return sent

    def hear(self) -> None:
        """Read what came, if only that nothing more will."""
        try:
            self.is_cut |= not self.socket.recv(1 << 18)
        except BlockingIOError:
            return
        except OSError:
            self.is_cut = True


def flood(asked: argparse.Namespace) -> dict[str, object]:
    """Let pages send; those that are shown out come back at once where that is asked for."""
    data, frames = KINDS[asked.kind], 2 if asked.kind == "both" else 1
    longest_s = 0.0
    sent = refused = cut = 0
    here: dict[Page, float] = {}
    for _ in range(asked.pages):
        here[Page(asked.port, asked.kind)] = time.monotonic()
    missing = 0
    began_s = last_s = time.monotonic()
    while (now_s := time.monotonic()) < began_s + asked.seconds and (here or missing):
        for _ in range(min(missing, COME_AT_ONCE)):
            try:
                here[Page(asked.port, asked.kind)] = time.monotonic()
                missing -= 1
            except OSError:
                refused += 1
        chunk = data * (int((now_s - last_s) * asked.per_s) // frames)
        last_s = now_s
        for each, came_s in list(here.items()):
            sent += each.send(chunk)
            each.hear()
            if each.is_cut:
                cut += 1
                longest_s = max(longest_s, time.monotonic() - came_s)
                del here[each]
                each.socket.close()
                missing += asked.back
        rest_s = EVERY_S - (time.monotonic() - now_s)
        select.select([], [], [], max(0.0, rest_s))
    for each in here:
        each.socket.close()
    return {
        "frames": sent * frames // len(data),
        "still there": len(here),
        "refused": refused,
        "cut": cut,
        "longest s": round(longest_s, 2),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--pages", type=int, default=1)
    parser.add_argument("--kind", choices=KINDS, default="ping")
    parser.add_argument("--per-s", type=float, default=60_000, help="frames of each")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--back", action="store_true", help="come back when shown out")
    print(json.dumps(flood(parser.parse_args())))
