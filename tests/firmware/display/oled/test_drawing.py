"""The screens: drawn in both languages, nothing clipped, closed cups dark, all in its place."""

from dataclasses import replace
from functools import cache
from typing import get_args

import pytest
from PIL import Image

from drivers.ssd1306 import Panel
from firmware.display import screens
from firmware.display.oled import font
from firmware.display.oled.canvas import HEIGHT, WIDTH, Canvas
from firmware.display.oled.dice_faces import DIE_FACES
from firmware.display.oled.draw import draw
from firmware.display.oled.lettering import image_of
from firmware.display.oled.page import BIG_TOP, VALUE_LEFT
from firmware.display.screens import ClosedPage, CupKind, DialStrip, Screen, ShakingPage
from firmware.display.text.alerts import Alert
from firmware.display.text.labels import Text
from firmware.display.text.language import LANGUAGES, Language
from game.actions import Announce
from game.bluff.values import DICE, RANKING
from tests.support.screens import (
    closed_cup_screens,
    dial,
    drawn,
    lit,
    open_cup_screens,
    reads,
    screens_said,
    verdict,
)

DARK_LIMIT = WIDTH * HEIGHT * 23 // 100
"""Covered screens light at most so many pixels, whatever the names, so that they fake no lift."""
HINT_LINE = (0, 56, WIDTH, HEIGHT)
VALUE = (VALUE_LEFT, BIG_TOP, VALUE_LEFT + 32, BIG_TOP + 32)
"""Two digits of 14 columns and the gap of 4 between them."""
TENS = (VALUE_LEFT, BIG_TOP, VALUE_LEFT + 14, BIG_TOP + 32)


@cache
def drawn_closed(language: Language) -> tuple[tuple[Screen, Image.Image], ...]:
    """Every screen with a covered cup, and its picture."""
    return tuple((each, drawn(each, language)) for each in dict.fromkeys(closed_cup_screens()))


def test_the_catalogue_has_every_kind_of_screen() -> None:
    covered = (screen for screen, _ in drawn_closed("de"))
    kinds = {type(screen) for screen in (*covered, *open_cup_screens())}
    assert kinds == set(get_args(Screen))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_closed_cup_screen_fits_has_a_hint_and_stays_dark(language: Language) -> None:
    for screen, picture in drawn_closed(language):
        assert (picture.mode, picture.size) == ("1", (128, 64))
        assert lit(picture) <= DARK_LIMIT, screen
        assert lit(picture) + picture.histogram()[0] == WIDTH * HEIGHT, "pixels are 0 or 255"
        assert picture.crop(HINT_LINE).getbbox() is not None, screen


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_open_cup_screen_fits_has_a_hint_and_is_drawn_alike(language: Language) -> None:
    for screen in open_cup_screens():
        picture = drawn(screen, language)
        assert picture.crop(HINT_LINE).getbbox() is not None, screen
        assert drawn(screen, language).tobytes() == picture.tobytes(), screen


def test_no_closed_cup_screen_has_a_strip_of_a_die_with_pips() -> None:
    def strips(pips: int) -> list[bytes]:
        canvas = Canvas()
        canvas.paste(DIE_FACES[pips], 0, 0)
        memory = Panel.pack(canvas.image.columns)
        return [memory[WIDTH * page : WIDTH * page + 32] for page in range(4)]

    every = {strip for pips in DIE_FACES for strip in strips(pips)}
    telling = every - {strips(1)[0], strips(1)[3]}
    assert len(telling) == len(every) - 2, "two strips are the border alone"
    for screen, _ in drawn_closed("de"):
        memory = Panel.pack(draw(screen, "de").columns)
        assert not any(strip in memory for strip in telling), screen


