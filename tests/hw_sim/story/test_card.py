"""The card of a match: who lied, who was caught, the longest chain."""

from random import Random
from xml.etree import ElementTree

import pytest

from firmware.display.text.language import LANGUAGES
from game import RULES, apply, new_match
from game.actions import Announce, Believe, Doubt, Lift, Look, Roll
from game.record import Record
from hw_sim.story.card import WIDE, Card, card, moments_of, svg
from tests.support.rules_table import playout

NAMES = ("<b>Ana", "Ben", "Cem")
CAUGHT = (
    Roll((3, 1)), Look(), Announce(62), Believe(), Roll((6, 3)), Look(), Announce(63), Doubt(),
    Lift(), Roll((4, 1)), Announce(65), Doubt(), Lift(),
)  # fmt: skip


def test_a_card_counts_lies_that_nobody_saw_and_those_that_were_caught():
    told = card(Record(RULES["class"], NAMES, 0, CAUGHT), "en")
    assert told.rows == (
        ("<b>Ana", (1, 0, 1, 1)),
        ("Ben", (0, 0, 0, 0)),
        ("Cem", (1, 1, 1, 0)),
    )
    assert told.facts == (
        "Lied most: <b>Ana, Cem (1×)",
        "Longest chain: 2 announcements in round 1, up to 63",
    )
    assert told.title == "Nobody loses"


def test_a_card_of_a_party_tells_nothing_of_lies_that_nobody_found_out():
    told = card(Record(RULES["class"], NAMES, 0, CAUGHT), "en", lies_are_told=False)
    assert told.head == ("caught", "doubted", "rightly")
    assert told.rows == (("<b>Ana", (0, 1, 1)), ("Ben", (0, 0, 0)), ("Cem", (1, 1, 0)))
    assert told.facts == ("Longest chain: 2 announcements in round 1, up to 63",)


@pytest.mark.parametrize("game", RULES)
def test_every_game_has_a_card_that_is_a_picture(game):
    actions, _ = playout(RULES[game], NAMES, Random(1))
    for language in LANGUAGES:
        told = card(Record(RULES[game], NAMES, 0, tuple(actions)), language)
        texts = ["".join(each.itertext()) for each in ElementTree.fromstring(svg(told)).iter()]
        assert {told.title, *told.head, *told.facts, *NAMES} <= set(texts)
        assert all(len(numbers) == len(told.head) for _, numbers in told.rows)


def test_long_names_stay_on_the_card():
    rows = tuple((name, (0,) * 4) for name in ("Maximiliane", "Wolfgang Am.", "Hannelore W."))
    names = ", ".join(name for name, _ in rows)
    told = Card("Physiker-Meiern", f"{names} verlieren", ("",) * 4, rows, (f"{names} (12×)",) * 2)
    texts = [each for each in ElementTree.fromstring(svg(told)).iter() if each.text]
    for each in texts:
        ends = float(each.get("x")) + 0.6 * float(each.get("font-size")) * len(each.text)
        assert each.get("text-anchor") == "end" or ends < WIDE - 20, each.text


def test_all_look_up_for_lifted_cups_and_for_who_swims_or_goes_out():
    match, seen = new_match(RULES["class"], NAMES, 0), []
    round_ = (Roll((3, 1)), Announce(62), Doubt(), Lift())
    while match.outcome is None:
        for action in round_:
            step = apply(match, action)
            match = step.match
            seen += moments_of(step)
    assert all(moment.lied and moment.dice == (3, 1) for moment in seen)
    swam = [moment.swims for moment in seen if moment.swims]
    assert [moment.payers for moment in seen if moment.out] == [seen[-1].out]
    assert seen[-1].out in swam
