"""The built site: it plays as this machine does, and goes on without a server."""

import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.json import decode
from paho.mqtt import publish, subscribe
from paho.mqtt.enums import MQTTProtocolVersion

from firmware.link.broker import Message
from firmware.link.broker.relay import Attends, Crossing, Published
from game import rule_set
from game.record import Record, write
from hw_sim.air.local_broker import LOOPBACK
from hw_sim.live.page.link_setup import LINK
from hw_sim.live.site.build import LATE, PUBLIC, BuildError, build, listed, policy
from hw_sim.table import TableSetup
from hw_sim.table.headless import play_match
from tests.firmware.table.crypto import checks
from tests.hw_sim.live.web.conftest import PATIENCE_S, hosted, settled, wait_until
from tests.support.brokers import SocketBroker, needs_mosquitto
from tests.support.nights import at_night
from tests.support.played_pages import says, script, sized, until
from tests.support.rules_table import playout

PLAYED = Path(__file__).parents[3] / "support" / "played.mjs"
LARGE = ("/pyodide.asm.wasm", "/pyodide.asm.mjs", "/app.zip", "/library.zip")
FIRST_VISIT_BYTES = 6_500_000
"""The most bytes that a host without compression sends until a table stands."""
SEVENS = "#game=sevens&players=2&rounds=1&seed=3&lang=en"


@pytest.mark.whole
@pytest.mark.parametrize(
    ("game", "options", "seed"),
    [
        ("sevens", {"rounds": 1}, 1),
        at_night("class", {}, 6),
        at_night("holy-family", {"points": 3}, 1),
    ],
)
def test_a_match_in_a_page_is_the_same_to_the_bit(site, tmp_path, game, options, seed):
    setup = TableSetup(rule_set(game, options), 3, seed, link=LINK)
    command = ("node", PLAYED, site, checks.__file__, game, "3", json.dumps(options), str(seed))
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as page:
        native = play_match(setup, tmp_path).digest
        told, _ = page.communicate(timeout=PATIENCE_S)
    assert told.split() == [native, checks.main()]


def test_a_site_that_is_built_is_not_built_again(site, capfd):
    built = (site / "sw.js").stat().st_mtime_ns
    build()
    assert capfd.readouterr() == ("site/ is up to date\n", "")
    assert (site / "sw.js").stat().st_mtime_ns == built


def awake(page):
    """Return a page once its table is there."""
    page.locator("#waking").wait_for(state="hidden")
    return page


STORED = script("stored_table")


def stored(page):
    """Wait until all that was done is stored."""
    settled(page, STORED)


KEPT = "() => navigator.serviceWorker.ready.then(() => {})"
"""The site is kept for use without a network."""


def kept(page):
    """Wait until the site is kept for use without a network, and all that was done is stored."""
    settled(page, KEPT)
    stored(page)


def light(site, sent):
    """Whether what was sent is all that a first visit wants: large files once, and packed."""
    names = [path.split("?")[0].removeprefix("/") or "index.html" for path in sent]
    wanted = [name for name in names if not LATE.match(name)]
    large = sorted(name for name in wanted if f"/{name}".startswith(LARGE))
    assert large == sorted(f"{path[1:]}.packed" for path in LARGE)
    return sum((site / name).stat().st_size for name in wanted) <= FIRST_VISIT_BYTES


MEMORY_KEPT = """async () => {
  const cache = await caches.open((await caches.keys())[0]), kept = await cache.match("page_table");
  return kept ? (await kept.arrayBuffer()).byteLength : 0;
}"""
"""The bytes of the memory of Python that later visits begin with."""
MEMORY_BYTES = 30_000_000
"""That with which Python begins; it has more once modules are imported."""


LATE_KEPT = """async () => {
  const cache = await caches.open((await caches.keys())[0]);
  return await cache.match("handheld.glb") && await cache.match("static/three.js") ? "kept" : "";
}"""
PERSISTS = """
  self.asked = 0;
  StorageManager.prototype.persist = async () => { self.asked++; return true; };
"""


