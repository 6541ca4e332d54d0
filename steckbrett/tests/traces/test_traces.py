"""A recording as pictures, timeline and waveforms, and captures of a real bus beside it.

The waveforms are read by a decoder that knows the bus from its specification (UM10204), and by
sigrok's. Captures are VCD, sigrok's annotations, and tables of Saleae.
"""

import io
import re
import subprocess
from collections import defaultdict
from contextlib import suppress
from random import Random
from shutil import which
from xml.etree import ElementTree

import pytest
from bench_support.bench import SteppedBoard
from PIL import Image
from steckbrett.board.bus import BusMessage
from steckbrett.cli import main
from steckbrett.parts.ssd1306 import SSD1306, SSD1306Low
from steckbrett.testing.bench import Bench
from steckbrett.traces import drawn, picture, rows_of
from steckbrett.traces.compare import (
    Captured,
    CaptureError,
    difference,
    of_run,
    read_capture,
)
from steckbrett.traces.recording import Recording, waveforms
from steckbrett.traces.timeline import timeline

ON = b"\x00\xae\x20\x00\x21\x00\x7f\x22\x00\x07\xa1\xc8\x8d\x14\xaf"


@pytest.fixture
def recorded():
    """A display that shows three pictures, an LED that flashes, a part that is not there."""
    board = SteppedBoard("ssd1306", "led", wires={18: "led.in"})
    recording = Recording(board)
    board.put(*ON)
    for fill in (0x00, 0xFF, 0xAA):
        board.put(0x40, *bytes((fill,)) * 1024)
        board.pins.put(18, 1)
        board.wait(500_000)
        board.pins.put(18, 0)
        board.wait(500_000)
    board.put(0x00, 0xFE)
    board.at(3.2).unplug("ssd1306")
    board.wait(300_000)
    with pytest.raises(OSError, match="Remote I/O"):
        board.put(0x00)
    board.wait(100_000)
    return recording


def test_frames_are_those_that_have_settled(recorded):
    recorded.look()
    lit = [sum(map(sum, frame.rows)) for frame in recorded.frames["ssd1306"]]
    assert lit == [0, 8192, 4096, 0]
    times = [frame.t_us for frame in recorded.frames["ssd1306"]]
    assert times[:3] == [0, 1_000_000, 2_000_000]


def test_a_timeline_is_svg_with_lanes_frames_and_offences(recorded):
    text = timeline(recorded)
    root = ElementTree.fromstring(text)
    said = " ".join(element.text or "" for element in root.iter())
    assert "GPIO 18" in said
    assert "led.in" in said
    assert "unknown command 0xFE" in said
    assert "failed (errno 121)" in said
    images = [element for element in root.iter() if element.tag.endswith("image")]
    assert len(images) == 4
    assert len(text) < 60_000


def test_a_timeline_of_many_pictures_shows_as_many_as_fit():
    board = SteppedBoard("lcd1602", "ssd1306")
    recording = Recording(board)
    board.address = 0x3C
    board.put(*ON)
    for number in range(60):
        board.put(0x40, *bytes((number,)) * 1024)
        board.wait(50_000)
    root = ElementTree.fromstring(timeline(recording))
    assert {"1 picture", "60 pictures"} <= {element.text for element in root.iter()}
    images = [element for element in root.iter() if element.tag.endswith("image")]
    assert 6 <= len(images) <= 7
    places = [float(image.get("x")) for image in images]
    assert places == sorted(places)
    assert places[-1] + 136 <= 1_200


def test_a_timeline_of_nothing():
    ElementTree.fromstring(timeline(Recording(SteppedBoard())))


@pytest.mark.parametrize("scale", [1, 2, 4])
@pytest.mark.parametrize("kind", [SSD1306, SSD1306Low])
def test_a_picture_is_a_png_with_a_bezel(kind, scale):
    part = kind(1)
    part.write(ON.replace(b"\x22\x00\x07", b"\x22\x00\x03"), 0)
    part.write(b"\x40" + b"\xff" * 512, 0)
    found = Image.open(io.BytesIO(picture(part, scale))).convert("RGB")
    assert found.size == (136 * scale, (part.rows + 8) * scale)
    assert found.getpixel((4 * scale, 4 * scale)) == (150, 238, 255)
    assert found.getpixel((0, 0)) == (70, 74, 84)


