"""A terminal shows that work goes on; a pipe does not."""

import io
import re
import subprocess
import sys
import threading

import pytest

from hw_sim.cli.working import saying_so, setting_the_table

PATIENCE_S = 60


class Terminal(io.StringIO):
    """Somebody reads along."""

    def __init__(self):
        super().__init__()
        self.spoken = threading.Event()

    def isatty(self):
        return True

    def write(self, text):
        self.spoken.set()
        return super().write(text)


def test_a_terminal_is_told_and_left_clean():
    terminal = Terminal()
    with saying_so("match", terminal, first_s=0.0):
        assert terminal.spoken.wait(PATIENCE_S)
    assert re.search(r"match: \d+ s …", terminal.getvalue())
    assert terminal.getvalue().endswith("\r\x1b[K")


LOADING = """
import sys

class Terminal:
    encoding = "utf-8"
    def isatty(self): return True
    def write(self, text): sys.stderr.write(text + str("hw_sim.table.table" in sys.modules))
    def flush(self): pass

sys.stdout = Terminal()
from hw_sim.cli.main import main
main(sys.argv[1:])
"""
"""Runs the program on a terminal that tells of each text whether the tables were loaded before."""


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("play", "--bot", "none", "--lang", "de"), "Der Tisch wird gedeckt …"),
        (("play", "--bot", "none", "--lang=en"), "Setting the table …"),
    ],
)
def test_before_anything_is_loaded_a_terminal_has_a_line(arguments, line):
    told = subprocess.run(
        [sys.executable, "-c", LOADING, *arguments], capture_output=True, text=True, check=True
    )
    assert told.stderr.startswith(f"{line}False")
    assert "maexchen-sim: " in told.stderr, "it went on from there"


def test_a_file_and_help_have_no_such_line():
    file, terminal = io.StringIO(), Terminal()
    setting_the_table(["play"], file)
    setting_the_table(["play", "--help"], terminal)
    assert file.getvalue() == terminal.getvalue() == ""
