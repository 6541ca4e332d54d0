"""A session at a real broker."""

import ssl
from collections.abc import Callable

from firmware.effects.places import TableAddress
from firmware.link.broker.address import BrokerAddress
from firmware.link.broker.connecting import ConnectionRefused, WireSession
from firmware.link.broker.session import Attendance, BrokerError
from firmware.link.broker.troubles import trouble_of
from firmware.link.broker.wire import MqttWire

MOST_BYTES = 4096
"""The broker is asked to send nothing longer to a reader of frames alone."""


class MqttSession(WireSession):
    """A ``Session`` at a broker.

    Args:
        broker: its address; an account in it replaces that of an attendance.
        report: gets one line on each new trouble.
        chance: returns a number from 0 to 1, below 1, so that many do not return at one instant.
        most_bytes: the broker is asked to send nothing longer; None: no limit.

    Raises:
        BrokerError: the file of certificates cannot be used.
    """

    def __init__(
        self,
        broker: BrokerAddress,
        report: Callable[[str], None],
        chance: Callable[[], float],
        most_bytes: int | None = MOST_BYTES,
    ) -> None:
        context = _context(broker)
        super().__init__(
            lambda attendance, take: MqttWire(broker, context, attendance, take, most_bytes),
            lambda failure: trouble_of(failure, broker),
            report,
            chance,
        )


async def reach(broker: BrokerAddress, seat: TableAddress) -> None:
    """Connect to a broker once, with the account of a seat, and leave it again.

    Raises:
        BrokerError: the broker does not answer, or does not let the seat in.
    """
    attendance = Attendance((), user=seat.user, password=seat.password)
    wire = MqttWire(broker, _context(broker), attendance, lambda _message: None, MOST_BYTES)
    try:
        await wire.open()
    except (ConnectionRefused, OSError, ValueError) as error:
        raise BrokerError(trouble_of(error, broker)) from None
    await wire.close()


def _context(broker: BrokerAddress) -> ssl.SSLContext | None:
    if not broker.tls:
        return None
    try:
        return ssl.create_default_context(cafile=broker.ca)
    except OSError as error:
        why = "no certificate is in it" if isinstance(error, ssl.SSLError) else error.strerror
        raise BrokerError(f"ca {broker.ca}: {why}: name a file of certificates (PEM)") from None
