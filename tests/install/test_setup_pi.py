"""Setting up a Pi: into a folder that looks like one, again, dry, and off again."""

import configparser
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from drivers import pins
from drivers.light_sensor import LIGHT_SENSORS
from firmware.link.broker.relay import USUAL_SOCKET
from firmware.settings import Settings, load
from install.pin import wanted_by

ROOT = Path(__file__).parents[2]
INSTALL = ROOT / "install"
SETUP = INSTALL / "setup-pi"
UNIT = "maexchen.service"
RELAY = "maexchen-relay.service"
RELAYS = {"etc/maexchen-relay/settings.toml", f"etc/systemd/system/{RELAY}"}
CONFIG = """\
# For more options see the documentation
dtparam=audio=on
[cm5]
dtoverlay=dwc2,dr_mode=host
[all]
enable_uart=1"""


CONFIGS = {"boot/firmware/config.txt", "boot/firmware/config.txt.before-maexchen"}


@pytest.fixture
def pi(tmp_path):
    """A folder with a config.txt."""
    config = tmp_path / "boot/firmware/config.txt"
    config.parent.mkdir(parents=True)
    config.write_text(CONFIG)
    config.chmod(0o644)
    return tmp_path


def set_up(*arguments, status=0):
    ran = subprocess.run(
        [SETUP, *map(str, arguments)], capture_output=True, text=True, timeout=600, check=False
    )
    assert ran.returncode == status, ran.stderr
    return ran


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def config_of(pi):
    return (pi / "boot/firmware/config.txt").read_text()


def test_it_writes_what_a_handheld_needs(pi):
    set_up("--root", pi)
    assert set(contents(pi)) == CONFIGS | {
        "etc/maexchen/settings.toml",
        "etc/modules-load.d/maexchen.conf",
        "etc/systemd/system/maexchen.service",
        "etc/udev/rules.d/70-maexchen.rules",
        "opt/maexchen/README.md",
    }
    assert config_of(pi).startswith(CONFIG + "\n# >>> maexchen\n[all]\n")
    assert config_of(pi).endswith("[all]\n# <<< maexchen\n")
    assert (pi / "boot/firmware/config.txt.before-maexchen").read_text() == CONFIG
    assert (pi / "boot/firmware/config.txt").stat().st_mode & 0o777 == 0o644


def test_a_config_that_is_a_link_stays_one(pi):
    config, real = pi / "boot/firmware/config.txt", pi / "real.txt"
    config.replace(real)
    config.symlink_to(real)
    set_up("--root", pi)
    assert config.is_symlink()
    assert "# >>> maexchen" in real.read_text()


def test_a_dry_run_tells_everything_and_does_nothing(pi):
    before = contents(pi)
    told = set_up("--root", pi, "--dry-run").stdout
    assert contents(pi) == before
    assert [path for path in pi.iterdir() if path.name != "boot"] == []
    for line in (
        "apt-get install -y python3-venv python3-rpi-lgpio i2c-tools rfkill",
        "    > dtparam=i2c_arm=on,i2c_arm_baudrate=400000",
        "70-maexchen.rules",
        "usermod -aG i2c maexchen",
        "systemctl enable maexchen.service",
    ):
        assert line in told
    assert told.splitlines()[-1].startswith("Nothing was done")
    assert "Set up." not in told
    set_up("--root", pi)
    before = contents(pi)
    told = set_up("--root", pi, "--uninstall", "--dry-run").stdout
    assert contents(pi) == before
    assert told.splitlines()[-1].startswith("Nothing was done")
    assert "Taken off." not in told


@pytest.mark.skipif(Path("/boot/firmware/config.txt").exists(), reason="this is a Raspberry Pi")
def test_a_dry_run_elsewhere_says_that_this_is_no_pi():
    told = set_up("--dry-run").stdout
    assert told.startswith("- it would stop here: /boot/firmware/config.txt is missing")
    assert told.splitlines()[-1].startswith("Nothing was done")


