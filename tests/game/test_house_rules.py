"""House rules: what each custom of the sheet changes, and known tables by name."""

import random
from itertools import pairwise

import pytest

from game import (
    OPTIONS,
    PRESETS,
    RULES,
    TABLES,
    Phase,
    Reason,
    legal_actions,
    parsed_option,
    rule_set,
)
from game.actions import (
    Announce,
    Believe,
    Doubt,
    Fault,
    FaultKind,
    Flourish,
    GiveCoaster,
    GiveIn,
    Keep,
    Leave,
    Lift,
    Look,
    OwnUp,
    Roll,
    ShowMaexchen,
)
from game.coach import CoachError, advice_on, analyse
from game.events import Inadmissible, MatchEnded, Penalised, Reversed, Swam, WentOut
from game.record import Record
from game.rules import Reach, nearest_solved, reach_of, unsolved
from game.status import Status
from tests.support.rules_table import NAMES, OpenTable, Table, drawn

LOW, MAEXCHEN = (3, 1), (2, 1)


def round_of(said, dice):
    """A round: the opener announces, the next player doubts, and these dice are lifted."""
    return (Roll(dice), Announce(said), Doubt(), Lift(dice))


def penalties(events):
    return [(each.seat, each.cost) for each in events if isinstance(each, Penalised)]


@pytest.mark.parametrize(
    ("opener", "said", "opens"),
    [
        ("loser", 66, 0),
        ("winner", 66, 1),
        ("next", 66, 1),
        ("loser", 31, 1),
        ("winner", 31, 0),
        ("next", 31, 2),
    ],
)
@pytest.mark.parametrize("game", ["class", "physicist", "holy-family"])
def test_after_a_doubt_the_agreed_player_opens(game, opener, said, opens):
    t = Table(game=game, opener=opener)
    t.do(*round_of(said, LOW))
    assert (t.match.opener, t.match.to_act, t.match.phase) == (opens, opens, Phase.OPENING)


def test_after_giving_in_owning_up_and_showing_the_winner_is_the_other_one():
    t = Table(opener="winner").after(Roll(LOW), Announce(21), GiveIn())
    assert t.match.opener == 0
    t = Table(opener="winner").after(Roll(LOW), Announce(31), Believe(), Roll(LOW), OwnUp())
    assert t.match.opener == 0
    t = Table(opener="winner").after(Roll(MAEXCHEN), Look(), ShowMaexchen())
    assert (t.match.opener, t.match.tally) == (0, (0, 1, 0))


PRICED = {"credit": 6, "maexchen_true": 3, "maexchen_false": 2}
FREE, MEXICAN = ({"stakes": "drinks", option: True} for option in ("free_doubt", "mexican"))


@pytest.mark.parametrize(
    ("options", "said", "dice", "paid"),
    [
        (PRICED, 21, MAEXCHEN, [(1, 3)]),
        (PRICED, 21, LOW, [(0, 2)]),
        (PRICED, 66, MAEXCHEN, [(1, 1)]),
        (PRICED, 66, LOW, [(0, 1)]),
        (FREE, 31, LOW, []),
        (FREE, 66, LOW, [(0, 1)]),
        (MEXICAN, 66, (3, 1), [(0, 1), (1, 1), (2, 1)]),
        (MEXICAN, 66, (3, 2), [(0, 1)]),
        ({"ranking": "double", "maexchen_false": 2}, 42, LOW, [(0, 2)]),
    ],
)
def test_a_doubt_costs_what_was_agreed(options, said, dice, paid):
    t = Table(**options)
    events = t.do(*round_of(said, dice))
    assert penalties(events) == paid
    assert (Reversed(-1) in events) is (dice == (3, 2))
    assert t.match.round == 2


