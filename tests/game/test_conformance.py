"""Properties of every match of every game, however it is played."""

import json
import random
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game import (
    RULES,
    CoasterMatch,
    IllegalAction,
    Phase,
    Reason,
    advance,
    apply,
    covers_next,
    hides_dice,
    illegality,
    laid_open,
    legal_actions,
    new_match,
    public,
    table_actions,
    view,
)
from game.actions import Action, Leave, Lift, Roll, ShowMaexchen, ShowTower
from game.bluff.rules import MAEXCHEN, value_of
from game.record import Record, public_record, read, replay, write
from game.status import freeze
from tests.support.referees import naive_bluff_checker, naive_open_checker
from tests.support.rules_table import playout
from tests.support.walks import (
    BLUFF,
    NAMES,
    OPEN,
    OPTIONS,
    Walk,
    other_hidden_dice,
    universe,
    walks,
)

MANY = settings(max_examples=50)
VARIANTS = [replace(RULES[game], **each) for game in RULES for each in OPTIONS.get(game, ({},))]
MOST_ACTIONS = {"chicago": 400, "sevens": 800, "maxen": 30_000}
"""Generous: ``chicago`` has at most 11 rounds and ``sevens`` one more than ``rounds``, of at most
seven actions a seat, but a roll-off can be tied any number of times. A round of ``maxen`` need not
bring its end nearer, so only a General ends it for certain; random matches had up to 4,000."""
MOST_OF_BLUFF = 2_000
"""More actions than any random playout of a bluff game has; the longest of 1,200 had 185."""
UNTOLD = {
    ("bluff", Lift): Reason.DICE_NEEDED,
    ("bluff", ShowTower): Reason.DICE_NEEDED,
    ("coaster", Roll): Reason.THROWN_OPENLY,
    ("coaster", Lift): Reason.COVERED_UNKNOWN,
    ("sevens", Roll): Reason.THROWN_BEFORE_ALL,
}
"""Why a legal action is refused that leaves out dice nobody here knows."""


def test_the_universe_has_every_kind_of_action():
    kinds = {type(action) for action in universe(new_match(RULES["class"], NAMES[:3], 0))}
    assert kinds == {*get_args(Action), str}


def stand_in(action):
    """The action as the lists of legal actions name it: without its dice."""
    return type(action)() if isinstance(action, Roll | Lift | ShowTower) else action


def tells_its_dice(match, action):
    if not isinstance(action, Roll | Lift | ShowTower) or action.dice is not None:
        return True
    if isinstance(action, Roll):
        return covers_next(match)
    return laid_open(match, action).dice is not None


@pytest.mark.whole
@MANY
@given(walks(), st.data())
def test_one_check_three_faces_over_the_whole_universe_of_actions(walk, data):
    match = data.draw(st.sampled_from([*walk.matches, walk.match]))
    for known in (match, view(match, None)):
        listed = (*legal_actions(known), *table_actions(known))
        assert len(set(listed)) == len(listed)
        allowed = set()
        for action in universe(known):
            reason = illegality(known, action)
            if reason is None:
                allowed.add(stand_in(action))
                if not tells_its_dice(known, action):
                    reason = UNTOLD[walk.rules.family, type(action)]
            if reason is None:
                assert apply(known, action).match.turn == known.turn + 1
            else:
                with pytest.raises(IllegalAction) as caught:
                    apply(known, action)
                assert caught.value.reason is reason
        assert allowed == set(listed)


@pytest.mark.whole
@MANY
@given(walks())
def test_a_follower_that_gets_only_public_actions_stays_in_step(walk):
    follower = new_match(walk.rules, walk.players, walk.first)
    for knower, action, events in zip(walk.matches, walk.actions, walk.events, strict=True):
        assert follower == view(knower, None)
        theirs, ours = legal_actions(knower), legal_actions(follower)
        assert theirs, "nobody is ever stuck"
        assert set(theirs) <= set(ours)
        assert set(ours) - set(theirs) <= {ShowMaexchen(), ShowTower()}
        assert table_actions(follower) == table_actions(knower)
        follower, seen = apply(follower, public(action, knower))
        assert seen == events
    assert follower == view(walk.match, None)
    assert list(replay(public_record(walk.record())))[-1].match == follower