@pytest.mark.parametrize("value", RANKING)
def test_a_value_is_32_rows_high_and_has_one_place_on_every_screen(value: int) -> None:
    said, dice = Announce(value), (value // 10, value % 10)
    assert BIG_TOP % 8 == 0, "the first row of a page"
    wanted = drawn(ClosedPage(CupKind.THROWN, dial(value)), "en").crop(VALUE).tobytes()
    for screen in (
        *screens_said(said, "Ana"),
        ClosedPage(CupKind.THROWN, dial(Text.THROW, holds=True), said, "Ana"),
        screens.LookPage(dice, value),
        screens.RevealPage(verdict(), dice, value, "Ana", "Ben"),
        screens.RevealPage(verdict(), None, value, "Ana", "Ben"),
    ):
        picture = drawn(screen, "en")
        assert reads(picture, str(value), font.DIGITS), screen
        assert picture.crop(VALUE).tobytes() == wanted, screen
        assert drawn(screen, "de").crop(VALUE).tobytes() == wanted, screen


def test_a_digit_stays_when_the_other_one_changes() -> None:
    for tens, ones in ((6, (1, 2, 3, 4, 5, 6)), (3, (1, 2, 3))):
        said = [Announce(10 * tens + each) for each in ones]
        pages = [screens.AnnouncingPage(each, "") for each in said]
        assert len({drawn(page, "en").crop(TENS).tobytes() for page in pages}) == 1


def test_dice_stand_on_pages_of_the_memory_and_show_their_pips() -> None:
    for dice in DICE:
        reveal = screens.RevealPage(verdict(screens.Judgement.LIE), dice, 66, "Ben", "Ana")
        for screen in (screens.LookPage(dice, 66), reveal):
            for place, pips in enumerate(dice):
                left, top = 1 + 35 * place, 8
                face = drawn(screen, "de").crop((left, top, left + 32, top + 32))
                assert face.tobytes() == image_of(DIE_FACES[pips]).tobytes()


@pytest.mark.parametrize(
    ("screen", "hint"),
    [
        (ClosedPage(CupKind.OPENING, dial(), may_throw=True), "shake · tilt"),
        (ClosedPage(CupKind.THROWN, dial(), None, None, 1, True, True), "shake · lift · tilt"),
        (ClosedPage(CupKind.THROWN, dial(), None, None, 2, False, True), "lift · tilt"),
        (ClosedPage(CupKind.THROWN, dial(), None, None, 2), "tilt"),
        (ClosedPage(CupKind.THROWN, dial(63)), "tilt · tap"),
        (ClosedPage(CupKind.THROWN, dial(Text.THROW, holds=True)), "tilt · hold"),
        (screens.OfferPage("Ana", Announce(63), dial(), True), "lift = doubt · tilt"),
        (screens.OfferPage("Ana", Announce(63), dial(), False), "wait"),
        (screens.OfferPage("Ana", Announce(63), dial(), True, doubt=0.5), "cover = take it back"),
        (ShakingPage(0.5, again=True), "keep shaking"),
        (ShakingPage(1.0, again=True), "then hold it still"),
        (screens.LookPage((6, 3), 63), "cover"),
        (screens.AnnouncingPage(Announce(63), "Ben"), "tilt = take it back"),
        (screens.LiftingPage("Ana", Announce(63)), "wait"),
        (screens.LiftingPage("Ana", Announce(63), "Ben"), "wait"),
        (screens.WaitingPage("Ben"), "wait"),
        (screens.AlertPage(Alert.COVER_CUP), "cover"),
    ],
)
def test_the_hint_names_what_works_now(screen: Screen, hint: str) -> None:
    picture = drawn(screen, "en")
    assert reads(picture, hint)
    bottom = picture.crop(HINT_LINE).getbbox()
    assert bottom is not None
    assert bottom[2] - bottom[0] == font.load(font.SMALL).width(hint), "nothing else is there"


def test_a_hold_fills_its_bar() -> None:
    amounts = [
        lit(drawn(ClosedPage(CupKind.THROWN, dial(Text.THROW, holds=True, progress=share)), "de"))
        for share in (0.0, 0.5, 1.0)
    ]
    assert amounts[0] < amounts[1] < amounts[2]


def test_the_bar_of_a_doubt_fills_and_a_lift_that_was_too_short_is_told_of() -> None:
    offer = screens.OfferPage("Ana", Announce(63), dial(), True)
    pictures = [drawn(replace(offer, doubt=share), "en") for share in (0.0, 0.5, 1.0)]
    assert all(reads(picture, "Keep it lifted: doubt", font.STRONG) for picture in pictures)
    assert lit(pictures[0]) < lit(pictures[1]) < lit(pictures[2])
    assert reads(drawn(replace(offer, too_short=True), "en"), "Too short: lift longer", font.STRONG)


def test_an_unknown_language_and_an_impossible_dial_or_share_are_refused() -> None:
    with pytest.raises(ValueError, match="use one of de, en"):
        drawn(screens.StartingPage(), "tlh")
    with pytest.raises(ValueError, match="index 3 of 3"):
        DialStrip(None, Text.NEUTRAL, None, 3, 3)
    with pytest.raises(ValueError, match="progress"):
        ShakingPage(1.5)


def test_joined_emoji_are_one_box() -> None:
    small = font.load(font.SMALL)
    box = small.width("\U0001f469")
    assert box
    for joined in ("\U0001f469\u200d\U0001f680", "\u2764\ufe0f", "\U0001f44d\U0001f3fd"):
        assert small.width(joined) == box
    assert small.width("\U0001f469\U0001f680") > box
