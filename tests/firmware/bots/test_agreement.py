"""Players by the book, hints and the coach: one book and one belief, whatever the others do."""

from dataclasses import replace
from math import fsum
from random import Random

import pytest

from firmware.bots.arena import Arena, filled
from firmware.bots.expert import Expert
from firmware.bots.hint import hint
from game import RULES, laid_open, legal_actions
from game.actions import Announce, Believe, Doubt, Roll, Say
from game.coach import analyse
from game.record import Record

NAMES = ("Ana", "Ben", "Cem", "Dora")
EXPERT = Expert(trust=0.2, daring=0.5, lazy=0.0)
CLASS = replace(RULES["class"], fewest_players=2)


def played(rules, players, seed, wild, most_rounds):
    """Play by the book, or any legal action with chance ``wild``; return the record and hints."""
    rng, arena, hints = Random(seed), Arena(rules, NAMES[:players]), {}
    actions = []
    while (seat := arena.match.to_act) is not None and arena.match.round <= most_rounds:
        match = arena.match
        done = EXPERT.decide(arena.sight(), rng)
        if wild:
            hints[len(actions) + 2] = hint(
                Record(rules, match.players, 0, tuple(actions)), seat
            ).ways
            ways = [a for a in legal_actions(match) if not isinstance(a, Say) and is_plain(a)]
            done = rng.choice(ways) if rng.random() < wild else done
        actions.append(laid_open(match, filled(match, done, rng)))
        arena.act(actions[-1])
    return Record(rules, arena.match.players, 0, tuple(actions)), hints


def is_plain(action):
    return not isinstance(action, Announce) or action == Announce(action.value)


@pytest.mark.parametrize(
    ("rules", "unit", "caveat"),
    [
        (RULES["class"], "chance", None),
        (replace(RULES["class"], ends="last_standing"), "chance", "BY_LOT"),
        (RULES["physicist"], "penalties", "NO_SCORE"),
        (replace(RULES["holy-family"], losers=2, points=3), "chance", "BY_LOT"),
    ],
    ids=["class", "last standing", "physicist", "holy-family"],
)
def test_four_experts_are_charged_next_to_nothing_and_what_they_play_for_is_named(
    rules, unit, caveat
):
    told = analyse(played(rules, 4, 1, wild=0.0, most_rounds=12)[0])
    assert (told.unit, told.model.caveat) == (unit, caveat)
    assert max(judged.cost for judged in told.decisions) < told.model.precision
    assert fsum(account.skill for account in told.accounts) / 4 > -0.02
    assert min(judged.share for judged in told.decisions) > 0


@pytest.mark.parametrize("rules", [CLASS, RULES["physicist"]], ids=["class", "physicist"])
def test_no_choice_is_better_than_a_certain_hint_whatever_was_played(rules):
    compared = 0
    for seed in range(4):
        record, hints = played(rules, 2, seed, wild=0.4, most_rounds=3)
        for judged in analyse(record).decisions:
            for way, share in hints[judged.line].items():
                if share > 0.5 and way in judged.chances:
                    better = max(judged.chances.values()) - judged.chances[way]
                    assert better < 1e-6, (seed, judged.line, way, judged.chances)
                    compared += 1
    assert compared > 30


def test_an_announcement_that_the_book_never_makes_is_taken_at_its_word():
    """Over a 31 that stands nobody hands the dice on: that would be doubted."""
    say = (Roll((3, 1)), Announce(31), Believe(), Roll((5, 4)))
    rolled = analyse(Record(RULES["physicist"], NAMES[:2], 0, say)).decisions[-1]
    assert rolled.cost == 0
    assert rolled.chances[Announce(32)] < rolled.chances[Roll()]
    three = analyse(Record(RULES["class"], NAMES[:3], 0, (Roll((5, 3)), Announce(53), Believe())))
    believes = three.decisions[-1]
    assert believes.cost == 0 < believes.share
    assert believes.chances[Doubt()] < believes.chances[Believe()]
