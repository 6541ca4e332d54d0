"""Other programs agree with the core: oracles, naive programs, and a referee from outside.

The naive programs are worth something only if they catch what is wrong.
"""

import json
import random
from collections import Counter
from dataclasses import asdict
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from game import (
    PRESETS,
    RULES,
    apply,
    laid_open,
    legal_actions,
    new_match,
    rule_set,
    seat_actions,
)
from game.actions import Keep, Lift, Roll, Stop
from game.coaster.rules import Kind, chicago_points, kind
from game.record import Record, to_plain, write
from game.sevens import score
from tests.support.expectations import expectation
from tests.support.referees import naive_bluff_checker
from tests.support.referees.naive_house_rules import House
from tests.support.rules_table import NAMES, OpenTable, drawn, playout

CUPS = list(product(range(1, 7), repeat=3))


def stop_at_once(match, options):
    """Stop wherever one may."""
    return options[Stop()]


def of_first_throw(worth):
    """A worth that looks at the leader's first throw and goes no further."""
    return lambda match: None if match.dice is None else Fraction(worth(match.dice))


def mean_of_one_throw(match, worth):
    return expectation(match, of_first_throw(worth), stop_at_once)


def sevens_score(dice):
    """Return the rest of six dice, with each seven struck out one by one."""
    left = list(dice)
    for high, low in ((6, 1), (5, 2), (4, 3)):
        while high in left and low in left:
            left.remove(high)
            left.remove(low)
    return sum(left)


@cache
def sevens_scores():
    """How many of the 46,656 throws of six dice have each score."""
    return Counter(map(sevens_score, product(range(1, 7), repeat=6)))


def test_one_throw_of_six_dice_in_sevens_has_mean_1631_144():
    t = OpenTable("sevens", 2)
    assert mean_of_one_throw(t.match, score) == Fraction(1631, 144)
    assert sum(n * s for s, n in sevens_scores().items()) == Fraction(1631, 144) * 6**6


def test_the_scores_of_one_throw_in_sevens():
    match = OpenTable("sevens", 2).match
    for wanted, ways in sevens_scores().items():
        chance = mean_of_one_throw(match, lambda dice, wanted=wanted: score(dice) == wanted)
        assert chance == Fraction(ways, 6**6)


@pytest.mark.parametrize("throws", [1, 2])
def test_the_least_a_leader_of_sevens_can_expect(throws):
    """Throw again whenever what is left to hope for is less than what lies there."""
    hope = Fraction(1631, 144)
    for _ in range(throws - 1):
        hope = sum(n * min(s, hope) for s, n in sevens_scores().items()) / 6**6

    t = OpenTable("sevens", 2)
    t.set(limit=throws)

    def worth(match):
        return None if match.to_act == 0 else score(match.hands[0])

    least = expectation(t.match, worth, lambda _, options: min(options.values()))
    assert least == hope


def test_the_kinds_of_one_throw_in_maxen():
    match = OpenTable("maxen", 2).match
    ways = {
        kind_: mean_of_one_throw(match, lambda d, k=kind_: kind(d) is k) * 216 for kind_ in Kind
    }
    # 1-1-1; 1-1-n in three orders each; five other triples; four runs in six orders; the rest
    assert ways == {
        Kind.GENERAL: 1,
        Kind.MAX: 5 * 3,
        Kind.PASCH: 5,
        Kind.STRASSE: 4 * 6,
        Kind.SCHIET: 216 - 1 - 15 - 5 - 24,
    }


def test_the_points_of_one_throw_in_chicago():
    match = OpenTable("chicago", 2).match
    pips = {1: 100, 2: 2, 3: 3, 4: 4, 5: 5, 6: 60}
    counted = Counter(sum(pips[die] for die in dice) for dice in CUPS)
    for points, ways in counted.items():
        chance = mean_of_one_throw(match, lambda d, p=points: chicago_points(d) == p)
        assert chance == Fraction(ways, 216)
    assert mean_of_one_throw(match, chicago_points) == 3 * Fraction(100 + 2 + 3 + 4 + 5 + 60, 6)


