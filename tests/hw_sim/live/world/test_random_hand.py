"""No match stands, whatever a hand does to its handheld."""

import pytest

from firmware.display.text.language import LANGUAGES
from game import RULES
from tests.support.random_hand import SHORT, WHIMS, played

LANGUAGES = LANGUAGES


@pytest.mark.whole
def test_a_match_ends_whatever_a_hand_does(tmp_path):
    played(tmp_path, "sevens", 3)


def test_who_only_does_what_is_lit_comes_to_the_end(tmp_path):
    assert played(tmp_path, "sevens", 5, players=2, whims=0) < 600


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("whims", [0, WHIMS])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", ["few", "four"])
@pytest.mark.parametrize("game", RULES)
def test_every_match_ends_whatever_a_hand_does(tmp_path, game, players, language, whims, seed):
    assert set(SHORT) == set(RULES)
    few = 3 if game == "class" else 2
    played(tmp_path, game, seed, few if players == "few" else 4, language, whims)
