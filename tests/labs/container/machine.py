"""A system in a folder: layers over each other, commands in it, and systemd booted on it."""

import ctypes
import itertools
import os
import shlex
import signal
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

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


class Ran(subprocess.CompletedProcess[str]):
    """A command that has ended."""

    @property
    def told(self) -> str:
        """The output of the command, stdout before stderr."""
        return self.stdout + self.stderr


def own_mounts() -> None:
    """Let this process mount what nobody else sees, and what goes when it ends."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNS):
        raise CannotRunError(f"no mounts of its own ({os.strerror(ctypes.get_errno())}): be root")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)


def run(*command: str | Path, **more: object) -> Ran:
    """Run a command to its end, whatever that is; ``more`` as of `subprocess.run`."""
    done = subprocess.run(command, capture_output=True, text=True, **more)  # type: ignore[call-overload]
    return Ran(done.args, done.returncode, done.stdout, done.stderr)


def must(*command: str | Path, **more: object) -> Ran:
    """Run a command that has to end well, or tell what it said."""
    ran = run(*command, **more)
    if ran.returncode:
        raise RuntimeError(f"{shlex.join(map(str, command))}: {ran.told[-2000:]}")
    return ran


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
    ) -> Ran:
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
        ran = self.run(command, user, network=network)
        if ran.returncode:
            raise RuntimeError(f"{command}: {ran.told[-3000:]}")
        return ran.stdout

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
def layered(layers: Sequence[Path], scratch: Path) -> Iterator[tuple[Machine, list[Path]]]:
    """A machine over layers, the uppermost first, that keeps its changes in one more.

    Yields it, and its layers; these may lie below others as soon as the block is left.
    """
    upper, work, root = (scratch / name for name in ("changes", "work", "root"))
    for folder in (upper, work, root):
        folder.mkdir(parents=True)
    options = f"lowerdir={':'.join(map(str, layers))},upperdir={upper},workdir={work}"
    must("mount", "-t", "overlay", "overlay", "-o", options, root)
    try:
        yield Machine(root), [upper, *layers]
    finally:
        must("umount", "--recursive", "--lazy", root)
