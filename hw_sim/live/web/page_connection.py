"""A connection to a page, whatever carries it."""

from abc import ABC, abstractmethod
from time import monotonic

from hw_sim.live.web.incoming import BURST, MESSAGES_PER_S, TOO_MANY, Allowance, RefusalError


class PageConnection(ABC):
    """A connection to a page."""

    def __init__(self) -> None:
        self._allowance = Allowance(MESSAGES_PER_S, BURST, monotonic())

    @abstractmethod
    async def send(self, message: str | bytes) -> None:
        """Send a message: JSON, or the bytes of a panel.

        Raises:
            ConnectionError, RuntimeError: the page is gone.
        """

    @abstractmethod
    async def receive(self) -> str | None:
        """The next text; empty for one that is none or too long; None when the page is gone.

        Raises:
            RefusalError: the page sends too much.
        """

    @abstractmethod
    async def close(self, code: int, reason: str) -> None:
        """Say goodbye with a code and a reason, and cut the connection."""

    @abstractmethod
    def cut(self) -> None:
        """Cut the connection."""

    def _count(self) -> None:
        """Count a message.

        Raises:
            RefusalError: that was too much.
        """
        if not self._allowance.take(monotonic()):
            raise RefusalError(TOO_MANY, "too many messages")
