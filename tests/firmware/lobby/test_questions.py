"""The lobby's questions, as values; options, tap by tap through all values back to the first."""

from dataclasses import replace

import pytest

from firmware.display.text.language import ENGLISH, section
from firmware.lobby import choices as to
from firmware.lobby.choices import Company, LobbyStep, TableNearby, changed, option_item
from firmware.lobby.one_handheld import NAMES
from firmware.lobby.questions import LobbyView, question_of
from game import OPTIONS, RULES, TABLES


def test_every_game_has_its_name():
    assert set(section("game_name", ENGLISH)) == set(RULES)
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize(
    ("game", "number"), [(game, at) for game in RULES for at in range(len(OPTIONS[game]))]
)
def test_taps_lead_through_every_value_and_round(game, number):
    option, rules = OPTIONS[game][number], RULES[game]
    if option.name in ("free_doubt", "mexican") and game == "class":
        rules = replace(rules, stakes="drinks")  # they contradict matches
    seen = []
    for _ in range(24):
        value = getattr(rules, option.name)
        assert option_item(value) is not None
        if value in seen:
            break
        seen.append(value)
        rules = changed(rules, number)
    assert seen[0] == option.default
    assert getattr(rules, option.name) == option.default
    if option.choices:
        assert set(seen) == set(option.choices)
    else:
        assert len(seen) > 1


TABLE = TableNearby(bytes(6), bytes(8), "Ana", "maxen", 3)


@pytest.mark.parametrize(
    ("view", "choices"),
    [
        (LobbyView(LobbyStep.NAME), [to.CallMe(name) for name in NAMES]),
        (LobbyView(LobbyStep.TABLES, nearby=(TABLE,)), [to.Join(TABLE)]),
        (LobbyView(LobbyStep.GATHER), []),
        (
            LobbyView(LobbyStep.PLAYERS, "Ana", RULES["physicist"], Company.AROUND, (), NAMES[:3]),
            [to.GoTo(LobbyStep.FIRST), *map(to.AddPlayer, NAMES[3:])],
        ),
        (
            LobbyView(LobbyStep.PLAYERS, "Ana", RULES["class"], Company.AROUND, (), NAMES[:8]),
            [to.GoTo(LobbyStep.FIRST)],
        ),
        (
            LobbyView(LobbyStep.FIRST, company=Company.PRACTICE, players=("Ana", "Ben")),
            [to.OpensRound(None), to.OpensRound(0), to.OpensRound(1)],
        ),
        (LobbyView(LobbyStep.GAME), [to.Game(table) for table in TABLES]),
    ],
    ids=lambda value: value.step.name if isinstance(value, LobbyView) else "",
)
def test_what_is_asked_offers_choices_that_are_values(view, choices):
    assert [answer.choice for answer in question_of(view).right] == choices


@pytest.mark.parametrize(("game", "offered"), [("class", True), ("physicist", False)])
def test_a_handicap_is_offered_where_there_is_something_to_start_with(game, offered):
    view = LobbyView(
        LobbyStep.FIRST, rules=RULES[game], company=Company.AROUND, players=NAMES[:3], place=-2
    )
    asked = question_of(view)
    assert (to.GoTo(LobbyStep.HANDICAP) in [each.choice for each in asked.left]) is offered
    assert (asked.about is not None) is offered
