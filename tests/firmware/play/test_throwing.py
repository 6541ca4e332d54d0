"""Throws, and faults in handling the cup: sensed, asked about, counted or only warned of."""

from random import Random

import pytest

from firmware.display import screens
from firmware.display.screens import DieState
from firmware.display.text.labels import Alert
from firmware.effects import Tick
from firmware.input import gestures as hand
from firmware.input.controls import Die, LocalChoice
from firmware.input.gestures import Shaking
from firmware.table.protocol.messages import Question
from firmware.table.seat.cup_custody import Position
from game import RULES, Phase, legal_actions
from game import actions as do
from tests.firmware.play.test_handheld import offered, thrown
from tests.support import core_table as cores
from tests.support.net import MS, S

LEADS = {0: (1, 1, 2), 1: (6, 6, 5), 2: (6, 5, 5)}
"""Throws by which the first seat leads."""


def leading(game, *throws, others=(), **options):
    """A table at which Ana leads the first round and has these throws to come."""
    dice = {0: [LEADS[0], *throws], 1: [LEADS[1], *others], 2: [LEADS[2], *others]}
    table = cores.CoreTable(3, game=game, dice=dice, **options)
    for seat in range(3):
        table.shake(seat)
        table.lift(seat)
        table.cover(seat)
        if table[seat].position is Position.TO_PASS:
            table.choose(seat, LocalChoice.GO_ON)
    table.wait(S)
    assert table[0].position is Position.MINE
    assert table[0].match.leader == 0
    return table


def test_a_throw_that_did_not_happen_leaves_the_display():
    """A seat that has lost its memory may have to forget entries that nobody else has."""
    table = cores.CoreTable(3, game="chicago", dice={0: [LEADS[0]]})
    table.shake(0)
    table.lift(0)
    assert isinstance(table[2].screen, screens.ThrowOpenPage)
    log = table[2].handheld.own_seat.log
    log.cut(log.index - 1)
    table.do(2, Tick())
    assert table[2].screen.turn_of == "Ana"
    assert table[2].handheld.view().thrown is None


def test_dice_are_drafted_by_taps_and_the_shake_makes_it_count():
    table = leading("chicago", (6, 1, 4), (5, 2))
    table.shake(0)
    table.lift(0)
    table.choose(0, Die(1))
    assert table[0].screen.states == (DieState.IN_PLAY, DieState.ASIDE, DieState.IN_PLAY)
    assert table[0].screen.selected == 1
    table.choose(0, Die(1))
    assert table[0].handheld.view().draft == (DieState.IN_PLAY,) * 3
    table.choose(0, Die(2))
    table.do(0, Shaking(table.now_us, 200 * MS))
    assert isinstance(table[0].screen, screens.ShakingPage), "it hides an open throw"
    table.cover(0)
    assert isinstance(table[0].screen, screens.ShakingPage)
    table.shake(0)
    assert table[0].actions[-2:] == (do.Keep((1,)), do.Roll((5, 2)))
    table.lift(0)
    assert (table[0].screen.aside, table[0].screen.dice) == ((1,), (5, 2))
    assert table[1].screen.aside == (1,)


@pytest.mark.parametrize(
    ("places", "message"), [((0, 0, 1), Alert.NOT_THESE_DICE), ((0, 1, 2), Alert.THROW_ALL_ASIDE)]
)
def test_a_draft_against_the_rules_throws_nothing(places, message):
    table = leading("maxen", (6, 6, 3))
    table.shake(0)
    for place in places:
        table.choose(0, Die(place))
    table.shake(0)
    assert table[0].screen == screens.AlertPage(message)
    assert table[0].actions[-1] == do.Roll((6, 6, 3))


def test_a_third_throw_of_maxen_stays_covered_for_everybody():
    """T-5."""
    table = leading("maxen", (5, 4, 2), (5, 4, 2), (6, 3, 1), others=[(4, 4, 2)] * 3)
    for _ in range(3):
        table.shake(0)
    assert table[1].position is Position.MINE, "there is nothing to see: the cup has gone on"
    assert table[0].actions[-1] == do.Roll((6, 3, 1))
    assert table[1].actions[-1] == table[2].actions[-1] == do.Roll(None)
    for place in table.places:
        assert getattr(place.screen, "dice", None) is None, "nor is the throw before it shown"
    for seat in (1, 2):
        table.shake(seat)
        table.choose(seat, do.Stop())
    assert table[0].position is Position.MINE
    assert table[0].match.phase is Phase.TO_LIFT
    assert table[0].screen.stage is screens.ThrowStage.LIFT
    table.lift(0)
    assert table[2].actions[-1] == do.Lift((6, 3, 1))
    assert isinstance(table[1].screen, screens.RoundEndPage)
    assert table[0].screen.dice == (6, 3, 1), "his own throw is shown before what came of it"
    table.tap(0)


def test_a_lifted_throw_may_bring_a_bonus():
    table = leading("maxen", (5, 4, 2), (5, 4, 2), (6, 6, 1), (4, 1), others=[(4, 4, 2)] * 3)
    for _ in range(3):
        table.shake(0)
    for seat in (1, 2):
        table.shake(seat)
        table.choose(seat, do.Stop())
    table.choose(0, do.Lift())
    assert table[0].match.phase is Phase.THROWN
    table.shake(0)
    assert table[0].screen == screens.AlertPage(Alert.NO_BONUS)
    table.wait(3 * S)
    table.choose(0, Die(0))
    table.choose(0, do.Roll())
    assert table[0].actions[-2:] == (do.Keep((), turned=1), do.Roll((4, 1)))
    assert table[0].match.round == 2


