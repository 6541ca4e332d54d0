"""The interface of a link to any broker: a real one, a relay to it, or one in memory."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

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