def test_wrong_pictures_are_one_line():
    with pytest.raises(ValueError, match="scale 0: use 1 or more"):
        drawn((bytes(8),), 0)
    with pytest.raises(ValueError, match="LED shows no pixels"):
        picture(SteppedBoard("led").part)
    with pytest.raises(ValueError, match="no PNG file"):
        rows_of(b"GIF")


UNIT_NS = 100


def changes(text):
    """Return initial levels by name, and (tick, name, level) for each change, from a dump."""
    head, body = text.split("$enddefinitions $end\n")
    names = dict(re.findall(r"\$var wire 1 (\S+) (\S+) \$end", head))
    start, rest = body.split("$dumpvars\n")[1].split("$end\n")
    first = {names[line[1:]]: line[0] for line in start.split()}
    found, tick = [], 0
    for line in rest.split():
        if line[0] == "#":
            assert int(line[1:]) > tick
            tick = int(line[1:])
        else:
            found.append((tick, names[line[1:]], int(line[0])))
    return first, found, tick


def decoded(found):
    """Return each transaction as (address, read, data, acknowledges) of its transfers."""
    level, bits, transactions = {"scl": 1, "sda": 1}, None, []
    for _, name, new in found:
        if name not in level:
            continue
        assert level[name] != new, "no edge"
        level[name] = new
        if name == "scl" and new and bits is not None:
            bits.append(level["sda"])
        if name == "sda" and level["scl"]:
            # SDA moves while SCL is high: a START or a STOP, and its own clock was no bit
            if bits is not None:
                transactions[-1].append(octets(bits[:-1]))
            if not new and bits is None:
                transactions.append([])
            bits = None if new else []
    assert bits is None, "no STOP at the end"
    return transactions


def octets(bits):
    assert len(bits) % 9 == 0
    values = [int("".join(map(str, bits[at : at + 8])), 2) for at in range(0, len(bits), 9)]
    return values[0] >> 1, values[0] & 1, bytes(values[1:]), bits[8::9]


def expected(transfers):
    found = []
    for one in transfers:
        if not one.again:
            found.append([])
        ends = [int(bool(one.failed)), *(0 for _ in one.data)]
        if one.read:
            ends[-1] = 1
        found[-1].append((one.address, int(one.read), one.data, ends))
    return found


@pytest.fixture(scope="module", params=range(4))
def traffic(request):
    """A recording of transactions of any shape with two parts, and with one that is not there."""
    chance = Random(request.param)
    board = SteppedBoard("adxl345", "ssd1306", wires={17: "adxl345.int1"})
    recording = Recording(board)
    for _ in range(40):
        messages = []
        for _ in range(chance.choice((1, 1, 2, 2, 3, 7))):
            address = chance.choice((0x53, 0x53, 0x3C, 0x11))
            read = address == 0x53 and chance.random() < 0.5
            what = chance.randint(1, 9) if read else chance.randbytes(chance.randint(0, 6))
            messages.append(BusMessage(address, what))
        with suppress(OSError):
            board.bus.i2c_rdwr(*messages)
        board.wait(chance.choice((0, 0, 7, 900)))
    return recording


def test_transfers_can_be_read_from_the_lines(traffic):
    _, found, _ = changes(waveforms(traffic))
    wanted = expected(traffic.transfers)
    assert decoded(found) == wanted
    assert any(len(one) > 1 for one in wanted)
    assert any(transfer.failed for transfer in traffic.transfers)


def test_edges_keep_the_times_of_the_specification(traffic):
    """Table 10 of UM10204, fast mode, in ns."""
    first, found, end = changes(waveforms(traffic))
    assert (first["scl"], first["sda"]) == ("1", "1")
    last = {"scl": (-99, 1), "sda": (-99, 1)}
    shortest = defaultdict(lambda: 10**9)
    for tick, name, level in found:
        if name not in last:
            continue
        other, ticks = ("sda", "scl")[name == "sda"], tick - last[name][0]
        if name == "scl":
            kind = "high" if level == 0 else "low"
            shortest[kind] = min(shortest[kind], ticks)
            apart = tick - last["sda"][0]
            shortest["sda to scl"] = min(shortest["sda to scl"], apart)
        elif last["scl"][1]:
            shortest["scl to start or stop"] = min(
                shortest["scl to start or stop"], tick - last["scl"][0]
            )
        last[name] = (tick, level)
        assert last[other][0] < tick
    assert shortest["low"] * UNIT_NS >= 1_300
    assert shortest["high"] * UNIT_NS >= 600
    assert shortest["scl to start or stop"] * UNIT_NS >= 600
    assert shortest["sda to scl"] * UNIT_NS >= 100
    assert end > found[-1][0], "time goes on after the last STOP"


