"""Each choice that is named has its own reason, and none argues for the opposite."""

import re
from itertools import product
from random import Random

import pytest

from firmware.bots.arena import followed
from game import RULES
from game import actions as do
from game.coach import analyse
from game.record import Record
from hw_sim.live.web.coach_pages import advice
from hw_sim.players.bot_kinds import personality_of
from hw_sim.story.judging import with_sight
from hw_sim.story.reasons import open_reason, reason
from hw_sim.training.spots import WRONG, made
from hw_sim.training.told import MADE, SHOWN, question, solution, ways
from tests.support.nights import EACH_GAME

LANGUAGES = ("de", "en", "fr")
NAMES = ("Ana", "Ben", "Cem")
OF_A_HUNDRED = r"(?:of|in|von|sur) 100"


def argued(spot, judged, language):
    """Return the reason for the best choice of a decision; check that it argues for that choice."""
    best = judged.best
    why = reason(judged._replace(action=best), False, spot.unit, language)
    assert why
    found = re.sub(OF_A_HUNDRED, "", why).replace(",", ".")
    numbers = [float(each) for each in re.findall(r"-?\d+(?:\.\d+)?", found)][-2:]
    if judged.thrown is None and isinstance(best, do.Doubt | do.Believe | do.Roll) and numbers[1:]:
        less, more = numbers if spot.unit == "chance" else numbers[::-1]
        assert less <= more if best == do.Doubt() else less >= more, why
    if judged.thrown is not None and (share := re.search(rf"(\d+) (?:\w+ )?{OF_A_HUNDRED}", why)):
        assert (int(share[1]) > 50) == (best != do.Stop()) == why[0].isdigit(), why
    return why.lower()


@pytest.mark.parametrize("game", EACH_GAME)
def test_each_named_choice_has_its_reason_and_none_argues_for_the_opposite(game):
    beside = 0
    for seed in range(8):
        spot = made(game, 3, Random(f"read {seed}"))
        costs = [spot.cost(way) for way in spot.choices]
        assert (min(costs), max(costs) > 0.02, len(question(spot, "de")) >= 2) == (0, True, True)
        judged = with_sight(followed(spot.record), spot.judged)
        named = {each.best: each for each in (judged.caution, judged) if each}
        beside += len(named) - 1
        for way, language in product(spot.choices, LANGUAGES):
            told = solution(spot, way, language)
            *others, better = (argued(spot, each, language) for each in named.values())
            assert [name.endswith(MADE) for name, _ in told.choices].count(True) == 1
            assert len(told.choices) in (min(SHOWN, len(spot.choices)), SHOWN + 1)
            text, done = told.reason.lower(), ways(spot, language)[way].lower()
            assert text[:-1]
            is_right = spot.cost(way) <= WRONG
            assert language != "en" or told.verdict.startswith("Right: ") == is_right
            if not is_right:
                assert all(each in text for each in (*others, better))
                assert text.startswith((done, better)), "that of the player's own choice is first"
    assert beside or game not in ("class", "physicist")


PAID = (do.Roll((3, 1)), do.Look(), do.Announce(66), do.Doubt(), do.Lift((3, 1)))
SAID = (do.Roll((4, 1)), do.Look(), do.Announce(41), do.Believe())
DOUBTED = (do.Roll((6, 6)), do.Look(), do.Announce(66), do.Doubt(), do.Lift((6, 6)))
BEHIND = {
    "de": "selbst wenn Ben für diese Würfel zahlt, verlierst du 63 von 100 Spielen; zahlt Cem, 37",
    "en": "even if Ben pays for these dice, you lose 63 of 100 games; if Cem pays, 37",
    "fr": "même si Ben paie pour ces dés, tu perds 63 fois sur 100\u202f; si Cem paie, 37",
}
PURPOSE = {"en": "your dice on purpose", "de": "mit Absicht weniger", "fr": "exprès moins"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_maexchen_that_is_rolled_again_names_who_pays(language):
    """At 3, 0, 2 the player after the next one has to pay, and the book rolls."""
    actions = (*PAID * 3, *SAID, *DOUBTED, *PAID, *SAID, do.Roll((2, 1)), do.Look())
    record = Record(RULES["class"], NAMES, 0, actions)
    mix = advice(record, 0, language)
    assert " · " in mix, "several choices are named, and the reason is that of the first"
    assert BEHIND[language] in mix
    rolls = analyse(record._replace(actions=(*actions, do.Roll((3, 1))))).decisions[-1]
    assert BEHIND[language] in reason(rolls, False, "chance", language)
    bots = [None, *[personality_of("honest")] * 2]
    assert BEHIND[language] in advice(record, 0, language, bots), "safe beside the best reply"


@pytest.mark.parametrize("language", LANGUAGES)
def test_to_say_less_than_the_dice_has_its_reason(language):
    """The book of three says 64 with sixes: then the third pays four times as often as before."""
    sixes = Record(RULES["class"], NAMES, 0, (do.Roll((6, 6)), do.Look()))
    for value, is_on_purpose in ((64, True), (66, False), (31, False)):
        said = sixes._replace(actions=(*sixes.actions, do.Announce(value)))
        judged = analyse(said).decisions[-1]
        assert (PURPOSE[language] in reason(judged, False, "chance", language)) == is_on_purpose
        assert judged.best == do.Announce(64)
        assert PURPOSE[language] in reason(judged, True, "chance", language)
    assert PURPOSE[language] in advice(sixes, 0, language)


@pytest.mark.parametrize(("dice", "often"), [((2, 1), "more"), ((6, 6), "less")])
def test_less_than_the_dice_is_doubted_more_or_less_often_than_the_truth(dice, often):
    record = Record(RULES["physicist"], NAMES, 0, (do.Roll(dice), do.Look()))
    told = advice(record, 0, "en", [None, *[personality_of("learner")] * 2])
    assert f"doubts it {often} often than the truth" in told


def test_a_peek_a_tower_a_refused_cup_and_a_given_coaster_have_their_reasons():
    seen = (do.Roll((3, 1)), do.Look(), do.Roll((3, 1)))
    looked, rolled = analyse(Record(RULES["holy-family"], NAMES[:2], 0, seen)).decisions
    unseen, shown = rolled._replace(seen=None), rolled._replace(action=do.ShowTower())
    refused, match = rolled._replace(action=do.Refuse()), made("chicago", 3, Random(1)).match()
    told = [
        reason(each, False, "chance", "en") for each in (looked, rolled, unseen, shown, refused)
    ]
    told += [open_reason(match, do.GiveCoaster(to), looked.best, "en") for to in (1, None)]
    starts = ("whoever has peeked", "94 rolls in 100 are better", "nothing is announced yet")
    starts += ("whoever shows a tower", "whoever takes a cup", "then Ben has one", "then everybody")
    assert [each.startswith(start) for each, start in zip(told, starts)] == [True] * len(told)
