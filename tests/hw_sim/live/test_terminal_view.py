"""Keys of a terminal, and what is drawn in it: only what has changed, apart, and nobody's peek."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from firmware.display.screens import LookPage, RevealPage
from game import RULES
from hw_sim.hand.control.keyboard_hand import Key, KeyReader
from hw_sim.live.terminal import (
    PANEL_COLUMNS,
    PANEL_ROWS,
    LiveView,
    ScreenPlace,
    ScreenSize,
    TerminalCanvas,
    arrange,
    drawn,
)
from hw_sim.panel import MEMORY_BYTES, shows_pips
from hw_sim.table import TableSetup
from tests.support.matches import playing
from tests.support.terminal_screen import Screen, halves, opened_by_me

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


def test_only_what_has_changed_is_sent():
    canvas, size = TerminalCanvas(), ScreenSize(20, 3)
    texts = {ScreenPlace(0, 0): "one", ScreenPlace(2, 5): "two"}
    assert canvas.show(texts, size) == "\x1b[0m\x1b[2J\x1b[1;1Hone\x1b[3;6Htwo"
    assert canvas.show(texts, size) == ""
    assert canvas.show(texts | {ScreenPlace(2, 5): "six"}, size) == "\x1b[3;6Hsix"
    assert canvas.show(texts, ScreenSize(21, 3)).startswith("\x1b[0m\x1b[2J")


@given(st.integers(64, 300), st.integers(23, 100), st.integers(1, 9))
def test_panels_stand_inside_and_apart(columns, rows, count):
    layout = arrange(ScreenSize(columns, rows), count)
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


def test_a_window_that_is_too_small_has_no_layout():
    assert arrange(ScreenSize(63, 50), 3) is None
    assert arrange(ScreenSize(80, 22), 3) is None


def test_a_smaller_picture_is_the_same_picture():
    memory = bytearray(MEMORY_BYTES)
    memory[0:64] = b"\xff" * 64  # the left half of the upper eighth
    for shrink in (1, 2, 4):
        lines = drawn(bytes(memory), shrink)
        assert len(lines) == 16 // shrink
        assert {len(line) for line in lines} == {64 // shrink}
        dots = [halves(cell) for cell in lines[0]]
        full = 15 if shrink < 4 else 3
        assert dots == [(full, full)] * (32 // shrink) + [(0, 0)] * (32 // shrink)
        assert set("".join(lines[2 // min(shrink, 2) :])) == {" "}


# ---- a table -------------------------------------------------------------------------------------

SIZE = ScreenSize(200, 60)
ME = 0


def at_table(folder, person=ME):
    """A table of three that plays, in virtual time."""
    return playing(TableSetup(RULES["class"], 3, opened_by_me(), person=person), folder)


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


async def test_a_window_that_is_too_small_is_told(tmp_path):
    async with at_table(tmp_path) as table:
        sent = LiveView(table, ME, "en", peeks_open=False).frame(ScreenSize(60, 20), [])
        assert "The window is too small: 80×24." in sent
