"""Brokers for tests: a real one for a whole run, and one that a test may kill."""

import asyncio
import datetime
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from ipaddress import ip_address
from random import Random

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from firmware.link.broker import Attendance, BrokerAddress
from firmware.link.broker.link import BrokerLink
from firmware.link.broker.mqtt import MqttSession
from hw_sim.air.local_broker import LOOPBACK, LocalBroker, free_port, has_amqtt, mosquitto

needs_mosquitto = pytest.mark.skipif(mosquitto() is None, reason="mosquitto is not installed")
needs_amqtt = pytest.mark.skipif(not has_amqtt(), reason="amqtt is not installed")
SOON_S = 60.0
"""Nothing here takes so long, on any machine."""


@asynccontextmanager
async def running(folder, accounts=(), rules=(), more=(), **kinds):
    """A broker of one's own, which may be killed and started anew."""
    broker = LocalBroker(folder, free_port(), accounts, rules, more, **kinds)
    await broker.start()
    try:
        yield broker
    finally:
        broker.kill()


class SocketBroker(LocalBroker):
    """A mosquitto with WebSockets at ``socket_url``, for a test in whose thread a browser runs."""

    def __init__(self, folder, accounts=(), port=None):
        port = port or free_port()
        self.socket_url = f"ws://{LOOPBACK}:{port}"
        more = (f"listener {port} {LOOPBACK}", "protocol websockets")
        super().__init__(folder, free_port(), accounts, more=more)

    def begin(self):
        """Start it, on a loop in another thread."""
        with ThreadPoolExecutor(1) as pool:
            pool.submit(asyncio.run, self.start()).result()


class Heard:
    """The messages that have come so far, and the wait for more."""

    def __init__(self):
        self.all = []
        self._more = asyncio.Event()

    def __call__(self, *what):
        self.all.append(what[0] if len(what) == 1 else what)
        self._more.set()

    async def until(self, found):
        """Wait until ``found`` of all that has come is true; returns what it returns."""
        async with asyncio.timeout(SOON_S):
            while not (answer := found(self.all)):
                self._more.clear()
                await self._more.wait()
        return answer


async def attending(address, attendance, *messages):
    """Start a session that publishes these; return it, what it hears, and the troubles it tells."""
    came, told = Heard(), Heard()
    session = MqttSession(address, told, lambda: 0.0)
    session.attend(attendance)
    for message in messages:
        session.publish(message)
    await session.start(came)
    return session, came, told


class Member:
    """A link to a broker; the frames that it has heard, and who is present."""

    def __init__(self, broker, place, seed):
        self.frames, self.present = Heard(), Heard()
        entropy = Random(f"nonces {seed}").randbytes
        self.link = BrokerLink(broker.session(), self.frames, self.present, entropy)
        self.link.listen_at(place)

    async def say(self, frame, to):
        """Say it until another member has heard it: who connects late misses some."""
        while frame not in to.frames.all:
            self.link.send(None, frame)
            await asyncio.sleep(0.1)


async def members(broker, *places):
    """Start a link at each of the places."""
    found = [Member(broker, place, number) for number, place in enumerate(places)]
    for each in found:
        await each.link.start()
    return found


DAY = datetime.timedelta(days=1)
SIGNS = x509.KeyUsage(
    digital_signature=False,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=True,
    crl_sign=False,
    encipher_only=False,
    decipher_only=False,
)


class Authority:
    """Vouches for others; its own certificate and those it makes are files in ``folder``."""

    def __init__(self, folder, name):
        self.folder = folder
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.key = ec.generate_private_key(ec.SECP256R1())
        self._public = self.key.public_key()
        made = self._made(self.name, self.key, x509.BasicConstraints(ca=True, path_length=None))
        made = made.add_extension(SIGNS, critical=True)  # Python 3.13 wants it said
        self.file = self._written(f"{name}.pem", made.sign(self.key, hashes.SHA256()))

    def certificate(self, name, *, days=1, host="127.0.0.1"):
        """A certificate and its key, as files; it ended long ago where ``days`` is negative."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        made = self._made(subject, key, x509.BasicConstraints(ca=False, path_length=None), days)
        names = x509.SubjectAlternativeName([x509.IPAddress(ip_address(host))])
        made = made.add_extension(names, critical=False)
        certificate = self._written(f"{name}.pem", made.sign(self.key, hashes.SHA256()))
        path = self.folder / f"{name}.key"
        path.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        return certificate, path

    def _made(self, subject, key, constraints, days=1):
        now = datetime.datetime.now(datetime.UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self.name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - 10 * DAY)
            .not_valid_after(now + days * DAY)
            .add_extension(constraints, critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._public), False)
        )

    def _written(self, name, certificate):
        path = self.folder / name
        path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        return path


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
    hostile = Hostile(version, says)
    server = await asyncio.start_server(hostile.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    address = BrokerAddress.of(f"mqtt://127.0.0.1:{port}?version={version}")
    session, came, told = await attending(address, Attendance((TOPIC,)))
    await came.until(until)
    kept = len(session._wire._client._in_messages)
    session.abandon()
    server.close()
    return [each.payload for each in came.all], told.all, hostile, kept
