"""The best response finds what a strategy gives away, and plays by the rules alone."""

from dataclasses import replace

import pytest

from game import RULES, IllegalAction, legal_actions, new_match
from game.actions import Believe, Doubt
from game.bluff.rules import RANKING
from game.strategy import Equilibrium, Round
from hw_sim.trials.strength.measure import gained
from hw_sim.trials.strength.response import BestResponse

CLASS, NAMES = replace(RULES["class"], fewest_players=2), ("Ana", "Ben")


def test_a_bad_answer_can_be_exploited():
    """The best response finds what somebody gives away who never doubts."""
    solved = Round(CLASS)
    fair = Equilibrium(solved)

    def trusting(known):
        legal = legal_actions(known.match)
        return {Believe(): 1.0} if Believe() in legal else fair(known)

    start, value = new_match(CLASS, NAMES, 0), 55
    worth = BestResponse(trusting, 1, gained(1)).worth_over(start, value)
    assert worth > solved.believed(0, RANKING.index(value))[0] + 0.1


def test_a_strategy_that_does_what_the_rules_forbid_is_refused():
    response = BestResponse(lambda known: {Doubt(): 1.0}, 0, gained(0))
    with pytest.raises(IllegalAction):
        response.worth_over(new_match(CLASS, NAMES, 0), 66)
