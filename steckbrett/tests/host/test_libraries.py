"""Libraries of pins and SPI: lgpio, gpiod 2 and spidev, and gpiozero and Blinka on them."""

from functools import partial
from textwrap import dedent

import pytest
from bench_support.places import printed_by, unload
from steckbrett.testing.bench import Bench


@pytest.fixture
def printed(tmp_path, monkeypatch):
    """Run a program on a bench and return its lines."""
    unload(monkeypatch, "board", "busio", "digitalio", "microcontroller", "adafruit_blinka")
    unload(monkeypatch, "gpiozero")
    return partial(printed_by, folder=tmp_path)


# ---- lgpio, and gpiozero with its default factory

NO_OUTPUT, NO_SPEED = "'GPIO not set as an output'", "'bad PWM frequency'"


def test_gpiozero_takes_its_default_factory(printed):
    bench = Bench(["mcp3008"], presses=["22=1.0+0.5", "22=3.0+0.5"])
    bench.set("mcp3008", ch0=1.5)
    words = """
    import gpiozero, time
    button, lamp = gpiozero.Button(22, bounce_time=0.01), gpiozero.LED(17)
    button.when_pressed, button.when_released = lamp.on, lamp.off
    dimmed = gpiozero.PWMLED(18)
    dimmed.value = 0.25
    time.sleep(5)
    print(type(gpiozero.Device.pin_factory).__name__, round(gpiozero.MCP3008(0).voltage, 1))
    """
    assert printed(bench, words) == ["LGPIOFactory 1.5"]
    assert (bench.pins[17].rises, bench.pins[17].falls) == (2, 2)
    assert bench.pins[17].rose_at == pytest.approx(1.01, abs=0.002)
    assert 495 <= bench.pins[18].rises <= 505


def test_lines_are_claimed_read_and_watched(printed):
    bench = Bench(["button"], wires={5: "button.out"}, presses=["button=1.0+0.3"])
    bench.board.parts["button"].bounces = False
    words = """
    import lgpio, time
    chip = lgpio.gpiochip_open(0)
    print(lgpio.gpio_get_chip_info(chip)[1:])
    lgpio.gpio_claim_alert(chip, 5, lgpio.BOTH_EDGES, lgpio.SET_PULL_UP)
    seen = []
    began = time.monotonic_ns()
    watch = lgpio.callback(chip, 5, lgpio.BOTH_EDGES, lambda *told: seen.append(told))
    falls = lgpio.callback(chip, 5, lgpio.FALLING_EDGE)
    time.sleep(2)
    print([(level, round((at - began) / 1e9, 2)) for _, _, level, at in seen])
    print(watch.tally(), falls.tally())
    lgpio.gpio_claim_output(chip, 6, 1)
    print(lgpio.gpio_read(chip, 5), lgpio.gpio_read(chip, 6), hex(lgpio.gpio_get_mode(chip, 5)))
    """
    assert printed(bench, words) == [
        "(54, 'gpiochip0', 'pinctrl-bcm2711')",
        "[(0, 1.0), (1, 1.3)]",
        "2 1",
        "1 1 0x421",
    ]
    assert bench.board.offences() == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("lgpio.gpiochip_open(3)", "'can not open gpiochip'"),
        ("lgpio.gpio_read(chip, 4)", "'GPIO not allocated'"),
        ("lgpio.gpio_read(9, 4)", "'unknown handle'"),
        ("lgpio.gpio_claim_input(chip, 99)", "'bad GPIO number'"),
        ("lgpio.gpio_claim_input(chip, 4)\n    lgpio.gpio_write(chip, 4, 1)", NO_OUTPUT),
        ("lgpio.gpio_claim_output(chip, 4)\n    lgpio.tx_pwm(chip, 4, 20000, 5)", NO_SPEED),
    ],
)
def test_a_wrong_call_of_lgpio_is_an_error_of_the_library(printed, words, told):
    begin = "import lgpio\nchip = lgpio.gpiochip_open(0)\n"
    end = f"try:\n    {words}\nexcept lgpio.error as problem:\n    print(problem)\n"
    assert printed(Bench(), begin + end) == [told]


# ---- gpiod 2, and Blinka's own pins of a Pi on it


def test_lines_are_requested_and_their_edges_come_in_order(printed):
    bench = Bench(pulls=["5=up"], presses=["5=1.0+0.3"])
    words = """
    import gpiod, time
    from datetime import timedelta
    from gpiod.line import Bias, Direction, Edge, Value
    with gpiod.Chip("/dev/gpiochip0") as chip:
        print(chip.get_info().label, chip.get_line_info(5).used)
    began = time.monotonic_ns()
    settings = gpiod.LineSettings(edge_detection=Edge.BOTH, bias=Bias.PULL_UP, active_low=True)
    config = {5: settings, ("GPIO6", 7): gpiod.LineSettings(direction=Direction.OUTPUT)}
    with gpiod.request_lines("/dev/gpiochip0", consumer="me", config=config) as request:
        request.set_value(6, Value.ACTIVE)
        print(request.wait_edge_events(timedelta(seconds=0.5)), request.get_values())
        while request.wait_edge_events(1):
            for event in request.read_edge_events():
                at = round((event.timestamp_ns - began) / 1e9, 2)
                print(event.event_type.name, event.line_offset, event.line_seqno, at)
    """
    assert printed(bench, words) == [
        "pinctrl-bcm2711 False",
        "False [<Value.INACTIVE: 0>, <Value.ACTIVE: 1>, <Value.INACTIVE: 0>]",
        "RISING_EDGE 5 1 1.0",
        "FALLING_EDGE 5 2 1.3",
    ]
    assert bench.board.offences() == []


