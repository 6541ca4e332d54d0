"""``maexchen-sim serve`` and ``party``: what they print, where they listen, how they end.

People use a party, too: a big screen here, two phones, and a handheld.
"""

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware.link.broker import BrokerAddress
from game import RULES
from hw_sim.air.local_broker import LOOPBACK
from hw_sim.cli.site import NOBODY
from hw_sim.live.web.gathering import HOST
from hw_sim.table import Carriage, TableSetup
from hw_sim.table.handheld import SharedServices
from hw_sim.table.headless import arrive
from tests.hw_sim.live.serve.test_site_server import folder
from tests.hw_sim.live.web.conftest import wait_until
from tests.support.brokers import needs_mosquitto
from tests.support.evenings import LOOK_S
from tests.support.nights import nightly
from tests.support.played_pages import PHONE, WIDE, choose_short, play, sit

__all__ = ["folder"]
NAMES = ("Ada", "Bo")
ROOT = Path(__file__).parents[4]
PROGRAM = [sys.executable, "-m", "hw_sim.cli.main"]


def run(*arguments, **environment):
    """A command that ends by itself: its status, and what it said."""
    done = subprocess.run(
        [*PROGRAM, *arguments], capture_output=True, text=True, cwd=ROOT, env=environment or None
    )
    return done.returncode, done.stdout, done.stderr


def until(process, wanted):
    """Read lines until one has what is wanted; return all."""
    lines = []
    while not (lines and wanted in lines[-1]):
        lines.append(line := process.stdout.readline())
        assert line, lines
    return lines


APART = ["unshare", "--net", "--uts", "--mount", "--"]
ENDS_S = 30.0


def in_network(network):
    """The command of a shell that makes a network of its own, and runs what follows there."""
    return [*APART, "sh", "-ec", f'ip link set lo up; {network}; exec "$@"', "sh"]


@contextmanager
def party_at(site, folder, network=None, **environment):
    """A party, in a network of its own if one is given; yields it and the lines that it says."""
    here = ["--port", "0", "--host", LOOPBACK] if network is None else ["--port", "8513"]
    command = [*PROGRAM, "party", "--site", site, "--folder", folder, *here]
    with subprocess.Popen(
        [*(in_network(network) if network else ()), *command],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | environment,
    ) as party:
        try:
            yield party, until(party, "The party is ready")
        finally:
            party.terminate()
        assert party.wait(ENDS_S) == 0


def children(pid):
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.mark.whole
@needs_mosquitto
@pytest.mark.parametrize("number", nightly(SIGNALS, signal.SIGINT))
def test_a_party_that_is_ended_leaves_no_broker_behind(folder, tmp_path, number):
    with party_at(folder, tmp_path) as (party, told):
        (broker,) = children(party.pid)
        party.send_signal(number)
        assert party.wait() == 0
    assert not Path(f"/proc/{broker}").exists()
    page = re.fullmatch(r" *http://(127.0.0.1:\d+)/screen.html\?table=evening#(.*)\n", told[1])
    assert page[2] == f"broker=ws://{page[1]}/mqtt&site=http://{page[1]}/"
    assert re.search(r"https://127.0.0.1:\d+/", told[-3])
    wanted = r" *a handheld's \[broker\]: url = \"mqtt://127.0.0.1:\d+\", open_wire = true\n"
    assert re.fullmatch(wanted, told[-2])


@pytest.mark.whole
def test_a_port_that_is_taken_is_told_and_the_usual_one_has_a_successor(folder):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        status, told, why = run("serve", "--site", str(folder), "--port", port)
        assert (status, told) == (2, "")
        assert re.fullmatch(rf"maexchen-sim: 127.0.0.1, port {port}: .*: choose another .*\n", why)
    with socket.socket() as usual:
        usual.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            usual.bind(("127.0.0.1", 8000))
            usual.listen()
        except OSError:
            pass  # somebody else has taken it
        with subprocess.Popen(
            [*PROGRAM, "serve", "--site", str(folder)], stdout=subprocess.PIPE, text=True, cwd=ROOT
        ) as serving:
            told = until(serving, "The table is at")
            serving.terminate()
            assert serving.wait() == 0
    assert "Port 8000 is not free" in told[0]
    assert re.search(r"http://127.0.0.1:\d+/", told[-1])


