"""The rules in words: complete, and citing the rules they tell."""

import pytest

from firmware.display.text.language import ENGLISH, LANGUAGES, section
from firmware.display.text.rulebook import GAME_TEXTS, rules_of
from game import OPTIONS, RULES, rule_set

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
    assert set(GAME_TEXTS) == set(section("game", ENGLISH)) == set(RULES)
    options = {option.name for game in RULES for option in OPTIONS[game]}
    assert set(section("option", ENGLISH)) == options


@pytest.mark.parametrize("game", RULES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_usual_rules_are_told_in_the_usual_words(game, language):
    usual = [rule.text(language) for rule in GAME_TEXTS[game].rules]
    assert [rule.text(language) for rule in rules_of(RULES[game])] == usual


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_of_an_option_changes_what_is_told(language):
    needs = {"looks": {"rolls": 4}, "rolls": {"looks": 1}, "free_doubt": {"stakes": "drinks"}}
    for game, options in OPTIONS.items():
        for option in options:
            asked = needs.get(option.name, {})
            if (option.name, game) == ("mexican", "class"):
                asked = {"stakes": "drinks"}
            texts = set()
            values = option.choices or range(option.least, min(option.greatest or 9, 4) + 1)
            for value in values:
                rules = rule_set(game, {option.name: value, **asked})
                told = [rule.text(language) for rule in rules_of(rules)]
                assert all(text.endswith((".", "”.", "“.")) for text in told), told
                assert len(told) == len(set(told))
                texts.add(tuple(told))
            assert len(texts) == len(values), option.name


def test_the_rules_of_a_preset_contradict_none_of_its_options():
    told = " ".join(rule.text(ENGLISH) for rule in rules_of(rule_set("wikipedia", {})))
    for said in ("Everybody has 6 sticks", "A player without any is out", "You throw once"):
        assert said in told
    for other in ("swims", "throw twice", "may show it", "may admit", "drink", "three sticks"):
        assert other not in told
    told = " ".join(rule.text(ENGLISH) for rule in rules_of(rule_set("mexican", {})))
    assert "31 cost everybody one" in told
    assert "Everybody has" not in told


def test_no_piece_of_the_rules_is_left_out():
    told = {rule.key for texts in GAME_TEXTS.values() for rule in texts.rules}
    assert told == {f"rule.{piece}" for piece in section("rule", ENGLISH)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_is_said_in_whole_sentences(language):
    sentences = [
        text for name in ("game", "option", "rule") for text in section(name, language).values()
    ]
    assert [each for each in sentences if not each.endswith((".", "”.", "?", "…"))] == []
