"""The rules in words: complete, in both languages, and citing the rules they tell."""

import pytest

from firmware.display.text.rulebook import GAME_TEXTS
from firmware.display.text.words import LANGUAGES, words
from game import OPTIONS, RULES

BLUFF = {"V": 5, "B": 10}
TOLD = {
    "class": BLUFF | {"R-CLASS": 10},
    "physicist": BLUFF | {"R-PHYS": 7},
    "holy-family": BLUFF | {"R-HF": 10},
    "maxen": {"M": 3, "T": 5, "R-MAX": 5},
    "chicago": {"C": 2, "T": 5, "R-CHI": 5},
    "sevens": {"S": 5},
}
"""How many rules there are of each kind, by the game they belong to."""
ELSEWHERE = {"physicist": {"B-9"}, "holy-family": {"B-8", "B-9"}}
"""Rules that B-8 and B-9 themselves give to other games."""


@pytest.mark.parametrize("game", RULES)
def test_every_rule_of_a_game_is_told_and_no_other(game):
    due = {f"{kind}-{n}" for kind, most in TOLD[game].items() for n in range(1, most + 1)}
    due |= {"B-10"}
    told = [rule for piece in GAME_TEXTS[game].rules for rule in piece.ids]
    assert set(told) == due - ELSEWHERE.get(game, set())


def test_every_game_and_every_option_has_its_words():
    assert set(GAME_TEXTS) == set(RULES)
    for game, texts in GAME_TEXTS.items():
        assert set(texts.options) == {option.name for option in OPTIONS[game]}


@pytest.mark.parametrize("game", RULES)
def test_all_is_said_in_whole_sentences_and_in_both_languages(game):
    texts = GAME_TEXTS[game]
    both = [texts.sentence, *texts.options.values(), *(piece.words for piece in texts.rules)]
    for one in both:
        assert one.de != one.en
        assert all(words(one, language).endswith((".", "”.", "?", "…")) for language in LANGUAGES)
