"""The live table: keys become motion, panels become Braille, and nobody sees the others' dice."""

import asyncio
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from contextlib import asynccontextmanager, suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.display.screens import LookPage, RevealPage
from firmware.table.log.entries import decode_entries
from game import RULES
from game.actions import Announce, Believe, Doubt
from game.actions import Look as LookAction
from hw_sim.hand.control import keyed_hand
from hw_sim.hand.control.grip import Grip
from hw_sim.hand.control.keyed_hand import Doing, KeyedHand
from hw_sim.hand.control.keys import Key, KeyReader
from hw_sim.live.terminal.glass import drawn
from hw_sim.live.terminal.layout import PANEL_COLUMNS, PANEL_ROWS, arrange
from hw_sim.live.terminal.terminal import Place, Size, TerminalCanvas
from hw_sim.live.terminal.view import LiveView
from hw_sim.panel import picture
from hw_sim.panel.dice_reader import read_dice, shows_pips
from hw_sim.table.setup import TableSetup
from tests.support.matches import playing

PATIENCE_S = 600.0


# ---- keys ----------------------------------------------------------------------------------------


def test_keys_of_a_terminal():
    reader = KeyReader()
    for typed, meant in (
        (b" lLu\r\nth", "SHAKE LIFT LIFT LIFT_TOGGLE TAP TAP TAP HOLD"),
        (b"\x1b[C\x1bOD\x1b[D\x1bOCq\x04", "RIGHT LEFT LEFT RIGHT QUIT QUIT"),
    ):
        assert reader.feed(typed) == [Key[name] for name in meant.split()]


def test_other_keys_mean_nothing():
    assert KeyReader().feed(b"x\x1b[A\x1b[1;5C\x1b[15~\xc3\xa4\x1bxq") == [Key.QUIT]


@given(st.lists(st.integers(1, 3)))
def test_a_sequence_may_come_in_pieces(cuts):
    data = b" \x1b[Cl\x1bOD\x1b[3~q"
    reader, keys = KeyReader(), []
    for cut in (*cuts, len(data)):
        keys += reader.feed(data[:cut])
        data = data[cut:]
    assert keys == [Key.SHAKE, Key.RIGHT, Key.LIFT, Key.LEFT, Key.QUIT]


# ---- what is drawn -------------------------------------------------------------------------------


class Screen:
    """What stands on a terminal after what was sent to it; only what the canvas sends is known."""

    def __init__(self, size):
        self.lines = [[" "] * size.columns for _ in range(size.rows)]
        self._row = self._column = 0

    def send(self, text):
        for token in re.findall(r"\x1b\[[?\d;]*[A-Za-z]|[^\x1b]", text):
            if token[0] != "\x1b":
                self.lines[self._row][self._column] = token
                self._column += 1
            elif token[-1] == "H":
                self._row, self._column = (int(number) - 1 for number in token[2:-1].split(";"))
            elif token == "\x1b[2J":
                for line in self.lines:
                    line[:] = [" "] * len(line)
            else:
                assert token[-1] in "mhl", token

    @property
    def text(self):
        return "\n".join("".join(line) for line in self.lines)

    def memory(self, place):
        """The display memory that a panel below its title at a place shows."""
        memory = bytearray(picture.MEMORY_BYTES)
        for row in range(PANEL_ROWS):
            line = self.lines[place.row + 1 + row]
            for column in range(PANEL_COLUMNS):
                left, right = halves(line[place.column + column])
                at = row // 2 * picture.COLUMNS + 2 * column
                memory[at] |= left << row % 2 * 4
                memory[at + 1] |= right << row % 2 * 4
        return bytes(memory)


def halves(cell):
    """The two columns of a Braille character, top dot in bit 0; letters are no dots."""
    dots = ord(cell) - 0x2800 if 0x2800 <= ord(cell) <= 0x28FF else 0
    left = dots & 7 | (dots >> 6 & 1) << 3
    right = dots >> 3 & 7 | (dots >> 7 & 1) << 3
    return left, right


