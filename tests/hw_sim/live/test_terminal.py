"""A person at a real terminal, in real time: plays, leaves, interrupts, and takes nothing."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from contextlib import suppress

import pytest

from hw_sim.live.terminal import ScreenPlace, ScreenSize
from hw_sim.panel import read_dice
from tests.support.terminal_screen import Screen, opened_by_me

PATIENCE_S = 100.0


def _heed_interrupts():
    """A shell that runs the tests in the background may make all programs ignore Ctrl-C."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


class Session:
    """A command on a terminal of its own, 80×24."""

    def __init__(self, *arguments):
        self.screen = Screen(ScreenSize(80, 24))
        self.sent = ""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(theirs)
        _heed_interrupts()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "hw_sim.cli.main", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=os.environ | {"LC_ALL": "C.UTF-8"},
        )
        self.ours, self.theirs = ours, theirs
        self._bytes = b""
        self._give_up_s = time.monotonic() + PATIENCE_S

    def look(self, seconds=0.05):
        """Take in what comes within some time."""
        if not select.select([self.ours], [], [], seconds)[0]:
            return
        self._bytes += os.read(self.ours, 1 << 16)
        whole = self._bytes.decode(errors="ignore")
        complete = whole[: whole.rfind("\x1b")] if "\x1b" in whole[-12:] else whole
        self._bytes = self._bytes[len(complete.encode()) :]
        self.sent += complete
        if "\x1b[?1049h" in self.sent and "\x1b[?1049l" not in self.sent:
            self.screen.send(complete.partition("\x1b[?1049h")[2] or complete)

    def until(self, holds, keys=b""):
        """Look, and press keys over and over, until something holds."""
        while not holds():
            assert time.monotonic() < self._give_up_s, self.screen.text + self.sent[-500:]
            assert self.process.poll() is None, self.sent[-2000:]
            self.type(keys)
            self.look()

    def rest(self, seconds):
        """Do nothing for a while but look."""
        until_s = time.monotonic() + seconds
        self.until(lambda: time.monotonic() > until_s)

    def type(self, keys):
        os.write(self.ours, keys)

    def fill(self):
        """Leave no room for anything more to be sent."""
        screen = os.open(os.ttyname(self.theirs), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        with suppress(BlockingIOError):
            while True:
                os.write(screen, b" " * 256)
        os.close(screen)

    def end(self):
        """Take in the rest; returns the exit status and what came after the picture."""
        while self.process.poll() is None:
            assert time.monotonic() < self._give_up_s
            self.look()
        self.look()
        return self.process.returncode, (self.sent + self._bytes.decode()).partition("1049l")[2]

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.ours)
        os.close(self.theirs)


@pytest.fixture
def session():
    sessions = []

    def begin(*arguments):
        sessions.append(Session(*arguments))
        return sessions[-1]

    yield begin
    for one in sessions:
        one.close()


@pytest.mark.whole
def test_a_person_plays_a_turn_at_a_terminal_and_leaves(session):
    seed = opened_by_me()
    play = session("play", "--seed", str(seed), "--lang", "en")
    screen = play.screen
    play.until(lambda: "space shake" in screen.text and "Ana (you) ● cup" in screen.text)
    play.rest(1.0)
    play.until(lambda: "[shaking]" in screen.text, keys=b" ")
    play.until(lambda: "Ana throws." in screen.text)
    play.rest(0.6)
    play.until(lambda: read_dice(screen.memory(ScreenPlace(0, 0))) is not None, keys=b"l")
    assert "Ana looks." in screen.text
    play.until(lambda: "cup lifted" not in screen.text)
    play.until(lambda: read_dice(screen.memory(ScreenPlace(0, 0))) is None)
    play.type(b"\x1b[C")
    play.until(lambda: "[tilting]" in screen.text)
    play.type(b"\r")
    play.until(lambda: "Ana says 31 to Ben." in screen.text)
    play.type(b"q")
    status, rest = play.end()
    assert status == 0
    assert rest.strip() == f"The game was not finished; its seed is {seed}."
    assert termios.tcgetattr(play.theirs) == play.before


def test_an_interrupt_puts_the_terminal_right_again(session):
    play = session("play", "--players", "4", "--lang", "de")
    play.until(lambda: "q aufhören" in play.screen.text)
    play.process.send_signal(signal.SIGINT)
    assert play.end() == (130, "")
    assert termios.tcgetattr(play.theirs) == play.before


@pytest.mark.whole
def test_a_terminal_that_takes_nothing_any_more_is_in_nobodys_way(session):
    """Its connection stands, say: what was sent is not read, and there is room for no more."""
    play = session("play", "--players", "4", "--lang", "de")
    play.until(lambda: "q aufhören" in play.screen.text)
    play.fill()
    play.process.send_signal(signal.SIGTERM)
    assert play.process.wait(PATIENCE_S) == 0
    assert termios.tcgetattr(play.theirs) == play.before
