"""On the real system: keys without a network, a network without keys, and frames over TLS."""

import re

import pytest

from tests.labs.container import system
from tests.labs.container.conftest import SET_UP
from tests.labs.container.test_container import PYTHON, on_a_made_up_board
from tests.support.tables import table_text

pytestmark = pytest.mark.container

PAGE = (system.ROOT / "docs/broker.md").read_text(encoding="utf-8")
SETTINGS = "/etc/maexchen/settings.toml"
SOCKET = "/run/maexchen-relay/socket"
RELAY = """\
[broker]
url = "mqtts://broker.example:8883"
ca = "/etc/maexchen-relay/ca.pem"
"""
BROKER = {0: RELAY, 1: f'[broker]\nrelay = "{SOCKET}"\n'}
"""Of Ana's settings, who has a network, and of Ben's, who has a relay."""
LISTEN = """
import asyncio
from firmware.link.broker import BrokerAddress
from firmware.link.broker.mqtt import MqttSession
from firmware.link.broker import Attendance
from firmware.table.protocol import kind_of, sender_of
from firmware.table.protocol import MessageKind

async def main():
    url = "mqtts://ana:secret@broker.example:8883"
    answered = asyncio.Event()

    def take(message):
        if kind_of(message.payload) == MessageKind.SHARE and sender_of(message.payload) == 1:
            answered.set()

    address = BrokerAddress.of(url, "/root/authority/ca.pem")
    session = MqttSession(address, print, lambda: 0.0)
    session.attend(Attendance(("maexchen/1/+/to/+",)))
    await session.start(take)
    await answered.wait()
    print("Ben has had Ana's question, and answers")
    await session.stop()

asyncio.run(main())
"""
TRY = (
    "ExecStartPre=-/usr/bin/python3 -c "
    "'import socket; socket.create_connection((\"127.0.0.1\", 8883))'"
)
LOOK = f"ExecStartPre=-/usr/bin/cat {SETTINGS}"


def run_a_broker_by_the_page(machine):
    """Do what docs/broker.md says, with an authority of one's own."""
    section = PAGE.split("## A broker with TLS")[1].split("\n## ")[0]
    *blocks, restart = re.findall(r"^```sh\n(.*?)^```", section, re.M | re.S)
    for line in "".join(blocks).replace("\\\n", "").splitlines():
        ran = machine.run(f"cd /root/authority; {line}", stdin="secret\nsecret\n")
        assert ran.returncode == 0, ran.told
    for name in ("conf.d/maexchen.conf", "rules"):
        text = section.split(f"\n`/etc/mosquitto/{name}`")[1].split("\n```\n")[1]
        (machine.root / "etc/mosquitto" / name).write_text(text + "\n")
    machine.must(f"echo 127.0.0.1 broker.example >>/etc/hosts; {restart}")
    assert machine.must("grep -iE 'error|warning' /var/log/mosquitto/mosquitto.log || true") == ""


def drop_in(machine, unit, line):
    """Add a line to the service of a unit."""
    file = machine.root / f"etc/systemd/system/{unit}.service.d/tried.conf"
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"[Service]\n{line}\n")


def test_frames_of_a_handheld_without_a_network_pass_over_tls_by_a_relay_without_keys(
    installed, another
):
    with another(installed[1]) as (machine, _), machine.booted():
        run_a_broker_by_the_page(machine)
        for seat, path in enumerate(("/srv/ana.toml", SETTINGS)):
            own = f'link = "mqtt"\njournal = "/var/lib/maexchen/{seat}.sqlite"\n{BROKER[seat]}'
            (machine.root / path[1:]).write_text(
                own + table_text(("Ana", "Ben"), seat, "physicist")
            )
        accounts = "maexchen accounts --settings"
        for path in ("/srv/ana.toml", SETTINGS):
            machine.must(f"{accounts} {path} >>/etc/mosquitto/accounts")
        machine.must(
            f"{accounts} {SETTINGS} --rules >>/etc/mosquitto/rules; systemctl restart mosquitto"
        )

        assert machine.run(SET_UP, "pi").returncode == 0
        machine.must("cp /root/authority/ca.pem /etc/maexchen-relay/")
        (machine.root / "etc/maexchen-relay/settings.toml").write_text(RELAY)

        on_a_made_up_board(machine, more=" --begin")
        drop_in(machine, "maexchen", TRY)
        drop_in(machine, "maexchen-relay", LOOK)
        machine.must("systemctl daemon-reload; systemctl restart maexchen-relay maexchen")
        machine.must(
            "systemd-run --quiet --setenv=PYTHONUNBUFFERED=1 "
            f"{PYTHON} /srv/made_up_board.py run --settings /srv/ana.toml --begin"
        )
        heard = machine.run(f"cd /; timeout 60 {PYTHON} -", stdin=LISTEN)
        journal = machine.run("journalctl --boot --output=cat -u maexchen -u maexchen-relay").stdout
        assert "Ben has had Ana's question" in heard.stdout, heard.told + journal[-3000:]

        show = "systemctl show --property=User,SubState --value "
        assert machine.must(f"{show} maexchen-relay").split() == ["maexchen-relay", "running"]
        assert machine.must(f"{show} maexchen").split() == ["maexchen", "running"]
        assert "Address family not supported by protocol" in journal
        assert re.search(f"cat: {SETTINGS}: (Permission denied|No such file)", journal), journal
        assert machine.run(f"runuser -u maexchen-relay -- cat {SETTINGS}").returncode == 1
        assert machine.must(f"stat -c %U:%G:%a {SOCKET}") == "maexchen-relay:maexchen-relay:660\n"
