"""An impossible set-up or action is refused in one clear line, and nothing is half done."""

from dataclasses import FrozenInstanceError, replace
from typing import get_args

import pytest

from game import (
    OPTIONS,
    RULES,
    TABLES,
    IllegalAction,
    Reason,
    SetupError,
    illegality,
    nearest_table,
    new_match,
    parsed_option,
    rule_set,
    to_plain,
)
from game.actions import Action, Announce, Believe, Doubt, Look
from game.coaster.rules import CUSTOMS
from game.events import Event, Looked, Rolled
from tests.support.rules_table import Table

NAMES = ("Ana", "Ben", "Cem", "Dora", "Emil", "Fritz", "Gesa", "Hans", "Ida", "Jan")


PLAYERS = {
    **{"class": (3, 9), "physicist": (2, 9), "holy-family": (2, 9)},
    **{"maxen": (2, 9), "chicago": (2, 5), "sevens": (2, 9)},
}
FIXED = {
    "class": {"points": (2, 0), "losers": (2, 0), "tower_one_in": (2, 0)},
    "physicist": {
        **{"ends": ("last_standing", "first_out"), "stakes": ("matches", "drinks")},
        **{"credit": (3, 0), "show": (True, False), "fewest_players": (2.0, 2)},
        **{"points": (5, 0), "losers": (2, 0), "tower_one_in": (200, 0)},
    },
    "holy-family": {"stakes": ("matches", "points"), "ends": ("last_standing", "first_out")},
}
"""By game: what is no option of it, with a value that it does not take, and the one it has."""


@pytest.mark.parametrize(
    ("game", "option", "value", "says"),
    [
        ("class", "ends", "never", "ends is one of first_out, last_standing, not 'never'"),
        ("class", "stakes", "money", "stakes is one of matches, drinks, not 'money'"),
        ("class", "understating", True, "understating is one of no_lie, lie, not True"),
        ("class", "credit", 0, "credit is a whole number from 1 to 20, not 0"),
        ("class", "rolls", 2.0, "rolls is a whole number from 1 to 4, not 2.0"),
        ("class", "looks", None, "looks is a whole number from 1 to 4, not None"),
        ("class", "fewest_players", 1, "fewest_players is a whole number from 2, not 1"),
        ("class", "most_players", 1, "most_players is a whole number from 2, not 1"),
        ("class", "points", False, "points is no option of class: leave it at 0"),
        ("class", "game", ["class"], "game is one of class, physicist, holy-family, not ['class']"),
        ("class", "game", "maxen", "game is one of class, physicist, holy-family, not 'maxen'"),
        ("holy-family", "points", 0, "points is a whole number from 1 to 20, not 0"),
        ("holy-family", "points", 21, "points is a whole number from 1 to 20, not 21"),
        ("holy-family", "losers", 3, "losers is a whole number from 1 to 2, not 3"),
        ("holy-family", "tower_one_in", 1, "tower_one_in is a whole number from 2 to 1000, not 1"),
        ("maxen", "levelling", True, "levelling is no option of maxen: leave it at False"),
        ("maxen", "fewest_players", 1, "fewest_players is a whole number from 2, not 1"),
        ("sevens", "fewest_players", 1, "fewest_players is a whole number from 2, not 1"),
        ("maxen", "coasters", 0, "coasters is a whole number from 1 to 40, not 0"),
        ("maxen", "game", "skat", f"game is one of {', '.join(CUSTOMS)}, not 'skat'"),
        ("chicago", "levelling", 1, "levelling is one of no (False), yes (True), not 1"),
        ("sevens", "rounds", 999_999_999, "rounds is a whole number from 1 to 99, not 999999999"),
        ("sevens", "rounds", 0, "rounds is a whole number from 1 to 99, not 0"),
        ("sevens", "seven_dice", 1, "seven_dice is one of no (False), yes (True), not 1"),
        *(
            (game, option, value, f"{option} is no option of {game}: leave it at {own!r}")
            for game, options in FIXED.items()
            for option, (value, own) in options.items()
        ),
    ],
)
def test_an_option_has_only_its_values(game, option, value, says):
    with pytest.raises(SetupError) as caught:
        replace(RULES[game], **{option: value})
    assert str(caught.value) == says


