"""A systemd service: ready, watchdog, termination, and an end when the supply stays low.

Messages go as datagrams to ``$NOTIFY_SOCKET`` (sd_notify(3)), if there is one. The event loop feeds
the watchdog every half of ``$WATCHDOG_USEC``. If the loop blocks for longer, or a Bluetooth
controller stays dead (`Notifier.is_well`), systemd restarts the handheld, which continues from the
journal.

Numbers without a source are chosen.
"""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Final

SUPPLY_PERIOD_S: Final = 5.0
"""Interval of checks of the supply."""
LOW_FOR_S: Final = 60.0
"""The handheld ends after the supply was low for this long without a break."""


class Notifier:
    """Sends states to ``$NOTIFY_SOCKET``; does nothing without one."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        text = environment.get("WATCHDOG_USEC", "")
        self.watchdog_s: float | None = int(text) / 1e6 if text.isdigit() and int(text) else None
        """Longest time between two ``WATCHDOG=1``, from ``$WATCHDOG_USEC``; None without watchdog.
        """
        self.is_well: Callable[[], bool] = lambda: True
        """Asked before each ``WATCHDOG=1``: whether parts that the loop cannot see are alive."""

    def notify(self, state: str) -> None:
        """Send ``READY=1``, ``WATCHDOG=1`` or ``STOPPING=1``."""
        if not self._address:
            return
        address = self._address
        if address.startswith("@"):
            address = "\0" + address[1:]  # an abstract socket
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
            channel.setblocking(False)
            channel.sendto(state.encode(), address)


async def until_terminated(work: Callable[[Callable[[], object]], Awaitable[None]]) -> None:
    """Run ``work`` until it is done, or SIGTERM cancels it.

    ``work`` gets a function that cancels it, so that it closes its resources in order.
    """
    me = asyncio.current_task()
    assert me is not None, "a coroutine runs in a task"
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)
    with suppress(asyncio.CancelledError):
        await work(me.cancel)


@asynccontextmanager
async def attended(
    notifier: Notifier,
    supply_is_low: Callable[[], bool | None],
    tell_trouble: Callable[[str], None],
    end: Callable[[], object],
) -> AsyncIterator[None]:
    """Be a service during the block.

    Args:
        notifier: gets READY, WATCHDOG and STOPPING.
        supply_is_low: asked every `SUPPLY_PERIOD_S`; None if that is unknown.
        tell_trouble: gets one line when the supply becomes low, and one before ``end``.
        end: called when the supply has been low for `LOW_FOR_S`.
    """
    tasks = [asyncio.ensure_future(_watch_supply(supply_is_low, tell_trouble, end))]
    if notifier.watchdog_s is not None:
        tasks.append(asyncio.ensure_future(_feed_watchdog(notifier, notifier.watchdog_s / 2)))
    notifier.notify("READY=1")
    try:
        yield
    finally:
        notifier.notify("STOPPING=1")
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _feed_watchdog(notifier: Notifier, period_s: float) -> None:
    while True:
        if notifier.is_well():
            notifier.notify("WATCHDOG=1")
        await asyncio.sleep(period_s)


async def _watch_supply(
    is_low: Callable[[], bool | None],
    tell_trouble: Callable[[str], None],
    end: Callable[[], object],
) -> None:
    low_s = 0.0
    while True:
        await asyncio.sleep(SUPPLY_PERIOD_S)
        if not is_low():
            low_s = 0.0
            continue
        if not low_s:
            tell_trouble(
                "the supply voltage is too low: charge the power bank, or use a thick cable"
            )
        low_s += SUPPLY_PERIOD_S
        if low_s >= LOW_FOR_S:
            tell_trouble("the supply voltage stays too low: the handheld ends, its match is kept")
            end()
            return
