"""``maexchen watch``, at a broker of its own on this machine."""

import asyncio
import signal
import subprocess
import sys

import pytest

from firmware.cli.links import tell_watched
from firmware.cli.run import main
from firmware.link.broker import Attendance, BrokerAddress
from firmware.link.broker.mqtt import MqttSession
from tests.support.brokers import needs_mosquitto, running
from tests.support.feeds import TAG, kept, of_seat, played, watched

TOLD = played("class", (0, 2))[1]
SOON_S = 60.0


def begun(*arguments):
    return asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "firmware.cli.main", *arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


async def until(process, line):
    """The lines of a program up to one that has ``line`` in it."""
    lines = []
    while not lines or line not in lines[-1]:
        told = await process.stdout.readline()
        assert told, lines
        lines.append(told.decode().rstrip("\n"))
    return lines


@pytest.mark.whole
@needs_mosquitto
def test_who_comes_late_to_a_real_broker_sees_the_match(tmp_path):
    async def follow():
        async with asyncio.timeout(SOON_S), running(tmp_path) as broker:
            session = MqttSession(BrokerAddress.of(broker.url), print, lambda: 0.0)
            session.attend(Attendance(()))
            await session.start(lambda _: None)
            for message in kept(of_seat(TOLD, 0)):
                session.publish(message)
            watch = await begun("watch", broker.url, TAG, "--lang", "en", "--port", "0")
            told = await until(watch, "Checked: ")
            watch.send_signal(signal.SIGTERM)
            assert await watch.wait() == 0
            await session.stop()
        return told

    told = [line for line in asyncio.run(follow()) if "http" not in line]
    assert told == ["Waits for what the table tells.", *watched(of_seat(TOLD, 0)).lines]


WRONG = {
    "tag": (("watch", "mqtt://127.0.0.1", "abc"), "has 32 hexadecimal digits"),
    "url": (("watch", "http://x", TAG), "write mqtts://"),
    "in clear": (("watch", "mqtt://192.0.2.1", TAG), "mqtts://"),
    "in vain": (("watch", "mqtt://127.0.0.1", TAG, "--host", "::1"), "nothing without --port"),
    "secure": (("watch", "mqtts://127.0.0.1", TAG, "--insecure"), "does nothing with mqtts://"),
}


@pytest.mark.parametrize(("arguments", "why"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_is_told_in_one_line(capsys, arguments, why):
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert why in told


def test_the_account_at_a_broker_is_in_no_line(capsys):
    tell_watched("mqtts://ana:secret@broker.example:8883", TAG)
    told = capsys.readouterr().err
    assert told == (
        f"maexchen: anybody may watch: maexchen watch mqtts://broker.example:8883 {TAG}\n"
    )
    address = BrokerAddress.of("mqtts://ana:secret@broker.example")
    assert address.url == "mqtts://broker.example:8883"
