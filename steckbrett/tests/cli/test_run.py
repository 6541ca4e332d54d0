"""The command ``steckbrett run``: what it prints and returns, and what a wrong word costs."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from bench_support.places import IS_FULL, device, place_for_devices, program_file, read_from
from steckbrett.cli import main

from steckbrett import __version__

SOURCES = Path(__file__).parents[2] / "src"


@pytest.fixture
def program(tmp_path):
    def write(text):
        file = tmp_path / "program.py"
        file.write_text(text)
        return str(file)

    return write


def command(*words, **options):
    environment = {**os.environ, "PYTHONPATH": str(SOURCES)}
    environment.pop("PYTHONHASHSEED", None)
    line = [sys.executable, "-m", "steckbrett", "run", *words]
    return subprocess.Popen(
        line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


def test_two_processes_print_the_same(tmp_path):
    file = str(program_file(tmp_path, "chance"))
    runs = [command(file) for _ in range(2)]
    outputs = [run.communicate()[0] for run in runs]
    assert outputs[0] == outputs[1]
    assert len(outputs[0].splitlines()) == 81


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["nothing.py"], "cannot read nothing.py: No such file or directory"),
        (["-m", "no_such_module"], "no module no_such_module"),
        (["--part", "adxl346", "-m", "this"], "no part 'adxl346'"),
        (["--wire", "17=27", "--wire", "17=22", "-m", "this"], "pin 17 is wired twice"),
        (
            ["--part", "adxl345", "--part", "b=adxl345", "-m", "this"],
            "address 0x53 of b is taken by adxl345",
        ),
        (["--part", "ttp223", "--wire", "22=ttp223.out", "-m", "this"], "ttp223 has no pin 'out'"),
        (["--board", "no.toml", "-m", "this"], "board file no.toml: "),
        (["--picture", "a.png", "--for", "1", "-m", "this"], "the board has no display"),
    ],
)
def test_a_wrong_word_is_one_line(words, line, capfd):
    assert main(["run", *words]) == 2
    told = capfd.readouterr().err.splitlines()
    assert len(told) == 1
    assert told[0].startswith("steckbrett: ")
    assert line in told[0]


@pytest.mark.parametrize(
    ("option", "texts"),
    {
        "--press": (
            "17=nan", "17=inf+1", "17=1+inf", "17=1+nan", "17=1@nan", "17=-1", "17=1+0", "17=1+",
            "17=1e300", "17=1e9", "17=٣", "17=1_0", "17= 1", "17=1+1_0", "٣=1", "1_7=1",
            "adxl345=nan",
        ),
        "--wire": ("17=٣", "٣=17", "17=²", "17=1_8", "1_7=18", "17=+18", "17= 18", "17=0x1_8"),
        "--pull": ("٣=up", "1_7=up", "+17=up", "17.0=up"),
        "--part": ("bh1750@٣٥", "bh1750@0x5_c", "bh1750@+92", "bh1750@nan", "bh1750@9" + "9" * 30),
        "--for": ("nan", "inf", "٣", "1_0", "0", "-1", "1e9", ""),
        "--seed": ("٣", "1_0", "1.0", "nan", "", "--1"),
        "--world": (
            "tap=nan", "tap=٣", "tap=1e300", "shake=1+1e300", "shake=1+nan", "tilt=1,nan",
            "tilt=٣,0", "tilt=1_0,0", "adxl345.acceleration=0,0,1e300", "encoder.turn=0.3",
            "encoder.turn=1e8", "encoder.turn=٣", "light=1e300", "light=1@1e300",
        ),
    }.items(),
)  # fmt: skip
def test_a_wrong_number_is_one_line(option, texts, program, capfd):
    file = program("print(1)\n")
    board = ["--part", "adxl345", "--part", "encoder", "--part", "veml7700"]
    for text in texts:
        assert main(["run", *board, f"{option}={text}", file]) == 2, text
        told = capfd.readouterr()
        assert told.out == "", text
        assert len(told.err.splitlines()) == 1, told.err


def test_a_program_has_its_own_exit_code_and_traceback(program, capfd):
    file = program("import sys\nprint(sys.argv[1:])\nsys.exit(3)\n")
    assert main(["run", file, "--for", "7"]) == 3
    assert capfd.readouterr() == ("['--for', '7']\n", "")
    file = program("def fail():\n    raise ValueError('no')\n\n\nfail()\n")
    assert main(["run", file]) == 1
    told = [line for line in capfd.readouterr().err.splitlines(True) if line.strip(" ~^\n")]
    assert "".join(told) == (
        "Traceback (most recent call last):\n"
        f'  File "{file}", line 5, in <module>\n    fail()\n'
        f"  File \"{file}\", line 2, in fail\n    raise ValueError('no')\n"
        "ValueError: no\n"
    )
    file = program("x = (\n")
    assert main(["run", file]) == 1
    assert capfd.readouterr().err.endswith("SyntaxError: '(' was never closed\n")


@pytest.mark.parametrize("way", ["fork", "spawn", "forkserver"])
@pytest.mark.parametrize(
    "use",
    [
        "context.Process(target=print, args=(1,)).start()",
        "context.Pool(2).map(abs, [1, 2])",
        "list(ProcessPoolExecutor(2, mp_context=context).map(abs, [1, 2]))",
    ],
)
def test_a_second_process_is_refused_in_one_line(program, capfd, way, use):
    file = program(
        "import multiprocessing\nfrom concurrent.futures import ProcessPoolExecutor\n"
        f"context = multiprocessing.get_context({way!r})\n{use}\n"
    )
    assert main(["run", "--for", "9", file]) == 1
    told = capfd.readouterr()
    assert told.out == ""
    assert told.err.startswith("steckbrett: a second process cannot share the virtual time")
    assert len(told.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = Lock()\na.acquire()\na.acquire()\n", 6),
        ("a = Lock()\nwith a:\n    with a:\n        pass\n", 6),
        (
            "a, b = Lock(), Lock()\ndef other():\n    with b:\n        sleep(1); a.acquire()\n"
            "t = Thread(target=other)\na.acquire()\nt.start()\nsleep(0.5)\nb.acquire()\n", 12,
        ),
        ("a = Lock()\na.acquire()\nt = Thread(target=a.acquire)\nt.start()\nt.join()\n", None),
        ("signal.pause()\n", None),
        ("Event().wait()\n", None),
        ("a = Lock()\na.acquire()\nTimer(9, a.release).start()\na.acquire()\n", None),
    ],
)  # fmt: skip
def test_a_lock_that_nobody_opens_is_a_line_at_the_end(program, capfd, text, line):
    file = program(f"import signal\nfrom time import sleep\nfrom threading import *\n{text}")
    assert main(["run", "--for", "5", file]) in (0, 130)
    told = capfd.readouterr().err
    if line is None:
        assert "waited for ever" not in told
    else:
        assert (
            told == f"steckbrett: MainThread waited for ever for a lock, in {file}, line {line}\n"
        )


def test_the_version_is_that_of_the_distribution(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"steckbrett {__version__}\n"


def test_the_world_of_a_sensor_is_set_by_an_option_and_by_a_file(program, tmp_path, capfd):
    file = program(
        "import time\nimport smbus\nbus = smbus.SMBus(1)\nfor _ in range(2):\n"
        "    bus.write_byte(0x23, 0x20)\n    time.sleep(1)\n"
        "    print(bus.read_word_data(0x23, 0x20))\n"
    )
    board = tmp_path / "board.toml"
    board.write_text('parts = ["bh1750"]\nworlds = ["light=200"]\n')
    assert main(["run", "--board", str(board), "--world", "light=0@0.5", file]) == 0
    bright, dark = capfd.readouterr().out.split()
    assert (bright, dark) != ("0", "0")
    assert dark == "0"


def test_what_a_chip_refuses_is_a_line_and_with_strict_an_exit_code(program, capfd):
    file = program("import smbus\nsmbus.SMBus(1).write_byte_data(0x53, 0x1C, 1)\n")
    words = ["run", "--part", "adxl345", file]
    assert main(words) == 0
    line = "steckbrett: refused: ADXL345 at "
    assert capfd.readouterr().err.startswith(line)
    assert main([words[0], "--strict", *words[1:]]) == 3


def test_a_program_that_ignores_its_end_is_ended(program):
    file = program(
        "import time\nwhile True:\n    try:\n        time.sleep(1)\n"
        "    except BaseException as problem:\n        print(type(problem).__name__)\n"
    )
    running = command("--for", "5", file)
    out, err = running.communicate()
    assert running.returncode == 124
    assert set(out.split()) == {"KeyboardInterrupt", "TimeIsUpError"}
    assert err == "steckbrett: the program goes on, though it was told to end 6 times\n"


@pytest.mark.parametrize(
    "body", ["[time.sleep(1) for _ in iter(int, 1)]", "[None for _ in iter(int, 1)]"]
)
def test_ctrl_c_ends_a_program_that_has_no_end(program, body):
    file = program(f"import time\nprint('ready', flush=True)\n{body}\n")
    running = command(file)
    assert running.stdout.readline() == "ready\n"
    running.send_signal(signal.SIGINT)
    _, err = running.communicate()
    assert running.returncode == 130
    assert err.startswith("steckbrett: stopped by Ctrl-C at ")
    assert len(err.splitlines()) == 1


def test_the_end_is_written_as_pictures(tmp_path, capfd):
    words = ["--part", "adxl345", "--part", "ssd1306", "--for", "1"]
    picture, timeline = tmp_path / "end.png", tmp_path / "run.svg"
    words += ["--picture", str(picture), "--timeline", str(timeline)]
    program = program_file(tmp_path, "shake_alarm")
    assert main(["run", *words, str(program)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert timeline.read_text(encoding="utf-8").startswith("<svg")
    assert main(["run", *words[:-1], str(tmp_path / "no" / "x.svg"), str(program)]) == 2
    assert "cannot write" in capfd.readouterr().err


OUTPUTS = ("--picture", "--timeline", "--vcd")


def test_outputs_keep_links_and_pipes_and_tell_of_a_full_disk(tmp_path, capfd, program):
    def run(paths):
        words = [str(word) for pair in zip(OUTPUTS, paths) for word in pair]
        return main(["run", "--part", "ssd1306", *words, program("pass")])

    links = [tmp_path / f"link{option}" for option in OUTPUTS]
    for link in links:
        (tmp_path / f"target{link.name}").touch(0o604)
        link.symlink_to(f"target{link.name}")
    assert run(links) == 0
    for link in links:
        assert link.is_symlink()
        assert link.stat().st_size
        assert stat.S_IMODE(link.stat().st_mode) == 0o604
    for option, link in zip(OUTPUTS, links):
        pipe = tmp_path / f"pipe{option}"
        with read_from(pipe) as got:
            assert main(["run", "--part", "ssd1306", option, str(pipe), program("pass")]) == 0
        assert pipe.is_fifo()
        assert len(got[0]) == link.stat().st_size
        capfd.readouterr()
        with place_for_devices() as place:
            if place is None:
                continue
            full = device(place / "full", IS_FULL)
            assert main(["run", "--part", "ssd1306", option, str(full), program("pass")]) == 2
            assert stat.S_ISCHR(full.stat().st_mode)
        assert capfd.readouterr().err.count("No space left on device\n") == 1


def test_what_may_be_missing_is_told_at_the_end(program, capsys):
    text = "import smbus2\ntry: smbus2.SMBus(1).read_byte(0x4B)\nexcept OSError: exit(5)\n"
    assert main(["run", program(text)]) == 5
    told = capsys.readouterr().err
    assert told == (
        "steckbrett: nobody answered at 0x4B on /dev/i2c-1: ads1115@0x4b or pcf8591@0x4b can\n"
    )
    assert main(["run", program("import wiringpi\n")]) == 1
    told = capsys.readouterr().err.splitlines()
    assert (
        told[-1] == "steckbrett: no wiringpi on the bench: use RPi.GPIO, gpiozero, lgpio or gpiod"
    )


def test_a_recording_is_played(program, tmp_path, capsys):
    file = tmp_path / "moved.csv"
    file.write_text("".join(f"{t},0,{int(t >= 2)},{int(t < 2)}\n" for t in range(9)))
    text = (
        "import struct, time, smbus2\nbus = smbus2.SMBus(1)\nbus.write_byte_data(0x53, 0x2D, 8)\n"
        "for _ in range(2):\n    time.sleep(1.5)\n"
        "    data = bytes(bus.read_i2c_block_data(0x53, 0x34, 4))\n"
        "    print([round(axis / 256) for axis in struct.unpack('<2h', data)])\n"
    )
    words = ["run", "--part", "adxl345", "--recording", str(file), program(text)]
    assert main(words) == 0
    told = capsys.readouterr()
    assert told.out == "[0, 1]\n[1, 0]\n"
    assert "it measures 1 at rest, so it is read as g" in told.err
    assert main([*words[:-1], "--unit", "stone", words[-1]]) == 2
    assert "no unit 'stone'" in capsys.readouterr().err
    assert main(["run", "--unit", "g", words[-1]]) == 2