def test_off_again_it_leaves_what_was_there_and_the_matches(pi):
    set_up("--root", pi)
    theirs = {"var/lib/maexchen/journal.sqlite", "etc/maexchen/settings.toml"}
    for kept in theirs:
        (pi / kept).parent.mkdir(parents=True, exist_ok=True)
        (pi / kept).write_text("kept")
    set_up("--root", pi, "--uninstall")
    assert set(contents(pi)) == CONFIGS | theirs
    assert config_of(pi).rstrip("\n") == CONFIG
    set_up("--root", pi, "--uninstall")
    set_up("--root", pi, "--uninstall", "--purge")
    assert set(contents(pi)) == CONFIGS


@pytest.mark.skipif(not shutil.which("systemctl"), reason="systemctl is not installed")
@pytest.mark.parametrize("was_enabled", [True, False])
def test_off_again_bluetoothd_starts_by_itself_only_if_it_did_before(pi, tmp_path, was_enabled):
    unit = tmp_path / "usr/lib/systemd/system/bluetooth.service"
    unit.parent.mkdir(parents=True)
    unit.write_text(
        "[Service]\nExecStart=/bin/true\n"
        "[Install]\nWantedBy=bluetooth.target\nAlias=dbus-org.bluez.service\n"
    )

    def systemctl(*words):
        told = subprocess.run(
            ["systemctl", f"--root={tmp_path}", *words], capture_output=True, text=True, timeout=60
        )
        return told.stdout.strip()

    def do_what_it_tells(*arguments):
        told = set_up("--root", pi, "--dry-run", *arguments).stdout
        for words in re.findall(r": systemctl (.* bluetooth\.service.*)", told):
            if not words.startswith("stop "):
                systemctl(*words.split())

    if was_enabled:
        systemctl("enable", "bluetooth.service")
    before = systemctl("is-enabled", "bluetooth.service")
    assert before == ("enabled" if was_enabled else "disabled")
    do_what_it_tells()
    told = systemctl("is-enabled", "bluetooth.service", "dbus-org.bluez.service")
    assert set(told.split()) == {"masked"}
    do_what_it_tells("--uninstall")
    assert systemctl("is-enabled", "bluetooth.service") == before


def test_options_write_settings_and_without_infrared_there_are_no_lines_for_it(pi):
    settings = pi / "etc/maexchen/settings.toml"
    modules = pi / "etc/modules-load.d/maexchen.conf"
    dry = set_up("--root", pi, "--light", "bh1750", "--link", "bluetooth", "--dry-run").stdout
    assert 'light = "bh1750" in ' in dry
    assert "gpio-ir" not in dry
    set_up("--root", pi)
    assert "dtoverlay=gpio-ir" in config_of(pi)
    told = set_up("--root", pi, "--light", "bh1750", "--link", "bluetooth").stdout
    assert "    < dtoverlay=gpio-ir,gpio_pin=23" in told
    assert (load(settings).light, load(settings).link) == ("bh1750", ("bluetooth",))
    assert not re.search(r"-ir\b|ir-tx", config_of(pi))
    assert "dtparam=i2c_arm=on" in config_of(pi)
    assert modules.read_text() == "i2c-dev\n"
    assert "\n+ " not in set_up("--root", pi).stdout
    settings.write_text('link = ["bluetooth", "mqtt"]\n')
    set_up("--root", pi, "--light", "veml7700", "--link", "both")
    assert settings.read_text() == 'light = "veml7700"\nlink = "both"\n'
    assert "pwm_ir_tx" in modules.read_text()
    assert config_of(pi).count("dtoverlay=pwm-ir-tx") == 4


