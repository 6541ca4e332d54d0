"""Dirty windows: right, small and short, for any two pictures."""

from hypothesis import given
from hypothesis import strategies as st

from drivers.panel_windows import MEMORY_BYTES, MOST_BYTES, OVERHEAD_BYTES, WIDTH, windows

BYTE_US = 22.5
"""9 bits at 400 kHz."""
ADDRESSES = 2
"""Bytes that say which part is meant, one a transfer."""

memories = st.binary(min_size=MEMORY_BYTES, max_size=MEMORY_BYTES)
spots = st.lists(
    st.tuples(st.integers(0, MEMORY_BYTES - 1), st.integers(1, 40), st.integers(0, 255)),
    max_size=20,
)


def painted(memory, spots):
    changed = bytearray(memory)
    for at, length, value in spots:
        end = min(at + length, MEMORY_BYTES)
        changed[at:end] = bytes([value]) * (end - at)
    return bytes(changed)


def applied(memory, found):
    panel = bytearray(memory)
    for window in found:
        window.write_into(panel)
    return bytes(panel)


def wire_bytes(found):
    return sum(len(window.data) + OVERHEAD_BYTES for window in found)


@given(memories, memories)
def test_windows_turn_any_memory_into_any_other(old, new):
    found = windows(old, new)
    assert applied(old, found) == new
    # Pieces of 2 ms cost more than one frame in one piece: 16 of them at worst.
    assert wire_bytes(found) <= MEMORY_BYTES + 16 * OVERHEAD_BYTES


@given(memories, spots)
def test_windows_cost_less_than_their_page_runs(old, spots):
    new = painted(old, spots)
    found = windows(old, new)
    assert applied(old, found) == new
    changed_pages = {at // WIDTH for at in range(MEMORY_BYTES) if old[at] != new[at]}
    assert wire_bytes(found) <= len(changed_pages) * (WIDTH + 2 * OVERHEAD_BYTES)


@given(memories, spots)
def test_windows_are_short_and_inside_the_panel(old, spots):
    for window in windows(old, painted(old, spots)):
        assert 0 <= window.first_page <= window.last_page <= 7
        assert 0 <= window.first_column <= window.last_column < WIDTH
        width = window.last_column - window.first_column + 1
        assert len(window.data) == width * (window.last_page - window.first_page + 1)
        assert len(window.data) <= MOST_BYTES
        bus_us = (len(window.data) + OVERHEAD_BYTES + ADDRESSES) * BYTE_US + 4 * 2.5 + 1.3
        assert bus_us <= 2_000


def test_a_digit_over_four_pages_is_one_window_a_page():
    new = painted(bytes(MEMORY_BYTES), [(page * WIDTH + 50, 16, 0xFF) for page in range(2, 6)])
    found = windows(bytes(MEMORY_BYTES), new)
    assert [window[:4] for window in found] == [(page, page, 50, 65) for page in range(2, 6)]


def test_a_gap_is_written_only_while_that_is_cheaper_than_a_second_window():
    blank = bytes(MEMORY_BYTES)
    near = painted(blank, [(0, 1, 1), (OVERHEAD_BYTES + 1, 1, 1)])
    far = painted(blank, [(0, 1, 1), (OVERHEAD_BYTES + 2, 1, 1)])
    assert (len(windows(blank, near)), len(windows(blank, far))) == (1, 2)


def test_what_has_most_lit_pixels_to_lose_is_written_first():
    lit = painted(bytes(MEMORY_BYTES), [(0, 9, 0x01), (5 * WIDTH, 9, 0xFF), (7 * WIDTH, 9, 0x0F)])
    new = painted(bytes(MEMORY_BYTES), [(2 * WIDTH, 30, 0xFF)])
    assert [window.first_page for window in windows(lit, new)] == [5, 7, 0, 2]


def test_what_is_unsure_is_written_again_though_it_looks_equal():
    memory = painted(bytes(MEMORY_BYTES), [(130, 5, 0xAA)])
    unsure = int.from_bytes(painted(bytes(MEMORY_BYTES), [(130, 5, 0xFF)]))
    (window,) = windows(memory, memory, unsure)
    assert window == (1, 1, 2, 6, b"\xaa" * 5)
