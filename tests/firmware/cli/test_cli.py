"""``maexchen``: one line for every failure, few modules at a start, and it runs on a board."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from drivers.panel import pack
from firmware.cli.links import open_media
from firmware.cli.main import main
from firmware.cli.run import _play_on, serve
from firmware.device.open import own_device
from firmware.display import screens
from firmware.display.oled.draw import draw
from firmware.display.text.labels import Alert, Text
from firmware.journal import DEVICE_KEY
from firmware.journal.sqlite import Journal, JournalError
from firmware.link import RadioError
from firmware.link.bluetooth.hci import open_hci
from firmware.link.infrared import InfraredError
from firmware.link.infrared.lirc import found
from firmware.link.several import link_over
from firmware.settings import Settings, SettingsError, load, media_of
from game import Unit
from game.record import read
from hw_sim.air import InfraredAir
from hw_sim.air.bluetooth import BluetoothAir
from tests.support.rigs import assembled
from tests.support.tables import table_text

SETTINGS = """\
language = "de"
journal = "{folder}/journal.sqlite"

""" + table_text(("Ana", "Ben", "Cem"), 1)
PATIENCE_S = 180.0


@pytest.fixture
def settings_file(tmp_path):
    path = tmp_path / "ben.toml"
    path.write_text(SETTINGS.replace("{folder}", str(tmp_path)), encoding="utf-8")
    return path


def refused(capsys, *arguments):
    """The one line that a command says which cannot be done."""
    try:
        status = main(arguments)
    except SystemExit as leaving:
        status = leaving.code
    told = capsys.readouterr()
    assert (status, told.out, told.err.count("\n")) == (2, "", 1)
    return told.err


def test_settings_that_are_wrong(capsys, settings_file):
    settings_file.write_text(settings_file.read_text().replace('"class"', '"chess"'))
    line = refused(capsys, "run", "--settings", str(settings_file))
    assert "unknown game 'chess': choose one of class" in line


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "required: COMMAND; see maexchen --help"),
        (("run", "--name", "Maximiliane-Ottilie"), "--name: name 'Maximiliane-Ottilie': too long"),
        (("run", "--settings", "x", "--lang", "tlh"), "choose from"),
        (("dance",), "invalid choice: 'dance'"),
    ],
)
def test_arguments_that_are_wrong(capsys, arguments, told):
    assert told in refused(capsys, *arguments)


def test_a_name_is_for_the_lobby_alone(capsys, settings_file):
    line = refused(capsys, "run", "--settings", str(settings_file), "--name", "Ana")
    assert "the settings have a table" in line


@pytest.mark.skipif(Path("/dev/gpiochip0").exists(), reason="here are pins")
def test_away_from_the_pi_it_says_so(capsys, settings_file):
    line = refused(capsys, "run", "--settings", str(settings_file))
    assert line.startswith("maexchen: no ")


@pytest.mark.parametrize(
    "name", ["hci-socket:9", "hci-socket:none", "nonsense", "file", "serial:/dev/nowhere"]
)
def test_a_controller_that_cannot_be_opened(name):
    with pytest.raises(RadioError, match=r"cannot be opened \(.*\): "):
        asyncio.run(open_hci(name))


DEVICE = bytes.fromhex("C04D58000001")


def started(settings, open_port):
    """The link by the settings, started."""

    async def start():
        link = link_over(*open_media(settings, open_port), DEVICE, print, lambda: 0.5)
        await link.start()
        await link.stop()
        return link

    return asyncio.run(start())


@pytest.mark.parametrize("link", ["ir", "bluetooth", "both"])
def test_no_medium_at_all_is_an_error(link, settings_file):
    settings = replace(load(settings_file), link=media_of(link), bluetooth="nonsense")

    def no_port():
        raise InfraredError("no infrared device")

    with pytest.raises((RadioError, InfraredError)):
        started(settings, no_port)


def test_of_both_media_one_is_enough(settings_file, capsys, caplog):
    settings = replace(load(settings_file), link=media_of("both"), bluetooth="nonsense")

    def fitted():
        return InfraredAir(1, asyncio.get_running_loop()).port(1)

    def none_fitted():
        raise InfraredError("no infrared device: add the overlays")

    assert started(settings, fitted).is_well
    (line,) = caplog.messages
    assert line.startswith("bluetooth = 'nonsense' cannot be opened")
    controller, port = open_media(settings, none_fitted)
    assert (controller is not None, port) == (True, None)
    assert capsys.readouterr().err == "maexchen: no infrared device: add the overlays\n"


def served(settings, until, begin=True, meanwhile=lambda board: None, controller=True, port=False):
    """Serve a handheld on a simulated board, in real time, until something holds of it; the board.

    ``meanwhile`` is done to the board then, before the handheld is ended.
    """

    async def main():
        loop = asyncio.get_running_loop()
        with assembled("served") as (board, parts):
            transport = BluetoothAir(1, loop).opener(1) if controller else None
            light = InfraredAir(1, loop).port(1) if port else None
            serving = asyncio.create_task(serve(settings, parts, transport, light, begin=begin))
            async with asyncio.timeout(PATIENCE_S):
                while not until(board):
                    assert not serving.done(), serving.exception()
                    await asyncio.sleep(0.02)
            meanwhile(board)
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
            assert serving.cancelled()
        return board

    return asyncio.run(main())


def is_lit(board):
    return board.display.is_lit


def shows(screen, language):
    """What holds of a board whose panel shows a screen."""
    picture = pack(draw(screen, language).columns)
    return lambda board: board.display.memory == picture


def test_it_plays_on_a_board_and_leaves_the_display_dark(settings_file, tmp_path):
    board = served(load(settings_file), is_lit)
    assert not board.display.is_on
    assert board.violations == []
    with Journal(tmp_path / "journal.sqlite") as journal:
        assert read(journal.survived.header.decode()).players == ("Ana", "Ben", "Cem")


def test_a_journal_of_another_table_is_refused_and_shown(settings_file):
    settings = load(settings_file)
    served(settings, is_lit)
    agreed = settings.standing.agreed
    drinks = replace(agreed, rules=replace(agreed.rules, stakes="drinks"))
    standing = replace(settings.standing, agreed=drinks)
    board, problem = served_in_vain(replace(settings, standing=standing))
    assert shows(screens.AlertPage(Alert.OTHER_TABLE), settings.language)(board)
    assert "raise table.epoch at every seat" in str(problem)


def test_a_match_that_the_journal_does_not_know_begins_only_when_told_so(settings_file):
    settings = load(settings_file)
    served(settings, shows(screens.AlertPage(Alert.MEMORY_LOST), settings.language), begin=False)
    waiting = screens.WaitingPage("Ana", mine=screens.Tally(3, Unit.MATCH))
    served(settings, shows(waiting, settings.language), begin=True)


def served_in_vain(settings):
    """The board of a handheld that cannot start, and what it raises."""

    async def go():
        loop = asyncio.get_running_loop()
        transport = BluetoothAir(1, loop).opener(1)
        errors = (JournalError, SettingsError)
        with assembled("in vain") as (board, parts), pytest.raises(errors) as raised:
            await serve(settings, parts, transport, begin=True)
        assert board.violations == []
        assert board.display.is_lit
        return board, raised.value

    return asyncio.run(go())


def test_a_journal_that_cannot_be_used_is_shown_and_brings_no_second_cup(settings_file, tmp_path):
    settings, path = load(settings_file), tmp_path / "journal.sqlite"
    with Journal(path):
        board, problem = served_in_vain(settings)
    assert shows(screens.AlertPage(Alert.STORE), settings.language)(board)
    assert not problem.damaged
    path.write_bytes(b"not what it was" * 300)
    board, problem = served_in_vain(settings)
    assert shows(screens.AlertPage(Alert.JOURNAL_DAMAGED), settings.language)(board)
    assert problem.damaged
    assert path.read_bytes().startswith(b"not what it was")


@pytest.mark.skipif(bool(found()), reason="here is infrared")
@pytest.mark.parametrize(("link", "message"), [("bluetooth", Alert.RADIO), ("ir", Alert.INFRARED)])
def test_a_link_that_cannot_be_had_is_shown(tmp_path, link, message):
    journal = tmp_path / "journal.sqlite"
    newcomer = Settings(
        name="Ana", journal=journal, language="en", bluetooth="nonsense", link=media_of(link)
    )

    async def try_it():
        errors = (RadioError, InfraredError)
        with assembled("radio") as (board, parts), pytest.raises(errors):
            await _play_on(parts, newcomer, begin=False)
        return board

    board = asyncio.run(try_it())
    assert board.display.is_lit
    assert shows(screens.AlertPage(message), "en")(board)


@pytest.mark.parametrize("there", ["bluetooth", "ir", "both"])
def test_without_a_table_it_begins_in_the_lobby_and_keeps_its_address(tmp_path, there):
    newcomer = Settings(
        name="Ana", journal=tmp_path / "journal.sqlite", language="en", link=media_of("both")
    )
    hello = screens.QuestionPage(
        Text.TITLE,
        (screens.Phrase(Text.HELLO, name="Ana"),),
        dial=screens.DialStrip(Text.OTHER_NAME, Text.NEUTRAL, Text.OPEN_TABLE, 2, 9),
    )
    until = shows(hello, "en")
    served(newcomer, until, False, controller=there != "ir", port=there != "bluetooth")
    with Journal(newcomer.journal) as journal:
        device = own_device(None, journal, lambda count: bytes(count))
        assert device == journal.survived.state[DEVICE_KEY]
        assert device[0] >= 0xC0


def test_a_calibration_that_cannot_be_kept_is_not_begun(capsys):
    assert "its folder cannot be written to: sudo -u maexchen" in refused(capsys, "calibrate")
    line = refused(capsys, "calibrate", "--store", "/nowhere/calibration.json")
    assert "store /nowhere/calibration.json: No such file or directory: name a file" in line


UNREADABLE = """
import os, shutil, sys  # loaded while the files of the interpreter can be read
from pathlib import Path
from firmware.cli import links, log, upkeep
from firmware.cli.run import main
import firmware.settings as installed
for path in map(Path, sys.argv[1:]):
    if os.fork():
        os.wait()
        continue
    os.setuid(65534)
    installed.INSTALLED = path
    assert installed.chosen_light(None) is None
    try:
        installed.load(path)
    except installed.SettingsError as error:
        print("maexchen:", error, file=sys.stderr)
    assert main(["run", "--settings", str(path)]) == 2
    sys.exit(main(["log", "--journal", str(path)]))
