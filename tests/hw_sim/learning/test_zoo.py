"""The games as PettingZoo and Gymnasium ask for them."""

import pytest

from tests.support.episodes import GAMES

zoo_test = pytest.importorskip("pettingzoo.test", reason="needs the extra rl")
env_checker = pytest.importorskip("gymnasium.utils.env_checker")
zoo = pytest.importorskip("hw_sim.learning.zoo")
gym = pytest.importorskip("hw_sim.learning.gym")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("game", ["class", "chicago", "sevens"])
def test_pettingzoo_plays_it(game, capsys):
    zoo_test.api_test(zoo.env(game=game, **GAMES[game]), num_cycles=30)
    assert "Passed" in capsys.readouterr().out


def test_pettingzoo_gets_the_same_match_of_a_seed():
    env, played = zoo.MaexchenEnv(players=3, render_mode="ansi"), []
    for _ in range(2):
        env.reset(seed=7)
        for _ in range(20):
            env.step(int(env.last()[4]["action_mask"].argmax()))
        played.append(env.render())
    assert played[0] == played[1]
    assert "Roll" in played[0]


def test_gymnasium_lets_one_seat_learn_against_bots():
    env_checker.check_env(gym.SeatEnv(rounds=1), skip_render_check=True)
    env, gained = gym.SeatEnv(rounds=1, render_mode="ansi"), []
    for seed in range(50):
        seen, _ = env.reset(seed=seed)
        over = False
        while not over:
            seen, gain, over, _, _ = env.step(int(seen["action_mask"].nonzero()[0][-1]))
        gained.append(gain)
    assert {-1.0, 1.0} <= set(gained)
    assert env.render().startswith("seat 0")
    assert env.step(0)[1:3] == (-1.0, True)