def test_only_what_has_changed_is_sent():
    canvas, size = TerminalCanvas(), Size(20, 3)
    texts = {Place(0, 0): "one", Place(2, 5): "two"}
    assert canvas.show(texts, size) == "\x1b[0m\x1b[2J\x1b[1;1Hone\x1b[3;6Htwo"
    assert canvas.show(texts, size) == ""
    assert canvas.show(texts | {Place(2, 5): "six"}, size) == "\x1b[3;6Hsix"
    assert canvas.show(texts, Size(21, 3)).startswith("\x1b[0m\x1b[2J")


@given(st.integers(64, 300), st.integers(23, 100), st.integers(1, 8))
def test_panels_stand_inside_and_apart(columns, rows, count):
    layout = arrange(Size(columns, rows), count)
    taken = set()
    for index, place in enumerate(layout.panels):
        shrink = layout.shrinks[index > 0]
        for row in range(PANEL_ROWS // shrink + 1):
            for column in range(PANEL_COLUMNS // shrink):
                at = (place.row + row, place.column + column)
                assert at not in taken
                assert at[0] < layout.story_row
                assert at[1] < columns
                taken.add(at)
    assert layout.story_rows >= 4
    assert layout.story_row + layout.story_rows + 2 == rows


@pytest.mark.parametrize(
    ("size", "count", "shown", "shrinks"),
    [
        (Size(80, 24), 3, 3, (1, 4)),
        (Size(80, 24), 8, 4, (1, 4)),
        (Size(100, 30), 3, 3, (1, 2)),
        (Size(132, 44), 3, 3, (1, 1)),
        (Size(200, 60), 8, 8, (1, 1)),
    ],
)
def test_others_are_as_large_as_there_is_room(size, count, shown, shrinks):
    layout = arrange(size, count)
    assert (len(layout.panels), layout.shrinks) == (shown, shrinks)


def test_a_window_that_is_too_small_has_no_layout():
    assert arrange(Size(63, 50), 3) is None
    assert arrange(Size(80, 22), 3) is None


def test_a_smaller_picture_is_the_same_picture():
    memory = bytearray(picture.MEMORY_BYTES)
    memory[0:64] = b"\xff" * 64  # the left half of the upper eighth
    for shrink in (1, 2, 4):
        lines = drawn(bytes(memory), shrink)
        assert len(lines) == 16 // shrink
        assert {len(line) for line in lines} == {64 // shrink}
        dots = [halves(cell) for cell in lines[0]]
        full = 15 if shrink < 4 else 3
        assert dots == [(full, full)] * (32 // shrink) + [(0, 0)] * (32 // shrink)
        assert set("".join(lines[2 // min(shrink, 2) :])) == {" "}


# ---- a table in virtual time ---------------------------------------------------------------------

SIZE = Size(200, 60)
ME = 0


def at_table(folder, *, game="class", person=ME):
    """A table of three that plays, in virtual time."""
    return playing(TableSetup(RULES[game], 3, opened_by_me(), person=person), folder)


@asynccontextmanager
async def keyed(folder, **wanted):
    """The same, with somebody's keys for the hand at seat ME; gives its seat, too."""
    async with at_table(folder, **wanted) as table:
        seat = table.seats[ME]
        hand = KeyedHand(seat.held, Random("keys"))
        typing = asyncio.ensure_future(hand.play())
        await asyncio.sleep(2.0)
        yield table, seat, hand
        typing.cancel()


def opened_by_me():
    """The first seed whose match seat 0 opens."""
    return next(seed for seed in range(99) if Random(f"first {seed}").randrange(3) == ME)


def actions_of(table):
    return decode_entries(b"".join(table.seats[ME].log.since(0)))


async def repeated(hand, key, seconds, first_s=0.5):
    """Hold a key as a terminal tells it: once, and after a while 30 times a second."""
    hand.press(key)
    await asyncio.sleep(min(first_s, seconds))
    for _ in range(round((seconds - first_s) * 30)):
        hand.press(key)
        await asyncio.sleep(1 / 30)


async def until(holds, within_s=PATIENCE_S):
    async with asyncio.timeout(within_s):
        while not holds():
            await asyncio.sleep(0.05)


async def thrown(table, hand):
    """Shake; returns the throw."""
    hand.press(Key.SHAKE)
    await until(lambda: len(actions_of(table)) == 1)
    return actions_of(table)[0]


async def test_keys_play_a_turn(tmp_path):
    async with keyed(tmp_path) as (table, seat, hand):
        roll = await thrown(table, hand)
        await asyncio.sleep(0.6)
        await repeated(hand, Key.LIFT, 1.5)
        assert seat.read_dice() == roll.dice
        await asyncio.sleep(1.5)
        assert seat.read_dice() is None
        for _ in range(3):
            hand.press(Key.RIGHT)
            await asyncio.sleep(0.2)
        hand.press(Key.TAP)
        await until(lambda: len(actions_of(table)) == 3)
        # three presses: 31, 32, 41 (V-2)
        assert actions_of(table)[1:] == (LookAction(), Announce(41))
        assert seat.watch.leaks == []


async def test_an_open_throw_is_told_once_its_cup_is_lifted(tmp_path):
    async with keyed(tmp_path, game="sevens") as (table, seat, hand):
        view = LiveView(table, ME, "en", peeks_open=False)
        roll = await thrown(table, hand)
        await asyncio.sleep(1.0)
        told = f"Ana throws: {' '.join(map(str, roll.dice))}."
        assert told not in view.frame(SIZE, [])
        await repeated(hand, Key.LIFT, 1.5)
        assert seat.read_dice() == roll.dice
        await asyncio.sleep(1.0)
        assert told in view.frame(SIZE, [])
        assert seat.watch.leaks == []


async def test_keys_turn_the_pages_of_the_help(tmp_path):
    async with keyed(tmp_path, game="maxen") as (_, seat, hand):
        seat.handheld._play.overlays.open_help("maxen", seat.handheld._play.now_us)
        await asyncio.sleep(1.0)
        for key, page in ((Key.RIGHT, 1), (Key.RIGHT, 2), (Key.LEFT, 1)):
            hand.press(key)
            await asyncio.sleep(2.5)
            assert seat.handheld.view().help_page == page
        hand.press(Key.TAP)
        await asyncio.sleep(1.5)
        assert seat.handheld.view().help_page is None


async def test_a_held_space_bar_is_one_shake(tmp_path):
    async with keyed(tmp_path) as (table, _, hand):
        await repeated(hand, Key.SHAKE, 3.0, first_s=0.66)
        assert hand.doing == [Doing.SHAKING]
        assert actions_of(table) == ()
        await asyncio.sleep(2.0)
        assert len(actions_of(table)) == 1
        await repeated(hand, Key.SHAKE, 12.0)
        await asyncio.sleep(2.0)
        assert len(actions_of(table)) == 2  # however long it is held, it is one more throw
        assert hand.doing == []


async def test_a_held_arrow_runs_and_a_hold_shows_the_dice_while_the_finger_stays(tmp_path):
    async with keyed(tmp_path) as (table, seat, hand):
        roll = await thrown(table, hand)
        await asyncio.sleep(1.0)
        dial = seat.handheld.dial
        await repeated(hand, Key.RIGHT, 8.0)
        assert dial.index == len(dial.entries) - 1
        await repeated(hand, Key.LEFT, 4.0)
        await asyncio.sleep(1.0)
        target = dial.index_of(LookAction())
        while dial.index != target:
            hand.press(Key.RIGHT if dial.index < target else Key.LEFT)
            await asyncio.sleep(1.0)
        pressing = asyncio.ensure_future(repeated(hand, Key.HOLD, 2.5))
        await until(lambda: seat.read_dice() is not None)
        assert hand.doing == [Doing.TOUCHING]
        await pressing
        assert seat.read_dice() == roll.dice
        await asyncio.sleep(2.0)
        assert seat.read_dice() is None


async def test_a_key_that_is_held_tilts_until_it_is_let_go(tmp_path):
    async with keyed(tmp_path) as (table, seat, hand):
        await thrown(table, hand)
        await asyncio.sleep(1.0)
        dial = seat.handheld.dial
        hand.hold(Key.RIGHT)
        await until(lambda: dial.index - dial.neutral_index >= 4)
        hand.release(Key.RIGHT)
        await asyncio.sleep(0.2)
        let_go = dial.index
        await asyncio.sleep(3.0)
        assert dial.index == let_go <= dial.neutral_index + 5
        assert hand.doing == []


async def test_quick_presses_move_as_many_entries_steeply(tmp_path):
    async with keyed(tmp_path) as (table, seat, hand):
        await thrown(table, hand)
        await asyncio.sleep(2.0)
        dial = seat.handheld.dial
        start, started_us = dial.index, seat.runtime.now_us
        for _ in range(6):
            hand.hold(Key.RIGHT)
            hand.release(Key.RIGHT)
        await until(lambda: dial.index == start + 6)
        assert seat.runtime.now_us - started_us < 2_500_000
        await asyncio.sleep(2.0)
        assert dial.index == start + 6


async def test_a_click_of_usual_length_is_noticed_by_a_pad_that_dozes(tmp_path):
    async with at_table(tmp_path) as table:
        seat = table.seats[ME]
        grip = Grip(seat.held, Random("grip"))
        await asyncio.sleep(20.0)
        assert not seat.board.touch_pad.level
        grip.touch(True)
        await asyncio.sleep(0.07)
        grip.touch(False)
        await until(lambda: seat.board.touch_pad.level, 1.0)
        await until(lambda: not seat.board.touch_pad.level, 1.0)


async def test_u_lifts_until_it_is_pressed_again(tmp_path):
    async with keyed(tmp_path) as (_, seat, hand):
        hand.press(Key.LIFT_TOGGLE)
        await asyncio.sleep(3.0)
        hand.press(Key.LIFT)
        await asyncio.sleep(3.0)
        assert seat.hand.openness(seat.runtime.now_us) > 0.5
        assert hand.doing == [Doing.LIFTING]
        hand.press(Key.LIFT_TOGGLE)
        await asyncio.sleep(1.0)
        assert (seat.hand.openness(seat.runtime.now_us), hand.doing) == (0.0, [])


async def test_a_tapped_l_falls_closed_by_itself(tmp_path):
    async with keyed(tmp_path) as (_, seat, hand):
        hand.press(Key.LIFT)
        await asyncio.sleep(0.5)
        assert seat.hand.openness(seat.runtime.now_us) > 0.5
        await asyncio.sleep(keyed_hand.LIFTED_US / 1e6)
        assert seat.hand.openness(seat.runtime.now_us) == 0.0


async def pictures(view, seconds):
    """Draw a table as often as a person's terminal would: each seat, its panel, all the text."""
    screen, layout = Screen(SIZE), arrange(SIZE, 3)
    for _ in range(round(seconds * 20)):
        sent = view.frame(SIZE, [])
        screen.send(sent)
        for seat, place in enumerate(layout.panels if sent else ()):
            yield seat, screen.memory(place), screen.text
        await asyncio.sleep(0.05)


async def test_others_peeks_are_hidden_from_a_person(tmp_path):
    """All play by themselves; the view is that of a person at seat 0."""
    own, peeks, masks = False, False, False
    async with at_table(tmp_path, person=None) as table:
        view = LiveView(table, ME, "en", peeks_open=False)
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


async def test_open_peeks_show_the_dice(tmp_path):
    seen = False
    async with at_table(tmp_path, person=None) as table:
        view = LiveView(table, ME, "en", peeks_open=True)
        async for seat, memory, text in pictures(view, 40.0):
            assert "peeking" not in text
            handheld = table.seats[seat].handheld
            if isinstance(handheld.screen, LookPage):
                seen |= read_dice(memory) == handheld.own_seat.dice
    assert seen


async def test_what_is_said_is_told_in_the_language_of_the_person(tmp_path):
    texts = []
    async with at_table(tmp_path, person=None) as table:
        views = [LiveView(table, None, language, peeks_open=False) for language in ("de", "en")]
        await until(lambda: {Believe(), Doubt()} & set(actions_of(table)), within_s=300)
        for view in views:
            screen = Screen(SIZE)
            screen.send(view.frame(SIZE, [Doing.LIFTING]))
            texts.append(screen.text)
        view.over = True
        assert "The match is over. Press a key." in view.frame(SIZE, [])
    german, english = texts
    assert re.search(r"\w+ würfelt\.", german)
    assert re.search(r"\w+ sagt \d\d zu \w+\.", german)
    assert re.search(r"\w+ says \d\d to \w+\.", english)
    assert "q aufhören" in german
    assert "● cup" in english


async def test_a_window_that_is_too_small_is_told(tmp_path):
    async with at_table(tmp_path) as table:
        sent = LiveView(table, ME, "en", peeks_open=False).frame(Size(60, 20), [])
        assert "The window is too small: 80×24." in sent


# ---- a real terminal, in real time ---------------------------------------------------------------


def _heed_interrupts():
    """Whoever runs the tests in the background may have told all programs to ignore Ctrl-C."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


class Session:
    """A command on a terminal of its own, 80×24."""

    def __init__(self, *arguments):
        self.screen = Screen(Size(80, 24))
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


def test_a_person_plays_a_turn_at_a_terminal_and_leaves(session):
    seed = opened_by_me()
    play = session("play", "--seed", str(seed), "--lang", "en")
    screen = play.screen
    play.until(lambda: "space shake" in screen.text and "Ana (you) ● cup" in screen.text)
    play.rest(1.0)
    play.until(lambda: "[shaking]" in screen.text, keys=b" ")
    play.until(lambda: "Ana throws." in screen.text)
    play.rest(0.6)
    play.until(lambda: read_dice(screen.memory(Place(0, 0))) is not None, keys=b"l")
    assert "Ana looks." in screen.text
    play.until(lambda: "cup lifted" not in screen.text)
    play.until(lambda: read_dice(screen.memory(Place(0, 0))) is None)
    play.type(b"\x1b[C")
    play.until(lambda: "[tilting]" in screen.text)
    play.type(b"\r")
    play.until(lambda: "Ana says 31 to Ben." in screen.text)
    play.type(b"q")
    status, rest = play.end()
    assert status == 0
    assert rest.strip() == f"The match was not finished; its seed is {seed}."
    assert termios.tcgetattr(play.theirs) == play.before


def test_an_interrupt_puts_the_terminal_right_again(session):
    play = session("match", "--watch", "--players", "4", "--lang", "de")
    play.until(lambda: "q aufhören" in play.screen.text)
    play.process.send_signal(signal.SIGINT)
    assert play.end() == (130, "")
    assert termios.tcgetattr(play.theirs) == play.before


def test_a_terminal_that_takes_nothing_any_more_is_in_nobodys_way(session):
    """Its connection stands, say: what was sent is not read, and there is room for no more."""
    play = session("match", "--watch", "--players", "4", "--lang", "de")
    play.until(lambda: "q aufhören" in play.screen.text)
    play.fill()
    play.process.send_signal(signal.SIGTERM)
    assert play.process.wait(PATIENCE_S) == 0
    assert termios.tcgetattr(play.theirs) == play.before
