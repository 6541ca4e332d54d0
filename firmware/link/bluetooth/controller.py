"""The seam to a Bluetooth controller below the link, and its error."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol


class HciTransport(Protocol):
    """Both directions to a Bluetooth controller, as bumble's transports have them."""

    source: Any
    sink: Any

    async def close(self) -> None:
        """Give the controller back."""


OpenController = Callable[[], Awaitable[HciTransport]]
"""Opens a controller, any number of times. Raises RadioError."""


class RadioError(Exception):
    """The controller cannot be used: one line that says what to do."""
