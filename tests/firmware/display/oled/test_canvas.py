"""The panel to draw on, and every screen on it: nothing clipped, closed cups dark."""

from itertools import islice
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageOps

from drivers.panel import pack
from firmware.display import screens
from firmware.display.oled import font
from firmware.display.oled.bitmap import Bitmap
from firmware.display.oled.canvas import HEIGHT, WIDTH, Canvas, PageCanvas, fitting, shortened
from firmware.display.oled.draw import DoesNotFitError, draw, readable
from firmware.display.oled.lettering import image_of
from firmware.display.oled.marks import DIE_FACES
from firmware.display.oled.pages import lists as help_pages
from firmware.display.text.labels import Text
from firmware.display.text.language import LANGUAGES, Language, say
from firmware.display.text.rulebook import rules_of
from game import RULES
from tests.support.nights import at_night, whole
from tests.support.screens import closed_cup_screens, drawn, lit, open_cup_screens, reads, rows

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


@pytest.mark.whole
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
    for (left, top), (width, height), is_lit in filled:
        bitmap.fill(left, top, left + width, top + height, is_lit)
        box = (left, top, left + width - 1, top + height - 1)
        ImageDraw.Draw(image).rectangle(box, fill=255 * is_lit)
    assert image_of(bitmap).tobytes() == image.tobytes()


@given(masks())
def test_a_mirrored_mask_is_what_pillow_makes_of_it(mask) -> None:
    bitmap, image = mask
    assert image_of(bitmap).tobytes() == image.tobytes()
    assert image_of(bitmap.mirrored()).tobytes() == ImageOps.mirror(image).tobytes()
    assert [bitmap.is_lit(x, 0) for x in range(bitmap.width)] == [
        bool(image.getpixel((x, 0))) for x in range(image.width)
    ]


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


@pytest.mark.parametrize("name", [font.SMALL, font.STRONG, font.BOLD, font.HEADING])
def test_letters_that_no_font_has_are_one_mirrored_picture_wherever_they_stand(name) -> None:
    picture = font.load(name).render("王小明").mask
    assert picture.columns == picture.mirrored().columns == font._picture("王小明").mask.columns
    assert reads(image_of(font.load(name).render("Ana 王小明: 3").mask), "王小明")
    assert not reads(image_of(font.load(name).render("王小").mask), "王小明")
    assert shortened("Maximilian 王小明", (name,), (0, 30)).endswith("…")
    assert font.letters("Bo 王小明 नमि") == ("B", "o", " ", "王小明", " ", "नमि")


def test_a_font_that_lacks_letters_of_another_one_is_passed_over() -> None:
    for text, taken in (("Olga", font.HEADING), ("Ольга", font.SMALL), ("王小明", font.HEADING)):
        canvas = Canvas()
        canvas.text(text, 20, (font.HEADING, font.BOLD, font.SMALL))
        assert reads(image_of(canvas.image), text, taken)
        assert fitting(text, (font.HEADING, font.SMALL), (0, 99)) is font.load(taken)


def test_words_in_hebrew_are_drawn_from_the_right() -> None:
    def columns(text: str) -> bytes:
        return font.load(font.SMALL).render(text).mask.columns

    for text, left, right in (
        ("\u05d0\u05d1\u05d2", "\u05d2", "\u05d0"),
        ("\u05d0\u05b4\u05d1 \u05d2\u05b8\u05d3\u05b0", "\u05d3", "\u05d0"),
        ("Bo \u05d0\u05d1 12", "Bo", "12"),
    ):
        assert columns(text).startswith(columns(left)), text
        assert columns(text).endswith(columns(right)), text


def test_every_digit_has_ink_in_its_first_and_its_last_of_32_rows() -> None:
    for digit in "0123456789":
        mask = image_of(font.load(font.DIGITS).render(digit).mask)
        assert (mask.height, mask.getbbox()) == (32, (0, 0, mask.width, 32))


def test_a_face_is_32_rows_high_and_has_its_pips() -> None:
    faces = [image_of(DIE_FACES[pips]) for pips in range(1, 7)]
    pip = lit(faces[1]) - lit(faces[0])
    for more, face in enumerate(faces):
        assert face.getbbox() == (0, 0, 32, 32)
        assert lit(face) == lit(faces[0]) + more * pip > 0, "the border and the pips"
        turned = face.transpose(Image.Transpose.ROTATE_180)
        assert turned.tobytes() == face.tobytes(), "the pips are centred"


@pytest.mark.whole
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", RULES)
def test_the_help_tells_all_rules_of_a_game(game: str, language: Language) -> None:
    told = " ".join(line for page in help_pages.pages(RULES[game], language) for line in page)
    for rule in rules_of(RULES[game]):
        assert rule.text(language) in told