@pytest.mark.parametrize(
    ("game", "handicap", "says"),
    [
        ("class", "x", "handicap is a whole number for each seat, such as 0,0,2, not 'x'"),
        ("class", 2, "handicap is a whole number for each seat, such as 0,0,2, not 2"),
        ("class", (0, -1), "handicap is a whole number for each seat, such as 0,0,2, not (0, -1)"),
        ("class", "0,3", "a handicap here is 2 at most, not 3"),
        ("physicist", "1", "physicist has nothing to start with here: leave the handicap out"),
        ("wikipedia", "6", "a handicap here is 5 at most, not 6"),
        ("holy-family", "10", "a handicap here is 9 at most, not 10"),
        ("maxen", "11,10", "all handicaps together are 20 at most here, not 21"),
        ("sevens", "5", "a handicap here is 4 at most, not 5"),
        ("class", "0,0,0,1", "the handicap names seat 3: the last one is 2"),
        ("maxen", "0,0,0,1", "the handicap names seat 3: the last one is 2"),
    ],
)
def test_a_handicap_leaves_every_seat_something_to_lose(game, handicap, says):
    with pytest.raises(SetupError) as caught:
        new_match(rule_set(game, {"handicap": handicap}), NAMES[:3], 0)
    assert str(caught.value) == says


def test_drinks_are_counted_from_nothing():
    with pytest.raises(SetupError, match="class has nothing to start with here"):
        rule_set("class", {"stakes": "drinks", "handicap": "1"})


@pytest.mark.parametrize("game", ["class", "holy-family", "maxen", "chicago", "sevens"])
def test_a_match_begins_from_the_standing_of_its_handicap(game):
    given = rule_set(game, {"handicap": "0,2,0"})
    match = new_match(given, NAMES[:3], 0)
    assert match.tally == (0, 2, 0)
    assert match.rules == RULES[game], "the rules of a match do not tell how it began"
    assert rule_set(game, to_plain(given)["options"]) == given == replace(given, handicap=(0, 2))
    assert nearest_table(given) == (game, {})
    if match.rules.family == "coaster":
        assert match.pile == RULES[game].coasters - 2


@pytest.mark.parametrize("game", TABLES)
def test_a_handicap_of_nothing_is_none(game):
    level = rule_set(game, {})
    assert rule_set(game, {"handicap": "0,0,0"}) == level
    assert "handicap" not in to_plain(level)["options"]


@pytest.mark.parametrize(
    ("game", "options", "both"),
    [
        ("class", {"looks": 3}, ("looks = 3", "rolls = 2")),
        ("class", {"free_doubt": True}, ("free_doubt = yes", "stakes = matches")),
        ("class", {"mexican": True}, ("mexican = yes", "stakes = matches")),
        ("class", {"credit": 5, "stakes": "drinks"}, ("credit = 5", "stakes = drinks")),
        ("class", {"swim": False, "stakes": "drinks"}, ("swim = no", "stakes = drinks")),
        (
            *("class", {"ends": "last_standing", "stakes": "drinks"}),
            ("ends = last_standing", "stakes = drinks", "leave it at first_out"),
        ),
        ("mexican", {"free_doubt": True}, ("maexchen_true = 2", "free_doubt = yes")),
        ("class", {"credit": 1, "maexchen_true": 2}, ("maexchen_true = 2", "credit = 1")),
        ("class", {"credit": 1, "maexchen_false": 2}, ("maexchen_false = 2", "credit = 1")),
        ("class", {"credit": 1, "swim": False, "opener": "next"}, ("opener = next", "credit = 1")),
        ("holy-family", {"opener": "next", "points": 1}, ("opener = next", "points = 1")),
        ("chicago", {"levelling": True, "coasters": 3}, ("levelling = yes", "coasters = 3")),
        ("chicago", {"may_give": True, "coasters": 1}, ("may_give = yes", "coasters = 1")),
        ("wikipedia", {"looks": 2}, ("looks = 2", "rolls = 1")),
        ("mexican", {"stakes": "matches"}, ("mexican = yes", "stakes = matches")),
    ],
)
def test_options_that_contradict_each_other_are_refused_with_both_names(game, options, both):
    with pytest.raises(SetupError, match="contradict each other") as caught:
        rule_set(game, options)
    assert all(name in str(caught.value) for name in both)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("table", TABLES)
def test_a_table_is_nearest_to_itself_and_to_itself_with_a_change(table):
    assert nearest_table(rule_set(table, {})) == (table, {})
    rules = rule_set(table, {})
    for option in OPTIONS[rules.game]:
        values = option.choices or (option.least, option.least + 1)
        other = next(value for value in values if value != getattr(rules, option.name))
        try:
            changed = replace(rules, **{option.name: other})
        except SetupError:
            continue
        known = nearest_table(changed)
        assert len(known.changes) <= 1
        assert rule_set(known.table, known.changes) == changed


