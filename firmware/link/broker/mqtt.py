"""A session at a real broker: paho's client, run by the loop; why a broker is out of reach."""

import asyncio
import socket
import ssl
from asyncio import Future
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, Final

from paho.mqtt.client import MQTT_CLEAN_START_FIRST_ONLY, Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from firmware.effects import TableAddress
from firmware.link.broker import (
    KEEPALIVE_S,
    Attendance,
    BrokerAddress,
    BrokerError,
    ConnectionRefused,
    Failure,
    Message,
    WireSession,
)

_NOT_YET, _EXPIRED, _OTHER_NAME, _OTHER_ADDRESS = 9, 10, 62, 64
"""``X509_V_ERR_…`` of OpenSSL's x509_vfy.h."""
_REFUSALS: Final = {
    132: "does not speak MQTT 5: write ?version=3 behind its url",
    134: "does not know this user or password: correct them",
    135: "does not let this user in: correct user and password, or its access rules",
    136: "is not available: try later",
    137: "is busy: try later, or ask who runs it",
    138: "has banned this handheld: ask who runs it",
    151: "is full: ask who runs it",
    159: "has too many connections at once: it is tried again",
}
"""Reason codes of CONNACK (MQTT 5, 3.2.2.2)."""


def trouble_of(error: Failure, broker: BrokerAddress) -> str:
    """Return the meaning of a failed connection, or of its end."""
    match error:
        case ConnectionRefused(code=code) if code in _REFUSALS:
            return f"broker {broker} {_REFUSALS[code]}"
        case ConnectionRefused() | ConnectionResetError():
            speaks = "no TLS there" if broker.tls else "TLS alone there (mqtts://)"
            why = f"it may be full, or speak {speaks}"
            return f"broker {broker} ended the connection: {why}; tried again"
        case ssl.SSLCertVerificationError():
            return f"broker {broker}: {_of_certificate(error, broker)}"
        case ssl.SSLError():
            return f"broker {broker} speaks no TLS there: correct its url; 8883 is usual"
        case socket.gaierror():
            return f"broker {broker}: no such host: correct its url, or look at the network"
        case ConnectionRefusedError():
            return f"broker {broker}: nobody listens there: start it, or correct its url"
        case TimeoutError():
            return f"broker {broker} does not answer: it may be full, or the network is down"
        case OSError():
            why = error.strerror or type(error).__name__
            return f"broker {broker} cannot be reached ({why}): look at the network"
        case _:
            return f"broker {broker}: MQTT has no room for this ({error}): correct the account"


def _of_certificate(error: ssl.SSLCertVerificationError, broker: BrokerAddress) -> str:
    match error.verify_code:
        case code if code == _EXPIRED:
            return "its certificate has expired: renew it there, or set the clock here"
        case code if code == _NOT_YET:
            return "its certificate is not valid yet: set the clock here"
        case code if code in (_OTHER_NAME, _OTHER_ADDRESS):
            return f"its certificate is not for {broker.host}: write the name that it is for"
    if broker.ca is None:
        return "no certificate of the system vouches for it: name its own CA as ca (--ca)"
    return f"{broker.ca} does not vouch for it: put the CA that signed its certificate there"


ANSWER_S = 5.0
"""Time limit for the broker to answer; chosen."""
LOOK_S = 1.0
"""Interval of paho's checks that the broker is still there; chosen."""
MOST_READ = 512 * 1024
"""Most bytes of a packet: a broker that announces more loses the connection; chosen."""
_QOS, _QOS_2 = 0x06, 0x04
"""Bits of the first byte of a PUBLISH (MQTT 5, 3.3.1.2)."""
_REFUSED = 0x80
"""Reason codes from here on are refusals (MQTT 5, 2.4)."""
_VERSIONS: Final = {3: MQTTProtocolVersion.MQTTv311, 5: MQTTProtocolVersion.MQTTv5}


class _BoundedClient(Client):
    """paho's client with a bound on what a broker can make it keep."""

    def _sock_recv(self, bufsize: int) -> bytes:
        if bufsize > MOST_READ:  # what is left of one packet
            raise ConnectionAbortedError(f"a packet of {bufsize} bytes is longer than {MOST_READ}")
        return super()._sock_recv(bufsize)

    def _handle_publish(self) -> MQTTErrorCode:
        """Take a message; one of QoS 2, which nobody requests, would be kept until its release."""
        if self._in_packet["command"] & _QOS == _QOS_2:
            return MQTTErrorCode.MQTT_ERR_SUCCESS
        return super()._handle_publish()


