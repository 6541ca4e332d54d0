"""``maexchen-sim serve`` and ``party``: what they print, where they listen, how they end."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from hw_sim.air import local_broker
from hw_sim.air.local_broker import LOOPBACK
from hw_sim.cli.main import main
from hw_sim.cli.site import NOBODY
from tests.hw_sim.live.serve.test_site_server import folder
from tests.support.brokers import needs_mosquitto

__all__ = ["folder"]
ROOT = Path(__file__).parents[4]
PROGRAM = [sys.executable, "-m", "hw_sim.cli.main"]


def refused(capsys, *arguments):
    """Return the one line that a command says which cannot do what is asked."""
    assert main([*map(str, arguments)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    return err


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


@pytest.mark.whole
@needs_mosquitto
def test_a_party_that_is_ended_leaves_no_broker_behind(folder, tmp_path):
    with party_at(folder, tmp_path) as (party, told):
        (broker,) = Path(f"/proc/{party.pid}/task/{party.pid}/children").read_text().split()
        party.send_signal(signal.SIGINT)
        assert party.wait() == 0
    assert not Path(f"/proc/{broker}").exists()
    page = re.fullmatch(r" *http://(127.0.0.1:\d+)/screen.html\?table=evening#(.*)\n", told[1])
    assert page[2] == f"broker=ws://{page[1]}/mqtt&site=http://{page[1]}/"
    assert re.search(r"https://127.0.0.1:\d+/", told[-3])
    wanted = r" *a handheld's \[broker\]: url = \"mqtt://127.0.0.1:\d+\", open_wire = true\n"
    assert re.fullmatch(wanted, told[-2])


def test_what_is_missing_or_taken_is_told_in_one_line(folder, tmp_path, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        told = refused(capsys, "serve", "--site", folder, "--port", port)
    assert re.fullmatch(rf"maexchen-sim: 127.0.0.1, port {port}: .*: choose another .*\n", told)
    for arguments, wanted in (
        (("serve", "--site", tmp_path), f"--site {tmp_path}: no built site: make site builds"),
        (("party", "--site", folder, "--folder", "/dev/null/x"), "name another with --folder"),
        (("party", "--site", folder, "--host", "192.0.2.77"), "choose another with --host"),
    ):
        assert wanted in refused(capsys, *arguments)


def test_a_machine_without_a_broker_is_told_what_to_install(folder, capsys, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    monkeypatch.setattr(local_broker, "find_spec", lambda _name: None)
    told = refused(capsys, "party", "--site", folder)
    assert "no broker is installed" in told
    assert "pip install 'maexchen-handheld[party]'" in told


@pytest.mark.whole
def test_the_usual_port_has_a_successor_if_it_is_taken(folder):
    with socket.socket() as usual:
        usual.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):  # somebody else has taken it
            usual.bind(("127.0.0.1", 8000))
            usual.listen()
        command = [*PROGRAM, "serve", "--site", str(folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as serving:
            told = until(serving, "The table is at")
            serving.terminate()
            assert serving.wait() == 0
    assert "Port 8000 is not free" in told[0]
    assert re.search(r"http://127.0.0.1:\d+/", told[-1])


WIFI = (
    "ip link add v0 type veth peer v1; ip addr add 192.168.1.23/24 dev v0; ip link set v0 up; "
    "ip link set v1 up"
)
VPN = (
    "ip tuntap add tun0 mode tun; ip addr add 10.8.0.2 peer 10.8.0.1 dev tun0; "
    "ip link set tun0 up; ip route add default via 10.8.0.1"
)


def needs_network(network):
    made = [*in_network(network), "true"]
    if shutil.which("ip") is None or subprocess.run(made, capture_output=True).returncode:
        pytest.skip("no such network here: run it as root, with iproute2")


REACHED = """
import asyncio, ssl, sys
from aiohttp import ClientSession
async def look(addresses):
    async with ClientSession() as session:
        for address in addresses:
            async with session.get(f"http://{address}:8513/trust.crt") as answer:
                trusts = ssl.create_default_context(cadata=await answer.read())
            for there in (f"http://{address}:8513", f"https://{address}:8514"):
                async with session.get(f"{there}/join.html", ssl=trusts) as answer:
                    print(answer.status)
                wanted = {"protocols": ("mqtt",), "headers": {"Origin": there}, "ssl": trusts}
                async with session.ws_connect(f"{there}/mqtt", **wanted) as broker:
                    print(broker.protocol)
asyncio.run(look(sys.argv[1:]))
"""
"""Opens a page and the broker at every address, without and with TLS."""


@pytest.mark.whole
@needs_mosquitto
def test_a_party_tells_all_addresses_of_its_networks_and_a_name_once_it_leads_here(
    folder, tmp_path
):
    hosts = tmp_path / "hosts"
    hosts.write_text("127.0.0.1 localhost\n192.168.1.23 dice.local\n")
    network = f"{WIFI}; {VPN}; hostname dice; mount --bind {hosts} /etc/hosts"
    needs_network(network)
    wanted = ["192.168.1.23", "10.8.0.2"]
    with party_at(folder, tmp_path, network) as (party, lines):
        assert until(party, "reach this")[-1].endswith(" http://dice.local:8513/\n")
        assert until(party, "encrypted")[-1].endswith(" https://dice.local:8514/\n")
        inside = ["nsenter", "--target", str(party.pid), "--net", "--mount", "--", sys.executable]
        asked = [*inside, "-c", REACHED, *wanted, "dice.local"]
        reached = subprocess.run(asked, capture_output=True, text=True)
    assert reached.stdout.split() == ["200", "mqtt"] * 6, reached.stderr
    text = "".join(lines)
    for kind, port in (("http", 8513), ("https", 8514)):
        assert re.findall(rf"{kind}://([\d.]+):{port}/", text)[-2:] == wanted
    assert NOBODY not in text
    assert "dice.local" not in text
    assert "Without TLS" not in text


LISTENS = """
import asyncio, sys
from pathlib import Path
from hw_sim.air.local_broker import LocalBroker
print(asyncio.run(LocalBroker(Path(sys.argv[1]), 40000)._listens()))
"""


@needs_mosquitto
def test_a_connection_that_reaches_itself_is_no_broker(tmp_path):
    """The system has one port to give away, and nothing listens there."""
    one_port = "echo 40000 40000 > /proc/sys/net/ipv4/ip_local_port_range"
    needs_network(one_port)
    command = [*in_network(one_port), sys.executable, "-c", LISTENS, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.stdout == "False\n", done.stderr