def test_every_option_has_its_source_and_all_its_values_can_be_had():
    for game, options in OPTIONS.items():
        for option in options:
            assert option.source
            for value in option.choices or (option.least, option.greatest):
                asked = {"looks": {"rolls": 4}, "rolls": {"looks": 1}}.get(option.name, {})
                if option.name in ("free_doubt", "mexican") and game == "class":
                    asked = {"stakes": "drinks"}
                assert getattr(rule_set(game, {option.name: value, **asked}), option.name) == value


@pytest.mark.parametrize("game", PLAYERS)
def test_every_game_is_for_its_number_of_players_and_one_of_them_is_first(game):
    fewest, most = PLAYERS[game]
    for count in (0, fewest - 1, most + 1):
        with pytest.raises(SetupError) as caught:
            new_match(RULES[game], NAMES[:count], first=0)
        why = ": its source says so" if 2 <= count <= 9 else ""
        assert str(caught.value) == f"{game} is for {fewest} to {most} players, not {count}{why}"
    for first in (-1, fewest, 1.0, None, "Ana"):
        with pytest.raises(SetupError, match=f"the first opener is a seat from 0 to {fewest - 1}"):
            new_match(RULES[game], NAMES[:fewest], first)


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (("Ana", "", "Cem"), "seat 1 needs a name that can be shown, not ''"),
        (("Ana", "Ben", " "), "seat 2 needs a name that can be shown, not ' '"),
        (("A\nB", "Ben", "Cem"), r"seat 0 needs a name that can be shown, not 'A\nB'"),
        (("Ana", 7, "Cem"), "seat 1 needs a name that can be shown, not 7"),
        (("Ana", "Ben", "Ana"), "seats 0 and 2 are both called 'Ana'"),
    ],
)
def test_every_seat_has_a_name_of_its_own(names, says):
    with pytest.raises(SetupError) as caught:
        new_match(RULES["class"], names, first=0)
    assert str(caught.value) == says


def test_rules_and_games_are_frozen():
    with pytest.raises(FrozenInstanceError):
        RULES["class"].credit = 5
    with pytest.raises(TypeError):
        RULES["mine"] = RULES["class"]
    assert hash(replace(RULES["class"], ends="first_out")) == hash(RULES["class"])


def test_an_illegal_action_says_why_in_one_line():
    t = Table()
    assert t.refusal(Announce(31)) is Reason.CUP_EMPTY
    error = IllegalAction(Reason.CUP_EMPTY, Announce(31))
    assert str(error) == (
        "Announce(value=31) is not possible: the cup is empty, its opener must roll (B-6)"
    )


def test_an_action_of_no_game_is_refused():
    assert illegality(Table().match, "roll") is Reason.NOT_IN_THIS_GAME
    assert Table().refusal(object()) is Reason.NOT_IN_THIS_GAME


FAMILIES = [*("V", "B", "R-CLASS", "R-PHYS", "R-HF"), *("M", "C", "T", "R-MAX", "R-CHI", "S")]


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_cites_a_rule_and_says_a_sentence(reason):
    family, _, number = reason.rule.rpartition("-")
    assert family in FAMILIES
    assert int(number) in range(1, 11)
    assert len(reason.sentence.split()) > 3


def test_no_two_reasons_are_the_same():
    assert len({reason.value for reason in Reason}) == len(Reason.__members__)


def test_actions_and_events_of_different_kinds_are_never_equal():
    assert len({Look(), Believe(), Doubt()}) == 3
    assert Rolled(1, 1) != Looked(1)
    for kinds in (get_args(Action), get_args(Event)):
        for kind in kinds:
            assert not issubclass(kind, tuple)


def test_rules_are_made_from_a_name_and_options():
    assert rule_set("class", {"ends": "last_standing"}).ends == "last_standing"
    with pytest.raises(SetupError, match="unknown game 'chess': choose one of class"):
        rule_set("chess", {})


@pytest.mark.parametrize("game", RULES)
def test_every_game_can_be_played_with_its_default_options(game):
    assert rule_set(game, {}) == RULES[game]
    assert rule_set(**to_plain(RULES[game])) == RULES[game]


@pytest.mark.parametrize(
    ("game", "name", "text"),
    [
        ("chicago", "levelling", "perhaps"),
        ("sevens", "rounds", "three"),
        ("sevens", "rounds", "0"),
        ("holy-family", "points", "21"),
        ("physicist", "stakes", "drinks"),
    ],
)
def test_an_option_that_does_not_fit_is_refused_in_one_line(game, name, text):
    with pytest.raises(SetupError, match=name) as refused:
        rule_set(game, {name: parsed_option(game, name, text)})
    assert "\n" not in str(refused.value)
