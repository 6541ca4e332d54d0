"""What holds in every match, however it is played: random walks through all options."""

import json
import random
from collections import Counter
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game import (
    RULES,
    IllegalAction,
    Phase,
    Reason,
    Status,
    apply,
    illegality,
    legal_actions,
    new_match,
    outcome,
    public,
    table_actions,
    view,
)
from game.actions import (
    Action,
    Announce,
    Believe,
    Doubt,
    EndMatch,
    GiveIn,
    Leave,
    Lift,
    Look,
    OwnUp,
    Roll,
    ShowMaexchen,
    StopMatch,
    VoidRound,
)
from game.events import Penalised
from game.record import Record, public_record, read, replay, write
from game.values import DICE, MAEXCHEN, value_of

NAMES = ("Ana", "Ben", "Cem", "Dora", "Emil", "Fritz", "Gesa", "Hans")
DISTURBANCE = 0.03
"""How often the table acts instead of the seat that is to act."""
LONGEST = 600
"""A walk is cut off here; matches with drinks or eight players can be long."""

UNHURRIED = settings(deadline=None)
"""Other work on the machine must not fail a test."""


class Walk:
    """A match played at random: ``matches[i]`` is moved by ``actions[i]``; ``match`` is the end."""

    def __init__(self, rules, players, first, seed):
        chance = random.Random(seed)
        self.rules, self.players, self.first = rules, NAMES[:players], first
        self.matches, self.actions, self.events = [], [], []
        self.match = new_match(rules, self.players, first)
        while self.match.to_act is not None and len(self.actions) < LONGEST:
            disturbed = chance.random() < DISTURBANCE
            options = table_actions(self.match) if disturbed else legal_actions(self.match)
            action = chance.choice(options)
            if isinstance(action, Roll):
                # Every fourth roll is a Mäxchen, so that the rare branches are walked too.
                action = Roll((2, 1) if chance.random() < 0.25 else chance.choice(DICE))
            elif isinstance(action, Lift):
                action = Lift(self.match.dice)
            self.matches.append(self.match)
            self.actions.append(action)
            self.match, events = apply(self.match, action)
            self.events.append(events)

    def record(self):
        return Record(self.rules, self.players, self.first, tuple(self.actions))


@st.composite
def walks(draw):
    rules = replace(
        RULES["class"],
        ends=draw(st.sampled_from(["first_out", "last_standing"])),
        stakes=draw(st.sampled_from(["matches", "matches", "drinks"])),
        understating=draw(st.sampled_from(["no_lie", "lie"])),
    )
    players = draw(st.integers(3, 8))
    first = draw(st.integers(0, players - 1))
    return Walk(rules, players, first, draw(st.integers(0, 2**32)))


BAD_DICE = [(0, 1), (7, 1), (6,), (1, 2, 3), (), "21", [1, 2], 21]
UNIVERSE = [
    *(Roll(dice) for dice in (None, *DICE, *BAD_DICE)),
    Look(),
    *(Announce(value) for value in (*range(-1, 78), None)),
    Believe(),
    Doubt(),
    *(Lift(dice) for dice in (None, *DICE, *BAD_DICE)),
    ShowMaexchen(),
    GiveIn(),
    OwnUp(),
    EndMatch(),
    *(Leave(seat) for seat in (*range(-2, 10), None)),
    VoidRound(),
    StopMatch(),
]


def stand_in(action):
    """The action as the lists of legal actions name it: without its dice."""
    return type(action)(None) if isinstance(action, Roll | Lift) else action


def test_the_universe_has_every_kind_of_action():
    assert {type(action) for action in UNIVERSE} == set(get_args(Action))


@UNHURRIED
@given(walks())
def test_never_stuck(walk):
    for match in (*walk.matches, walk.match):
        over = match.phase is Phase.OVER
        assert bool(legal_actions(match)) is not over
        assert bool(table_actions(match)) is not over
        assert (match.to_act is None) is over
        assert (outcome(match) is not None) is over


def check_faces(match):
    allowed = [action for action in UNIVERSE if illegality(match, action) is None]
    listed = (*legal_actions(match), *table_actions(match))
    assert {stand_in(action) for action in allowed} == set(listed)
    assert len(set(listed)) == len(listed)
    for action in UNIVERSE:
        reason = illegality(match, action)
        if reason is None and action == Lift(None) and match.dice is None:
            reason = Reason.DICE_NEEDED
        if reason is None:
            assert apply(match, action).match.turn == match.turn + 1
        else:
            with pytest.raises(IllegalAction) as caught:
                apply(match, action)
            assert caught.value.reason is reason


@UNHURRIED
@given(walks(), st.data())
def test_one_check_three_faces_over_the_whole_universe_of_actions(walk, data):
    match = data.draw(st.sampled_from([*walk.matches, walk.match]))
    check_faces(match)
    check_faces(view(match, None))


