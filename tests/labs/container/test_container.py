"""From setup-pi, or the first start of a card, to a service that waits.

There is no board, no display and no LED. A card's restart is done by its test.
"""

import json
from pathlib import Path

import pytest

from firmware.settings import load
from tests.labs.container import system

pytestmark = pytest.mark.container

PYTHON = "/opt/maexchen/venv/bin/python"
SET_UP = "cd maexchen && sudo install/setup-pi"
SAID = "journalctl --unit=maexchen --output=cat --boot --identifier=maexchen --identifier=python"
STATE = "systemctl show maexchen --property=ActiveState,SubState,User --value"
UNIT = "maexchen-card.service"
HEARD = (
    f"timeout 1800 journalctl --boot --unit={UNIT} --follow --lines=all --output=cat |"
    " grep --max-count=1 'first start:'"
)
MADE_UP = f"""\
[Service]
ExecStart=
ExecStart={PYTHON} /srv/made_up_board.py run --settings /etc/maexchen/settings.toml
"""


@pytest.fixture
def card(tmp_path):
    """A card that was just written."""
    try:
        system.check()
        system.own_mounts()
        fresh = system.fresh()
    except system.CannotRunError as problem:
        pytest.skip(str(problem))
    with system.layered(fresh, tmp_path) as machine:
        yield machine


def files(machine):
    """The files that setup-pi may write, and what is in them."""
    found = [machine.root / "boot/firmware/config.txt"]
    for folder in ("etc/maexchen", "etc/systemd/system", "etc/udev/rules.d", "opt/maexchen"):
        found += (machine.root / folder).rglob("*")
    lasting = (each for each in found if "__pycache__" not in each.parts)
    return {each: each.is_file() and each.read_bytes() for each in lasting}


def test_a_pi_is_set_up_waits_for_its_board_and_is_taken_off_again(card):
    system.bring_the_project(card, system.wheels())
    config = (card.root / "boot/firmware/config.txt").read_bytes()
    with card.booted():
        card.must(SET_UP, "pi")
    with card.booted():
        for _ in range(6):
            card.run("systemctl restart maexchen")
        assert {*card.must(STATE).split()} == {"activating", "auto-restart", "maexchen"}
        (line,) = set(card.must(SAID).splitlines())
        assert "run this on a Raspberry Pi" in line
        for unit in ("bluetooth.service", "bthelper@hci0.service"):
            assert "masked" in card.run(f"systemctl start {unit}").stderr
        findings = json.loads(card.run("maexchen doctor --json", "pi").stdout)["findings"]
        wrong = [one["check"] for one in findings if one["status"] == "wrong"]
        assert len(wrong) == 2, findings
        before = files(card)
        card.must(SET_UP, "pi")
        assert files(card) == before
        card.must("touch /var/lib/maexchen/journal.sqlite")
        card.must(f"{SET_UP} --uninstall", "pi")
        card.must("test -e /var/lib/maexchen/journal.sqlite -a -e /etc/maexchen/settings.toml")
        assert card.run("systemctl is-enabled bluetooth.service").stdout == "enabled\n"
        card.must(f"{SET_UP} --uninstall --purge", "pi")
        card.must("test ! -e /var/lib/maexchen -a ! -e /etc/maexchen -a ! -e /opt/maexchen")
        assert (card.root / "boot/firmware/config.txt").read_bytes() == config


def test_a_card_gets_from_its_first_start_to_the_lobby_by_itself(card):
    system.write_the_card(card, system.wheels())
    card.must("cd /boot/firmware && cloud-init schema --config-file user-data")
    card.must("cd /boot/firmware && cloud-init schema -t network-config -c network-config")
    card.must("systemctl mask reboot.target")
    with card.booted():
        assert card.must(HEARD) == "first start: done\n"
        card.must(f"timeout 60 sh -c 'while systemctl is-active {UNIT}; do :; done'")
        assert "Call to Reboot failed" in card.must(f"journalctl --boot --unit={UNIT}")
        assert {"gpio", "i2c", "bluetooth"} <= set(card.must("id -nG ana").split())
    boot = card.root / "boot/firmware"
    assert (boot / "maexchen-log.txt").read_text() == "first start: done\n"
    assert "dtparam=i2c_arm=on" in (boot / "config.txt").read_text()
    settings = load(card.root / "etc/maexchen/settings.toml")
    assert (settings.language, settings.link) == ("de", ("bluetooth",))
    program = Path(__file__).with_name("made_up_board.py")
    (card.root / "srv/made_up_board.py").write_bytes(program.read_bytes())
    unit = system.made(card.root / "etc/systemd/system/maexchen.service.d")
    (unit / "board.conf").write_text(MADE_UP)
    with card.booted():
        assert {*card.must(STATE).split()} == {"active", "running", "maexchen"}
        assert "first start" not in card.must(f"journalctl --boot --unit={UNIT}")
