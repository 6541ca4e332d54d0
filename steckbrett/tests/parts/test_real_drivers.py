"""Drivers that others wrote, unchanged, on the parts; each part's docstring names its own here."""

import json
import sys
from textwrap import dedent

import pytest
from steckbrett.board.board import Board
from steckbrett.host.program import run, script
from steckbrett.parts import Offence

G = 9.80665


pytestmark = pytest.mark.filterwarnings("default")  # these drivers warn of this and that


@pytest.fixture
def answers(tmp_path, capsys):
    """Run a program that prints JSON lines on a board; return what they say."""

    def of(board, source, until_s=20.0):
        file = tmp_path / "program.py"
        file.write_text("from json import dumps\n" + dedent(source))
        try:
            outcome = run(script(file), board, until_s=until_s)
        finally:
            for name in [name for name in sys.modules if name.partition(".")[0] == "gpiozero"]:
                del sys.modules[name]  # it keeps its pins
        if outcome.error is not None:
            raise outcome.error
        assert not outcome.left
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return of


def test_mpu6050_raspberrypi(answers):
    board = Board(["mpu6050"])
    board.world("mpu6050", acceleration=lambda _t: (0, 0, G), rotation=lambda _t: (0, 100, 0))
    (gravity, turning, warmth, wide) = answers(
        board,
        """
        import time
        from mpu6050 import mpu6050
        sensor = mpu6050(0x68)
        time.sleep(0.1)
        print(dumps(sensor.get_accel_data()))
        print(dumps(sensor.get_gyro_data()))
        print(sensor.get_temp())
        sensor.set_accel_range(sensor.ACCEL_RANGE_16G)
        time.sleep(0.1)
        print(dumps(sensor.get_accel_data()))
        """,
    )
    assert gravity["z"] == pytest.approx(G, abs=0.8)
    assert wide["z"] == pytest.approx(gravity["z"], abs=0.4)
    assert turning["y"] == pytest.approx(100, abs=20)
    assert warmth == pytest.approx(25, abs=0.01)
    assert board.offences(Offence.REFUSED) == []
    assert "half a value read" in board.offences(Offence.TORN)[0], "it reads byte by byte"


def test_adafruit_mpu6050(answers):
    board = Board(["mpu6050"])
    (acceleration, gyro, temperature) = answers(
        board,
        """
        import board, adafruit_mpu6050
        sensor = adafruit_mpu6050.MPU6050(board.I2C())
        print(dumps(sensor.acceleration))
        print(dumps(sensor.gyro))
        print(sensor.temperature)
        """,
    )
    assert acceleration[2] == pytest.approx(G, abs=0.8)
    assert max(map(abs, gyro)) < 0.36
    assert temperature == pytest.approx(25, abs=0.01)
    assert "less than 30 ms after it woke" in board.offences(Offence.TORN)[0], "it waits for 10"
    # The bits of that register are 2 to 0; the driver sets 5 to 3.
    (line,) = board.offences(Offence.REFUSED)
    assert line.endswith("reserved bits set: 0x38 written to SIGNAL_PATH_RESET")


def test_bme280(answers):
    board = Board(["bme280"])
    board.world("bme280", temperature=lambda t: 20 + t / 1e6, pressure=lambda _t: 987.65)
    found = answers(
        board,
        """
        import time, smbus2, bme280
        bus = smbus2.SMBus(1)
        trimming = bme280.load_calibration_params(bus, 0x76)
        began = time.monotonic()
        for sampling in (1, 3, 5):
            one = bme280.sample(bus, 0x76, trimming, sampling)
            print(dumps([one.temperature, one.pressure, one.humidity, time.monotonic() - began]))
            time.sleep(5)
        """,
    )
    for temperature, pressure, humidity, at_s in found:
        assert temperature == pytest.approx(20 + at_s, abs=0.2)
        assert pressure == pytest.approx(987.65, abs=0.15)
        assert humidity == pytest.approx(45, abs=0.3)
    assert board.offences() == []