def test_a_bus_that_hangs_has_no_edges():
    board = SteppedBoard("bh1750")
    recording = Recording(board)
    board.put(0x10)
    board.stick("SDA")
    with pytest.raises(OSError, match="timed out"):
        board.put(0x10)
    board.stick(stuck=False)
    board.wait(3_000_000)
    board.get(0x10, 2)
    kept = [one for one in recording.transfers if not one.failed]
    assert decoded(changes(waveforms(recording))[1]) == expected(kept)


def test_pins_begin_at_the_level_before_their_first_edge():
    board = SteppedBoard(presses=["22=1.0+0.5"], pulls={22: "up"})
    recording = Recording(board)
    board.wait(3_000_000)
    first, found, end = changes(waveforms(recording))
    assert first["gpio22"] == "1"
    assert found == [(10_000_000, "gpio22", 0), (15_000_000, "gpio22", 1)]
    assert end == 30_000_000


def test_every_way_to_a_dump_has_the_lines(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import smbus2\nprint(smbus2.SMBus(1).read_i2c_block_data(0x53, 0x32, 6))\n")
    bench = Bench(["adxl345"], folder=tmp_path)
    bench.run("program.py")
    bench.save_vcd("bench.vcd")
    assert main(["run", "--part", "adxl345", "--vcd", str(tmp_path / "run.vcd"), str(program)]) == 0
    texts = [(tmp_path / name).read_text() for name in ("bench.vcd", "run.vcd")]
    assert texts[0] == texts[1]
    write, read = (0x53, 0, b"\x32", [0, 0]), (0x53, 1, bytes(6), [0] * 6 + [1])
    assert decoded(changes(texts[0])[1]) == [[write, read]]
    bench.save_vcd("pins.vcd", bits=False)
    assert changes((tmp_path / "pins.vcd").read_text())[1] == []


def tool(name):
    path = which(name)
    if path is None:
        pytest.skip(f"no {name}: on Debian install sigrok-cli and gtkwave")
    return path


def told_by_sigrok(made, folder):
    """Let sigrok decode a recording; return the file of waveforms, and that of what it told."""
    file, told = folder / "run.vcd", folder / "run.txt"
    file.write_text(waveforms(made))
    words = [tool("sigrok-cli"), "-i", file, "-I", "vcd", "-P", "i2c:scl=scl:sda=sda"]
    done = subprocess.run([*words, "-A", "i2c"], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    told.write_text(done.stdout)
    return file, told


@pytest.mark.whole
def test_sigrok_reads_the_same(traffic, tmp_path):
    found = []
    for line in told_by_sigrok(traffic, tmp_path)[1].read_text().splitlines():
        what, _, value = line.removeprefix("i2c-1: ").partition(": ")
        if what == "Start":
            found.append([])
        elif what.startswith("Address"):
            found[-1].append([int(value, 16), int("read" in what), b"", []])
        elif what.startswith("Data"):
            found[-1][-1][2] += bytes((int(value, 16),))
        elif what in ("ACK", "NACK"):
            found[-1][-1][3].append(int(what == "NACK"))
    assert [list(map(tuple, one)) for one in found] == expected(traffic.transfers)


@pytest.mark.whole
def test_gtkwave_takes_the_file(traffic, tmp_path):
    file = tmp_path / "all.vcd"
    file.write_text(waveforms(traffic))
    words = [tool("vcd2fst"), file, tmp_path / "all.fst"]
    told = subprocess.run(words, capture_output=True, text=True, check=True)
    assert told.stderr == ""
    assert (tmp_path / "all.fst").stat().st_size > 500


MESSAGES = [
    Captured(0x53, False, b"\x2d\x08"),
    Captured(0x53, False, b"\x00"),
    Captured(0x53, True, b"\xe5\x00"),
    Captured(0x22, False, b"", refused=True),
]
LOGIC_2 = """name,type,start_time,duration,"ack","address","read","data"
"I2C","start",0.001,1e-06,,,,
"I2C","address",0.001,2e-05,true,0x53,false,
"I2C","data",0.001,2e-05,true,,,0x2D
"I2C","data",0.001,2e-05,true,,,0x08
"I2C","stop",0.001,1e-06,,,,
"I2C","start",0.002,1e-06,,,,
"I2C","address",0.002,2e-05,true,0x53,false,
"I2C","data",0.002,2e-05,true,,,0x00
"I2C","start",0.002,1e-06,,,,
"I2C","address",0.002,2e-05,true,0x53,true,
"I2C","data",0.002,2e-05,true,,,0xE5
"I2C","data",0.002,2e-05,false,,,0x00
"I2C","stop",0.003,1e-06,,,,
"I2C","start",0.004,1e-06,,,,
"I2C","address",0.004,2e-05,false,0x22,false,
"I2C","stop",0.004,1e-06,,,,
"""
LOGIC_1 = """Time [s],Packet ID,Address,Data,Read/Write,ACK/NAK
0.001,0,0xA6,0x2D,Write,ACK
0.001,0,0xA6,0x08,Write,ACK
0.002,1,0xA6,0x00,Write,ACK
0.002,2,0xA7,0xE5,Read,ACK
0.002,2,0xA7,0x00,Read,NAK
"""


@pytest.fixture
def recording():
    board = SteppedBoard("adxl345")
    made = Recording(board)
    board.put(0x2D, 8)
    board.get(0x00, 2)
    with pytest.raises(OSError, match="Remote"):
        board.bus.i2c_rdwr(BusMessage(0x22, b"\x01"))
    return made


def test_a_run_equals_its_own_waveforms_read_back(recording, tmp_path):
    file = tmp_path / "run.vcd"
    file.write_text(waveforms(recording))
    assert of_run(recording.transfers) == read_capture(file) == MESSAGES


def test_sigroks_own_decoder_says_the_same(recording, tmp_path):
    assert read_capture(told_by_sigrok(recording, tmp_path)[1]) == MESSAGES


@pytest.mark.whole
@pytest.mark.parametrize("seed", range(20))
def test_sigrok_decodes_twenty_hosts_byte_by_byte(seed, tmp_path):
    """Chance writes and reads with repeated STARTs, empty writes, and parts that are not there."""
    chance = Random(f"compare {seed}")
    board = SteppedBoard("adxl345", "ssd1306", "bme280", baud=chance.choice((100_000, 400_000)))
    made = Recording(board)
    for _ in range(40):
        address = chance.choice((*board.addresses.values(), 0x22))
        data = chance.randbytes(chance.choice((0, 1, 1, 2, 7)))
        messages = [BusMessage(address, data)]
        if chance.random() < 0.5:
            messages.append(BusMessage(address, chance.randint(1, 9)))
        with suppress(OSError):
            board.bus.i2c_rdwr(*messages)
        board.wait(chance.choice((0, 200, 3_000)))
    file, told = told_by_sigrok(made, tmp_path)
    assert read_capture(told) == read_capture(file) == of_run(made.transfers)


def test_tables_of_both_logics_are_read(tmp_path):
    newer, older = tmp_path / "new.csv", tmp_path / "old.csv"
    newer.write_text("\ufeff" + LOGIC_2)
    older.write_text(LOGIC_1.replace(",", ";"))
    assert read_capture(newer) == MESSAGES
    assert read_capture(older) == MESSAGES[:3]


def test_the_first_difference_is_named():
    other = [MESSAGES[0], MESSAGES[1]._replace(data=b"\x01")]
    assert difference(MESSAGES, other, "a", "b") == (
        "message 2: a has write 0x53 00, b has write 0x53 01"
    )
    assert difference(MESSAGES, MESSAGES[:3], "a", "b") == (
        "message 4: only a has it: write 0x22 not acknowledged"
    )
    assert difference(MESSAGES, MESSAGES, "a", "b") is None


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("hello\n", "no line of sigrok's decoder"),
        ("a,b\n1,2\n", "no table of Saleae's analyzer"),
        ("$var wire 1 ! d0 $end $enddefinitions $end #0 0!", "one wire called SCL and one called"),
        (LOGIC_1.replace("0xE5", "zz"), "'zz' is no hexadecimal number"),
    ],
)
def test_another_file_is_refused_in_one_line(content, told, tmp_path, capsys):
    file = tmp_path / "capture"
    file.write_text(content)
    with pytest.raises(CaptureError, match=told):
        read_capture(file)
    assert main(["compare", str(file), str(file)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_command_compares(tmp_path, capsys):
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_text(LOGIC_1)
    second.write_text(LOGIC_1.replace("0x08", "0x09"))
    assert main(["compare", str(first), str(first)]) == 0
    assert main(["compare", str(first), str(second)]) == 4
    assert "write 0x53 2d 08" in capsys.readouterr().err
