"""The core: whole matches by tilt, tap and hold alone, the shortcuts beside them, and the menu."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.display import screens
from firmware.display.oled.pages.lists import most_pages
from firmware.display.text.labels import Alert
from firmware.effects import Presence
from firmware.input import gestures as hand
from firmware.input.controls import LocalChoice
from firmware.input.gestures import Shaken
from firmware.play.turn.overlays import OPENING_US
from firmware.table.protocol.messages import Wish, WishKind
from firmware.table.seat.cup_custody import Position
from game import RULES, Phase, Status
from game import actions as do
from tests.support import core_table as cores
from tests.support.net import MS, S
from tests.support.nights import at_night, whole
from tests.support.seats import cheat

# ---- whole matches -------------------------------------------------------------------------------


@pytest.mark.whole
@pytest.mark.parametrize(
    "game",
    ["holy-family", "sevens", *map(whole, ("class", "physicist", "chicago")), at_night("maxen")],
)
@settings(max_examples=2)
@given(
    size=st.integers(2, 5),
    seed=st.integers(0, 2**32),
    disk_us=st.sampled_from([0, 4 * MS, 90 * MS]),
    air_us=st.sampled_from([0, 30 * MS, 400 * MS, 1_700 * MS]),
)
def test_any_match_of_any_game_can_be_played_with_the_dial_alone(game, size, seed, disk_us, air_us):
    """Slow disks and a slow air change nothing."""
    size = max(size, RULES[game].fewest_players)
    slow = {"disk_us": disk_us, "air_us": air_us}
    table = cores.CoreTable(
        size, game=game, seed=seed, first=seed % size, **slow, **cores.SHORT[game]
    )
    table.walk(Random(seed))
    table.wait(60 * S)
    table.check_the_end()


# ---- one grammar ---------------------------------------------------------------------------------


def thrown(*dice, **options):
    """Give a table of three whose first seat has thrown."""
    table = cores.CoreTable(3, dice={0: dice or [(6, 3)]}, **options)
    table.shake(0)
    return table


def offered(value=65, **options):
    """Give a table at which Ana has announced, and Ben is offered the cup."""
    table = thrown(**options)
    table.choose(0, do.Announce(value))
    table.wait(S)
    assert table[1].position is Position.OFFERED
    return table


def test_a_third_roll_is_refused_with_a_word():
    table = thrown((6, 3), (5, 4))
    table.shake(0)
    table.shake(0)
    assert table[0].screen == screens.AlertPage(Alert.NO_THROW)
    assert len(table[0].actions) == 2
    table.wait(2_500 * MS)
    assert isinstance(table[0].screen, screens.ClosedPage)


@pytest.mark.parametrize(
    ("game", "choice", "alert"),
    [
        ("class", do.ShowMaexchen(), Alert.NO_MAEXCHEN),
        ("holy-family", do.ShowTower(), Alert.NO_TOWER),
    ],
)
def test_showing_what_does_not_lie_there_does_nothing(game, choice, alert):
    table = thrown((6, 3), game=game)
    table.lift(0)
    table.cover(0)
    told, actions = len(table[0].left), table[0].actions
    table.choose(0, choice)
    assert table[0].screen == screens.AlertPage(alert)
    assert table[0].actions == actions
    assert len(table[0].left) == told


# ---- what is shown beside ------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_the_scores_stay_six_seconds_or_until_a_tap(seat):
    table = cores.CoreTable(3)
    before = table[seat].screen
    if seat == 0:
        table.choose(0, LocalChoice.MORE)
        table.choose(0, LocalChoice.SCORES)
    else:
        table.tap(1)
    shown = table[seat].screen
    assert isinstance(shown, screens.StandingsPage)
    assert [row.me for row in shown.rows] == [place == seat for place in range(3)]
    table.wait(5 * S)
    assert table[seat].screen is shown
    table.wait(S)
    assert type(table[seat].screen) is type(before)
    table.tap(seat)
    table.tap(seat)
    assert type(table[seat].screen) is type(before)


def test_who_has_been_given_the_cup_opens_without_a_tap():
    table = offered()
    table.choose(1, do.Doubt())
    assert table[0].screen.verdict.of_reader
    assert not table[1].screen.verdict.of_reader
    table.wait(60 * S)
    assert isinstance(table[0].screen, screens.RevealPage), "the doubter still reads it"
    table.choose(1, LocalChoice.GO_ON)
    table.wait(OPENING_US)
    assert isinstance(table[0].screen, screens.ClosedPage)
    assert isinstance(table[2].screen, screens.RevealPage), "nobody waits for who only watches"


def test_covering_ends_the_reading_of_the_dice_at_the_cup_only():
    table = offered()
    table.lift(1)
    table.wait(S)
    table.cover(1)
    table.cover(2)
    assert table[1].screen.dice is None
    assert table[1].screen.mine_to_go_on
    assert table[2].screen.dice == (6, 3)


def test_a_dark_room_is_told_where_a_lift_could_matter():
    table = thrown()
    table.do(0, hand.TooDark(0, True))
    table.do(1, hand.TooDark(0, True))
    assert table[0].screen == screens.AlertPage(Alert.TOO_DARK)
    assert isinstance(table[1].screen, screens.WaitingPage)
    assert table[1].handheld.view().too_dark
    table.wait(3 * S)
    table.do(0, hand.TooDark(0, False))
    assert not table[0].handheld.view().too_dark
    assert isinstance(table[0].screen, screens.ClosedPage)


def test_time_never_runs_back():
    handheld = cores.CoreTable(3)[0].handheld
    handheld.handle(hand.Dropped(5 * S), 5 * S)
    assert handheld.view().notice.until_us == 7_500 * MS
    handheld.handle(hand.TooDark(S, False), S)
    assert handheld.play.now_us == 5 * S
    assert handheld.view().notice is not None


def test_who_would_carry_and_is_gone_is_waited_for_by_who_is_not_reached_without():
    table = thrown()
    table.lost = lambda sender, receiver, message: True
    for place in table.places:
        place.handheld.play.carrier = 2
    table.choose(0, do.Announce(65))
    table.wait(S)
    assert table[0].screen.carrier is None
    for at in (0, 1):
        table.do(at, Presence(2, False))
    assert table[0].screen == screens.OnItsWayPage(
        "Ben", do.Announce(65), screens.Delivery.CALLING, "Cem"
    )
    assert table[1].screen.carrier == "Cem"
    table.do(0, Presence(1, True))
    assert table[0].screen.carrier is None, "Ben is at the broker as well"
    table.do(1, Presence(2, True))
    assert table[1].screen.carrier is None


def test_who_a_broker_calls_gone_is_shown_to_be_and_is_no_more_than_that():
    table = thrown()
    table.lost = lambda sender, receiver, message: {sender, receiver} & {1} != set()
    table.do(0, Presence(1, False))
    table.do(0, Presence(2, False))
    table.choose(0, do.Announce(65))
    table.wait(S)
    assert table[0].screen == screens.OnItsWayPage("Ben", do.Announce(65), screens.Delivery.GONE)
    table.do(0, Presence(1, True))
    assert table[0].screen.state is screens.Delivery.CALLING
    table.do(0, Presence(1, False))
    table.lost = None
    table.wait(10 * S)
    assert table[1].position is Position.OFFERED
    assert table[0].screen.state is screens.Delivery.OFFERED, (
        "what a broker says changes nothing else"
    )


def open_menu(table, seat):
    """Open the menu: on the dial, or where there is none by holding over the standings."""
    if table[seat].dial is None:
        table.tap(seat)
        table.hold(seat)
    else:
        table.choose(seat, LocalChoice.MORE)
    assert isinstance(table[seat].screen, screens.MenuPage)


@pytest.mark.whole
@pytest.mark.parametrize(("game", "seat"), [("class", 1), ("chicago", 0), ("sevens", 1)])
def test_the_help_of_a_game_can_be_paged_through(game, seat):
    table = cores.CoreTable(3, game=game)
    before = table[seat].screen
    open_menu(table, seat)
    table.choose(seat, LocalChoice.HELP)
    assert table[seat].screen == screens.HelpPage(RULES[game], 0)
    table.rest(seat)
    for page in range(1, most_pages(RULES[game])):
        table.pose(seat, 30.0, pause_us=S)
        assert table[seat].screen == screens.HelpPage(RULES[game], page)
    table.pose(seat, 30.0, pause_us=S)
    assert table[seat].screen == screens.HelpPage(RULES[game], most_pages(RULES[game]) - 1)
    table.tap(seat)
    assert table[seat].screen == before


@pytest.mark.whole
@pytest.mark.parametrize("game", ["class", "chicago"])
@pytest.mark.parametrize("leaver", [0, 1, 2])
def test_anybody_may_leave_whoever_has_the_cup(game, leaver):
    table = cores.CoreTable(3, game=game)
    table.do(0, Shaken(0, S))
    open_menu(table, leaver)
    table.choose(leaver, do.Leave(leaver))
    table.wait(10 * S)
    for place in table.places:
        assert place.match.status[leaver] is Status.LEFT
        assert place.actions[-1] == do.Leave(leaver)
    assert not table[leaver].handheld.own_seat.holding
    assert table[leaver].position is Position.WATCHING


MISTAKE = do.Fault(do.FaultKind.OTHER, 3)


@pytest.mark.parametrize(
    ("game", "wished", "alert"),
    [
        ("class", do.VoidRound(), Alert.WISHES_TO_VOID),
        ("physicist", MISTAKE, Alert.WISHES_MISTAKE),
        ("holy-family", MISTAKE, Alert.WISHES_MISTAKE),
    ],
)
def test_what_more_than_half_wish_for_is_done(game, wished, alert):
    table = cores.CoreTable(4, game=game)
    table.choose(0, do.Roll())
    for seat in (1, 2):
        open_menu(table, seat)
        table.choose(seat, wished)
        assert table[seat].screen == screens.AlertPage(Alert.WISHED)
        name = "Dora" if wished == MISTAKE else table.names[seat]
        for other in {0, 1, 2, 3} - {seat}:
            assert table[other].screen == screens.AlertPage(alert, name)
        table.wait(3 * S)
        assert table[0].match.phase is Phase.THROWN
    open_menu(table, 0)
    table.choose(0, wished)
    table.wait(5 * S)
    for place in table.places:
        assert place.actions[-1] == wished
        assert (place.match.phase, place.match.round) == (Phase.OPENING, 2)
        if wished == MISTAKE:
            assert (place.match.tally, place.match.to_act) == ((0, 0, 0, 1), 3)
            verdict = place.screen.verdict
            assert (verdict.judgement, verdict.payer) == (screens.Judgement.MISTAKEN, "Dora")


def test_what_goes_on_elsewhere_closes_no_menu():
    table = cores.CoreTable(3)
    open_menu(table, 2)
    table.choose(0, do.Roll())
    table.choose(0, do.Announce(63))
    assert isinstance(table[2].screen, screens.MenuPage)
    table.choose(1, do.Believe())
    table.choose(1, do.Announce(64))
    assert table[2].position is Position.OFFERED
    assert not isinstance(table[2].screen, screens.MenuPage), "the offer makes room for itself"


def test_a_mistake_of_nobody_here_troubles_nobody():
    table = cores.CoreTable(3, game="physicist")
    table.choose(0, do.Roll())
    for seat in (1, 2):
        for wished in (WishKind.MISTAKE_OF_3, WishKind.MISTAKE_OF_7):
            cheat(table, seat, Wish(1, wished), 0)
    table.wait(5 * S)
    assert table[0].match.phase is Phase.THROWN
    assert table[0].position is Position.MINE