@UNHURRIED
@given(walks())
def test_replay_is_play_and_a_record_keeps_it(walk):
    record = walk.record()
    steps = list(replay(record))
    assert [step.match for step in steps] == [*walk.matches[1:], walk.match]
    assert [step.events for step in steps] == walk.events
    assert read(write(record)) == record
    assert write(read(write(record))) == write(record)


@UNHURRIED
@given(walks())
def test_a_match_moves_by_apply_alone_and_the_same_way_each_time(walk):
    for before, action, after in zip(
        walk.matches, walk.actions, [*walk.matches[1:], walk.match], strict=True
    ):
        held = hash(before)
        again = apply(before, action).match
        assert again == after
        assert hash(again) == hash(after)
        assert hash(before) == held


@UNHURRIED
@given(walks())
def test_a_follower_that_gets_only_public_actions_stays_in_step(walk):
    follower = new_match(walk.rules, walk.players, walk.first)
    for knower, action, events in zip(walk.matches, walk.actions, walk.events, strict=True):
        assert follower == view(knower, None)
        possible = set(legal_actions(follower)) - {ShowMaexchen()}
        assert possible == set(legal_actions(knower)) - {ShowMaexchen()}
        follower, seen = apply(follower, public(action))
        assert seen == events
    assert follower == view(walk.match, None)


def lies_open_later(actions, roll):
    """Tell whether the dice of the roll at this index are ever lifted or shown."""
    for action in actions[roll + 1 :]:
        if isinstance(action, Lift | ShowMaexchen):
            return True
        if isinstance(action, Roll | GiveIn | OwnUp | VoidRound | StopMatch):
            return False
    return False


@UNHURRIED
@given(walks(), st.integers(0, 2**32))
def test_dice_that_never_lie_open_change_nothing_anybody_else_knows(walk, seed):
    chance = random.Random(seed)
    other = [
        Roll(chance.choice(DICE))
        if isinstance(action, Roll) and not lies_open_later(walk.actions, index)
        else action
        for index, action in enumerate(walk.actions)
    ]
    swapped = walk.record()._replace(actions=tuple(other))
    assert write(public_record(swapped)) == write(public_record(walk.record()))
    after = [*walk.matches[1:], walk.match]
    for step, events, match in zip(replay(swapped), walk.events, after, strict=True):
        assert step.events == events
        for seat in (None, *range(len(walk.players))):
            if not (match.seen and seat == match.to_act):
                assert view(step.match, seat) == view(match, seat)
        if not match.seen:
            assert legal_actions(step.match) == legal_actions(match)


@UNHURRIED
@given(walks(), st.data())
def test_views_and_legal_actions_never_differ_when_only_hidden_dice_do(walk, data):
    covered = [match for match in walk.matches if match.dice is not None]
    match = data.draw(st.sampled_from(covered or walk.matches))
    swapped = match._replace(dice=match.dice and data.draw(st.sampled_from(DICE)))
    for seat in (None, *range(len(walk.players))):
        if not (match.seen and seat == match.to_act):
            assert view(swapped, seat) == view(match, seat)
    looker = view(match, match.to_act)
    assert legal_actions(looker) == legal_actions(match)
    if not match.seen:
        assert legal_actions(swapped) == legal_actions(match)
        assert looker.dice is None
    else:
        assert looker == match
        may_show = ShowMaexchen() in legal_actions(swapped)
        assert may_show is (value_of(swapped.dice) == MAEXCHEN)


@UNHURRIED
@given(walks())
def test_matches_are_conserved(walk):
    penalties = Counter(
        event.seat for events in walk.events for event in events if isinstance(event, Penalised)
    )
    match = walk.match
    assert match.tally == tuple(penalties[seat] for seat in range(len(match.players)))
    if walk.rules.stakes == "drinks":
        assert set(match.status) <= {Status.IN, Status.LEFT}
        return
    turned_in = [min(3, penalties[seat]) for seat in range(len(match.players))]
    assert sum(match.matches) + sum(turned_in) == 3 * len(match.players)
    for seat, status in enumerate(match.status):
        if status is not Status.LEFT:
            paid = {Status.IN: range(3), Status.SWIMS: [3], Status.OUT: [4]}[status]
            assert penalties[seat] in paid
    last_known = {
        event.seat: event.left
        for events in walk.events
        for event in events
        if isinstance(event, Penalised)
    }
    assert all(match.matches[seat] == left for seat, left in last_known.items())


@UNHURRIED
@given(walk=walks())
def test_the_naive_checker_agrees_with_every_match(walk, naive_checker):
    lines = [json.loads(line) for line in write(walk.record()).splitlines()]
    verdict = naive_checker.judge(lines)
    match = walk.match
    assert verdict.disagreements == []
    assert verdict.over is (match.phase is Phase.OVER)
    assert tuple(verdict.matches) == match.matches
    assert tuple(verdict.penalties) == match.tally
    assert tuple(verdict.out) == match.out
    assert verdict.rounds == match.round
    assert verdict.rolls == sum(isinstance(action, Roll) for action in walk.actions)
    if verdict.over:
        assert tuple(verdict.losers) == match.outcome.losers
        assert tuple(sorted(verdict.left)) == match.outcome.left
