"""The loop's clock in the unit of the project."""

import asyncio

US_PER_S = 1_000_000


def now_us(loop: asyncio.AbstractEventLoop) -> int:
    """Return ``loop.time()`` in whole microseconds, rounded."""
    return round(loop.time() * US_PER_S)
