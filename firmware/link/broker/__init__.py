"""Frames over an MQTT broker, to wherever there is a network; `table.protocol` has sealed them.

`Session` is a link's interface to any broker: a real one, a relay, one in memory. `BrokerAddress`
says where it is. A `WireSession` makes one connection after the other, for as long as needed.

May import: link, table.protocol, effects. Then read ``link``.
"""

import asyncio
from asyncio import Future
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Final, NamedTuple, Protocol, Self
from urllib.parse import unquote, urlsplit

from firmware.table.protocol import Retry

KEEPALIVE_S = 10
"""A connection that is silent for longer counts as dead; the broker waits half as long again (MQTT
5, 3.1.2.10); chosen."""


class BrokerError(ValueError):
    """A broker cannot be used; the text is one line that says what to do."""


class Message(NamedTuple):
    """A message published under a topic.

    Attributes:
        topic: without wildcards.
        payload: any bytes.
        retained: outgoing: the broker keeps it for latecomers. Incoming: it was kept.
        sure: it is resent until the broker has it (QoS 1); else sent once (QoS 0).
        expires_s: the broker drops it after so many seconds; None: never.
    """

    topic: str
    payload: bytes
    retained: bool = False
    sure: bool = False
    expires_s: int | None = None


@dataclass(frozen=True)
class Attendance:
    """Topics, will and account of a client at a broker.

    Attributes:
        topics: topics of new messages. A level may be "+", the last ones "#".
        kept: topics of which kept messages are wanted, too.
        will: the message that the broker publishes when the connection ends without a farewell.
        user, password: the login, unless an account is known otherwise.
        sought: topics of the presence of all others at the table.
    """

    topics: tuple[str, ...]
    kept: tuple[str, ...] = ()
    will: Message | None = None
    user: str = ""
    password: str = field(default="", repr=False)
    sought: tuple[str, ...] = ()


class Session(Protocol):
    """One client at a broker, which reconnects for as long as needed."""

    async def start(self, take: Callable[[Message], None]) -> None:
        """Begin to connect; ``take`` gets the messages under the attended topics."""

    async def stop(self) -> None:
        """Send waiting messages, for a moment, and leave the broker: no will is published."""

    def abandon(self) -> None:
        """Vanish at once, as at a power cut: the broker publishes the will."""

    def attend(self, attendance: Attendance | None) -> None:
        """Change the attendance, or (None) end it; kept messages are forgotten here."""

    def publish(self, message: Message) -> None:
        """Send a message. Never waits.

        A retained message is resent after every connect until another replaces it. Without a
        connection, any other message is lost.
        """


_PORTS: Final = {"mqtt": 1883, "mqtts": 8883}


@dataclass(frozen=True)
class BrokerAddress:
    """The address of a broker.

    Attributes:
        host, port: its address.
        tls: whether the connection is authenticated and encrypted.
        user, password: of an account there; empty for none.
        ca: a file with its certificates (PEM); None: the system's.
        version: of MQTT, 5 or 3 (3.1.1, without expiry).
    """

    host: str
    port: int
    tls: bool
    user: str = ""
    password: str = field(default="", repr=False)
    ca: Path | None = None
    version: int = 5

    @classmethod
    def of(
        cls,
        url: str,
        ca: Path | None = None,
        user: str = "",
        password: str = "",
        *,
        open_wire: bool = False,
    ) -> Self:
        """Read a URL: ``mqtts://[user:password@]host[:port]``, or ``mqtt://`` without TLS.

        ``?version=3`` at the end is for brokers without MQTT 5. ``user`` and ``password`` replace
        those of the URL. ``open_wire`` allows a distant host without TLS.

        Raises:
            BrokerError: the URL is invalid, or leads elsewhere without TLS.
        """
        shown = url.rsplit("@", 1)[-1]
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError:
            host = port = None
            parts = urlsplit("")
        if parts.scheme not in _PORTS or not host or parts.path not in ("", "/"):
            raise BrokerError(f"broker {shown!r}: write mqtts://host:8883")
        if parts.query not in ("", "version=3", "version=5"):
            raise BrokerError(f"broker {shown!r}: behind the ? may stand version=3 or version=5")
        tls = parts.scheme == "mqtts"
        if ca is not None and not tls:
            raise BrokerError(f"broker {shown!r}: a ca goes with mqtts://: leave it out")
        if not (tls or open_wire or _is_this_machine(host)):
            raise BrokerError(
                f"broker {shown!r}: without TLS everybody on the way reads the password: write "
                "mqtts://, or allow it with open_wire = true"
            )
        return cls(
            host,
            port or _PORTS[parts.scheme],
            tls,
            user or unquote(parts.username or ""),
            password or unquote(parts.password or ""),
            ca,
            3 if parts.query == "version=3" else 5,
        )

    @property
    def url(self) -> str:
        """The URL, without the account."""
        return f"{'mqtts' if self.tls else 'mqtt'}://{self}"

    def __str__(self) -> str:
        """Return host and port, for people."""
        return f"{self.host}:{self.port}"


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


