"""The first start of a card, on the Pi: unpack the program, set it up, restart into the lobby.

`make card` lays this file beside ``maexchen.tar`` and ``pages.json``. It runs before anything is
installed, so it needs the system's Python alone. Each step shows a page on the display, drawn
beforehand, and the green LED blinks: slowly while it works, fast once it has stopped. An error
leaves one line in ``maexchen-log.txt`` on the boot partition. The next start tries again.
"""

import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

SOURCE = Path("/usr/local/src/maexchen")
LOG = "maexchen-log.txt"
BUS = "/dev/i2c-1"
I2C_SLAVE = 0x0703  # linux/i2c-dev.h
PANEL_ADDRESS = 0x3C
"""The address of the display (SSD1306, data sheet: with D/C# low)."""
SET_UP = bytes.fromhex("00 ae 2000 2100 7f 220007 40 a1 a83f c8 d300 da12 d580 d9f1 db30 a4a6 8d14")
"""Control byte and commands: off, horizontal addressing, all of the glass, charge pump (SSD1306
data sheet, table 9-1). Like ``drivers.ssd1306``."""
LEDS = Path("/sys/class/leds")
SLOW_MS, FAST_MS = 500, 100
"""Half a blink of the LED; chosen."""
NEEDED_BYTES = 300_000_000
"""Room for the program, its environment and pip at work; measured 130 MB, the rest is guessed."""
STEPS = {
    "bin/pip install": "libraries",
    "--no-build-isolation": "program",
    "/config.txt": "system",
}
"""By what a line of setup-pi has in it, the step that it begins; the last one counts."""
FAULTS = {
    "No space left": "room",
    "no 64-bit": "bits",
    "apt-get": "packages",
    "Unable to locate": "packages",
    "E: ": "packages",
    "No matching distribution": "python",
}
"""By what an error of setup-pi has in it, the page that says what to do."""


class StoppedError(Exception):
    """The first start cannot go on. ``page`` says what to do."""

    def __init__(self, page: str, line: str) -> None:
        super().__init__(line)
        self.page = page


def show(frame: bytes) -> None:
    """Show 1024 bytes of the panel's memory, page by page; without a display do nothing."""
    with suppress(OSError):
        bus = os.open(BUS, os.O_RDWR)
        try:
            fcntl.ioctl(bus, I2C_SLAVE, PANEL_ADDRESS)
            os.write(bus, SET_UP)
            for at in range(0, len(frame), 128):
                os.write(bus, b"\x40" + frame[at : at + 128])
            os.write(bus, b"\x00\xaf")
        finally:
            os.close(bus)


def blink(half_ms: int) -> None:
    """Let the green LED blink, ``half_ms`` on and off; do nothing where there is none."""
    for name in ("ACT", "led0"):
        with suppress(OSError):
            (LEDS / name / "trigger").write_text("timer")
            for half in ("delay_on", "delay_off"):
                (LEDS / name / half).write_text(str(half_ms))
            return


def wake_the_bus() -> None:
    """Switch I2C on for this start, as raspi-config does; config.txt has it from the next on."""
    for command in (["dtparam", "i2c_arm=on"], ["modprobe", "i2c-dev"]):
        with suppress(OSError):
            subprocess.run(command, capture_output=True, check=False)


def unpack(archive: Path, digest: str, source: Path) -> None:
    """Unpack an archive with this SHA-256 into an empty folder; raises StoppedError."""
    if "64" not in platform.machine():
        raise StoppedError("bits", f"{platform.machine()} is no 64-bit system")
    parent = source.parent
    parent.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(parent).free
    if free < NEEDED_BYTES:
        raise StoppedError("room", f"{free // 10**6} MB are free, {NEEDED_BYTES // 10**6} needed")
    if hashlib.sha256(archive.read_bytes()).hexdigest() != digest:
        raise StoppedError("broken", f"{archive.name} is not what make card wrote")
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir()
    ran = subprocess.run(
        ["tar", "-xf", archive, "-C", source], capture_output=True, text=True, check=False
    )
    if ran.returncode:
        told = ran.stderr.strip().splitlines() or ["tar failed"]
        raise StoppedError("room" if "No space" in ran.stderr else "failed", told[0])


def set_up(command: Sequence[str], told: Callable[[str], None]) -> None:
    """Run setup-pi; ``told`` hears the steps as they begin. Raises StoppedError."""
    lines = []
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, errors="replace",
    ) as ran:  # fmt: skip
        for line in ran.stdout or ():
            print(line, end="", flush=True)
            lines.append(line.strip())
            found = [step for needle, step in STEPS.items() if needle in line]
            if line.startswith("+") and found:
                told(found[-1])
    if ran.returncode:
        wrong = [line for line in lines if line and not line.startswith(("+", "=", "-"))]
        wrong = [line for line in wrong if "not finished" not in line] or ["setup-pi failed"]
        page = next((FAULTS[each] for each in FAULTS if each in "\n".join(wrong[-5:])), "failed")
        raise StoppedError(page, wrong[-1])


def start(boot: Path, source: Path, more: Sequence[str] = ()) -> int:
    """Do the first start from a boot partition, and return the exit status.

    Args:
        boot: the boot partition; its folder ``maexchen`` is what `make card` wrote.
        source: where the project is unpacked.
        more: further arguments of setup-pi.
    """
    here = boot / "maexchen"
    pages = json.loads((here / "pages.json").read_text(encoding="utf-8"))
    at = "unpack"

    def turn(step: str) -> None:
        nonlocal at
        at = step
        show(bytes.fromhex(pages[step]["frame"]))

    blink(SLOW_MS)
    turn("unpack")
    try:
        options = json.loads((here / "options.json").read_text(encoding="utf-8"))
        unpack(here / "maexchen.tar", options["sha256"], source)
        if options["login"]:
            os.environ["SUDO_USER"] = options["login"]
        set_up(["sh", str(source / "install/setup-pi"), *options["arguments"], *more], turn)
    except StoppedError as error:
        page = error.page
        line = f"first start: stopped at {at}: {error} - {pages[page]['text']}\n"
    else:
        page, line = "done", "first start: done\n"
    print(line, end="", file=sys.stderr)
    with suppress(OSError):  # a full or read-only partition must not hide the page
        (boot / LOG).write_text(line, encoding="utf-8")
    turn(page)
    if page != "done":
        blink(FAST_MS)
        return 1
    (here / "maexchen.tar").unlink()
    os.sync()
    return 0


def main() -> int:
    """Wake the bus, do the first start, and restart the Pi once it is done."""
    wake_the_bus()
    status = start(Path("/boot/firmware"), SOURCE)
    if status == 0:
        subprocess.run(["systemctl", "disable", "maexchen-card.service"], check=False)
        subprocess.run(["systemctl", "reboot"], check=False)
    return status


if __name__ == "__main__":
    sys.exit(main())
