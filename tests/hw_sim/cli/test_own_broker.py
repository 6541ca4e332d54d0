"""``maexchen-sim match --own-broker``: a table that anybody on this machine may watch."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hw_sim.air.local_broker import free_port
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
    ) as match:
        told = match.stderr.readline()
        where = re.fullmatch(
            r"anybody may watch: maexchen watch (\S+) (\w+)\n", match.stderr.readline()
        )
        (broker,) = Path(f"/proc/{match.pid}/task/{match.pid}/children").read_text().split()
        with subprocess.Popen([*WATCH, *where.groups()], stdout=subprocess.PIPE, text=True) as seen:
            assert seen.stdout.readline(), "it is shown"
            seen.terminate()
        match.send_signal(number)
        assert match.wait() == 128 + number
        assert match.stderr.read() == ""
    assert told == f"the broker is at {where[1]}, for this machine alone\n"
    assert not Path(f"/proc/{broker}").exists()
