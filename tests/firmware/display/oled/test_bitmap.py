"""Pictures of one bit a pixel against Pillow's: the same pixels, whatever is drawn where."""

from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageOps

from firmware.display.oled.bitmap import Bitmap
from firmware.display.oled.lettering import image_of

PLACES = st.tuples(st.integers(-40, 140), st.integers(-40, 80))
SIZES = st.tuples(st.integers(1, 33), st.integers(1, 64))


@st.composite
def masks(draw) -> tuple[Bitmap, Image.Image]:
    width, height = draw(SIZES)
    rows = draw(st.lists(st.integers(0, 2**width - 1), min_size=height, max_size=height))
    bits = [bool(row >> (width - 1 - x) & 1) for row in rows for x in range(width)]
    image = Image.new("1", (width, height))
    image.putdata([255 * bit for bit in bits])
    return Bitmap.of_rows(width, rows), image


@settings(max_examples=200)
@given(
    st.lists(st.tuples(masks(), PLACES), max_size=3),
    st.lists(st.tuples(PLACES, SIZES, st.booleans()), max_size=3),
)
def test_pasting_and_filling_are_what_pillow_does(pasted, filled) -> None:
    bitmap, image = Bitmap(128, 64), Image.new("1", (128, 64))
    for (mask, other), (left, top) in pasted:
        bitmap.paste(mask, left, top)
        image.paste(255, (left, top), other)
    for (left, top), (width, height), lit in filled:
        bitmap.fill(left, top, left + width, top + height, lit)
        box = (left, top, left + width - 1, top + height - 1)
        ImageDraw.Draw(image).rectangle(box, fill=255 * lit)
    assert image_of(bitmap).tobytes() == image.tobytes()


@given(masks())
def test_a_mirrored_mask_is_what_pillow_makes_of_it(mask) -> None:
    bitmap, image = mask
    assert image_of(bitmap).tobytes() == image.tobytes()
    assert image_of(bitmap.mirrored()).tobytes() == ImageOps.mirror(image).tobytes()
    assert [bitmap.is_lit(x, 0) for x in range(bitmap.width)] == [
        bool(image.getpixel((x, 0))) for x in range(image.width)
    ]
