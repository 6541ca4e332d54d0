"""A card from its first start to the lobby: nothing but cloud-init reads what `make card` wrote.

There is no board, no display and no LED. The restart at the end is asked for, and done by the
test. Pi OS's own helpers for users and Wi-Fi are missing, so `firstrun.sh` is tried without them.
"""

import pytest

from firmware.settings import load
from tests.labs.container.test_container import on_a_made_up_board

pytestmark = pytest.mark.container

UNIT = "maexchen-card.service"
HEARD = (
    f"timeout 300 journalctl --boot --unit={UNIT} --follow --lines=all --output=cat |"
    " grep --max-count=1 'first start:'"
)


def ended(machine):
    """Return the last line of the first start of a booted machine."""
    ran = machine.run(HEARD)
    told = machine.run(f"systemctl status {UNIT} cloud-init --no-pager --full").stdout
    assert ran.returncode == 0, told[-2000:]
    machine.must(f"timeout 60 sh -c 'while systemctl is-active {UNIT}; do :; done'")
    return ran.stdout


def test_a_card_gets_from_its_first_start_to_the_lobby_by_itself(written, another):
    with another(written) as (machine, _):
        machine.must("cd /boot/firmware && cloud-init schema --config-file user-data")
        machine.must("cd /boot/firmware && cloud-init schema -t network-config -c network-config")
        machine.must("systemctl mask reboot.target")
        with machine.booted():
            assert ended(machine) == "first start: done\n"
            journal = machine.must(f"journalctl --boot --unit={UNIT} --output=cat")
            assert "Call to Reboot failed" in journal, journal[-800:]
            assert machine.must("cat /boot/firmware/maexchen-log.txt") == "first start: done\n"
            assert {"gpio", "i2c", "bluetooth"} <= set(machine.must("id -nG ana").split())
            assert machine.run(f"systemctl is-enabled {UNIT}").stdout == "disabled\n"
            on_a_made_up_board(machine, air=True)
        config = (machine.root / "boot/firmware/config.txt").read_text()
        assert "dtparam=i2c_arm=on" in config
        assert "gpio-ir" not in config
        settings = load(machine.root / "etc/maexchen/settings.toml")
        assert (settings.language, settings.link) == ("de", ("bluetooth",))
        assert not (machine.root / "boot/firmware/maexchen/maexchen.tar").exists()
        with machine.booted():
            show = "systemctl show maexchen --property=ActiveState,SubState --value"
            assert machine.must(show).split() == ["active", "running"]
            assert "first start" not in machine.must(f"journalctl --boot --unit={UNIT}")


def test_the_other_shape_hands_over_too_and_a_copy_that_is_not_whole_is_one_line(written, another):
    with another(written) as (machine, _):
        boot = machine.root / "boot/firmware"
        machine.must("touch /etc/cloud/cloud-init.disabled; systemctl mask reboot.target")
        machine.must("truncate --size=9M /boot/firmware/maexchen/maexchen.tar")
        with machine.booted():
            machine.must("sh /boot/firmware/firstrun.sh")
            assert not (boot / "firstrun.sh").exists()
            assert machine.must(f"systemctl is-enabled {UNIT}") == "enabled\n"
        for _ in range(2):
            with machine.booted():
                told = ended(machine)
            assert told == (boot / "maexchen-log.txt").read_text()
            assert told.startswith("first start: stopped at unpack: maexchen.tar is not what")
            assert told.endswith("Ruf make card noch einmal auf und wirf die Karte aus.\n")
            assert (boot / "maexchen/maexchen.tar").exists()
