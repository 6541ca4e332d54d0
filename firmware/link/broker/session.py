"""The interface of a link to any broker: a real one, a relay, one in memory; and its address."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, Self
from urllib.parse import unquote, urlsplit

KEEPALIVE_S = 10
"""A connection that is silent for longer counts as dead; the broker waits half as long again (MQTT
5, 3.1.2.10)."""


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
    """

    topics: tuple[str, ...]
    kept: tuple[str, ...] = ()
    will: Message | None = None
    user: str = ""
    password: str = field(default="", repr=False)


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

    def plain(self) -> dict[str, Any]:
        """Return plain values for JSON, the password among them."""
        return asdict(self) | {"ca": None if self.ca is None else str(self.ca)}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Self:
        """Return the address in the values of ``plain``."""
        ca = plain["ca"]
        return cls(**plain | {"ca": None if ca is None else Path(ca)})

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
