"""Write the files that let a Pi install itself from a fresh card: ``make card``.

    python install/card.py --card /media/me/bootfs        # onto the boot partition
    python install/card.py                                # into build/card, to be copied

One description, `Card`, becomes two shapes, since Pi OS reads first starts in two ways (Raspberry
Pi Imager, doc/os_customisation_formats.md): Trixie since November 2025 reads cloud-init's files
``user-data``, ``meta-data`` and ``network-config`` (pi-gen, stage2/04-cloud-init); Bookworm, and
Trixie's first image, run ``firstrun.sh``, which ``cmdline.txt`` names. Both call ``begin``.
"""

import argparse
import getpass
import hashlib
import io
import json
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from drivers.light_sensor import LIGHT_SENSORS
from drivers.panel import pack
from firmware.display.oled import font
from firmware.display.oled.canvas import FULL, Align, PageCanvas

ROOT = Path(__file__).parents[1]
INSTALL = ROOT / "install"
WHEELS = ROOT / "wheels"
FOLDER = "maexchen"
"""The folder on the boot partition that has all but what Pi OS itself reads."""
MACHINE = "aarch64"
SYSTEMD_RUN = (
    " systemd.run=/boot/firmware/firstrun.sh systemd.run_success_action=reboot"
    " systemd.unit=kernel-command-line.target"
)
"""As the Imager writes it (src/downloadthread.cpp), but for the folder."""
BOOT = ("config.txt", "cmdline.txt", "kernel8.img")
"""Files by which a boot partition of a 64-bit Pi OS is known."""
SPARE_BYTES = 1 << 20
"""For the log, and what Pi OS itself writes at its first start; chosen."""
KEYS = ("ssh-ed25519 ", "ssh-rsa ", "ecdsa-sha2-", "sk-ssh-ed25519", "sk-ecdsa-sha2-")
IN_THE_TAR = ("LICENSE", "README.md", "pyproject.toml", "install", "steckbrett")
"""Beside the packages of the wheel and the wheels."""


class CardError(Exception):
    """One line that says what is wrong and what to do."""


@dataclass(frozen=True)
class Card:
    """The maker's choices for a card.

    Attributes:
        login: the name of a user who may log in, or empty.
        password: its hash as in /etc/shadow, or empty.
        key: one line of an OpenSSH public key, or empty.
        wifi, psk: name and 64 hex digits of the key of a Wi-Fi, or both empty.
        country: two letters, for the Wi-Fi.
        language: of the pages and the display.
        arguments: further ones of setup-pi.
    """

    login: str = ""
    password: str = ""
    key: str = ""
    wifi: str = ""
    psk: str = ""
    country: str = ""
    language: str = "en"
    arguments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.login and not re.fullmatch(r"(?!root$)[a-z][a-z0-9-]{0,31}", self.login):
            raise CardError(f"login {self.login!r}: small letters, digits and -, and not root")
        if self.login and not (self.password or self.key):
            raise CardError("a login wants a password or an SSH key: there is no default password")
        if self.key and not self.login:
            raise CardError("an SSH key wants a login: give LOGIN=name, too")
        if self.key and (not self.key.startswith(KEYS) or "\n" in self.key):
            raise CardError("the SSH key is no public key: give the file that ends with .pub")
        if self.wifi and not re.fullmatch("[A-Z]{2}", self.country):
            raise CardError("a Wi-Fi wants a country of two letters, such as COUNTRY=DE")
        if len(self.wifi.encode()) > 32:
            raise CardError("the name of a Wi-Fi has at most 32 bytes")
        if self.language not in texts():
            raise CardError(f"language {self.language!r}: there are {', '.join(texts())}")


def texts() -> dict[str, dict[str, list[str]]]:
    """Return the title and text of each page of the first start, by language."""
    return tomllib.loads((INSTALL / "card.toml").read_text(encoding="utf-8"))