def test_nobody_pays_more_matches_than_are_left_and_then_swims_or_is_out():
    t = Table(credit=2, maexchen_false=3)
    events = t.do(*round_of(21, LOW))
    assert (penalties(events), t.match.matches) == ([(0, 2)], (0, 2, 2))
    assert Swam(0) in events
    assert WentOut(0) in t.do(*round_of(21, LOW))
    assert t.match.outcome.losers == (0,)
    t = Table(credit=1, swim=False)
    assert MatchEnded in {type(event) for event in t.do(*round_of(66, LOW))}
    t = Table(credit=1, swim=False, ends="last_standing").after(*round_of(66, LOW))
    assert (t.match.status[0], t.match.opener) == (Status.OUT, 1)


def test_equal_announcements_are_allowed_as_agreed():
    standing = (Roll(LOW), Announce(52), Believe(), Roll(LOW))
    assert Table().after(*standing).refusal(Announce(52)) is Reason.TOO_LOW
    assert Table(equal="maexchen").after(*standing).refusal(Announce(52)) is Reason.TOO_LOW
    t = Table(equal="any").after(*standing)
    t.do(Announce(52))
    assert t.match.announcer == 1
    t = Table(equal="any").after(Roll(LOW), Announce(21), Believe(), Roll(LOW), Announce(21))
    assert {Doubt(), Believe(), GiveIn()} <= set(legal_actions(t.match))


def test_a_maexchen_that_cannot_be_repeated_cannot_be_believed():
    for game in ("class", "physicist"):
        t = Table(game=game, equal="none").after(Roll(LOW), Announce(21))
        assert t.refusal(Believe()) is Reason.MAEXCHEN_STANDS
        assert Doubt() in legal_actions(t.match)


def test_equal_is_a_fault_of_holy_family_where_it_is_not_agreed():
    t = Table(game="holy-family", equal="none")
    t.do(Roll(LOW), Announce(52), Believe(), Roll(LOW))
    assert Inadmissible(1) in t.do(Announce(52))


@pytest.mark.parametrize(
    ("hand_on", "first", "second"),
    [("never", False, False), ("once", True, False), ("higher", True, True)],
)
def test_a_cup_is_handed_on_unseen_as_agreed(hand_on, first, second):
    t = Table(hand_on=hand_on).after(Roll(LOW), Announce(31), Believe())
    assert (Announce(32) in legal_actions(t.match)) is first
    if not first:
        assert t.refusal(Announce(32)) is Reason.NOT_ROLLED
        return
    t.do(Announce(32), Believe())
    assert (Announce(41) in legal_actions(t.match)) is second
    assert (t.refusal(Announce(31)) is Reason.TOO_LOW) is second


def test_a_blind_roll_is_not_handed_on_where_only_a_seen_one_may_be():
    t = Table(hand_on="once").after(Roll(LOW), Roll(LOW), Announce(31), Believe())
    assert t.refusal(Announce(32)) is Reason.NOT_ROLLED
    assert legal_actions(t.match) == (Roll(),)


def test_a_cup_is_handed_on_as_high_where_that_is_agreed():
    assert Table().after(Roll(LOW), Announce(52), Believe()).refusal(Announce(52))
    t = Table(hand_on="as_high").after(Roll(LOW), Announce(52), Believe(), Announce(52))
    assert (t.match.announcer, t.match.announcer_rolls) == (1, 0)


def directions(reverses, *rounds):
    t, seen = Table(game="holy-family", reverses=reverses), []
    for dice in rounds:
        t.do(*round_of(31, dice))
        seen.append(t.match.direction)
    return seen


def test_a_lifted_maexchen_turns_for_good_for_a_round_or_never():
    rounds = (MAEXCHEN, LOW, LOW, MAEXCHEN, MAEXCHEN, LOW)
    assert directions("never", *rounds) == [1, 1, 1, 1, 1, 1]
    assert directions("lasting", *rounds) == [-1, -1, -1, 1, -1, -1]
    assert directions("once", *rounds) == [-1, 1, 1, -1, 1, 1]


