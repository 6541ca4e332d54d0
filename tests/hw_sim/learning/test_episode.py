"""The games for those who train players: the core in numbers."""

from random import Random

import pytest

from game import RULES, IllegalAction, SetupError
from game.actions import Announce, Look, Roll
from hw_sim.learning.episode import Episode, rules_of
from tests.support.episodes import GAMES


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
