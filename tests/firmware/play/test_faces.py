"""What is shown in every state a handheld can be in."""

from random import Random

import pytest

from firmware.display.oled.draw import draw
from firmware.display.screens import (
    AlertPage,
    AnnouncingPage,
    ClosedPage,
    CupKind,
    DialStrip,
    Judgement,
    LiftingPage,
    LookPage,
    MatchOverPage,
    OfferPage,
    OnItsWayPage,
    RevealPage,
    Row,
    StandingsPage,
    Tally,
    Unit,
    Verdict,
    WaitingPage,
    Way,
)
from firmware.display.screens.screen import shows_dice
from firmware.display.text.alerts import Alert
from firmware.display.text.labels import Text
from firmware.effects.reports import Part, PartFailed, PartWell
from firmware.input.gestures.gesture import Lifted, Shaken
from firmware.play.presenter.screen_of import screen_of
from firmware.table.seat.position import Position
from game import Status
from game.actions import Announce, Believe, Doubt, EndMatch, GiveIn, OwnUp, Roll
from game.actions import Look as LookAction
from tests.support import core_table as cores

MS = 1_000
S = 1_000_000
ALL_IN = Tally(3, Unit.MATCH, Status.IN)


@pytest.fixture
def table():
    return cores.CoreTable(3, dice={0: [(6, 3), (5, 4)], 1: [(4, 3), (3, 1)]})


def thrown(table):
    table.do(0, Shaken(0, S))
    return table


def offered(table, value=65):
    thrown(table).choose(0, Announce(value))
    table.wait(S)
    return table


def test_an_empty_cup_to_open_with(table):
    assert table[0].screen == ClosedPage(
        CupKind.OPENING,
        DialStrip(Text.THROW, Text.NEUTRAL, None, 2, 3),
        may_throw=True,
    )
    assert table[1].screen == WaitingPage("Ana", mine=ALL_IN)


def test_a_throw(table):
    thrown(table)
    screen = table[0].screen
    assert (screen.kind, screen.throws) == (CupKind.THROWN, 1)
    assert (screen.may_throw, screen.may_look) == (True, True)
    assert screen.dial.previous is Text.THROW_AGAIN
    assert screen.dial.following == 31
    assert screen.said is screen.announcer is None


def test_a_blind_throw(table):
    thrown(table).do(0, Shaken(0, S))
    screen = table[0].screen
    assert (screen.throws, screen.may_throw, screen.may_look) == (2, False, False)
    assert screen.dial.previous is Text.MORE


def test_an_announcement(table):
    thrown(table)
    table.tilt_to(0, table[0].dial.index_of(Announce(65)))
    assert table[0].screen.dial.current == 65
    table.tap(0)
    assert table[0].screen == AnnouncingPage(Announce(65), "Ben")


def test_an_offer_and_its_way(table):
    offered(table)
    assert table[0].screen == OnItsWayPage("Ben", Announce(65), Way.OFFERED)
    assert table[1].screen == OfferPage(
        "Ana", Announce(65), DialStrip(Text.DOUBT, Text.NEUTRAL, Text.BELIEVE, 2, 4), armed=True
    )
    assert table[2].screen == WaitingPage("Ben", Announce(65), "Ana", ALL_IN)


def test_an_announced_maexchen(table):
    offered(table, 21)
    dial = table[1].screen.dial
    assert (dial.previous, dial.following, dial.count) == (Text.DOUBT, None, 4)
    table.tilt_to(1, 1)
    assert table[1].screen.dial.current is Text.GIVE_IN
    assert table[1].screen.dial.holds


def test_a_believed_cup(table):
    offered(table)
    table.choose(1, Believe())
    screen = table[1].screen
    assert (screen.kind, screen.said, screen.announcer) == (CupKind.BELIEVED, Announce(65), "Ana")
    assert (screen.throws, screen.may_throw, screen.may_look) == (0, True, False)
    assert screen.dial.following == 11
    assert table[0].screen == WaitingPage("Ben", Announce(65), "Ana", ALL_IN)


def test_a_cup_on_its_way_here(table):
    offered(table)
    table.lost = lambda *_: True
    table.choose(1, Believe())
    assert table[1].position is Position.TAKING
    assert table[1].screen == WaitingPage("Ben", Announce(65), "Ana", ALL_IN)


def test_a_doubted_cup_on_its_way_here(table):
    offered(table)
    table.lost = lambda *_: True
    table.choose(1, Doubt())
    assert table[1].position is Position.TAKING
    assert table[1].screen == LiftingPage("Ana", Announce(65))


def test_a_look(table):
    thrown(table).do(0, Lifted(0))
    assert table[0].screen == LookPage((6, 3), 63)
    assert shows_dice(table[0].screen)


def test_the_end_of_a_round(table):
    offered(table)
    table.choose(1, Doubt())
    verdict = Verdict(Judgement.LIE, "Ana", 1, Tally(2, Unit.MATCH, Status.IN))
    expected = RevealPage(verdict, (6, 3), 65, "Ana", "Ben")
    assert table[0].screen == table[2].screen == expected
    assert shows_dice(expected)
    dial = DialStrip(Text.MORE, Text.NEUTRAL, Text.GO_ON, 1, 3)
    assert table[1].screen == RevealPage(verdict, (6, 3), 65, "Ana", "Ben", True, dial)


