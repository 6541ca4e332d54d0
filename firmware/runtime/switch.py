"""An on-off state, and a way to wait until it is on."""

import asyncio
from dataclasses import dataclass, field


@dataclass
class Switch:
    """On or off; turning it on ends every ``turned_on``."""

    on: bool = False
    _waiters: list[asyncio.Future[None]] = field(default_factory=list)

    def set(self, on: bool) -> None:
        """Turn the switch on or off."""
        self.on = on
        if on:
            waiters, self._waiters = self._waiters, []
            for waiter in waiters:
                _wake(waiter)

    async def turned_on(self, timeout_s: float | None = None) -> None:
        """Return when it is on, or after ``timeout_s`` (None: wait for ever)."""
        if self.on:
            return
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[None] = loop.create_future()
        self._waiters.append(waiter)
        timer = None
        if timeout_s is not None:
            timer = loop.call_later(timeout_s, _wake, waiter)
        try:
            await waiter
        finally:
            if timer is not None:
                timer.cancel()
            if waiter in self._waiters:
                self._waiters.remove(waiter)


def _wake(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)
