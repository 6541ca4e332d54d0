"""A session at a real broker: it connects anew for as long as it takes."""

import asyncio
import ssl
from collections.abc import Callable
from contextlib import suppress

from firmware.link.broker.address import BrokerAddress
from firmware.link.broker.session import Attendance, BrokerError, Message
from firmware.link.broker.troubles import trouble_of
from firmware.link.broker.wire import ConnectionRefused, Wire
from firmware.table.protocol.retry import Retry

FIRST_US, LAST_US = 500_000, 8_000_000
"""Before the broker is tried again: at first, and at most."""
MOST_BYTES = 4096
"""The broker is asked not to send anything longer, by who reads frames alone."""


class MqttSession:
    """A ``Session`` at a broker.

    Args:
        broker: where it is; its account, where it has one, stands for that of an attendance.
        tell: gets one line on what is wrong, once for each new trouble.
        chance: returns a number from 0 to 1, below 1: many do not come back at one instant.
        most_bytes: the broker is asked not to send anything longer; None: it may.

    Raises:
        BrokerError: the file of certificates cannot be used.
    """

    def __init__(
        self,
        broker: BrokerAddress,
        tell: Callable[[str], None],
        chance: Callable[[], float],
        most_bytes: int | None = MOST_BYTES,
    ) -> None:
        self._broker = broker
        self._tell = tell
        self._chance = chance
        self._most_bytes = most_bytes
        self._context = _context(broker)
        self._take: Callable[[Message], None] = _nobody
        self._attendance: Attendance | None = None
        self._changed = asyncio.Event()
        self._kept: dict[str, Message] = {}
        self._wire: Wire | None = None
        """The connection, while there is one."""
        self._task: asyncio.Task[None] | None = None
        self._stops = False
        self._trouble = ""

    async def start(self, take: Callable[[Message], None]) -> None:
        """Begin to connect, as ``Session.start``."""
        self._take = take
        self._task = asyncio.ensure_future(self._serve())
        self._task.add_done_callback(_raise_defect)

    async def stop(self) -> None:
        """Send what waits, and part from the broker."""
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
        """Connect anew, for something else; what waits is sent before, where there is a way."""
        if attendance != self._attendance:
            self._attendance = attendance
            self._kept.clear()
            self._changed.set()

    def publish(self, message: Message) -> None:
        """Send a message, as ``Session.publish``."""
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
                self._say(trouble_of(error, self._broker))
            retry = retry.sent(0)
            with suppress(TimeoutError):
                async with asyncio.timeout(retry.wait_us / 1e6 * (0.5 + self._chance())):
                    await self._changed.wait()

    async def _attend(self, attendance: Attendance) -> None:
        """Be connected until something else is to be attended; raises what ends it otherwise."""
        wire = Wire(self._broker, self._context, attendance, self._hear, self._most_bytes)
        refused = await wire.open()
        self._trouble = ""
        if refused is not None:
            self._say(
                f"broker {self._broker} does not let this user read {refused}: correct its access "
                "rules"
            )
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

    def _hear(self, message: Message) -> None:
        self._take(message)

    def _say(self, line: str) -> None:
        if line != self._trouble:
            self._trouble = line
            self._tell(line)


def _context(broker: BrokerAddress) -> ssl.SSLContext | None:
    if not broker.tls:
        return None
    try:
        return ssl.create_default_context(cafile=broker.ca)
    except OSError as error:
        why = "no certificate is in it" if isinstance(error, ssl.SSLError) else error.strerror
        raise BrokerError(f"ca {broker.ca}: {why}: name a file of certificates (PEM)") from None


def _nobody(_message: Message) -> None:
    """Nobody wants to know."""


def _raise_defect(task: "asyncio.Task[None]") -> None:
    """Let a defect come to light; a cancelled task is none."""
    if not task.cancelled():
        task.result()
