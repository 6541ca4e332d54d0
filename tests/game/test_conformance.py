"""Properties of every match of every game, however it is played."""

import json
import random
from dataclasses import replace
from typing import get_args

import pytest

from game import (
    RULES,
    IllegalAction,
    Phase,
    Reason,
    Status,
    advance,
    apply,
    covers_next,
    hides_dice,
    illegality,
    laid_open,
    legal_actions,
    new_match,
    outcome,
    public,
    table_actions,
    view,
)
from game.actions import Action, Lift, Roll, ShowMaexchen, ShowTower
from game.bluff.rules import MAEXCHEN, value_of
from game.record import Record, public_record, read, replay, write
from game.status import freeze
from tests.support.matches import OPTIONS, REFEREES
from tests.support.nights import whole
from tests.support.rules_table import playout
from tests.support.walks import NAMES, Walk, other_hidden_dice, universe

VARIANTS = [
    *RULES.values(),
    replace(RULES["chicago"], levelling=True),
    replace(RULES["sevens"], seven_dice=True),
    replace(RULES["sevens"], rounds=2),
]
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


def walk_of(game, seed):
    """A walk with the options and the number of players of a seed."""
    chance = random.Random(f"{game} {seed}")
    rules = replace(RULES[game], **chance.choice(OPTIONS.get(game, ({},))))
    fewest = max(rules.fewest_players, getattr(rules, "losers", 0) + 1)
    players = chance.randint(fewest, rules.most_players)
    return Walk(rules, players, chance.randrange(players), seed)


WALKED = pytest.mark.parametrize("game", [*map(whole, RULES)])
SEEDS = range(8)


@WALKED
def test_play_is_stuck_nowhere_and_one_check_answers_for_every_action(game):
    for seed in SEEDS:
        walk = walk_of(game, seed)
        for match in walk.after:
            over = match.phase is Phase.OVER
            assert bool(legal_actions(match)) is bool(table_actions(match)) is not over
            assert (match.to_act is None) is (outcome(match) is not None) is over
            assert over or match.status[match.to_act] in (Status.IN, Status.SWIMS)
        for match in random.Random(seed).sample(walk.after, min(4, len(walk.after))):
            check_every_action(match)
            check_every_action(view(match, None))


def check_every_action(match):
    """Ask whether each action of the universe is legal, and do it."""
    listed = (*legal_actions(match), *table_actions(match))
    allowed = set()
    for action in universe(match):
        reason = illegality(match, action)
        if reason is None:
            allowed.add(type(action)() if isinstance(action, Roll | Lift | ShowTower) else action)
            if not tells_its_dice(match, action):
                reason = UNTOLD[match.rules.family, type(action)]
        if reason is None:
            assert apply(match, action).match.turn == match.turn + 1
        else:
            with pytest.raises(IllegalAction) as caught:
                apply(match, action)
            assert caught.value.reason is reason
    assert allowed == set(listed)
    assert len(allowed) == len(listed)


def tells_its_dice(match, action):
    if not isinstance(action, Roll | Lift | ShowTower) or action.dice is not None:
        return True
    if isinstance(action, Roll):
        return covers_next(match)
    return laid_open(match, action).dice is not None


@WALKED
def test_a_replay_is_the_play_and_a_follower_of_public_actions_stays_in_step(game):
    for seed in SEEDS:
        walk = walk_of(game, seed)
        record = walk.record()
        steps = list(replay(record))
        assert [step.match for step in steps] == walk.after
        assert [step.events for step in steps] == walk.events
        assert read(write(record)) == record
        follower = new_match(walk.rules, walk.players, walk.first)
        for knower, action, events in zip(walk.matches, walk.actions, walk.events, strict=True):
            assert follower == view(knower, None)
            theirs, ours = set(legal_actions(knower)), set(legal_actions(follower))
            assert theirs <= ours <= theirs | {ShowMaexchen(), ShowTower()}
            assert table_actions(follower) == table_actions(knower)
            follower, seen = apply(follower, public(action, knower))
            assert seen == events
        assert follower == view(walk.match, None)
        assert list(replay(public_record(record)))[-1].match == follower


@WALKED
def test_hidden_dice_change_nothing_that_others_know(game):
    for seed in SEEDS:
        walk, chance = walk_of(game, seed), random.Random(seed)
        for match in walk.matches:
            swapped = other_hidden_dice(match, chance)
            knows = match.to_act if hides_dice(match) and match.seen else None
            for seat in {None, *range(len(match.players))} - {knows} | {None}:
                assert view(swapped, seat) == view(match, seat)
            assert table_actions(swapped) == table_actions(match)
            assert legal_actions(view(match, match.to_act)) == legal_actions(match)
            if knows is None:
                assert legal_actions(swapped) == legal_actions(match)
            else:
                assert view(match, knows) == match
                may_show = game == "class" and value_of(swapped.dice) == MAEXCHEN
                legal = legal_actions(swapped)
                assert (ShowMaexchen() in legal) is may_show
                assert (ShowTower() in legal) is swapped.tower


@pytest.mark.whole
@pytest.mark.parametrize("game", REFEREES)
def test_a_referee_who_knows_nothing_of_the_core_agrees(game):
    for seed in SEEDS:
        walk = walk_of(game, seed)
        lines = [json.loads(line) for line in write(walk.record()).splitlines()]
        judged, match = REFEREES[game].judge(lines), walk.match
        assert judged.disagreement is None
        assert (judged.over, judged.rounds) == (match.phase is Phase.OVER, match.round)
        assert (tuple(judged.paid), tuple(judged.out)) == (match.tally, match.out)
        assert match.outcome is None or tuple(judged.losers) == match.outcome.losers


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