def drawn(title: str, text: str, language: str) -> tuple[bytes, list[str]]:
    """Return the panel's memory, 1024 bytes, with a page, and what does not fit it."""
    page = PageCanvas(language)
    page.text(title, 13, (font.HEADING, font.BOLD, font.SMALL), FULL, Align.LEFT)
    page.paragraph(text, 26, 10)
    return pack(page.image.columns), page.misfits


def user_data(card: Card) -> str:
    """Return cloud-init's user-data, YAML whose values are JSON, as the Imager shapes it."""
    lines = ["#cloud-config", "# Written by make card.", "bootcmd:"]
    lines.append(f"- [sh, /boot/firmware/{FOLDER}/begin, now]")
    if card.login:
        say = json.dumps
        lines += ["user:", f"  name: {say(card.login)}", "  shell: /bin/bash"]
        lines.append(f"  lock_passwd: {say(not card.password)}")
        if card.password:
            lines += [f"  passwd: {say(card.password)}", "  sudo: null"]
        else:
            lines.append('  sudo: "ALL=(ALL) NOPASSWD:ALL"')
        if card.key:
            lines += ["  ssh_authorized_keys:", f"  - {say(card.key, ensure_ascii=False)}"]
        lines += [f"ssh_pwauth: {say(not card.key)}", "runcmd:"]
        lines.append("- [systemctl, enable, --now, ssh]")
    return "\n".join(lines) + "\n"


def network_config(card: Card) -> str:
    """Return cloud-init's network-config, version 2, for a card with a Wi-Fi.

    cloud-init hands ``wifis`` on to netplan, which Pi OS has beside it. Its own schema lacks them.
    """
    name = json.dumps(card.wifi, ensure_ascii=False)
    password = [f'          password: "{card.psk}"']
    lines = [
        *("network:", "  version: 2", "  ethernets:", "    eth0:", "      dhcp4: true"),
        *("      optional: true", "  wifis:", "    wlan0:", "      dhcp4: true"),
        *("      optional: true", f'      regulatory-domain: "{card.country}"'),
        *("      access-points:", f"        {name}:", *password),
    ]
    return "\n".join(lines) + "\n"


def firstrun(card: Card) -> str:
    """Return firstrun.sh: what systemd runs once on Bookworm, with Pi OS's own helpers."""
    custom = "/usr/lib/raspberrypi-sys-mods/imager_custom"
    lines = ["#!/bin/sh", "# Written by make card.", "set +e"]
    if card.login:
        way = f"-k {shlex.quote(card.key)}" if card.key else "-p"
        lines.append(f"{custom} enable_ssh {way}")
        # No password has the hash "*", so a login by key alone has none.
        login, password = shlex.quote(card.login), shlex.quote(card.password or "*")
        lines.append(f"/usr/lib/userconf-pi/userconf {login} {password}")
    if card.wifi:
        lines.append(f"{custom} set_wlan {shlex.quote(card.wifi)} {card.psk} {card.country}")
    lines += [
        f"sh /boot/firmware/{FOLDER}/begin",
        "rm -f /boot/firmware/firstrun.sh",
        "sed -i 's| systemd[.][^ ]*||g' /boot/firmware/cmdline.txt",
        "exit 0",
    ]
    return "\n".join(lines) + "\n"


def shaped(card: Card) -> dict[str, str]:
    """Return the files that Pi OS itself reads, in both shapes, by name."""
    files = {"user-data": user_data(card), "firstrun.sh": firstrun(card)}
    if card.wifi:
        files["network-config"] = network_config(card)
    # cloud-init does its work once for each id.
    number = hashlib.sha256("".join(files.values()).encode()).hexdigest()[:12]
    files["meta-data"] = f"dsmode: local\ninstance-id: maexchen-{number}\n"
    return files


