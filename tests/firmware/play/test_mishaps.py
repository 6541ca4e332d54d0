"""Faults in handling the cup: sensed, asked about, counted or only warned of (R-PHYS-7, R-HF-5)."""

import pytest

from firmware.display.screens import (
    AlertPage,
    ClosedPage,
    FaultQuestionPage,
    Judgement,
    OnItsWayPage,
    RevealPage,
)
from firmware.display.text.alerts import Alert
from firmware.input.gestures.gesture import Dropped, Held, Lifted, Shaken, Tap
from firmware.table.protocol.table_messages import Question
from firmware.table.seat.position import Position
from game import RULES, Phase
from game.actions import Announce, Believe, Doubt, Fault, FaultKind, Refuse, Roll, Say, Words
from tests.support import core_table as cores

MS = 1_000
S = 1_000_000
PUNISHING = ("physicist", "holy-family")
LENIENT = tuple(game for game in RULES if game not in PUNISHING)


def thrown(game="physicist", **options):
    table = cores.CoreTable(3, game=game, dice={0: [(6, 3)]}, **options)
    table.do(0, Shaken(0, S))
    return table


def offered(game="physicist", **options):
    table = thrown(game, **options)
    table.choose(0, Announce(65))
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
    table.do(0, Dropped(0))
    assert table[0].screen == FaultQuestionPage(FaultKind.DROP, None)
    assert table[1].screen == table[2].screen == FaultQuestionPage(FaultKind.DROP, "Ana")
    table.hold(0)
    for place in table.places:
        assert place.actions[-1] == Fault(FaultKind.DROP, 0)
        assert isinstance(place.screen, RevealPage)
        assert place.screen.verdict.judgement is Judgement.DROPPED
        assert place.screen.dice is None
    assert table[0].match.phase is Phase.OPENING
    assert table[0].handheld.passing.dice is None


@pytest.mark.parametrize("game", PUNISHING)
def test_a_tilt_says_no(game):
    table = thrown(game)
    table.do(0, Dropped(0))
    deny(table, 0)
    assert table[0].handheld.view().asking is None
    assert isinstance(table[0].screen, ClosedPage)
    assert not isinstance(table[1].screen, FaultQuestionPage)
    assert len(table[0].actions) == 1
    assert table[0].handheld.passing.dice == (6, 3)


def test_a_question_is_answered_by_hold_or_tilt_alone():
    table = thrown()
    table.do(0, Dropped(0))
    table.tap(0)
    table.do(0, Lifted(table.now_us), Shaken(table.now_us, S))
    assert table[0].screen == FaultQuestionPage(FaultKind.DROP, None)
    assert len(table[0].actions) == 1


@pytest.mark.parametrize("game", PUNISHING)
def test_dice_moved_on_offer_are_asked_about_and_the_offer_taken_back(game):
    table = offered(game)
    assert isinstance(table[0].screen, OnItsWayPage)
    table.do(0, Shaken(0, S))
    assert table[0].screen == FaultQuestionPage(FaultKind.MOVE, None)
    table.hold(0)
    table.wait(5 * S)
    assert table[0].actions[-1] == Fault(FaultKind.MOVE, 0)
    assert [place.position for place in table.places] == [
        Position.MINE, Position.WATCHING, Position.WATCHING,
    ]  # fmt: skip
    table.do(0, Shaken(0, S))
    table.choose(0, Announce(42))
    table.wait(S)
    table.choose(1, Believe())
    assert table[1].position is Position.MINE


def test_a_question_is_idle_once_the_cup_has_gone():
    table = offered()
    table.lost = lambda _sender, _receiver, message: isinstance(message, Question)
    table.do(0, Dropped(0))
    assert isinstance(table[0].screen, FaultQuestionPage)
    table.wait(S)
    table.choose(1, Believe())
    assert table[0].handheld.view().asking is None
    table.hold(0)
    assert not any(isinstance(action, Fault) for action in table[0].actions)


def test_nobody_answers_an_offer_while_its_giver_is_asked():
    table = offered()
    table.tilt_to(1, table[1].dial.index_of(Believe()))
    table.do(0, Dropped(0))
    table.tap(1)
    table.do(1, Lifted(table.now_us))
    table.wait(S)
    assert table[1].position is Position.OFFERED
    deny(table, 0)
    table.choose(1, Believe())
    assert table[1].position is Position.MINE


def test_a_question_that_nobody_answers_is_forgotten_elsewhere():
    table = offered()
    table.do(0, Dropped(0))
    table.wait(20 * S)
    assert table[1].handheld.passing.asked is None
    assert table[0].screen == FaultQuestionPage(FaultKind.DROP, None)


