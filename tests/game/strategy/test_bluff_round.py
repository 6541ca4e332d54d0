"""A solved round of a bluff game: nothing can be gained against it, by the rules' own account."""

from dataclasses import replace
from functools import partial
from itertools import product
from math import inf

import pytest

from game import RULES, apply, new_match
from game.actions import Announce, Leave
from game.bluff.rules import PLACE, RANKING
from game.coach.bluff import GAPS
from game.strategy import Equilibrium, Round, Standings, standing_of
from game.strategy.book import of_standing
from game.strategy.ends import results
from game.strategy.signal import CHANCES, PLACES, TOP, SignalTerms, _crossings
from game.strategy.standings import ByLot, ByOpener, FromTable, told
from research.strength.measure import gained
from research.strength.response import BestResponse
from tests.game.strategy.two_players import payers
from tests.support.nights import lengthy, soaked, whole
from tests.support.round_programs import Programs

CLASS = replace(RULES["class"], fewest_players=2)
PHYSICIST, HOLY_FAMILY = RULES["physicist"], RULES["holy-family"]
VARIANTS = {
    **{
        f"class, {rolls} rolls, {looks} looks, understating is {understating}": replace(
            CLASS, rolls=rolls, looks=looks, understating=understating
        )
        for rolls in (1, 2, 3, 4)
        for looks in range(1, rolls + 1)
        for understating in ("no_lie", "lie")
    },
    "physicist": PHYSICIST,
    **{
        f"holy-family, a tower in {each}": replace(HOLY_FAMILY, tower_one_in=each)
        for each in (200, 2, 3, 10, 1000)
    },
}
"""Every combination of options that changes a round of two; of a tower's chances, enough to see
where they lead."""
ALIKE = (
    *((replace(CLASS, **other), CLASS) for other in (
        {"credit": 1}, {"stakes": "drinks"}, {"ends": "last_standing"}, {"most_players": 2},
    )),
    (replace(HOLY_FAMILY, points=1), HOLY_FAMILY),
    (replace(HOLY_FAMILY, losers=2), HOLY_FAMILY),
)  # fmt: skip
"""Options that change nothing while penalties are counted: each pair has one round."""
FEW = {
    "class": CLASS,
    "class, understating is a lie": replace(CLASS, understating="lie"),
    "class, three rolls and two looks": replace(CLASS, rolls=3, looks=2),
    "physicist": PHYSICIST,
    "holy-family": HOLY_FAMILY,
    "holy-family, many towers": replace(HOLY_FAMILY, tower_one_in=2),
}
NAMES = ("Ana", "Ben", "Cem", "Dora", "Emil", "Fea", "Gert", "Hanna")
CLOSE = 1e-9
FEW_PLACES = 1e-7
"""The tolerance if two ways of playing had to be mixed."""
IN_MATCH = 0.005


def best(solved, seat):
    return BestResponse(Equilibrium(solved), seat, gained(seat))


def gap(rules, players):
    """Return the greatest gain of a best response in a round, over all seats."""
    solved, start = Round(rules, players), new_match(rules, NAMES[:players], 0)
    return max(best(solved, s).worth(start) - solved.worths[s] for s in range(players))


@pytest.mark.parametrize("rules", [whole(CLASS), *map(soaked, VARIANTS.values())])
def test_nobody_gains_against_the_equilibrium(rules):
    assert gap(rules, 2) == pytest.approx(0, abs=CLOSE)


@pytest.mark.parametrize("rules", lengthy(FEW.values(), CLASS, PHYSICIST), ids=FEW)
def test_nobody_gains_once_much_stands(rules):
    value = 21 if rules.game == "holy-family" else 44
    solved, start = Round(rules), new_match(rules, NAMES[:2], 0)
    fresh = solved.believed(0, RANKING.index(value))[0]
    assert best(solved, 1).worth_over(start, value) == pytest.approx(fresh, abs=CLOSE)
    assert best(solved, 0).worth_over(start, value) == pytest.approx(-fresh, abs=CLOSE)


