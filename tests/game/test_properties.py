"""What holds in every bluff match, however it is played: random walks through all options."""

import json
import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
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
    Fault,
    FaultKind,
    Flourish,
    Give,
    GiveIn,
    Keep,
    Leave,
    Lift,
    Look,
    OwnUp,
    Refuse,
    Roll,
    Say,
    ShowMaexchen,
    ShowTower,
    Stop,
    StopMatch,
    VoidRound,
    Words,
)
from game.bluff.chance import laid_open, rolls
from game.bluff.values import DICE, MAEXCHEN, RANKING, value_of
from game.events import MatchEnded, Penalised, RoundBegan
from game.explore import playout
from game.record import Record, public_record, read, replay, write
from tests.support.referees import naive_checker, naive_glasses_checker

NAMES = ("Ana", "Ben", "Cem", "Dora", "Emil", "Fritz", "Gesa", "Hans")
DISTURBANCE = 0.03
"""How often the table acts instead of the seat that is to act."""
LONGEST = 600
"""A walk is cut off here; matches with drinks or eight players can be long."""

GAMES = ("class", "physicist", "holy-family")
TOO_LONG = 2_000
"""More actions than any random playout has; the longest of 1,200 had 185."""

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
            action = self.choose(chance)
            if isinstance(action, Roll):
                action = any_roll(rules, chance)
            action = laid_open(self.match, action)
            self.matches.append(self.match)
            self.actions.append(action)
            self.match, events = apply(self.match, action)
            self.events.append(events)

    def choose(self, chance):
        if chance.random() < DISTURBANCE:
            return chance.choice(table_actions(self.match))
        options = legal_actions(self.match)
        if self.rules.game == "class":
            return chance.choice(options)
        # One kind of action is as likely as another, and a low announcement is rare; otherwise
        # nobody would roll twice or survive his first announcement.
        kind = chance.choice(sorted({type(option) for option in options}, key=str))
        options = [option for option in options if type(option) is kind]
        if kind is Announce and self.match.announced is not None and chance.random() < 0.9:
            standing = RANKING.index(self.match.announced)
            high = [o for o in options if RANKING.index(o.value) >= standing and not o.wrong_way]
            options = high or options
        return chance.choice(options)

    def record(self):
        return Record(self.rules, self.players, self.first, tuple(self.actions))


def any_roll(rules, chance):
    """A roll at random; every fourth is a Mäxchen, and every fourth a tower where there are any."""
    dice = (2, 1) if chance.random() < 0.25 else chance.choice(DICE)
    return Roll(dice, tower=bool(rules.tower_one_in) and chance.random() < 0.25)


@st.composite
def rule_sets(draw, game):
    if game == "class":
        return replace(
            RULES[game],
            ends=draw(st.sampled_from(["first_out", "last_standing"])),
            stakes=draw(st.sampled_from(["matches", "matches", "drinks"])),
            understating=draw(st.sampled_from(["no_lie", "lie"])),
        )
    if game == "holy-family":
        return replace(
            RULES[game], points=draw(st.integers(1, 10)), losers=draw(st.sampled_from([1, 2]))
        )
    return RULES[game]


@st.composite
def walks(draw, games=GAMES):
    rules = draw(rule_sets(draw(st.sampled_from(games))))
    fewest = max(rules.fewest_players, rules.losers + 1)
    players = draw(st.integers(fewest, rules.most_players))
    first = draw(st.integers(0, players - 1))
    return Walk(rules, players, first, draw(st.integers(0, 2**32)))


BAD_DICE = [(0, 1), (7, 1), (6,), (1, 2, 3), (), "21", [1, 2], 21]
UNIVERSE = [
    *(Roll(dice, tower) for tower in (False, True) for dice in (None, *DICE, *BAD_DICE)),
    Look(),
    *(Announce(value) for value in (*range(-1, 78), None)),
    *(
        Announce(value, flourish, wrong_way)
        for value in (*RANKING, 36)
        for flourish in (None, *Flourish, "loud")
        for wrong_way in (False, True)
        if flourish or wrong_way
    ),
    *(Say(words, wrong_way) for words in (*Words, "more") for wrong_way in (False, True)),
    Believe(),
    Doubt(),
    Refuse(),
    *(Lift(dice, tower) for tower in (False, True) for dice in (None, *DICE, *BAD_DICE)),
    ShowMaexchen(),
    *(ShowTower(dice) for dice in (None, *DICE, *BAD_DICE)),
    GiveIn(),
    OwnUp(),
    EndMatch(),
    *(Leave(seat) for seat in (*range(-2, 10), None)),
    VoidRound(),
    StopMatch(),
    *(Fault(kind, seat) for kind in (*FaultKind, "cough") for seat in (*range(-2, 10), None)),
    Keep((6,)),
    Stop(),
    Give(None),
]


