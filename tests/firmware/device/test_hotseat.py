"""One handheld for all: masked between two hands, and resumed after a power cut."""

from random import Random

import pytest

from firmware.device.hot_seat import HotSeat, HotSeatState
from firmware.display.screens import AlertPage, LookPage, MatchOverPage
from firmware.display.screens import QuestionPage as LobbyScreen
from firmware.display.text.labels import Alert, Text
from firmware.effects import Part, PartFailed, PartWell, Stored
from firmware.input.gestures import Held, Pressed
from firmware.journal import ONE_HANDHELD_KEY, Put
from firmware.lobby.choices import OneHandheld, OneHandheldError
from firmware.lobby.lobby import Lobby
from firmware.settings import SettingsError
from firmware.table.seat import voting
from firmware.table.seat.cup_custody import Position
from firmware.table.seat.turn import wish
from game import RULES
from game.actions import StopMatch
from tests.support.lobbies import KEY, NAMES, Lone, PowerCutError
from tests.support.net import MS, S


def masked(name, progress=None):
    return LobbyScreen(Text.HAND_TO, hint=Text.HINT_HAND_TO, progress=progress, large=name)


def test_it_goes_from_hand_to_hand(lone):
    """Between two players nothing is to be seen but a name."""
    rng = Random(4)
    seat = lone.begin(first=1)
    assert lone.cores[0].screen == masked("Ben")
    hands = 0
    for _ in range(24):
        if seat.hand is HotSeatState.MASKED:
            assert lone.cores[0].screen == masked(NAMES[seat.turn])
            hands += 1
        else:
            assert not isinstance(seat.seats[1 - seat.turn].screen, LookPage)
        lone.play(rng)
    assert hands > 3
    for one in seat.seats:
        wish(one.own_seat, StopMatch(), lone.now_us)
    lone.until(lambda: all(one.position is Position.OVER for one in seat.seats))
    lone.wait(10 * S)
    if seat.hand is HotSeatState.MASKED:
        lone.tap(0)
    assert isinstance(lone.cores[0].screen, MatchOverPage)
    assert lone.cores[0].screen.more
    lone.tap(0)
    assert isinstance(lone.seat, Lobby)
    lone.reboot()
    assert isinstance(lone.seat, Lobby), "what is over is not resumed"


def test_a_hold_on_the_mask_gives_the_match_up(lone):
    lone.begin()
    lone.do(0, Pressed(lone.now_us))
    lone.wait(500 * MS)
    assert lone.cores[0].screen == masked("Ana", progress=0.5)
    lone.wait(300 * MS)
    lone.do(0, Held(lone.now_us))
    assert isinstance(lone.seat, Lobby)
    lone.reboot()
    assert isinstance(lone.seat, Lobby)


def test_nothing_happens_behind_a_part_that_failed(lone):
    seat = lone.begin()
    lone.do(0, PartFailed(Part.LIGHT))
    assert isinstance(lone.cores[0].screen, AlertPage)
    lone.tap(0)
    lone.hold(0)
    assert seat.hand is HotSeatState.MASKED
    assert lone.seat is seat
    lone.do(0, PartWell(Part.LIGHT))
    assert lone.cores[0].screen == masked("Ana")


def test_nobody_here_is_ever_gone(lone):
    seat = lone.begin()
    lone.tap(0)
    lone.wait(60 * S)
    assert voting.gone(seat.seats[0].own_seat, lone.now_us) == ()


def known(core):
    """Return the match as a seat knows it."""
    return core.match, core.own_seat.log.at


@pytest.mark.whole
@pytest.mark.parametrize("game", ["class", "chicago", "sevens"])
def test_a_power_cut_after_any_write_loses_nothing(tmp_path, game):
    """Cut after every write in turn: all seats know what they knew, and the match goes on."""
    names = ("Ana", "Ben", "Cem")
    for cut in range(2, 34, 8):
        folder = tmp_path / f"{cut}"
        folder.mkdir()
        lone = Lone(folder, seed=cut)
        seat = lone.begin(game, names, people=3)
        rng = Random(cut)
        lone.cut_at = cut
        with pytest.raises(PowerCutError):
            lone.play_on(rng)
        before = [known(core) for core in seat.seats]
        lone.reboot()
        assert lone.seat is not seat
        assert lone.seat.hand is HotSeatState.MASKED
        assert lone.cores[0].screen == masked(names[lone.seat.turn])
        assert [known(core) for core in lone.seat.seats] == before or _told_more(
            lone.seat.seats, before
        )
        assert sum(core.own_seat.holding for core in lone.seat.seats) <= 1
        seat = lone.seat
        turn = seat.seats[0].match.turn
        for _ in range(12):
            if lone.seat is seat:
                lone.play(rng)
        assert seat.seats[0].match.turn > turn
        lone.journal.close()


def _told_more(seats, before):
    """A resumed holder tells at once what the others did not know yet; else nothing changes."""
    newest = max(at.index for _, at in before)
    assert any(at.index < newest for _, at in before)
    return all(core.own_seat.log.index == newest for core in seats)


def test_a_disk_that_fails_stops_it_and_says_so(lone):
    lone.begin()
    lone.tap(0)
    lone.do(0, Stored(1000, "the disk is full"))
    assert lone.cores[0].screen == AlertPage(Alert.STORE)


def test_a_table_that_was_known_is_no_longer(lone):
    lone.begin()
    lone.reboot()
    assert isinstance(lone.seat, HotSeat)
    assert lone.cores[0].standing is None


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"\xff", b'{"game": "go"}'])
def test_a_match_that_cannot_be_read_is_refused(data):
    with pytest.raises(OneHandheldError, match="cannot be read"):
        OneHandheld.decode(data)


def test_a_journal_that_does_not_go_together_is_refused_in_one_line(lone):
    lone.begin()
    wanted = OneHandheld(RULES["class"], ("Ana", "Ben", "Cem"), 2, 1, KEY)
    lone.journal.write((Put(ONE_HANDHELD_KEY, wanted.encode()),))
    with pytest.raises(SettingsError, match="move it away"):
        lone.reboot()
