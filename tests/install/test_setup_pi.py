"""Setting up a Pi: into a folder that looks like one, again, dry, and off again."""

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from drivers import pins

ROOT = Path(__file__).parents[2]
INSTALL = ROOT / "install"
SETUP = INSTALL / "setup-pi"
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
        "etc/modules-load.d/maexchen.conf",
        "etc/systemd/system/maexchen.service",
        "etc/udev/rules.d/70-maexchen.rules",
        "opt/maexchen/README.md",
    }
    assert config_of(pi).startswith(CONFIG + "\n# >>> maexchen\n[all]\n")
    assert config_of(pi).endswith("[all]\n# <<< maexchen\n")
    assert (pi / "boot/firmware/config.txt.before-maexchen").read_text() == CONFIG


def test_again_it_changes_nothing_and_says_so(pi):
    set_up("--root", pi)
    before = contents(pi)
    told = set_up("--root", pi).stdout
    assert contents(pi) == before
    assert "\n+ " not in told


def test_other_lines_that_were_written_since_stay(pi):
    set_up("--root", pi)
    config = pi / "boot/firmware/config.txt"
    config.write_text(config.read_text() + "[all]\ndisplay_rotate=2\n")
    set_up("--root", pi)
    assert "display_rotate=2" in config_of(pi)
    assert config_of(pi).count("# >>> maexchen") == 1
    assert (pi / "boot/firmware/config.txt.before-maexchen").read_text() == CONFIG


def test_a_dry_run_tells_everything_and_does_nothing(pi):
    before = contents(pi)
    told = set_up("--root", pi, "--dry-run").stdout
    assert contents(pi) == before
    assert [path for path in pi.iterdir() if path.name != "boot"] == []
    for line in (
        "apt-get install -y python3-venv python3-rpi-lgpio i2c-tools",
        "    > dtparam=i2c_arm=on,i2c_arm_baudrate=400000",
        "70-maexchen.rules",
        "usermod -aG i2c maexchen",
        "systemctl enable maexchen.service",
    ):
        assert line in told


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


def test_a_config_with_half_of_our_marks_is_not_touched(pi):
    config = pi / "boot/firmware/config.txt"
    config.write_text(CONFIG + "\n# >>> maexchen\nhalf\n")
    before = config.read_text()
    assert "is missing: repair it" in set_up("--root", pi, status=2).stderr
    assert config.read_text() == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--root"], "--root wants a folder"),
        (["--root", "/"], "--root wants a folder other than /"),
        (["--root", "/no/such/folder"], "no such folder: make it first"),
        (["--purge"], "--purge goes with --uninstall"),
        (["--force"], "unknown argument --force; see setup-pi --help"),
    ],
)
def test_what_is_wrong_with_the_arguments_is_one_line(arguments, told):
    error = set_up(*arguments, status=2).stderr
    assert told in error
    assert error.count("\n") == 1


def test_help_names_every_argument():
    told = set_up("--help").stdout
    for argument in ("--dry-run", "--root", "--uninstall", "--purge"):
        assert argument in told


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
    assert text.endswith("[all]\n"), "what follows must not count for one model only"


def test_the_unit_has_one_right_a_user_of_its_own_and_a_sandbox():
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str
    unit.read_string((INSTALL / "maexchen.service").read_text())
    service = dict(unit["Service"])
    assert service["AmbientCapabilities"] == service["CapabilityBoundingSet"] == "CAP_NET_ADMIN"
    assert (service["User"], service["StateDirectory"]) == ("maexchen", "maexchen")
    assert service["SupplementaryGroups"].split() == ["gpio", "i2c", "video", "bluetooth"]
    assert service["ProtectSystem"] == "strict"
    assert unit["Unit"]["Conflicts"] == "bluetooth.service"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_systemd_has_nothing_against_the_unit(tmp_path):
    text = (INSTALL / "maexchen.service").read_text()
    program = "/opt/maexchen/venv/bin/maexchen"
    assert program in text
    unit = tmp_path / "maexchen.service"
    unit.write_text(text.replace(program, sys.executable))
    ran = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit],
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    complaints = [line for line in ran.stderr.splitlines() if "maexchen" in line]
    assert complaints == []
    assert ran.returncode == 0, ran.stderr


@pytest.mark.skipif(not shutil.which("shellcheck"), reason="shellcheck is not installed")
def test_shellcheck_has_nothing_against_the_script():
    ran = subprocess.run(
        ["shellcheck", SETUP], capture_output=True, text=True, timeout=600, check=False
    )
    assert (ran.stdout, ran.returncode) == ("", 0)
