"""The vector world plays as the core does: match by match, action by action, on the same draws."""

import random

import pytest

from game import PRESETS, RULES, SetupError, apply, legal_actions, new_match, rule_set
from game.actions import Announce, Lift, Roll
from game.bluff.values import DICE, value_of
from game.status import PLAYING
from tests.support.rules_table import NAMES

np = pytest.importorskip("numpy")
vector = pytest.importorskip("game.vector")

TABLES = [
    *((game, {}) for game in ("class", "physicist", *PRESETS)),
    ("class", {"ends": "last_standing", "credit": 2, "maexchen_true": 3, "reverses": "once"}),
    ("class", {"ends": "last_standing", "swim": False, "opener": "winner", "reverses": "lasting"}),
    ("class", {"stakes": "drinks", "free_doubt": True, "opener": "next", "equal": "any"}),
    (
        "class",
        {"hand_on": "once", "rolls": 3, "looks": 2, "ranking": "double", "equal": "maexchen"},
    ),
    ("mexican", {"reverses": "once", "opener": "winner", "free_doubt": True}),
    ("physicist", {"give_in": True, "reverses": "lasting", "ranking": "ones", "mexican": True}),
]


def plays_as_the_core(rules, players, matches, steps, seed):
    """Play both side by side; returns how many actions were compared."""
    rng, chance = np.random.default_rng(seed), random.Random(seed)
    world = vector.VectorWorld(rules, players, matches, rng)
    cores = [new_match(rules, NAMES[:players], int(first)) for first in world.opener]
    compared = 0
    for _ in range(steps):
        mask = world.mask()
        for row, core in enumerate(cores):
            legal = {a for a in legal_actions(core) if not getattr(a, "flourish", None)}
            assert {world.actions[at] for at in np.flatnonzero(mask[row])} == legal
        actions = world.random_actions()
        dice = np.array([chance.randrange(36) for _ in range(matches)])
        over = world.step(actions, dice)
        for row, number in enumerate(actions):
            action = world.actions[number]
            if isinstance(action, Roll):
                action = Roll(DICE[dice[row]])
            elif isinstance(action, Lift):
                action = Lift(cores[row].dice)
            cores[row] = apply(cores[row], action).match
            compared += 1
            assert_same(world, row, cores[row])
        if over.any():
            lost = world.returns()[over]
            assert np.allclose(lost.sum(1), 0)
            world.reset(over)
            for row in np.flatnonzero(over):
                cores[row] = new_match(rules, NAMES[:players], int(world.opener[row]))
    return compared


def assert_same(world, row, core):
    ladder = core.rules.ladder
    assert vector._PHASES[world.phase[row]] is core.phase
    assert tuple(world.tally[row]) == core.tally
    stays = tuple(seat for seat, status in enumerate(core.status) if status in PLAYING)
    assert tuple(s for s in range(world.players) if world.playing[row] >> s & 1) == stays
    if core.outcome is not None:
        assert tuple(np.flatnonzero(world.lost[row])) == tuple(sorted(core.outcome.losers))
        return
    assert (world.to_act[row], world.opener[row]) == (core.to_act, core.opener)
    assert (world.direction[row], world.round[row]) == (core.direction, core.round)
    assert (world.rolls[row], bool(world.seen[row])) == (core.rolls, core.seen)
    said = None if world.standing[row] < 0 else ladder[world.standing[row]]
    assert (said, world.announcer[row]) == (core.announced, -1 if said is None else core.announcer)
    assert world.announcer_rolls[row] == core.announcer_rolls
    dice = None if world.dice[row] < 0 else ladder[world.dice[row]]
    assert dice == (core.dice and value_of(core.dice))


@pytest.mark.parametrize(("table", "options"), TABLES)
def test_the_world_plays_as_the_core(table, options):
    rules = rule_set(table, options)
    assert plays_as_the_core(rules, 4, 8, 60, seed=1) == 480


@pytest.mark.whole
@pytest.mark.parametrize(("table", "options"), TABLES)
@pytest.mark.parametrize("players", [3, 5])
def test_the_world_plays_as_the_core_for_long(table, options, players):
    rules = rule_set(table, options)
    assert plays_as_the_core(rules, players, 60, 500, seed=players) == 30_000


@pytest.mark.night
@pytest.mark.timeout(900)
@pytest.mark.parametrize("table", ["class", "physicist", *PRESETS])
def test_the_world_plays_as_the_core_a_million_times(table):
    assert plays_as_the_core(rule_set(table, {}), 4, 1000, 1000, seed=9) == 1_000_000


def test_the_seat_that_acts_observes_no_dice_that_it_has_not_seen():
    world = vector.VectorWorld(RULES["class"], 3, 500, np.random.default_rng(2))
    for _ in range(80):
        before = world.observe()
        assert before.min() >= 0
        assert before.max() <= 1
        hidden, dice = world.seen == 0, world.dice.copy()
        world.dice[hidden & (dice >= 0)] = 7
        assert (world.observe() == before).all()
        world.dice = dice
        world.reset(world.step(world.random_actions()))


def test_losers_of_a_match_lose_one_together():
    world = vector.VectorWorld(RULES["class"], 3, 50, np.random.default_rng(3))
    while not (over := world.step(world.random_actions())).any():
        assert not world.returns().any()
    assert np.allclose(np.sort(world.returns()[over], 1), [[-1, 0.5, 0.5]])


def test_what_is_not_possible_is_refused_in_one_line():
    world = vector.VectorWorld(RULES["class"], 3, 2, np.random.default_rng(4))
    with pytest.raises(ValueError, match=r"match 0: Announce\(value=31\) is not possible"):
        world.step(np.full(2, world.actions.index(Announce(31))))
    for rules, players, matches, says in [
        (RULES["holy-family"], 3, 1, "plays class and physicist, not holy-family"),
        (RULES["sevens"], 3, 1, "plays class and physicist, not sevens"),
        (RULES["class"], 9, 1, "class is for 3 to 8 players, not 9"),
        (RULES["class"], 3, 0, "0 matches: choose 1 or more"),
    ]:
        with pytest.raises(SetupError, match=says):
            vector.VectorWorld(rules, players, matches, np.random.default_rng(5))
