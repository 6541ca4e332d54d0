"""Values that only look like an action, a name or an option.

`tests/labs/redteam/core.py` tries more.
"""

import json
from dataclasses import replace

import pytest

from game import (
    RULES,
    IllegalAction,
    Reason,
    SetupError,
    apply,
    illegality,
    new_match,
    view,
)
from game import actions as act
from game.names import is_readable
from game.record import RecordError, read
from tests.labs.redteam.core import attack
from tests.support.rules_table import NAMES, Table


def test_whatever_is_passed_to_the_core_is_refused_or_comes_back_the_same():
    """A bounded run."""
    figures = attack(0, 3)
    assert figures["actions tried"].startswith(("8", "9", "1"))


@pytest.mark.parametrize(
    ("game", "before", "action", "reason"),
    [
        ("class", (), act.Roll((True, 6)), Reason.NOT_WHOLE_NUMBERS),
        ("class", (), act.Roll((1.0, 6)), Reason.NOT_WHOLE_NUMBERS),
        ("class", (), act.Roll(([1], 2)), Reason.NOT_WHOLE_NUMBERS),
        ("class", (), act.Roll((6, 3), 0), Reason.NO_SUCH_TOWER),
        ("holy-family", (), act.Roll((6, 6), 1), Reason.NO_SUCH_TOWER),
        ("class", (act.Roll((6, 3)),), act.Announce(63.0), Reason.NOT_WHOLE_NUMBERS),
        ("class", (act.Roll((6, 3)),), act.Announce([1]), Reason.NOT_WHOLE_NUMBERS),
        ("class", (act.Roll((6, 3)),), act.Announce(63, wrong_way=0), Reason.NO_WRONG_WAY),
        ("physicist", (act.Roll((6, 3)),), act.Announce(63, "air"), Reason.NO_SUCH_FLOURISH),
        ("holy-family", (act.Roll((6, 3)),), act.Say("same"), Reason.NO_WORDS),
        ("holy-family", (act.Roll((6, 3)),), act.Fault("drop", 0), Reason.NO_SUCH_FAULT),
        (
            "holy-family",
            (act.Roll((6, 3)),),
            act.Fault(act.FaultKind.DROP, False),
            Reason.NOT_THE_HOLDER,
        ),
        ("class", (), act.Leave(True), Reason.NOT_AT_THE_TABLE),
        ("class", (), act.Leave(1.0), Reason.NOT_AT_THE_TABLE),
        ("maxen", (), act.Roll((2, 1, 1), tower="6"), Reason.NOT_IN_THIS_GAME),
        ("maxen", (), act.Roll((2, 1, True)), Reason.NOT_WHOLE_NUMBERS),
        ("sevens", (), act.Roll((2, 1, 1, 1, 1, 1), tower=[1]), Reason.NOT_IN_THIS_GAME),
        ("sevens", (), act.Roll([1] * 6), Reason.NOT_WHOLE_NUMBERS),
        ("maxen", (), act.Roll(([1], 2, 3)), Reason.NOT_WHOLE_NUMBERS),
        ("sevens", (), act.Roll((2, 1, 1, 1, 1, 1.0)), Reason.NOT_WHOLE_NUMBERS),
    ],
)
def test_an_action_is_of_its_types(game, before, action, reason):
    t = Table(game=game)
    for each in before:
        t.do(each)
    assert illegality(t.match, action) is reason
    with pytest.raises(IllegalAction):
        apply(t.match, action)


@pytest.mark.parametrize("dice", [([1], 2), (2.0, 1), (True, 2)])
def test_a_lift_shows_dice_of_their_types(dice):
    t = Table().after(act.Roll((2, 1)), act.Announce(65), act.Doubt())
    assert t.refusal(act.Lift(dice)) is Reason.NOT_WHOLE_NUMBERS


@pytest.mark.parametrize("seat", [True, 1.0, "1", [1]])
def test_a_seat_is_a_whole_number(seat):
    with pytest.raises(ValueError, match="there is no seat"):
        view(new_match(RULES["class"], NAMES[:3], 0), seat)


@pytest.mark.parametrize(
    ("game", "option", "value"),
    [
        ("class", "fewest_players", 1),
        ("class", "most_players", 1),
        ("class", "points", False),
        ("physicist", "fewest_players", 2.0),
        ("class", "game", ["class"]),
    ],
)
def test_an_option_is_of_its_type_and_two_play_at_least(game, option, value):
    with pytest.raises(SetupError):
        replace(RULES[game], **{option: value})


def header(**changed):
    rules = {"game": "class", **changed.pop("rules", {})}
    first = {"format": "maexchen-record", "version": 1, "players": ["Ana"], "first": 0}
    return json.dumps({**first, "rules": rules, **changed}) + "\n"


@pytest.mark.parametrize(
    "text",
    [
        header(rules={"fewest_players": 1}) + '{"action": "leave", "seat": 0}\n',
        header(players=["Ana", "Ben", "Cem"], version=True),
        header(players=["Ana", "Ben", "\u2800"]),
        header(players=["Ana", "Ben", ["Cem"]]),
    ],
)
def test_such_a_record_is_refused_in_one_line(text):
    with pytest.raises(RecordError) as refused:
        read(text)
    assert "\n" not in str(refused.value)
    assert refused.value.line == 1


@pytest.mark.parametrize(
    "name",
    ["Ana", "Zoë", "字", "R2", "A B", "\u2764\ufe0f", "\U0001f44d\U0001f3fd",
     "\U0001f469\u200d\U0001f680", "\U0001f468\u200d\U0001f469"],
)  # fmt: skip
def test_a_name_that_shows_something_is_taken(name):
    assert is_readable(name)
    assert new_match(RULES["class"], ("x", name, "y"), 0).players[1] == name


@pytest.mark.parametrize(
    "name",
    ["", " ", "\u3164", "\u2800", "\u0301", "\u115f", "Ana\u3164", "Ana\u200d", "\u200d", "A\n",
     "Ana\ufe0f", "\ufe0f", "\U0001f3fd", "\U0001f469\u200d", "A\u034f", "A \u0301", "\u202eanA",
     "\ud800"],
)  # fmt: skip
def test_a_name_in_which_something_hides_is_refused(name):
    assert not is_readable(name)
    with pytest.raises(SetupError, match="needs a name that can be shown"):
        new_match(RULES["class"], ("x", name, "y"), 0)
