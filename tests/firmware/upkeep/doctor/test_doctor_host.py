"""The doctor's questions to a Linux, answered by a folder that looks like one."""

import platform
import re
import tomllib

import pytest

from firmware.link.bluetooth.hci import AdapterTrouble
from firmware.upkeep.doctor.examine import PACKAGES
from firmware.upkeep.doctor.patient import LinuxHost, numbers_of
from tests.project.words import ROOT


@pytest.fixture
def root(tmp_path):
    def write(path, text):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    return LinuxHost(tmp_path), write


def test_the_board_tells_its_name(root):
    host, write = root
    assert host.model() == ""
    write("proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    assert host.model() == "Raspberry Pi 5 Model B Rev 1.0"


def test_the_supply_is_told_by_the_pis_own_monitor_alone(root):
    host, write = root
    write("sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
    assert host.under_voltage() is None
    write("sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    assert host.under_voltage() is None
    write("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "0\n")
    assert host.under_voltage() is False
    write("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    assert host.under_voltage() is True


@pytest.mark.parametrize(
    ("told", "low"),
    [("0\n", False), ("50000\n", False), ("50005\n", True), ("", None), ("?", None)],
)
def test_without_the_monitor_the_firmware_is_asked(root, told, low):
    host, write = root
    write("sys/devices/platform/soc/soc:firmware/get_throttled", told)
    assert host.under_voltage() is low


def test_an_adapter_may_be_missing_or_blocked(root):
    host, write = root
    assert host.adapter() is AdapterTrouble.MISSING
    write("sys/class/bluetooth/hci0/rfkill0/state", "0\n")
    assert host.adapter() is AdapterTrouble.BLOCKED


def test_the_rate_that_config_txt_asks_of_the_bus_is_told(root, tmp_path):
    host, write = root
    assert host.bus_rate_hz() is None
    write("proc/device-tree/aliases/i2c1", "/soc/i2c@7e804000\0")
    assert host.bus_rate_hz() is None
    write("proc/device-tree/soc/i2c@7e804000/clock-frequency", "")
    rate = tmp_path / "proc/device-tree/soc/i2c@7e804000/clock-frequency"
    rate.write_bytes((400_000).to_bytes(4, "big"))
    assert host.bus_rate_hz() == 400_000


def test_what_anybody_may_look_into_is_told(root, tmp_path):
    host, write = root
    assert host.open_to_others() == []
    write("etc/maexchen/settings.toml", "")
    (tmp_path / "etc/maexchen").chmod(0o750)
    (tmp_path / "etc/maexchen/settings.toml").chmod(0o644)
    assert host.open_to_others() == ["/etc/maexchen/settings.toml"]
    (tmp_path / "etc/maexchen/settings.toml").chmod(0o640)
    assert host.open_to_others() == []


def test_the_owner_of_the_adapter_is_named(root):
    host, write = root
    assert host.adapter_owner() == "hci0"
    write("proc/7/comm", "bash\n")
    write("proc/431/comm", "bluetoothd\n")
    assert host.adapter_owner() == "bluetoothd"


def test_this_machine_is_told_as_it_is():
    host = LinuxHost()
    assert host.machine() == platform.machine()
    assert numbers_of(host.python()) >= (3, 11)
    assert host.version("smbus2")
    assert host.version("no-such-package") is None
    assert host.user()
    assert host.groups()
    assert host.adapter() in (None, *AdapterTrouble)


def test_the_doctor_wants_the_packages_that_a_handheld_depends_on():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["bluetooth"]]
    names = {re.split("[=<>]", each)[0] for each in wanted} - {"steckbrett"}
    """No handheld needs the test bench: a contract of imports holds that."""
    assert sorted(PACKAGES) == sorted(names)
    assert all(f"{name}=={pin}" in wanted for name, pin in PACKAGES.items() if pin)


@pytest.mark.parametrize(
    ("text", "numbers"), [("6.6.31+rpt-rpi-v8", (6, 6, 31)), ("3.13", (3, 13)), ("next", ())]
)
def test_versions_are_compared_by_their_numbers(text, numbers):
    assert numbers_of(text) == numbers
