"""Hint, coach and trainer: one advice with three faces, and what training with it changes."""

from random import Random

import pytest

from firmware.bots.arena import Arena, filled
from firmware.bots.hint import EQUAL, FollowedMatch, HintFits, advice, hint
from game import RULES
from game.actions import Announce, Believe, Doubt, Look, Roll
from game.coach import Judged, analyse
from game.record import Record
from game.strategy.against import Why
from hw_sim.live.web.coach_pages import advice as told_in_browser
from hw_sim.players.bot_kinds import personality_of
from hw_sim.story.evening_report import at_table
from hw_sim.story.judging import reason
from hw_sim.training.spots import WRONG, beginner, made
from hw_sim.training.told import solution
from tests.support.nights import EACH_GAME

FEW, MANY, MOST = 1, 20, 500


def compared(game, players, seeds):
    """Compare the faces in made decisions; return how many a beginner gets right."""
    right = 0
    for seed in seeds:
        spot = made(game, players, Random(f"{game} {players} {seed}"))
        until, judged = spot.record, spot.judged
        bots = [None if kind is None else personality_of(kind) for kind in spot.bots]
        followed = FollowedMatch(Arena(until.rules, until.players, until.first), until.actions)
        hinted = advice(followed, bots)
        assert hinted.fits is (HintFits.THIS_TABLE if bots else HintFits.NOBODY_ASKED)
        assert spot.cost(hinted.best) == 0, (game, seed)
        assert solution(spot, hinted.best, "en").verdict.startswith("Right: ")
        done = filled(followed.arena.match, judged.action, Random(seed))
        whole = until._replace(actions=(*until.actions, done))
        plain = analyse(whole)
        told = at_table(whole, plain._replace(decisions=plain.decisions[-1:]), bots)
        coached = told.decisions[-1]
        assert (coached.action, coached.safe) == (judged.action, judged.safe)
        assert coached.cost == pytest.approx(spot.cost(coached.action), abs=1e-9)
        assert max(coached.chances.values()) - coached.chances[hinted.best] <= EQUAL
        right += spot.cost(beginner(followed.arena)) <= WRONG
    return right


@pytest.mark.whole
@pytest.mark.parametrize("game", EACH_GAME)
def test_hint_coach_and_trainer_agree(game):
    compared(game, 3, range(FEW))


@pytest.mark.parametrize(
    ("many", "right"),
    [
        pytest.param(MANY, 0.75, marks=pytest.mark.whole, id="some"),
        pytest.param(MOST, 0.55, marks=pytest.mark.night, id="three thousand of all games"),
    ],
)
@pytest.mark.parametrize("game", RULES)
def test_hint_coach_and_trainer_agree_and_a_beginner_is_often_wrong(game, many, right):
    assert compared(game, 3, range(many)) < right * many


def test_a_whole_match_is_judged_against_its_bots_and_what_is_told_is_the_sum():
    spot = made("class", 3, Random(1))
    record, seat = spot.record, spot.judged.seat
    bots = [None if kind is None else personality_of(kind) for kind in spot.bots]
    told = at_table(record, plain := analyse(record), bots)
    mine = [each for each in told.decisions if each.seat == seat]
    assert mine
    assert all(each.safe is not None for each in mine)
    assert all(each.safe is None for each in told.decisions if each.seat != seat)
    for account, before in zip(told.accounts, plain.accounts):
        assert account.result == pytest.approx(sum(account[:-1]), abs=1e-9)
        assert account.result == before.result
    assert told.accounts[seat].skill == pytest.approx(-sum(each.cost for each in mine))
    assert [point.worths for point in told.curve][-1] == tuple(a.result for a in told.accounts)


@pytest.mark.whole
def test_people_are_judged_by_what_each_has_shown_until_then():
    record, people = made("physicist", 3, Random(1)).record, (None,) * 3
    record = record._replace(actions=record.actions[:40])
    told = at_table(record, analyse(record), people)
    assert len({each.seat for each in told.decisions}) > 1
    for each in told.decisions:
        until = record._replace(actions=record.actions[: each.line - 2])
        hinted = hint(until, each.seat, people)
        assert each.safe == hint(until, each.seat).best
        assert dict(each.chances) == hinted.worths
        assert each.cost == 0 or each.best == hinted.best


ALMOST_SURE = Why(0.6, 0.9, 0.0, None)


def test_a_reason_to_believe_what_is_mostly_a_lie_names_the_price_of_a_doubt():
    judged = Judged(2, 1, 0, Believe(), {}, Believe(), 0.0, None, whys={Doubt(): ALMOST_SURE})
    told = reason(judged, False, "chance", "en")
    assert told.startswith("60 in 100 such announcements are lies; but")
    assert "if you catch a lie, you lose 10 of 100 games" in told
    assert "if you doubt the truth, 100: on average that is worse" in told


PURPOSE = {
    "en": "less than your dice on purpose",
    "de": "mit Absicht weniger",
    "fr": "exprès moins",
}


@pytest.mark.parametrize("language", PURPOSE)
def test_to_say_less_than_the_dice_has_its_reason(language):
    """The book of three says 64 with sixes: then the third pays four times as often as before."""
    sixes = Record(RULES["class"], ("Ana", "Ben", "Cem"), 0, (Roll((6, 6)), Look()))
    told = {
        value: analyse(sixes._replace(actions=(*sixes.actions, Announce(value)))).decisions[-1]
        for value in (64, 66)
    }
    assert told[66].best == Announce(64)
    assert told[66].cost > WRONG
    assert PURPOSE[language] in reason(told[66], True, "chance", language)
    assert PURPOSE[language] in reason(told[64], False, "chance", language)
    assert PURPOSE[language] not in reason(told[66], False, "chance", language)
    assert PURPOSE[language] in told_in_browser(sixes, 0, language)


def test_a_roll_over_nothing_a_look_and_an_open_throw_have_their_reasons():
    seen = [Roll((3, 1)), Look(), Roll((3, 1))]
    known = FollowedMatch(Arena(RULES["holy-family"], ("Ana", "Ben"), 0), seen[:2])
    assert known.arena.match.announced is None
    covered = analyse(Record(RULES["holy-family"], ("Ana", "Ben"), 0, tuple(seen))).decisions
    assert reason(covered[0], False, "chance", "en").startswith("whoever has peeked")
    assert reason(covered[1], False, "chance", "en").startswith("94 rolls in 100 are better than")
    unseen = covered[1]._replace(seen=None)
    assert reason(unseen, False, "chance", "en").startswith("nothing is announced yet")
    ways = {Roll(): 0.83, Announce(11): 0.82}
    gives_up = Judged(2, 1, 0, Roll(), ways, Roll(), 0.0, None, why=covered[1].why, seen=(1, 1))
    told = reason(gives_up, False, "chance", "en")
    assert told.startswith("19 rolls in 100 are better than your dice; but to say these")
    mistaken = gives_up._replace(best=Announce(11), chances={Roll(): 0.82, Announce(11): 0.83})
    assert "you can still lie" in reason(mistaken, False, "chance", "en")
    spot = made("maxen", 3, Random("read 1"))
    told = reason(spot.judged, True, "chance", "en")
    trained = solution(spot, spot.judged.best, "en")
    assert told
    assert told.lower() == trained.reason.lower().rstrip(".")
    spot = made("class", 3, Random("read 0"))
    assert (spot.judged.best, spot.judged.seen) == (Roll(), None)
    assert "can still lie" in solution(spot, Roll(), "en").reason