@cache
def three_ones(missing, throws_left):
    """The best chance of three ones with so many dice that are none, in so many throws.

    Ones are kept, and of two sixes one is turned, of three two; those of the last throw too, which
    brings a throw more, after which nothing is turned (T-3, T-4).
    """
    total = Fraction(0)
    for dice in product(range(1, 7), repeat=missing):
        left = missing - dice.count(1)
        sixes = dice.count(6)
        if left == 0:
            total += 1
        elif throws_left > 1:
            total += three_ones(left - max(0, sixes - 1), throws_left - 1)
        elif sixes > 1:
            total += Fraction(1, 6) ** (left - (sixes - 1))
    return total / 6**missing


def ones(match):
    """1 for three ones once the leader's turn is over, 0 for anything else."""
    hand = match.hands[0]
    if match.to_act == 0 or hand is None:
        return None
    return int(hand.aside + hand.dice == (1, 1, 1))


def best(match, options):
    return max(options.values())


def test_the_best_chance_of_a_chicago_for_a_leader():
    match = OpenTable("chicago", 2).match
    assert expectation(match, ones, best) == three_ones(3, 3)


def test_the_best_chance_of_a_general_is_that_of_a_chicago():
    """The covered third throw of ``maxen`` hides nothing that would help, so it is the same."""

    def lap(match):
        """The leader's chance once the other one has thrown 6-5-3, which cannot matter."""
        match = apply(apply(match, Roll((6, 5, 3))).match, Stop()).match
        return expectation(match, lambda m: None if m.round == 1 else int(m.half == 2), best)

    def general(match):
        if match.to_act == 0:
            return None
        hand = match.hands[0]
        return lap(match) if hand.covered else int(hand.aside + hand.dice == (1, 1, 1))

    assert expectation(OpenTable("maxen", 2).match, general, best) == three_ones(3, 3)


def test_a_bonus_of_chicago_is_worth_taking_exactly_with_nothing_but_ones():
    t = OpenTable("chicago", 2)
    t.do(Roll((1, 4, 2)), Keep((1,)), Roll((4, 2)), Roll((6, 6)), Keep((), 1))
    assert expectation(t.match, ones, best) == Fraction(1, 6)


def test_the_last_coaster_of_chicago_between_two():
    """One coaster each: the leader stops at once, so does the other; the better gives his away."""
    t = OpenTable("chicago", 2)
    t.set(stage=2, pile=0, gone=4, coasters=(1, 1))
    sums = Counter(map(chicago_points, CUPS))
    leader_wins = sum(a * b for s, a in sums.items() for r, b in sums.items() if s >= r)
    lost = expectation(
        t.match, lambda match: match.outcome and int(1 in match.outcome.losers), stop_at_once
    )
    assert lost == Fraction(leader_wins, 216 * 216)


def test_lifts_of_unknown_dice_fall_with_their_chances():
    t = OpenTable("maxen", 2)
    t.turn((6, 5, 3), (6, 5, 3), None)
    t.turn((6, 5, 4))
    assert legal_actions(t.match) == (Lift(),)

    def higher(match):
        return int(match.leader == 1) if match.round == 2 else None

    # 6-5-4 is a Strasse: it loses to every Max, Pasch and General, and to the earlier Strasse.
    better = sum(kind(dice) is not Kind.SCHIET for dice in CUPS)
    assert expectation(t.match, higher, stop_at_once) == Fraction(better, 216) == Fraction(5, 24)


RULE_SET = RULES["class"]
PLAYERS = ("Ana", "Ben", "Cem")


def lines_of(seed):
    actions, match = playout(RULE_SET, PLAYERS, random.Random(seed))
    record = Record(RULE_SET, PLAYERS, 0, tuple(actions))
    return [json.loads(line) for line in write(record).splitlines()], match