def test_a_turn_for_one_round_ends_with_a_fault_and_with_giving_in():
    t = Table(game="holy-family", reverses="once").after(*round_of(31, MAEXCHEN), Roll(LOW))
    seat = t.match.to_act
    assert Reversed(1) in t.do(Fault(FaultKind.DROP, seat))
    t = Table(reverses="once").after(*round_of(31, MAEXCHEN), Roll(LOW), Announce(21))
    assert Reversed(1) in t.do(GiveIn())


def test_a_shown_maexchen_turns_the_direction_too():
    t = Table(reverses="lasting")
    assert Reversed(-1) in t.do(Roll(MAEXCHEN), Look(), ShowMaexchen())
    assert t.match.tally == (0, 1, 0)


@pytest.mark.parametrize(
    ("option", "action", "before"),
    [
        ("show", ShowMaexchen(), (Roll(MAEXCHEN), Look())),
        ("give_in", GiveIn(), (Roll(LOW), Announce(21))),
        ("own_up", OwnUp(), (Roll(LOW), Announce(31), Believe(), Roll(LOW))),
    ],
)
def test_ways_out_are_there_only_where_they_are_agreed(option, action, before):
    assert action in legal_actions(Table().after(*before).match)
    t = Table(**{option: False}).after(*before)
    assert t.refusal(action) is Reason.NOT_IN_THIS_GAME
    assert action not in legal_actions(t.match)


def test_rolls_and_looks_are_as_many_as_agreed():
    t = Table(rolls=3, looks=2).after(Roll(LOW), Look(), Roll(LOW), Look(), Roll(LOW))
    assert t.refusals(Look()) == {Reason.BLIND}
    assert t.refusals(Roll(LOW)) == {Reason.NO_ROLL_LEFT}
    assert Table(rolls=1).after(Roll(LOW)).refusal(Roll(LOW)) is Reason.NO_ROLL_LEFT


ORDERS = {
    "meyer": "... 65 11 22 33 44 55 66 31 21",
    "ones": "... 65 22 33 44 55 66 11 21",
    "half": "... 65 11 22 33 44 55 66 42 21",
    "double": "... 65 11 22 33 44 55 66 21 42",
}
"""The ends of the orders, as their sources list them."""