def test_a_relay_comes_and_goes_with_what_the_settings_say(pi):
    settings = pi / "etc/maexchen/settings.toml"
    set_up("--root", pi)
    assert not set(contents(pi)) & RELAYS
    asks = '[broker]\nrelay = "/run/maexchen-relay/socket"\n'
    settings.write_text(asks)
    told = set_up("--root", pi).stdout
    assert set(contents(pi)) >= RELAYS
    for line in (
        "usermod -aG maexchen-relay maexchen",
        "chown root:maexchen-relay",
        f"enable {RELAY}",
    ):
        assert line in told
    assert (pi / "etc/maexchen-relay/settings.toml").stat().st_mode & 0o777 == 0o640
    assert "\n+ " not in set_up("--root", pi).stdout
    settings.write_text("# " + asks.replace("\n", "\n# "))
    set_up("--root", pi)
    assert set(contents(pi)) & RELAYS == {"etc/maexchen-relay/settings.toml"}
    settings.write_text(asks)
    set_up("--root", pi)
    set_up("--root", pi, "--uninstall", "--purge")
    assert set(contents(pi)) == CONFIGS


def sections(name):
    """The sections of a unit, each as a dict."""
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str
    unit.read_string((INSTALL / name).read_text())
    return {section: dict(unit[section]) for section in unit.sections()}


def test_the_relay_has_a_network_and_no_way_to_a_key():
    service = sections(RELAY)["Service"]
    assert service["User"] == service["Group"] == service["RuntimeDirectory"] == "maexchen-relay"
    assert service["AmbientCapabilities"] == service["CapabilityBoundingSet"] == ""
    assert service["InaccessiblePaths"].split() == ["-/etc/maexchen", "-/var/lib/maexchen"]
    handheld = (INSTALL / UNIT).read_text()
    assert "AF_INET" in service["RestrictAddressFamilies"]
    assert "AF_INET" not in handheld
    assert "IPAddressDeny=any" in handheld


def test_a_config_with_half_of_our_marks_is_not_touched(pi):
    config = pi / "boot/firmware/config.txt"
    config.write_text(CONFIG + "\n# >>> maexchen\nhalf\n")
    before = config.read_text()
    assert "is missing: repair it" in set_up("--root", pi, status=2).stderr
    assert config.read_text() == before


def test_what_stops_it_half_way_is_mended_and_done_again(pi):
    (pi / "etc").touch()
    told = set_up("--root", pi, status=1).stderr
    assert "mkdir: " in told
    assert told.endswith("setup-pi: not finished: mend what stands above, and call it again\n")
    (pi / "etc").unlink()
    assert set_up("--root", pi).stderr == ""
    assert (pi / "etc/maexchen/settings.toml").exists()


@pytest.mark.parametrize("name", ["SIGHUP", "SIGINT", "SIGTERM"])
def test_who_stops_it_in_the_middle_is_told_to_call_it_again(pi, name):
    rules = pi / "etc/udev/rules.d/70-maexchen.rules"
    rules.parent.mkdir(parents=True)
    os.mkfifo(rules)
    command = ["env", "--default-signal=INT,HUP", SETUP, "--root", pi]  # ignored in background jobs
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as ran:
        with rules.open("w"):  # it waits until the script compares its rule with this one
            ran.send_signal(signal.Signals[name])
        told = ran.stderr.read()
    assert (told, ran.returncode) == (
        "setup-pi: not finished: it was stopped; call it again\n",
        128 + signal.Signals[name],
    )
    rules.unlink()
    assert set_up("--root", pi).stderr == ""
    assert rules.read_text() == (INSTALL / rules.name).read_text()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--root"], "--root wants a folder"),
        (["--root", "/"], "--root wants a folder other than /"),
        (["--root", "/no/such/folder"], "no such folder: make it first"),
        (["--purge"], "--purge goes with --uninstall"),
        (["--light", "tsl2561"], f"--light wants one of {' '.join(LIGHT_SENSORS)}"),
        (["--link"], "--link wants bluetooth, ir or both"),
        (["--force"], "unknown argument --force; see setup-pi --help"),
    ],
)
def test_what_is_wrong_with_the_arguments_is_one_line(arguments, told):
    error = set_up(*arguments, status=2).stderr
    assert told in error
    assert error.count("\n") == 1


