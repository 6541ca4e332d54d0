"""``maexchen``: every failure is one line that says what to do; and it runs on a board."""

import asyncio
import subprocess
import sys
from contextlib import AsyncExitStack
from dataclasses import replace
from importlib.util import find_spec

import pytest

from drivers.ssd1306 import Panel
from firmware.cli.console import CommandError
from firmware.cli.links import _open_controller, open_media
from firmware.cli.main import main
from firmware.cli.run import _play_on, serve
from firmware.device.open import open_handheld, own_device
from firmware.display.oled.draw import draw
from firmware.display.screens import (
    AlertPage,
    DialStrip,
    Phrase,
    QuestionPage,
    Tally,
    Unit,
    WaitingPage,
)
from firmware.display.text.alerts import Alert
from firmware.display.text.labels import Text
from firmware.journal.keys import DEVICE_KEY
from firmware.journal.sqlite import Journal, JournalError
from firmware.link.bluetooth.hci import RadioError
from firmware.link.infrared.lirc import InfraredError, found
from firmware.runtime.board import assemble
from firmware.settings.model import Newcomer
from firmware.settings.toml import SettingsError, load
from game.record import read
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.air.infrared import InfraredAir
from hw_sim.board.board import SimulatedBoard

SETTINGS = """\
language = "de"
journal = "{folder}/journal.sqlite"

[table]
key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
game = "class"
seat = 1

[[table.seats]]
name = "Ana"
address = "C0:4D:58:00:00:00"

[[table.seats]]
name = "Ben"
address = "C0:4D:58:00:00:01"

[[table.seats]]
name = "Cem"
address = "C0:4D:58:00:00:02"
"""
PATIENCE_S = 180.0


@pytest.fixture
def settings_file(tmp_path):
    path = tmp_path / "ben.toml"
    path.write_text(SETTINGS.format(folder=tmp_path), encoding="utf-8")
    return path


def said(capsys, *arguments):
    """Exit status and the one line that a command said."""
    try:
        status = main(arguments)
    except SystemExit as leaving:
        status = leaving.code
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    return status, told.err


def test_settings_that_are_not_there(capsys):
    status, line = said(capsys, "run", "--settings", "/nowhere/ben.toml")
    assert status == 2
    assert line == (
        "maexchen: settings /nowhere/ben.toml: No such file or directory: check the path\n"
    )


def test_settings_that_are_wrong(capsys, settings_file):
    settings_file.write_text(settings_file.read_text().replace('"class"', '"chess"'))
    status, line = said(capsys, "run", "--settings", str(settings_file))
    assert status == 2
    assert "unknown game 'chess': choose one of class" in line


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "required: COMMAND; see maexchen --help"),
        (("run", "--name", "Maximiliane-Ottilie"), "letters that can be shown"),
        (("run", "--settings", "x", "--lang", "fr"), "choose from"),
        (("dance",), "invalid choice: 'dance'"),
    ],
)
def test_arguments_that_are_wrong(capsys, arguments, told):
    status, line = said(capsys, *arguments)
    assert status == 2
    assert told in line


def test_a_name_is_for_the_lobby_alone(capsys, settings_file):
    status, line = said(capsys, "run", "--settings", str(settings_file), "--name", "Ana")
    assert status == 2
    assert "the settings have a table" in line


def test_help_has_an_example(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["run", "--help"])
    assert "maexchen run --settings /etc/maexchen.toml" in capsys.readouterr().out


