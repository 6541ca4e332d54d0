"""A first match on one handheld: one new thing at a time, and the match goes on beneath it."""

from random import Random

import pytest

from firmware.display.screens import AlertPage, ClosedPage
from firmware.display.screens.lessons import BLUFF_LESSONS, LESSONS, OPEN_LESSONS
from firmware.display.text.labels import LessonText
from firmware.input.gestures import Shaken, Shaking
from tests.support.lone import Lone
from tests.support.net import MS, S

NAMES = ("Ana", "Ben", "Cem")
TOUCH_US = 1500 * MS
"""The time a person takes to read and touch."""
TEXTS = [lesson.text for lesson in LESSONS]
BLUFF_TEXTS = {lesson.text for lesson in BLUFF_LESSONS}
OPEN_TEXTS = {lesson.text for lesson in OPEN_LESSONS}


class Pupil(Lone):
    """Remembers which lessons were on the display."""

    taught = ()

    def follow(self, at, effects):
        super().follow(at, effects)
        if lesson(self) not in (None, *self.taught):
            self.taught += (lesson(self),)


@pytest.fixture
def lone(tmp_path):
    made = Pupil(tmp_path, seed=3)
    yield made
    made.journal.close()


def lesson(lone):
    """The lesson on the display; None where there is none."""
    screen = lone.cores[0].screen
    return screen.alert if isinstance(screen, AlertPage) and screen.alert in TEXTS else None


def shake(lone):
    lone.do(0, Shaking(lone.now_us, 200 * MS))
    lone.do(0, Shaken(lone.now_us, 900 * MS))


def test_a_first_match_teaches_everything_in_two_minutes(lone):
    lone.begin("class", NAMES, people=1, learns=True)
    rng = Random(5)
    while set(lone.taught) != BLUFF_TEXTS:
        if lesson(lone) is None:
            lone.play(rng)
        else:
            lone.wait(TOUCH_US)
            lone.tap(0)
        assert lone.now_us < 120 * S, lone.taught


@pytest.mark.parametrize(
    ("game", "other"),
    [
        ("maxen", LessonText.SEVENS),
        ("chicago", LessonText.SEVENS),
        ("sevens", LessonText.ASIDE),
    ],
)
def test_a_first_match_of_open_dice_teaches_its_own_lessons(lone, game, other):
    lone.begin(game, NAMES, people=1, learns=True)
    rng = Random(5)
    wanted = OPEN_TEXTS - {other}
    while set(lone.taught) != wanted:
        if lesson(lone) is None:
            lone.play(rng)
        else:
            lone.wait(TOUCH_US)
            lone.tap(0)
        assert lone.now_us < 240 * S, lone.taught


def test_a_hold_wants_no_more_and_a_power_cut_begins_them_anew(lone):
    lone.begin("class", NAMES, people=1, learns=True)
    lone.hold(0)
    assert isinstance(lone.cores[0].screen, ClosedPage)
    shake(lone)
    assert lesson(lone) is None
    lone.reboot()
    assert lesson(lone) is LessonText.PEEK