def test_an_end_without_dice(table):
    offered(table, 21)
    table.choose(1, GiveIn())
    verdict = Verdict(Judgement.GAVE_IN, "Ben", 1, Tally(2, Unit.MATCH, Status.IN))
    assert table[2].screen == RevealPage(verdict)
    assert not shows_dice(table[2].screen)


def test_owning_up_stands_on_the_dial(table):
    offered(table)
    table.choose(1, Believe())
    table.do(1, Shaken(0, S))
    table.tilt_to(1, table[1].dial.index_of(OwnUp()))
    assert table[1].screen.dial.current is Text.OWN_UP
    table.tilt_to(1, table[1].dial.index_of(LookAction()))
    assert table[1].screen.dial.current is Text.LOOK


def test_the_scores(table):
    table.tap(2)
    assert table[2].screen == StandingsPage(
        (Row("Ana", ALL_IN), Row("Ben", ALL_IN), Row("Cem", ALL_IN, me=True))
    )


def test_drinks_are_shown_as_drinks():
    table = offered(cores.CoreTable(3, stakes="drinks"), 21)
    assert table[2].screen.mine == Tally(0, Unit.DRINK, Status.IN)
    table.choose(1, GiveIn())
    assert table[2].screen.verdict.after == Tally(1, Unit.DRINK, Status.IN)
    table.choose(1, Roll())
    assert table[1].screen.dial.previous is Text.THROW_AGAIN


def test_a_match_that_was_ended():
    table = offered(cores.CoreTable(3, stakes="drinks"), 21)
    table.choose(1, GiveIn())
    table.tilt_to(1, table[1].dial.index_of(EndMatch()))
    assert table[1].screen.dial.current is Text.END_MATCH
    table.hold(1)
    none, one = Tally(0, Unit.DRINK), Tally(1, Unit.DRINK)
    rows = (Row("Ana", none, me=True), Row("Ben", one), Row("Cem", none))
    assert table[0].screen == MatchOverPage("Ben", "B-8", rows)


def test_equals_share_the_loss():
    """B-8: most glasses has lost, equals share it."""
    table = cores.CoreTable(3, stakes="drinks", dice={0: [(2, 1)], 1: [(2, 1)]})
    offered(table, 21)
    table.choose(1, GiveIn())
    table.do(1, Shaken(0, S))
    table.choose(1, Announce(21))
    table.wait(S)
    table.choose(2, GiveIn())
    table.choose(2, EndMatch())
    assert {place.screen.loser for place in table.places} == {"Ben, Cem"}


def test_the_end_of_the_match_follows_its_last_round():
    table = cores.CoreTable(3, dice={0: [(3, 1)] * 9}, credit=1)
    for _ in range(2):
        table.do(0, Shaken(0, S))
        table.choose(0, Announce(21))
        table.wait(S)
        table.choose(1, Doubt())
        if not table.over:
            table.choose(1, table[1].dial.entries[-1].choice)
    assert all(isinstance(place.screen, RevealPage) for place in table.places)
    table.tap(2)
    assert isinstance(table[2].screen, MatchOverPage)
    assert isinstance(table[0].screen, RevealPage)
    table.wait(8 * S)
    assert isinstance(table[0].screen, MatchOverPage)
    assert table[0].screen.loser == "Ana"
    assert table[0].screen.rows[0].tally == Tally(0, Unit.MATCH, Status.OUT)


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (Part.ACCELEROMETER, Alert.ACCELEROMETER),
        (Part.PANEL, Alert.DISPLAY),
        (Part.LIGHT, Alert.LIGHT_SENSOR),
    ],
)
def test_a_part_that_is_missing(table, part, message):
    before = table[0].screen
    table.do(0, PartFailed(part))
    assert table[0].screen == AlertPage(message)
    table.tap(0)
    assert table[0].screen == AlertPage(message)
    table.do(0, PartWell(part), PartWell(part))
    assert table[0].screen == before


def test_two_parts_that_are_missing_are_told_one_after_the_other(table):
    table.do(0, PartFailed(Part.LIGHT), PartFailed(Part.ACCELEROMETER))
    assert table[0].screen == AlertPage(Alert.LIGHT_SENSOR)
    table.do(0, PartWell(Part.LIGHT))
    assert table[0].screen == AlertPage(Alert.ACCELEROMETER)


@pytest.mark.parametrize("seed", range(3))
def test_every_screen_of_a_match_can_be_drawn_in_both_languages(seed):
    table = cores.CoreTable(3 + seed, seed=seed)
    table.walk(Random(seed))
    table.wait(10 * S)
    kinds = {}
    for place in table.places:
        assert screen_of(place.handheld.view()) == place.screen
        for effect in place.shown:
            screen = getattr(effect, "screen", None)
            if screen is not None:
                kinds.setdefault(type(screen), screen)
    assert {
        WaitingPage,
        ClosedPage,
        OfferPage,
        AnnouncingPage,
        OnItsWayPage,
        RevealPage,
        MatchOverPage,
    } <= set(kinds)
    for screen in kinds.values():
        for language in ("de", "en"):
            assert draw(screen, language).size == (128, 64)