@pytest.mark.whole
def test_what_is_missing_is_told_in_one_line(folder, tmp_path):
    for arguments, wanted in (
        (["serve", "--site", str(tmp_path)], f"--site {tmp_path}: no built site: make site builds"),
        (["party", "--site", str(folder), "--folder", "/dev/null/x"], "name another with --folder"),
        (["party", "--site", str(folder), "--host", "192.0.2.77"], "choose another with --host"),
    ):
        status, _, told = run(*arguments)
        assert (status, told.count("\n")) == (2, 1), told
        assert wanted in told


WITHOUT = """
import sys
from importlib import util
found = util.find_spec
util.find_spec = lambda name, package=None: None if name == "amqtt" else found(name, package)
from hw_sim.air import local_broker
from hw_sim.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.whole
def test_a_machine_without_a_broker_is_told_what_to_install(folder, tmp_path):
    (tmp_path / "bin").mkdir()
    environment = {"PATH": str(tmp_path / "bin"), "HOME": str(tmp_path)}
    apart = ["unshare", "--mount", "--", "sh", "-ec"]
    hidden = "mount -t tmpfs none /usr/sbin; exec "
    if subprocess.run([*apart, f"{hidden}true"], capture_output=True).returncode:
        pytest.skip("no mount namespaces: run it as root")
    command = [sys.executable, "-c", WITHOUT, "party", "--site", str(folder)]
    line = f'{hidden}env -i PATH={environment["PATH"]} HOME={tmp_path} "$@"'
    done = subprocess.run([*apart, line, "sh", *command], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "no broker is installed" in done.stderr
    assert "pip install 'maexchen-handheld[party]'" in done.stderr


WIFI = (
    "ip link add v0 type veth peer v1; ip addr add 192.168.1.23/24 dev v0; ip link set v0 up; "
    "ip link set v1 up"
)
VPN = (
    "ip tuntap add tun0 mode tun; ip addr add 10.8.0.2 peer 10.8.0.1 dev tun0; "
    "ip link set tun0 up; ip route add default via 10.8.0.1"
)
NETWORKS = {
    "nothing": ("true", []),
    "no default route": (WIFI, ["192.168.1.23"]),
    "a tunnel alone": (VPN, ["10.8.0.2"]),
    "a default route over a tunnel": (f"{WIFI}; {VPN}", ["192.168.1.23", "10.8.0.2"]),
}


def needs_network(network):
    made = [*in_network(network), "true"]
    if shutil.which("ip") is None or subprocess.run(made, capture_output=True).returncode:
        pytest.skip("no such network here: run it as root, with iproute2")


UNANSWERED = {"RES_OPTIONS": "timeout:30 attempts:5"}
"""Nobody answers names here: a program that waits for one waits for minutes (resolv.conf(5))."""
REACHED = """
import asyncio, json, ssl, sys, urllib.error, urllib.request
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from aiohttp import ClientSession
folder, *addresses = sys.argv[1:]
stored = open(f"{folder}/authority.pem", "rb").read()
trusts = ssl.create_default_context(
    cadata=x509.load_pem_x509_certificate(stored).public_bytes(Encoding.DER)
)
async def look():
    async with ClientSession() as session:
        for address in addresses:
            for kind, port in (("http", 8513), ("https", 8514)):
                here = f"{kind}://{address}:{port}"
                async with session.get(f"{here}/join.html", ssl=trusts) as answer:
                    print(answer.status)
                own = {"Origin": here}
                wanted = {"protocols": ("mqtt",), "headers": own, "ssl": trusts}
                async with session.ws_connect(f"{here}/mqtt", **wanted) as broker:
                    print(broker.protocol)
