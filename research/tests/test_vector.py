"""The vector worlds play as the core does: match by match, action by action, on the same draws."""

from collections import Counter
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from game import (
    RULES,
    TABLES,
    SetupError,
    apply,
    laid_open,
    legal_actions,
    new_match,
    rolls,
    rule_set,
)
from game.actions import Announce, Roll
from game.bluff.rules import value_of
from game.status import IN, PLAYING
from research.vector import gains
from research.vector.worlds import world_of
from tests.support.rules_table import NAMES, drawn

VARIANTS = [
    *((table, {}) for table in TABLES),
    ("class", {"ends": "last_standing", "credit": 2, "maexchen_true": 3, "reverses": "once"}),
    ("class", {"ends": "last_standing", "swim": False, "opener": "winner", "reverses": "lasting"}),
    ("class", {"stakes": "drinks", "free_doubt": True, "opener": "next", "equal": "any"}),
    (
        "class",
        {"hand_on": "once", "rolls": 3, "looks": 2, "ranking": "double", "equal": "maexchen"},
    ),
    (
        "mexican",
        {"reverses": "once", "opener": "winner", "free_doubt": True, "maexchen_true": 1},
    ),
    ("physicist", {"give_in": True, "reverses": "lasting", "ranking": "ones", "mexican": True}),
    ("physicist", {"free_maexchen": True}),
    ("holy-family", {"losers": 2, "points": 2, "mexican": True, "tower_one_in": 2}),
    ("holy-family", {"reverses": "once", "looks": 3, "opener": "winner", "give_in": True}),
    ("holy-family", {"opener": "next", "rolls": 1, "looks": 1, "tower_one_in": 2}),
    ("maxen", {"coasters": 1, "six_stays": True}),
    ("chicago", {"coasters": 3, "turns_one": True}),
    ("chicago", {"levelling": True, "coasters": 5}),
    ("chicago", {"may_give": True, "levelling": True, "coasters": 5}),
    ("chicago", {"may_give": True, "coasters": 2}),
    ("sevens", {"seven_dice": True}),
    ("sevens", {"rounds": 2}),
]


def plays_as_the_core(rules, players, matches, steps, seed):
    """Play both side by side; returns how many actions were compared."""
    world, chance = world_of(rules, players, matches, np.random.default_rng(seed)), Random(seed)
    cores = [new_match(rules, NAMES[:players], int(first)) for first in world.to_act]
    compared = 0
    for _ in range(steps):
        mask, actions, falls = world.mask(), world.random_actions(), world.draw()
        for row, core in enumerate(cores):
            legal = {a for a in legal_actions(core) if not getattr(a, "flourish", None)}
            known = {world.actions[at]: at for at in np.flatnonzero(mask[row])}
            assert known.keys() == legal
            assert mask[row, actions[row]]
            by_kind = {type(action): number for action, number in known.items()}
            if chance.random() < 1 / 2:
                actions[row] = chance.choice(list(by_kind.values()))
                falls[row] = chance.choice((falls[row], 0, world.ways - 1))
        done = [_done(world, cores[row], row, actions, falls) for row in range(matches)]
        over = world.step(actions, falls)
        for row, action in enumerate(done):
            cores[row] = apply(cores[row], action).match
            compared += 1
            assert_same(world, row, cores[row])
        assert np.allclose(world.returns().sum(1), 0)
        world.reset(over)
        for row in np.flatnonzero(over):
            cores[row] = new_match(rules, NAMES[:players], int(world.to_act[row]))
    return compared


def _done(world, core, row, actions, falls):
    action = world.actions[actions[row]]
    return world.roll_of(row, falls[row]) if isinstance(action, Roll) else laid_open(core, action)


def assert_same(world, row, core):
    assert world.PHASES[world.phase[row]] is core.phase
    assert tuple(world.tally[row]) == core.tally
    lost = tuple(np.flatnonzero(world.lost[row]))
    if core.outcome is not None:
        assert lost == tuple(sorted(core.outcome.losers))
        return
    stays = PLAYING if core.rules.family == "bluff" else (IN,)
    playing = tuple(seat for seat, status in enumerate(core.status) if status in stays)
    assert tuple(s for s in range(world.players) if world.playing[row] >> s & 1) == playing
    assert (world.to_act[row], world.round[row]) == (core.to_act, core.round)
    (assert_same_cup if core.rules.family == "bluff" else assert_same_dice)(world, row, core)


def assert_same_cup(world, row, core):
    ladder = core.rules.ladder
    assert (world.opener[row], world.direction[row]) == (core.opener, core.direction)
    assert (world.rolls[row], bool(world.seen[row])) == (core.rolls, core.seen)
    said = None if world.standing[row] < 0 else ladder[world.standing[row]]
    assert (said, world.announcer[row]) == (core.announced, -1 if said is None else core.announcer)
    assert world.announcer_rolls[row] == core.announcer_rolls
    dice = None if world.dice[row] < 0 else ladder[world.dice[row]]
    assert (dice, world.tower[row]) == (core.dice and value_of(core.dice), core.tower)


