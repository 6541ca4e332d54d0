"""Pictures of the display's memory: every pixel where the data sheet puts it."""

import io
import random

import pytest
from PIL import Image

from hw_sim.panel import MEMORY_BYTES, PanelPicture, gif, panel, pixels, png, terminal
from steckbrett import traces

DARK = bytes(MEMORY_BYTES)


def noise(seed: int) -> bytes:
    return random.Random(seed).randbytes(MEMORY_BYTES)


def test_the_memory_is_read_by_pages_with_the_lowest_bit_on_top() -> None:
    memory = noise(1)
    lit = pixels(memory)
    for y in range(64):
        for x in range(128):
            assert bool(lit[y][x]) == bool(memory[y // 8 * 128 + x] >> y % 8 & 1)


def seen(drawn: PanelPicture) -> Image.Image:
    """A picture as those see it who open its file."""
    with Image.open(io.BytesIO(png(drawn))) as opened:
        assert opened.size == drawn.size
        return opened.convert("RGB")


def memory_with(*pixels: tuple[int, int]) -> bytes:
    memory = bytearray(DARK)
    for x, y in pixels:
        memory[y // 8 * 128 + x] |= 1 << y % 8
    return bytes(memory)


@pytest.mark.parametrize("scale", [1, 4])
def test_a_panel_lights_exactly_the_pixels_of_the_memory(scale: int) -> None:
    memory = memory_with((0, 0), (127, 0), (5, 63), (127, 63))
    image, dark = seen(panel(memory, scale)), seen(panel(DARK, scale))
    assert image.size == (136 * scale, 72 * scale)
    differing = [
        (x, y)
        for y in range(image.height)
        for x in range(image.width)
        if image.getpixel((x, y)) != dark.getpixel((x, y))
    ]
    cell = scale - 1 if scale >= traces.GAPS_FROM_SCALE else scale
    assert len(differing) == 4 * cell * cell
    assert {(x // scale - 4, y // scale - 4) for x, y in differing} == {
        (0, 0),
        (127, 0),
        (5, 63),
        (127, 63),
    }


def test_a_moving_picture_shows_each_memory_for_its_time() -> None:
    memories = (DARK, noise(5), DARK)
    times_us = (1_000_000, 1_250_000, 1_255_000)
    film = gif(list(zip(times_us, memories)), 2_000_000)
    with Image.open(io.BytesIO(film)) as moving:
        lasts_ms = []
        for frame in range(moving.n_frames):
            moving.seek(frame)
            lasts_ms.append(moving.info["duration"])
            assert moving.convert("RGB").tobytes() == seen(panel(memories[frame])).tobytes()
        assert moving.info["loop"] == 0
    assert lasts_ms == [250, 20, 740]
    with pytest.raises(ValueError, match="needs pictures"):
        gif([], 0)


def test_braille_shows_every_pixel() -> None:
    memory = noise(4)
    rows = pixels(memory)
    braille = terminal(memory)
    assert [len(line) for line in braille] == [64] * 16
    dots = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # Unicode, Braille Patterns
    for y in range(64):
        for x in range(128):
            lit = bool(rows[y][x])
            assert bool(ord(braille[y // 4][x // 2]) & dots[y % 4][x % 2]) == lit


@pytest.mark.parametrize("draw", [panel, terminal])
def test_memory_of_another_size_is_refused(draw: object) -> None:
    assert callable(draw)
    with pytest.raises(ValueError, match="1024 bytes, not 1023"):
        draw(DARK[1:])
