"""Frames on a stream."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.link import MAX_FRAME, FrameAssembler, FramingError, framed


@given(st.lists(st.binary(min_size=1, max_size=80), max_size=20), st.data())
def test_frames_survive_any_splitting(frames, data):
    stream = b"".join(framed(frame) for frame in frames)
    assembler = FrameAssembler()
    received = []
    while stream:
        length = data.draw(st.integers(1, len(stream)))
        received += assembler.feed(stream[:length])
        stream = stream[length:]
    assert received == frames


def test_the_length_is_two_bytes_little_endian():
    assert framed(b"abc") == b"\x03\x00abc"


@pytest.mark.parametrize("length", [0, MAX_FRAME + 1])
def test_lengths_out_of_bounds_are_refused_on_both_sides(length):
    with pytest.raises(ValueError, match=f"not {length}: split it"):
        framed(bytes(length))
    with pytest.raises(FramingError, match=f"a frame of {length} bytes"):
        FrameAssembler().feed(length.to_bytes(2, "little"))
