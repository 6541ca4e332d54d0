"""Log three sensors every ten seconds into a database; send the means of each minute by MQTT.

Call: ``logger.py DATABASE BROKER-PORT``. A sensor that does not answer leaves its columns empty.
"""

import json
import sqlite3
import sys
import time
from datetime import datetime
from glob import glob

import bme280
import pandas
import spidev
from paho.mqtt import publish
from smbus2 import SMBus

PERIOD_S, ROWS_A_MINUTE = 10, 6
SUPPLY_V, STEPS = 3.3, 1024
TABLE = "CREATE TABLE IF NOT EXISTS readings (at, indoors, humidity, pressure, outdoors, light)"

sqlite3.register_adapter(datetime, lambda moment: moment.isoformat(" "))


def air(bus):
    """Return °C, % and hPa of the BME280, by I2C."""
    seen = bme280.sample(bus, 0x76, bme280.load_calibration_params(bus, 0x76))
    return seen.temperature, seen.humidity, seen.pressure


def garden():
    """Return °C of the DS18B20, by 1-Wire."""
    (folder,) = glob("/sys/bus/w1/devices/28-*")
    with open(f"{folder}/w1_slave") as file:
        check, value = file.read().splitlines()
    if not check.endswith("YES"):
        raise OSError("the checksum is wrong")
    return int(value.partition("t=")[2]) / 1000


def window(spi):
    """Return volts at channel 0 of the MCP3008, by SPI."""
    _, high, low = spi.xfer2([1, 0x80, 0])
    return ((high & 3) << 8 | low) * SUPPLY_V / STEPS


def asked(sensor, missing, *bus):
    """Return a sensor's values, or Nones where it does not answer."""
    try:
        values = sensor(*bus)
    except OSError as problem:
        print(f"{datetime.now():%H:%M:%S} {sensor.__name__}: {problem}")
        return missing
    return values if isinstance(values, tuple) else (values,)


def send(database, port):
    """Send the means of the last minute, retained."""
    frame = pandas.read_sql("SELECT * FROM readings", database, parse_dates=["at"], index_col="at")
    means = frame.astype(float).tail(ROWS_A_MINUTE).mean().round(3).dropna()
    text = json.dumps({"until": f"{frame.index[-1]:%H:%M:%S}", **means})
    try:
        publish.single("logger/minute", text, qos=1, retain=True, hostname="127.0.0.1", port=port)
    except OSError as problem:
        print(f"{datetime.now():%H:%M:%S} MQTT: {problem.strerror}")


def main(file, port):
    """Log until somebody ends the program."""
    spi = spidev.SpiDev(0, 0)
    spi.max_speed_hz = 1_000_000
    due = time.monotonic()
    with SMBus(1) as bus, sqlite3.connect(file) as database:
        database.execute(TABLE)
        for row in range(1, sys.maxsize):
            values = (
                *asked(air, (None,) * 3, bus),
                *asked(garden, (None,)),
                *asked(window, (None,), spi),
            )
            database.execute("INSERT INTO readings VALUES (?,?,?,?,?,?)", (datetime.now(), *values))
            database.commit()
            if row % ROWS_A_MINUTE == 0:
                send(database, int(port))
            due += PERIOD_S
            time.sleep(max(0, due - time.monotonic()))


if __name__ == "__main__":
    main(*sys.argv[1:])