@pytest.mark.parametrize(
    ("text", "why"), [("check its plug " * 12, "no room"), ("x" * 60, "wider")]
)
def test_running_text_that_is_too_long_is_a_misfit(text: str, why: str) -> None:
    page = PageCanvas("en")
    page.paragraph(text, 26, 10)
    assert why in page.misfits[0]


def test_more_than_nine_rows_are_refused() -> None:
    with pytest.raises(DoesNotFitError, match="10 rows"):
        draw(screens.StandingsPage(rows(9) + rows(1)), "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_screen_that_does_not_fit_is_cut_and_told_of(language: Language) -> None:
    whole = drawn(screens.StandingsPage(rows(9)), language)
    drawing = readable(screens.StandingsPage(rows(9) + rows(1)), language)
    assert image_of(drawing.image).tobytes() == whole.tobytes(), "as much of it as fits"
    assert drawing.flaw == "StandingsPage does not fit: report it"
    assert readable(screens.StandingsPage(rows(9)), language).flaw is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_screen_with_a_defect_says_so_without_its_dice(language: Language) -> None:
    drawing = readable(screens.MatchOverPage("Ana", "no such rule", rows(3)), language)
    title = say("Alert.CANNOT_BE_DRAWN.title", language)
    assert reads(image_of(drawing.image), title, font.HEADING)
    assert drawing.flaw == "MatchOverPage cannot be drawn (KeyError): report it"
    with pytest.raises(ValueError, match="use one of de, en"):
        readable(screens.MatchOverPage("Ana", "R-CLASS-2", rows(3)), "tlh")


DARK_LIMIT = WIDTH * HEIGHT * 23 // 100
"""Covered screens light at most so many pixels, whatever the names, so that they fake no lift."""
FIRST, *OTHERS = LANGUAGES
TRANSLATED = [*map(whole, OTHERS)]
HINT_LINE = (0, 56, WIDTH, HEIGHT)


@pytest.mark.whole
def test_the_catalogue_has_every_kind_of_screen() -> None:
    kinds = {type(screen) for screen in (*closed_cup_screens(), *open_cup_screens())}
    assert kinds == set(get_args(screens.Screen))


def strips(pips: int) -> list[bytes]:
    """Return a die in the panel's memory: four times eight of its rows."""
    canvas = Canvas()
    canvas.paste(DIE_FACES[pips], 0, 0)
    memory = pack(canvas.image.columns)
    return [memory[WIDTH * page : WIDTH * page + 32] for page in range(4)]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("language", "one_in"), [(FIRST, 20), whole(FIRST, 1), *(at_night(each, 1) for each in OTHERS)]
)
def test_every_closed_cup_screen_fits_has_a_hint_stays_dark_and_shows_no_pips(
    language, one_in
) -> None:
    every = {strip for pips in DIE_FACES for strip in strips(pips)}
    telling = every - {strips(1)[0], strips(1)[3]}
    assert len(telling) == len(every) - 2, "two strips are the border alone"
    for screen in dict.fromkeys(islice(closed_cup_screens(), 0, None, one_in)):
        bitmap = draw(screen, language)
        picture, memory = image_of(bitmap), pack(bitmap.columns)
        assert not any(strip in memory for strip in telling), screen
        assert (picture.mode, picture.size) == ("1", (128, 64))
        assert lit(picture) <= DARK_LIMIT, screen
        assert lit(picture) + picture.histogram()[0] == WIDTH * HEIGHT, "pixels are 0 or 255"
        assert picture.crop(HINT_LINE).getbbox() is not None, screen


@pytest.mark.whole
@pytest.mark.parametrize("language", [FIRST, *TRANSLATED])
def test_every_open_cup_screen_fits_has_a_hint_and_is_drawn_alike(language: Language) -> None:
    for screen in open_cup_screens():
        picture = drawn(screen, language)
        assert picture.crop(HINT_LINE).getbbox() is not None, screen
        assert drawn(screen, language).tobytes() == picture.tobytes(), screen


def test_an_unknown_language_and_an_impossible_dial_or_share_are_refused() -> None:
    with pytest.raises(ValueError, match="use one of de, en"):
        draw(screens.StartingPage(), "tlh")
    with pytest.raises(ValueError, match="index 3 of 3"):
        screens.DialStrip(None, Text.NEUTRAL, None, 3, 3)
    with pytest.raises(ValueError, match="progress"):
        screens.ShakingPage(1.5)


def test_emoji_beside_each_other_are_one_picture() -> None:
    for emoji in ("\U0001f469\u200d\U0001f680", "\u2764\ufe0f", "\U0001f469\U0001f680"):
        assert font.letters(f"{emoji} {emoji}") == (emoji, " ", emoji)
