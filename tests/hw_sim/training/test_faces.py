"""Hint, coach and trainer: one advice with three faces, and what training with it changes."""

from random import Random

import pytest

from firmware.bots.arena import Arena, filled
from firmware.bots.hint import EQUAL, FollowedMatch, HintFits, advice, hint
from game import RULES
from game.coach import analyse
from hw_sim.players.bot_kinds import personality_of
from hw_sim.story.evening_report import at_table
from hw_sim.training.spots import WRONG, beginner, made
from hw_sim.training.told import solution

MANY, MOST = 8, 500


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
        assert (coached.action, coached.caution) == (judged.action, judged.caution)
        assert coached.cost == pytest.approx(spot.cost(coached.action), abs=1e-9)
        assert max(coached.chances.values()) - coached.chances[hinted.best] <= EQUAL
        right += spot.cost(beginner(followed.arena)) <= WRONG
    return right


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
    assert all(each.caution is not None for each in mine)
    assert all(each.caution is None for each in told.decisions if each.seat != seat)
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
        assert each.caution.best == hint(until, each.seat).best
        assert dict(each.chances) == hinted.worths
        assert each.cost == 0 or each.best == hinted.best
