"""A session over wires: one connection after the other, for as long as needed."""

import asyncio
from asyncio import Future
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from firmware.link.broker.session import Attendance, Message
from firmware.table.protocol.retry import Retry

FIRST_US, LAST_US = 500_000, 8_000_000
"""Delay before the broker is tried again: at first, and at most."""


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
