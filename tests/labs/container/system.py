"""Debian Trixie made to look like a fresh Raspberry Pi OS Lite, and the machine that it boots on.

A machine is a root folder of layers: commands run in it, alone or beside its systemd.
"""

import ctypes
import hashlib
import inspect
import itertools
import os
import platform
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from install import card, pin

CLONE_NEWNS = 0x00020000
"""``unshare(2)``: mounts of our own."""
BOOTED_S = 120.0
_NUMBERS = itertools.count(1)
NSPAWN = ("systemd-nspawn", "--quiet", "--keep-unit", "--register=no", "--timezone=off")
ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "LANG": "C.UTF-8",
    "HOME": "/root",
    "DEBIAN_FRONTEND": "noninteractive",
}


class CannotRunError(Exception):
    """There can be no such system on this machine; one line that says what is missing."""


def own_mounts() -> None:
    """Let this process mount what nobody else sees, and what goes when it ends."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNS):
        raise CannotRunError(f"no mounts of its own ({os.strerror(ctypes.get_errno())}): be root")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)


def run(*command: str | Path, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, whatever that is; ``more`` as of `subprocess.run`."""
    return subprocess.run(command, capture_output=True, text=True, **more)


def must(*command: str | Path, **more: Any) -> str:
    """Run a command that has to end well, or tell what it said; return what it wrote."""
    return written(run(*command, **more))


def written(ran: subprocess.CompletedProcess[str]) -> str:
    """Return what a command wrote.

    Raises:
        RuntimeError: it did not end well.
    """
    if ran.returncode:
        raise RuntimeError(f"{ran.args}: {(ran.stdout + ran.stderr)[-3000:]}")
    return ran.stdout