@pytest.mark.parametrize("ranking", ORDERS)
def test_an_order_of_values_is_that_of_the_dial_and_of_the_doubt(ranking):
    t = Table(ranking=ranking).after(Roll(LOW))
    said = [each.value for each in legal_actions(t.match) if isinstance(each, Announce)]
    highest = [int(value) for value in ORDERS[ranking].split()[1:]]
    assert said[-len(highest) :] == highest
    assert sorted(said) == sorted(RULES["class"].ladder)
    for low, high in pairwise(highest):
        t = Table(ranking=ranking, equal="any").after(Roll(LOW), Announce(low), Believe())
        t.do(Roll((high // 10, high % 10)), Announce(high))
        assert penalties(t.do(Doubt(), Lift()))[0][0] == 2, "it was true"
        t = Table(ranking=ranking, equal="any").after(Roll(LOW), Announce(high), Believe())
        assert t.after(Roll(LOW)).refusal(Announce(low)) is Reason.TOO_LOW


def test_the_top_of_the_order_ends_the_round():
    t = Table(ranking="double").after(Roll(LOW), Announce(42))
    assert t.refusal(Believe()) is Reason.MAEXCHEN_STANDS
    assert GiveIn() in legal_actions(t.match)


def test_a_thirty_one_costs_points_and_may_end_the_match():
    t = Table(game="holy-family", mexican=True, points=1, losers=2)
    t.do(*round_of(66, (3, 1)))
    assert t.match.outcome.losers == (0, 1)


def test_the_page_of_the_physicists_has_no_rules_of_theirs():
    t = Table(2, game="physicist", **PRESETS["plain"].options)
    assert t.after(Roll((5, 5)), Look()).refusal(Roll(LOW)) is Reason.NO_ROLL_LEFT
    assert t.refusal(Announce(55, Flourish.AIR)) is Reason.NO_SUCH_FLOURISH
    t.do(Announce(31))
    assert t.refusal(Fault(FaultKind.DROP, 0)) is Reason.NO_SUCH_FAULT
    t.do(Believe())
    assert legal_actions(t.match) == (Roll(),)
    t = Table(2, game="physicist", **PRESETS["plain"].options)
    assert penalties(t.do(*round_of(31, (5, 5)))) == [(0, 1)], "too low is a lie"


def test_a_drop_on_a_maexchen_costs_as_agreed():
    for cost in (1, 2, 3):
        t = Table(game="holy-family", drop_on_maexchen=cost).after(Roll(LOW), Announce(21))
        assert penalties(t.do(Fault(FaultKind.DROP, 0))) == [(0, cost)]


@pytest.mark.parametrize("game", ["maxen", "chicago"])
def test_the_other_six_stays_only_where_that_is_agreed(game):
    t = OpenTable(game, six_stays=True)
    t.do(Roll((6, 6, 2)))
    assert Keep((6,), 1) in t.keeps()
    t.do(Keep((6,), 1), Roll((4,)))
    assert t.match.aside == (6, 1)
    t = OpenTable(game)
    t.do(Roll((6, 6, 2)))
    assert t.refusal(Keep((6,), 1)) is Reason.OTHER_SIX
    t = OpenTable(game, six_stays=True)
    t.do(Roll((6, 6, 6)))
    assert t.refusal(Keep((6,), 2)) is Reason.ALL_ASIDE


def test_one_of_three_sixes_is_turned_alone_where_that_is_agreed():
    t = OpenTable("maxen", turns_one=True).after(Roll((6, 6, 6)))
    assert {Keep((), 1), Keep((), 2)} <= t.keeps()
    assert t.refusal(Keep((6,), 1)) is Reason.OTHER_SIX
    t.do(Keep((), 1))
    assert (t.match.aside, t.match.in_play) == ((1,), 2)
    t = OpenTable("maxen", turns_one=True, six_stays=True).after(Roll((6, 6, 6)))
    assert Keep((6,), 1) in t.keeps()
    assert t.refusal(Keep((6, 6), 1)) is Reason.ALL_ASIDE
    assert OpenTable("maxen").after(Roll((6, 6, 6))).refusal(Keep((), 1)) is Reason.NO_TURN


def phase_two(*throws, coasters=(2, 1, 3)):
    t = OpenTable("chicago", may_give=True).set(stage=2, pile=0, coasters=coasters)
    t.round(*throws)
    return t


def test_the_best_throw_keeps_its_coaster_or_puts_it_out_where_that_is_a_choice():
    t = phase_two((5, 5, 5), (3, 2, 2), (6, 5, 5))
    assert (t.match.phase, t.match.to_act) == (Phase.LEVELLING, 2)
    assert legal_actions(t.match) == (GiveCoaster(2), GiveCoaster(None))
    assert t.refusals(GiveCoaster(0), GiveCoaster(1)) == {Reason.NOT_WITH_ONE}
    t.do(GiveCoaster(None))
    assert (t.match.coasters, t.match.leader, t.match.order) == ((2, 1, 3), 1, (1, 2, 0))
    t = phase_two((5, 5, 5), (3, 2, 2), (6, 5, 5)).after(GiveCoaster(2))
    assert (t.match.coasters, t.match.gone, t.match.leader) == ((2, 1, 2), 1, 1)
    t = phase_two((5, 5, 5), (3, 2, 2), (1, 1, 1)).after(GiveCoaster(2))
    assert (t.match.status[2], t.match.order) == (Status.SAFE, (1, 0))


def test_a_round_goes_on_when_its_best_or_its_worst_leaves_before_the_choice():
    t = phase_two((5, 5, 5), (3, 2, 2), (6, 5, 5)).after(Leave(2))
    assert (t.match.phase, t.match.order) == (Phase.TO_THROW, (1, 0))
    t = phase_two((5, 5, 5), (3, 2, 2), (6, 5, 5)).after(Leave(1), GiveCoaster(None))
    assert t.match.order == (2, 0)


def test_a_seen_maexchen_frees_the_announcement_where_that_is_agreed():
    t = Table(game="physicist", free_maexchen=True).after(Roll(LOW), Announce(65), Believe())
    t.do(Roll(MAEXCHEN))
    assert t.refusal(Announce(31)) is Reason.TOO_LOW
    t.do(Look())
    assert Announce(31) in legal_actions(t.match)
    t.do(Announce(31))
    assert (t.match.announced, t.match.announcer) == (31, 1)
    t = Table(game="physicist", free_maexchen=True).after(Roll(LOW), Announce(65), Believe())
    assert t.after(Roll(LOW), Look()).refusal(Announce(31)) is Reason.TOO_LOW


@pytest.mark.parametrize("game", OPTIONS)
def test_every_option_that_is_written_is_read(game):
    for option in OPTIONS[game]:
        for value in option.choices or (option.least, option.greatest):
            written = {True: "yes", False: "no"}.get(value, str(value))
            written = written if isinstance(value, bool) else str(value)
            assert parsed_option(game, option.name, written) == value
    assert parsed_option("sevens", "seven_dice", "False") is False


@pytest.mark.parametrize(
    ("table", "options", "reach", "strange"),
    [
        ("class", {}, Reach.EXACT, ()),
        ("class", {"ends": "last_standing", "understating": "lie"}, Reach.EXACT, ()),
        ("class", {"credit": 6}, Reach.APPROXIMATE, ()),
        ("class", {"opener": "next"}, Reach.APPROXIMATE, ("opener",)),
        ("class", {"ranking": "meyer"}, Reach.NONE, ("ranking",)),
        ("physicist", {"air": False, "faults": False}, Reach.EXACT, ()),
        ("physicist", {"understating": "lie"}, Reach.APPROXIMATE, ("understating",)),
        ("maxen", {"six_stays": True}, Reach.APPROXIMATE, ("six_stays",)),
        ("sevens", {"rounds": 2}, Reach.EXACT, ()),
    ],
)
def test_advice_knows_its_limits(table, options, reach, strange):
    rules = rule_set(table, options)
    assert (reach_of(rules), unsolved(rules)) == (reach, strange)
    assert unsolved(nearest_solved(rules)) == ()


SHEETS = [drawn(random.Random(f"sheet {seed}"), TABLES, most=3) for seed in range(40)]


@pytest.mark.parametrize("rules", SHEETS, ids=range(40))
def test_a_label_says_whether_the_coach_judges(rules):
    solved = nearest_solved(rules)
    if advice_on(rules, 3) is not Reach.NONE:
        assert solved is rules, "its own table, and no other's"
        return
    assert solved != rules
    with pytest.raises(CoachError, match=r"^line 1: nobody can judge [^\n]*$") as refused:
        analyse(Record(rules, NAMES[:3], 0, ()))
    said = str(refused.value)
    assert f"of {getattr(rules, 'rolls', 0)} rolls" in said or all(
        f"{name} = {getattr(rules, name)}" in said for name in unsolved(rules)
    )


EXACT_UP_TO = {
    "class": 8, "physicist": 9, "holy-family": 4, "maxen": 8, "chicago": 5, "sevens": 9,
}  # fmt: skip
"""The largest tables whose best play is known, with the usual options."""


@pytest.mark.parametrize(("game", "most"), EXACT_UP_TO.items())
def test_an_exact_label_ends_where_the_tables_end(game, most):
    rules = RULES[game]
    for players in range(rules.fewest_players, rules.most_players + 1):
        wanted = Reach.EXACT if players <= most else Reach.APPROXIMATE
        assert advice_on(rules, players) is wanted, players


def test_lives_without_swimming_are_one_match_less_with_it():
    assert nearest_solved(rule_set("class", {"credit": 6, "swim": False})).credit == 5
