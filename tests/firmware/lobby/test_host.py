"""The lobby of a host that only watches: who gathers there, and what becomes of a closed list."""

import pytest

from firmware.lobby.auto import CLOSES_US
from firmware.lobby.host import HostedSeat, HostLobby
from tests.firmware.lobby.test_auto import SEVENS, Air
from tests.support.pairing_room import NAMES, S, device

BOT = HostedSeat("Bot", device(7), True)


def hosted(loss=0.0, known=()):
    """A room in which two guests have come to a host, which knows these devices."""
    air = Air(3, loss=loss, mess=loss)
    host = air.lobbies[0] = HostLobby(device(0), "Host", air.chance(0), lambda each: each in known)
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
    air.until(lambda: all(each.stood for each in air.lobbies))
    tables = made[-1]
    assert sorted(tables) == [2, 3], "its own handheld, and itself"
    assert tables[2].names == (NAMES[2], NAMES[1], "Bot")
    assert {each.numbers for each in air.lobbies} == {host.numbers}
    of_guests = air.lobbies[1].stood.agreed.pairs[0]
    assert of_guests not in tables[3].agreed.pairs.values()
    assert (host.take_made(), host.closes, host.gathers) == (None, False, True)


def test_who_lets_a_list_come_to_nothing_is_named_and_the_next_one_opens():
    air, host = hosted()
    air.deaf.add(1)
    before = host.session
    stand(air, host, 1, 2)
    assert host.closes
    air.pass_s(CLOSES_US / S + 1)
    assert (host.take_made(), host.silent) == ({}, {device(1)})
    assert host.session != before
    air.until(lambda: len(host.people) == 2)
    stand(air, host, 2)
    air.until(lambda: host.take_made())
    assert host.silent == frozenset()


@pytest.mark.parametrize("knows", [False, True])
def test_guests_who_are_known_come_at_once_and_strangers_one_after_the_other(knows):
    guests = {device(1), device(2)}
    air, host = hosted(known=guests if knows else set())
    for each in guests:
        host.dismiss(each, air.now_us)
    air.until(lambda: len(host.people) > 1)
    air.pass_s(0.2)
    assert len(host.people) == (3 if knows else 2)