@pytest.mark.soak
@pytest.mark.parametrize("players", range(3, 9))
@pytest.mark.parametrize("game", ["class", "physicist", "holy-family"])
def test_nobody_gains_more_than_is_said_among_more(game, players):
    found = gap(RULES[game], players)
    print(f"{game}, {players} players: the best response gains {found:.1e} penalties a round")
    assert found < GAPS[game] + CLOSE


@pytest.mark.parametrize(("rules", "usual"), ALIKE)
def test_other_options_leave_a_round_alone(rules, usual):
    assert Round(rules).turns == Round(usual).turns


@pytest.mark.whole
def test_nobody_gains_among_three_either():
    solved, start = Round(CLASS, 3), new_match(CLASS, NAMES[:3], 0)
    assert best(solved, 0).worth(start) == pytest.approx(solved.worths[0], abs=CLOSE)
    assert sum(solved.worths) == pytest.approx(0, abs=CLOSE)


UNEQUAL = (
    {(0, 1): -0.3, (0, 2): -0.5, (1, 1): 0.2, (1, 2): 0.9},
    {(0, 1): 0.14, (0, 2): -1.0, (1, 1): 1.0, (1, 2): 1.0},  # as 8 points to 9
    {(0, 1): -0.2, (0, 2): -0.9, (1, 1): 0.3, (1, 2): 0.4},
)
"""The worth to the opener of two if the opener or the other player pays 1 or 2."""


def worth_of(paid):
    """Return the worth of a round's end to a seat, if the first one opened."""

    def ends(match, seat):
        payer = 0 if match.tally[0] else 1
        worth = paid[payer, match.tally[payer]]
        return -worth if seat else worth

    return ends


@pytest.mark.parametrize("paid", [soaked(UNEQUAL[0]), UNEQUAL[1], soaked(UNEQUAL[2])])
def test_what_is_at_stake_may_differ_between_the_players(paid):
    """A Mäxchen may then be worth more as a pair of sixes, which then may be handed on as one."""
    solved = Round(HOLY_FAMILY, 2, lambda payer, cost, _: (paid[payer, cost], -paid[payer, cost]))
    start, value = new_match(HOLY_FAMILY, NAMES[:2], 0), 55
    for seat in (0, 1):
        end = partial(worth_of(paid), seat=seat)
        response = BestResponse(Equilibrium(solved), seat, end)
        worth = solved.believed(1, RANKING.index(value))[(seat - 1) % 2]
        assert response.worth_over(start, value) == pytest.approx(worth, abs=CLOSE)


@pytest.mark.soak
@pytest.mark.parametrize("paid", UNEQUAL)
def test_linear_programs_agree_where_stakes_differ(paid):
    solved = Round(HOLY_FAMILY, 2, lambda payer, cost, _: (paid[payer, cost], -paid[payer, cost]))
    for worths in by_programs(HOLY_FAMILY, 33, ends=worth_of(paid)):
        assert worths == pytest.approx(by_solver(solved, worths, 1), abs=CLOSE)


def in_match(standings, standing, seat):
    """Return the gain of the best response in the round of a standing, in chances not to lose."""
    solved, ends = standings.round(standing), standings.ends(standing)
    start = new_match(standings.rules, NAMES[: len(standing[0])], 0)

    def end(match):
        payer = next(s for s, paid in enumerate(match.tally) if paid)
        return ends(payer, match.tally[payer], match.direction < 0)[seat]

    response = BestResponse(Equilibrium(solved), seat, end)
    return response.worth(start) - solved.worths[seat]


def test_a_round_may_not_be_asked_from_within_its_own_solving():
    solved = Round(CLASS, 2, lambda payer, cost, turned: solved.worths, at_once=False)
    with pytest.raises(ValueError, match="generator already executing"):
        solved.solve()


