"""What a link asks of a broker, whoever it is: the real one, a relay to it, or one in memory."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol


class BrokerError(ValueError):
    """A broker cannot be used; the text is one line that says what to do."""


class Message(NamedTuple):
    """What is published under a topic.

    Attributes:
        topic: without wildcards.
        payload: any bytes.
        retained: going out: the broker keeps it for who comes later. Coming in: it was kept.
        sure: it is sent until the broker has it (QoS 1); else once (QoS 0).
        expires_s: after so many seconds nobody is told it any more; None: never.
    """

    topic: str
    payload: bytes
    retained: bool = False
    sure: bool = False
    expires_s: int | None = None


@dataclass(frozen=True)
class Attendance:
    """What one is at a broker for.

    Attributes:
        topics: of which one is told what is published from now on. A level may be "+", the last
            ones "#".
        kept: topics of which one is told what the broker has kept, too.
        will: what the broker publishes when the connection ends without a farewell.
        user, password: whom one logs in as, unless an account is known otherwise.
    """

    topics: tuple[str, ...]
    kept: tuple[str, ...] = ()
    will: Message | None = None
    user: str = ""
    password: str = field(default="", repr=False)


class Session(Protocol):
    """One client at a broker, which connects anew for as long as it takes."""

    async def start(self, take: Callable[[Message], None]) -> None:
        """Begin to connect; ``take`` gets what is published under the attended topics."""

    async def stop(self) -> None:
        """Send what waits, for a moment, and part from the broker: no will is published."""

    def abandon(self) -> None:
        """Be gone at once, as when the power is cut: the broker publishes the will."""

    def attend(self, attendance: Attendance | None) -> None:
        """Be there for something else, or (None) for nothing; what was kept is forgotten here."""

    def publish(self, message: Message) -> None:
        """Send a message. Never waits.

        One that is retained is sent again after every connect, until another takes its place; one
        that is not is lost where there is no connection.
        """
