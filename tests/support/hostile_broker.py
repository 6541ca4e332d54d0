"""A broker that lets everybody in, and then says what it likes."""

import asyncio

from firmware.link.broker import Attendance, BrokerAddress
from firmware.link.broker.mqtt import MqttSession
from tests.support.brokers import Heard

TOPIC = "maexchen/1/x"
CONNACK = {3: b"\x20\x02\x00\x00", 5: b"\x20\x03\x00\x00\x00"}


def packet(first: int, body: bytes, length: int | None = None) -> bytes:
    """A packet of MQTT; ``length``: what it says of itself."""
    left, digits = len(body) if length is None else length, bytearray()
    while True:
        left, digit = divmod(left, 128)
        digits.append(digit | (0x80 if left else 0))
        if not left:
            return bytes([first, *digits]) + body


def publish(qos: int, number: int, payload: bytes, version: int) -> bytes:
    topic = TOPIC.encode()
    body = len(topic).to_bytes(2, "big") + topic + (number.to_bytes(2, "big") if qos else b"")
    return packet(0x30 | qos << 1, body + (b"\0" if version == 5 else b"") + payload)


class Hostile:
    """Lets everybody in, then says what it likes to the first of them."""

    def __init__(self, version, says):
        self.version, self.says = version, says
        self.sent, self.comers = 0, 0

    async def serve(self, reader, writer):
        self.comers += 1
        first = self.comers == 1
        try:
            while (kind := (await reader.readexactly(1))[0]) is not None:
                length = shift = 0
                while (digit := (await reader.readexactly(1))[0]) & 0x80:
                    length, shift = length | (digit & 0x7F) << shift, shift + 7
                body = await reader.readexactly(length | digit << shift)
                if kind >> 4 == 1:
                    writer.write(CONNACK[self.version])
                elif kind >> 4 == 8:
                    more = b"\0" if self.version == 5 else b""
                    writer.write(packet(0x90, body[:2] + more + b"\1"))
                    for said in self.says if first else [publish(0, 0, b"well", self.version)]:
                        self.sent += len(said) if first else 0
                        writer.write(said)
                        await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()


async def heard(version, says, until):
    """Attend at such a broker; returns what came, what was told, and the broker."""
    hostile, came, told = Hostile(version, says), Heard(), []
    server = await asyncio.start_server(hostile.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    address = BrokerAddress.of(f"mqtt://127.0.0.1:{port}?version={version}")
    session = MqttSession(address, told.append, lambda: 0.0)
    session.attend(Attendance((TOPIC,)))
    await session.start(came)
    await came.until(until)
    kept = len(session._wire._client._in_messages)
    session.abandon()
    server.close()
    return [each.payload for each in came.all], told, hostile, kept
