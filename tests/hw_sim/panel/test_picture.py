"""Pictures of the display's memory, dice read off it, and what a screen asks for in words."""

import io
import random
from dataclasses import replace
from random import Random

import pytest
from PIL import Image

from drivers.panel import pack
from firmware.display import screens
from firmware.display.oled.bitmap import Bitmap
from firmware.display.oled.draw import draw
from firmware.display.oled.marks import DIE_FACES, SMALL_DIE_FACES
from firmware.display.screens import DialStrip as DrawnDial
from firmware.display.screens import GestureKind, GestureOption, Meaning, ThrowStage
from firmware.display.text.labels import Text
from firmware.display.text.language import LANGUAGES
from game.actions import Announce
from hw_sim.panel import (
    COLUMNS,
    MEMORY_BYTES,
    PanelPicture,
    gif,
    panel,
    pixels,
    png,
    read_dice,
    shows_pips,
    terminal,
)
from hw_sim.panel.prompts import prompt_of, spoken
from steckbrett import traces
from tests.support.nights import nightly
from tests.support.screens import closed_cup_screens, open_cup_screens

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


@pytest.mark.whole
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


@pytest.mark.whole
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


NEUTRAL = DrawnDial(None, Text.NEUTRAL, None, 0, 1)
FACES = [*DIE_FACES.items(), *SMALL_DIE_FACES.items()]


def memory_of(screen):
    return pack(draw(screen, "en").columns)


def open_throw(game, dice, aside=(), states=None):
    states = states or (screens.DieState.IN_PLAY,) * len(dice)
    return screens.ThrowOpenPage(game, None, dice, aside, states, 1, 3, NEUTRAL)


def test_no_dice_are_none():
    assert read_dice(bytes(MEMORY_BYTES)) is None
    assert not shows_pips(bytes(MEMORY_BYTES))


@pytest.mark.parametrize("number", [3, 6, 7])
def test_three_large_dice_and_six_or_seven_small_ones_in_their_order(number):
    rng = Random(number)
    game = "maxen" if number == 3 else "sevens"
    for _ in range(20):
        dice = tuple(rng.randint(1, 6) for _ in range(number))
        memory = memory_of(open_throw(game, dice))
        assert read_dice(memory) == dice
        assert shows_pips(memory)


def test_dice_set_aside_lie_left_of_the_others():
    states = (screens.DieState.TURNED, screens.DieState.IN_PLAY)
    memory = memory_of(open_throw("chicago", (6, 6), aside=(1,), states=states))
    assert read_dice(memory) == (1, 6, 6)


