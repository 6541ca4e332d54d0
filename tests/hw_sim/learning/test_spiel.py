"""The games as OpenSpiel asks for them."""

import pytest

from tests.support.episodes import GAMES

pyspiel = pytest.importorskip("pyspiel", reason="needs the extra rl")
spiel = pytest.importorskip("hw_sim.learning.spiel")


@pytest.mark.parametrize("game", ["physicist", "holy-family", "maxen"])
def test_openspiel_plays_it(game):
    asked = {"game": game, **GAMES[game]}
    asked["options"] = ";".join("=".join(pair) for pair in asked.get("options", {}).items())
    loaded = pyspiel.load_game(spiel.NAME, asked)
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=False, verbose=False)


def test_openspiel_is_told_what_cannot_be_played():
    with pytest.raises(ValueError, match="unknown game 'poker'"):
        spiel.MaexchenGame({"game": "poker"})
