"""The broker of an evening as phones reach it: through the address of the site, and with bounds."""

import asyncio
import contextlib
import os
from contextlib import asynccontextmanager
from time import monotonic

import paho.mqtt.client as mqtt
import pytest
from aiohttp import ClientSession, WSMsgType, WSServerHandshakeError

from hw_sim.air.local_broker import LOOPBACK
from hw_sim.live.serve.broker_proxy import (
    MOST_BYTES,
    MOST_HANDHELDS,
    MOST_PACKET_BYTES,
    BrokerProxy,
    running_broker,
)
from tests.hw_sim.live.serve.test_site_server import folder, sending, status_of
from tests.support.brokers import SOON_S, Heard, needs_amqtt, needs_mosquitto

__all__ = ["folder"]
KINDS = [
    pytest.param(False, id="mosquitto", marks=needs_mosquitto),
    pytest.param(True, id="amqtt", marks=needs_amqtt),
]
TOPIC, ROOM = "maexchen/1/tag/to/0", "maexchen/1/room/abcd/guest"
ALL_BYTES = bytes(range(256))
WANTED = {
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Protocol": "mqtt",
}
"""What a browser's WebSocket asks with (RFC 6455, 1.3)."""


@asynccontextmanager
async def evening(folder, with_amqtt=False, **more):
    async with running_broker(with_amqtt=with_amqtt) as broker:
        proxy = BrokerProxy(broker)
        async with sending(folder, proxy, **more) as (server, session):
            server.own, server.broker = {"Origin": server.address}, broker
            server.for_handhelds = await proxy.listen(LOOPBACK, 0)
            yield server, session


class Phone:
    """An MQTT client over a WebSocket, in a thread of paho's; what comes is heard on the loop.

    ``transport``: ``tcp`` for a handheld, which needs no WebSocket.
    """

    def __init__(
        self, port, *topics, with_amqtt=False, tls=None, user=None, transport="websockets"
    ):
        loop, self.heard = asyncio.get_running_loop(), Heard()
        version = mqtt.MQTTv311 if with_amqtt else mqtt.MQTTv5
        api = mqtt.CallbackAPIVersion.VERSION2
        self.client = client = mqtt.Client(api, transport=transport, protocol=version)
        client.ws_set_options(path="/mqtt?version=3" if with_amqtt else "/mqtt")
        if tls is not None:
            client.tls_set_context(tls)
        if user is not None:
            client.username_pw_set(user, "secret")

        def hear(*what):
            loop.call_soon_threadsafe(self.heard, what)

        client.on_connect = lambda *_: topics and client.subscribe([(each, 1) for each in topics])
        client.on_subscribe = lambda *_: hear("subscribed")
        client.on_message = lambda _client, _data, message: hear(message.topic, message.payload)
        client.on_disconnect = lambda *_: hear("gone")
        self._port = port

    async def __aenter__(self):
        await asyncio.to_thread(self.client.connect, LOOPBACK, self._port)
        self.client.loop_start()
        await self.heard.until(lambda all: ("subscribed",) in all)
        return self

    async def __aexit__(self, *_):
        self.client.disconnect()
        await asyncio.to_thread(self.client.loop_stop)

    async def until(self, *what):
        await self.heard.until(lambda all: what in all)


def port_of(server):
    return int(server.address.rpartition(":")[2])


@pytest.mark.whole
@pytest.mark.parametrize("with_amqtt", KINDS)
async def test_a_handheld_speaks_to_a_phone_without_a_web_socket(folder, with_amqtt):
    async with evening(folder, with_amqtt) as (server, _):
        kind = {"with_amqtt": with_amqtt}
        async with (
            Phone(server.for_handhelds, TOPIC, **kind, transport="tcp") as handheld,
            Phone(port_of(server), ROOM, **kind, user="ab-0") as phone,
        ):
            phone.client.publish(TOPIC, ALL_BYTES, qos=1)
            await handheld.until(TOPIC, ALL_BYTES)
            handheld.client.publish("other/1", b"?")
            handheld.client.publish(ROOM, bytes(4096))
            await phone.until(ROOM, bytes(4096))
            handheld.client.reconnect_delay_set(60, 60)
            await server.close()
            await handheld.until("gone")
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(LOOPBACK, server.for_handhelds)


@needs_mosquitto
async def test_a_crowd_at_the_port_of_handhelds_closes_only_its_own(folder):
    async with (
        evening(folder) as (server, _),
        Phone(server.for_handhelds, TOPIC, transport="tcp") as handheld,
    ):
        there = {"host": LOOPBACK, "port": server.for_handhelds, "local_addr": ("127.0.0.2", 0)}
        crowd = [await asyncio.open_connection(**there) for _ in range(MOST_HANDHELDS + 3)]
        for reader, _ in crowd[:4]:
            assert await reader.read() == b""
        handheld.client.publish(TOPIC, b"on", qos=1)
        await handheld.until(TOPIC, b"on")
        assert ("gone",) not in handheld.heard.all
        for _, writer in crowd:
            writer.close()


