"""``maexchen-sim table --phones``: what it prints, where it listens, and how it ends."""

import asyncio
import re
import shutil
import signal
import ssl
import subprocess
import sys

import pytest
import segno
from aiohttp import ClientSession

from firmware.cli.console import CommandError
from firmware.link.broker import topics
from firmware.link.broker.address import BrokerAddress
from firmware.link.broker.mqtt import MqttSession
from firmware.link.broker.session import Attendance, Message
from hw_sim.air.local_broker import free_port
from hw_sim.cli.main import _parser
from hw_sim.cli.party import NOBODY, serve_party
from hw_sim.cli.serving import NetworkAddress, code_lines, reached_first
from hw_sim.live.web.match_store import MatchStore
from tests.support.brokers import Heard, needs_mosquitto

PATIENCE_S = 60
BLOCKS = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}


def asked(folder, *more):
    given = ["--phones", "--host", "127.0.0.1", "--port", "0", "--folder", str(folder), *more]
    return _parser().parse_args(["table", *given])


async def served(folder, look, *more):
    """Serves a party until somebody has looked at it, given its address."""
    store = MatchStore(folder, None, any_seed=True)
    serving = asyncio.create_task(serve_party(store, asked(folder, *more)))
    async with asyncio.timeout(PATIENCE_S):
        while not (address := (folder / "lock").read_text()):
            await asyncio.sleep(0.01)
    try:
        async with ClientSession(address) as session:
            await look(session)
    finally:
        signal.raise_signal(signal.SIGTERM)
        await serving


def test_a_party_shows_its_invitations_and_listens_with_and_without_tls(tmp_path, capsys):
    async def look(session):
        async with session.get("/trust.crt") as answer:
            trusts = ssl.create_default_context(cadata=await answer.read())
        page = await session.ws_connect("/socket", headers={"Origin": str(session._base_url)[:-1]})
        hello = {"do": "hello", "view": "table", "seat": None, "token": None, "language": "en"}
        await page.send_json(hello)
        while (news := await page.receive_json())["is"] != "lobby":
            pass
        async with session.get(f"{news['secure']}join", ssl=trusts) as answer:
            assert answer.status == 200

    asyncio.run(served(tmp_path, look))
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("The table is at http://127.0.0.1:")
    assert "screen#" in told[-1]
    assert sum("█▀▀▀▀▀█" in line or "█ ▄▄▄▄▄ █" in line for line in told) == 2


def test_a_code_in_the_terminal_is_the_code_of_its_link():
    link = "http://192.168.178.20:8021/join#AAAABBBBCCCCDDDD"
    lines = code_lines(link)
    rows = [[BLOCKS[each][half] for each in line] for line in lines for half in (0, 1)]
    wanted = segno.make(link, micro=False, error="l", boost_error=False).matrix_iter(border=2)
    assert rows[: len(rows[0])] == [list(row) for row in wanted]
    assert len(lines[0]) <= 38, "two of them go beside each other"


def test_a_folder_that_holds_something_else_is_told_in_a_line(tmp_path):
    (tmp_path / "authority.pem").write_text("nothing")
    store = MatchStore(tmp_path, None, any_seed=True)
    with pytest.raises(CommandError, match="name another with --folder"):
        asyncio.run(serve_party(store, asked(tmp_path)))
    store.close()


def test_a_broker_that_is_not_there_is_told_in_one_line(tmp_path, capfd):
    async def look(_session):
        told = ""
        while "nobody listens there" not in told:
            await asyncio.sleep(0.01)
            told += capfd.readouterr().err
        assert told.splitlines() == [line]

    url = f"mqtt://127.0.0.1:{free_port()}"
    line = f"maexchen-sim: broker {url[7:]}: nobody listens there: start it, or correct its url"
    asyncio.run(served(tmp_path, look, "--link", "mqtt", "--broker", url))


def test_a_broker_without_its_link_is_told_in_a_line(tmp_path):
    store = MatchStore(tmp_path, None, any_seed=True)
    with pytest.raises(CommandError, match="go with --link mqtt: add it"):
        asyncio.run(serve_party(store, asked(tmp_path, "--broker", "mqtt://127.0.0.1")))
    store.close()


@needs_mosquitto
def test_a_party_has_a_broker_of_its_own_for_handhelds_alone(tmp_path, capsys, monkeypatch):
    port = free_port()
    monkeypatch.setattr("hw_sim.cli.party.OWN_PORT", port)
    room, here = topics.room("1234"), topics.here("ab" * 16, 0)
    match = topics.public_match("ab", 0)
    heard = Heard()

    async def look(_session):
        broker = BrokerAddress.of(f"mqtt://127.0.0.1:{port}")
        for user in ("", f"{'ab' * 16}-0"):
            session = MqttSession(broker, heard, lambda: 0.0)
            session.attend(Attendance((room, match), (here,), None, user, "secret"))
            await session.start(lambda message: heard(message.topic))
            session.publish(Message(match, b"{}", retained=True))
            session.publish(Message(here, b"1", retained=True))
            await heard.until(lambda all: all)
            assert set(heard.all) == {here}
            heard.all.clear()
            session.abandon()

    asyncio.run(served(tmp_path, look, "--link", "mqtt", "--own-broker"))
    assert f'url = "mqtt://127.0.0.1:{port}", open_wire = true' in capsys.readouterr().out