@pytest.mark.skipif(find_spec("RPi") is not None, reason="here are pins")
def test_away_from_the_pi_it_says_so(settings_file):
    ran = subprocess.run(
        [sys.executable, "-m", "firmware.cli.main", "run", "--settings", str(settings_file)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith("maexchen: no ")
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["hci-socket:none", "nonsense", "file", "serial:/dev/nowhere"])
def test_a_controller_that_cannot_be_opened(name):
    async def attempt():
        async with _open_controller(name):
            raise AssertionError("it opened")

    with pytest.raises((CommandError, RadioError), match=r"cannot be opened \(.*\): "):
        asyncio.run(attempt())


@pytest.mark.parametrize("link", ["ir", "bluetooth", "both"])
def test_no_medium_at_all_is_an_error(link, settings_file):
    settings = replace(load(settings_file), link=link, bluetooth="nonsense")

    def no_port():
        raise InfraredError("no infrared device")

    async def attempt():
        async with AsyncExitStack() as stack:
            await open_media(settings, stack, no_port)

    with pytest.raises((CommandError, RadioError, InfraredError)):
        asyncio.run(attempt())


@pytest.mark.parametrize("fails", ["bluetooth", "ir", None])
def test_of_both_media_one_is_enough(fails, settings_file, capsys):
    bluetooth = "nonsense" if fails == "bluetooth" else "pty"
    settings = replace(load(settings_file), link="both", bluetooth=bluetooth)

    async def attempt():
        loop = asyncio.get_running_loop()

        def open_port():
            if fails == "ir":
                raise InfraredError("no infrared device: add the overlays")
            return InfraredAir(1, loop).port(1)

        async with AsyncExitStack() as stack:
            opened = await open_media(settings, stack, open_port)
            return [one is not None for one in opened]

    assert asyncio.run(attempt()) == [fails != "bluetooth", fails != "ir"]
    assert capsys.readouterr().err.count("\n") == (0 if fails is None else 1)


class Bench:
    """One handheld on a simulated board, served in real time."""

    def __init__(self, settings, begin=True):
        loop = asyncio.get_running_loop()
        self.board = SimulatedBoard("served", loop)
        self.air = BluetoothAir(1, loop)
        parts = assemble(self.board.bus, self.board.bus.execute, self.board.gpio, loop)
        self.serving = asyncio.create_task(
            serve(settings, parts, self.air.transport(settings.seat), begin=begin)
        )

    async def until(self, holds):
        async with asyncio.timeout(PATIENCE_S):
            while not holds():
                assert not self.serving.done(), self.serving.exception()
                await asyncio.sleep(0.02)

    async def end(self):
        self.serving.cancel()
        await asyncio.gather(self.serving, return_exceptions=True)
        self.board.close()


def test_it_plays_on_a_board_and_leaves_the_display_dark(settings_file, tmp_path):
    async def try_it():
        bench = Bench(load(settings_file))
        display = bench.board.display
        await bench.until(lambda: display.is_lit)
        await bench.end()
        assert bench.serving.cancelled()
        assert not display.is_on
        assert bench.board.violations == []

    asyncio.run(try_it())
    with Journal(tmp_path / "journal.sqlite") as journal:
        assert read(journal.survived.header.decode()).players == ("Ana", "Ben", "Cem")


def test_a_display_that_is_gone_at_the_end_keeps_nothing_up(settings_file):
    async def try_it():
        bench = Bench(load(settings_file))
        await bench.until(lambda: bench.board.display.is_lit)
        bench.board.unplug("display")
        await bench.end()
        assert bench.serving.cancelled()

    asyncio.run(try_it())


def test_a_journal_of_another_table_is_refused(settings_file):
    settings = load(settings_file)

    async def try_it(settings):
        bench = Bench(settings)
        try:
            await bench.until(lambda: bench.board.display.is_lit)
        finally:
            await bench.end()

    asyncio.run(try_it(settings))
    table = settings.table
    drinks = replace(settings, table=replace(table, rules=replace(table.rules, stakes="drinks")))

    async def try_again():
        loop = asyncio.get_running_loop()
        board = SimulatedBoard("refused", loop)
        parts = assemble(board.bus, board.bus.execute, board.gpio, loop)
        try:
            await serve(drinks, parts, BluetoothAir(1, loop).transport(1))
        finally:
            parts.motion_pin.close()
            board.close()

    with pytest.raises(SettingsError, match=r"raise table\.epoch at every seat"):
        asyncio.run(try_again())


def test_a_match_that_the_journal_does_not_know_begins_only_when_told_so(settings_file):
    settings = load(settings_file)

    async def wait_for(wanted, begin):
        bench = Bench(settings, begin=begin)
        try:
            await bench.until(lambda: bench.board.display.memory == Panel.pack(wanted))
        finally:
            await bench.end()

    waiting = draw(WaitingPage("Ana", mine=Tally(3, Unit.MATCH)), settings.language)
    forgot = draw(AlertPage(Alert.MEMORY_LOST), settings.language)
    asyncio.run(wait_for(forgot, begin=False))
    asyncio.run(wait_for(waiting, begin=True))


def served_in_vain(settings):
    """What a handheld shows that cannot start, and what it raises."""

    async def go():
        loop = asyncio.get_running_loop()
        board = SimulatedBoard("in vain", loop)
        parts = assemble(board.bus, board.bus.execute, board.gpio, loop)
        try:
            await serve(settings, parts, BluetoothAir(1, loop).transport(1), begin=True)
        except (JournalError, SettingsError) as problem:
            assert board.violations == []
            return board.display.memory if board.display.is_lit else None, problem
        finally:
            parts.motion_pin.close()
            board.close()

    return asyncio.run(go())


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_damaged_journal_is_shown_and_brings_no_second_cup(settings_file, tmp_path, language):
    settings = replace(load(settings_file), language=language)
    (tmp_path / "journal.sqlite").write_bytes(b"not what it was" * 300)
    shown, problem = served_in_vain(settings)
    assert bytes(shown) == Panel.pack(draw(AlertPage(Alert.JOURNAL_DAMAGED), language))
    assert problem.damaged
    assert (tmp_path / "journal.sqlite").read_bytes().startswith(b"not what it was")


def test_a_journal_that_cannot_be_used_now_is_shown(settings_file, tmp_path):
    settings = load(settings_file)
    with Journal(tmp_path / "journal.sqlite"):
        shown, problem = served_in_vain(settings)
    assert bytes(shown) == Panel.pack(draw(AlertPage(Alert.STORE), settings.language))
    assert not problem.damaged


@pytest.mark.skipif(bool(found()), reason="here is infrared")
@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize(("link", "message"), [("bluetooth", Alert.RADIO), ("ir", Alert.INFRARED)])
def test_a_link_that_cannot_be_had_is_shown(tmp_path, language, link, message):
    newcomer = Newcomer(
        name="Ana",
        journal=tmp_path / "journal.sqlite",
        language=language,
        bluetooth="nonsense",
        link=link,
    )

    async def try_it():
        loop = asyncio.get_running_loop()
        board = SimulatedBoard("radio", loop)
        parts = assemble(board.bus, board.bus.execute, board.gpio, loop)
        with pytest.raises((CommandError, RadioError, InfraredError)):
            await _play_on(parts, newcomer, begin=False)
        board.close()
        return board.display

    display = asyncio.run(try_it())
    assert display.is_lit
    assert display.memory == Panel.pack(draw(AlertPage(message), language))


def test_a_journal_of_another_table_is_shown(settings_file):
    settings = load(settings_file)
    with Journal(settings.journal) as journal:
        open_handheld(settings, journal, bytes)
    table = settings.table
    other = replace(settings, table=replace(table, rules=replace(table.rules, stakes="drinks")))
    shown, _ = served_in_vain(other)
    assert bytes(shown) == Panel.pack(draw(AlertPage(Alert.OTHER_TABLE), settings.language))


@pytest.mark.parametrize("there", ["bluetooth", "ir", "both"])
def test_without_a_table_it_begins_in_the_lobby_and_keeps_its_address(tmp_path, there):
    newcomer = Newcomer(name="Ana", journal=tmp_path / "journal.sqlite", language="en", link="both")

    async def try_it():
        loop = asyncio.get_running_loop()
        board = SimulatedBoard("lobby", loop)
        parts = assemble(board.bus, board.bus.execute, board.gpio, loop)
        controller = None if there == "ir" else BluetoothAir(1, loop).transport(1)
        port = None if there == "bluetooth" else InfraredAir(1, loop).port(1)
        serving = asyncio.create_task(serve(newcomer, parts, controller, port))
        wanted = draw(
            QuestionPage(
                Text.TITLE,
                (Phrase(Text.HELLO, name="Ana"),),
                dial=DialStrip(Text.OTHER_NAME, Text.NEUTRAL, Text.OPEN_TABLE, 2, 8),
            ),
            "en",
        )
        async with asyncio.timeout(PATIENCE_S):
            while board.display.memory != Panel.pack(wanted):
                assert not serving.done(), serving.exception()
                await asyncio.sleep(0.02)
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        board.close()

    asyncio.run(try_it())
    with Journal(newcomer.journal) as journal:
        device = own_device(None, journal, lambda count: bytes(count))
        assert device == journal.survived.state[DEVICE_KEY]
        assert device[0] >= 0xC0
