"""Keys of a terminal, and what is drawn in it: only what has changed, inside and apart."""

from hypothesis import given
from hypothesis import strategies as st

from hw_sim.hand.control.keys import Key, KeyReader
from hw_sim.live.terminal.layout import PANEL_COLUMNS, PANEL_ROWS, arrange
from hw_sim.live.terminal.raw_terminal import ScreenPlace, ScreenSize, TerminalCanvas

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


@given(st.integers(64, 300), st.integers(23, 100), st.integers(1, 8))
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
