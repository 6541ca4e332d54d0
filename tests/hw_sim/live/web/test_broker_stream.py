"""The site's stream to a broker, against mosquitto's WebSockets, under the policy of its pages."""

from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from paho.mqtt import publish, subscribe
from paho.mqtt.enums import MQTTProtocolVersion

from firmware.link.broker import Message
from firmware.link.broker.relay import Attends, Crossing, Farewell, Published
from firmware.link.broker.topics import SALT_BYTES, password_line
from hw_sim.air.local_broker import LOOPBACK, free_port
from hw_sim.live.site.build import PUBLIC, BuildError, listed, policy
from tests.hw_sim.live.web.conftest import hosted, wait_until
from tests.support.brokers import SocketBroker, needs_mosquitto
from tests.support.played_pages import script

pytestmark = needs_mosquitto
TO_ME, TO_YOU, HERE = "maexchen/1/tag/to/0", "maexchen/1/tag/to/1", "maexchen/1/tag/here/"
GONE = Message(f"{HERE}0", b"0", retained=True, sure=True)
ALL_BYTES = bytes(range(256))
OPEN = script("dialled_broker")


class Ground:
    """A broker with WebSockets, and a page that dials."""

    def __init__(self, broker, page, home, url):
        self.broker, self.page, self.home, self.url = broker, page, home, url

    def dial(self, url=None):
        self.page.evaluate(OPEN, [url or self.url, self.home])

    def attend(self, topics=(TO_ME,), kept=(f"{HERE}+",), will=GONE, user="", password=""):
        self.dial()
        self.until("opened")
        self.say(Attends(tuple(topics), tuple(kept), will, user, password))

    def say(self, what):
        self.page.evaluate("(text) => self.stream.say(text)", msgspec.json.encode(what).decode())

    @property
    def told(self):
        shown = self.page.evaluate("self.told")
        return [
            each if each in ("opened", "ended") else msgspec.json.decode(each, type=Crossing)
            for each in shown
        ]

    def until(self, *wanted):
        wait_until(self.page, lambda: all(each in self.told for each in wanted))

    def publish(self, topic, payload, **how):
        publish.single(
            topic, payload, hostname=LOOPBACK, port=self.broker.port,
            protocol=MQTTProtocolVersion.MQTTv5, **how,
        )  # fmt: skip

    def kept(self, topic, wanted=bool):
        """Return the message that the broker keeps for a topic, once it is as wanted."""

        def found():
            with ThreadPoolExecutor(1) as pool:  # a loop runs in this thread
                one = pool.submit(
                    subscribe.simple, topic, retained=True, hostname=LOOPBACK,
                    port=self.broker.port, protocol=MQTTProtocolVersion.MQTTv5,
                ).result()  # fmt: skip
            return wanted(one.payload) and one

        return wait_until(self.page, found)

    def hang_up(self):
        self.page.evaluate("self.stream.close()")


@pytest.fixture
def ground(site, browser, tmp_path):
    """Make a broker with these accounts, and a page of the site."""
    running = []

    def make(accounts=()):
        broker = SocketBroker(tmp_path, accounts)
        broker.begin()
        running.append(broker)
        page = browser.new_page()
        page.goto(f"{home}NOTICE.txt")
        return Ground(broker, page, home, broker.socket_url)

    with hosted(site, [("Content-Security-Policy", policy(("ws://127.0.0.1:*",)))]) as home:
        yield make
    for each in running:
        each.kill()


def test_messages_of_a_handheld_and_of_others_cross_as_they_are(ground):
    here = ground()
    here.publish(f"{HERE}1", b"1", retain=True, qos=1)
    here.publish(TO_ME, b"a kept frame is none", retain=True)
    here.attend()
    here.until(Published(Message(f"{HERE}1", b"1", retained=True)))
    here.publish(TO_ME, ALL_BYTES)
    here.until(Published(Message(TO_ME, ALL_BYTES)))
    here.publish(TO_ME, bytes(8193))
    here.say(Published(Message(f"{HERE}0", b"1", retained=True, sure=True)))
    here.say(Published(Message(TO_YOU, ALL_BYTES, retained=True, expires_s=50)))
    heard = [here.kept(topic) for topic in (f"{HERE}0", TO_YOU)]
    assert [each.payload for each in heard] == [b"1", ALL_BYTES]
    assert 40 <= heard[1].properties.MessageExpiryInterval <= 50
    lengths = [len(each.message.payload) for each in here.told if isinstance(each, Published)]
    assert lengths == [1, 256, 1]


def test_only_who_vanishes_leaves_a_will(ground):
    here = ground()
    for at_first, ends, left in (
        (b"1", lambda: here.say(Farewell()), b"1"),
        (b"1 again", here.hang_up, b"0"),
    ):
        here.attend()
        here.say(Published(Message(f"{HERE}0", at_first, retained=True, sure=True)))
        assert here.kept(f"{HERE}0", lambda payload, at_first=at_first: payload == at_first)
        ends()
        here.until("ended")
        assert here.kept(f"{HERE}0", lambda payload, left=left: payload == left)


def test_a_broker_that_is_not_there_or_not_allowed_never_opens(ground):
    here = ground()
    for url in (f"ws://{LOOPBACK}:{free_port()}", "ws://[::1]:1", "mqtt://here"):
        here.dial(url)
        here.until("ended")
        assert here.told == ["ended"]


def test_an_account_is_shown_and_a_refusal_told(ground):
    here = ground([password_line("ana", "right", bytes(SALT_BYTES))])
    here.attend(user="ana", password="wrong")
    wait_until(here.page, lambda: "Not authorized" in str(here.told))


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