def test_an_answer_on_its_way_is_worth_nothing_once_the_offer_was_taken_back():
    table = offered(air_us=400 * MS)
    table.tilt_to(1, table[1].dial.index_of(Believe()))
    table.do(0, Dropped(0))
    table.press(1)
    table.wait(200 * MS)
    table.do(1, Tap(table.now_us))
    table.do(0, Held(table.now_us))
    assert table[1].position is Position.TAKING
    table.wait(20 * S)
    assert table[1].position is Position.WATCHING
    assert table[0].position is Position.MINE
    assert table[1].actions[-1] == Fault(FaultKind.DROP, 0)
    digests = {place.handheld.passing.log.digest for place in table.places}
    assert len(digests) == 1
    assert sum(place.handheld.passing.holding for place in table.places) == 1


@pytest.mark.parametrize("game", PUNISHING)
def test_a_forbidden_look_counts_at_once(game):
    table = offered(game)
    table.choose(1, Believe())
    table.do(1, Lifted(table.now_us))
    assert table[0].actions[-1] == Fault(FaultKind.LOOK, 1)
    assert table[1].screen.verdict.judgement is Judgement.LOOKED
    assert table[1].screen.dice is None


def test_an_empty_cup_knows_no_faults():
    table = cores.CoreTable(3, game="holy-family")
    table.do(0, Lifted(0))
    assert table[0].screen == AlertPage(Alert.THROW_FIRST)
    table.wait(3 * S)
    table.do(0, Dropped(0))
    assert table[0].screen == AlertPage(Alert.DROPPED)
    assert table[0].actions == ()


def test_strict_asks_nobody_and_off_counts_nothing():
    table = thrown(faults="strict")
    table.do(0, Dropped(0))
    assert table[0].actions[-1] == Fault(FaultKind.DROP, 0)
    table = thrown(faults="off")
    table.do(0, Dropped(0))
    assert table[0].screen == AlertPage(Alert.DROPPED)
    assert len(table[0].actions) == 1
    table = offered(faults="off")
    table.choose(1, Believe())
    table.do(1, Lifted(table.now_us))
    assert table[1].screen == AlertPage(Alert.NO_LOOK)


@pytest.mark.parametrize("game", LENIENT)
def test_where_a_game_names_no_faults_the_display_only_warns(game):
    """B-9: nobody is penalised, the dice stay as they are."""
    table = thrown(game)
    table.do(0, Dropped(0))
    assert table[0].screen == AlertPage(Alert.DROPPED)
    assert len(table[0].actions) == 1


def test_rattling_a_cup_on_offer_is_warned_of():
    table = offered("class")
    table.do(0, Shaken(0, S))
    assert table[0].screen == AlertPage(Alert.FAULT_WARNED)
    assert table[1].position is Position.OFFERED


def test_a_wrong_neighbour_may_refuse_or_pay_as_well():
    for answer, payers in ((Refuse(), ("Ana", None)), (Believe(), ("Ana", "Cem"))):
        table = thrown("holy-family")
        table.choose(0, Announce(65, wrong_way=True))
        table.wait(S)
        assert table[2].position is Position.OFFERED
        table.choose(2, answer)
        verdict = table[1].screen.verdict
        assert verdict.judgement is Judgement.WRONG_WAY
        assert (verdict.payer, verdict.also) == payers
        assert table[0].match.phase is Phase.OPENING


def test_a_doubt_of_a_cup_from_the_wrong_side_lifts_nothing():
    table = thrown("holy-family")
    table.choose(0, Announce(65, wrong_way=True))
    table.wait(S)
    table.choose(2, Doubt())
    assert table[2].screen.dice is None
    assert table[2].screen.verdict.judgement is Judgement.WRONG_WAY


def test_an_inadmissible_announcement_costs_at_once():
    table = offered("holy-family")
    table.choose(1, Believe())
    table.choose(1, Announce(31))
    assert table[0].screen.verdict.judgement is Judgement.INADMISSIBLE
    assert table[0].screen.verdict.payer == "Ben"


def test_the_receiver_sees_the_words_and_not_the_value():
    """R-HF-9."""
    table = offered("holy-family")
    table.choose(1, Believe())
    table.choose(1, Roll())
    table.choose(1, Say(Words.ONE_MORE))
    table.wait(S)
    assert table[2].screen.said == Say(Words.ONE_MORE)
    assert table[0].screen.said == Say(Words.ONE_MORE)
    table.choose(2, Doubt())
    assert table[0].screen.announced == 11, "a lift resolves it"
