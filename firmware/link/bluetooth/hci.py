"""The Bluetooth controller below the link: a real one opened by name, or any other transport."""

from typing import Any, Protocol

from bumble.core import BaseBumbleError


class HciTransport(Protocol):
    """Both directions to a Bluetooth controller, as bumble's transports have them."""

    source: Any
    sink: Any


class RadioError(Exception):
    """The controller cannot be used: one line that says what to do."""


async def open_hci(name: str = "hci-socket:0") -> Any:
    """Open a real controller by its bumble transport name. Raises RadioError with advice."""
    from bumble.transport import open_transport

    try:
        return await open_transport(name)
    except (BaseBumbleError, OSError) as problem:
        raise RadioError(
            f"the Bluetooth adapter {name} cannot be opened ({problem}): stop bluetoothd, take the "
            "adapter down (hciconfig hci0 down) and allow CAP_NET_ADMIN"
        ) from problem
