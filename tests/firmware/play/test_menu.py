"""The menu: reading on, leaving, and what only the table together can end (B-10)."""

import pytest

from firmware.display.oled.pages.lists import most_pages
from firmware.display.screens import (
    AlertPage,
    Judgement,
    MenuPage,
)
from firmware.display.screens import HelpPage as HelpScreen
from firmware.display.text.labels import Alert
from firmware.input.controls import Help, More
from firmware.input.gestures import Shaken
from firmware.table.protocol.messages import Wish, WishKind
from firmware.table.seat.cup_custody import Position
from game import RULES, Phase, Status
from game import actions as do
from tests.support import core_table as cores
from tests.support.seats import cheat

S = 1_000_000
GAMES = tuple(RULES)


def open_menu(table, seat):
    """Open the menu: on the dial, or where there is none by holding over the standings."""
    if table[seat].dial is None:
        table.tap(seat)
        table.hold(seat)
    else:
        table.choose(seat, More())
    assert isinstance(table[seat].screen, MenuPage)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("game", GAMES)
def test_the_help_of_every_game_can_be_paged_through(game, seat):
    table = cores.CoreTable(3, game=game)
    before = table[seat].screen
    open_menu(table, seat)
    table.choose(seat, Help())
    assert table[seat].screen == HelpScreen(RULES[game], 0)
    table.rest(seat)
    for page in range(1, most_pages(RULES[game])):
        table.pose(seat, 30.0, pause_us=S)
        assert table[seat].screen == HelpScreen(RULES[game], page)
    table.pose(seat, 30.0, pause_us=S)
    assert table[seat].screen == HelpScreen(RULES[game], most_pages(RULES[game]) - 1)
    table.tap(seat)
    assert table[seat].screen == before


@pytest.mark.parametrize("game", GAMES)
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


def test_a_round_is_void_once_more_than_half_want_it():
    table = cores.CoreTable(4)
    table.choose(0, do.Roll())
    for seat, others in ((1, (0, 2, 3)), (2, (0, 1, 3))):
        open_menu(table, seat)
        table.choose(seat, do.VoidRound())
        assert table[seat].screen == AlertPage(Alert.WISHED)
        for other in others:
            name = table.names[seat]
            assert table[other].screen == AlertPage(Alert.WISHES_TO_VOID, name)
        table.wait(3 * S)
        assert table[0].match.phase is Phase.THROWN
    open_menu(table, 0)
    table.choose(0, do.VoidRound())
    table.wait(5 * S)
    for place in table.places:
        assert place.actions[-1] == do.VoidRound()
        assert place.match.phase is Phase.OPENING
        assert place.match.round == 2


def test_five_of_nine_void_a_round_and_the_ninth_is_one_of_them():
    table = cores.CoreTable(9)
    table.choose(0, do.Roll())
    for seat in range(8, 3, -1):
        assert table[0].match.phase is Phase.THROWN
        open_menu(table, seat)
        table.choose(seat, do.VoidRound())
        table.wait(5 * S)
    assert {place.actions[-1] for place in table.places} == {do.VoidRound()}


def test_what_goes_on_elsewhere_closes_no_menu():
    table = cores.CoreTable(3)
    open_menu(table, 2)
    table.choose(0, do.Roll())
    table.choose(0, do.Announce(63))
    assert isinstance(table[2].screen, MenuPage)
    table.choose(1, do.Believe())
    table.choose(1, do.Announce(64))
    assert table[2].position is Position.OFFERED
    assert not isinstance(table[2].screen, MenuPage), "the offer makes room for itself"


@pytest.mark.parametrize("game", ["physicist", "holy-family"])
def test_a_mistake_that_no_sensor_knows_is_booked_once_more_than_half_say_so(game):
    table, mistake = cores.CoreTable(4, game=game), do.Fault(do.FaultKind.OTHER, 3)
    table.choose(0, do.Roll())
    for seat in (1, 2):
        open_menu(table, seat)
        table.choose(seat, mistake)
        assert table[seat].screen == AlertPage(Alert.WISHED)
        assert table[0].screen == AlertPage(Alert.WISHES_MISTAKE, "Dora")
        table.wait(3 * S)
        assert table[0].match.phase is Phase.THROWN
    open_menu(table, 0)
    table.choose(0, mistake)
    table.wait(5 * S)
    for place in table.places:
        assert place.actions[-1] == mistake
        assert place.match.tally == (0, 0, 0, 1)
        assert place.match.to_act == 3
        assert place.screen.verdict.judgement is Judgement.MISTAKEN
        assert place.screen.verdict.payer == "Dora"


def test_a_mistake_of_nobody_here_troubles_nobody():
    table = cores.CoreTable(3, game="physicist")
    table.choose(0, do.Roll())
    for seat in (1, 2):
        for wished in (WishKind.MISTAKE_OF_3, WishKind.MISTAKE_OF_7):
            cheat(table, seat, Wish(1, wished), 0)
    table.wait(5 * S)
    assert table[0].match.phase is Phase.THROWN
    assert table[0].position is Position.MINE
