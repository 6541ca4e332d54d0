"""Faults in handling the cup: sensed, asked about, counted or only warned of (R-PHYS-7, R-HF-5)."""

import pytest

from firmware.display import screens
from firmware.display.text.labels import Alert
from firmware.input import gestures as hand
from firmware.table.protocol.messages import Question
from firmware.table.seat.cup_custody import Position
from game import RULES, Phase
from game import actions as do
from tests.support import core_table as cores

MS = 1_000
S = 1_000_000
PUNISHING = ("physicist", "holy-family")
LENIENT = tuple(game for game in RULES if game not in PUNISHING)


def thrown(game="physicist", **options):
    table = cores.CoreTable(3, game=game, dice={0: [(6, 3)]}, **options)
    table.do(0, hand.Shaken(0, S))
    return table


def offered(game="physicist", **options):
    table = thrown(game, **options)
    table.choose(0, do.Announce(65))
    table.wait(S)
    assert table[1].position is Position.OFFERED
    return table


def deny(table, seat):
    table.rest(seat)
    table.pose(seat, 0.0)
    table.pose(seat, 30.0)


@pytest.mark.parametrize("game", PUNISHING)
def test_a_drop_is_asked_about_on_all_displays_and_counts_when_held(game):
    table = thrown(game)
    table.do(0, hand.Dropped(0))
    assert table[0].screen == screens.FaultQuestionPage(do.FaultKind.DROP, None)
    assert table[1].screen == table[2].screen == screens.FaultQuestionPage(do.FaultKind.DROP, "Ana")
    table.hold(0)
    for place in table.places:
        assert place.actions[-1] == do.Fault(do.FaultKind.DROP, 0)
        assert isinstance(place.screen, screens.RevealPage)
        assert place.screen.verdict.judgement is screens.Judgement.DROPPED
        assert place.screen.dice is None
    assert table[0].match.phase is Phase.OPENING
    assert table[0].handheld.own_seat.dice is None


def test_a_question_is_answered_by_hold_or_tilt_alone():
    table = thrown()
    table.do(0, hand.Dropped(0))
    table.tap(0)
    table.do(0, hand.Uncovered(table.now_us), hand.Shaken(table.now_us, S))
    assert table[0].screen == screens.FaultQuestionPage(do.FaultKind.DROP, None)
    assert len(table[0].actions) == 1


@pytest.mark.parametrize("game", PUNISHING)
def test_dice_moved_on_offer_are_asked_about_and_the_offer_taken_back(game):
    table = offered(game)
    assert isinstance(table[0].screen, screens.OnItsWayPage)
    table.do(0, hand.Shaken(0, S))
    assert table[0].screen == screens.FaultQuestionPage(do.FaultKind.MOVE, None)
    table.hold(0)
    table.wait(5 * S)
    assert table[0].actions[-1] == do.Fault(do.FaultKind.MOVE, 0)
    assert [place.position for place in table.places] == [
        Position.MINE, Position.WATCHING, Position.WATCHING,
    ]  # fmt: skip
    table.do(0, hand.Shaken(0, S))
    table.choose(0, do.Announce(42))
    table.wait(S)
    table.choose(1, do.Believe())
    assert table[1].position is Position.MINE


def test_a_question_is_idle_once_the_cup_has_gone():
    table = offered()
    table.lost = lambda _sender, _receiver, message: isinstance(message, Question)
    table.do(0, hand.Dropped(0))
    assert isinstance(table[0].screen, screens.FaultQuestionPage)
    table.wait(S)
    table.choose(1, do.Believe())
    assert table[0].handheld.view().prompt is None
    table.hold(0)
    assert not any(isinstance(action, do.Fault) for action in table[0].actions)


def test_nobody_answers_an_offer_while_its_giver_is_asked():
    table = offered()
    table.tilt_to(1, table[1].dial.index_of(do.Believe()))
    table.do(0, hand.Dropped(0))
    table.tap(1)
    table.do(1, hand.Uncovered(table.now_us))
    table.wait(S)
    assert table[1].position is Position.OFFERED
    deny(table, 0)
    table.choose(1, do.Believe())
    assert table[1].position is Position.MINE


def test_a_question_that_nobody_answers_is_forgotten_elsewhere():
    table = offered()
    table.do(0, hand.Dropped(0))
    table.wait(20 * S)
    assert table[1].handheld.own_seat.open_question is None
    assert table[0].screen == screens.FaultQuestionPage(do.FaultKind.DROP, None)


def test_an_answer_on_its_way_is_worth_nothing_once_the_offer_was_taken_back():
    table = offered(air_us=400 * MS)
    table.tilt_to(1, table[1].dial.index_of(do.Believe()))
    table.do(0, hand.Dropped(0))
    table.press(1)
    table.wait(200 * MS)
    table.do(1, hand.Tap(table.now_us))
    table.do(0, hand.Held(table.now_us))
    assert table[1].position is Position.TAKING
    table.wait(20 * S)
    assert table[1].position is Position.WATCHING
    assert table[0].position is Position.MINE
    assert table[1].actions[-1] == do.Fault(do.FaultKind.DROP, 0)
    digests = {place.handheld.own_seat.log.digest for place in table.places}
    assert len(digests) == 1
    assert sum(place.handheld.own_seat.holding for place in table.places) == 1


@pytest.mark.parametrize("game", PUNISHING)
def test_a_forbidden_look_counts_at_once(game):
    table = offered(game)
    table.choose(1, do.Believe())
    table.do(1, hand.Uncovered(table.now_us))
    assert table[0].actions[-1] == do.Fault(do.FaultKind.LOOK, 1)
    assert table[1].screen.verdict.judgement is screens.Judgement.LOOKED
    assert table[1].screen.dice is None


def test_strict_asks_nobody_and_off_counts_nothing():
    table = thrown(faults="strict")
    table.do(0, hand.Dropped(0))
    assert table[0].actions[-1] == do.Fault(do.FaultKind.DROP, 0)
    table = thrown(faults="off")
    table.do(0, hand.Dropped(0))
    assert table[0].screen == screens.AlertPage(Alert.DROPPED)
    assert len(table[0].actions) == 1
    table = offered(faults="off")
    table.choose(1, do.Believe())
    table.do(1, hand.Uncovered(table.now_us))
    assert table[1].screen == screens.AlertPage(Alert.NO_LOOK)


@pytest.mark.parametrize("game", LENIENT)
def test_where_a_game_names_no_faults_the_display_only_warns(game):
    """B-9: nobody is penalised, the dice stay as they are."""
    table = thrown(game)
    table.do(0, hand.Dropped(0))
    assert table[0].screen == screens.AlertPage(Alert.DROPPED)
    assert len(table[0].actions) == 1
