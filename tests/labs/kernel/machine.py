"""One kernel: a process of this machine that boots a real Linux on its files, read-only.

It may write one folder, which it finds at ``/var/lib``. Its first process is ``inside/init.sh``.
Its serial lines are sockets of this process: ``PINS`` carries the levels of pins into it,
``ADAPTER`` HCI packets both ways.
"""

import asyncio
import shlex
import socket
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
CACHE: Final = ROOT / ".kernel"
LINUX: Final = CACHE / "linux"
PYTHON: Final = CACHE / "venv" / "bin" / "python"
INSIDE: Final = Path(__file__).parent / "inside"

PINS, ADAPTER = range(2)
"""What the serial lines are for."""
_MEMORY = "mem=1G"
_ENDED = "ended with "
_NOISE = ("", "reboot: Power down")


class Machine:
    """A kernel that runs one command, as root, from boot until the command ends or it is cut.

    ``folder``: what it may write, made if need be. ``command``: what it runs there. ``bus``: the
    socket where its I2C controller is served. ``told`` gets every line that it prints.
    """

    def __init__(
        self,
        folder: Path,
        command: Sequence[str],
        bus: Path,
        told: Callable[[str], object] = lambda _line: None,
        environment: Mapping[str, str] = {},
    ) -> None:
        self._folder = folder
        self._command = command
        self._bus = bus
        self._told = told
        self._environment = environment
        self._process: asyncio.subprocess.Process | None = None
        self.lines: list[socket.socket] = []
        """This end of the serial lines, while it runs."""
        self.printed: list[str] = []
        self.status: int | None = None
        """What the command ended with; None when it did not."""

    async def boot(self) -> None:
        """Start it; what runs inside needs a moment more."""
        (self._folder / "maexchen").mkdir(parents=True, exist_ok=True)
        settings = {
            "PYTHON": str(PYTHON),
            "PYTHONPATH": str(ROOT),
            "RPI_LGPIO_REVISION": "c03115",
            "RPI_LGPIO_CHIP": "0",
            **self._environment,
        }
        lines = [f"export {name}={shlex.quote(value)}\n" for name, value in settings.items()]
        (self._folder / "environment.sh").write_text("".join(lines))
        (self._folder / "run.sh").write_text(shlex.join(self._command) + "\n")
        pairs = [socket.socketpair() for _ in range(2)]
        self.lines = [ours for ours, _ in pairs]
        theirs = [line.fileno() for _, line in pairs]
        self._process = await asyncio.create_subprocess_exec(
            "setpriv", "--pdeathsig=KILL",  # it does not outlive this process, whatever ends that
            str(LINUX), _MEMORY, "root=/dev/root", "rootfstype=hostfs", "ro", "quiet", "loglevel=1",
            f"init={INSIDE / 'init.sh'}", "con=null", "con0=null,fd:1",
            *(f"ssl{number}=fd:{line}" for number, line in enumerate(theirs)),
            f"virtio_uml.device={self._bus}:34",
            f"ROOM={INSIDE}", f"WRITABLE={self._folder}",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            pass_fds=theirs, cwd="/", start_new_session=True,
        )  # fmt: skip
        for _, line in pairs:
            line.close()

    async def ended(self) -> int | None:
        """Wait for its end; return the command's exit status, None if it was cut."""
        assert self._process is not None
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            text = line.decode(errors="replace").rstrip()
            if text.startswith(_ENDED):
                self.status = int(text.removeprefix(_ENDED))
                continue
            if text in _NOISE:
                continue
            self.printed.append(text)
            self._told(text)
        await self._process.wait()
        for line in self.lines:
            asyncio.get_running_loop().remove_reader(line)
            line.close()
        return self.status

    def cut(self) -> None:
        """Take its power: nothing in it is told."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.kill()
