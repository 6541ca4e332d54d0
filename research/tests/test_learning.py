"""The games for those who train players: as numbers, for OpenSpiel, PettingZoo and Gymnasium."""

from random import Random

import pytest

from game import RULES, IllegalAction, SetupError
from game.actions import Announce, Look, Roll
from research.learning.episode import Episode, rules_of

GAMES = {game: {"players": 3} for game in RULES} | {
    "class": {"players": 2},
    "physicist": {"players": 3, "rounds": 4},
    "holy-family": {"players": 3, "rounds": 6},
    "maxen": {"players": 3, "rounds": 3},
    "chicago": {"players": 3, "options": {"levelling": "yes"}},
    "sevens": {"players": 2, "options": {"rounds": "3"}},
}


def begun(game, players, rounds=0, options=None):
    return Episode(rules_of(game, players, options), players, rounds=rounds)


def walk(episode, seed):
    """Play by chance; yields before every step."""
    rng = Random(seed)
    while not episode.is_over:
        yield
        if episode.due:
            assert sum(chance for _, chance in episode.due) == pytest.approx(1)
            episode.fall(rng.randrange(len(episode.due)))
        else:
            episode.choose(rng.choice(episode.choices()))


@pytest.mark.parametrize("game", RULES)
def test_what_is_gained_adds_up_to_nothing_and_somebody_has_lost(game):
    episode = begun(game, **GAMES[game])
    for _ in walk(episode, game):
        assert (episode.seat is None) == bool(episode.due)
    assert sum(episode.returns()) == pytest.approx(0)
    assert min(episode.returns()) < 0


def test_only_who_has_looked_knows_the_dice():
    low, high = begun("class", 2), begun("class", 2)
    for episode, dice in ((low, (3, 1)), (high, (6, 6))):
        episode.choose(episode.numbers[Roll()])
        index = next(n for n, (roll, _) in enumerate(episode.due) if roll == Roll(dice))
        episode.fall(index)
    assert [low.knows(seat) == high.knows(seat) for seat in (0, 1)] == [True, True]
    for episode in (low, high):
        episode.choose(episode.numbers[Look()])
        episode.choose(episode.numbers[Announce(31)])
    assert [low.knows(seat) == high.knows(seat) for seat in (0, 1)] == [False, True]


def test_what_is_illegal_is_refused_and_what_has_no_end_needs_rounds():
    episode = begun("class", 2)
    with pytest.raises(IllegalAction):
        episode.choose(episode.numbers[Look()])
    assert episode.seat == 0
    with pytest.raises(SetupError, match="how many rounds"):
        begun("physicist", 2)


def test_a_copy_goes_on_by_itself():
    episode = begun("holy-family", 3)
    for _, _ in zip(walk(episode, 1), range(9)):
        pass
    other, known = episode.copy(), episode.knows(0)
    for _ in walk(other, 2):
        pass
    assert other.is_over
    assert (episode.knows(0), episode.is_over) == (known, False)


pyspiel = pytest.importorskip("pyspiel", reason="needs the extra rl")
spiel = pytest.importorskip("research.learning.spiel")


OPTIONS = {
    "class": {"ends": "last_standing", "understating": "lie"},
    "holy-family": {"points": "2"},
    "chicago": {"levelling": "yes"},
    "sevens": {"seven_dice": "yes", "rounds": "2"},
}


@pytest.mark.whole
@pytest.mark.parametrize("game", ["physicist", "maxen", *OPTIONS])
def test_openspiel_plays_it_and_loads_it_from_its_own_words(game):
    asked = {"game": game, **GAMES[game]}
    if game in OPTIONS:
        asked["options"] = OPTIONS[game]
    asked["options"] = ";".join(":".join(pair) for pair in asked.get("options", {}).items())
    loaded = pyspiel.load_game(spiel.NAME, asked)
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)


def test_openspiel_is_told_what_cannot_be_played():
    for asked, said in (
        ({"game": "poker"}, "unknown game 'poker'"),
        ({"rounds": -1}, "-1 rounds: choose 0"),
        ({"options": "ends=last_standing"}, "options are written name:value;name:value"),
    ):
        with pytest.raises(ValueError, match=said):
            spiel.MaexchenGame(asked)


def test_the_extra_brings_what_openspiel_solves_linear_programs_with():
    lp = pytest.importorskip("open_spiel.python.algorithms.sequence_form_lp")
    value, *_ = lp.solve_zero_sum_game(pyspiel.load_game("kuhn_poker"))
    assert value == pytest.approx(-1 / 18, abs=1e-6)


zoo_test = pytest.importorskip("pettingzoo.test", reason="needs the extra rl")
env_checker = pytest.importorskip("gymnasium.utils.env_checker")
zoo = pytest.importorskip("research.learning.zoo")
gym = pytest.importorskip("research.learning.gym")


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
