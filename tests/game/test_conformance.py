"""What holds in every match of the games with coasters, however it is played."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game import (
    RULES,
    CoasterMatch,
    Hand,
    IllegalAction,
    Phase,
    Status,
    apply,
    dice_to_roll,
    illegality,
    laid_open,
    legal_actions,
    new_match,
    outcome,
    public,
    table_actions,
    view,
)
from game.actions import Announce, Give, Keep, Leave, Lift, Look, Roll, Stop, StopMatch, VoidRound
from game.events import CoastersMoved
from game.explore import playout
from game.record import Record, public_record, read, replay, write

NAMES = ("Ana", "Ben", "Cem", "Dora", "Emil", "Fritz", "Gesa", "Hans")
DISTURBANCE = 0.02
LONGEST = 900
UNHURRIED = settings(deadline=None, max_examples=60)

OPTIONS = [
    RULES["maxen"],
    replace(RULES["maxen"], coasters=4),
    RULES["chicago"],
    replace(RULES["chicago"], levelling=True),
    RULES["sevens"],
    replace(RULES["sevens"], seven_dice=True),
    replace(RULES["sevens"], rounds=2),
]
"""Few coasters bring the rare phases of ``maxen`` sooner."""


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
            action = chance.choice(
                [a for a in options if a != StopMatch() or chance.random() < 0.1]
            )
            if action == Roll():
                # Ones and sixes come often, so that the rare branches are walked too.
                faces = (1, 6) if chance.random() < 0.4 else range(1, 7)
                action = Roll(tuple(chance.choices(faces, k=dice_to_roll(self.match))))
            action = laid_open(self.match, action)
            self.matches.append(self.match)
            self.actions.append(action)
            self.match, events = apply(self.match, action)
            self.events.append(events)

    def record(self):
        return Record(self.rules, self.players, self.first, tuple(self.actions))


@st.composite
def walks(draw):
    rules = draw(st.sampled_from(OPTIONS))
    players = draw(st.integers(2, rules.most_players))
    return Walk(rules, players, draw(st.integers(0, players - 1)), draw(st.integers(0, 2**32)))


@UNHURRIED
@given(walks())
def test_never_stuck(walk):
    for match in (*walk.matches, walk.match):
        over = match.phase is Phase.OVER
        assert bool(legal_actions(match)) is not over
        assert bool(table_actions(match)) is not over
        assert (match.to_act is None) is over
        assert (outcome(match) is not None) is over
        if not over:
            assert match.status[match.to_act] is Status.IN


def universe(match):
    """Every action of this family, many that make no sense, and some of other games."""
    faces = [(), *((a,) for a in range(8)), *((a, b) for a in range(8) for b in range(8))]
    number = dice_to_roll(match)
    rolls = [None, (1,) * number, (6,) * number, (1,) * (number - 1), (7,) * number, "x", [1]]
    return [
        *map(Roll, rolls),
        *map(Lift, rolls),
        *(Keep(aside, turned) for aside in (*faces, (1, 2, 3), [1]) for turned in range(-1, 4)),
        Stop(),
        *(Give(to) for to in (*range(-1, 9), None, "Ana")),
        *(Leave(seat) for seat in (*range(-1, 9), None, "Ana")),
        VoidRound(),
        StopMatch(),
        Look(),
        Announce(21),
        "roll",
    ]


def stand_in(action):
    return type(action)() if isinstance(action, Roll | Lift) else action


@UNHURRIED
@given(walks(), st.data())
def test_one_check_three_faces(walk, data):
    match = data.draw(st.sampled_from([*walk.matches, walk.match]))
    for copy in (match, view(match, None)):
        listed = (*legal_actions(copy), *table_actions(copy))
        assert len(set(listed)) == len(listed)
        actions = universe(copy)
        allowed = [action for action in actions if illegality(copy, action) is None]
        assert {stand_in(action) for action in allowed} == set(listed)
        for action in actions:
            reason = illegality(copy, action)
            if reason is None and action in (Roll(), Lift()):
                continue  # they stand for any dice, and those may have to be told
            if reason is None:
                assert apply(copy, action).match.turn == copy.turn + 1
            else:
                with pytest.raises(IllegalAction) as caught:
                    apply(copy, action)
                assert caught.value.reason is reason


@UNHURRIED
@given(walks())
def test_replay_is_play_and_a_record_keeps_it(walk):
    record = walk.record()
    steps = list(replay(record))
    assert [step.match for step in steps] == [*walk.matches[1:], walk.match]
    assert [step.events for step in steps] == walk.events
    assert read(write(record)) == record


@UNHURRIED
@given(walks())
def test_a_follower_that_gets_only_public_actions_stays_in_step(walk):
    follower = new_match(walk.rules, walk.players, walk.first)
    for knower, action, events in zip(walk.matches, walk.actions, walk.events, strict=True):
        assert follower == view(knower, None)
        assert legal_actions(follower) == legal_actions(knower)
        follower, seen = apply(follower, public(action, knower))
        assert seen == events
    assert follower == view(walk.match, None)
    assert list(replay(public_record(walk.record())))[-1].match == follower


def swap_covered(match, chance):
    """The match with other dice in every covered hand."""
    hands = tuple(
        hand._replace(dice=tuple(chance.choices(range(1, 7), k=len(hand.dice))))
        if isinstance(hand, Hand) and hand.covered
        else hand
        for hand in match.hands
    )
    return match._replace(hands=hands)


@UNHURRIED
@given(walks(), st.integers(0, 2**32))
def test_covered_dice_change_nothing_anybody_knows(walk, seed):
    chance = random.Random(seed)
    for match in walk.matches:
        swapped = swap_covered(match, chance)
        for seat in (None, *range(len(match.players))):
            assert view(swapped, seat) == view(match, seat)
        assert legal_actions(swapped) == legal_actions(match)
        assert table_actions(swapped) == table_actions(match)


def test_covered_dice_are_met_in_these_walks():
    walk = Walk(RULES["maxen"], 4, 0, 7)
    chance = random.Random(1)
    assert any(swap_covered(match, chance) != match for match in walk.matches)
    assert any(public(a, m) != a for a, m in zip(walk.actions, walk.matches, strict=True))


@UNHURRIED
@given(walks())
def test_coasters_are_conserved(walk):
    for match, after, events in zip(
        walk.matches, [*walk.matches[1:], walk.match], walk.events, strict=True
    ):
        assert min(match.coasters) >= 0
        assert all(n == 0 for n, s in zip(match.coasters, match.status) if s is Status.LEFT)
        if isinstance(match, CoasterMatch):
            assert match.pile + sum(match.coasters) + match.gone == match.rules.coasters
            if after.half != match.half:
                continue
        else:
            assert sum(match.coasters) + match.gone == len(match.lost)
        moved = list(match.coasters)
        for event in events:
            if isinstance(event, CoastersMoved):
                assert event.count > 0
                if event.giver is not None:
                    moved[event.giver] -= event.count
                if event.taker is not None:
                    moved[event.taker] += event.count
        assert tuple(moved) == after.coasters


def turned(seat, by, seats):
    return None if seat is None else (seat + by) % seats


@UNHURRIED
@given(walks(), st.integers(1, 7))
def test_seats_are_symmetric_under_relabelling(walk, by):
    seats = len(walk.players)

    def shift(by_seat):
        return tuple(by_seat[(seat - by) % seats] for seat in range(seats))

    match = new_match(walk.rules, shift(walk.players), turned(walk.first, by, seats))
    for action, original in zip(walk.actions, [*walk.matches[1:], walk.match], strict=True):
        if isinstance(action, Leave):
            action = Leave(turned(action.seat, by, seats))
        elif isinstance(action, Give):
            action = Give(turned(action.to, by, seats))
        match = apply(match, action).match
        assert match.to_act == turned(original.to_act, by, seats)
        assert match.phase is original.phase
        for field in ("coasters", "status", "hands"):
            assert getattr(match, field) == shift(getattr(original, field))
        for field in ("order", "lost"):
            assert getattr(match, field) == tuple(
                turned(seat, by, seats) for seat in getattr(original, field)
            )
    if walk.match.outcome is not None:
        losers = tuple(turned(seat, by, seats) for seat in walk.match.outcome.losers)
        assert match.outcome.losers == losers


MOST_ACTIONS = {"chicago": 400, "sevens": 800, "maxen": 30_000}
"""Generous: ``chicago`` has at most 11 rounds and ``sevens`` one more than ``rounds``, of at most
seven actions a seat, but a roll-off can be tied any number of times. A round of ``maxen`` need not
bring its end nearer, so only a General ends it for certain; random matches had up to 4,000."""


@pytest.mark.parametrize("rules", OPTIONS, ids=str)
@pytest.mark.parametrize("seed", range(12))
def test_playouts_are_bounded(rules, seed):
    players = NAMES[: 2 + seed % (rules.most_players - 1)]
    actions, match = playout(rules, players, random.Random(seed), first=seed % len(players))
    assert match.phase is Phase.OVER
    assert len(actions) == match.turn <= MOST_ACTIONS[rules.game]
    most = {"chicago": 11, "sevens": getattr(rules, "rounds", 0) + 1}.get(rules.game, match.round)
    assert match.round <= most
    assert len(match.outcome.losers) == 1


@pytest.mark.parametrize("game", RULES)
def test_every_game_plays_to_its_end_and_its_record_is_read(game):
    rules = RULES[game]
    for seed in range(3):
        players = NAMES[: rules.fewest_players + seed]
        actions, match = playout(rules, players, random.Random(seed))
        record = Record(rules, players, 0, tuple(actions))
        assert read(write(record)) == record
        assert list(replay(record))[-1].match == match
