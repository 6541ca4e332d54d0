"""How the games are played where players are trained, short ones."""

from game import RULES

GAMES = {game: {"players": 3} for game in RULES} | {
    "class": {"players": 2},
    "physicist": {"players": 3, "rounds": 4},
    "holy-family": {"players": 3, "rounds": 6},
    "maxen": {"players": 3, "rounds": 3},
    "chicago": {"players": 3, "options": {"levelling": "yes"}},
    "sevens": {"players": 2, "options": {"rounds": "3"}},
}
