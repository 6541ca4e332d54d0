"""A real broker on this machine: mosquitto, or amqtt where that is missing."""

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from secrets import token_bytes
from typing import Any, Final

from firmware.cli.console import CommandError
from firmware.effects import TableAddress
from firmware.link.broker.topics import SALT_BYTES, WATCHERS, access_lines, password_line

LOOPBACK: Final = "127.0.0.1"
OWN_PORT: Final = 1883
"""The port of a broker of one's own: the one that is registered for MQTT (IANA)."""
START_S = 30.0
"""How long a broker may take until it listens, in seconds of this machine; chosen."""
MISSING: Final = "no broker is installed: on Debian install mosquitto, or pip install amqtt"


def mosquitto() -> str | None:
    """Return the path of mosquitto, or None if it is not installed."""
    return shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


def has_amqtt() -> bool:
    """Whether amqtt is installed beside this program."""
    return find_spec("amqtt") is not None


def free_port() -> int:
    """A port of this machine that nothing listens at."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def own_url() -> str:
    """Return the address of a broker of one's own, for clients on this machine."""
    return f"mqtt://{LOOPBACK}:{OWN_PORT}" + ("" if mosquitto() else "?version=3")


class LocalBroker:
    """A broker with a folder of its own, not started.

    Args:
        folder: for its configuration; is there.
        port: where it listens.
        accounts: lines of ``password_file``; without them, or with rules, clients need no account.
        rules: lines of ``acl_file``; empty allows everything. With any, amqtt carries the topics of
            handhelds alone.
        more: lines of mosquitto.conf; with any, amqtt will not do.
        with_amqtt: it is to be amqtt, which knows no accounts here.
        host: the address at which it listens; usually for this machine alone.

    Raises:
        CommandError: none is installed.
    """

    def __init__(
        self,
        folder: Path,
        port: int,
        accounts: Sequence[str] = (),
        rules: Sequence[str] = (),
        more: Sequence[str] = (),
        *,
        with_amqtt: bool = False,
        host: str = LOOPBACK,
    ) -> None:
        self.port = port
        self._host = host
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.is_mosquitto = mosquitto() is not None and not with_amqtt
        if not self.is_mosquitto and (more or not has_amqtt()):
            raise CommandError(MISSING)
        if self.is_mosquitto:
            self._command = self._of_mosquitto(accounts, rules, more)
        else:
            self._command = self._of_amqtt(rules)

    @property
    def url(self) -> str:
        """The address of the broker for clients."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"mqtt://{host}:{self.port}{'' if self.is_mosquitto else '?version=3'}"

    @property
    def pid(self) -> int | None:
        """The number of its process; None while it does not run."""
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Start it, and wait until it listens.

        Raises:
            CommandError: it ends at once, or does not listen within `START_S`.
        """
        with (self._folder / "broker.log").open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)
        until_s = time.monotonic() + START_S  # whatever the loop's own clock says
        while not await self._listens():
            if self._process.poll() is not None:
                raise CommandError(f"the broker ends at once: {self._last_words}")
            if time.monotonic() > until_s:
                self.kill()
                raise CommandError(f"the broker does not listen: {self._last_words}")
            await asyncio.sleep(0.01)

    def kill(self) -> None:
        """End it at once (SIGKILL); its retained messages are gone."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it in order."""
        self._end(signal.SIGTERM)

    def hold(self, on: bool) -> None:
        """Hold its process, which keeps its connections, or let it go on."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP if on else signal.SIGCONT)

    def _end(self, number: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(number)
            process.wait()

    async def _listens(self) -> bool:
        try:
            _, writer = await asyncio.open_connection(self._host, self.port)
        except OSError:
            return False
        writer.close()  # one from this very port has reached itself (RFC 9293, 3.5)
        return bool(writer.get_extra_info("sockname") != writer.get_extra_info("peername"))

    @property
    def _last_words(self) -> str:
        lines = (self._folder / "broker.log").read_text(errors="replace").splitlines()
        return lines[-1] if lines else "it says nothing"

    def _of_mosquitto(
        self, accounts: Sequence[str], rules: Sequence[str], more: Sequence[str]
    ) -> list[str]:
        lines = [
            f"listener {self.port} {self._host}",
            "persistence false",
            "set_tcp_nodelay true",  # else the second of two short messages waits 40 ms
            "log_type error",
            "log_type warning",
            f"allow_anonymous {'false' if accounts and not rules else 'true'}",
            *more,
        ]
        for name, told in (("password_file", accounts), ("acl_file", rules)):
            if told:
                path = self._folder / name
                path.write_text("\n".join((*told, "")), encoding="utf-8")
                path.chmod(0o600)
                lines.append(f"{name} {path}")
        if os.geteuid() == 0:
            lines.append("user root")  # or it could not read its own files
        path = self._folder / "mosquitto.conf"
        path.write_text("\n".join((*lines, "")), encoding="utf-8")
        return [mosquitto() or "mosquitto", "-c", str(path)]

    def _of_amqtt(self, rules: Sequence[str]) -> list[str]:
        path = self._folder / "amqtt.json"  # which is YAML, too
        lets_in = "amqtt.plugins.authentication.AnonymousAuthPlugin"
        plugins: dict[str, Any] = {lets_in: {"allow_anonymous": True}}
        if rules:
            plugins["hw_sim.air.amqtt_topics.OursAlone"] = {}
        settings = {
            "listeners": {"default": {"type": "tcp", "bind": f"{self._host}:{self.port}"}},
            "plugins": plugins,
        }
        path.write_text(json.dumps(settings), encoding="utf-8")
        return [str(Path(sys.executable).with_name("amqtt")), "-c", str(path)]


def broker_for(table_addresses: Sequence[TableAddress], folder: Path, port: int) -> LocalBroker:
    """A broker, not started, for a table: a seat has what is its own, all others may watch.

    Raises:
        CommandError: none is installed.
    """
    accounts = [
        password_line(table_address.user, table_address.password, token_bytes(SALT_BYTES))
        for table_address in table_addresses
    ]
    return LocalBroker(folder, port, accounts, [WATCHERS, *access_lines(table_addresses)])