@pytest.mark.parametrize("seed", range(20))
def test_a_line_that_is_missing_is_caught(seed):
    lines, match = lines_of(seed)
    removed = random.Random(seed).randrange(1, len(lines))
    verdict = naive_bluff_checker.judge(lines[:removed] + lines[removed + 1 :])
    unchanged = verdict.over and tuple(verdict.paid) == match.tally
    optional = lines[removed]["action"] in ("look", "roll")
    assert verdict.disagreement or not verdict.over or (unchanged and optional)


@pytest.mark.parametrize(
    ("actions", "complaint"),
    [
        ([{"action": "announce", "value": 31}], "nothing can be announced"),
        ([{"action": "roll", "dice": [6, 3]}] * 3, "no roll is due"),
        ([{"action": "roll", "dice": None}], "these are no two dice"),
        ([{"action": "roll", "dice": [7, 1]}], "these are no two dice"),
        ([{"action": "look"}], "no look is due"),
        ([{"action": "lift", "dice": [6, 3]}], "nobody has doubted"),
        ([{"action": "end_match"}], "the match cannot be ended here"),
        ([{"action": "void_round"}], "there is no round to void"),
        ([{"action": "leave", "seat": 3}], "nobody sits there"),
        ([{"action": "stop_match"}, {"action": "look"}], "the match is over"),
        ([{"action": "juggle"}], "unknown to this game"),
    ],
)
def test_the_checker_refuses_what_is_not_in_the_rules(actions, complaint):
    header = lines_of(1)[0][0]
    assert naive_bluff_checker.judge([header, *actions]).disagreement.endswith(complaint)


TABLES = ("class", "physicist", *PRESETS)


def plain_actions(rules, players):
    """Every action of a seat without flourishes, words and the wrong way, with its record."""
    every = seat_actions(rules, players)
    found = [(each, to_plain(each)) for each in every if not getattr(each, "flourish", None)]
    return [(each, plain) for each, plain in found if not plain.get("wrong_way")]


def agrees(rules, players, actions, seed):
    """Play so many actions at random; the referee watches. Returns how many were compared."""
    chance, compared = random.Random(seed), 0
    every = plain_actions(rules, players)
    while compared < actions:
        first = chance.randrange(players)
        match, house = (
            new_match(rules, NAMES[:players], first),
            House(asdict(rules), players, first),
        )
        while match.to_act is not None and compared < actions:
            legal = {repr(each) for each in legal_actions(match)}
            told = {repr(each) for each, plain in every if house.can(plain)}
            assert told == {each for each in legal if "flourish=<" not in each}, match
            ours = [each for each, _ in every if repr(each) in told]
            action = chance.choice(ours)
            if isinstance(action, Roll):
                action = Roll((chance.randint(1, 6), chance.randint(1, 6)))
            action = laid_open(match, action)
            match = apply(match, action).match
            house.do(to_plain(action))
            compared += 1
            assert list(match.tally) == house.paid
            if match.outcome is not None:
                assert sorted(match.outcome.losers) == sorted(house.losers)
                continue
            assert house.losers is None
            assert (match.to_act, match.opener, match.round) == (
                *(house.turn, house.opener, house.rounds),
            )
    return compared


@pytest.mark.parametrize("table", TABLES)
def test_the_referee_agrees_about_every_preset(table):
    assert agrees(rule_set(table, {}), 4, 600, seed=table) == 600


@pytest.mark.parametrize("seed", range(30))
def test_the_referee_agrees_about_house_rules_drawn_by_lot(seed):
    assert agrees(drawn(random.Random(seed), TABLES), 3 + seed % 3, 200, seed) == 200


@pytest.mark.parametrize(
    "actions",
    [
        pytest.param(20_000, marks=pytest.mark.whole),
        pytest.param(100_000, marks=pytest.mark.night),
    ],
)
@pytest.mark.parametrize("table", TABLES)
def test_the_referee_agrees_about_every_preset_for_long(table, actions):
    assert agrees(rule_set(table, {}), 5, actions, seed=table) == actions
