"""A match in the terminal: the view of seats, panels and story."""

import asyncio
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.display.screens import LookPage, RevealPage
from game import RULES
from hw_sim.live import terminal
from hw_sim.panel import MEMORY_BYTES, read_dice, shows_pips
from hw_sim.table import TableSetup
from tests.support.matches import playing
from tests.support.terminal_screen import Screen, halves, opened_by_me

PATIENCE_S = 240.0


class Session:
    """A command on a terminal of its own, 80×24."""

    def __init__(self, *arguments):
        self.screen, self.sent = Screen(terminal.ScreenSize(80, 24)), ""
        self.ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (24, 80))
        self.before = termios.tcgetattr(theirs)
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # so does a shell in the background
            signal.signal(signal.SIGINT, signal.default_int_handler)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "hw_sim.cli.main", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=os.environ | {"LC_ALL": "C.UTF-8"},
        )
        self.theirs, self._bytes = theirs, b""
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
    play.until(lambda: read_dice(screen.memory(terminal.ScreenPlace(0, 0))) is not None, keys=b"l")
    assert "Ana looks." in screen.text
    play.until(lambda: "cup lifted" not in screen.text)
    play.until(lambda: read_dice(screen.memory(terminal.ScreenPlace(0, 0))) is None)
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


# ---- the picture ---------------------------------------------------------------------------------


def test_only_what_has_changed_is_sent():
    canvas, size = terminal.TerminalCanvas(), terminal.ScreenSize(20, 3)
    texts = {terminal.ScreenPlace(0, 0): "one", terminal.ScreenPlace(2, 5): "two"}
    assert canvas.show(texts, size) == "\x1b[0m\x1b[2J\x1b[1;1Hone\x1b[3;6Htwo"
    assert canvas.show(texts, size) == ""
    assert canvas.show(texts | {terminal.ScreenPlace(2, 5): "six"}, size) == "\x1b[3;6Hsix"
    assert canvas.show(texts, terminal.ScreenSize(21, 3)).startswith("\x1b[0m\x1b[2J")


@given(st.integers(64, 300), st.integers(23, 100), st.integers(1, 9))
def test_panels_stand_inside_and_apart(columns, rows, count):
    layout = terminal.arrange(terminal.ScreenSize(columns, rows), count)
    taken = set()
    for index, place in enumerate(layout.panels):
        shrink = layout.shrinks[index > 0]
        for row in range(terminal.PANEL_ROWS // shrink + 1):
            for column in range(terminal.PANEL_COLUMNS // shrink):
                at = (place.row + row, place.column + column)
                assert at not in taken
                assert at[0] < layout.story_row
                assert at[1] < columns
                taken.add(at)
    assert layout.story_rows >= 4
    assert layout.story_row + layout.story_rows + 2 == rows


async def test_a_window_that_is_too_small_has_no_layout_and_is_told(tmp_path):
    async with at_table(tmp_path) as table:
        for size in (terminal.ScreenSize(63, 50), terminal.ScreenSize(80, 22)):
            assert terminal.arrange(size, 3) is None
            sent = terminal.LiveView(table, ME, "en", peeks_open=False).frame(size, [])
            assert "The window is too small: 80×24." in sent


def test_a_smaller_picture_is_the_same_picture():
    memory = bytearray(MEMORY_BYTES)
    memory[0:64] = b"\xff" * 64  # the left half of the upper eighth
    for shrink in (1, 2, 4):
        lines = terminal.drawn(bytes(memory), shrink)
        assert len(lines) == 16 // shrink
        assert {len(line) for line in lines} == {64 // shrink}
        dots = [halves(cell) for cell in lines[0]]
        full = 15 if shrink < 4 else 3
        assert dots == [(full, full)] * (32 // shrink) + [(0, 0)] * (32 // shrink)
        assert set("".join(lines[2 // min(shrink, 2) :])) == {" "}


# ---- a table -------------------------------------------------------------------------------------

SIZE = terminal.ScreenSize(200, 60)
ME = 0


def at_table(folder, person=ME):
    """A table of three that plays, in virtual time."""
    return playing(TableSetup(RULES["class"], 3, opened_by_me(), person=person), folder)


async def pictures(view, seconds):
    """Draw a table as often as a person's terminal would: each seat, its panel, all the text."""
    screen, layout = Screen(SIZE), terminal.arrange(SIZE, 3)
    for _ in range(round(seconds * 20)):
        sent = view.frame(SIZE, [])
        screen.send(sent)
        for seat, place in enumerate(layout.panels if sent else ()):
            yield seat, screen.memory(place), screen.text
        await asyncio.sleep(0.05)


@pytest.mark.whole
async def test_others_peeks_are_hidden_from_a_person(tmp_path):
    """All play by themselves; the view is that of a person at seat 0."""
    own, peeks, masks = False, False, False
    async with at_table(tmp_path, person=None) as table:
        view = terminal.LiveView(table, ME, "en", peeks_open=False)
        async for seat, memory, text in pictures(view, 90.0):
            handheld = table.seats[seat].handheld
            if seat == ME:
                own |= shows_pips(memory)
                continue
            masks |= "peeking" in text
            peeks |= isinstance(handheld.screen, LookPage)
            if not isinstance(handheld.screen, RevealPage) and handheld.view().round_end is None:
                assert not shows_pips(memory)
    assert own
    assert peeks
    assert masks