def test_adafruit_ads1x15(answers):
    board = Board(["ads1115"])
    board.world("ads1115", a0=lambda _t: 1.25, a1=lambda t: 0.75 if t < 1e6 else 0.5)
    (single, both, *following) = answers(
        board,
        """
        import time
        import board
        from adafruit_ads1x15 import ADS1115, AnalogIn, ads1x15
        converter = ADS1115(board.I2C(), gain=1)
        print(AnalogIn(converter, ads1x15.Pin.A0).voltage)
        print(AnalogIn(converter, ads1x15.Pin.A0, ads1x15.Pin.A1).voltage)
        channel = AnalogIn(converter, ads1x15.Pin.A1)
        print(channel.voltage)
        converter.mode = ads1x15.Mode.CONTINUOUS
        time.sleep(2)
        print(converter.get_last_result() * 4.096 / 32768)
        """,
    )
    assert single == pytest.approx(1.25, abs=0.0002)
    assert both == pytest.approx(0.5, abs=0.0002)
    assert following == pytest.approx([0.75, 0.5], abs=0.0002)
    assert board.offences() == []


def test_rplcd(answers):
    board = Board(["lcd1602"])
    answers(
        board,
        """
        from RPLCD.i2c import CharLCD
        lcd = CharLCD("PCF8574", 0x27, cols=16, rows=2, charmap="A00")
        lcd.write_string("Hello\\r\\nworld")
        lcd.create_char(0, (0, 10, 0, 0, 17, 14, 0, 0))
        lcd.cursor_pos = (0, 15)
        lcd.write_string(chr(0))
        """,
    )
    display = board.parts["lcd1602"]
    assert display.lines == ("Hello          ⓪", "world           ")
    assert display.pictures[0] == bytes((0, 10, 0, 0, 17, 14, 0, 0))
    assert board.offences(Offence.REFUSED, Offence.TORN) == []


def test_adafruit_ds3231(answers):
    board = Board(["ds3231"])
    board.world("ds3231", temperature=lambda _t: 31.5)
    (lost, set_to, later, alarm, warmth) = answers(
        board,
        """
        import time
        import board
        from adafruit_ds3231 import DS3231
        clock = DS3231(board.I2C())
        print(dumps(clock.lost_power))
        clock.datetime = time.struct_time((2026, 2, 28, 23, 59, 50, 5, -1, -1))
        print(dumps([clock.lost_power, *clock.datetime[:7]]))
        clock.alarm1 = (time.struct_time((2026, 3, 1, 0, 0, 5, 6, 60, -1)), "daily")
        time.sleep(14.5)
        print(dumps(list(clock.datetime[:7])))
        alarms = [clock.alarm1_status]
        time.sleep(1)
        print(dumps([*alarms, clock.alarm1_status]))
        print(clock.force_temperature_conversion())
        """,
    )
    assert lost is True
    assert set_to == [False, 2026, 2, 28, 23, 59, 50, 5]
    assert later == [2026, 3, 1, 0, 0, 4, 6]
    assert alarm == [False, True]
    assert warmth == 31.5
    assert board.offences() == []


@pytest.mark.parametrize("kind", ["ssd1306", "ssd1306-32", "sh1106"])
def test_luma_oled(answers, kind):
    board = Board([kind])
    display = board.parts[kind]
    answers(
        board,
        f"""
        from luma.core.interface.serial import i2c
        from luma.core.render import canvas
        from luma.oled.device import {kind[:7].removesuffix("-")} as panel
        device = panel(i2c(port=1, address=0x3C), width=128, height={display.rows})
        device.cleanup = lambda: None
        with canvas(device) as draw:
            draw.rectangle((0, 0, 127, {display.rows - 1}), outline="white")
        """,
    )
    rows = display.pixels()
    edge = [(y, x) for y, row in enumerate(rows) for x, lit in enumerate(row) if lit]
    assert len(edge) == 2 * 128 + 2 * (display.rows - 2)
    assert all(x in (0, 127) or y in (0, display.rows - 1) for y, x in edge)
    assert board.offences(Offence.REFUSED, Offence.TORN) == []


