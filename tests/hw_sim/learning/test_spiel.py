"""The games as OpenSpiel asks for them."""

import pytest

from tests.support.episodes import GAMES

pyspiel = pytest.importorskip("pyspiel", reason="needs the extra rl")
spiel = pytest.importorskip("hw_sim.learning.spiel")


OPTIONS = {
    "class": {"ends": "last_standing", "understating": "lie"},
    "holy-family": {"points": "2"},
    "chicago": {"levelling": "yes"},
    "sevens": {"seven_dice": "yes", "rounds": "2"},
}


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
