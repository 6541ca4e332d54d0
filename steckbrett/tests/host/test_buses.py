"""Buses of the kernel: I2C under ``smbus``, 1-Wire as files, the serial port, and commands."""

from functools import partial
from threading import Event

import pytest
from bench_support.places import printed_by
from steckbrett.board.board import Board
from steckbrett.host.program import run
from steckbrett.parts.kernel_lines import DS18B20, crc8
from steckbrett.testing.bench import Bench


@pytest.fixture
def printed(tmp_path):
    """Run a program on a bench and return its lines."""
    return partial(printed_by, folder=tmp_path)


# ---- the module smbus: what python3-smbus 4.3 of Debian 12 answers, written down beside it

LIST = "Third argument must be a list of at least one, but not more than 32 integers"


@pytest.fixture
def on_bus():
    """Call a function with the class, as a program of a board with a DS3231; return its result."""

    def call(function, board=None):
        found = []

        def main():
            import smbus

            found.append(function(smbus.SMBus))

        outcome = run(main, board or Board(["ds3231", "bh1750", "light=bh1750@0x5c"]))
        if outcome.error is not None:
            raise outcome.error
        return found[0]

    return call


def test_a_block_has_32_bytes_if_nobody_says_otherwise(on_bus):
    board = Board(["ds3231"])
    sizes = on_bus(lambda bus: len(bus(1).read_i2c_block_data(0x68, 0)), board)
    assert sizes == 32
    assert on_bus(lambda bus: bus(1).read_i2c_block_data(0x68, 0x0E, 2)) == [0x1C, 0x88]


def test_the_program_of_a_light_sensor_that_everybody_copies(on_bus):
    """It reads as many bytes as smbus gives, and takes two."""

    def light(bus):
        opened = bus(1)
        opened.write_byte(0x23, 0x10)
        Event().wait(0.2)
        data = opened.read_i2c_block_data(0x23, 0x20)
        return (data[1] + 256 * data[0]) / 1.2

    board = Board(["bh1750"], worlds=["light=300"])
    assert on_bus(light, board) == pytest.approx(300, rel=0.3)


def test_values_lose_what_does_not_fit(on_bus):
    def written(bus):
        opened = bus(bus=1)
        opened.write_byte_data(0x68, 0x107, 0x1_59)
        opened.write_word_data(0x68, 0x08, 0x7_23_58)
        opened.write_i2c_block_data(0x68, 0x0A, [0x1_07, True])
        opened.write_block_data(0x68, 0x0C, [])
        opened.write_quick(0x68)
        opened.write_byte(0x68, 0x07)
        first = opened.read_byte(0x68)
        return first, opened.read_i2c_block_data(0x68, 0x08, 4), opened.read_word_data(0x68, 0x08)

    assert on_bus(written) == (0x59, [0x58, 0x23, 7, 1], 0x2358)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda bus: bus.read_byte(addr=0x68), TypeError, ""),
        (lambda bus: bus.read_i2c_block_data(0x68, 0, length=6), TypeError, ""),
        (lambda bus: bus.read_i2c_block_data(0x68, 0, 6, None), TypeError, ""),
        (lambda bus: bus.write_byte_data(0x68, 0), TypeError, ""),
        (lambda bus: bus.write_byte_data(0x68, 0, 1.0), TypeError,
         "'float' object cannot be interpreted as an integer"),
        (lambda bus: bus.write_byte_data(0x68, 0, 1 << 40), OverflowError,
         "signed integer is greater than maximum"),
        (lambda bus: bus.write_i2c_block_data(0x68, 0, (1, 2)), TypeError, LIST),
        (lambda bus: bus.write_i2c_block_data(0x68, 0, b"ab"), TypeError, LIST),
        (lambda bus: bus.write_i2c_block_data(0x68, 0, [1.0]), TypeError, LIST),
        (lambda bus: bus.write_block_data(0x68, 0, [1] * 33), OverflowError, LIST),
        (lambda bus: bus.block_process_call(0x68, 0, None), TypeError, LIST),
        (lambda bus: bus.read_i2c_block_data(0x68, 0, 33), OSError, "[Errno 22] Invalid argument"),
        (lambda bus: bus.read_byte(0x10), OSError, "[Errno 121] Remote I/O error"),
        (lambda bus: bus.read_byte(0x80), OSError, "[Errno 22] Invalid argument"),
        (lambda bus: bus.i2c_rdwr(), AttributeError, ""),
        (lambda bus: bus.__enter__(), AttributeError, ""),
        (lambda bus: type(bus)(1, True), TypeError, ""),
        (lambda bus: type(bus)(force=True), TypeError, ""),
        (lambda bus: type(bus)("/dev/i2c-1"), TypeError,
         "'str' object cannot be interpreted as an integer"),
        (lambda bus: type(bus)(9_999_999), OverflowError, "Bus number is invalid."),
        (lambda bus: type(bus)(7), FileNotFoundError, ""),
        (lambda bus: type(bus)().read_byte(0x68), OSError, "[Errno 9] Bad file descriptor"),
        (lambda bus: bus.close() or bus.read_byte(0x68), OSError, "[Errno 9] Bad file descriptor"),
        (lambda bus: type("Own", (type(bus),), {}), TypeError,
         "type 'SMBus' is not an acceptable base type"),
        (lambda bus: setattr(bus, "name", 1), AttributeError, ""),
    ],
)  # fmt: skip
def test_errors_are_those_of_the_extension(on_bus, call, error, text):
    with pytest.raises(error) as raised:
        on_bus(lambda bus: call(bus(1)))
    assert raised.type is error
    assert not text or str(raised.value) == text