def stand_in(action):
    """The action as the lists of legal actions name it: without its dice."""
    return type(action)() if isinstance(action, Roll | Lift | ShowTower) else action


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
        if reason is None and action in (Lift(), ShowTower()) and match.dice is None:
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
        showing = {ShowMaexchen(), ShowTower()}
        assert set(legal_actions(knower)) <= set(legal_actions(follower))
        assert set(legal_actions(follower)) - showing == set(legal_actions(knower)) - showing
        follower, seen = apply(follower, public(action))
        assert seen == events
    assert follower == view(walk.match, None)


def lies_open_later(walk, roll):
    """Tell whether the dice of the roll at this index are ever lifted or shown."""
    for action, events in zip(walk.actions[roll + 1 :], walk.events[roll + 1 :], strict=True):
        if isinstance(action, Lift | ShowMaexchen | ShowTower):
            return True
        if isinstance(action, Roll) or isinstance(events[-1], RoundBegan | MatchEnded):
            return False
    return False


@UNHURRIED
@given(walks(), st.integers(0, 2**32))
def test_dice_that_never_lie_open_change_nothing_anybody_else_knows(walk, seed):
    chance = random.Random(seed)
    other = [
        any_roll(walk.rules, chance)
        if isinstance(action, Roll) and not lies_open_later(walk, index)
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
    other = any_roll(walk.rules, random.Random(data.draw(st.integers(0, 2**32))))
    swapped = match._replace(dice=match.dice and other.dice, tower=match.tower and other.tower)
    for seat in (None, *range(len(walk.players))):
        if not (match.seen and seat == match.to_act):
            assert view(swapped, seat) == view(match, seat)
    looker = view(match, match.to_act)
    assert legal_actions(looker) == legal_actions(match)
    if not match.seen:
        assert legal_actions(swapped) == legal_actions(match)
        assert looker.dice is None
        assert not looker.tower
    else:
        assert looker == match
        legal = legal_actions(swapped)
        may_show = walk.rules.game == "class" and value_of(swapped.dice) == MAEXCHEN
        assert (ShowMaexchen() in legal) is may_show
        assert (ShowTower() in legal) is swapped.tower


def turned(match, by):
    """The same match with everybody ``by`` seats further on."""
    count = len(match.players)

    def seat(number):
        return None if number is None else (number + by) % count

    def row(items):
        return tuple(items[(number - by) % count] for number in range(count))

    return match._replace(
        opener=seat(match.opener),
        to_act=seat(match.to_act),
        announcer=seat(match.announcer),
        tally=row(match.tally),
        status=row(match.status),
        out=tuple(map(seat, match.out)),
        outcome=match.outcome
        and match.outcome._replace(
            losers=tuple(map(seat, match.outcome.losers)),
            out=tuple(map(seat, match.outcome.out)),
            left=tuple(sorted(map(seat, match.outcome.left))),
            tally=row(match.outcome.tally),
        ),
    )


@UNHURRIED
@given(walks(), st.integers(1, 7))
def test_no_seat_is_special(walk, by):
    count = len(walk.players)
    match = new_match(walk.rules, walk.players, (walk.first + by) % count)
    for before, action in zip(walk.matches, walk.actions, strict=True):
        assert match == turned(before, by)
        if isinstance(action, Leave | Fault):
            action = replace(action, seat=(action.seat + by) % count)
        match = apply(match, action).match
    ended = turned(walk.match, by)
    if ended.outcome and ended.outcome.rule == "B-8":  # those who share it are listed by seat
        losers = tuple(sorted(ended.outcome.losers))
        ended = ended._replace(outcome=ended.outcome._replace(losers=losers))
    assert match == ended


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(20))
def test_a_match_played_at_random_comes_to_an_end(game, seed):
    rules = RULES[game]
    players = rules.fewest_players + seed % (rules.most_players - rules.fewest_players + 1)
    actions, match = playout(rules, NAMES[:players], random.Random(seed))
    assert match.phase is Phase.OVER
    assert match.turn == len(actions) < TOO_LONG