def test_config_lines_are_those_the_drivers_count_on():
    text = (INSTALL / "config.txt").read_text()
    assert f"i2c_arm_baudrate={pins.I2C_RATE_HZ}" in text
    assert f"dtoverlay=gpio-ir,gpio_pin={pins.INFRARED_RECEIVE}" in text
    sections = dict(re.findall(r"\[(\w+)\]\n(dtoverlay=pwm-ir-tx\S+)", text))
    assert (
        sections.pop("pi5") == f"dtoverlay=pwm-ir-tx,gpio_pin={pins.INFRARED_TRANSMIT_PI5},func=4"
    )
    assert set(sections) == {"pi02", "pi3", "pi4"}
    assert set(sections.values()) == {
        f"dtoverlay=pwm-ir-tx,gpio_pin={pins.INFRARED_TRANSMIT},func=2"
    }
    assert set(re.findall(r"\[(\w+)\][^[]*audio=off", text)) == {"pi02", "pi3"}
    assert set(re.findall(r"\[(\w+)\][^[]*core_freq=", text)) == {"pi02", "pi3", "pi4"}
    assert text.endswith("[all]\n"), "what follows must not count for one model only"


def test_the_unit_has_one_right_a_user_of_its_own_and_a_sandbox():
    unit = sections(UNIT)
    service = unit["Service"]
    assert service["AmbientCapabilities"] == service["CapabilityBoundingSet"] == "CAP_NET_ADMIN"
    assert (service["User"], service["StateDirectory"]) == ("maexchen", "maexchen")
    assert service["SupplementaryGroups"].split() == ["gpio", "i2c", "video", "bluetooth"]
    assert (service["ProtectSystem"], "ReadWritePaths" in service) == ("strict", False)
    assert service["RestrictAddressFamilies"].split() == ["AF_UNIX", "AF_BLUETOOTH"]
    assert (service["IPAddressDeny"], service["MemoryDenyWriteExecute"]) == ("any", "yes")
    assert "Conflicts" not in unit["Unit"], "it is symmetric: bluetoothd would stop the handheld"
    assert "ConditionPathExists" not in unit["Unit"], "the lobby needs no settings"
    assert unit["Unit"]["StartLimitIntervalSec"] == "0", "a late adapter must not end it for good"


def test_what_holds_keys_is_for_the_service_alone_and_stays_as_it_was_written(pi):
    mode = lambda path: (pi / path).stat().st_mode & 0o777  # noqa: E731
    theirs = pi / "etc/maexchen/settings.toml"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("kept")
    theirs.chmod(0o644)
    told = set_up("--root", pi).stdout
    assert (mode("etc/maexchen"), mode("etc/maexchen/settings.toml")) == (0o750, 0o640)
    assert theirs.read_text() == "kept"
    assert "chown root:maexchen" in told
    assert "install -d -o maexchen -g maexchen -m 750" in told


def test_the_settings_that_are_installed_begin_in_the_lobby_and_each_line_can_be_used(tmp_path):
    text = (INSTALL / "settings.toml").read_text()
    assert load(INSTALL / "settings.toml") == Settings()
    used = tmp_path / "settings.toml"
    used.write_text(re.sub(r"^# (?=\w+ = |\[)", "", text, flags=re.M))
    assert load(used).name == "Ana"
    relays = tmp_path / "relay.toml"
    relays.write_text(
        re.sub(r"^# (?=\w+ = )", "", (INSTALL / "relay.toml").read_text(), flags=re.M)
    )
    assert load(relays).broker.user == "ana"
    assert load(used).broker.relay == USUAL_SOCKET


