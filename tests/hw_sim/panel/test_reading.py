"""Dice read off the display's memory are those that were drawn, of both sizes, in their order."""

from random import Random

import pytest

from drivers.ssd1306 import Panel
from firmware.display import screens
from firmware.display.oled.bitmap import Bitmap
from firmware.display.oled.draw import draw
from firmware.display.oled.marks import DIE_FACES, SMALL_DIE_FACES
from firmware.display.screens import DialStrip as DrawnDial
from firmware.display.screens.values import ThrowStage
from firmware.display.text.labels import Text
from game.bluff.values import value_of
from hw_sim.panel import COLUMNS, MEMORY_BYTES, read_dice, shows_pips

NEUTRAL = DrawnDial(None, Text.NEUTRAL, None, 0, 1)
FACES = [*DIE_FACES.items(), *SMALL_DIE_FACES.items()]


def memory_of(screen):
    return Panel.pack(draw(screen, "en").columns)


def open_throw(game, dice, aside=(), states=None):
    states = states or (screens.DieState.IN_PLAY,) * len(dice)
    return screens.ThrowOpenPage(game, None, dice, aside, states, 1, 3, NEUTRAL)


def test_no_dice_are_none():
    assert read_dice(bytes(MEMORY_BYTES)) is None
    assert not shows_pips(bytes(MEMORY_BYTES))


@pytest.mark.parametrize("dice", [(6, 3), (2, 1), (4, 4), (1, 1)])
def test_two_dice_of_a_look(dice):
    memory = memory_of(screens.LookPage(dice, value_of(dice)))
    assert read_dice(memory) == dice
    assert shows_pips(memory)


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
        packed = Panel.pack(whole.columns)
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