@pytest.mark.parametrize("kind", ["ssd1306", "ssd1306-32"])
def test_adafruit_ssd1306(answers, kind):
    board = Board([kind])
    display = board.parts[kind]
    answers(
        board,
        f"""
        import board, adafruit_ssd1306
        panel = adafruit_ssd1306.SSD1306_I2C(128, {display.rows}, board.I2C())
        panel.fill(0)
        panel.pixel(5, 7, 1)
        panel.show()
        """,
    )
    lit = [(y, x) for y, row in enumerate(display.pixels()) for x, on in enumerate(row) if on]
    assert lit == [(7, 5)]
    assert board.offences(Offence.REFUSED, Offence.TORN) == []


def test_gpiozero_measures_a_distance(answers):
    board = Board(["hc-sr04"], {23: "hc-sr04.trig", 24: "hc-sr04.echo"})
    board.world("hc-sr04", distance=lambda _t: 0.8)
    (metres,) = answers(
        board,
        """
        import time
        from gpiozero import DistanceSensor
        sensor = DistanceSensor(24, 23, max_distance=2)
        time.sleep(2)
        print(sensor.distance)
        sensor.close()
        """,
    )
    assert metres == pytest.approx(0.8, abs=0.02)
    assert board.offences(Offence.REFUSED, Offence.TORN) == []


def test_gpiozero_hears_a_button_and_lights_an_led(answers):
    board = Board(["button", "led"], {5: "button.out", 18: "led.in"}, pulls={5: "up"})
    board.at(1.0).act("button", "press", True)
    board.at(1.5).act("button", "press", False)
    heard = answers(
        board,
        """
        import time
        from gpiozero import LED, Button
        began = time.monotonic()
        lamp, button = LED(18), Button(5, bounce_time=0.02)
        button.when_pressed = lambda: (lamp.on(), print(round(time.monotonic() - began, 1)))
        button.when_released = lamp.off
        time.sleep(3)
        """,
    )
    led = board.parts["led"]
    assert heard == [1.0]
    assert led.flashes == 1
    assert led.lit_us(3_000_000) == pytest.approx(500_000, abs=25_000)


def test_gpiozero_follows_an_encoder(answers):
    wires = {5: "encoder.a", 6: "encoder.b"}
    board = Board(["encoder"], wires)
    board.parts["encoder"].bounces = False
    board.at(1.0).act("encoder", "turn", 5)
    board.at(2.0).act("encoder", "turn", -2)
    assert answers(
        board,
        """
        import time
        from gpiozero import RotaryEncoder
        encoder = RotaryEncoder(5, 6, max_steps=0)
        time.sleep(1.5)
        print(encoder.steps)
        time.sleep(1.5)
        print(encoder.steps)
        """,
    ) == [5, 3]


def test_adafruit_adxl34x(answers):
    board = Board(["adxl345"])
    found = answers(
        board,
        """
        import time
        import board, adafruit_adxl34x
        sensor = adafruit_adxl34x.ADXL345(board.I2C())
        time.sleep(0.1)
        print(dumps(sensor.acceleration))
        sensor.enable_tap_detection()
        time.sleep(0.5)
        print(dumps(sensor.events["tap"]))
        """,
    )
    assert found[0][2] == pytest.approx(G, abs=1.0)
    assert found[1] is False
    assert board.offences(Offence.REFUSED) == []


@pytest.mark.parametrize(
    ("kind", "module", "made"),
    [("veml7700", "adafruit_veml7700", "VEML7700"), ("bh1750", "adafruit_bh1750", "BH1750")],
)
def test_adafruit_light(answers, kind, module, made):
    board = Board([kind])
    board.world(kind, illuminance=lambda _t: 400.0)
    (lux,) = answers(
        board,
        f"""
        import time
        import board, {module}
        sensor = {module}.{made}(board.I2C())
        time.sleep(1)
        print(sensor.lux)
        """,
    )
    assert lux == pytest.approx(400, rel=0.21)
    assert board.offences(Offence.REFUSED) == []


def test_gpiozero_hears_a_touch_pad(answers):
    board = Board(["ttp223"], {22: "ttp223.q"})
    board.at(1.0).act("ttp223", "touch", True)
    assert answers(
        board,
        """
        import time
        from gpiozero import Button
        began = time.monotonic()
        pad = Button(22, pull_up=None, active_state=True)
        pad.wait_for_press(3)
        print(dumps(1.0 < time.monotonic() - began < 1.3))
        """,
    ) == [True]