"""
OWNED = {
    (0o700, "daemon", "root"): "{folder} belongs to daemon:root: put sudo -u daemon before",
    (0o750, "root", "daemon"): "{folder} belongs to root:daemon: put sudo -u daemon before",
    (0o750, "daemon", "tty"): "{folder} belongs to daemon:tty: put sudo -u daemon before",
    (0o700, 54321, 54321): "{folder} belongs to '#54321':'#54321': put sudo -u '#54321' before",
    (0o600, "nobody", "root"): "{folder} is yours: chmod u+rX {folder}",
}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_who_may_not_read_a_file_is_told_who_may():
    with TemporaryDirectory() as top:
        Path(top).chmod(0o711)
        paths = []
        for number, (mode, owner, group) in enumerate(OWNED):
            folder = Path(top, str(number))
            folder.mkdir(mode=mode)
            shutil.chown(folder, owner, group)
            paths.append(folder / "settings.toml")
            paths[-1].touch()
        ran = subprocess.run(
            [sys.executable, "-c", UNREADABLE, *paths], capture_output=True, text=True, timeout=60
        )
    lines = ran.stderr.splitlines()
    assert len(lines) == 3 * len(paths), ran.stderr
    for path, told in zip(paths, OWNED.values(), strict=True):
        told = f"{path}: " + told.format(folder=path.parent)
        assert sum(told in line.replace("Permission denied: ", "") for line in lines) == 3, told


NEVER = {"PIL", "aiohttp", "argparse_manpage", "bumble", "paho", "segno", "shtab"}
"""Packages that only some commands and media need."""
SOLVERS = {"firmware.bots", "game.coach", "game.strategy"}
"""Modules of bots, hints and the coach. A table of people needs none of them."""
CORE = {"firmware.device.open", "firmware.runtime.runtime"}
PICTURES = {"firmware.cli.main", "firmware.runtime.splash"}


def loaded(program, *given):
    """Run a program in another interpreter; return the JSON of its last line."""
    command = [sys.executable, "-c", program, *given]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    return json.loads(ran.stdout.splitlines()[-1])


IMPORTS = """
import json, sys
from importlib import import_module
for name in sys.argv[1:]:
    import_module(name)
print(json.dumps(sorted(sys.modules)))
"""


@pytest.mark.parametrize(
    ("modules", "most", "never"),
    [
        (["firmware.cli.run"], 535, NEVER | SOLVERS | {"email", "multiprocessing", "reedsolo"}),
        (sorted(CORE), 480, NEVER | SOLVERS),
        (sorted(PICTURES), 230, NEVER | {"cryptography", "game", "sqlite3"}),
        (["hw_sim.live.world.world"], 720, NEVER | {"argparse", "multiprocessing", "reedsolo"}),
    ],
    ids=["run", "device and runtime", "early picture", "world"],
)
def test_a_start_loads_few_modules(modules, most, never):
    found = loaded(IMPORTS, *modules)
    assert len(found) <= most
    assert never.isdisjoint(found)