@pytest.mark.parametrize(("pips", "face"), FACES, ids=lambda what: str(what)[:12])
def test_every_strip_with_a_pip_in_it_is_noticed(pips, face):
    """A picture is drawn in slices: half a die must be noticed, too."""
    empty = bytes(MEMORY_BYTES)
    for left in (0, 40):
        whole = Bitmap(128, 64)
        whole.paste(face, left, 16)
        packed = pack(whole.columns)
        strips = [
            packed[start : start + COLUMNS]
            for start in range(0, MEMORY_BYTES, COLUMNS)
            if packed[start : start + COLUMNS] != empty[start : start + COLUMNS]
        ]
        frames_alone = 2 if pips == 1 and face.height == 32 else 0
        noticed = [shows_pips(strip + bytes(MEMORY_BYTES - COLUMNS)) for strip in strips]
        assert (len(noticed), noticed.count(False)) == (face.height // 8, frames_alone)
        assert read_dice(packed) == (pips,)


def test_a_closed_cup_and_digits_are_no_dice():
    closed = screens.ThrowClosedPage(
        "maxen", ThrowStage.TURN, 1, 3, (6, 1), 1, NEUTRAL, thrown=True
    )
    ended = screens.RoundEndPage("maxen", ("Ana", (1, 1, 1)), ("Ben", (6, 5, 3)), ())
    for screen in (closed, ended):
        assert not shows_pips(memory_of(screen))
        assert read_dice(memory_of(screen)) is None


GESTURES = ("shake", "lift", "tilt", "tap", "hold")
ELSEWHERE = screens.AlertPage | screens.QuestionPage | screens.ShakingPage | screens.MatchOverPage
"""Pages that say themselves, in whole sentences, what they want."""


def hinted(screen):
    """The gestures in the last line of a display."""
    last = spoken(screen, "en").rsplit(". ", 1)[-1]
    return {gesture for gesture in GESTURES if gesture in last.replace("·", " ").split()}


@pytest.mark.whole
@pytest.mark.parametrize("language", nightly(LANGUAGES, "de"))
def test_every_screen_has_a_sentence_and_every_gesture_on_it_is_named(language):
    seen = set()
    for screen in (*closed_cup_screens(), *open_cup_screens()):
        if isinstance(screen, screens.StartingPage):
            continue
        told = prompt_of(screen, language)
        assert told.says.endswith((".", "?", "!", "…")), screen
        assert all(way.does for way in told.ways), screen
        waited_for = told.occasion == "turn" or (told.occasion == "offer" and screen.armed)
        drawn_only = told.dial is not None and told.dial.count == 1
        if waited_for and not drawn_only and not isinstance(screen, screens.ShakingPage):
            assert any(way.due for way in told.ways), screen
        if not isinstance(screen, ELSEWHERE):
            named = {"lift" if way.gesture == "open" else way.gesture for way in told.ways}
            missing = hinted(screen) - named
            assert not missing or missing == {"tilt"}, (screen, told)
            seen |= named
    assert seen >= set(GESTURES)


def test_a_display_that_is_off_asks_nothing():
    assert prompt_of(None, "en").ways == ()


def test_what_a_tap_believes_can_be_done_at_once_but_no_value_is_said_unchosen():
    def turns(right):
        dial = screens.DialStrip(Text.DOUBT, Text.NEUTRAL, right, 1, 3)
        offered = screens.OfferPage("Cem", Announce(62), dial, armed=True)
        return [(way.does, way.turn) for way in prompt_of(offered, "en").ways if way.turn]

    assert turns(Text.BELIEVE) == [("believe", 1)]
    assert turns(63) == []


def test_lessons_are_due_where_their_thing_is_and_learned_by_it():
    dial = screens.DialStrip(None, Text.NEUTRAL, 31, 0, 2)
    thrown = screens.ClosedPage(screens.CupKind.THROWN, dial, may_look=True)
    due = prompt_of(thrown, "de").lessons
    assert [(each.name, each.by_reading) for each in due] == [("peek", False), ("say", False)]
    assert due[0].title == "2 Nachsehen"
    assert prompt_of(screens.LookPage((6, 3), 63), "de").learned == ("peek",)
    assert prompt_of(None, "de").lessons == ()


def test_throws_for_the_lead_end_with_who_leads_and_are_no_round():
    led = screens.RoundEndPage("maxen", None, None, (screens.NoteLine(Text.LEADS, "Ben"),))
    assert prompt_of(led, "en").says == "Ben leads."


def test_dice_that_nothing_proves_are_called_so_in_words():
    verdict = screens.Verdict(screens.Judgement.TRUE, "Ben", 1, screens.Tally(2))
    proven = screens.RevealPage(verdict, (5, 4), 54, "Ana")
    unproven = replace(proven, unchecked=True)
    assert "54 = 54" in spoken(proven, "en")
    assert "no proof" not in spoken(proven, "en")
    assert "no proof" in spoken(unproven, "en")
    assert "?" not in spoken(unproven, "en")
    assert prompt_of(proven, "en").says == "The round is over."
    assert "Nothing proves these dice" in prompt_of(unproven, "en").says


def test_only_a_maexchen_that_lies_there_teaches_what_it_is():
    verdict = screens.Verdict(screens.Judgement.LIE, "Ben", 1, screens.Tally(2))
    taught = {
        dice: [each.name for each in prompt_of(screens.RevealPage(verdict, dice, 62), "en").lessons]
        for dice in ((6, 3), (2, 1), None)
    }
    assert taught == {(6, 3): [], (2, 1): ["maexchen"], None: []}


def test_equal_screens_over_different_pages_are_asked_apart():
    bare = screens.ShakingPage()
    over = replace(bare, under=(GestureOption(GestureKind.TAP, Meaning.SCORES),))
    assert bare == over
    assert [len(prompt_of(each, "en").ways) for each in (bare, over, bare)] == [0, 1, 0]


def test_the_end_of_a_match_names_who_lost():
    page = screens.MatchOverPage("Ben", "R-CLASS-2", ())
    assert prompt_of(page, "en").says == "The game is over. Ben loses."
    assert prompt_of(replace(page, of_reader=True), "en").says == "The game is over. You lose."
    question = screens.QuestionPage(Text.AGAIN_QUESTION, (Text.OTHERS_TOO,))
    assert prompt_of(question, "en").says == "Play again? new company."
