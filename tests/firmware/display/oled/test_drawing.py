"""The screens: drawn in both languages, nothing clipped, closed cups dark, all in its place."""

from functools import cache
from typing import get_args

import pytest
from PIL import Image

from drivers.panel import pack
from firmware.display import screens
from firmware.display.oled import font
from firmware.display.oled.canvas import HEIGHT, WIDTH, Canvas
from firmware.display.oled.draw import draw
from firmware.display.oled.marks import DIE_FACES
from firmware.display.screens import DialStrip, Screen, ShakingPage
from firmware.display.text.labels import Text
from firmware.display.text.language import LANGUAGES, Language
from tests.support.screens import (
    closed_cup_screens,
    drawn,
    lit,
    open_cup_screens,
)

DARK_LIMIT = WIDTH * HEIGHT * 23 // 100
"""Covered screens light at most so many pixels, whatever the names, so that they fake no lift."""
FIRST, *OTHERS = LANGUAGES
TRANSLATED = [pytest.param(each, marks=pytest.mark.whole) for each in OTHERS]
HINT_LINE = (0, 56, WIDTH, HEIGHT)


@cache
def drawn_closed(language: Language) -> tuple[tuple[Screen, Image.Image], ...]:
    """Every screen with a covered cup, and its picture."""
    return tuple((each, drawn(each, language)) for each in dict.fromkeys(closed_cup_screens()))


@pytest.mark.whole
def test_the_catalogue_has_every_kind_of_screen() -> None:
    covered = (screen for screen, _ in drawn_closed("de"))
    kinds = {type(screen) for screen in (*covered, *open_cup_screens())}
    assert kinds == set(get_args(Screen))


@pytest.mark.parametrize(
    "language", [FIRST, *(pytest.param(each, marks=pytest.mark.night) for each in OTHERS)]
)
def test_every_closed_cup_screen_fits_has_a_hint_and_stays_dark(language: Language) -> None:
    for screen, picture in drawn_closed(language):
        assert (picture.mode, picture.size) == ("1", (128, 64))
        assert lit(picture) <= DARK_LIMIT, screen
        assert lit(picture) + picture.histogram()[0] == WIDTH * HEIGHT, "pixels are 0 or 255"
        assert picture.crop(HINT_LINE).getbbox() is not None, screen


@pytest.mark.parametrize("language", [FIRST, *TRANSLATED])
def test_every_open_cup_screen_fits_has_a_hint_and_is_drawn_alike(language: Language) -> None:
    for screen in open_cup_screens():
        picture = drawn(screen, language)
        assert picture.crop(HINT_LINE).getbbox() is not None, screen
        assert drawn(screen, language).tobytes() == picture.tobytes(), screen


@pytest.mark.whole
def test_no_closed_cup_screen_has_a_strip_of_a_die_with_pips() -> None:
    def strips(pips: int) -> list[bytes]:
        canvas = Canvas()
        canvas.paste(DIE_FACES[pips], 0, 0)
        memory = pack(canvas.image.columns)
        return [memory[WIDTH * page : WIDTH * page + 32] for page in range(4)]

    every = {strip for pips in DIE_FACES for strip in strips(pips)}
    telling = every - {strips(1)[0], strips(1)[3]}
    assert len(telling) == len(every) - 2, "two strips are the border alone"
    for screen, _ in drawn_closed("de"):
        memory = pack(draw(screen, "de").columns)
        assert not any(strip in memory for strip in telling), screen


def test_an_unknown_language_and_an_impossible_dial_or_share_are_refused() -> None:
    with pytest.raises(ValueError, match="use one of de, en"):
        draw(screens.StartingPage(), "tlh")
    with pytest.raises(ValueError, match="index 3 of 3"):
        DialStrip(None, Text.NEUTRAL, None, 3, 3)
    with pytest.raises(ValueError, match="progress"):
        ShakingPage(1.5)


def test_emoji_beside_each_other_are_one_picture() -> None:
    for emoji in ("\U0001f469\u200d\U0001f680", "\u2764\ufe0f", "\U0001f469\U0001f680"):
        assert font.letters(f"{emoji} {emoji}") == (emoji, " ", emoji)
