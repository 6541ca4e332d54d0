"""The odds of the open games, against a second computation: dice in order, Fractions."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import pytest

from game import RULES, SetupError
from research.strength import odds
from tests.support.referees.naive_open_checker import (
    left_in_sevens,
    rank_in_maxen,
    sum_in_chicago,
    worth_in_maxen,
)

MAXEN, CHICAGO, SEVENS = RULES["maxen"], RULES["chicago"], RULES["sevens"]
SEVEN_DICE = replace(SEVENS, seven_dice=True)
FACES = range(1, 7)
CLOSE = 1e-12


PLACES = {"maxen": rank_in_maxen, "chicago": sum_in_chicago}
KINDS = {5: "general", 3: "pasch", 2: "strasse", 1: "schiet"}
"""By the first number of a rank in ``maxen``; 4 is a Max."""


def subsets(dice, fewest):
    """All that can be set aside of dice that lie there, one of them at least left to throw."""
    for number in range(fewest, len(dice)):
        for chosen in combinations(range(len(dice)), number):
            yield tuple(dice[place] for place in chosen)


def ways(game, aside, dice, thrown, limit, turning):
    """Return the dice that can lie aside when the next throw is made (T-2 to T-4)."""
    if thrown < limit:
        yield aside
        for chosen in subsets(dice, 1):
            yield aside + chosen
    sixes = dice.count(6)
    bonus = thrown == limit == 3
    if turning and sixes > 1 and (thrown < limit or bonus):
        ones, rest = (1,) * (sixes - 1), tuple(die for die in dice if die != 6)
        for also in {(), rest}:
            if not bonus or game == "maxen" or set(aside + also) <= {1}:
                yield aside + ones + also


def brute(game, limit, worth, turning=True):
    """The best mean of ``worth``, which is given three dice and how often was thrown."""

    @cache
    def throw(thrown, aside):
        """After so many throws the next one is made, with ``aside``."""
        total, number = Fraction(0), 3 - len(aside)
        for dice in product(FACES, repeat=number):
            best = worth(aside + dice, thrown + 1)
            if thrown < 3:
                for kept in set(ways(game, aside, dice, thrown + 1, limit, turning)):
                    best = max(best, throw(thrown + 1, tuple(sorted(kept))))
            total += best
        return total / 6**number

    return throw(0, ())


@pytest.mark.parametrize("throws", [1, 2, 3])
@pytest.mark.parametrize("turning", [True, False])
def test_means(throws, turning):
    coasters = brute(
        "maxen", throws, lambda hand, _: 0 if max(hand) == 1 else worth_in_maxen(hand), turning
    )
    assert odds.mean(MAXEN, throws, turning) == coasters
    sums = brute("chicago", throws, lambda hand, _: sum_in_chicago(hand), turning)
    assert odds.mean(CHICAGO, throws, turning) == sums


@pytest.mark.whole
@pytest.mark.parametrize("throws", [1, 2, 3])
@pytest.mark.parametrize("turning", [True, False])
def test_kinds_of_hands(throws, turning):
    for name, belongs in odds.kinds(MAXEN).items():
        expected = brute("maxen", throws, lambda hand, _, name=name: is_called(hand, name), turning)
        assert odds.best(MAXEN, throws, belongs, turning) == expected, name
    ones = brute("chicago", throws, lambda hand, _: sorted(hand) == [1, 1, 1], turning)
    assert odds.best(CHICAGO, throws, odds.kinds(CHICAGO)["chicago"], turning) == ones


def is_called(hand, name):
    kind, _ = rank_in_maxen(hand)
    return name in ("max", f"max {max(hand)}") if kind == 4 else name == KINDS[kind]


def test_three_ones_in_three_throws_without_turning():
    """As known from dice games: each die has three throws."""
    assert odds.best(CHICAGO, 3, (1, 1, 1).__eq__, turning=False) == (1 - Fraction(5, 6) ** 3) ** 3


@pytest.mark.whole
@pytest.mark.parametrize("rules", [MAXEN, CHICAGO])
@pytest.mark.parametrize("throws", [1, 2, 3])
def test_the_least_loss_against_a_score(rules, throws):
    place = PLACES[rules.game]
    for mark, name in list(odds.marks(rules).items())[:: 7 if throws > 1 else 1]:
        beaten = place(tuple(map(int, name)))
        best = brute(rules.game, throws, lambda hand, _, beaten=beaten: place(hand) > beaten)
        assert odds.least_loss(rules, throws, mark) == pytest.approx(float(1 - best), abs=CLOSE)


@pytest.mark.whole
@pytest.mark.parametrize("rules", [MAXEN, CHICAGO])
def test_the_least_loss_with_players_to_come(rules):
    """Two throws each; with a worse hand the second one hopes that the third has none better."""
    place, shown = PLACES[rules.game], odds.marks(rules)
    places = {name: place(tuple(map(int, name))) for name in shown.values()}

    @cache
    def falls(mark):
        """The chance of the last one to lose against ``mark``, so that somebody else does not."""
        return 1 - brute(rules.game, 2, lambda hand, _: place(hand) > mark)

    @cache
    def second(mark):
        return brute(rules.game, 2, lambda hand, _: 1 if place(hand) > mark else falls(place(hand)))

    for mark, name in list(shown.items())[::16]:
        least = odds.least_loss(rules, 2, mark, 1)
        assert least == pytest.approx(float(1 - second(places[name])), abs=CLOSE), name


@pytest.mark.whole
def test_the_least_loss_of_a_leader():
    @cache
    def falls(mark, throws):
        return 1 - brute("chicago", throws, lambda hand, _: sum_in_chicago(hand) > mark)

    spared = brute("chicago", 3, lambda hand, thrown: falls(sum_in_chicago(hand), min(thrown, 3)))
    assert odds.least_loss(CHICAGO, 3, None, 1) == pytest.approx(float(1 - spared), abs=CLOSE)


@pytest.mark.whole
@pytest.mark.parametrize("rules", [SEVENS, SEVEN_DICE], ids=["six dice", "seven dice"])
def test_sevens(rules):
    ordered = Counter(tuple(sorted(dice)) for dice in product(FACES, repeat=rules.dice))
    fallen = Counter()
    for dice, number in ordered.items():
        fallen[left_in_sevens(dice, rules.seven_dice)] += number
    chances = {score: Fraction(number, 6**rules.dice) for score, number in fallen.items()}
    assert sum(chances.values()) == 1
    mean = sum(score * chance for score, chance in chances.items())
    for throws in range(1, rules.throws + 1):
        assert odds.mean(rules, throws) == mean
        nothing = 1 - (1 - chances[0]) ** throws
        assert odds.best(rules, throws, odds.kinds(rules)["nothing left"]) == nothing
        for mark in odds.marks(rules):
            once = sum(chance for score, chance in chances.items() if score >= mark)
            lost = odds.least_loss(rules, throws, mark)
            assert lost == pytest.approx(float(once**throws), abs=CLOSE)
        mean = sum(min(score, mean) * chance for score, chance in chances.items())
    if not rules.seven_dice:
        assert odds.mean(rules, 1) == Fraction(1631, 144), "as its source has it"

    @cache
    def falls(mark, throws):
        return sum(chance for score, chance in chances.items() if score >= mark) ** throws

    lost = 1 - leads_once(chances, falls, rules.throws, 1)
    assert odds.least_loss(rules, 1, None, 1) == pytest.approx(float(lost), abs=CLOSE)


def leads_once(chances, falls, most, made):
    """The chance of a leader of two not to lose who makes his throw number ``made``."""
    again = leads_once(chances, falls, most, made + 1) if made < most else 0
    return sum(chance * max(falls(score, made), again) for score, chance in chances.items())


@pytest.mark.parametrize("players", [3, 4])
def test_with_more_to_come_a_lead_is_safer(players):
    for rules in (MAXEN, CHICAGO, SEVENS):
        fewer = odds.least_loss(rules, 1, None, players - 2)
        assert 0 < odds.least_loss(rules, 1, None, players - 1) < fewer


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: odds.mean(CHICAGO, 4), "4 throws of chicago: choose 1 to 3"),
        (lambda: odds.mean(SEVEN_DICE, 3), "3 throws of sevens: choose 1 to 2"),
        (lambda: odds.least_loss(CHICAGO, 1, 9999), "a hand of 9999 in chicago: choose"),
        (lambda: odds.least_loss(CHICAGO, 1, 11, 4), "6 players of chicago: choose 2 to 5"),
        (lambda: odds.least_loss(MAXEN, 1, None, 0), "1 players of maxen: choose 2 to 9"),
        (lambda: odds.least_loss(MAXEN, 1, 221, -1), "1 players of maxen: choose 2 to 9"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(call, said):
    with pytest.raises(SetupError, match=said):
        call()