@pytest.mark.whole
@MANY
@given(walks(), st.integers(0, 2**32))
def test_hidden_dice_change_nothing_that_others_know(walk, seed):
    chance = random.Random(seed)
    for match in walk.matches:
        swapped = other_hidden_dice(match, chance)
        knows = match.to_act if hides_dice(match) and match.seen else None
        for seat in (None, *range(len(match.players))):
            if seat is None or seat != knows:
                assert view(swapped, seat) == view(match, seat)
        assert table_actions(swapped) == table_actions(match)
        assert legal_actions(view(match, match.to_act)) == legal_actions(match)
        if knows is None:
            assert legal_actions(swapped) == legal_actions(match)
        else:
            assert view(match, knows) == match
            legal = legal_actions(swapped)
            may_show = walk.rules.game == "class" and value_of(swapped.dice) == MAEXCHEN
            assert (ShowMaexchen() in legal) is may_show
            assert (ShowTower() in legal) is swapped.tower


def test_hidden_dice_are_met_in_these_walks():
    for game in ("class", "maxen"):
        walk, chance = Walk(RULES[game], 4, 0, 7), random.Random(1)
        assert any(other_hidden_dice(match, chance) != match for match in walk.matches)
        assert any(public(a, m) != a for a, m in zip(walk.actions, walk.matches, strict=True))


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_a_match_played_at_random_comes_to_an_end_and_its_record_is_read(rules):
    for seed in range(15):
        sizes = range(rules.fewest_players, rules.most_players + 1)
        players = NAMES[: sizes[seed % len(sizes)]]
        actions, match = playout(rules, players, random.Random(seed), first=seed % len(players))
        assert match.phase is Phase.OVER
        assert len(actions) == match.turn <= MOST_ACTIONS.get(rules.game, MOST_OF_BLUFF)
        most = {"chicago": 11, "sevens": getattr(rules, "rounds", 0) + 1}
        assert match.round <= most.get(rules.game, match.round)
        assert len(match.outcome.losers) == 1 or match.outcome.rule == "B-8"
        if seed < 3:
            record = Record(rules, players, seed % len(players), tuple(actions))
            assert read(write(record)) == record
            assert list(replay(record))[-1].match == match


def lines_of(walk):
    return [json.loads(line) for line in write(walk.record()).splitlines()]


@pytest.mark.whole
@MANY
@given(walks(BLUFF))
def test_the_naive_checkers_agree_with_every_match(walk):
    match, verdict = walk.match, naive_bluff_checker.judge(lines_of(walk))
    if walk.rules.game == "class":
        assert tuple(verdict.matches) == match.matches
        assert verdict.rolls == sum(isinstance(action, Roll) for action in walk.actions)
    else:
        assert verdict.way == match.direction
    assert verdict.disagreement is None
    assert tuple(verdict.paid) == match.tally
    assert verdict.over is (match.phase is Phase.OVER)
    assert tuple(verdict.out) == match.out
    assert verdict.rounds == match.round
    if verdict.over:
        assert tuple(verdict.losers) == match.outcome.losers
        assert tuple(sorted(verdict.gone - {*verdict.out})) == match.outcome.left


@pytest.mark.whole
@MANY
@given(walks(OPEN))
def test_the_naive_open_checker_agrees_until_somebody_leaves(walk):
    leaves = (n for n, action in enumerate(walk.actions) if isinstance(action, Leave))
    until = next(leaves, len(walk.actions))
    match = [*walk.matches, walk.match][until]
    verdict = naive_open_checker.judge(lines_of(walk)[: until + 1])
    assert verdict.disagreement is None
    assert verdict.over is (match.phase is Phase.OVER)
    assert tuple(verdict.paid) == match.coasters
    assert verdict.rounds == match.round
    if isinstance(match, CoasterMatch):
        assert (verdict.pile, verdict.gone) == (match.pile, match.gone)
        assert (verdict.stage, verdict.half) == (match.stage, match.half)
    if verdict.over:
        assert tuple(verdict.losers) == match.outcome.losers
    else:
        assert (tuple(verdict.order), verdict.leader) == (match.order, match.leader)
        assert (
            verdict.state == "lead"
            or match.phase is Phase.LEVELLING
            or (verdict.turn.seat == match.to_act)
        )


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_what_is_written_in_place_is_what_applying_leads_to(rules):
    actions, end = playout(rules, NAMES[:3], random.Random(7))
    match = new_match(rules, NAMES[:3], 0)
    draft = match.draft()
    for action in actions:
        told = advance(draft, action)
        match, events = apply(match, action)
        assert [kind for kind, *_ in told] == [type(event) for event in events]
        assert legal_actions(draft) == legal_actions(match)
    assert match == end == freeze(draft, type(match))