def assert_same_dice(world, row, core):
    assert (world.thrown[row], world.limit[row]) == (core.throws, core.limit)
    assert world.leader[row] == (-1 if core.leader is None else core.leader)
    assert world.cups.dice[world.cup[row]] == (core.aside, core.dice or ())
    for seat, hand in enumerate(core.hands):
        held = None if world.hands[row, seat] < 0 else world.cups.dice[world.hands[row, seat]]
        covered = bool(world.covered[row] >> seat & 1)
        if hand is None or core.rules.family == "sevens":
            assert held == (hand and ((), hand))
        else:
            assert (*held, covered) == hand
    if core.rules.family == "coaster":
        assert (world.pile[row], world.half[row]) == (core.pile, core.half)


@pytest.mark.parametrize(("table", "options"), VARIANTS)
def test_a_world_plays_as_the_core(table, options):
    players = 3 if options.keys() & {"losers", "levelling"} else 4
    assert plays_as_the_core(rule_set(table, options), players, 8, 60, seed=1) == 480


@pytest.mark.whole
@pytest.mark.parametrize("lot", range(10))
def test_a_world_plays_every_sheet_that_a_menu_can_set(lot):
    chance = Random(f"sheets {lot}")
    for seed in range(30):
        rules = drawn(chance, TABLES)
        players = chance.randint(max(rules.fewest_players, 3), rules.most_players)
        assert plays_as_the_core(rules, players, 4, 40, seed) == 160


@pytest.mark.night
@pytest.mark.parametrize(("table", "options"), VARIANTS)
@pytest.mark.parametrize("players", [3, 5])
def test_a_world_plays_as_the_core_for_long(table, options, players):
    assert plays_as_the_core(rule_set(table, options), players, 60, 500, seed=players) == 30_000


@pytest.mark.parametrize("game", RULES)
def test_dice_fall_with_the_chances_of_the_core(game):
    world = world_of(RULES[game], 3, 1, np.random.default_rng(1))
    fell = Counter(world.roll_of(0, fall) for fall in range(world.ways))
    sorted_dice = Counter()
    for roll, number in fell.items():
        sorted_dice[Roll(tuple(sorted(roll.dice, reverse=True)), roll.tower)] += number
    chances = {roll: Fraction(number, world.ways) for roll, number in sorted_dice.items()}
    assert chances == dict(rolls(new_match(RULES[game], NAMES[:3], 0)))


def observed_all_along(game):
    """Yield a world, and what is observed, at every step of some matches."""
    world = world_of(RULES[game], 3, 300, np.random.default_rng(2))
    for _ in range(80):
        known = world.observe()
        assert known.min() >= 0
        assert known.max() <= 1
        yield world, known
        world.reset(world.step(world.random_actions()))


@pytest.mark.parametrize("game", ["class", "holy-family"])
def test_the_seat_that_acts_observes_no_dice_that_it_has_not_seen(game):
    for world, known in observed_all_along(game):
        hidden, dice, tower = world.seen == 0, world.dice.copy(), world.tower.copy()
        world.dice[hidden & (dice >= 0)], world.tower[hidden] = 7, 1
        assert (world.observe() == known).all()
        world.dice[:], world.tower[:] = dice, tower


def test_nobody_observes_a_covered_throw():
    seen = 0
    for world, known in observed_all_along("maxen"):
        hands = world.hands.copy()
        covered = (world.covered[:, None] >> np.arange(3)) & 1 == 1
        seen += covered.sum()
        asides = [world.cups.dice.index((world.cups.dice[hand][0], ())) for hand in hands[covered]]
        world.hands[covered] = [
            max(at for at, cup in enumerate(world.cups.dice) if cup[0] == world.cups.dice[aside][0])
            for aside in asides
        ]
        assert (world.observe() == known).all()
        world.hands[:] = hands
    assert seen


def test_what_is_observed_tells_open_dice():
    for world, known in observed_all_along("sevens"):
        thrown = known[:, len(world.PHASES) + 6 : len(world.PHASES) + 12]
        assert np.allclose(thrown.sum(1), [bool(world.cups.dice[cup][1]) for cup in world.cup])


def test_losers_of_a_match_lose_one_together():
    assert gains(np.array([[True, False, True]])).tolist() == [[-0.25, 0.5, -0.25]]
    world = world_of(RULES["class"], 3, 50, np.random.default_rng(3))
    while not (over := world.step(world.random_actions())).any():
        assert not world.returns().any()
    assert np.allclose(np.sort(world.returns()[over], 1), [[-1, 0.5, 0.5]])


def test_what_is_not_possible_is_refused_in_one_line():
    world = world_of(RULES["class"], 3, 2, np.random.default_rng(4))
    with pytest.raises(ValueError, match=r"match 0: Announce\(value=31\) is not possible"):
        world.step(np.full(2, world.actions.index(Announce(31))))
    for rules, players, matches, says in [
        (RULES["class"], 10, 1, "class is for 3 to 9 players, not 10"),
        (RULES["sevens"], 10, 1, "sevens is for 2 to 9 players, not 10"),
        (RULES["maxen"], 3, 0, "0 matches: choose 1 or more"),
    ]:
        with pytest.raises(SetupError, match=says):
            world_of(rules, players, matches, np.random.default_rng(5))


def test_matches_in_lock_step_begin_level():
    with pytest.raises(SetupError, match="leave the handicap out"):
        world_of(rule_set("class", {"handicap": "1"}), 3, 2, np.random.default_rng(1))
