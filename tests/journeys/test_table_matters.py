"""Events beside the play itself: hands that slip, players who leave, votes, and dials alone."""

from dataclasses import replace

import pytest

from game import Status
from game.actions import Fault, FaultKind, Leave, Lift, Look, StopMatch
from hw_sim.players.player import PlayerWish
from hw_sim.players.player_hand import Slips
from tests.support.matches import complaints, short_setup

pytestmark = pytest.mark.whole


@pytest.fixture
def play_so(play):
    """Play a short match of a game in which every player is changed by ``change(player)``."""

    def play_it(game, change, players=3, *, refereed=True, **changed):
        def prepare(table):
            for player in table.players:
                change(player)

        played = play(short_setup(game, players=players, **changed), prepare=prepare)
        assert complaints(played, refereed=refereed) == []
        return played

    return play_it


def actions_of(played, kind):
    return [action for action in played.outcome.record.actions if isinstance(action, kind)]


def kinds_of_faults(played):
    return {fault.kind for fault in actions_of(played, Fault)}


def slipping(drops=0.0, shakes=0.0, honest=1.0):
    def change(player):
        player.slips = Slips(drops, shakes, honest)

    return change


def wishing(action, *seats, since=1):
    """Let the players of these seats want this from a round on."""

    def change(player):
        if player.seat in seats:
            player.wish = PlayerWish(since, action)

    return change


@pytest.mark.parametrize(
    ("game", "slips", "kind"),
    [
        ("physicist", {"drops": 0.4}, FaultKind.DROP),
        ("holy-family", {"shakes": 0.4}, FaultKind.MOVE),
    ],
)
def test_r_phys_7_r_hf_5_a_fault_is_asked_about_and_counts_if_it_is_admitted(
    game, slips, kind, play_so
):
    assert kind in kinds_of_faults(play_so(game, slipping(**slips)))


@pytest.mark.parametrize(
    "game", ["class", pytest.param("maxen", marks=pytest.mark.night), "sevens"]
)
def test_b_10_a_player_leaves_and_the_others_play_on(game, play_so):
    played = play_so(game, wishing(Leave(1), 1, since=1), refereed=game == "class")
    assert actions_of(played, Leave) == [Leave(1)]
    match = played.outcome.match
    assert match.status[1] is Status.LEFT
    assert 1 not in match.outcome.losers


@pytest.mark.parametrize("wanting", [(0,), (0, 1)])
def test_b_10_two_of_three_stop_the_match_and_one_alone_does_not(wanting, play_so):
    played = play_so("sevens", wishing(StopMatch(), *wanting))
    stopped = len(wanting) == 2
    assert actions_of(played, StopMatch) == [StopMatch()] * stopped
    assert (played.outcome.match.outcome.losers == ()) is stopped


@pytest.mark.parametrize(
    "game",
    [*(pytest.param(each, marks=pytest.mark.night) for each in ("class", "maxen")), "sevens"],
)
def test_a_game_of_each_family_can_be_played_by_dial_tap_and_hold_alone(game, play_so):
    gestures = []

    def change(player):
        player.personality = replace(player.personality, physical=0.0, nosy=0.0)
        player.slips = Slips()
        hands = player._do
        hands.shake = hands.lift = gestures.append

    played = play_so(game, change, players=3 if game == "class" else 2)
    assert gestures == []
    if game == "class":
        assert actions_of(played, Look)
        assert actions_of(played, Lift)