asyncio.run(look())
"""
"""Opens a page and the broker at every address, without and with TLS."""


@pytest.mark.whole
@needs_mosquitto
@pytest.mark.parametrize("named", nightly(NETWORKS, "nothing", "a default route over a tunnel"))
def test_a_party_tells_all_addresses_of_its_networks(folder, tmp_path, named):
    network, wanted = NETWORKS[named]
    needs_network(network)
    with party_at(folder, tmp_path, network, **UNANSWERED) as (party, lines):
        inside = ["nsenter", f"--net=/proc/{party.pid}/ns/net", sys.executable, "-c", REACHED]
        here = wanted or ["127.0.0.1"]
        reached = subprocess.run([*inside, str(tmp_path), *here], capture_output=True, text=True)
    text = "".join(lines)
    assert reached.stdout.split() == ["200", "mqtt"] * 2 * len(here), reached.stderr
    assert re.findall(r"at http://([\d.]+):8513/", text) == wanted
    assert re.findall(r"https://([\d.]+):8514/", text) == wanted
    assert (NOBODY in text) == (not wanted)
    assert "Without TLS" not in text


@pytest.mark.whole
@needs_mosquitto
def test_a_name_that_leads_here_is_told_once_it_is_known(folder, tmp_path):
    hosts = tmp_path / "hosts"
    hosts.write_text("127.0.0.1 localhost\n192.168.1.23 dice.local\n")
    network = f"{WIFI}; hostname dice; mount --bind {hosts} /etc/hosts"
    needs_network(network)
    with party_at(folder, tmp_path, network) as (party, lines):
        assert "dice.local" not in "".join(lines)
        assert until(party, "reach this")[-1].endswith(" http://dice.local:8513/\n")
        assert until(party, "encrypted")[-1].endswith(" https://dice.local:8514/\n")
        inside = ["nsenter", "--target", str(party.pid), "--net", "--mount", "--"]
        asked = [*inside, sys.executable, "-c", REACHED, str(tmp_path), "dice.local"]
        reached = subprocess.run(asked, capture_output=True, text=True, cwd=ROOT)
    assert reached.stdout.split() == ["200", "mqtt"] * 2, reached.stderr


CONNECTS = """
import socket
with socket.create_connection(("127.0.0.1", 40000)) as own:
    print(own.getsockname() == own.getpeername())
"""
LISTENS = """
import asyncio, sys
from pathlib import Path
from hw_sim.air.local_broker import LocalBroker
print(asyncio.run(LocalBroker(Path(sys.argv[1]), 40000)._listens()))
"""


@needs_mosquitto
@pytest.mark.parametrize(("program", "told"), [(CONNECTS, "True\n"), (LISTENS, "False\n")])
def test_a_connection_that_reaches_itself_is_no_broker(tmp_path, program, told):
    """The system has one port to give away, and nothing listens there."""
    one_port = "echo 40000 40000 > /proc/sys/net/ipv4/ip_local_port_range"
    needs_network(one_port)
    command = [*in_network(one_port), sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.stdout == told, done.stderr


FROM_AFAR = """
import asyncio, sys
from aiohttp import ClientSession
here = "http://192.168.1.23:8513"
door = {"code": "HKUR", "link": f"{here}/join.html#room=HKUR&key=k&broker=ws://x/mqtt"}
async def look():
    async with ClientSession(headers={"Origin": here}) as session:
        async with session.post(f"{here}/door", json=door) as answer:
            print(answer.status)
        async with session.get(f"{here}/hkur", allow_redirects=False) as answer:
            print(answer.status, answer.headers.get("Location"))
