"""Options as the lobby changes them: tap by tap through every value, and back to the first."""

import pytest

from firmware.display.text.games import GAME_NAMES
from firmware.display.text.labels import Text
from firmware.lobby.names import NAMES
from firmware.lobby.options import changed, option_item
from game import OPTIONS, RULES


def test_every_game_has_its_name():
    assert set(GAME_NAMES) == set(RULES)
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize(
    ("game", "number"), [(game, at) for game in RULES for at in range(len(OPTIONS[game]))]
)
def test_taps_lead_through_every_value_and_round(game, number):
    option, rules = OPTIONS[game][number], RULES[game]
    seen = []
    for _ in range(12):
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


def test_values_are_said_in_words_or_digits():
    assert option_item(True) is Text.YES
    assert option_item(False) is Text.NO
    assert option_item(7) == "7"
    assert option_item("drinks") is Text.OPTION_DRINKS