@pytest.mark.whole
@pytest.mark.parametrize("game", ["class", "holy-family", "maxen", "sevens"])
def test_no_cut_takes_a_throw_away_or_gives_another(tmp_path, game):
    """The power fails at whoever throws, before the throw is on the disk and right after."""
    table = cores.CoreTable(3, game=game, seed=4, folder=tmp_path, **cores.SHORT[game])
    table.wait(S)
    thrown, rng = 0, Random(5)
    while thrown < 12 and not table.over:
        place = table.acting
        if not place.handheld.view().may_throw:
            left_out = (do.EndMatch, do.Keep)
            choices = [one for one in legal_actions(place.match) if not isinstance(one, left_out)]
            passes = place.position is Position.TO_PASS
            table.choose(place.seat, LocalChoice.GO_ON if passes else rng.choice(choices))
            table.wait_until_quiet()
            continue
        turn, fell = place.match.turn, []

        def cut(at, turn=turn, fell=fell):
            fell.append(at.actions[turn])
            table.restart(at)
            return True

        table.before_write = cut
        table.shake(place.seat)
        table.before_write = None
        table.wait_until_quiet()
        assert place.match.turn == turn, "the throw was lost before anybody could see it"
        table.shake(place.seat)
        before = place.screen, place.position, place.actions, place.handheld.own_seat.dice
        table.restart(place)
        table.wait_until_quiet()
        after = place.screen, place.position, place.actions, place.handheld.own_seat.dice
        assert after == before
        assert place.actions[turn:] == tuple(fell)
        if place.handheld.view().thrown is not None:
            table.lift(place.seat)
            table.cover(place.seat)
        thrown += 1
    table.close()
    assert thrown == 12 or table.over


PUNISHING = ("physicist", "holy-family")
LENIENT = tuple(game for game in RULES if game not in PUNISHING)


def deny(table, seat):
    table.rest(seat)
    table.pose(seat, 0.0)
    table.pose(seat, 30.0)


@pytest.mark.parametrize("game", PUNISHING)
def test_a_drop_is_asked_about_on_all_displays_and_counts_when_held(game):
    table = thrown(game=game)
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
    table = thrown(game="physicist")
    table.do(0, hand.Dropped(0))
    table.tap(0)
    table.do(0, hand.Uncovered(table.now_us), hand.Shaken(table.now_us, S))
    assert table[0].screen == screens.FaultQuestionPage(do.FaultKind.DROP, None)
    assert len(table[0].actions) == 1


@pytest.mark.parametrize("game", PUNISHING)
def test_dice_moved_on_offer_are_asked_about_and_the_offer_taken_back(game):
    table = offered(game=game)
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
    table = offered(game="physicist")
    table.lost = lambda _sender, _receiver, message: isinstance(message, Question)
    table.do(0, hand.Dropped(0))
    assert isinstance(table[0].screen, screens.FaultQuestionPage)
    table.wait(S)
    table.choose(1, do.Believe())
    assert table[0].handheld.view().prompt is None
    table.hold(0)
    assert not any(isinstance(action, do.Fault) for action in table[0].actions)


def test_nobody_answers_an_offer_while_its_giver_is_asked():
    table = offered(game="physicist")
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
    table = offered(game="physicist")
    table.do(0, hand.Dropped(0))
    table.wait(20 * S)
    assert table[1].handheld.own_seat.open_question is None
    assert table[0].screen == screens.FaultQuestionPage(do.FaultKind.DROP, None)


@pytest.mark.parametrize("game", PUNISHING)
def test_a_forbidden_look_counts_at_once(game):
    table = offered(game=game)
    table.choose(1, do.Believe())
    table.do(1, hand.Uncovered(table.now_us))
    assert table[0].actions[-1] == do.Fault(do.FaultKind.LOOK, 1)
    assert table[1].screen.verdict.judgement is screens.Judgement.LOOKED
    assert table[1].screen.dice is None


def test_strict_asks_nobody_and_off_counts_nothing():
    table = thrown(game="physicist", faults="strict")
    table.do(0, hand.Dropped(0))
    assert table[0].actions[-1] == do.Fault(do.FaultKind.DROP, 0)
    table = thrown(game="physicist", faults="off")
    table.do(0, hand.Dropped(0))
    assert table[0].screen == screens.AlertPage(Alert.DROPPED)
    assert len(table[0].actions) == 1
    table = offered(game="physicist", faults="off")
    table.choose(1, do.Believe())
    table.do(1, hand.Uncovered(table.now_us))
    assert table[1].screen == screens.AlertPage(Alert.NO_LOOK)


@pytest.mark.parametrize("game", LENIENT)
def test_where_a_game_names_no_faults_the_display_only_warns(game):
    """B-9: nobody is penalised, the dice stay as they are."""
    table = thrown(game=game)
    table.do(0, hand.Dropped(0))
    assert table[0].screen == screens.AlertPage(Alert.DROPPED)
    assert len(table[0].actions) == 1