class MqttWire:
    """A connection to be opened once, for one attendance.

    Args:
        broker: its address.
        context: of TLS; None: without.
        attendance: topics and account.
        take: gets each message.
        most_bytes: the broker is asked to send nothing longer; None: no limit.
    """

    def __init__(
        self,
        broker: BrokerAddress,
        context: ssl.SSLContext | None,
        attendance: Attendance,
        take: Callable[[Message], None],
        most_bytes: int | None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._broker = broker
        self._attendance = attendance
        self._take = take
        self._most_bytes = most_bytes
        self._is_new = broker.version == 5
        self._answered: Future[None] = self._loop.create_future()
        self._subscribed: dict[int | None, Future[bool]] = {}
        self.ended: Future[ConnectionRefused] = self._loop.create_future()
        """The reason for the end of the connection, once it has ended."""
        self._looking: asyncio.TimerHandle | None = None
        self._client = client = _BoundedClient(
            CallbackAPIVersion.VERSION2,
            protocol=_VERSIONS[broker.version],
            clean_session=None if self._is_new else True,
            reconnect_on_failure=False,
        )
        client.connect_timeout = ANSWER_S
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message
        client.on_subscribe = self._on_subscribe
        client.on_socket_register_write = self._on_more
        client.on_socket_unregister_write = self._on_less
        client.on_socket_close = self._on_close
        if user := broker.user or attendance.user:
            client.username_pw_set(user, broker.password if broker.user else attendance.password)
        if (will := attendance.will) is not None:
            client.will_set(will.topic, will.payload, int(will.sure), will.retained)
        if context is not None:
            client.tls_set_context(context)

    async def open(self) -> str | None:
        """Connect and subscribe; return a topic that may not be read, None if all may.

        Raises:
            ConnectionRefused: the broker refuses.
            OSError: the broker is unreachable, or does not answer within ANSWER_S.
            ValueError: MQTT has no room for a name or a topic.
        """
        try:
            async with asyncio.timeout(2 * ANSWER_S):
                connecting = asyncio.ensure_future(asyncio.to_thread(self._connect))
                connecting.add_done_callback(self._connected)
                await asyncio.shield(connecting)
                self._watch()
                await self._answered
                attendance = self._attendance
                wanted = [(topic, False) for topic in attendance.topics]
                wanted += [(topic, True) for topic in attendance.kept]
                may = [await self._subscribe(topic, kept=kept) for topic, kept in wanted]
        except BaseException:
            self.break_off()
            raise
        return next((topic for (topic, _), allowed in zip(wanted, may) if not allowed), None)

    def publish(self, message: Message) -> None:
        """Send a message. The connection drops messages that a broker does not take."""
        expires_s = message.expires_s if self._is_new else None
        properties = None if expires_s is None else _expiring(expires_s)
        qos, retained = int(message.sure), message.retained
        self._client.publish(message.topic, message.payload, qos, retained, properties)

    async def close(self) -> None:
        """Send waiting messages, say farewell and close; after ANSWER_S without a farewell."""
        self._client.disconnect()
        await asyncio.wait((self.ended,), timeout=ANSWER_S)
        self.break_off()

    def break_off(self) -> None:
        """Close at once, without a farewell."""
        wire = self._client.socket()
        if isinstance(wire, socket.socket) and wire.fileno() >= 0:
            self._on_close(None, None, wire)
            with suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)
            wire.close()
        self._end(None)

    # In a thread, because it waits for the network

    def _connect(self) -> None:
        limits: Properties | None = None
        if self._is_new and self._most_bytes is not None:
            limits = _properties(PacketTypes.CONNECT, "MaximumPacketSize", self._most_bytes)
        broker, start = self._broker, MQTT_CLEAN_START_FIRST_ONLY
        self._client.connect(broker.host, broker.port, KEEPALIVE_S, "", 0, start, limits)

    # On the loop

    def _connected(self, connecting: Future[None]) -> None:
        """Close a connection that came too late."""
        if not connecting.cancelled():
            connecting.exception()
        if self.ended.done():
            self.break_off()

    def _watch(self) -> None:
        wire = self._client.socket()
        if not isinstance(wire, socket.socket):
            self._end(None)
            return
        wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._loop.add_reader(wire, self._read, wire)
        self._loop.add_writer(wire, self._client.loop_write)
        self._look()

    def _read(self, wire: socket.socket) -> None:
        self._client.loop_read()
        while isinstance(wire, ssl.SSLSocket) and wire.fileno() >= 0 and wire.pending():
            self._client.loop_read()  # what TLS has opened already makes no socket readable

    def _look(self) -> None:
        if not self.ended.done() and self._client.loop_misc() == MQTTErrorCode.MQTT_ERR_SUCCESS:
            self._looking = self._loop.call_later(LOOK_S, self._look)

    async def _subscribe(self, topic: str, *, kept: bool) -> bool:
        if self._is_new:
            retain = _SEND_KEPT if kept else _SEND_NO_KEPT
            options = SubscribeOptions(1, retainHandling=retain)
            result, number = self._client.subscribe(topic, options=options)
        else:
            result, number = self._client.subscribe(topic, 1)
        if result != MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise ConnectionRefused(None)
        answer: Future[bool] = self._loop.create_future()
        self._subscribed[number] = answer
        await asyncio.wait((answer, self.ended), return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            raise self.ended.result()
        return answer.result()

    def _end(self, code: int | None) -> None:
        if self._looking is not None:
            self._looking.cancel()
        if not self.ended.done():
            self.ended.set_result(ConnectionRefused(code))
        if not self._answered.done():
            self._answered.set_exception(ConnectionRefused(code))
            self._answered.exception()  # somebody may not wait for it any more

    # Callbacks of paho

    def _on_connect(self, _client: Any, _: Any, _flags: Any, reason: Any, *_more: Any) -> None:
        if reason.value >= _REFUSED:
            self._end(reason.value)
        elif not self._answered.done():
            self._answered.set_result(None)

    def _on_disconnect(self, _client: Any, _: Any, _flags: Any, reason: Any, *_more: Any) -> None:
        self._end(reason.value)

    def _on_subscribe(self, _client: Any, _: Any, number: int, reasons: Any, *_more: Any) -> None:
        answer = self._subscribed.pop(number, None)
        if answer is not None and not answer.done():
            answer.set_result(all(reason.value < _REFUSED for reason in reasons))

    def _on_message(self, _client: Any, _: Any, message: MQTTMessage) -> None:
        try:
            topic = message.topic
        except UnicodeDecodeError:
            return  # MQTT has none of these
        self._take(Message(topic, bytes(message.payload), retained=message.retain))

    def _on_more(self, _client: Any, _: Any, wire: Any) -> None:
        """Write once the wire has room; while connecting, the socket is watched afterwards."""
        if self._answered.done() and wire.fileno() >= 0:
            self._loop.add_writer(wire, self._client.loop_write)

    def _on_less(self, _client: Any, _: Any, wire: Any) -> None:
        if wire.fileno() >= 0:
            self._loop.remove_writer(wire)

    def _on_close(self, _client: Any, _: Any, wire: Any) -> None:
        if wire.fileno() >= 0:
            self._loop.remove_reader(wire)
            self._loop.remove_writer(wire)


_SEND_KEPT = SubscribeOptions.RETAIN_SEND_ON_SUBSCRIBE
_SEND_NO_KEPT = SubscribeOptions.RETAIN_DO_NOT_SEND


@cache
def _expiring(after_s: int) -> Properties:
    """Return MQTT's property of an expiring message; paho takes long to create it."""
    return _properties(PacketTypes.PUBLISH, "MessageExpiryInterval", after_s)


def _properties(packet: int, name: str, value: int) -> Properties:
    """Return one property of MQTT 5 for a kind of packet."""
    properties = Properties(packet)  # type: ignore[no-untyped-call]  # paho's are not typed
    setattr(properties, name, value)
    return properties


MOST_BYTES = 4096
"""The broker is asked to send nothing longer to a reader of frames alone; chosen."""


class MqttSession(WireSession):
    """A ``Session`` at a broker.

    Args:
        broker: its address; an account in it replaces that of an attendance.
        report: gets one line on each new trouble.
        chance: returns a number from 0 to 1, below 1, so that many do not return at one instant.
        most_bytes: the broker is asked to send nothing longer; None: no limit.
        failed: is called when a connection ends, or none begins.

    Raises:
        BrokerError: the file of certificates cannot be used.
    """

    def __init__(
        self,
        broker: BrokerAddress,
        report: Callable[[str], None],
        chance: Callable[[], float],
        most_bytes: int | None = MOST_BYTES,
        failed: Callable[[], None] = lambda: None,
    ) -> None:
        context = _context(broker)

        def trouble(failure: Failure) -> str:
            failed()
            return trouble_of(failure, broker)

        super().__init__(
            lambda attendance, take: MqttWire(broker, context, attendance, take, most_bytes),
            trouble,
            report,
            chance,
        )


async def reach(broker: BrokerAddress, seat: TableAddress) -> None:
    """Connect to a broker once, with the account of a seat, and leave it again.

    Raises:
        BrokerError: the broker does not answer, or does not let the seat in.
    """
    attendance = Attendance((), user=seat.user, password=seat.password)
    wire = MqttWire(broker, _context(broker), attendance, lambda _message: None, MOST_BYTES)
    try:
        await wire.open()
    except (ConnectionRefused, OSError, ValueError) as error:
        raise BrokerError(trouble_of(error, broker)) from None
    await wire.close()


def _context(broker: BrokerAddress) -> ssl.SSLContext | None:
    if not broker.tls:
        return None
    try:
        return ssl.create_default_context(cafile=broker.ca)
    except OSError as error:
        why = "no certificate is in it" if isinstance(error, ssl.SSLError) else error.strerror
        raise BrokerError(f"ca {broker.ca}: {why}: name a file of certificates (PEM)") from None