@pytest.mark.whole
@pytest.mark.parametrize("with_amqtt", KINDS)
async def test_guests_reach_topics_of_handhelds_and_no_others(folder, with_amqtt):
    async with evening(folder, with_amqtt) as (server, _):
        port = port_of(server)
        async with Phone(port, "#", "other/1", "maexchen/2/x", with_amqtt=with_amqtt) as spy:
            async with Phone(port, TOPIC, with_amqtt=with_amqtt) as one:
                for topic in ("other/1", "maexchen/2/x", TOPIC):
                    one.client.publish(topic, b"?", qos=0)
                await one.until(TOPIC, b"?")
            spy.client.subscribe(ROOM)
            await spy.heard.until(lambda all: all.count(("subscribed",)) == 2)
            spy.client.publish(ROOM, b"last")
            await spy.until(ROOM, b"last")
            topics = {each[0] for each in spy.heard.all if len(each) == 2}
        assert topics <= {TOPIC, ROOM}


@pytest.mark.whole
@needs_mosquitto
async def test_a_message_that_no_handheld_sends_costs_its_sender_the_connection(folder):
    async with evening(folder) as (server, _):
        port = port_of(server)
        async with Phone(port, TOPIC) as good:
            for length in (MOST_PACKET_BYTES, MOST_BYTES + 1):
                async with Phone(port, TOPIC) as bad:
                    bad.client.reconnect_delay_set(60, 60)
                    bad.client.publish(TOPIC, bytes(length))
                    await bad.until("gone")
            good.client.publish(TOPIC, b"on")
            await good.until(TOPIC, b"on")
            assert [each for each in good.heard.all if len(each) == 2] == [(TOPIC, b"on")]


@needs_mosquitto
async def test_only_pages_of_the_site_and_programs_get_to_the_broker(folder):
    async with evening(folder) as (server, session):
        for headers, status, told in (
            ({"Origin": "http://evil.example"}, 403, None),
            ({"Origin": "null"}, 403, None),
            (server.own, 101, "mqtt"),
            ({}, 101, "mqtt"),
        ):
            handshake = {"Upgrade": "websocket", "Connection": "Upgrade", **WANTED, **headers}
            async with session.get("/mqtt", headers=handshake) as answer:
                assert answer.status == status, headers
                assert answer.headers.get("Sec-WebSocket-Protocol") == told
        for wanted in ({}, {"protocols": ("chat",)}):
            with pytest.raises(WSServerHandshakeError, match="400"):
                await session.ws_connect("/mqtt", headers=server.own, **wanted)
        assert await status_of(session.get("/mqtt")) == 400
        page = await session.ws_connect("/mqtt", protocols=("mqtt",), headers=server.own)
        await page.send_str("text is no MQTT")
        assert (await page.receive(SOON_S)).type in (WSMsgType.CLOSE, WSMsgType.CLOSED)


@needs_mosquitto
@pytest.mark.parametrize("kind", ["ping", "pong"])
async def test_a_page_that_pings_without_end_is_cut_and_a_few_pings_are_answered(folder, kind):
    async with evening(folder) as (server, session):
        page = await session.ws_connect(
            "/mqtt", protocols=("mqtt",), headers=server.own, autoping=False
        )
        for _ in range(9):
            await getattr(page, kind)(b"?")
        await page.ping(b"last")
        while (answer := await page.receive(SOON_S)).data != b"last":
            assert (kind, answer.type, answer.data) == ("ping", WSMsgType.PONG, b"?")
        with contextlib.suppress(ConnectionError):
            for _ in range(99):
                await getattr(page, kind)()
        while (answer := await page.receive(SOON_S)).type is WSMsgType.PONG:
            pass
        assert (answer.type, page.close_code) == (WSMsgType.CLOSED, 1006)


@pytest.mark.whole
@needs_mosquitto
async def test_a_broker_that_has_ended_is_told_and_cuts_its_phones(folder):
    async with evening(folder) as (server, session):
        async with Phone(port_of(server), TOPIC) as phone:
            phone.client.reconnect_delay_set(60, 60)
            server.broker.kill()
            await phone.until("gone")
        with pytest.raises(WSServerHandshakeError, match="502"):
            await session.ws_connect("/mqtt", protocols=("mqtt",), headers=server.own)


@pytest.mark.whole
@pytest.mark.parametrize("with_amqtt", KINDS)
async def test_the_broker_listens_on_this_machine_alone_and_ends_with_the_party(with_amqtt):
    async with running_broker(with_amqtt=with_amqtt) as broker:
        pid, port = broker.pid, f":{broker.port:04X}"
        listening = set()
        with open("/proc/net/tcp") as table, open("/proc/net/tcp6") as table_of_6:
            for line in (*table, *table_of_6):
                _, here, _, state, *_ = line.split()
                if state == "0A" and here.endswith(port):
                    listening.add(here)
        assert listening == {f"0100007F{port}"}
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@needs_mosquitto
async def test_a_phone_that_reads_nothing_holds_up_no_other(folder):
    async with evening(folder) as (server, _):
        port = port_of(server)
        async with ClientSession() as session, Phone(port, TOPIC) as one:
            deaf = await session.ws_connect(f"{server.address}/mqtt", protocols=("mqtt",))
            connect = b"\x10\x10\x00\x04MQTT\x05\x02\x00\x3c\x00\x00\x03abc"
            subscribe = b"\x82\x19\x00\x01\x00\x00\x13" + TOPIC.encode() + b"\x00"
            await deaf.send_bytes(connect)
            assert (await deaf.receive()).data[0] == 0x20
            await deaf.send_bytes(subscribe)
            assert (await deaf.receive()).data[0] == 0x90
            deaf._response.connection.transport.pause_reading()
            began_s = monotonic()
            for _ in range(3000):
                one.client.publish(TOPIC, bytes(4000))
            one.client.publish(TOPIC, b"last", qos=1)
            await one.until(TOPIC, b"last")
            assert monotonic() - began_s < SOON_S
