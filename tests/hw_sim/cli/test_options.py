"""Every option of all command lines, as it is declared; and ``maexchen-sim match``."""

import argparse
import asyncio
import contextlib
import io
import re
import signal
import stat
import subprocess
import sys
from asyncio import Runner
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from bench_support.places import IS_FULL, device, place_for_devices, read_from

from firmware.cli.arguments import InputFile, OutputFile
from firmware.cli.run import _parser as maexchen_parser
from firmware.cli.run import main as maexchen
from firmware.journal.sqlite import Journal
from game import rule_set
from game.record import Record, write
from hw_sim.air.local_broker import free_port
from hw_sim.cli import match
from hw_sim.cli.main import _parser, main
from hw_sim.cli.main import _parser as simulator_parser
from hw_sim.cli.main import main as simulator
from hw_sim.players import player
from hw_sim.players.bot_kinds import personality_of
from hw_sim.table.table import SimulatedTable
from research.strength import __main__ as strength
from tests.support.brokers import Hostile, needs_mosquitto
from tests.support.nights import nightly
from tests.support.rules_table import playout

MAIN = {"maexchen": maexchen, "maexchen-sim": simulator, "strength": strength.main}
SHORT = "--game sevens --option rounds=1 --players 2 --link ir"
WRITES = {
    "maexchen log": "--journal {folder}/journal.sqlite",
    "maexchen calibrate": None,  # wants a board: maexchen-sim calibrate stores in the same way
    "maexchen-sim match": SHORT,
    "maexchen-sim play": SHORT + " --seed 1",
    "maexchen-sim analyse": "{folder}/match.jsonl",
    "maexchen-sim train": "--file {folder}/train.sqlite",
    "maexchen-sim calibrate": "",
    "strength": "--game sevens --matches 20",
}
"""The other arguments of a command with an output; None: it cannot be run here."""
SLOW = dict.fromkeys(("strength", "maexchen-sim play"), pytest.mark.night)
READS = {
    "maexchen run": "",
    "maexchen doctor": "",
    "maexchen calibrate": "--store {folder}/calibration.json",
    "maexchen record": "x --label x",
    "maexchen relay": "",
    "maexchen accounts": "",
    "maexchen watch": "mqtts://127.0.0.1:9 " + "ab" * 16,
    "maexchen-sim match": "--link mqtt --broker mqtts://127.0.0.1:9",
    "maexchen-sim play": "--link mqtt --broker mqtts://127.0.0.1:9",
    "maexchen-sim gestures": "{folder}",
    "maexchen-sim doctor": "",
}
"""The other arguments of a command with an input."""
OTHER_PATHS = {
    *("maexchen record --folder", "maexchen log --journal"),
    *("maexchen-sim match --frames", "maexchen-sim match --recordings"),
    *("maexchen-sim play --frames", "maexchen-sim play --recordings", "maexchen-sim replay file"),
    *("maexchen-sim analyse record", "maexchen-sim train --file", "maexchen-sim train --record"),
    *("maexchen-sim gestures folder", "maexchen-sim scenes --film"),
    *("maexchen-sim serve --site", "maexchen-sim party --site", "maexchen-sim party --folder"),
}
"""Folders, databases and records: their own tests try what can be wrong with them."""


def declared(parser, name):
    """Every option and argument of a command line, with the name of its command."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command, inner in action.choices.items():
                yield from declared(inner, f"{name} {command}")
        else:
            yield name, (action.option_strings or [action.dest])[0], action


OPTIONS = [
    *declared(maexchen_parser(only_run=False), "maexchen"),
    *declared(simulator_parser(), "maexchen-sim"),
    *declared(strength.parser(), "strength"),
]


def of_type(*kinds):
    return [
        pytest.param(name, option, id=f"{name} {option}", marks=SLOW.get(name, ()))
        for name, option, action in OPTIONS
        if action.type in kinds
    ]


def ran(line, *more):
    """The status of a command, and what it said on stderr."""
    program, *arguments = [*line.split(), *map(str, more)]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = MAIN[program](arguments)
        except SystemExit as leaving:
            status = leaving.code
    return status, err.getvalue()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write the files that the commands read."""
    folder = tmp_path_factory.mktemp("given")
    rules, names = rule_set("sevens", {"rounds": 1}), ("Ana", "Ben")
    actions = tuple(playout(rules, names, Random(1))[0])
    (folder / "match.jsonl").write_text(write(Record(rules, names, 0, actions)))
    Journal(folder / "journal.sqlite").close()
    return folder


# ---- outputs -------------------------------------------------------------------------------------


@pytest.fixture
def full():
    """A private device that is always full; None where there can be none."""
    with place_for_devices() as place:
        yield place and device(place / "full", IS_FULL)


@pytest.mark.whole
@pytest.mark.parametrize(("name", "option"), of_type(OutputFile))
def test_no_output_takes_the_place_of_anything_but_a_file(name, option, folder, tmp_path, full):
    nowhere = tmp_path / "no" / "x.out"
    line = f"{name} {(WRITES[name] or '').format(folder=folder)}"
    for path, why in ((tmp_path, "Is a directory"), (nowhere, "No such file or directory")):
        status, said = ran(line, option, path)
        assert (status, said.count("\n")) == (2, 1)
        assert f"{path}: {why}: name a file that can be written" in said
    if WRITES[name] is None:
        return
    target, link = tmp_path / "target", tmp_path / "link.out"
    target.write_text("old")
    target.chmod(0o604)
    link.symlink_to("target")
    assert ran(line, option, link) == (0, "")
    written = target.read_bytes()
    assert written not in (b"", b"old")
    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o604
    pipe = tmp_path / "pipe.out"
    with read_from(pipe) as got:
        assert ran(line, option, pipe) == (0, "")
    assert pipe.is_fifo()
    assert len(got[0]) == len(written)
    if full is not None:
        status, said = ran(line, option, full)
        assert (status, said.count("\n")) == (2, 1)
        assert "No space left on device" in said
        assert stat.S_ISCHR(full.stat().st_mode)