def test_blinkas_own_code_of_a_pi_runs(printed):
    bench = Bench(presses=["5=1.0+5.0"], pulls=["5=up"])
    words = """
    import board, digitalio, time
    lamp, button = digitalio.DigitalInOut(board.D17), digitalio.DigitalInOut(board.D5)
    lamp.switch_to_output(False)
    button.switch_to_input(pull=digitalio.Pull.UP)
    print(button.value)
    time.sleep(2)
    lamp.value = not button.value
    print(lamp.value, type(board.D17).__module__)
    """
    told = printed(bench, words)
    assert told == ["True", "True adafruit_blinka.microcontroller.generic_linux.raspberry_pi_pin"]
    assert bench.pins[17].rises == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("gpiod.Chip('/dev/gpiochip7')", "the only GPIO chip on the bench is /dev/gpiochip0"),
        (
            "for _ in '12': gpiod.request_lines('/dev/gpiochip0', config={5: None})",
            r"\[Errno 16\]",
        ),
        ("gpiod.request_lines('/dev/gpiochip0', config={77: None})", "unknown line: 77"),
    ],
)
def test_a_wrong_call_of_gpiod_says_why(printed, words, told):
    with pytest.raises((OSError, ValueError), match=told):
        printed(Bench(), f"import gpiod\n{words}\n")


# ---- SPI: a converter under spidev, Blinka and gpiozero, by the controller and by pins

BUS = ("21=far.clk", "20=far.mosi", "19=far.miso", "16=far.cs")


def converter(*wires, **volts):
    bench = Bench(["mcp3008", "far=mcp3008"], [*wires, *BUS])
    bench.set("mcp3008", **volts)
    bench.set("far", ch0=0.5)
    return bench


ASK = """
import spidev, time
bus = spidev.SpiDev(0, 0)
bus.max_speed_hz = 1_000_000
def ask(command):
    high, low = bus.xfer2([1, command << 4, 0])[1:]
    return (high & 3) << 8 | low
"""


def test_spidev_reads_channels_in_modes_0_and_3(printed):
    bench = converter(ch0=1.65, ch1=3.0, ch2=1.0)
    words = """
    print(ask(8), ask(9), ask(1), ask(0), ask(3), sep="\\n")
    bus.mode = 3
    print(ask(8))
    began = time.monotonic()
    ask(8)
    print(0.00002 < time.monotonic() - began < 0.0004)
    """
    *found, timed = printed(bench, ASK + dedent(words))
    wanted = (512, 931, 419, 0, 0, 512)
    assert [int(one) for one in found] == [pytest.approx(one, abs=2) for one in wanted]
    assert timed == "True"
    assert bench.board.offences() == []


def test_a_wrong_mode_gives_wrong_bits_and_a_fast_clock_is_torn(printed):
    bench = converter(ch0=1.65)
    words = "bus.mode = 1\nprint(ask(8))\nbus.mode = 0\nbus.max_speed_hz = 4_000_000\nask(8)\n"
    (found,) = printed(bench, ASK + words)
    assert abs(int(found) - 512) > 5
    assert any("clock of 4000000 Hz" in line for line in bench.torn)


def test_gpiozero_reads_by_hardware_and_by_pins(printed):
    words = """
    from gpiozero import MCP3008
    near = MCP3008(1)  # gpiozero may wait for itself where it collects one as garbage
    print(near.voltage)
    print(MCP3008(0, clock_pin=21, mosi_pin=20, miso_pin=19, select_pin=16).voltage)
    """
    near, far = printed(converter(ch1=2.0), words)
    assert float(near) == pytest.approx(2.0, abs=0.02)
    assert float(far) == pytest.approx(0.5, abs=0.02)


def test_blinka_reads_with_a_chip_select_of_its_own(printed):
    words = """
    import board, busio, digitalio
    bus = busio.SPI(board.SCK, board.MOSI, board.MISO)
    select = digitalio.DigitalInOut(board.D5)
    select.switch_to_output(True)
    assert bus.try_lock()
    bus.configure(baudrate=1_000_000)
    found = bytearray(3)
    select.value = False
    bus.write_readinto(bytearray((1, 0x80, 0)), found)
    select.value = True
    print((found[1] & 3) << 8 | found[2])
    """
    (found,) = printed(converter("5=mcp3008.cs", ch0=1.65), words)
    assert int(found) == pytest.approx(512, abs=2)


BOTH = """
import spidev
for chip in (0, 1):
    bus = spidev.SpiDev(0, chip)
    bus.max_speed_hz = 1_000_000
    high, low = bus.xfer2([1, 0x80, 0])[1:]
    print((high & 3) << 8 | low)
"""


def test_a_part_at_each_chip_select_and_none_is_told(printed):
    bench = Bench(["mcp3008", "second=mcp3008@1"])
    bench.set("mcp3008", ch0=1.0)
    bench.set("second", ch0=2.0)
    assert [int(one) for one in printed(bench, BOTH)] == pytest.approx([310, 620], abs=2)
    assert bench.unmodelled == []
    bench = Bench(["mcp3008@1"])
    assert printed(bench, BOTH)[0] == "0"
    (told,) = bench.unmodelled
    assert "nobody is selected on SPI0: add a part, such as mcp3008@0 or mcp3008@1" in told


def test_what_a_pi_has_not_is_refused(printed):
    words = """
    import fcntl
    for what in ("bus.lsbfirst = True", "bus.mode = 7", "bus.xfer([])", "spidev.SpiDev(1, 0)"):
        try:
            exec(what)
        except Exception as problem:
            print(type(problem).__name__)
    bus.close()
    try:
        bus.readbytes(1)
    except OSError as problem:
        print(problem.errno)
    """
    told = printed(converter(), ASK + dedent(words))
    assert told == ["OSError", "TypeError", "TypeError", "FileNotFoundError", "9"]
