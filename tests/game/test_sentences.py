"""Each sentence of the source documents has a setting of a menu, or is named as missing.

Every rule of the families this project plays has a test that carries its id.
"""

import random
import re
import tomllib
from pathlib import Path

import pytest

from game import OPTIONS, RULES, parsed_option, rule_set
from game.record import Record, read, write
from tests.support.rules_table import NAMES, playout

SENTENCES = tomllib.loads(Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8"))
SETTINGS = [(seed, said, how) for seed, all_ in SENTENCES.items() for said, how in all_.items()]
MISSING = 1
"""The number of sentences that nobody can set."""


def rules_of(how):
    table, *pairs = how.split()
    options = dict(pair.split("=") for pair in pairs)
    return rule_set(table, {name: parsed_option(table, name, options[name]) for name in options})


def test_there_are_as_many_sentences_as_the_documents_have():
    assert len(SETTINGS) == 82
    assert sum(how.startswith("missing: ") for _, _, how in SETTINGS) == MISSING


PLAYABLE = sorted({how for _, _, how in SETTINGS if not how.startswith("missing: ")})


@pytest.mark.parametrize("how", PLAYABLE)
def test_each_setting_is_offered_by_a_menu_and_plays(how):
    rules = rules_of(how)
    offered = {option.name: option for option in OPTIONS[rules.game]}
    changed = [name for name in offered if getattr(rules, name) != getattr(RULES[rules.game], name)]
    for name in changed:
        option, value = offered[name], getattr(rules, name)
        assert value in (option.choices or range(option.least, option.greatest + 1))
    names = NAMES[: max(3, rules.fewest_players)]
    actions, match = playout(rules, names, random.Random(how))
    assert match.outcome is not None
    assert read(write(Record(rules, names, 0, tuple(actions)))).rules == rules


RULES_OF = {
    **{"V": 5, "B": 10, "R-CLASS": 10, "R-PHYS": 7, "R-HF": 10},
    **{"M": 3, "C": 2, "T": 5, "R-MAX": 5, "R-CHI": 5, "S": 5},
}
"""How many rules there are of each kind."""


def named_tests():
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        yield from re.findall(r"^def (test_\w+)\(", path.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("kind", RULES_OF)
def test_every_rule_has_a_test_named_after_it(kind):
    names = [name for name in named_tests() if name.startswith(f"test_{kind.replace('-', '_')}_")]
    told = {name.removeprefix(f"test_{kind.replace('-', '_')}_").split("_")[0] for name in names}
    assert told >= {str(number + 1) for number in range(RULES_OF[kind])}