def test_a_bus_opens_later_closes_twice_and_has_error_codes(on_bus):
    def opened(bus):
        late = bus()
        late.open(bus=1)
        late.pec = 1
        told = (late.pec, late.read_byte_data(0x68, 0x0E), late.process_call(0x68, 0x10, 0))
        late.close()
        late.close()
        return *told, late.pec

    assert on_bus(opened) == (True, 0x1C, None, False)


# ---- 1-Wire, the serial port, and what the bench lacks

THERMOMETERS = """
    import glob, time
    for folder in sorted(glob.glob("/sys/bus/w1/devices/28*")):
        began = time.monotonic()
        first, second = open(folder + "/w1_slave").readlines()
        print(first.split()[-1], second.rsplit("t=")[1].strip(), time.monotonic() - began > 0.5)
"""


def test_two_thermometers_are_files_of_the_kernel(printed):
    bench = Bench(["ds18b20", "out=ds18b20"], wires={22: "out.dq"})
    bench.set("ds18b20", temperature=23.5)
    bench.set("out", temperature=-10.0)
    told = sorted(line.split() for line in printed(bench, THERMOMETERS))
    assert [(word, late) for word, _, late in told] == [("YES", "True")] * 2
    found = sorted(int(milli) / 1000 for _, milli, _ in told)
    assert found == [pytest.approx(-10, abs=0.6), pytest.approx(23.5, abs=0.6)]
    assert bench.board.offences() == []


def test_a_thermometer_that_is_gone_fails_its_checksum(printed):
    bench = Bench(["ds18b20"])
    bench.board.unplug("ds18b20")
    assert printed(bench, THERMOMETERS) == ["NO -62 True"]


def test_the_checksum_is_that_of_the_sheet():
    """The example of Maxim's application note 27; a scratchpad with its checksum gives 0."""
    assert crc8(bytes.fromhex("021cb801000000")) == 0xA2
    told = DS18B20(1).scratchpad(0)
    assert (len(told), crc8(told)) == (9, 0)


SERIAL = """
    import serial, time
    BEGAN = time.monotonic()
    port = serial.Serial("/dev/serial0", 9600, timeout=5)
    print(port.readline(), round(time.monotonic() - BEGAN, 2))
    port.write(b"AT\\r\\n")
    print(port.read(4), port.in_waiting)
    port.timeout = 1
    print(port.read(1), round(time.monotonic() - BEGAN, 1))
    port.close()
"""


def test_a_peer_sends_and_answers_at_the_pace_of_the_line(printed):
    bench = Bench(["serial"])
    peer = bench.board.parts["serial"]
    peer.answer = lambda heard: b"OK\r\n" if heard == b"AT\r\n" else b"?"
    bench.at(2.0).act("serial", "send", b"$GPGGA,1\r\n")
    lines = printed(bench, SERIAL)
    assert lines == [r"b'$GPGGA,1\r\n' 2.01", r"b'OK\r\n' 0", "b'' 3.0"]
    assert peer.heard == b"AT\r\n"
    assert bench.board.offences() == []


