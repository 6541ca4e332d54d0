"""Tests and examples of libraries that others wrote run on the bench, as their packages have them.

The packages come from the index, into a folder of this run. What does not pass is named here, with
its reason. An sdist without its own helpers gets those of ``standins``.
"""

import fcntl
import os
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from shutil import copy

import pytest
from bench_support.places import environment, fetch

HERE = Path(__file__).parent
SOURCES = HERE.parents[1] / "src"
LIBRARIES = (
    "gpiozero==2.0.1.post3",
    "smbus2==0.6.1",
    "luma.core==2.6.0",
    "luma.oled==3.16.0",
    "adafruit-circuitpython-adxl34x==1.12.20",
    "adafruit-circuitpython-ssd1306==2.12.24",
    "adafruit-circuitpython-veml7700==2.2.2",
    "adafruit-circuitpython-bh1750==1.1.19",
    "adafruit-circuitpython-pcf8591==1.0.25",
)
PARTS = ("adxl345", "ssd1306", "veml7700", "bh1750", "pcf8591")
RUN_S = 100
BESIDE = ("Adafruit-Blinka==10.0.0", "pytest==9.2.0")
BUILDERS = ("setuptools==84.2.1", "setuptools-scm==10.3.4", "wheel==0.48.0")
"""What pip wants for a look into each sdist; else it installs these for every one."""

ABSENT = {
    "adxl34x_displayio_simpletest.py": "No module named 'adafruit_display_text'",
    "bh1750_displayio_simpletest.py": "No module named 'adafruit_display_text'",
    "veml7700_displayio_simpletest.py": "No module named 'adafruit_display_text'",
    "adxl34x_offset_calibration.py": "module 'board' has no attribute 'STEMMA_I2C'",
}
"""Examples that end with an error, and its text: a library or a connector is not there."""
ARGUMENTS = {"ssd1306_pillow_image_display.py": ["happycat_oled_64.ppm"]}

pytestmark = pytest.mark.whole


class Strangers:
    """The packages, unpacked and installed in ``folder``, by whoever comes there first."""

    def __init__(self, folder):
        self.folder = folder
        self.python = folder / "venv" / "bin" / "python"
        folder.mkdir(exist_ok=True)
        with open(folder / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (folder / "ready").exists():
                self._fetch(folder)
                (folder / "ready").touch()

    def _fetch(self, folder):
        python = environment(folder / "venv", *LIBRARIES, *BESIDE, *BUILDERS)
        words = ("--no-build-isolation", "--no-deps", "--no-binary", ":all:", "-d", str(folder))
        fetch("--python", str(python), "download", *words, *LIBRARIES)
        for archive in folder.glob("*.tar.gz"):
            with tarfile.open(archive) as file:
                file.extractall(folder, filter="data")

    def unpacked(self, name):
        return next(each for each in self.folder.glob(f"{name}-*") if each.is_dir())

    def run(self, *words, cwd, paths=()):
        variables = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (SOURCES, *paths)))}
        variables.pop("PYTHONHASHSEED", None)
        line = [self.python, "-m", "steckbrett", "run", *words]
        return subprocess.run(
            line, cwd=cwd, env=variables, capture_output=True, text=True, timeout=RUN_S
        )

    def test(self, name, *files, options=(), paths=()):
        """Run the library's tests; return how many passed, and the names of those that failed."""
        words = ("-q", "-c", "/dev/null", "--rootdir", ".", "-p", "no:cacheprovider", "-rf")
        done = self.run(
            *options, "-m", "pytest", *words, *files, cwd=self.unpacked(name), paths=paths
        )
        found = re.search(r"(\d+) passed", done.stdout)
        failed = re.findall(r"^(?:FAILED|ERROR) \S+::(\S+)", done.stdout, re.MULTILINE)
        assert found, done.stdout[-2000:] + done.stderr[-2000:]
        return int(found[1]), failed


