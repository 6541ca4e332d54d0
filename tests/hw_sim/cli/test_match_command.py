"""``maexchen-sim match``: named bots, a lobby where nobody comes, a broker of its own."""

import re
import signal
import subprocess
import sys
from asyncio import Runner
from pathlib import Path

import pytest

from hw_sim.air.local_broker import free_port
from hw_sim.cli import match
from hw_sim.cli.main import _parser, main
from hw_sim.players import player
from hw_sim.players.bot_kinds import personality_of
from hw_sim.table.table import SimulatedTable, key_of
from tests.support.brokers import needs_mosquitto


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
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
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


def test_its_dice_and_its_key_are_not_those_of_a_seed():
    typed = ("match", "--seed", "7", "--link", "mqtt", "--own-broker")
    one, other = (match._setup(_parser().parse_args(typed)) for _ in range(2))
    assert len({one.chance, other.chance, ""}) == 3
    assert key_of(one) != key_of(other)
