"""From setup-pi, or the first start of a card, to a service that waits, in bad weather too.

There is no board, no display and no LED. A card's restart is done by its test. Pi OS's own helpers
for users and Wi-Fi are missing, so `firstrun.sh` is tried without them.
"""

import hashlib
import json
import stat
from pathlib import Path

import pytest

from firmware.settings import load
from tests.labs.container import system
from tests.labs.container.conftest import SET_UP

pytestmark = pytest.mark.container

PYTHON = "/opt/maexchen/venv/bin/python"
MADE_UP = f"{PYTHON} /srv/made_up_board.py run --settings /etc/maexchen/settings.toml"
STATE = "/var/lib/maexchen"
SAID = "journalctl --unit=maexchen --output=cat --boot --identifier=maexchen --identifier=python"
IMPORT_ALL = """
import importlib, pkgutil, sys
NOT_ON_A_PI = (
    "PIL", "aiohttp", "amqtt", "gymnasium", "js", "numpy", "pettingzoo", "pyodide", "pyspiel",
    "pytest", "segno",
)
count = 0
for name in ("game", "drivers", "firmware", "hw_sim", "steckbrett"):
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, name + "."):
        if not module.name.endswith("__main__"):
            try:
                importlib.import_module(module.name)
            except ModuleNotFoundError as problem:
                assert problem.name in NOT_ON_A_PI, problem
            else:
                count += 1
assert package.__file__.startswith("/opt/maexchen/venv"), package.__file__
print(sys.version_info[:2], count)
"""
OPEN_PINS = """
import os
os.environ["RPI_LGPIO_REVISION"] = "c03115"
from firmware.runtime.board import open_pins
pins = open_pins()
try:
    pins.setmode(pins.BCM)
    pins.setup(17, pins.IN)
except Exception as problem:
    print(pins.__file__, type(problem).__name__, problem)
"""
VOLATILE = (
    "proc", "sys", "dev", "run", "tmp", "var/log", "var/cache", "var/tmp", "var/lib/apt",
    "var/lib/systemd/timers", "var/lib/private", "etc/.updated", "var/.updated",
)  # fmt: skip
"""What every boot, and apt, writes to."""


def one_line(ran, *words):
    """What a command that was refused said: one line on stderr, with these words in it."""
    assert ran.returncode == 2, ran.told[-800:]
    assert ran.stderr.count("\n") == 1, ran.stderr
    for word in words:
        assert word in ran.stderr


