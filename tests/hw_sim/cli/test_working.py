"""Who waits at a terminal is told that work goes on; nobody else is."""

import io
import re
import threading

from hw_sim.cli.working import saying_so

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


def test_a_file_is_told_nothing():
    file = io.StringIO()
    with saying_so("match", file, first_s=0.0):
        pass
    assert file.getvalue() == ""
