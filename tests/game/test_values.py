# ruff: noqa: N802 - tests are named after rules
"""V-1 to V-5: the values of two dice."""

from collections import Counter

import pytest

from firmware.display.text.language import spoken
from game.bluff.rules import DICE, MAEXCHEN, RANKING, is_pair, is_pair_of_dice, rank, value_of


def test_V_1_the_higher_die_is_the_tens_digit():
    assert value_of((3, 6)) == value_of((6, 3)) == 63
    assert value_of((1, 3)) == 31
    assert value_of((4, 4)) == 44
    assert value_of((1, 2)) == 21


def test_V_2_the_ranking_has_21_values_in_the_order_of_the_book():
    book = "31 32 41 42 43 51 52 53 54 61 62 63 64 65 11 22 33 44 55 66 21"
    assert " ".join(map(str, RANKING)) == book
    assert [rank(value) for value in RANKING] == list(range(21))
    assert {value_of(dice) for dice in DICE} == set(RANKING)


def test_V_3_a_pair_beats_every_mixed_value_and_a_maexchen_everything():
    pairs = [value for value in RANKING if is_pair(value)]
    mixed = [value for value in RANKING if not is_pair(value) and value != MAEXCHEN]
    assert pairs == [11, 22, 33, 44, 55, 66]
    assert len(mixed) == 14
    assert min(map(rank, pairs)) > max(map(rank, mixed))
    assert all(rank(MAEXCHEN) > rank(value) for value in pairs + mixed)
    assert not is_pair(77)


def test_V_4_chances_of_a_single_roll():
    ways = Counter(value_of(dice) for dice in DICE)
    assert sum(ways.values()) == 36
    for value in RANKING:
        assert ways[value] == (1 if is_pair(value) else 2)


def test_V_5_german_names():
    names = " ".join(spoken(value, "de") for value in RANKING)
    assert names == (
        "Einunddreißig Zweiunddreißig Einundvierzig Zweiundvierzig Dreiundvierzig Einundfünfzig "
        "Zweiundfünfzig Dreiundfünfzig Vierundfünfzig Einundsechzig Zweiundsechzig "
        "Dreiundsechzig Vierundsechzig Fünfundsechzig Einserpasch Zweierpasch Dreierpasch "
        "Viererpasch Fünferpasch Sechserpasch Mäxchen"
    )


def test_V_5_english_names():
    names = [spoken(value, "en") for value in RANKING]
    assert names[:5] == ["thirty-one", "thirty-two", "forty-one", "forty-two", "forty-three"]
    assert names[5:9] == ["fifty-one", "fifty-two", "fifty-three", "fifty-four"]
    assert names[9:14] == ["sixty-one", "sixty-two", "sixty-three", "sixty-four", "sixty-five"]
    assert names[14:17] == ["pair of ones", "pair of twos", "pair of threes"]
    assert names[17:] == ["pair of fours", "pair of fives", "pair of sixes", "Mäxchen"]


@pytest.mark.parametrize("value", [0, 12, 20, 36, 67, 77, -21, None])
def test_a_number_no_dice_show_has_no_place_and_no_name(value):
    with pytest.raises(ValueError, match="is no value of two dice"):
        rank(value)
    with pytest.raises(ValueError, match="is no value of two dice"):
        spoken(value, "en")


@pytest.mark.parametrize("dice", [(0, 1), (1, 7), (3,), (1, 2, 3), (), None, [6, 3], "63"])
def test_anything_but_two_dice_has_no_value(dice):
    assert not is_pair_of_dice(dice)
    with pytest.raises(ValueError, match="two dice of 1 to 6 are needed"):
        value_of(dice)