FIRST_US, LAST_US = 500_000, 8_000_000
"""Delay before the broker is tried again: at first, and at most; chosen."""


class ConnectionRefused(Exception):  # noqa: N818 - what the broker says
    """The broker refuses or has ended the connection; MQTT's ``code`` gives the reason.

    ``code``: None if the broker gave no reason.
    """

    def __init__(self, code: int | None) -> None:
        super().__init__(code)
        self.code = code


class Wire(Protocol):
    """One connection, for one attendance."""

    ended: Future[ConnectionRefused]
    """The reason for the end of the connection, once it has ended."""

    async def open(self) -> str | None:
        """Connect; return a topic that may not be read, None if all may.

        Raises ConnectionRefused, OSError or ValueError.
        """

    def publish(self, message: Message) -> None:
        """Send a message."""

    async def close(self) -> None:
        """Send waiting messages, say farewell and close."""

    def break_off(self) -> None:
        """Close at once, without a farewell."""


WireMaker = Callable[[Attendance, Callable[[Message], None]], Wire]
"""Creates a connection for an attendance; the second argument gets each message."""
Failure = ConnectionRefused | OSError | ValueError


class WireSession:
    """A ``Session`` that reconnects.

    Args:
        new_wire: creates each connection.
        trouble_of: explains a failure in one line.
        report: gets that line, once for each new trouble.
        chance: returns a number from 0 to 1, below 1: many do not come back at one instant.
    """

    def __init__(
        self,
        new_wire: WireMaker,
        trouble_of: Callable[[Failure], str],
        report: Callable[[str], None],
        chance: Callable[[], float],
    ) -> None:
        self._new_wire = new_wire
        self._trouble_of = trouble_of
        self._report = report
        self._chance = chance
        self._take: Callable[[Message], None] = _nobody
        self._attendance: Attendance | None = None
        self._changed = asyncio.Event()
        self._kept: dict[str, Message] = {}
        self._wire: Wire | None = None
        """The current connection, if there is one."""
        self._task: asyncio.Task[None] | None = None
        self._stops = False
        self._trouble = ""

    @property
    def is_connected(self) -> bool:
        """Whether the broker has let this client in."""
        return self._wire is not None

    async def start(self, take: Callable[[Message], None]) -> None:
        """Begin to connect; see ``Session.start``."""
        self._take = take
        self._task = asyncio.ensure_future(self._serve())
        self._task.add_done_callback(_raise_defect)

    async def stop(self) -> None:
        """Send waiting messages, and leave the broker."""
        self._stops = True
        self._changed.set()
        if self._task is not None:
            if self._wire is None:
                self._task.cancel()
            await asyncio.wait((self._task,))

    def abandon(self) -> None:
        """Break the connection off, so that the broker publishes the will."""
        self._take = _nobody
        self._stops = True
        if self._wire is not None:
            self._wire.break_off()
        if self._task is not None:
            self._task.cancel()

    def attend(self, attendance: Attendance | None) -> None:
        """Reconnect for another attendance; waiting messages go out before, if possible."""
        if attendance != self._attendance:
            self._attendance = attendance
            self._kept.clear()
            self._changed.set()

    def publish(self, message: Message) -> None:
        """Publish a message; see ``Session.publish``."""
        if message.retained:
            self._kept[message.topic] = message
        if self._wire is not None and not self._changed.is_set():
            self._wire.publish(message)

    async def _serve(self) -> None:
        retry = Retry(FIRST_US, LAST_US)
        while not self._stops:
            self._changed.clear()
            if self._attendance is None:
                await self._changed.wait()
                continue
            try:
                await self._attend(self._attendance)
                retry = retry.answered()
                continue
            except (ConnectionRefused, OSError, ValueError) as error:
                if self._wire is not None:  # it was open
                    self._wire, retry = None, retry.answered()
                self._say(self._trouble_of(error))
            retry = retry.sent(0)
            with suppress(TimeoutError):
                async with asyncio.timeout(retry.wait_us / 1e6 * (0.5 + self._chance())):
                    await self._changed.wait()

    async def _attend(self, attendance: Attendance) -> None:
        """Stay connected until the attendance changes; raise the error that ends it otherwise."""
        wire = self._new_wire(attendance, self._arrived)
        refused = await wire.open()
        self._trouble = ""
        if refused is not None:
            self._say(f"the broker does not let this user read {refused}: correct its access rules")
        self._wire = wire
        for message in self._kept.values():
            wire.publish(message)
        changed = asyncio.ensure_future(self._changed.wait())
        try:
            await asyncio.wait((wire.ended, changed), return_when=asyncio.FIRST_COMPLETED)
        finally:
            changed.cancel()
        if wire.ended.done():
            raise wire.ended.result()
        self._wire = None
        await wire.close()

    def _arrived(self, message: Message) -> None:
        self._take(message)

    def _say(self, line: str) -> None:
        if line != self._trouble:
            self._trouble = line
            self._report(line)


def _nobody(_message: Message) -> None:
    """Do nothing."""


def _raise_defect(task: "asyncio.Task[None]") -> None:
    """Let a defect come to light; a cancelled task is none."""
    if not task.cancelled():
        task.result()
