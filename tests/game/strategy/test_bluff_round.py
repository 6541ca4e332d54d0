"""A solved round of a bluff game: nothing can be gained against it, by the rules' own account."""

from dataclasses import replace

import pytest
from scipy.optimize import linprog

from game import RULES, legal_actions, new_match
from game.actions import Believe
from game.bluff.values import RANKING
from game.strategy import BestResponse, Equilibrium, Round, Stakes
from game.strategy.signal import CHANCES, PLACES, TOP

CLASS = replace(RULES["class"], fewest_players=2)
PHYSICIST, HOLY_FAMILY = RULES["physicist"], RULES["holy-family"]
VARIANTS = {
    "class": CLASS,
    "class, understating is a lie": replace(CLASS, understating="lie"),
    "class, one roll": replace(CLASS, rolls=1),
    "class, two looks": replace(CLASS, looks=2),
    "class, three rolls": replace(CLASS, rolls=3),
    "class, three rolls and two looks": replace(CLASS, rolls=3, looks=2),
    "physicist": PHYSICIST,
    "holy-family": HOLY_FAMILY,
    "holy-family, many towers": replace(HOLY_FAMILY, tower_one_in=2),
}
NAMES = ("Ana", "Ben")
CLOSE = 1e-9


def gained(seat):
    """What a round has brought the seat, in what penalties cost."""
    return lambda match: float(match.tally[1 - seat] - match.tally[seat])


def best(rules, seat):
    return BestResponse(Equilibrium(Round(rules)), seat, gained(seat))


@pytest.mark.parametrize("rules", [CLASS, PHYSICIST], ids=["class", "physicist"])
def test_nobody_gains_against_the_equilibrium(rules):
    worth, start = Round(rules).worth, new_match(rules, NAMES, 0)
    assert best(rules, 0).worth(start) == pytest.approx(worth, abs=CLOSE)
    assert best(rules, 1).worth(start) == pytest.approx(-worth, abs=CLOSE)


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)
def test_nobody_gains_once_much_stands(rules):
    value = 21 if rules.game == "holy-family" else 44
    start, fresh = new_match(rules, NAMES, 0), Round(rules).fresh[0][RANKING.index(value)]
    assert best(rules, 1).worth_over(start, value) == pytest.approx(fresh, abs=CLOSE)
    assert best(rules, 0).worth_over(start, value) == pytest.approx(-fresh, abs=CLOSE)


@pytest.mark.soak
@pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)
def test_nobody_gains_in_any_variant(rules):
    worth, start = Round(rules).worth, new_match(rules, NAMES, 0)
    assert best(rules, 0).worth(start) == pytest.approx(worth, abs=CLOSE)
    assert best(rules, 1).worth(start) == pytest.approx(-worth, abs=CLOSE)


def test_what_is_at_stake_may_differ_between_the_players():
    stakes = Stakes((-0.3, -0.5), (0.2, 0.9))
    solved = Round(HOLY_FAMILY, stakes)
    start, value = new_match(HOLY_FAMILY, NAMES, 0), 21

    def ends(seat):
        own, others = stakes if seat == 0 else stakes.turned()
        return lambda m: own[m.tally[seat] - 1] if m.tally[seat] else others[m.tally[1 - seat] - 1]

    for seat in (0, 1):
        response = BestResponse(Equilibrium(solved), seat, ends(seat))
        believer = solved.fresh[1][RANKING.index(value)]
        worth = believer if seat == 1 else -believer
        assert response.worth_over(start, value) == pytest.approx(worth, abs=CLOSE)


def test_a_bad_answer_can_be_exploited():
    """The best response finds what somebody gives away who never doubts."""
    solved = Round(CLASS)
    fair = Equilibrium(solved)

    def trusting(known):
        legal = legal_actions(known.match)
        return {Believe(): 1.0} if Believe() in legal else fair(known)

    start, value = new_match(CLASS, NAMES, 0), 55
    worth = BestResponse(trusting, 1, gained(1)).worth_over(start, value)
    assert worth > solved.fresh[0][RANKING.index(value)] + 0.1


def by_program(rules, solved, stands):
    """What a stage is worth to its roller by linear programming, handing on unrolled included."""
    nothing, phys = stands is None, rules.game == "physicist"
    stays = phys and stands == TOP
    places = range(0 if nothing else stands if stays else stands + 1, PLACES)
    fresh = solved.fresh[0]
    turn = solved.turn(0, PLACES if nothing else stands)
    outside = max(turn.outside[0], -2.0)
    share = {(r, b): i for i, (r, b) in enumerate((r, b) for r in range(PLACES) for b in places)}
    besides = {r: len(share) + r for r in range(PLACES)}
    gets = {b: len(share) + PLACES + i for i, b in enumerate(places)}
    size = len(share) + PLACES + len(gets)

    def cost(announced, rolled):
        return 2 if phys and TOP in (announced, rolled) else 1

    def doubted(announced, rolled):
        return cost(announced, rolled if rolled == TOP else 0) * (1 if announced <= rolled else -1)

    bounds_of_answers = []
    for b in places:
        answers = [lambda r, b=b: doubted(b, r), lambda r, b=b: -fresh[b]]
        if rules.game == "class" and b == TOP:
            answers = [lambda r, b=b: doubted(b, r), lambda r: 1.0]
        for c in range(b + 1, PLACES):  # the dice come back as c: doubted, or rolled over
            answers.append(lambda r, c=c: max(-doubted(c, r), fresh[c]))
        for pays in answers:
            row = [0.0] * size
            row[gets[b]] = 1.0
            for r in range(PLACES):
                row[share[r, b]] = -pays(r)
            bounds_of_answers.append(row)
    goal = [0.0] * size
    for i in gets.values():
        goal[i] = -1.0
    whole = []
    for r in range(PLACES):
        goal[besides[r]] = -outside
        row = [0.0] * size
        row[besides[r]] = 1.0
        for b in places:
            row[share[r, b]] = 1.0
        whole.append(row)
    limits = [(0, None)] * (len(share) + PLACES) + [(None, None)] * len(gets)
    found = linprog(
        goal,
        A_ub=bounds_of_answers,
        b_ub=[0.0] * len(bounds_of_answers),
        A_eq=whole,
        b_eq=CHANCES,
        bounds=limits,
    )
    return -found.fun


@pytest.mark.parametrize("rules", [CLASS, PHYSICIST], ids=["class", "physicist"])
@pytest.mark.parametrize("stands", [None, RANKING.index(61), RANKING.index(55)])
def test_a_linear_program_agrees(rules, stands):
    solved = Round(rules)
    worth = solved.worth if stands is None else solved.fresh[0][stands]
    assert by_program(rules, solved, stands) == pytest.approx(worth, abs=CLOSE)
