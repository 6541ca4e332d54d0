"""Lobbies that host and come by themselves, and the lobby of a host that only watches."""

from random import Random

import pytest

from firmware.lobby.host import CLOSES_US, WAITS_US, AutoLobby, HostedSeat, HostLobby
from firmware.table.protocol.invitations import head_of
from game import RULES, SetupError
from tests.support.net import S, device
from tests.support.pairing_room import NAMES, Gathering

SEVENS = RULES["sevens"]


class Air(Gathering):
    """Lobbies by number in one room."""

    def __init__(self, size=2, seed=0, loss=0.0, mess=0.0, players=None):
        super().__init__([], seed, loss, mess)
        self.cores.append(
            AutoLobby.host(device(0), NAMES[0], SEVENS, players or size, self.chance(0))
        )
        for at in range(1, size):
            self.cores.append(AutoLobby.guest(device(at), NAMES[at], self.chance(at)))

    def chance(self, at):
        return Random(f"chance {at} {self.rng.random()}").randbytes

    def become_one_table(self, most_s=120):
        self.until(lambda: all(each.stood is not None for each in self.cores), most_s)
        stood = [each.stood for each in self.cores]
        assert len({each.agreed.session for each in stood}) == 1
        assert len({each.agreed.key for each in stood}) == 1
        assert [each.agreed.me for each in stood] == [
            each.names.index(NAMES[at]) for at, each in enumerate(stood)
        ]
        assert len({each.numbers for each in self.cores}) == 1
        assert len(self.cores[0].numbers) == 5


@pytest.mark.whole
@pytest.mark.parametrize(("loss", "mess"), [(0.3, 0.0), (0.0, 0.3), (0.3, 0.3)])
@pytest.mark.parametrize("size", [2, 4])
def test_those_in_a_room_become_one_table(size, loss, mess):
    air = Air(size, size, loss, mess)
    air.become_one_table(300)


def test_a_host_refuses_who_comes_too_many():
    air = Air(3, players=2)
    air.until(lambda: sum(each.stood is not None for each in air.cores) == 2)
    air.until(lambda: any(each.is_refused for each in air.cores))
    assert [each.is_refused for each in air.cores] == [each.stood is None for each in air.cores]


def test_a_guest_that_falls_silent_in_the_middle_makes_the_host_open_anew():
    air = Air(2)
    host, guest = air.cores
    air.until(lambda: len(host.people) == 2)
    air.lost = lambda _sender, to, _frame: to == 1
    air.air.clear()
    air.wait(CLOSES_US + 2 * S)
    assert host.stood is None
    assert len(host.people) == 1
    air.lost = None
    air.become_one_table()
    assert not guest.is_refused


def test_a_host_that_was_away_since_answers_a_guest_that_has_not_heard_that_the_table_stands():
    air = Air(2)
    host, guest = air.cores
    air.until(lambda: host.numbers != ())
    while host.stood is None:
        air.lost = lambda _sender, to, _frame: to == 1
        air.step()
        if host.stood is None:
            air.lost = None
    assert guest.stood is None
    air.air.clear()
    air.cores[0] = again = AutoLobby.host(device(0), NAMES[0], SEVENS, 2, air.chance(7), host.stood)
    again.numbers = host.numbers
    air.lost = None
    air.become_one_table()


def test_a_guest_that_has_tapped_sits_down_before_it_comes_to_the_next_table():
    air = Air(2)
    guest = air.cores[1]
    air.until(lambda: guest.numbers != ())
    assert guest.stood is None
    guest.meet(device(0), b"next", air.now_us)
    air.become_one_table(WAITS_US // S)
    air.step()
    assert head_of(air.said[-1].frame).session == b"next"


@pytest.mark.parametrize("frame", [b"", b"x", bytes(100)], ids=len)
def test_what_is_no_frame_of_a_lobby_changes_nothing(frame):
    air = Air(2)
    for lobby in air.cores:
        lobby.receive(frame, 0)
    assert air.cores[1].take() == []


def test_rules_for_other_numbers_of_players_are_refused_at_once():
    with pytest.raises(SetupError):
        AutoLobby.host(device(0), "Ana", SEVENS, 1, bytes)


BOT = HostedSeat("Bot", device(7), True)


def hosted(loss=0.0):
    """A room in which two guests have come to a host."""
    air = Air(3, loss=loss, mess=loss)
    host = air.cores[0] = HostLobby(device(0), "Host", air.chance(0), lambda _: False)
    air.until(lambda: len(host.people) == 3)
    return air, host


def stand(air, host, *places):
    seats = [HostedSeat(NAMES[at], device(at), False) for at in places]
    host.stand(SEVENS, [*seats, BOT], 1, air.now_us, waits=False)


@pytest.mark.parametrize("loss", [0.0, 0.3])
def test_guests_and_a_handheld_of_the_host_play_and_the_host_has_no_key_of_a_pair(loss):
    air, host = hosted(loss)
    stand(air, host, 2, 1)
    made = []
    air.until(lambda: made.append(host.take_made()) or made[-1])
    air.until(lambda: all(each.stood for each in air.cores))
    tables = made[-1]
    assert sorted(tables) == [2, 3], "its own handheld, and itself"
    assert tables[2].names == (NAMES[2], NAMES[1], "Bot")
    assert {each.numbers for each in air.cores} == {host.numbers}
    of_guests = air.cores[1].stood.agreed.pairs[0]
    assert of_guests not in tables[3].agreed.pairs.values()
    assert (host.take_made(), host.closes, host.gathers) == (None, False, True)


def test_who_lets_a_list_come_to_nothing_is_named_and_the_next_one_opens():
    air, host = hosted()
    air.lost = lambda _sender, to, _frame: to == 1
    before = host.session
    stand(air, host, 1, 2)
    assert host.closes
    air.wait(CLOSES_US + S)
    assert (host.take_made(), host.silent) == ({}, {device(1)})
    assert host.session != before
    air.until(lambda: len(host.people) == 2)
    stand(air, host, 2)
    air.until(lambda: host.take_made())
    assert host.silent == frozenset()
