"""What is not the play itself: hands that slip, players who leave, votes, and dials alone."""

from dataclasses import replace

import pytest

from game import Status
from game.actions import Fault, FaultKind, Leave, Lift, Look, StopMatch, VoidRound
from hw_sim.players.player import Wish
from hw_sim.players.slips import Slips
from tests.support.matches import complaints, setup_for

SEED = 12
"""Three players in most games, and few rounds."""
ALL = ("class", "physicist", "holy-family", "maxen", "chicago", "sevens")
LIMIT_S = 3600.0


@pytest.fixture
def play_so(play):
    """Play a match of a game in which every player is changed by ``change(player)``."""

    def play_it(game, change, seed=SEED, players=3, **changed):
        def prepare(table):
            for player in table.players:
                change(player)

        setup = setup_for(game, seed, players=players, **changed)
        return play(setup, prepare=prepare, limit_s=LIMIT_S)

    return play_it


def actions_of(played, kind):
    return [action for action in played.outcome.record.actions if isinstance(action, kind)]


def slipping(drops=0.0, shakes=0.0, honest=1.0):
    def change(player):
        player.slips = Slips(drops, shakes, honest)

    return change


# ---- faults --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "slips", "kind"),
    [
        ("physicist", {"drops": 0.3}, FaultKind.DROP),
        ("holy-family", {"shakes": 0.2}, FaultKind.MOVE),
    ],
)
def test_r_phys_7_r_hf_5_a_fault_is_asked_about_and_counts_if_it_is_admitted(
    game, slips, kind, play_so
):
    played = play_so(game, slipping(**slips))
    assert complaints(played) == []
    assert {fault.kind for fault in actions_of(played, Fault)} >= {kind}


def test_r_phys_7_a_fault_that_is_denied_does_not_count(play_so):
    asked = []

    def change(player):
        slipping(drops=0.4, honest=0.0)(player)
        admit = player._admit

        async def watched():
            asked.append(player.seat)
            await admit()

        player._admit = watched

    played = play_so("physicist", change)
    assert complaints(played) == []
    assert asked
    assert FaultKind.DROP not in {fault.kind for fault in actions_of(played, Fault)}


def test_strict_tables_ask_nobody(play_so):
    played = play_so("physicist", slipping(drops=0.3, honest=0.0), faults="strict")
    assert complaints(played) == []
    assert FaultKind.DROP in {fault.kind for fault in actions_of(played, Fault)}


@pytest.mark.parametrize("game", ["class", "sevens"])
def test_b_9_where_a_game_knows_no_faults_the_handheld_only_warns(game, play_so):
    played = play_so(game, slipping(drops=0.3, shakes=0.2))
    assert complaints(played) == []
    assert actions_of(played, Fault) == []


# ---- leaving, voiding, stopping (B-10) -----------------------------------------------------------


@pytest.mark.parametrize("game", ALL)
def test_b_10_a_player_leaves_and_the_others_play_on(game, play_so):
    def change(player):
        if player.seat == 1:
            player.wish = Wish(2, Leave(1))

    played = play_so(game, change)
    assert complaints(played, refereed=game in ALL[:3]) == []
    assert actions_of(played, Leave) == [Leave(1)]
    match = played.outcome.match
    assert match.status[1] is Status.LEFT
    assert 1 not in match.outcome.losers


@pytest.mark.parametrize("game", ["physicist", "maxen"])
def test_b_10_of_two_who_leaves_ends_the_match_without_a_loser(game, play_so):
    def change(player):
        if player.seat == 0:
            player.wish = Wish(1, Leave(0))

    played = play_so(game, change, players=2)
    assert complaints(played, refereed=False) == []
    assert (played.outcome.match.outcome.rule, played.outcome.match.outcome.losers) == ("B-10", ())


@pytest.mark.parametrize("game", ALL)
def test_b_10_two_of_three_stop_the_match(game, play_so):
    def change(player):
        if player.seat != 2:
            player.wish = Wish(1, StopMatch())

    played = play_so(game, change)
    assert complaints(played) == []
    assert actions_of(played, StopMatch) == [StopMatch()]
    assert played.outcome.match.outcome.losers == ()


def test_b_10_one_alone_stops_nothing(play_so):
    def change(player):
        if player.seat == 0:
            player.wish = Wish(1, StopMatch())

    played = play_so("sevens", change)
    assert complaints(played) == []
    assert actions_of(played, StopMatch) == []


@pytest.mark.parametrize("game", ["holy-family", "sevens"])
def test_b_10_the_table_voids_a_round(game, play_so):
    def change(player):
        player.wish = Wish(1, VoidRound())

    played = play_so(game, change)
    assert complaints(played) == []
    assert actions_of(played, VoidRound)


# ---- by dial, tap and hold alone -----------------------------------------------------------------


@pytest.mark.parametrize("game", ALL)
def test_every_game_can_be_played_by_dial_tap_and_hold_alone(game, play_so):
    gestures = []

    def change(player):
        player.personality = replace(player.personality, physical=0.0, nosy=0.0)
        player.slips = Slips()
        hands = player._do
        hands.shake = hands.lift = gestures.append

    played = play_so(game, change, players=3 if game == "class" else 2)
    assert complaints(played) == []
    assert gestures == []
    if game in ALL[:3]:
        assert actions_of(played, Look)
        assert actions_of(played, Lift)