def pinned():
    """Names of install/requirements.txt with their versions and numbers of hashes."""
    text = (INSTALL / "requirements.txt").read_text()
    return {
        name: (version, block.count("--hash=sha256:"))
        for block in re.split(r"\n(?=\w)", text)
        for name, version in re.findall(r"^([a-z\d-]+)==(\S+)", block)
    }


def test_every_package_of_a_pi_is_pinned_with_the_hashes_of_its_files():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = wanted_by(project)
    pins = pinned()
    seen = set()
    while wanted:
        requirement = Requirement(wanted.pop())
        name = requirement.name.lower().replace("_", "-").replace(".", "-")
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        version, hashes = pins[name]
        assert requirement.specifier.contains(version), requirement
        assert hashes
        if name not in seen:
            seen.add(name)
            wanted += metadata.requires(name) or []
    assert seen == set(pins)


def test_nothing_else_is_installed_and_with_a_folder_of_wheels_no_network_is_needed(pi, tmp_path):
    stick = tmp_path / "a stick"
    shutil.copytree(INSTALL, stick / "install")
    shutil.copy(ROOT / "README.md", stick)

    def told():
        command = [stick / "install/setup-pi", "--root", pi, "--dry-run"]
        return subprocess.run(
            command, capture_output=True, text=True, timeout=60, check=True
        ).stdout

    assert f"install --require-hashes -r {stick}/install/requirements.txt" in told()
    assert "install --upgrade --no-index --no-deps --no-build-isolation" in told()
    (stick / "wheels").mkdir()
    assert f"install --no-index --find-links {stick}/wheels --require-hashes" in told()


ARMED = """
import ctypes, mmap, sys
PR_SET_MDWE, REFUSE_EXEC_GAIN = 65, 1
if ctypes.CDLL(None).prctl(PR_SET_MDWE, REFUSE_EXEC_GAIN, 0, 0, 0):
    sys.exit(77)
try:
    mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
except PermissionError:
    import firmware.cli.run, adafruit_ssd1306, adafruit_adxl34x, bumble.host, reedsolo, sqlite3
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
    from firmware.display.oled.draw import draw
    from firmware.display.screens import AlertPage
    from firmware.display.text.labels import Alert
    from firmware.link.bluetooth.hci import open_user_channel
    from firmware.runtime.board import BoardError, open_pins
    X25519PrivateKey.generate()
    print(draw(AlertPage(Alert.RADIO), "de").width)
    try:
        open_pins()
    except BoardError:
        pass
    try:
        open_user_channel().close()
    except OSError:
        pass
"""


def test_everything_loads_where_no_memory_may_become_code():
    ran = subprocess.run(
        [sys.executable, "-c", ARMED], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    if ran.returncode == 77:
        pytest.skip("this kernel has no PR_SET_MDWE (Linux 6.3)")
    assert (ran.returncode, ran.stdout.strip()) == (0, "128"), ran.stderr


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
@pytest.mark.parametrize("name", [UNIT, RELAY])
def test_systemd_has_nothing_against_the_unit_and_calls_it_hardened(tmp_path, name):
    text, program = (INSTALL / name).read_text(), "/opt/maexchen/venv/bin/maexchen"
    assert program in text
    unit = tmp_path / name
    unit.write_text(text.replace(program, sys.executable))
    for how in (["verify", "--man=no"], ["security", "--offline=true", "--threshold=18"]):
        ran = subprocess.run(
            ["systemd-analyze", *how, unit], capture_output=True, text=True, timeout=600,
        )  # fmt: skip
        assert [line for line in ran.stderr.splitlines() if "maexchen" in line] == []
        assert ran.returncode == 0, ran.stderr + ran.stdout[-400:]


@pytest.mark.skipif(not shutil.which("shellcheck"), reason="shellcheck is not installed")
def test_shellcheck_has_nothing_against_the_script():
    ran = subprocess.run(
        ["shellcheck", SETUP], capture_output=True, text=True, timeout=600, check=False
    )
    assert (ran.stdout, ran.returncode) == ("", 0)
