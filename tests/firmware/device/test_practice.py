"""Practice against the handheld, and the lessons of a first match on one handheld.

The handheld plays by itself, fairly, and slowly enough to follow. A lesson teaches one new thing at
a time, and the match goes on beneath it.
"""

from dataclasses import replace
from random import Random

import pytest

from firmware.bots.hint import HintFits, hint
from firmware.device.practice import MOST_LINES, verdict_page
from firmware.display.oled.draw import draw
from firmware.display.screens import AlertPage, ClosedPage, QuestionPage
from firmware.display.screens.lessons import BLUFF_LESSONS, LESSONS, OPEN_LESSONS
from firmware.display.text.labels import LessonText, Text
from firmware.display.text.language import LANGUAGES
from firmware.input.controls import LocalChoice
from firmware.input.gestures import Shaken, Shaking
from firmware.lobby.lobby import Lobby
from firmware.play.presenter import item_of
from firmware.table.commitment.fair_dice import UnbiasedDice
from firmware.table.log.public_log import merged_log
from firmware.table.seat.cup_custody import Position
from game import RULES
from game.actions import Announce, Believe, Leave, Look, Roll, StopMatch
from game.coach import analyse
from game.record import Record
from tests.support.lobbies import Lone
from tests.support.net import MS, S

NAMES = ("Ana", "Ben", "Cem")
TOUCH_US = 1500 * MS
"""The time a person takes to read and touch."""
TEXTS = [lesson.text for lesson in LESSONS]
BLUFF_TEXTS = {lesson.text for lesson in BLUFF_LESSONS}
OPEN_TEXTS = {lesson.text for lesson in OPEN_LESSONS}


def names_for(game):
    return ("Ana", "Ben", "Cem")[: max(2, RULES[game].fewest_players)]


class Other(UnbiasedDice):
    """Throws other dice than it would."""

    def roll(self, count, tower_one_in):
        return replace(super().roll(count, tower_one_in), dice=(4, 1))


@pytest.mark.parametrize("game", ["class", "physicist", "holy-family"])
def test_it_sees_only_what_its_seat_could_see(tmp_path, game):
    """Other dice under the player's cup, the same words: its view and its answer are the same."""
    dice, seen = [], []
    for other in (False, True):
        folder = tmp_path / f"{other}"
        folder.mkdir()
        lone = Lone(folder, seed=7)
        seat = lone.begin(game, names_for(game), people=1)
        ana, ben = seat.seats[:2]
        if other:
            ana.own_seat.fair.dice = Other(ana.own_seat.fair.dice.entropy)
        lone.wait(3 * S)
        choose(lone, ana, Roll())
        choose(lone, ana, Announce(65))
        if ana.view().choosing is not None:
            choose(lone, ana, Announce(65))
        lone.until(lambda ben=ben: ben.view().offer_armed)
        dice.append(ana.own_seat.dice)
        offered = ben.view()
        lone.until(lambda ben=ben: ben.position is not Position.OFFERED)
        seen.append((offered, ben.own_seat.given_answer or ben.match.phase))
        lone.journal.close()
    assert dice[0] != dice[1]
    assert seen[0] == seen[1]


def choose(lone, core, choice):
    core.dial.index = core.dial.index_of(choice)
    (lone.hold if core.dial.entry.holds else lone.tap)(0)
    lone.wait(200_000)


@pytest.mark.parametrize("wish", [Leave(0), StopMatch()])
def test_who_has_enough_goes_back_to_the_lobby(lone, wish):
    seat = lone.begin("class", ("Ana", "Ben", "Cem"), people=1)
    lone.wait(S)
    choose(lone, seat.seats[0], LocalChoice.MORE)
    choose(lone, seat.seats[0], wish)
    assert isinstance(lone.seat, Lobby)


def is_hint(screen):
    return isinstance(screen, QuestionPage) and screen.title is Text.HINT


def open_menu(lone, mine):
    for _ in range(2):  # the first tap may close what is to be read
        if not mine.view().menu_open:
            mine.dial.index = mine.dial.index_of(LocalChoice.MORE)
            lone.tap(0)


def asked(lone, seat):
    """The page that who practises gets when he asks in the menu what to do."""
    mine = seat.seats[0]
    open_menu(lone, mine)
    mine.dial.index = mine.dial.index_of(LocalChoice.HINT)
    lone.tap(0)
    assert is_hint(lone.cores[0].screen)
    lone.until(lambda: seat._hint[1].done)
    return lone.cores[0].screen


