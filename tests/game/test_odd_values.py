"""Values that only look like an action, a name or an option.

`tests/labs/redteam/core.py` tries more.

Invisible signs stand in names only where a reader sees what they do. Nobody changes a step.
"""

from copy import copy
from dataclasses import FrozenInstanceError
from pickle import dumps, loads

import pytest

from firmware.display.oled.font import BOLD, load
from game import RULES, IllegalAction, Reason, SetupError, apply, illegality, new_match, view
from game import actions as act
from game.actions import Roll
from game.names import (
    BadNameError,
    NameFault,
    are_alike,
    check_name,
    clusters,
    fitting,
    is_readable,
    name_of,
)
from tests.labs.redteam.core import attack
from tests.support.rules_table import NAMES, Table


def test_whatever_is_passed_to_the_core_is_refused_or_comes_back_the_same():
    """A bounded run."""
    figures = attack(0, 3)
    assert figures["actions"] == 800 > figures["actions taken"] > 0


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


@pytest.mark.parametrize("seat", [True, 1.0, "1", [1], 3, -1])
@pytest.mark.parametrize("game", RULES)
def test_a_seat_is_a_whole_number(game, seat):
    with pytest.raises(ValueError, match=r"there is no seat .* at a table of 3"):
        view(new_match(RULES[game], NAMES[:3], 0), seat)


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


JOINED = {
    "علی\u200cرضا": 6,  # Persian: the third letter keeps the shape that ends a word
    "می\u200cنا": 4,
    "ශ්\u200dරී": 1,  # Sinhala: two consonants are drawn as one
    "অর্\u200cঘ": 3,  # Bengali: the sign under the second letter is shown
    "क्\u200dष": 1,
    "👩\u200d🚀": 1,
    "❤️\u200d🔥": 1,
    "👩🏽\u200d🚀": 1,
}
"""Names with a joiner or a non-joiner, and how many letters or pictures each has."""


@pytest.mark.parametrize("name", JOINED)
def test_a_sign_that_shapes_its_neighbours_belongs_to_a_name(name):
    assert name_of(name) == fitting(name) == name
    assert len(clusters(name)) == JOINED[name]
    assert load(BOLD).width(name) > 0


@pytest.mark.parametrize("name", JOINED)
def test_a_name_without_the_sign_looks_the_same(name):
    assert are_alike(name, name.replace("\u200d", "").replace("\u200c", ""))


@pytest.mark.parametrize(
    "name",
    [
        *("A\u200cna", "علی\u200c", "\u200cعلی", "علی \u200cرضا", "رضا\u200cعلی", "ا\u200cب"),
        *("A\u200dB", "علی\u200dرضا", "ශ්\u200d", "ශ\u200dරී", "👩\u200dA", "1\u200c2"),
    ],
)
def test_a_sign_without_an_effect_hides_in_no_name(name):
    with pytest.raises(BadNameError) as refused:
        name_of(name)
    assert refused.value.fault is NameFault.HIDDEN


@pytest.mark.parametrize("typed", [" Ana", "Ana ", "A  B", "Zoe\u0308"])
def test_a_frame_has_names_as_they_are_shown(typed):
    check_name(name_of(typed))
    with pytest.raises(BadNameError) as caught:
        check_name(typed)
    assert (caught.value.fault, caught.value.fits) == (NameFault.UNTIDY, name_of(typed))


START = new_match(RULES["class"], ("Ana", "Ben", "Cem"), 0)
STEP = apply(START, Roll((3, 1)))


def test_equal_steps_are_equal_and_others_are_not():
    same = apply(START, Roll((3, 1)))
    assert STEP == same == copy(STEP) == loads(dumps(STEP))
    assert len({STEP, same}) == 1
    assert apply(START, Roll((3, 2))) != STEP
    assert (STEP.match, STEP.events) != STEP
    assert repr(STEP) == f"Step({STEP.match!r}, {STEP.events!r})"


@pytest.mark.parametrize(
    ("value", "name"),
    [*((STEP, each) for each in ("match", "events", "_told", "new")), (START, "turn")],
)
def test_nothing_of_a_step_or_a_match_can_be_assigned_or_deleted(value, name):
    with pytest.raises(FrozenInstanceError, match=f"{name} stays as it is"):
        setattr(value, name, None)
    with pytest.raises(FrozenInstanceError, match=f"{name} stays as it is"):
        delattr(value, name)