def test_an_error_in_the_solving_of_a_round_comes_to_everybody_who_asks_until_it_is_gone():
    """Each of the asks gets one error; the ends before it are known by then."""
    paid, errors = UNEQUAL[0], ["first", "second"]

    def ends(payer, cost, _):
        if payer == 1 and errors:
            raise MemoryError(errors.pop(0))
        return paid[payer, cost], -paid[payer, cost]

    solved = Round(HOLY_FAMILY, 2, ends, at_once=False)
    for error in errors.copy():
        with pytest.raises(MemoryError, match=error):
            solved.solve()
    solved.solve()
    assert solved.turns == Round(HOLY_FAMILY, 2, ends).turns


@pytest.mark.whole
@pytest.mark.parametrize("rules", [CLASS, replace(CLASS, ends="last_standing")])
def test_a_match_is_solved_backwards_from_its_last_rounds(rules):
    standings = Standings(rules)
    assert sum(standings.round(((0, 0, 0), 0)).worths) == pytest.approx(
        2 if rules.ends == "first_out" else 1
    )


@pytest.mark.parametrize("tallies", [soaked((0, 0, 0)), whole((3, 3, 2))])
def test_three_gain_little_by_announcing_less_or_by_handing_dice_on(tallies):
    standings = FromTable(CLASS, told(CLASS, 3))
    assert max(in_match(standings, (tallies, 0), seat) for seat in range(3)) < 0.001


def test_three_announce_less_than_they_have_as_long_as_the_cup_is_not_handed_on():
    """A best response without that limit gained 0.013 from the last seat."""
    solved = of_standing(CLASS, ((0, 0, 0), 0)).solved
    stage, rooms = solved.turn(0, PLACE[53]).rolls[0], solved._told[0][4]
    lesser = 0
    for name in range(PLACE[54], TOP):
        told_as = [dict(names).get(name, 0.0) * c for names, c in zip(stage.truths, CHANCES)]
        above = sum(told_as[name + 1 :])
        lesser += above > 0
        assert rooms[name] == inf or above <= rooms[name] * told_as[name] + CLOSE
    assert lesser


@pytest.mark.whole
def test_the_chances_of_a_match_of_points_add_up():
    last = Standings(HOLY_FAMILY).round(((9, 9), 0))
    assert sum(last.worths) == pytest.approx(1)
    assert in_match(Standings(CLASS), ((3, 2), 0), 1) < CLOSE
    two_lose = Standings(replace(HOLY_FAMILY, losers=2, points=1)).round(((0, 0, 0), 0))
    assert sum(two_lose.worths) == pytest.approx(1)


def test_a_match_without_an_end_is_played_for_penalties_by_who_is_left():
    assert Standings(PHYSICIST).round(((5, 1), 0)).worths == Round(PHYSICIST).worths
    assert standing_of(apply(new_match(CLASS, NAMES[:3], 1), Leave(1)).match) == ((0, 0), 0)


def test_where_nothing_reproduces_itself_two_ways_are_mixed():
    """Among eight, over 64: whether to roll again depends on how often others do."""
    solved = Round(HOLY_FAMILY, 8)
    turn = solved.turn(0, PLACE[64])
    stage = turn.rolls[1]
    place, share = next(names[0] for names in stage.truths if names and names[0][1] < 1)
    assert 0 < share < 1
    doubted, believed = solved.prices.paid(0, 1, 1)[0], solved.believed(1, place)[-1]
    told = believed + stage.doubts[place] * (doubted - believed)
    assert told == pytest.approx(turn.outside[1], abs=FEW_PLACES)


def test_two_ways_are_mixed_alike_over_all_low_values():
    """Among seven, a tie over a low value lies where it lay over those above."""
    solved = Round(HOLY_FAMILY, 7)
    above, *low = [solved.turn(0, place) for place in range(PLACE[63], -1, -1)]
    for turn in low:
        assert turn.worths == pytest.approx(above.worths, abs=CLOSE)
        assert turn.outside == pytest.approx(above.outside, abs=CLOSE)
        assert turn.rolls[1].truths[PLACE[65]] == above.rolls[1].truths[PLACE[65]]


