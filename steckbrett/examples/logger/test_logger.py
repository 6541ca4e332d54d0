"""Ten tests of the logger: three simulated sensors, a real database, a real broker."""

import json
import shutil
import socket
import sqlite3
import subprocess
from queue import SimpleQueue

import pandas
import pytest
from paho.mqtt import client as mqtt
from paho.mqtt import publish

MOSQUITTO = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
HEADS = ["at", "indoors", "humidity", "pressure", "outdoors", "light"]

pytestmark = pytest.mark.bench(parts=["bme280", "ds18b20", "mcp3008"])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="session")
def broker():
    """The port of a mosquitto of one's own."""
    if MOSQUITTO is None:
        pytest.skip("no mosquitto: on Debian install mosquitto")
    port = free_port()
    with subprocess.Popen([MOSQUITTO, "-p", str(port)], stderr=subprocess.PIPE, text=True) as made:
        for line in made.stderr:
            if "running" in line:
                break
        yield port
        made.terminate()
        made.stderr.read()


@pytest.fixture
def logged(bench, tmp_path):
    """Run the logger for some seconds; return its rows and what it printed."""

    def run(until, port=None):
        file = tmp_path / "data.db"
        bench.run("logger.py", until=until, args=[str(file), str(port or free_port())])
        with sqlite3.connect(file) as database:
            return pandas.read_sql("SELECT * FROM readings", database), bench.output.splitlines()

    return run


def minute(port):
    """Return the means that the broker keeps."""
    got = SimpleQueue()
    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
    client.on_connect = lambda *_: client.subscribe("logger/minute")
    client.on_message = lambda _client, _data, message: got.put(message.payload)
    client.connect("127.0.0.1", port)
    client.loop_start()
    try:
        return json.loads(got.get(timeout=10))
    finally:
        client.disconnect()
        client.loop_stop()


def test_a_row_comes_every_ten_seconds(logged):
    rows, printed = logged(until=45)
    assert list(rows.columns) == HEADS
    assert len(rows) == 5
    steps = pandas.to_datetime(rows["at"]).diff().dropna().dt.total_seconds()
    assert steps.tolist() == pytest.approx([10] * 4, abs=0.2)
    assert printed == []


def test_the_room_gets_warmer(bench, logged):
    bench.set("bme280", temperature=18.0)
    bench.set("bme280", temperature=24.0, at=15)
    rows, _ = logged(until=45)
    assert rows["indoors"].tolist() == pytest.approx([18, 18, 24, 24, 24], abs=1.1)


def test_humidity_and_pressure(bench, logged):
    bench.set("bme280", humidity=40.0, pressure=980.0)
    rows, _ = logged(until=5)
    assert rows["humidity"][0] == pytest.approx(40, abs=3.5)
    assert rows["pressure"][0] == pytest.approx(980, abs=2)


def test_frost_in_the_garden(bench, logged):
    bench.set("ds18b20", temperature=-10.5)
    rows, _ = logged(until=5)
    assert rows["outdoors"][0] == pytest.approx(-10.5, abs=0.6)


def test_the_light_of_a_window(bench, logged):
    bench.set("mcp3008", ch0=2.5)
    rows, _ = logged(until=5)
    assert rows["light"][0] == pytest.approx(2.5, abs=0.01)


def test_a_cable_comes_off_and_is_put_back(bench, logged):
    bench.at(15).unplug("bme280")
    bench.at(35).replug("bme280")
    rows, printed = logged(until=65)
    assert rows["indoors"].isna().tolist() == [False, False, True, True, False, False, False]
    assert not rows["outdoors"].isna().any()
    assert [line[9:] for line in printed[:2]] == ["air: [Errno 121] Remote I/O error"] * 2


def test_a_second_start_goes_on_in_the_same_file(logged):
    logged(until=15)
    rows, _ = logged(until=30)
    assert len(rows) == 4
    assert rows["at"].is_monotonic_increasing


def test_the_broker_keeps_the_means_of_a_minute(bench, logged, broker):
    bench.set("mcp3008", ch0=1.0)
    bench.set("mcp3008", ch0=2.0, at=25)
    rows, _ = logged(until=58, port=broker)
    sent = minute(broker)
    assert sent["light"] == pytest.approx(1.5, abs=0.01)
    assert sent["indoors"] == pytest.approx(rows["indoors"].mean(), abs=0.001)


def test_no_broker_costs_no_row(logged):
    rows, printed = logged(until=75)
    assert len(rows) == 8
    assert [line[9:] for line in printed] == ["MQTT: Connection refused"]


def test_what_is_missing_is_not_sent(bench, logged, broker):
    publish.single("logger/minute", None, retain=True, port=broker, hostname="127.0.0.1")
    bench.at(0).unplug("bme280")
    logged(until=58, port=broker)
    assert set(minute(broker)) == {"until", "outdoors", "light"}