def check_wheels(wheels: Path, pins: str, machine: str = MACHINE) -> None:
    """Raise CardError unless a folder has a wheel for a machine of each package pinned."""
    names = [wheel.name for wheel in wheels.glob("*.whl")]
    if not names:
        raise CardError(f"{wheels} has no wheels: call make wheels first, with a network")
    fitting = {
        re.sub(r"[-_.]+", "-", name.split("-")[0]).lower()
        for name in names
        if name.endswith(("-any.whl", f"_{machine}.whl"))
    }
    lacking = sorted(set(re.findall(r"(?m)^([a-z\d-]+)==", pins)) - fitting)
    if lacking:
        raise CardError(
            f"{wheels} has no {lacking[0]} for {machine}, which a 64-bit Pi is:"
            " call make wheels again"
        )


def in_the_tar(wheels: Path) -> Iterator[tuple[str, Path]]:
    """Yield the names and files of what the Pi unpacks: the project and its wheels."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    for name in (*IN_THE_TAR, *packages):
        for path in sorted([ROOT / name, *(ROOT / name).rglob("*")]):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path.relative_to(ROOT).as_posix(), path
    for path in sorted(wheels.glob("*.whl")):
        yield f"wheels/{path.name}", path


def packed(wheels: Path) -> bytes:
    """Return maexchen.tar; every file is root's."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name, path in in_the_tar(wheels):
            about = tar.gettarinfo(path, name)
            about.uid = about.gid = 0
            about.uname = about.gname = "root"
            with path.open("rb") as file:
                tar.addfile(about, file)
    return made.getvalue()


def contents(card: Card, wheels: Path = WHEELS, machine: str = MACHINE) -> dict[str, bytes]:
    """Return every file of the boot folder by its path in it; raises CardError."""
    check_wheels(wheels, (INSTALL / "requirements.txt").read_text(encoding="utf-8"), machine)
    pages = {
        name: {"text": text, "frame": drawn(title, text, card.language)[0].hex()}
        for name, (title, text) in texts()[card.language].items()
    }
    arguments = ["--language", card.language, *card.arguments]
    archive = packed(wheels)
    digest = hashlib.sha256(archive).hexdigest()
    options = {"login": card.login, "arguments": arguments, "sha256": digest}
    files = {name: text.encode() for name, text in shaped(card).items()}
    for name in ("begin", "first_start.py", "maexchen-card.service"):
        files[f"{FOLDER}/{name}"] = (INSTALL / name).read_bytes()
    files[f"{FOLDER}/pages.json"] = json.dumps(pages, ensure_ascii=False).encode()
    files[f"{FOLDER}/options.json"] = json.dumps(options).encode()
    files[f"{FOLDER}/maexchen.tar"] = archive
    return files


def command_line(boot: Path) -> str:
    """Return cmdline.txt of a boot partition as it has to be; raises CardError."""
    lacking = [name for name in BOOT if not (boot / name).is_file()]
    if lacking:
        raise CardError(
            f"{boot} is no boot partition of a 64-bit Pi OS, {lacking[0]} is missing:"
            " name the folder where the card's bootfs appears"
        )
    line = (boot / "cmdline.txt").read_text(encoding="utf-8").strip().replace(SYSTEMD_RUN, "")
    if "systemd.run=" in line or "ds=nocloud" in line:
        raise CardError(
            f"{boot} has settings of the Imager: write the card again without them,"
            " and give make card login and Wi-Fi"
        )
    reads_cloud_init = (boot / "meta-data").is_file()
    return line + ("" if reads_cloud_init else SYSTEMD_RUN) + "\n"