@pytest.mark.whole
@pytest.mark.parametrize(("game", "players"), [("class", 3), ("holy-family", 4)])
def test_the_hint_is_the_best_reply_to_those_who_sit_there(tmp_path, game, players):
    lone = Lone(tmp_path, seed=1)
    seat = lone.begin(game, ("Ana", "Ben", "Cem", "Dora")[:players], people=1)
    mine = seat.seats[0]
    lone.wait(3 * S)
    choose(lone, mine, Roll())
    page = asked(lone, seat)
    bots = [None, *(seat._opponents[at].bot for at in range(1, players))]
    record = merged_log([each.own_seat.log for each in seat.seats])[0]
    told = hint(record, 0, bots)
    assert told.fits is HintFits.THIS_TABLE
    assert len(page.lines) == len(told.ways)
    assert str(item_of(mine.view(), told.best)) in str(page.lines[0])
    lone.tap(0)
    assert not is_hint(lone.cores[0].screen), "and the match goes on"


def test_nobody_may_ask_where_others_play_too(tmp_path):
    lone = Lone(tmp_path, seed=1)
    seat = lone.begin("class", ("Ana", "Ben", "Cem"), people=2)
    lone.tap(0)
    open_menu(lone, seat.seats[0])
    assert LocalChoice.HINT not in [entry.choice for entry in seat.seats[0].dial.entries]


ANSWERED = (Roll((5, 4)), Look(), Announce(54), Believe(), Roll((3, 1)), Look(), Announce(66))
"""A lie that few would believe."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_verdict_names_the_dearest_decision_and_fits(lone, language):
    seat = lone.begin("class", names_for("class"), people=1)
    record = Record(RULES["class"], ("Cem", "Ana", "Ben"), 1, (*ANSWERED, Believe(), Roll((4, 1))))
    told = analyse(record)
    for best in {way for each in told.decisions for way in each.chances}:
        dearest = told.decisions[-1]._replace(round=12, seat=0, best=best, cost=0.4)
        page = verdict_page(told._replace(decisions=(dearest,)), seat.seats[0].view())
        assert len(page.lines) == MOST_LINES
        draw(page, language)


def test_the_verdict_says_nothing_that_is_more_than_a_match(lone):
    """Each of two decisions cost most of what a match can be worth."""
    view = lone.begin("class", NAMES, people=1).seats[0].view()
    told = analyse(Record(RULES["class"], NAMES, 0, ANSWERED))
    dear = told.decisions[-1]._replace(seat=0, cost=0.9)
    mine = told._replace(decisions=(dear, dear, dear._replace(cost=0.001)))
    for luck, said in ((-1.3, "<-100 %"), (1.3, ">+100 %"), (0.254, "+25 %")):
        page = verdict_page(mine._replace(accounts=(told.accounts[0]._replace(luck=luck),)), view)
        assert [line.name for line in page.lines[:2]] == [said, "1/3"]


class Pupil(Lone):
    """Remembers which lessons were on the display."""

    taught = ()

    def follow(self, at, effects):
        super().follow(at, effects)
        if lesson(self) not in (None, *self.taught):
            self.taught += (lesson(self),)


@pytest.fixture
def pupil(tmp_path):
    made = Pupil(tmp_path, seed=3)
    yield made
    made.journal.close()


def lesson(pupil):
    """The lesson on the display; None where there is none."""
    screen = pupil.cores[0].screen
    return screen.alert if isinstance(screen, AlertPage) and screen.alert in TEXTS else None


def shake(pupil):
    pupil.do(0, Shaking(pupil.now_us, 200 * MS))
    pupil.do(0, Shaken(pupil.now_us, 900 * MS))


@pytest.mark.parametrize(
    ("game", "lessons", "most_s"),
    [
        ("class", BLUFF_TEXTS, 120),
        ("maxen", OPEN_TEXTS - {LessonText.SEVENS}, 240),
        ("chicago", OPEN_TEXTS - {LessonText.SEVENS}, 240),
        ("sevens", OPEN_TEXTS - {LessonText.ASIDE, LessonText.TAKES}, 240),
    ],
)
def test_a_first_match_teaches_the_lessons_of_its_game_in_minutes(pupil, game, lessons, most_s):
    pupil.begin(game, NAMES, people=1, learns=True)
    rng = Random(5)
    while set(pupil.taught) != lessons:
        if lesson(pupil) is None:
            pupil.play(rng)
        else:
            pupil.wait(TOUCH_US)
            pupil.tap(0)
        assert pupil.now_us < most_s * S, pupil.taught


def test_a_hold_wants_no_more_and_a_power_cut_begins_them_anew(pupil):
    pupil.begin("class", NAMES, people=1, learns=True)
    pupil.hold(0)
    assert isinstance(pupil.cores[0].screen, ClosedPage)
    shake(pupil)
    assert lesson(pupil) is None
    pupil.reboot()
    assert lesson(pupil) is LessonText.PEEK