asyncio.run(look())
"""


@pytest.mark.whole
@needs_mosquitto
def test_a_phone_cannot_open_the_door_and_comes_in_by_it(folder, tmp_path):
    """A phone in a network of its own, and the computer of the party at the other end."""
    needs_network(WIFI)
    phone = subprocess.Popen([*APART, "cat"], stdin=subprocess.PIPE)
    network = f"{WIFI.replace('; ip link set v1 up', '')}; ip link set v1 netns {phone.pid}"
    with party_at(folder, tmp_path, network) as (party, _):
        there, here = (["nsenter", f"--net=/proc/{pid}/ns/net"] for pid in (phone.pid, party.pid))
        up = "ip addr add 192.168.1.77/24 dev v1; ip link set v1 up"
        subprocess.run([*there, "sh", "-ec", up], check=True)
        asked = [
            subprocess.run(
                [*place, sys.executable, "-c", FROM_AFAR], capture_output=True, text=True
            )
            for place in (there, here, there)
        ]
        assert until(party, "Guests open")[-1] == "Guests open http://192.168.1.23:8513/HKUR\n"
    phone.communicate()
    link = "/join.html#room=HKUR&key=k&broker=ws://192.168.1.23:8513/mqtt"
    assert [each.stdout.split() for each in asked] == [
        ["403", "404", "None"],
        ["204", "302", link],
        ["403", "302", link],
    ], asked


# ---- browsers at a party ------------------------------------------------------------------------


@pytest.fixture
def opens(browser, opened):
    """Opens pages, each in a browser of its own that trusts this computer."""

    def open_page(address, size):
        context = browser.new_context(
            viewport=size, ignore_https_errors=True, service_workers="block", locale="en-US"
        )
        return opened(address, context=context)

    return open_page


def screen_of(told, opens):
    """The page of the big screen, in its lobby, and the code of the evening."""
    (address,) = re.findall(r"http://\S+screen\.html\S+", "".join(told))
    screen = opens(address, WIDE)
    screen.locator(".poster .letters").wait_for()
    return screen, screen.inner_text(".poster .letters")


HOPS = 1
"""The cup has gone from one to another."""


async def joins(address, name, code, folder):
    """Somebody with a handheld enters the room of a party, and plays on until the cup has hopped.

    Returns the names of all who play.
    """
    carriage = Carriage(broker=BrokerAddress.of(address))
    setup = TableSetup(RULES["sevens"], link=("mqtt",), carriage=carriage)
    seat, person = arrive(0, name, setup, SharedServices.of(setup), folder)
    running = asyncio.ensure_future(seat.run())
    await person.enter_room(code)
    await person.join(HOST)
    playing = asyncio.ensure_future(person.play(clumsy=False))
    while seat.hop < HOPS:
        await asyncio.sleep(LOOK_S)
    for each in (playing, running):
        each.cancel()
    await asyncio.wait([playing, running])
    return seat.device.core.match.players


@pytest.mark.whole
@needs_mosquitto
def test_phones_and_a_handheld_play_at_the_printed_addresses(site, opens, tmp_path):
    """One phone comes without TLS, the other with it, and the handheld by the broker."""
    with party_at(site, tmp_path) as (party, told), ThreadPoolExecutor() as pool:
        screen, code = screen_of(told, opens)
        (door,) = re.findall(r"Guests open (\S+)", until(party, "Guests open")[-1])
        assert door.endswith(f"/{code}")
        phones, said = [], "".join(told)
        encrypted = re.findall(r"https://\S+", said)[0] + code
        for name, way in zip(NAMES, (door, encrypted)):
            phones.append(opens(way, PHONE))
            sit(phones[-1], name)
        choose_short(phones[0])
        (address,) = re.findall(r'url = "(mqtt://\S+)"', said)
        (room,) = re.findall(r"\d{4}", screen.inner_text(".poster .room"))
        handheld = pool.submit(asyncio.run, joins(address, "Dea", room, tmp_path))
        names = screen.locator(".guest .name")
        wait_until(screen, lambda: names.all_inner_texts()[:3] == [*NAMES, "Dea"])
        wait_until(screen, lambda: screen.locator(".guest.wakes").count() == 0)
        screen.locator(".poster button:enabled:last-child").click()
        for phone in phones:
            phone.locator("#hand .device").wait_for()
        screen.locator(".felt").wait_for()
        play(phones, handheld.done)
        assert handheld.result()[:3] == (*NAMES, "Dea")
        trust = phones[0].context.new_page()
        trust.goto(f"{door.removesuffix(code)}trust.html")
        trust.get_by_role("button", name="Go on, encrypted").click()
        secure = encrypted.removesuffix(code)
        trust.wait_for_url(f"{secure}join.html#**")
        named = "new URLSearchParams(location.hash.slice(1)).get('broker')"
        assert trust.evaluate(named) == f"{secure.replace('http', 'ws', 1)}mqtt"