def test_a_round_is_solved_by_what_is_told_of_those_that_follow():
    standing, solved = ((1, 2, 3), 0), Standings(CLASS)
    told = FromTable(CLASS, solved.worths)
    assert told.round(standing).worths == told.worths(standing) == solved.worths(standing)
    assert FromTable(CLASS, lambda _: None).worths(standing) == ByLot(CLASS).worths(standing)


def test_what_follows_a_round_goes_by_lot():
    by_lot = ByLot(CLASS)
    assert by_lot.worths(((2, 3), 0)) == (0.75, 0.25)
    first, *others = by_lot.worths(((3, 1, 0, 1), 0))
    assert by_lot.worths(((1, 0, 1, 3), 0)) == (*others, first)
    last = ((3, 3, 3), 0)
    assert by_lot.round(last).worths == Standings(CLASS).round(last).worths
    before = by_lot.round(((2, 3, 3), 0))
    assert sum(before.worths) == pytest.approx(2)
    assert before.prices.paid(0, 0, 1) == by_lot.worths(((3, 3, 3), 0))
    assert before.prices.paid(0, 1, 1) == (1.0, 0.0, 1.0)


@pytest.mark.whole
@pytest.mark.parametrize("players", [3, 5])
def test_nobody_ends_a_match_of_points_on_purpose_that_may_still_be_won(players):
    """Over a Mäxchen a mistake costs the last point; a lie may be believed."""
    last, first = (0,) * (players - 1) + (9,), (0,) * players
    for tallies, gives_in in ((last, False), (first, True)):
        solved = of_standing(HOLY_FAMILY, (tallies, 0))
        third = solved.thrown(players - 1, TOP, 3, None)
        assert third == {Announce(31 if gives_in else 21): 1.0}


def test_who_pays_first_among_more_depends_on_the_opener():
    """The shares are those of the walk through the rules, and the later rounds go by lot."""
    assert payers(3) == [pytest.approx(each, abs=1e-5) for each in results()["payers"]["3"]]
    last = ByOpener(HOLY_FAMILY).worths(((9, 9, 9), 0))
    assert last == pytest.approx([1 - sum(each) for each in payers(3)], abs=1e-4)


@pytest.mark.parametrize("least", [whole(8), soaked(0)])
def test_the_last_points_between_two_are_as_the_table_has_them(least):
    standings = Standings(HOLY_FAMILY)
    for tallies in product(range(least, 10), repeat=2):
        solved = standings.worths((tallies, 0))
        assert ByLot(HOLY_FAMILY).worths((tallies, 0)) == pytest.approx(solved, abs=1e-12)
    few = replace(HOLY_FAMILY, points=2, losers=2)
    assert ByLot(few).worths(((1, 0), 1)) == ByLot(HOLY_FAMILY).worths(((9, 8), 0))


@pytest.mark.soak
@pytest.mark.parametrize("standing", [((3, 3), 0), ((0, 3), 0), ((0, 0), 0)])
def test_nobody_gains_in_a_match_of_two(standing):
    for seat in (0, 1):
        assert in_match(Standings(CLASS), standing, seat) < CLOSE


@pytest.mark.soak
@pytest.mark.parametrize("tallies", list(product(range(10), repeat=2)))
def test_nobody_gains_in_a_match_of_points_of_two(tallies):
    found = max(in_match(ByLot(HOLY_FAMILY), (tallies, 0), seat) for seat in (0, 1))
    print(f"holy-family, {tallies}: the best response to a round gains {found:.1e} of a match")
    assert found < CLOSE


