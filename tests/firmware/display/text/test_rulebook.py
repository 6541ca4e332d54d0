"""The rules in words: complete, citing the rules they tell, and true for every sheet."""

import random

import pytest

from firmware.display.text.language import ENGLISH, LANGUAGES, section
from firmware.display.text.rulebook import rules_of
from game import OPTIONS, RULES, TABLES, rule_set
from tests.support.rules_table import drawn

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


PLAYED = {"class": {"stakes": "drinks"}, "chicago": {"levelling": True}}
"""Options without which a rule of the game is not played."""


@pytest.mark.parametrize("game", TOLD)
def test_every_rule_of_a_game_is_told_and_no_other(game):
    due = {f"{kind}-{n}" for kind, most in TOLD[game].items() for n in range(1, most + 1)}
    due |= {"B-10"}
    sheets = (RULES[game], rule_set(game, PLAYED.get(game, {})))
    told = [rule for rules in sheets for piece in rules_of(rules) for rule in piece.ids]
    assert set(told) == due - ELSEWHERE.get(game, set())


def test_every_game_and_every_option_has_its_words():
    assert set(section("game", ENGLISH)) == set(RULES)
    options = {option.name for game in RULES for option in OPTIONS[game]}
    assert set(section("option", ENGLISH)) == options


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


MOST_DRAWN = 5000
SHEETS = (
    rule_set("class", {"stakes": "drinks", "free_doubt": True, "maexchen_false": 2}),
    *(drawn(random.Random(seed), TABLES) for seed in range(300)),
)
HIGHER, MUST_THROW = "Every announcement must be higher", "Over a Mäxchen he must throw"
NEVER_BESIDE = {
    "drinks": (
        lambda r: r.stakes == "drinks",
        ("If he is out", " is out", "swims", "sticks", "until one is left"),
    ),
    "sticks": (lambda r: r.stakes == "matches", ("drink", "nobody goes out")),
    "nobody swims": (lambda r: r.stakes == "matches" and not r.swim, ("swim",)),
    "the first out ends it": (lambda r: r.ends == "first_out" and r.losers < 2, ("If he is out",)),
    "one throw": (lambda r: r.rolls == 1, ("first throw", "look at", "opener throws")),
    "all throws are seen": (lambda r: r.rolls == r.looks, ("no other", "blind", "never at")),
    "equal is enough": (lambda r: r.equal == "any", (HIGHER, "cannot be believed", "Nobody can")),
    "equal goes on": (lambda r: r.hand_on == "as_high", (HIGHER, MUST_THROW)),
    "nothing equal": (
        lambda r: r.equal == "none",
        (MUST_THROW, "a Mäxchen over", "same value again"),
    ),
    "a value above": (lambda r: r.ranking == "double", (MUST_THROW, "announced Mäxchen cannot")),
    "it turns": (lambda r: r.reverses != "never" or r.mexican, ("runs clockwise",)),
    "another opens": (lambda r: r.opener != "loser", ("penalised player opens",)),
    "a free doubt": (lambda r: r.free_doubt, ("Doubting a true", "A doubted", "only a liar")),
    "an only price": (lambda r: r.maexchen_true == r.maexchen_false, ("no more than any",)),
    "one loses": (lambda r: r.losers == 1, ("Two players lose", "the first sits out")),
    "two lose": (lambda r: r.losers == 2, ("and the match ends",)),
    "no mistakes": (lambda r: not r.faults, ("Moving the dice",)),
    "one coaster": (lambda r: r.coasters == 1, ("takes one", "of them", "Once ", "pile: 1")),
    "no levelling": (lambda r: not r.levelling, ("levelling", "exactly one;")),
    "a choice": (lambda r: r.may_give, ("gives one coaster",)),
    "six dice": (lambda r: not r.seven_dice, ("even dice", "twice")),
    "seven dice": (lambda r: r.seven_dice, ("ix dice", "three times")),
    "one round": (lambda r: r.rounds == 1, ("Rounds", "coaster", "Most")),
}
"""By kind: the sheets that it is about, and what their rules never say."""


@pytest.mark.whole
@pytest.mark.parametrize("kind", NEVER_BESIDE)
def test_the_rules_of_a_sheet_contradict_none_of_its_options(kind):
    is_about, never = NEVER_BESIDE[kind]
    met = 0
    for rules in SHEETS:
        try:
            about = is_about(rules)
        except AttributeError:
            continue
        told = " ".join(rule.text(ENGLISH) for rule in rules_of(rules)) if about else ""
        assert not [said for said in never if said in told], told
        met += about
    assert met


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_of_every_sheet_say_nothing_twice(language):
    for rules in SHEETS:
        told = [rule.text(language) for rule in rules_of(rules)]
        assert all(text.endswith((".", "”.", "“.")) for text in told), told
        sentences = " ".join(told).split(". ")
        assert len(sentences) == len(set(sentences)), told


def test_no_piece_of_the_rules_is_left_out():
    untold = {f"{name}.{key}" for name in ("rule", "told") for key in section(name, ENGLISH)}
    for seed in range(MOST_DRAWN):
        untold -= {rule.key for rule in rules_of(drawn(random.Random(seed), TABLES))}
        if not untold:
            break
    assert untold == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_is_said_in_whole_sentences(language):
    sentences = [
        text for name in ("game", "option", "rule") for text in section(name, language).values()
    ]
    assert [each for each in sentences if not each.endswith((".", "”.", "?", "…"))] == []
