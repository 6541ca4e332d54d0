"""A service that says how it is, and ends when its power fails."""

import asyncio
import socket

import pytest

from firmware.service import LOOK_S, LOW_FOR_S, Notifier, attended
from hw_sim.clock import run


@pytest.fixture
def systemd(tmp_path):
    """Who listens, as systemd does: the environment to give, and what was heard."""
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(path))
        listener.setblocking(False)

        def heard():
            found = []
            while True:
                try:
                    found.append(listener.recv(100).decode())
                except BlockingIOError:
                    return found

        yield {"NOTIFY_SOCKET": str(path)}, heard


def attend(seconds, environment, low=lambda: None):
    async def main():
        troubles, ended = [], []
        loop = asyncio.get_running_loop()
        async with attended(
            Notifier(environment), low, troubles.append, lambda: ended.append(loop.time())
        ):
            await asyncio.sleep(seconds)
        return troubles, ended

    return run(main())


def test_it_is_ready_lives_and_stops(systemd):
    environment, heard = systemd
    attend(61, {**environment, "WATCHDOG_USEC": "30000000"})
    assert heard() == ["READY=1"] + ["WATCHDOG=1"] * 5 + ["STOPPING=1"]


def test_without_a_watchdog_no_sign_of_life_is_sent(systemd):
    environment, heard = systemd
    attend(100, environment)
    assert heard() == ["READY=1", "STOPPING=1"]


@pytest.mark.parametrize("environment", [{}, {"NOTIFY_SOCKET": "/nowhere/notify"}])
@pytest.mark.parametrize("watchdog", ["", "x", "0", "1000000"])
def test_where_nobody_listens_it_works_all_the_same(environment, watchdog):
    assert attend(10, {**environment, "WATCHDOG_USEC": watchdog}) == ([], [])


def test_a_supply_that_stays_low_ends_it_and_one_that_recovers_does_not():
    troubles, ended = attend(LOW_FOR_S + 10, {}, lambda: True)
    assert ended == [LOW_FOR_S]
    assert len(troubles) == 2
    looks = iter([True] * 11 + [False] + [True] * 11 + [False] * 100)
    troubles, ended = attend(40 * LOOK_S, {}, lambda: next(looks))
    assert ended == []
    assert len(troubles) == 2
