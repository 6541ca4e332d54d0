"""Brokers for tests: a real one for a whole run, and one that a test may kill."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from hw_sim.air.local_broker import LocalBroker, free_port, has_amqtt, mosquitto

needs_mosquitto = pytest.mark.skipif(mosquitto() is None, reason="mosquitto is not installed")
needs_amqtt = pytest.mark.skipif(not has_amqtt(), reason="amqtt is not installed")
SOON_S = 60.0
"""Nothing here takes so long, on any machine."""


@asynccontextmanager
async def running(folder, accounts=(), rules=(), more=(), **kinds):
    """A broker of one's own, which may be killed and started anew."""
    broker = LocalBroker(folder, free_port(), accounts, rules, more, **kinds)
    await broker.start()
    try:
        yield broker
    finally:
        broker.kill()


class Heard:
    """The messages that have come so far, and the wait for more."""

    def __init__(self):
        self.all = []
        self._more = asyncio.Event()

    def __call__(self, *what):
        self.all.append(what[0] if len(what) == 1 else what)
        self._more.set()

    async def until(self, found):
        """Wait until ``found`` of all that has come is true; returns what it returns."""
        async with asyncio.timeout(SOON_S):
            while not (answer := found(self.all)):
                self._more.clear()
                await self._more.wait()
        return answer