def test_chances_add_up_and_a_tower_is_as_rare_as_the_rules_say():
    for game in GAMES:
        match = new_match(RULES[game], NAMES[:3], first=0)
        chances = rolls(match)
        assert sum(chance for _, chance in chances) == 1
        assert all(illegality(match, roll) is None for roll, _ in chances)
        towers = sum(chance for roll, chance in chances if roll.tower)
        assert towers == (Fraction(1, 200) if game == "holy-family" else 0)
        assert sum(chance for roll, chance in chances if value_of(roll.dice) == 21) == Fraction(
            2, 36
        )


@UNHURRIED
@given(walks())
def test_penalties_are_conserved(walk):
    paid = Counter()
    for events in walk.events:
        for event in events:
            if isinstance(event, Penalised):
                paid[event.seat] += event.cost
    assert walk.match.tally == tuple(paid[seat] for seat in range(len(walk.players)))
    lost = {Status.IN, Status.LEFT, Status.OUT} if walk.rules.points else set(Status)
    assert set(walk.match.status) <= lost
    if walk.rules.points:
        full = {seat for seat, points in enumerate(walk.match.tally) if points >= walk.rules.points}
        assert set(walk.match.out) <= full
        if walk.match.outcome is None:
            assert set(walk.match.out) == full


@UNHURRIED
@given(walks(("class",)))
def test_matches_are_conserved(walk):
    penalties = Counter(
        event.seat for events in walk.events for event in events if isinstance(event, Penalised)
    )
    match = walk.match
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
@given(walk=walks(("class",)))
def test_the_naive_checker_agrees_with_every_match(walk):
    lines = [json.loads(line) for line in write(walk.record()).splitlines()]
    verdict = naive_checker.judge(lines)
    match = walk.match
    assert verdict.disagreement is None
    assert verdict.over is (match.phase is Phase.OVER)
    assert tuple(verdict.matches) == match.matches
    assert tuple(verdict.paid) == match.tally
    assert tuple(verdict.out) == match.out
    assert verdict.rounds == match.round
    assert verdict.rolls == sum(isinstance(action, Roll) for action in walk.actions)
    if verdict.over:
        assert tuple(verdict.losers) == match.outcome.losers
        assert tuple(sorted(verdict.left)) == match.outcome.left


@UNHURRIED
@given(walk=walks(("physicist", "holy-family")))
def test_the_naive_checker_agrees_on_glasses_and_points(walk):
    lines = [json.loads(line) for line in write(walk.record()).splitlines()]
    verdict = naive_glasses_checker.judge(lines)
    match = walk.match
    assert verdict.disagreement is None
    assert verdict.over is (match.phase is Phase.OVER)
    assert tuple(verdict.paid) == match.tally
    assert tuple(verdict.out) == match.out
    assert (verdict.rounds, verdict.direction) == (match.round, match.direction)
    if verdict.over:
        assert tuple(verdict.losers) == match.outcome.losers
        assert tuple(sorted(verdict.left)) == match.outcome.left


@pytest.mark.parametrize("game", ["physicist", "holy-family"])
@pytest.mark.parametrize("seed", range(10))
def test_that_checker_catches_other_dice_and_a_roll_too_many(game, seed):
    walk = Walk(RULES[game], 4, 0, seed)
    lines = [json.loads(line) for line in write(walk.record()).splitlines()]
    lifts = [n for n, line in enumerate(lines) if line.get("action") == "lift"]
    for number in lifts[:1]:
        other = [3, 3] if lines[number]["dice"] != [3, 3] else [4, 4]
        wrong = [*lines[:number], {**lines[number], "dice": other}, *lines[number + 1 :]]
        assert naive_glasses_checker.judge(wrong).disagreement.startswith(f"line {number + 1}: ")
    roll = {"action": "roll", "dice": [6, 3]}
    verdict = naive_glasses_checker.judge([lines[0], *[roll] * 4])
    assert verdict.disagreement == f"line {5 if game == 'holy-family' else 3}: roll: no roll is due"
