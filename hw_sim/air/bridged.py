"""A session at a real broker for a world whose time another loop deals out."""

import asyncio
from collections.abc import Callable

from firmware.link.broker.session import Attendance, Message, Session
from hw_sim.clock.paced import PacedLoop


class BridgedSession:
    """A ``Session`` that is used in a paced world, and served by the loop around that.

    Args:
        world: the world's loop.
        session: made for the loop that runs the world.
    """

    def __init__(self, world: PacedLoop, session: Session) -> None:
        assert world.outer is not None, "a paced loop runs within another"
        self._world = world
        self._outer = world.outer
        self._session = session
        self._starting: asyncio.Task[None] | None = None

    async def start(self, take: Callable[[Message], None]) -> None:
        """Begin to connect, in a moment."""

        def came(message: Message) -> None:
            if not self._world.is_closed():
                self._world.inside(lambda: take(message))

        def begin() -> None:
            self._starting = self._outer.create_task(self._session.start(came))

        self._outer.call_soon(begin)

    async def stop(self) -> None:
        """Part from the broker, in a moment."""
        self._outer.call_soon(lambda: self._outer.create_task(self._session.stop()))

    def abandon(self) -> None:
        """Be gone in a moment."""
        self._outer.call_soon(self._session.abandon)

    def attend(self, attendance: Attendance | None) -> None:
        """As ``Session.listen_at``."""
        self._outer.call_soon(self._session.attend, attendance)

    def publish(self, message: Message) -> None:
        """As ``Session.publish``."""
        self._outer.call_soon(self._session.publish, message)
