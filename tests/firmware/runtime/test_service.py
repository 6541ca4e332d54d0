"""A service: its first picture, how it says that it is well, and its end when the power fails."""

import asyncio
import json
import socket
import subprocess
import sys

import pytest
from steckbrett.board.bus import SimulatedSMBus
from steckbrett.parts.ssd1306 import SSD1306

from drivers.panel import pack
from firmware.cli.main import main
from firmware.display.oled.draw import draw
from firmware.display.screens import StartingPage
from firmware.display.text.language import ENGLISH, LANGUAGES
from firmware.runtime.service import LOW_FOR_S, SUPPLY_PERIOD_S, Notifier, attended
from firmware.runtime.splash import DARK_CONTRAST, PICTURES, language_of, show_early
from hw_sim.clock import run
from tests.support.nights import lengthy


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


def ran_alone(program, *given):
    """Run a program in another interpreter, which must end well."""
    command = [sys.executable, "-c", program, *given]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)


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


@pytest.mark.parametrize("how", lengthy(("end", "SIGTERM"), "SIGTERM"))
def test_it_ends_in_order_when_it_is_told_to(tmp_path, how):
    journal = tmp_path / "journal.sqlite"
    ran = ran_alone(SCRIPT, journal, how)
    assert ran.stderr == "", "nothing for the journal of the system"
    assert json.loads(ran.stdout) == {"was_lit": True, "lit": False, "violations": []}
    assert not journal.with_name("journal.sqlite-wal").exists(), "the journal was closed"


SERVICE = {"NOTIFY_SOCKET": "/run/systemd/notify"}


class Glass:
    """A panel on a bus of its own, whose time is what the bits take."""

    def __init__(self):
        self.display = SSD1306(1, 0)
        self.bus = SimulatedSMBus({0x3C: self.display}, lambda: 0)
        self.bus.bit_ns = 2_500  # 400 kHz, as setup-pi sets it
        self.opened = 0

    def open(self):
        self.opened += 1
        return self.bus


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_the_picture_that_would_be_drawn(language):
    glass = Glass()
    assert show_early(language, glass.open)
    assert glass.display.is_lit
    drawn = language if (PICTURES / f"starting-{language}.bin").is_file() else ENGLISH
    assert glass.display.memory == pack(draw(StartingPage(), drawn).columns), "run make screens"
    assert glass.display.contrast == DARK_CONTRAST
    assert glass.display.violations == []


def test_it_takes_less_than_a_tenth_of_a_second_of_bus():
    glass = Glass()
    show_early("de", glass.open)
    assert glass.bus.elapsed_us < 100_000


def no_bus():
    raise FileNotFoundError("/dev/i2c-1")


def test_without_a_bus_or_a_panel_it_goes_on_quietly(capsys):
    glass = Glass()
    glass.bus.unplug(0x3C)
    assert not show_early("en", glass.open)
    assert not show_early("en", no_bus)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("arguments", "settings", "language"),
    [
        (["run"], "", "en"),
        (["run", "--settings", "{}"], 'language = "de"', "de"),
        (["run", "--settings={}"], 'language = "de"', "de"),
        (["run", "--settings", "{}"], 'language = "tlh"', "en"),
        (["run", "--settings", "{}"], "not TOML", "en"),
        (["run", "--settings", "{}"], "language = [1]", "en"),
        (["run", "--settings", "{}", "--lang", "en"], 'language = "de"', "en"),
        (["run", "--lang=de"], "", "de"),
        (["run", "--settings", "/nowhere"], "", "en"),
        (["run", "--lang"], "", "en"),
    ],
)
def test_it_speaks_the_language_of_the_settings(tmp_path, arguments, settings, language):
    path = tmp_path / "settings.toml"
    path.write_text(settings, encoding="utf-8")
    assert language_of([each.format(path) for each in arguments]) == language


@pytest.mark.parametrize(
    ("arguments", "environment", "opened"),
    [
        (["run", "--settings", "/nowhere"], SERVICE, 1),
        (["run", "--settings", "/nowhere"], {}, 0),
        (["log", "--journal", "/nowhere"], SERVICE, 0),
        ([], SERVICE, 0),
    ],
)
def test_only_a_service_that_starts_has_it(arguments, environment, opened, capsys):
    glass = Glass()
    try:
        status = main(arguments, environment, glass.open)
    except SystemExit as end:
        status = end.code
    assert status == 2
    assert glass.opened == opened
    assert glass.display.is_lit == bool(opened)
    assert capsys.readouterr().err


FIRST_PICTURE = """
import json, sys
from steckbrett.board.bus import SimulatedSMBus
from steckbrett.parts.ssd1306 import SSD1306

before = set(sys.modules)
from firmware.cli.main import main

display = SSD1306(1, 0)
loaded = []
def look(_t_us):
    if display.is_lit and not loaded:
        loaded.extend(sorted(set(sys.modules) - before))
display.on_write.append(look)
class Bus(SimulatedSMBus):
    def i2c_rdwr(self, *messages):
        super().i2c_rdwr(*messages)
        look(0)
status = main(["run", "--settings", "/nowhere"], {"NOTIFY_SOCKET": "x"},
              lambda: Bus({0x3C: display}, lambda: 0))
print(json.dumps(loaded))
"""


def test_it_comes_before_what_takes_long_to_load():
    loaded = json.loads(ran_alone(FIRST_PICTURE).stdout)
    late = {"bumble", "sqlite3", "cryptography", "game"}
    late |= {"firmware.display.screens", "firmware.cli.run"}
    assert not late & set(loaded)
    assert "drivers.ssd1306" in loaded
