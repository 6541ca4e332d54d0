"""SPI: a converter under ``spidev``, Blinka and gpiozero, by the controller and by pins."""

import sys
from textwrap import dedent

import pytest
from steckbrett.testing.bench import Bench

BUS = ("21=far.clk", "20=far.mosi", "19=far.miso", "16=far.cs")


@pytest.fixture
def printed(tmp_path, monkeypatch):
    """Run a program on a bench and return its words."""
    tops = ("board", "busio", "digitalio", "microcontroller", "adafruit_blinka", "gpiozero")
    for name in [name for name in sys.modules if name.partition(".")[0] in tops]:
        monkeypatch.delitem(sys.modules, name)  # they keep the pins of a board

    def run_it(bench, text):
        file = tmp_path / "program.py"
        file.write_text(dedent(text))
        bench.run(file, until=60.0)
        return bench.output.split()

    return run_it


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
    print(ask(8), ask(9), ask(1), ask(0), ask(3))
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
