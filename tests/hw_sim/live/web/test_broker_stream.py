"""The site's stream to a broker, against mosquitto's WebSockets, under the policy of its pages."""

from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from msgspec.json import decode
from paho.mqtt import publish, subscribe
from paho.mqtt.enums import MQTTProtocolVersion

from firmware.link.broker import Message
from firmware.link.broker.relay import Attends, Crossing, Published
from hw_sim.air.local_broker import LOOPBACK
from hw_sim.live.site.build import PUBLIC, BuildError, listed, policy
from tests.hw_sim.live.web.conftest import hosted, wait_until
from tests.support.brokers import SocketBroker, needs_mosquitto
from tests.support.played_pages import script

pytestmark = needs_mosquitto
TO_ME, TO_YOU, HERE = "maexchen/1/tag/to/0", "maexchen/1/tag/to/1", "maexchen/1/tag/here/"
GONE = Message(f"{HERE}0", b"0", retained=True, sure=True)
ALL_BYTES = bytes(range(256))
OPEN = script("dialled_broker")


@pytest.fixture
def page(site, browser):
    """A page of the site that may speak to any broker on this machine."""
    with hosted(site, [("Content-Security-Policy", policy(("ws://127.0.0.1:*",)))]) as home:
        page = browser.new_page()
        page.goto(f"{home}NOTICE.txt")
        page.home = home
        yield page


def told(page):
    """Return the messages that the stream has brought to the page."""
    heard = page.evaluate("self.told")
    return [each if each == "opened" else decode(each, type=Crossing) for each in heard]


def says(page, what):
    page.evaluate("(text) => self.stream.say(text)", msgspec.json.encode(what).decode())


def test_messages_of_a_handheld_and_of_others_cross_as_they_are(page, tmp_path):
    broker = SocketBroker(tmp_path)
    broker.begin()
    there = {"hostname": LOOPBACK, "port": broker.port, "protocol": MQTTProtocolVersion.MQTTv5}
    publish.single(f"{HERE}1", b"1", retain=True, qos=1, **there)
    publish.single(TO_ME, b"a kept frame is none", retain=True, **there)
    page.evaluate(OPEN, [broker.socket_url, page.home])
    wait_until(page, lambda: "opened" in told(page))
    says(page, Attends((TO_ME,), (f"{HERE}+",), GONE, "", ""))
    wait_until(page, lambda: Published(Message(f"{HERE}1", b"1", retained=True)) in told(page))
    for payload in (ALL_BYTES, bytes(8193), b"last"):
        publish.single(TO_ME, payload, **there)
    wait_until(page, lambda: Published(Message(TO_ME, b"last")) in told(page))
    lengths = [len(each.message.payload) for each in told(page) if isinstance(each, Published)]
    assert lengths == [1, 256, 4]
    says(page, Published(Message(f"{HERE}0", b"1", retained=True, sure=True)))
    says(page, Published(Message(TO_YOU, ALL_BYTES, retained=True, expires_s=50)))
    with ThreadPoolExecutor(1) as pool:  # a loop runs in this thread
        kept = [
            pool.submit(subscribe.simple, topic, retained=True, **there).result()
            for topic in (f"{HERE}0", TO_YOU)
        ]
    assert [each.payload for each in kept] == [b"1", ALL_BYTES]
    assert 40 <= kept[1].properties.MessageExpiryInterval <= 50
    page.evaluate("self.stream.close()")
    broker.kill()


@pytest.mark.parametrize("wrong", ["mqtt://host:1883", "wss://host;script-src *", "wss://a,b", "*"])
def test_a_builder_who_lists_what_is_no_websocket_is_told(wrong):
    with pytest.raises(BuildError, match="write wss://host:port"):
        policy(["wss://broker.example:8884/mqtt", wrong])


@pytest.mark.parametrize(
    ("named", "brokers"),
    [
        (None, list(PUBLIC)),
        ("none", []),
        ("", []),
        ("wss://a.example:8884/mqtt wss://*:1", ["wss://a.example:8884/mqtt", "wss://*:1"]),
    ],
)
def test_a_site_lists_public_brokers_unless_its_builder_names_others(monkeypatch, named, brokers):
    if named is None:
        monkeypatch.delenv("BROKERS")
    else:
        monkeypatch.setenv("BROKERS", named)
    assert listed() == brokers
    connect = policy(brokers).partition("connect-src ")[2].partition(";")[0]
    assert connect.split() == ["'self'", *brokers]


def test_every_public_broker_is_reached_over_tls():
    assert all(each.startswith("wss://") for each in PUBLIC)
