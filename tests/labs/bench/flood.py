"""How many frames one mosquitto carries: ``python -m tests.labs.bench.flood``.

Clients that do nothing else send each other bytes made beforehand, of the length of a hop's frames,
the next when the last has come. The busier the broker, the more of one core it takes; what a frame
costs it follows, and so where it would saturate.
"""

import argparse
import asyncio
import select
import socket
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware.link.broker import topics
from hw_sim.air.local_broker import LOOPBACK, LocalBroker, free_port
from tests.labs.bench.broker import SIZE, cpu_s, memory_mb

CONNECT = b"\x10\x0c\0\4MQTT\4\2\0\0\0\0"
"""Version 3.1.1, a clean session, no keep-alive, no name."""
ANSWERS = b"\x20\2\0\0", b"\x90\3\0\1\0"
"""To CONNECT and SUBSCRIBE."""


def packet(kind, body):
    """A packet of MQTT with less than 128 bytes."""
    return bytes((kind, len(body))) + body


def named(topic):
    return len(topic).to_bytes(2, "big") + topic.encode()


def client(port, number):
    """A connection that hears what is for its seat."""
    wire = socket.create_connection((LOOPBACK, port))
    wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for asked, answer in zip((CONNECT, packet(0x82, b"\0\1" + topic_of(number) + b"\0")), ANSWERS):
        wire.sendall(asked)
        assert wire.recv(64) == answer
    return wire


def topic_of(number):
    return named(topics.to(f"{number // 2:032x}", number % 2))


def flood(broker, clients, seconds):
    """Let frames go to and fro between pairs; prints what broker and clients needed."""
    wires = [client(broker.port, number) for number in range(clients)]
    frames = [packet(0x30, topic_of(number ^ 1) + bytes(SIZE)) for number in range(clients)]
    poll, by_file = select.epoll(), {wire.fileno(): at for at, wire in enumerate(wires)}
    for wire in wires:
        poll.register(wire, select.EPOLLIN)
    for wire, frame in zip(wires, frames):
        wire.sendall(frame)
    count, began_s = 0, time.monotonic()
    us, theirs = time.process_time(), cpu_s(broker.pid)
    while time.monotonic() < began_s + seconds:
        for file, _ in poll.poll():
            at = by_file[file]
            wires[at].recv(4096)
            wires[at].sendall(frames[at])
            count += 1
    span_s = time.monotonic() - began_s
    us, theirs = time.process_time() - us, cpu_s(broker.pid) - theirs
    print(
        f"  {clients} clients, {count / span_s:,.0f} frames/s: clients {us / span_s:.0%}", end=", "
    )
    print(f"broker {theirs / span_s:.0%} of a core, {memory_mb(broker.pid):.0f} MB;", end=" ")
    print(f"{theirs / count * 1e6:.1f} µs a frame: all of a core at {count / theirs:,.0f} frames/s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, nargs="+", default=[2, 100, 900])
    parser.add_argument("--seconds", type=float, default=10.0)
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        broker = LocalBroker(Path(folder), free_port(), more=["max_connections -1"])
        asyncio.run(broker.start())
        try:
            for clients in asked.clients:
                flood(broker, clients, asked.seconds)
        finally:
            broker.kill()


if __name__ == "__main__":
    main()
