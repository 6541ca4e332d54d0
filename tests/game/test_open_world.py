"""The world of ``sevens`` in lock step plays as the core does, on the same draws."""

import pytest

from game import RULES, SetupError, apply, legal_actions, new_match, rule_set
from game.actions import Roll
from tests.support.rules_table import NAMES

np = pytest.importorskip("numpy")
vector = pytest.importorskip("game.vector")
from game.open_world import PHASES, gains  # noqa: E402 - after numpy is known to be there

TABLES = [("sevens", {}), ("sevens", {"seven_dice": True}), ("sevens", {"rounds": 2})]


def plays_as_the_core(rules, players, matches, steps, seed):
    """Play both side by side; returns how many actions were compared, and how many matches over."""
    world = vector.world_of(rules, players, matches, np.random.default_rng(seed))
    cores = [new_match(rules, NAMES[:players], int(first)) for first in world.start]
    compared, ended = 0, 0
    for _ in range(steps):
        mask = world.mask()
        for row, core in enumerate(cores):
            assert {world.actions[at] for at in np.flatnonzero(mask[row])} == set(
                legal_actions(core)
            )
        actions, dice = world.random_actions(), world.draw()
        over = world.step(actions, dice)
        for row, number in enumerate(actions):
            action = world.actions[number]
            if isinstance(action, Roll):
                action = Roll(world.throws[dice[row]])
            cores[row] = apply(cores[row], action).match
            compared += 1
            assert_same(world, row, cores[row])
        ended += int(over.sum())
        assert np.allclose(world.returns().sum(1), 0)
        world.reset(over)
        for row in np.flatnonzero(over):
            cores[row] = new_match(rules, NAMES[:players], int(world.start[row]))
    return compared, ended


def assert_same(world, row, core):
    assert PHASES[world.phase[row]] is core.phase
    assert tuple(world.coasters[row]) == core.coasters
    if core.outcome is not None:
        assert tuple(np.flatnonzero(world.lost[row])) == core.outcome.losers
        return
    assert (world.to_act[row], world.round[row]) == (core.to_act, core.round)
    assert (world.thrown[row], world.limit[row]) == (core.throws, core.limit)
    assert world.leader[row] == (-1 if core.leader is None else core.leader)
    assert tuple(np.flatnonzero(world.playing[row])) == core.playing
    throws = (*world.throws, None)
    assert throws[world.dice[row]] == core.dice
    assert tuple(throws[each] for each in world.hands[row]) == core.hands


@pytest.mark.parametrize(("table", "options"), TABLES)
@pytest.mark.parametrize("players", [2, 4])
def test_the_world_plays_as_the_core(table, options, players):
    compared, ended = plays_as_the_core(rule_set(table, options), players, 12, 90, seed=players)
    assert compared == 1080
    assert ended


@pytest.mark.night
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("table", "options"), TABLES)
def test_the_world_plays_as_the_core_a_million_times(table, options):
    compared, _ = plays_as_the_core(rule_set(table, options), 4, 1000, 1000, seed=7)
    assert compared == 1_000_000


def test_what_is_observed_lies_between_0_and_1_and_tells_the_dice():
    world = vector.world_of(RULES["sevens"], 3, 50, np.random.default_rng(1))
    for _ in range(60):
        known = world.observe()
        assert known.min() >= 0
        assert known.max() <= 1
        shown = world.dice >= 0
        assert np.allclose(known[:, 6:12].sum(1), shown)
        world.reset(world.step(world.random_actions()))


def test_losers_lose_one_together():
    assert gains(np.array([[True, False, True]])).tolist() == [[-0.25, 0.5, -0.25]]


def test_what_is_not_possible_is_refused_in_one_line():
    world = vector.world_of(RULES["sevens"], 3, 2, np.random.default_rng(2))
    with pytest.raises(ValueError, match=r"match 0: Stop\(\) is not possible"):
        world.step(np.ones(2, np.intp))
    for game, players, matches, says in [
        ("maxen", 3, 1, "plays class, physicist and sevens, not maxen"),
        ("holy-family", 3, 1, "not holy-family"),
        ("sevens", 3, 0, "0 matches: choose 1 or more"),
        ("sevens", 9, 1, "sevens is for 2 to 8 players, not 9"),
    ]:
        with pytest.raises(SetupError, match=says):
            vector.world_of(RULES[game], players, matches, np.random.default_rng(3))
    assert vector.world_of(RULES["class"], 3, 1, np.random.default_rng(4)).matches == 1
