"""The panel to draw on, its letters and its dice: nothing is clipped without a word."""

import pytest
from PIL import Image

from firmware.display.oled import font
from firmware.display.oled.canvas import Canvas, shortened
from firmware.display.oled.lettering import image_of
from firmware.display.oled.marks import DIE_FACES
from tests.support.screens import lit, reads


def test_ink_outside_the_panel_is_a_misfit_and_left_out() -> None:
    for left, top in ((-1, 0), (0, -1), (97, 0), (0, 33)):
        canvas = Canvas()
        canvas.paste(DIE_FACES[1], left, top)
        assert canvas.misfits == [f"32×32 px do not fit at {left}, {top}"]
        assert 0 < lit(image_of(canvas.image)) < lit(image_of(DIE_FACES[1]))
    canvas = Canvas()
    canvas.paste(DIE_FACES[1], 96, 32)
    assert lit(image_of(canvas.image)) == lit(image_of(DIE_FACES[1]))
    assert canvas.misfits == []


def test_a_text_wider_than_its_place_is_a_misfit_and_cut() -> None:
    canvas = Canvas()
    assert canvas.text("Mäxchen", 20, (font.BOLD, font.SMALL), (0, 20))[1] <= 20
    assert canvas.misfits == ["'Mäxchen' is wider than 20 px"]
    assert reads(image_of(canvas.image), "Mä…")
    assert shortened("Mäxchen", (font.SMALL,), (0, 3)) == "Mäxchen"
    assert canvas.text("Mäxchen", 60, (font.SMALL,), (5, 8)) == (5, 5), "no room at all"


def test_a_character_that_no_font_has_is_a_box() -> None:
    small = font.load(font.SMALL)
    assert small.render("日").mask.columns == small.render(font.REPLACEMENT).mask.columns


def test_every_digit_has_ink_in_its_first_and_its_last_of_32_rows() -> None:
    for digit in "0123456789":
        mask = image_of(font.load(font.DIGITS).render(digit).mask)
        assert (mask.height, mask.getbbox()) == (32, (0, 0, mask.width, 32))


@pytest.mark.parametrize("pips", range(1, 7))
def test_a_face_is_32_rows_high_and_has_its_pips(pips: int) -> None:
    face = image_of(DIE_FACES[pips])
    assert face.getbbox() == (0, 0, 32, 32)
    assert islands(face) == 1 + pips, "the border and the pips"
    turned = face.transpose(Image.Transpose.ROTATE_180)
    assert turned.tobytes() == face.tobytes(), "the pips are centred"


def islands(picture: Image.Image) -> int:
    """Count the lit parts that do not touch each other."""
    left = {(x, y) for x in range(32) for y in range(32) if picture.getpixel((x, y))}
    count = 0
    while left:
        count += 1
        border = [min(left)]
        while border:
            x, y = border.pop()
            if (x, y) in left:
                left.discard((x, y))
                border += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return count