def test_every_path_is_declared_as_what_it_is():
    plain = {f"{name} {option}" for name, option, action in OPTIONS if action.type is Path}
    assert plain == OTHER_PATHS
    outputs = {name for name, _, action in OPTIONS if action.type is OutputFile}
    inputs = {name for name, _, action in OPTIONS if action.type is InputFile}
    assert (outputs, inputs) == (set(WRITES), set(READS))


# ---- inputs --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "option"), of_type(InputFile))
def test_no_input_that_is_none_passes_for_one(name, option, folder, tmp_path):
    binary, text = tmp_path / "binary", tmp_path / "text"
    binary.write_bytes(b"\xff\xfe\x00\x80")
    text.write_text("= this is nothing [\n")
    line = f"{name} {READS[name].format(folder=folder)}"
    for path in (tmp_path / "missing", tmp_path, binary, text):
        status, said = ran(line, option, path)
        assert (status, said.count("\n")) == (2, 1), said
        assert str(path) in said


# ---- numbers -------------------------------------------------------------------------------------

NUMBERS = [
    pytest.param(name, option, action.type, id=f"{name} {option}")
    for name, option, action in OPTIONS
    if action.type in (int, float) or getattr(action.type, "__name__", "") == "read"
]


@pytest.mark.parametrize(("name", "option", "read"), NUMBERS)
def test_every_number_has_bounds(name, option, read):
    assert read not in (int, float)
    for text in ("nan", "inf", "-inf", "1e400", "1e308", "9" * 30, "9" * 5000, "-1", "", "x", "٣"):
        with pytest.raises(argparse.ArgumentTypeError) as refused:
            read(text)
        assert "write a number from " in str(refused.value)


@contextlib.contextmanager
def mute_broker():
    """The port of a broker that lets everybody in and carries nothing."""
    loop = asyncio.new_event_loop()
    hostile = Hostile(5, [])
    server = loop.run_until_complete(asyncio.start_server(hostile.serve, "127.0.0.1", 0))
    serving = Thread(target=loop.run_forever)
    serving.start()
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        loop.call_soon_threadsafe(loop.stop)
        serving.join()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        server.close()
        loop.run_until_complete(server.wait_closed())
        loop.close()


def test_a_match_at_a_broker_that_carries_nothing_ends(monkeypatch):
    monkeypatch.setattr("hw_sim.table.headless.LONGEST_S", 5.0)
    with mute_broker() as port:
        line = f"maexchen-sim match --players 3 --link mqtt --broker mqtt://127.0.0.1:{port}"
        status, said = ran(line)
    assert status == 2
    assert said.count("\n") == 1
    assert "no end after 5 s of play" in said


def test_the_doctor_looks_for_the_light_sensor_of_the_settings(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text('light = "bh1750"\n')
    assert ran("maexchen-sim doctor --part light --settings", path) == (0, "")


@pytest.mark.whole
def test_bots_by_name_sit_down_first(tmp_path):
    named = ["--bot", "docs/bots/careful.py:Careful", "--bot", "shark"]
    careful = f"{Path('docs/bots/careful.py').resolve()}:Careful"
    asked = _parser().parse_args(["play", "--seat", "1", *named])
    setup = match._setup(asked)
    assert [setup.bot_of(seat) for seat in range(3)] == [careful, None, "shark"]
    with Runner() as runner:
        runner.run(_plays(setup, tmp_path, careful))


async def _plays(setup, folder, careful):
    first, _, third = (player.personality for player in SimulatedTable(setup, folder).players)
    assert (first.name, type(third)) == (careful, type(personality_of("shark")))


def test_an_evening_to_which_nobody_comes_is_told_of_in_one_line(capsys, monkeypatch):
    monkeypatch.setattr(player, "PATIENCE_S", 5.0)
    assert main(["match", "--lobby"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "maexchen-sim: Cem has waited 5 s in vain for the others: the evening is over\n"


MATCH = """
import sys
from hw_sim.air import local_broker
local_broker.OWN_PORT = int(sys.argv[1])
from hw_sim.cli.main import main
sys.exit(main(["match", "--link", "mqtt", "--own-broker", "--public", *sys.argv[2:]]))
"""
WATCH = (sys.executable, "-m", "firmware.cli.main", "watch")


@needs_mosquitto
@pytest.mark.whole
@pytest.mark.parametrize(
    "number", nightly((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), signal.SIGTERM)
)
def test_it_can_be_watched_and_leaves_no_broker_behind(number):
    with subprocess.Popen(
        [sys.executable, "-c", MATCH, str(free_port()), "--speed", "1"],
        stderr=subprocess.PIPE,
        text=True,
    ) as playing:
        told = playing.stderr.readline()
        where = re.fullmatch(
            r"anybody may watch: maexchen watch (\S+) (\w+)\n", playing.stderr.readline()
        )
        (broker,) = Path(f"/proc/{playing.pid}/task/{playing.pid}/children").read_text().split()
        with subprocess.Popen([*WATCH, *where.groups()], stdout=subprocess.PIPE, text=True) as seen:
            assert seen.stdout.readline(), "it is shown"
            seen.terminate()
        playing.send_signal(number)
        assert playing.wait() == 128 + number
        assert playing.stderr.read() == ""
    assert told == f"the broker is at {where[1]}, for this machine alone\n"
    assert not Path(f"/proc/{broker}").exists()
