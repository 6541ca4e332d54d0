"""The naive programs are worth something only if they catch what is wrong."""

import json
import random

import pytest

from game import RULES
from game.record import Record, write
from tests.support.referees import naive_bluff_checker
from tests.support.rules_table import playout

RULE_SET = RULES["class"]
NAMES = ("Ana", "Ben", "Cem")


def lines_of(seed):
    actions, match = playout(RULE_SET, NAMES, random.Random(seed))
    record = Record(RULE_SET, NAMES, 0, tuple(actions))
    return [json.loads(line) for line in write(record).splitlines()], match


@pytest.mark.parametrize("seed", range(20))
def test_a_line_that_is_missing_is_caught(seed):
    lines, match = lines_of(seed)
    removed = random.Random(seed).randrange(1, len(lines))
    verdict = naive_bluff_checker.judge(lines[:removed] + lines[removed + 1 :])
    unchanged = verdict.over and tuple(verdict.paid) == match.tally
    optional = lines[removed]["action"] in ("look", "roll")
    assert verdict.disagreement or not verdict.over or (unchanged and optional)


@pytest.mark.parametrize(
    ("actions", "complaint"),
    [
        ([{"action": "announce", "value": 31}], "nothing can be announced"),
        ([{"action": "roll", "dice": [6, 3]}] * 3, "no roll is due"),
        ([{"action": "roll", "dice": None}], "these are no two dice"),
        ([{"action": "roll", "dice": [7, 1]}], "these are no two dice"),
        ([{"action": "look"}], "no look is due"),
        ([{"action": "lift", "dice": [6, 3]}], "nobody has doubted"),
        ([{"action": "end_match"}], "the match cannot be ended here"),
        ([{"action": "void_round"}], "there is no round to void"),
        ([{"action": "leave", "seat": 3}], "nobody sits there"),
        ([{"action": "stop_match"}, {"action": "look"}], "the match is over"),
        ([{"action": "juggle"}], "unknown to this game"),
    ],
)
def test_the_checker_refuses_what_is_not_in_the_rules(actions, complaint):
    header = lines_of(1)[0][0]
    assert naive_bluff_checker.judge([header, *actions]).disagreement.endswith(complaint)