def tree(root):
    """Every lasting file of a system: what it is, whose, and what is in it."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if name.startswith(VOLATILE) or "__pycache__" in name:
            continue
        about = path.lstat()
        inside = ""
        if path.is_symlink():
            inside = str(path.readlink())
        elif stat.S_ISREG(about.st_mode):
            inside = hashlib.sha256(path.read_bytes()).hexdigest()
        found[name] = (stat.filemode(about.st_mode), about.st_uid, about.st_gid, inside)
    return found


def differences(before, after):
    return {name for name in before | after if before.get(name) != after.get(name)}


def on_a_made_up_board(machine, air=False, more=""):
    """Let the service of a machine run on simulated electronics.

    ``air``: with an empty air; ``more``: arguments.
    """
    program = Path(__file__).with_name("made_up_board.py")
    (machine.root / "srv/made_up_board.py").write_bytes(program.read_bytes())
    lines = ["[Service]", "ExecStart=", f"ExecStart={MADE_UP}{more}"]
    lines += ["Environment=MAEXCHEN_AIR=1"] * air
    dropped = machine.root / "etc/systemd/system/maexchen.service.d/board.conf"
    dropped.parent.mkdir(exist_ok=True)
    dropped.write_text("\n".join(lines) + "\n")
    machine.must("systemctl daemon-reload")


def said_next(machine, words):
    """Start the service, and wait for a line of it that has these words."""
    cursor = machine.must("journalctl --show-cursor --lines=0").split("-- cursor: ")[1].strip()
    ran = machine.run(
        f'systemctl restart maexchen; timeout 60 sh -c "journalctl --unit=maexchen --follow '
        f"--output=cat --after-cursor='{cursor}' | grep --max-count=1 '{words}'\""
    )
    assert ran.returncode == 0, machine.run(SAID).stdout[-800:]
    return ran.stdout


def test_everything_loads_as_the_user_of_the_service_on_the_systems_python(handheld):
    ran = handheld.run(f"cd / && runuser -u maexchen -- {PYTHON} -W error -", stdin=IMPORT_ALL)
    assert ran.stdout.startswith("(3, 13) "), ran.told
    assert int(ran.stdout.split()[-1]) > 200


def test_the_library_of_pins_loads_where_its_user_may_not_write(handheld):
    ran = handheld.run(f"cd /home/pi && runuser -u maexchen -- {PYTHON} -", stdin=OPEN_PINS)
    assert ran.stdout == (
        "/usr/lib/python3/dist-packages/RPi/GPIO/__init__.py error 'can not open gpiochip'\n"
    ), ran.told


def test_after_the_restart_the_service_waits_for_a_board_and_never_gives_up(handheld):
    show = "systemctl show maexchen --property=SubState,UnitFileState,User,Result --value"
    for _ in range(6):
        handheld.run("systemctl restart maexchen")
    assert set(handheld.must(show).split()) == {"auto-restart", "enabled", "maexchen", "exit-code"}
    lines = handheld.must(SAID).splitlines()
    assert len(lines) >= 7
    (line,) = set(lines)
    assert "no GPIO pins" in line
    assert "run this on a Raspberry Pi" in line


def test_what_would_take_the_adapter_is_kept_from_it(handheld):
    for unit in ("bluetooth.service", "bthelper@hci0.service"):
        assert handheld.run(f"systemctl is-enabled {unit}").stdout == "masked\n"
        assert "masked" in handheld.run(f"systemctl start {unit}").stderr


@pytest.mark.parametrize("command", ["maexchen doctor --json", "sudo maexchen doctor --json"])
def test_the_doctor_is_well_but_for_what_there_is_not(handheld, command):
    ran = handheld.run(command, "pi")
    assert (ran.returncode, ran.stderr) == (1, "")
    found = {one["check"]: one["status"] for one in json.loads(ran.stdout)["findings"]}
    wrong = {check for check, status in found.items() if status == "wrong"}
    assert len(wrong) == 2, found
    told = handheld.run(command.removesuffix(" --json"), "pi").stdout
    assert "there is no adapter hci0" in told
    assert "there is no /dev/i2c-1" in told
    assert "Put dtparam=i2c_arm=on" in told


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("maexchen run --settings /etc/maexchen/settings.toml", "root:maexchen: put sudo -u maex"),
        ("maexchen log", "sudo -u maexchen"),
        ("maexchen calibrate", "sudo -u maexchen maexchen calibrate"),
        ("sudo -u maexchen maexchen calibrate", "run this on a Raspberry Pi"),
        ("maexchen record shake --label shake", "run this on a Raspberry Pi"),
        ("maexchen/install/setup-pi", "needs root: call it with sudo"),
        ("maexchen/install/setup-pi --uninstall", "needs root: call it with sudo"),
    ],
)
def test_the_wrong_user_or_no_board_is_one_line(handheld, command, words):
    one_line(handheld.run(command, "pi"), words)


def test_with_a_board_it_waits_for_its_adapter_and_keeps_its_journal(installed, another):
    with another(installed[1]) as (machine, _), machine.booted():
        on_a_made_up_board(machine)
        line = said_next(machine, "the Bluetooth adapter hci-socket:0 cannot be opened")
        assert "Take dtoverlay=disable-bt out of config.txt" in line
        assert machine.must(f"stat -c %U:%a {STATE}/journal.sqlite") == "maexchen:600\n"
        machine.must("systemctl stop maexchen")
        infrared = machine.run(f"sudo -u maexchen {MADE_UP} --link ir", "pi")
        one_line(infrared, "no infrared device", "overlay")


@pytest.mark.parametrize(
    ("weather", "words"),
    [
        ("mount --bind -o ro /opt /opt", "/opt cannot be written to"),
        ("mount --bind -o ro /etc /etc", "/etc cannot be written to"),
        ("rm /boot/firmware/config.txt", "is this a Raspberry Pi OS?"),
    ],
)
def test_setup_pi_asks_before_it_changes_anything(fresh, another, weather, words):
    with another(fresh) as (machine, _), machine.booted():
        machine.must(weather)
        before = tree(machine.root)
        one_line(machine.run(SET_UP, "pi"), words)
        assert differences(before, tree(machine.root)) == set()


def test_again_it_changes_nothing(installed, another):
    with another(installed[1]) as (machine, _), machine.booted():
        before = tree(machine.root)
        assert machine.run(SET_UP, "pi").returncode == 0
        changed = differences(before, tree(machine.root))
        assert {name for name in changed if "/maexchen_handheld-" not in name} == set()


def test_taken_off_it_leaves_the_packages_the_groups_and_the_backup(installed, fresh, another):
    with another(fresh) as (machine, _):
        with machine.booted():
            machine.must(f"DEBIAN_FRONTEND=noninteractive apt-get install -y {system.packages()}")
        with machine.booted():
            before = tree(machine.root)
    with another(installed[1]) as (machine, _), machine.booted():
        kept = f"{STATE}/journal.sqlite"
        machine.must(f"touch {kept} && chown maexchen: {kept}")
        machine.must("cd maexchen && sudo install/setup-pi --uninstall", "pi")
        machine.must(f"test -e {kept} -a -e /etc/maexchen/settings.toml")
        assert machine.run("systemctl is-enabled bluetooth.service").stdout == "enabled\n"
        machine.must("cd maexchen && sudo install/setup-pi --uninstall --purge", "pi")
        after = tree(machine.root)
        groups = machine.must("id -nG pi").split()
    assert set(groups) == {"pi", "gpio", "i2c", "video", "bluetooth"}
    accounts = {f"etc/{name}{old}" for name in ("group", "gshadow", "passwd", "shadow")
                for old in ("", "-")} - {"etc/passwd", "etc/shadow"}  # fmt: skip
    left = differences(before, after) - accounts
    assert left == {"boot/firmware/config.txt.before-maexchen"}


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
