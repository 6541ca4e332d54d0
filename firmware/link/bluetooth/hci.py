"""A real Bluetooth controller, opened by its name."""

import re

from firmware.link.bluetooth.adapter import open_user_channel, remedy, trouble_of
from firmware.link.bluetooth.controller import HciTransport, RadioError
from firmware.link.bluetooth.user_channel import UserChannel

_OWN = re.compile(r"hci-socket(?::(\d+))?")


async def open_hci(name: str = "hci-socket:0") -> HciTransport:
    """Open a real controller by its bumble transport name; ``hci-socket:0`` is the Pi's own.

    Raises:
        RadioError: it cannot be opened.
    """
    own = _OWN.fullmatch(name)
    if own is not None:
        try:
            return UserChannel(open_user_channel(int(own[1] or 0), take_down=True))
        except OSError as problem:
            raise RadioError(
                f"the Bluetooth adapter {name} cannot be opened ({problem.strerror}): "
                f"{remedy(trouble_of(problem))}"
            ) from problem
    from bumble.transport import open_transport

    try:
        transport: HciTransport = await open_transport(name)
    except Exception as problem:  # bumble's transports raise what they like, even Exception itself
        raise RadioError(
            f"bluetooth = {name!r} cannot be opened ({problem}): write the name of a bumble "
            'transport into the settings, such as "hci-socket:0" for the Pi\'s own controller'
        ) from problem
    return transport