def test_another_rate_garbles_and_is_torn(printed):
    bench = Bench(["serial"])
    bench.set("serial", baud=115_200)
    words = """
    import os
    fd = os.open("/dev/ttyS0", os.O_RDWR)
    os.write(fd, b"hello")
    os.close(fd)
    """
    printed(bench, words)
    assert len(bench.board.parts["serial"].heard) == 5
    assert bench.board.parts["serial"].heard != b"hello"
    assert "the host has 9600 baud, the peer 115200" in bench.torn[0]


@pytest.mark.parametrize(
    ("words", "parts", "note"),
    [
        ("import picamera2", (), "no picamera2 on the bench: it has no camera"),
        ("ASK(0x68)", (), "nobody answered at 0x68 on /dev/i2c-1: ds3231 or mpu6050 can"),
        ("ASK(0x1D)", (), "nobody answered at 0x1D on /dev/i2c-1: adxl345@0x1d can"),
        ("ASK(0x42)", (), "nobody answered at 0x42 on /dev/i2c-1: no part of the bench can"),
        ("try:\n    import pigpio\nexcept ImportError: raise ValueError", (), "no pigpio on the"),
        ("ASK(0x68)", ("ds3231",), None),
        ("import no_such_library", (), None),
    ],
)
def test_an_error_has_a_note_of_what_the_bench_lacks(printed, words, parts, note):
    bench = Bench(parts)
    ask = "import smbus2\ndef ASK(at): smbus2.SMBus(1).write_byte_data(at, 1, 0)\n"
    if parts:
        bench.board.unplug(*parts)
    with pytest.raises((ImportError, OSError, ValueError)) as failed:
        printed(bench, ask + words)
    notes = getattr(failed.value, "__notes__", [])
    assert len(notes) == (note is not None)
    assert note is None or notes[0].startswith(f"steckbrett: {note}")


COMMANDS = """
    import os, subprocess
    table = subprocess.check_output(["sudo", "i2cdetect", "-y", "1"], text=True)
    assert subprocess.getoutput("i2cdetect -y 1") == table.rstrip("\\n")
    words = "i2cdetect -y 1 2>&1 | awk 'NR>1 {$1=\\"\\"; print}'"
    print(subprocess.check_output(words, shell=True, text=True).split("--"))
    print(*table.splitlines()[:3], sep="\\n")
    with os.popen("vcgencmd measure_temp") as warmth:
        print(warmth.read().strip())
    os.system("vcgencmd measure_temp > temperature")
"""


def test_commands_print_what_a_board_has(printed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bench = Bench(["bh1750", "adxl345"])
    cells, head, first, second, warmth = printed(bench, COMMANDS)
    assert [each.strip() for each in eval(cells) if each.strip()] == ["23", "53"]
    assert head == "     0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f"
    assert first == "00:                         -- -- -- -- -- -- -- -- "
    assert second == "10: " + "-- " * 16
    assert (tmp_path / "temperature").read_text() == "temp=48.3'C\n" == warmth + "\n"
    assert bench.board.offences() == []


def test_a_scan_of_the_bus_is_not_told(printed):
    bench = Bench(["bh1750"])
    words = """
    import smbus2
    for at in range(3, 0x78):
        try:
            smbus2.SMBus(1).write_quick(at)
            print(hex(at))
        except OSError:
            pass
    raise LookupError
    """
    with pytest.raises(LookupError) as failed:
        printed(bench, words)
    assert bench.output == "0x23\n"
    assert not hasattr(failed.value, "__notes__")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("import serial; serial.Serial('/dev/serial0')", "add the part serial"),
        ("import glob; assert not glob.glob('/sys/bus/w1/devices/28*')", "add the part ds18b20"),
        ("import subprocess; subprocess.run(['sudo', 'i2cget', '-y', '1'])", "i2cdetect or smbus2"),
        ("import subprocess; subprocess.check_output(['vcgencmd', 'x'])", "no vcgencmd on the"),
        ("import os; os.popen('vcgencmd get_throttled').close()", "no vcgencmd on the bench"),
        ("import os; os.system('sudo i2cdump -y 1 2> /dev/null')", "no i2cdump on the bench"),
        ("open('/dev/i2c-0', 'rb')", "the only I2C bus on the bench is /dev/i2c-1"),
    ],
)
def test_what_the_bench_has_not_is_named(printed, words, part):
    bench = Bench()
    if any(quiet in words for quiet in ("glob", "popen", "system")):
        printed(bench, words)
    else:
        with pytest.raises(OSError, match=part):
            printed(bench, words)
    assert part in bench.unmodelled[0]
