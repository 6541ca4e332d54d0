"""A service that says how it is, and ends when its power fails."""

import asyncio
import json
import socket
import subprocess
import sys

import pytest

from firmware.runtime.service import LOW_FOR_S, SUPPLY_PERIOD_S, Notifier, attended
from firmware.upkeep.doctor.patient import LinuxHost
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


def test_the_watchdog_is_fed_only_while_all_is_well(systemd):
    environment, heard = systemd

    async def main():
        notifier = Notifier({**environment, "WATCHDOG_USEC": "30000000"})
        loop = asyncio.get_running_loop()
        notifier.is_well = lambda: loop.time() < 40
        async with attended(notifier, lambda: None, print, print):
            await asyncio.sleep(100)

    run(main())
    assert heard() == ["READY=1"] + ["WATCHDOG=1"] * 3 + ["STOPPING=1"]


@pytest.mark.parametrize("environment", [{}, {"NOTIFY_SOCKET": "/nowhere/notify"}])
@pytest.mark.parametrize("watchdog", ["", "x", "0", "1000000"])
def test_where_nobody_listens_it_works_all_the_same(environment, watchdog):
    assert attend(10, {**environment, "WATCHDOG_USEC": watchdog}) == ([], [])


def test_a_supply_that_stays_low_ends_it_and_one_that_recovers_does_not():
    troubles, ended = attend(LOW_FOR_S + 10, {}, lambda: True)
    assert ended == [LOW_FOR_S]
    assert len(troubles) == 2
    looks = iter([True] * 11 + [False] + [True] * 11 + [False] * 100)
    troubles, ended = attend(40 * SUPPLY_PERIOD_S, {}, lambda: next(looks))
    assert ended == []
    assert len(troubles) == 2


def test_the_supply_of_this_pi_is_watched_in_its_files(tmp_path):
    folder = tmp_path / "sys/class/hwmon/hwmon1"
    folder.mkdir(parents=True)
    (folder / "name").write_text("rpi_volt\n", encoding="utf-8")
    alarm = folder / "in0_lcrit_alarm"
    alarm.write_text("0\n", encoding="utf-8")

    async def main():
        loop = asyncio.get_running_loop()
        ended = []
        host = LinuxHost(tmp_path)
        async with attended(
            Notifier({}), host.under_voltage, lambda line: None, lambda: ended.append(loop.time())
        ):
            for at_s, told in ((100, "1\n"), (120, "0\n"), (200, "1\n")):
                loop.call_at(at_s, alarm.write_text, told)
            await asyncio.sleep(400)
        return ended

    (ended_s,) = run(main())
    assert 200 + LOW_FOR_S <= ended_s + SUPPLY_PERIOD_S <= 200 + LOW_FOR_S + 2 * SUPPLY_PERIOD_S


SCRIPT = """
import asyncio, json, os, signal, sys
from pathlib import Path
from firmware.runtime.board import assemble
from firmware.cli.run import serve
from firmware.display.screens import QuestionPage
from firmware.upkeep.doctor.patient import LinuxHost
from firmware.runtime.service import until_terminated
from firmware.settings import Settings
from hw_sim.air import InfraredAir
from hw_sim.board import SimulatedBoard

told = {}

async def play(end):
    loop = asyncio.get_running_loop()
    board = told["board"] = SimulatedBoard("end", loop)
    parts = assemble(board.bus, board.bus.execute, board.gpio, loop)
    settings = Settings(name="Ana", journal=Path(sys.argv[1]), link=("ir",))
    port = InfraredAir(1, loop).port(1)
    async def ask_for_the_end():
        while not board.display.is_lit:
            await asyncio.sleep(0.02)
        told["was_lit"] = True
        end() if sys.argv[2] == "end" else os.kill(os.getpid(), signal.SIGTERM)
    asking = asyncio.ensure_future(ask_for_the_end())
    try:
        await serve(settings, parts, None, port)
    finally:
        await asking

asyncio.run(until_terminated(play))
board = told.pop("board")
print(json.dumps(told | {"lit": board.display.is_lit, "violations": board.violations}))
"""


@pytest.mark.parametrize("how", ["end", "SIGTERM"])
def test_it_ends_in_order_when_it_is_told_to(tmp_path, how):
    journal = tmp_path / "journal.sqlite"
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(journal), how],
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    assert ran.stderr == "", "nothing for the journal of the system"
    assert json.loads(ran.stdout) == {"was_lit": True, "lit": False, "violations": []}
    assert not journal.with_name("journal.sqlite-wal").exists(), "the journal was closed"