_HOME = NetworkAddress("wlan0", "192.168.1.23")
_TUNNEL = NetworkAddress("tun0", "10.8.0.2", has_peer=True)
LOCAL, DOCKER = NetworkAddress("lo", "127.0.0.1"), NetworkAddress("docker0", "172.17.0.1")


@pytest.mark.parametrize(
    ("found", "usual", "wanted"),
    [
        ([LOCAL, _TUNNEL, _HOME], "10.8.0.2", ["192.168.1.23", "10.8.0.2"]),
        ([LOCAL, _HOME], "", ["192.168.1.23"]),
        ([LOCAL], "", []),
        ([DOCKER, _TUNNEL, _HOME], "", ["192.168.1.23", "172.17.0.1", "10.8.0.2"]),
        ([NetworkAddress("wg0", "192.168.9.2"), _HOME], "", ["192.168.1.23", "192.168.9.2"]),
        ([NetworkAddress("a", "100.90.1.2"), _HOME], "", ["192.168.1.23", "100.90.1.2"]),
        ([NetworkAddress("a", "169.254.3.4"), _HOME], "", ["192.168.1.23", "169.254.3.4"]),
        ([_HOME, NetworkAddress("eth0", "10.0.0.7")], "10.0.0.7", ["10.0.0.7", "192.168.1.23"]),
        ([NetworkAddress("eth0", "10.0.0.7"), _HOME], "", ["192.168.1.23", "10.0.0.7"]),
        ([NetworkAddress("eth0", "8.8.4.4"), _HOME], "8.8.4.4", ["192.168.1.23", "8.8.4.4"]),
        (
            [_HOME._replace(runs=False), DOCKER, _TUNNEL],
            "",
            ["172.17.0.1", "192.168.1.23", "10.8.0.2"],
        ),
        ([_HOME, _HOME], "", ["192.168.1.23"]),
    ],
)
def test_the_address_that_phones_reach_comes_first(found, usual, wanted):
    assert reached_first(found, usual) == wanted


WIFI = "ip link add v0 type veth peer v1; ip addr add 192.168.1.23/24 dev v0; ip link set v0 up"
VPN = (
    f"{WIFI}; ip tuntap add tun0 mode tun; ip addr add 10.8.0.2 peer 10.8.0.1 dev tun0; "
    "ip link set tun0 up; ip route add default via 10.8.0.1"
)
NETWORKS = {
    "nothing": ("true", ["127.0.0.1"]),
    "no default route": (WIFI, ["192.168.1.23"]),
    "a tunnel alone": (VPN.replace(WIFI, "true"), ["10.8.0.2"]),
    "a default route over a tunnel": (VPN, ["192.168.1.23", "10.8.0.2"]),
}


@pytest.mark.whole
@pytest.mark.parametrize(("network", "wanted"), NETWORKS.values(), ids=NETWORKS)
def test_a_party_tells_all_addresses_of_its_networks(tmp_path, network, wanted):
    apart = ["unshare", "--net", "--"]
    if (
        shutil.which("ip") is None
        or subprocess.run([*apart, "true"], capture_output=True).returncode
    ):
        pytest.skip("no network namespaces: run it as root, with iproute2")
    made = subprocess.run(
        [*apart, "sh", "-ec", f"ip link set lo up; {network}"], capture_output=True
    )
    if made.returncode:
        pytest.skip(f"no such network here: {made.stderr.decode()}")
    table = f"{sys.executable} -m hw_sim.cli.main table --phones --cups-here --folder {tmp_path}"
    told = subprocess.Popen(
        [*apart, "sh", "-ec", f"ip link set lo up; {network}; exec {table} --port 8513"],
        stdout=subprocess.PIPE,
        text=True,
    )
    lines = []
    while not (lines and "screen#" in lines[-1]):
        lines.append(line := told.stdout.readline())
        assert line, lines
    inside = ["nsenter", f"--net=/proc/{told.pid}/ns/net", sys.executable, "-c", REACHED]
    try:
        reached = subprocess.run([*inside, str(tmp_path), *wanted], capture_output=True, text=True)
    finally:
        told.terminate()
        assert told.wait() == 0
        told.stdout.close()
    text = "".join(lines)
    assert reached.stdout.split() == ["200"] * 2 * len(wanted), reached.stderr
    links = re.findall(r"http://([\d.]+):8513/[A-Z]{4}\b", text, re.IGNORECASE)
    assert links == wanted
    assert (NOBODY in text) == (wanted == ["127.0.0.1"])
    assert "Without TLS" not in text


REACHED = """
import ssl, sys, urllib.request
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
folder, *addresses = sys.argv[1:]
stored = open(f"{folder}/authority.pem", "rb").read()
trusts = ssl.create_default_context(
    cadata=x509.load_pem_x509_certificate(stored).public_bytes(Encoding.DER)
)
for address in addresses:
    print(urllib.request.urlopen(f"http://{address}:8513/join").status)
    print(urllib.request.urlopen(f"https://{address}:8514/join", context=trusts).status)
"""
"""Opens a page at every address, without and with TLS."""