def test_a_match_goes_on_at_later_visits_and_without_a_server(site, browser, opened):
    context = browser.new_context(locale="en-US")
    context.add_init_script(PERSISTS)
    asked, sent = [], []
    context.on("request", lambda request: asked.append(request.url))
    told = re.findall(r"^  ([\w-]+): (.*)$", (site / "_headers").read_text(), re.MULTILINE)
    assert dict(told)["Content-Security-Policy"].count("unsafe") == 1  # the worker has it, too
    with hosted(site, told, sent) as address:
        page = awake(opened(f"{address}{SEVENS}", context=context))
        until(page, lambda text: "For the lead" in text)
        page.get_by_role("button", name="Shake", exact=True).click()
        before = until(page, lambda text: "lift = show" in text)
        wait_until(page, lambda: page.evaluate("self.asked") == 1)  # to keep what has begun
        kept(page)
        wait_until(page, lambda: settled(page, LATE_KEPT))
        wait_until(page, lambda: settled(page, MEMORY_KEPT) > MEMORY_BYTES)
        page.close()
        assert light(site, sent)
        sent.clear()
        page = awake(opened(address, context=context))
        until(page, lambda text: text == before)
        assert page.evaluate("self.asked") == 0
        assert {*sent} <= {"/sw.js"}, "it has asked for the list of files alone"
        stored(page)
        page.close()
    page = awake(opened(address, context=context))
    until(page, lambda text: text == before)
    page = context.new_page()  # the case in 3D, at which nobody has looked before
    page.goto(f"{address}kit.html")
    page.locator("#kit[data-shown=handheld]").wait_for(timeout=PATIENCE_S * 1000)
    assert {url.split("/")[2] for url in asked if url.startswith("http")} == {address.split("/")[2]}


NEITHER = {"holiday.jpg": b"\xff\xd8\xff\xe0" * 999, "empty.jsonl": b"", "other.jsonl": b"[]\n"}


def test_a_file_is_refused_judged_or_watched_and_a_link_that_is_none_is_told(
    home, opened, tmp_path
):
    page = awake(opened(f"{home}#game=chess"))
    page.get_by_text("game=chess: choose from class, ").wait_for()
    before = until(page, lambda text: text != "")
    for name, body in NEITHER.items():
        (tmp_path / name).write_bytes(body)
        page.locator("input[type=file]").set_input_files(tmp_path / name)
        line = page.locator("#told-by-site p", has_text=re.compile("line 1|record|session"))
        line.wait_for()
        line.get_by_role("button").click()
    assert (page.url.split("#")[0], says(page)) == (home, before)
    rules, names = rule_set("class", {}), ("Ana", "Ben", "Cem")
    record = Record(rules, names, 0, tuple(playout(rules, names, Random(1))[0]))
    (tmp_path / "match.jsonl").write_text(write(record), "utf-8")
    page.locator("input[type=file]").set_input_files(tmp_path / "match.jsonl")
    page.get_by_role("cell", name="Ben").first.wait_for()

    page.goto(f"{home}bench.html{SEVENS}")
    awake(page)
    page.locator("#bus td").first.wait_for()
    page.locator("#when", has_text=re.compile(r"^([3-9]|\d\d)")).wait_for()
    for word, start in (("PNG", b"\x89PNG"), ("GIF", b"GIF89a"), ("VCD", b"$")):
        with page.expect_download() as download:
            page.locator("#exports button", has_text=word).click()
        assert Path(download.value.path()).read_bytes().startswith(start)
    with page.expect_download() as download:
        page.get_by_role("button", name="Session").click()
    download.value.save_as(tmp_path / "session.jsonl")
    page.get_by_role("button", name="Unplug the light sensor").click()
    page.get_by_role("button", name="Unplug the light sensor – undo").wait_for()
    page.goto(home)
    awake(page)
    page.locator("input[type=file]").set_input_files(tmp_path / "session.jsonl")
    page.get_by_role("button", name="Watch it again").click()
    page.locator("#seat option").nth(1).wait_for(state="attached")  # all panels may be seen
    assert not page.get_by_role("button", name="Unplug").first.is_visible()
    page.locator("#seek").fill("1")
    page.locator("#when", has_text="1.00 s").wait_for()
    page.get_by_role("button", name="Go on").click()
    page.locator("#seekOut", has_text=re.compile(r"^(1\.[2-9]|[2-9]\.|\d\d)")).wait_for()
    page.get_by_role("link", name="To the table").click()
    awake(page)
    until(page, lambda text: "For the lead" in text)


DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""The canvas has drawn what was asked for before."""


def test_the_case_is_drawn_and_a_slider_takes_it_apart_where_there_is_3d(home, browser):
    page = sized(browser, 900, 700, locale="fr-FR")
    page.goto(f"{home}kit.html")
    page.locator("#kit[data-shown=handheld]").wait_for()
    whole = page.locator("#kit").screenshot()
    page.get_by_label("éclaté").fill("100")
    page.evaluate(DRAWN)
    assert page.locator("#kit").screenshot() != whole
    page.get_by_role("link", name="À la table").click()
    page.get_by_role("link", name="L’appareil, en pièces : à ne pas construire").wait_for()
    page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    page.goto(f"{home}kit.html")
    page.get_by_text("Ce navigateur ne dessine rien en 3D.").wait_for()
    assert page.get_by_label("éclaté").is_disabled()


# ---- the stream to a broker, against mosquitto's WebSockets, under the policy of the pages -------

TO_ME, TO_YOU, HERE = "maexchen/1/tag/to/0", "maexchen/1/tag/to/1", "maexchen/1/tag/here/"
GONE = Message(f"{HERE}0", b"0", retained=True, sure=True)
ALL_BYTES = bytes(range(256))
OPEN = script("dialled_broker")


def brought(page):
    """Return the messages that the stream has brought to the page."""
    heard = page.evaluate("self.told")
    return [each if each == "opened" else decode(each, type=Crossing) for each in heard]


def stream_says(page, what):
    page.evaluate("(text) => self.stream.say(text)", msgspec.json.encode(what).decode())


@pytest.fixture
def dialling(site, browser):
    """A page of the site that may speak to any broker on this machine."""
    with hosted(site, [("Content-Security-Policy", policy(("ws://127.0.0.1:*",)))]) as home:
        page = browser.new_page()
        page.goto(f"{home}NOTICE.txt")
        page.home = home
        yield page


@needs_mosquitto
def test_messages_of_a_handheld_and_of_others_cross_as_they_are(dialling, tmp_path):
    page, broker = dialling, SocketBroker(tmp_path)
    broker.begin()
    there = {"hostname": LOOPBACK, "port": broker.port, "protocol": MQTTProtocolVersion.MQTTv5}
    publish.single(f"{HERE}1", b"1", retain=True, qos=1, **there)
    publish.single(TO_ME, b"a kept frame is none", retain=True, **there)
    page.evaluate(OPEN, [broker.socket_url, page.home])
    wait_until(page, lambda: "opened" in brought(page))
    stream_says(page, Attends((TO_ME,), (f"{HERE}+",), GONE, "", ""))
    wait_until(page, lambda: Published(Message(f"{HERE}1", b"1", retained=True)) in brought(page))
    for payload in (ALL_BYTES, bytes(8193), b"last"):
        publish.single(TO_ME, payload, **there)
    wait_until(page, lambda: Published(Message(TO_ME, b"last")) in brought(page))
    lengths = [len(each.message.payload) for each in brought(page) if isinstance(each, Published)]
    assert lengths == [1, 256, 4]
    stream_says(page, Published(Message(f"{HERE}0", b"1", retained=True, sure=True)))
    stream_says(page, Published(Message(TO_YOU, ALL_BYTES, retained=True, expires_s=50)))
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
