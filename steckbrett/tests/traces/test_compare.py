"""Captures of a real bus beside a run: VCD, sigrok's annotations, tables of Saleae."""

import contextlib
import subprocess
from random import Random
from shutil import which

import pytest
from bench_support.bench import SteppedBoard
from steckbrett.board.bus import BusMessage
from steckbrett.cli import main
from steckbrett.traces.compare import (
    Captured,
    CaptureError,
    difference,
    of_run,
    read_capture,
)
from steckbrett.traces.recording import Recording, waveforms

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


@pytest.mark.skipif(which("sigrok-cli") is None, reason="no sigrok-cli")
def test_sigroks_own_decoder_says_the_same(recording, tmp_path):
    file, told = tmp_path / "run.vcd", tmp_path / "run.txt"
    file.write_text(waveforms(recording))
    command = ["sigrok-cli", "-I", "vcd", "-i", file, "-P", "i2c:scl=scl:sda=sda", "-A", "i2c"]
    told.write_text(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert read_capture(told) == MESSAGES


@pytest.mark.whole
@pytest.mark.skipif(which("sigrok-cli") is None, reason="no sigrok-cli")
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
        with contextlib.suppress(OSError):
            board.bus.i2c_rdwr(*messages)
        board.wait(chance.choice((0, 200, 3_000)))
    file, told = tmp_path / "run.vcd", tmp_path / "run.txt"
    file.write_text(waveforms(made))
    command = ["sigrok-cli", "-I", "vcd", "-i", file, "-P", "i2c:scl=scl:sda=sda", "-A", "i2c"]
    told.write_text(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
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
