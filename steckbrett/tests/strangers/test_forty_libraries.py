"""Forty libraries of loggers work in a program, three times in one session, and beside it."""

import os
import subprocess
import tomllib
from pathlib import Path
from shutil import copy

import pytest
from bench_support.environments import environment

HERE = Path(__file__).parent
SOURCES = HERE.parents[1] / "src"
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