@pytest.fixture(scope="module")
def strangers(tmp_path_factory):
    """One folder for all workers of a run, whose base folders stand beside each other."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    return Strangers(shared / "strangers")


def test_gpiozero_and_its_rig_of_two_joined_pins(strangers):
    tests = strangers.unpacked("gpiozero") / "tests"
    copy(HERE / "standins" / "gpiozero_conftest.py", tests / "conftest.py")
    passed, failed = strangers.test("gpiozero", "tests", options=["--wire", "22=27"], paths=[tests])
    # One expects that no library of pins can be imported, one a mock of Python 3.11.
    expected = ["test_default_pin_factory_order", "test_spi_hardware_write[rpigpio]"]
    assert failed == expected[: 1 if sys.version_info < (3, 12) else 2]
    assert passed >= 405


def test_smbus2(strangers):
    assert strangers.test("smbus2", "tests") == (14, [])


def test_luma_core_where_it_has_a_bus_or_a_pin(strangers):
    names = ("i2c", "bitbang", "parallel", "parallel_device", "pcf8574", "pca9633", "spi",
             "gpio_cs_spi", "framerate_regulator")  # fmt: skip
    files = [f"tests/test_{name}.py" for name in names]
    passed, failed = strangers.test("luma_core", *files, paths=[HERE / "standins"])
    assert failed == []
    assert passed >= 53


def test_luma_oled(strangers):
    passed, failed = strangers.test("luma_oled", "tests", paths=[HERE / "standins"])
    assert failed == []
    assert passed >= 89


@pytest.mark.parametrize(
    "name",
    [f"adafruit_circuitpython_{kind}" for kind in ("adxl34x", *PARTS[1:])],
)
def test_examples_of_adafruit(strangers, name):
    folder = strangers.unpacked(name) / "examples"
    parts = [f"--part={part}" for part in PARTS]
    for file in sorted(folder.glob("*.py")):
        words = [file.name, *ARGUMENTS.get(file.name, [])]
        done = strangers.run("--for", "10", *parts, *words, cwd=folder)
        text = ABSENT.get(file.name)
        if text is None:
            assert done.returncode == 0, done.stderr
        else:
            assert done.returncode == 1
            assert text in done.stderr


DATA = HERE / "forty_libraries.toml"
SESSION = '''
import contextlib, io, tomllib
import pytest

with open("forty_libraries.toml", "rb") as data:
    LIBRARIES = tomllib.load(data)
PAGE = """
import atexit, http.server, threading
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"15")
    def log_message(self, *words):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
threading.Thread(target=server.serve_forever, daemon=True).start()
atexit.register(lambda: (server.shutdown(), server.server_close()))
URL = f"http://127.0.0.1:{server.server_port}/"
"""
PROGRAMS = {
    name: PAGE * ("URL" in each["program"]) + each["program"] for name, each in LIBRARIES.items()
}
QUICK = [name for name, text in PROGRAMS.items() if "time" not in text and "sleep" not in text]
BEFORE = QUICK[::2]

def beside(name):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(PROGRAMS[name], {"__name__": "__main__"})
    assert "15" in printed.getvalue()

@pytest.mark.parametrize("name", BEFORE)
def test_before(name):
    beside(name)

@pytest.mark.parametrize("turn", range(3))
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.bench(parts=["adxl345"])
def test_on_the_bench(bench, name, turn, tmp_path):
    (tmp_path / "program.py").write_text(PROGRAMS[name])
    bench.run(tmp_path / "program.py", until=1000)
    assert "15" in bench.output

@pytest.mark.parametrize("name", QUICK)
def test_after(name):
    beside(name)
'''


@pytest.mark.night
def test_forty_libraries_pass_three_times_and_warn_of_nothing(tmp_path):
    libraries = tomllib.loads(DATA.read_text(encoding="utf-8"))
    assert len(libraries) == 40
    packages = [f"{name}=={each['version']}" for name, each in libraries.items()]
    python = environment(tmp_path / "venv", *packages, "pytest==9.2.0")
    copy(DATA, tmp_path)
    (tmp_path / "test_session.py").write_text(SESSION)
    variables = {**os.environ, "PYTHONPATH": str(SOURCES)}
    plugin = ["-p", "steckbrett.testing.plugin", "-c", os.devnull, "--rootdir", "."]
    words = [python, "-W", "error", "-m", "pytest", "-q", "-W", "error", *plugin, "-rA"]
    done = subprocess.run(words, cwd=tmp_path, env=variables, capture_output=True, text=True)
    assert done.stdout.count("PASSED test_session.py::test_on_the_bench") == 120, done.stdout[
        -3000:
    ]
    assert done.returncode == 0, done.stdout[-3000:]