def read_by(cmdline: str, files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files without the shape that a card with this cmdline.txt does not read."""
    unread = {"user-data", "meta-data", "network-config"}
    if SYSTEMD_RUN not in cmdline:
        unread = {"firstrun.sh"}
    kept = {name: text for name, text in files.items() if name not in unread}
    return kept | {"cmdline.txt": cmdline.encode()}


def write(files: dict[str, bytes], boot: Path) -> None:
    """Write the files into a folder, cmdline.txt last; raises CardError where there is no room."""
    needed = sum(map(len, files.values())) + SPARE_BYTES
    former = sum(path.stat().st_size for path in (boot / FOLDER).rglob("*") if path.is_file())
    free = shutil.disk_usage(boot).free + former
    if free < needed:
        raise CardError(
            f"{boot} has {free // 10**6} MB free, and {needed // 10**6} MB are needed:"
            " write the card again"
        )
    shutil.rmtree(boot / FOLDER, ignore_errors=True)
    for name, text in sorted(files.items(), key=lambda file: file[0] == "cmdline.txt"):
        path = boot / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text)


def hashed(password: str) -> str:
    """Return the hash of a password as /etc/shadow has it (SHA-512); raises CardError."""
    if not password:
        raise CardError("the password is empty: a login wants one, or an SSH key")
    try:
        ran = subprocess.run(
            ["openssl", "passwd", "-6", "-stdin"],
            input=password + "\n", capture_output=True, text=True, check=True,
        )  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        raise CardError("no openssl here hashes passwords: give an SSH key instead") from None
    return ran.stdout.strip()


def pre_shared(name: str, passphrase: str) -> str:
    """Return the key of a Wi-Fi, 64 hex digits (IEEE 802.11, J.4.1); raises CardError."""
    if not 8 <= len(passphrase.encode()) <= 63:
        raise CardError("the password of a Wi-Fi has 8 to 63 letters")
    return hashlib.pbkdf2_hmac("sha1", passphrase.encode(), name.encode(), 4096, 32).hex()


def wanted(arguments: argparse.Namespace) -> Card:
    """Return the description that the arguments give; asks for passwords. Raises CardError."""
    key = ""
    if arguments.key:
        try:
            key = Path(arguments.key).expanduser().read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            raise CardError(f"{arguments.key} cannot be read: give the file of a key") from None
    password = psk = ""
    if arguments.login and not key:
        password = hashed(getpass.getpass(f"password of {arguments.login}: "))
    if arguments.wifi:
        psk = pre_shared(arguments.wifi, getpass.getpass(f"password of {arguments.wifi}: "))
    more: list[str] = []
    for name in ("light", "link"):
        more += [f"--{name}", value] if (value := getattr(arguments, name)) else []
    return Card(
        arguments.login, password, key, arguments.wifi, psk, arguments.country,
        arguments.language, tuple(more),
    )  # fmt: skip


def main(arguments: list[str]) -> int:
    """Write a card, or say in one line why not; return the exit status."""
    parser = argparse.ArgumentParser(prog="card.py", description="Write a card that starts.")
    parser.add_argument("--card", default="", help="the boot partition; else build/card")
    for name in ("login", "key", "wifi", "country"):
        parser.add_argument(f"--{name}", default="")
    parser.add_argument("--language", default="en")
    parser.add_argument("--wheels", default=str(WHEELS), help="the folder of make wheels")
    parser.add_argument("--light", choices=LIGHT_SENSORS)
    parser.add_argument("--link", choices=("bluetooth", "ir", "both"))
    given = parser.parse_args(arguments)
    boot = Path(given.card) if given.card else ROOT / "build" / "card"
    try:
        cmdline = command_line(boot) if given.card else ""
        files = contents(wanted(given), Path(given.wheels))
        if given.card:
            files = read_by(cmdline, files)
        else:
            boot.mkdir(parents=True, exist_ok=True)
        write(files, boot)
    except (CardError, OSError) as problem:
        print(f"card: {problem}", file=sys.stderr)
        return 2
    size = sum(map(len, files.values())) // 10**6
    if given.card:
        print(f"{boot}: {size} MB. Eject the card, put it into the Pi, and give it power.")
    else:
        print(f"{boot}: {size} MB. Copy all that is in it onto a Trixie card's bootfs.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