class Machine:
    """A root folder; while it is `booted`, commands run beside its systemd, else alone.

    Attributes:
        root: where it lies, to look into it from outside.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._leader: int | None = None

    def run(
        self, command: str, user: str = "root", stdin: str = "", *, network: bool = False
    ) -> subprocess.CompletedProcess[str]:
        """Run a line of shell in it, as a user who has just logged in."""
        shell = ["runuser", "-l", user, "-c", command] if user != "root" else ["sh", "-c", command]
        if self._leader is not None:
            inside = ["nsenter", f"--target={self._leader}", "--all", "--"]
        else:
            inside = [*NSPAWN, f"--directory={self.root}", "--pipe"]
            inside += ["--bind-ro=/etc/resolv.conf"] if network else ["--private-network"]
            inside += [f"--setenv={name}={value}" for name, value in ENVIRONMENT.items()]
            inside += ["--"]
        return run(*inside, *shell, input=stdin, env=ENVIRONMENT)

    def must(self, command: str, user: str = "root", *, network: bool = False) -> str:
        """Run what has to end well; return what it wrote."""
        return written(self.run(command, user, network=network))

    @contextmanager
    def booted(self) -> Iterator["Machine"]:
        """Have systemd running in it for as long as the block lasts; no network, no devices."""
        console = self.root.parent / "console"
        address = self.root.parent / "notify"
        address.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told, console.open("wb") as log:
            told.bind(str(address))
            told.settimeout(BOOTED_S)
            nspawn = subprocess.Popen(
                [
                    *("setpriv", "--pdeathsig=KILL", *NSPAWN, f"--directory={self.root}"),
                    *(f"--machine=maexchen-{os.getpid()}-{next(_NUMBERS)}", "--private-network"),
                    *("--resolv-conf=off", "--link-journal=no", "--console=pipe"),
                    *("--notify-ready=yes", "--boot"),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=os.environ | {"NOTIFY_SOCKET": str(address), "UNIFIED_CGROUP_HIERARCHY": "yes"},
            )
            lines: dict[str, str] = {}
            try:
                while lines.get("READY") != "1":
                    text = told.recv(4096).decode()
                    lines |= dict(line.split("=", 1) for line in text.splitlines())
            except TimeoutError:
                nspawn.kill()
                raise RuntimeError(console.read_text()[-3000:]) from None
        # Nobody reads what systemd tells from now on: nspawn must not wait for a full socket.
        self._leader = int(lines["X_NSPAWN_LEADER_PID"])
        try:
            yield self
        finally:
            self._leader = None
            nspawn.send_signal(signal.SIGTERM)  # systemd is asked to power off
            nspawn.wait(timeout=BOOTED_S)


@contextmanager
def layered(system: Path, scratch: Path) -> Iterator[Machine]:
    """A machine over a system, that keeps its changes elsewhere."""
    upper, work, root = (made(scratch / name) for name in ("changes", "work", "root"))
    options = f"lowerdir={system},upperdir={upper},workdir={work}"
    must("mount", "-t", "overlay", "overlay", "-o", options, root)
    try:
        yield Machine(root)
    finally:
        must("umount", "--recursive", "--lazy", root)


ROOT = Path(__file__).parents[3]
CACHE = ROOT / ".container"
SUITE = "trixie"
PYTHON = "3.13"
LITE = "systemd-sysv,libbpf1,udev,dbus,kmod,sudo,python3,bluez,ca-certificates"
"""What Raspberry Pi OS Lite has, too, and a handheld may meet."""
FIRST_START = "cloud-init netplan.io python3-venv"
"""What Raspberry Pi OS Lite has, too: the first two read what `make card` writes."""
REPOSITORY = "/srv/raspberrypi"
CONFIG = """\
# For more options and information see
# http://rptl.io/configtxt
dtparam=audio=on
[cm5]
dtoverlay=dwc2,dr_mode=host
[all]
"""
BTHELPER = """\
[Unit]
Description=Raspberry Pi bluetooth helper
Requires=bluetooth.service
After=bluetooth.service
[Service]
Type=oneshot
ExecStart=/bin/true
"""
"""As of the package pi-bluetooth: it brings bluetoothd back."""


def fresh() -> Path:
    """The folder of the system, as it is on a card that was just written. It must not be changed.

    Raises:
        CannotRunError: it cannot be had here.
    """
    check()
    debian = kept("debian", SUITE + LITE, bootstrap)
    made_by = map(inspect.getsource, (become_a_pi, pack_pins_library))
    told = "".join([SUITE, LITE, FIRST_START, CONFIG, BTHELPER, packages(), *made_by])
    return kept("pi", told, lambda folder: become_a_pi(debian, folder))


def wheels() -> Path:
    """The folder of wheels that goes along to it, as ``make wheels`` fetches it."""
    pins = str(pin.REQUIREMENTS)
    return kept(
        "wheels",
        pin.REQUIREMENTS.read_text(),
        lambda folder: pin.fetch(
            PYTHON, platform.machine(), folder, "--require-hashes", "-r", pins
        ),
    )


def packages() -> str:
    """The packages that setup-pi takes from apt."""
    text = (ROOT / "install/setup-pi").read_text()
    return " ".join(re.findall(r"^(?:packages|extras)='(.*)'$", text, re.M))


def check() -> None:
    """Raise CannotRunError if there can be no such system here."""
    if os.geteuid() != 0:
        raise CannotRunError("needs root: sudo make container")
    needed = {"debootstrap": "debootstrap", "systemd-nspawn": "systemd-container"}
    for program, package in needed.items():
        if shutil.which(program) is None:
            raise CannotRunError(f"{program} is missing: on Debian install {package}")


def kept(name: str, told: str, make: Callable[[Path], None]) -> Path:
    """A folder of the cache, made anew unless it was made of the same."""
    folder = CACHE / name
    made_of = folder.with_name(folder.name + ".made-of")
    wanted = hashlib.sha256(told.encode()).hexdigest()
    if not folder.exists() or not made_of.exists() or made_of.read_text() != wanted:
        print(f"container: making {folder} (once, some minutes)", file=sys.stderr, flush=True)
        must("rm", "-rf", "--one-file-system", folder, made_of)
        folder.parent.mkdir(parents=True, exist_ok=True)
        make(folder)
        made_of.write_text(wanted)
    return folder


def mirror() -> str:
    """The mirror from which this machine gets Debian."""
    lines = must(
        "apt-get", "indextargets", "--format", "$(ORIGIN) $(LABEL) $(REPO_URI)",
        "Created-By: Packages",
    ).splitlines()  # fmt: skip
    for line in lines:
        if line.startswith("Debian Debian "):
            return line.split()[2]
    raise CannotRunError("apt knows no mirror of Debian: sudo apt-get update")


def bootstrap(folder: Path) -> None:
    """Install a small Debian into a folder."""
    packages = CACHE / "packages"
    packages.mkdir(exist_ok=True)
    must(
        "debootstrap", "--variant=minbase",
        f"--cache-dir={packages}", f"--include={LITE}", SUITE, folder, mirror(),
    )  # fmt: skip


def become_a_pi(debian: Path, folder: Path) -> None:
    """Add to a copy of Debian what a Pi has, and fetch what apt will be asked for."""
    must("cp", "-a", "--reflink=auto", debian, folder)
    pi = Machine(folder)
    pi.must("groupadd --system gpio && useradd --create-home --shell /bin/bash pi")
    for path, text in {
        "etc/sudoers.d/010_pi-nopasswd": "pi ALL=(ALL) NOPASSWD: ALL\n",
        "etc/hostname": "raspberrypi\n",
        "etc/hosts": "127.0.0.1 localhost\n127.0.1.1 raspberrypi\n",
        "boot/firmware/config.txt": CONFIG,
        "usr/lib/systemd/system/bthelper@.service": BTHELPER,
        "etc/apt/sources.list.d/raspi.list": f"deb [trusted=yes] file:{REPOSITORY} ./\n",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    pack_pins_library(pi)
    pi.must(
        "apt-get update && "
        f"apt-get install -y --no-install-recommends {FIRST_START} && "
        f"apt-get install -y --download-only {packages()}",
        network=True,
    )


def pack_pins_library(pi: Machine) -> None:
    """Build an empty package python3-rpi-lgpio, which Debian does not have, and an index of it."""
    control = (
        "Package: python3-rpi-lgpio\nVersion: 0\nArchitecture: all\n"
        "Maintainer: nobody <nobody@localhost>\nDescription: a name that Raspberry Pi OS has\n"
    )
    package = made(pi.root / REPOSITORY[1:] / "package/DEBIAN")
    (package / "control").write_text(control)
    pi.must(f"cd {REPOSITORY} && dpkg-deb --root-owner-group --build package pins.deb")
    built = (package.parents[1] / "pins.deb").read_bytes()
    found = (
        f"Filename: ./pins.deb\nSize: {len(built)}\nSHA256: {hashlib.sha256(built).hexdigest()}\n"
    )
    (package.parents[1] / "Packages").write_text(control + found)


def bring_the_project(machine: Machine, folder_of_wheels: Path) -> None:
    """Copy this folder to the Pi's user as docs/handheld.md says, with wheels: no network."""
    home = machine.root / "home/pi/maexchen"
    files = must("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    there = [name for name in files.split("\0") if (ROOT / name).is_file()]
    must("cp", "--parents", "-t", made(home), *there, cwd=ROOT)
    must("cp", "-r", folder_of_wheels, home / "wheels")
    must("chown", "-R", "--reference", home.parent, home)


CLOUD = """\
datasource_list: [NoCloud, None]
datasource: {NoCloud: {seedfrom: "file:///boot/firmware/"}}
"""
"""In place of what Pi OS has of its own: where cloud-init looks for its files."""


def write_the_card(machine: Machine, folder_of_wheels: Path) -> None:
    """Write what `make card` writes onto the boot partition, with a login and a Wi-Fi."""
    boot = machine.root / "boot/firmware"
    for name in ("kernel8.img", "meta-data"):
        (boot / name).touch()
    (boot / "cmdline.txt").write_text("root=/dev/none rootwait\n")
    (machine.root / "etc/cloud/cloud.cfg.d/99_pi.cfg").write_text(CLOUD)
    wanted = card.Card(
        login="ana", password="$6$salt$hash", wifi="Käse", psk="5c" * 32, country="DE",
        language="de", arguments=("--light", "veml7700", "--link", "bluetooth"),
    )  # fmt: skip
    files = card.contents(wanted, folder_of_wheels, platform.machine())
    card.write(files | {"cmdline.txt": card.command_line(boot).encode()}, boot)


def made(folder: Path) -> Path:
    """Make a folder and return it."""
    folder.mkdir(parents=True)
    return folder
