"""``maexchen-sim match --own-broker``: a table that anybody on this machine may watch."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hw_sim.air.local_broker import free_port
from hw_sim.cli import match
from hw_sim.cli.main import _parser
from hw_sim.table.table import key_of
from tests.support.brokers import needs_mosquitto

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