@pytest.mark.soak
def test_nobody_gains_more_than_is_said_in_a_match_of_three():
    standings = Standings(CLASS)
    standings.round(((0, 0, 0), 0))
    found = max(
        in_match(standings, (tallies, 0), seat)
        for tallies in product(range(4), repeat=3)
        for seat in range(3)
    )
    print(f"class, a match of 3: the best response to a round gains {found:.4f} of a match")
    assert found < IN_MATCH


def by_programs(rules, lowest=None, **how):
    """The worths by linear programs, where they ask too much of the roller and too little."""
    few = (21,) if rules.game == "physicist" else ()  # as a Mäxchen: over that nothing goes
    for hands_on in (few, RANKING):
        programs = Programs(rules, hands_on, **how)
        yield programs.worths(lowest)
        assert programs.error < CLOSE


def by_solver(solved, values, player=0):
    return {
        value: solved.worths[0] if value is None else solved.believed(player, PLACE[value])[0]
        for value in values
    }


@pytest.mark.whole
@pytest.mark.parametrize(
    ("rules", "lowest"),
    [(CLASS, None), (HOLY_FAMILY, 21)],
    ids=["class", "holy-family"],
)
def test_linear_programs_agree(rules, lowest):
    solved = Round(rules)
    for worths in by_programs(rules, lowest):
        assert worths == pytest.approx(by_solver(solved, worths), abs=CLOSE)


@pytest.mark.soak
@pytest.mark.parametrize("variant", VARIANTS)
def test_linear_programs_agree_in_any_variant(variant):
    solved = Round(VARIANTS[variant])
    for worths in by_programs(VARIANTS[variant]):
        apart = max(abs(worths[v] - worth) for v, worth in by_solver(solved, worths).items())
        print(
            f"{variant}: {solved.worths[0]:+.12f} as solved, {worths[None]:+.12f} by programs; "
            f"stage by stage at most {apart:.0e} apart"
        )
        assert apart < CLOSE


def test_a_flourish_changes_nothing():
    """The best response leaves them out: nobody gains by a signal that binds nobody (R-PHYS-6)."""
    with_them = Programs(PHYSICIST, (21,), flourishes=True).worths(44)
    assert with_them == pytest.approx(by_solver(Round(PHYSICIST), with_them), abs=CLOSE)


def last_point(match, seat):
    """Whether the seat has won, 1 or -1, where whoever pays loses."""
    return -1.0 if match.tally[seat] else 1.0


@pytest.mark.whole
def test_linear_programs_agree_on_the_last_point():
    solved = Standings(HOLY_FAMILY).round(((9, 9), 0))
    for worths in by_programs(HOLY_FAMILY, 21, ends=last_point):
        chances = {value: (1 + worth) / 2 for value, worth in worths.items()}
        assert chances == pytest.approx(by_solver(solved, worths, 1), abs=CLOSE)


def test_of_a_round_that_nobody_would_end_whoever_is_to_roll_pays():
    """A doubted Mäxchen costs both players everything, so each follows one with another."""

    def ends(payer, cost, _turned):
        return (-1.0, -1.0) if cost == 2 else (-0.1, 0.1) if payer == 0 else (0.1, -0.1)

    solved = Round(RULES["physicist"], 2, ends)
    assert solved.turn(0, TOP).worths == (-0.1, 0.1)
    assert solved.turn(1, TOP).worths == (-0.1, 0.1), "from the player who is to roll"


def test_the_dearer_of_two_names_changes_where_their_worths_are_equal():
    """At level L one name is worth 0.2 + 0.8 L, and the other 0.8 - L / 3."""
    none = [0.0] * (PLACES - 2)
    believed, lie, truth = ([*none, *two] for two in ((1.0, 0.6), (0.0, 0.0), (0.2, 0.8)))
    ratios = [1.0] * PLACES
    terms = SignalTerms(PLACES - 2, believed, lie, truth, ratios, -inf, rooms=(inf,) * PLACES)
    assert _crossings(terms, 0.1, 0.59) == [pytest.approx(9 / 17)]
    assert _crossings(terms, 0.1, 0.5) == []
