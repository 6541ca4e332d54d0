"""Lobbies that host and come by themselves, and the lobby of a host that only watches."""

from random import Random

import pytest

from firmware.lobby.host import CLOSES_US, WAITS_US, AutoLobby, HostedSeat, HostLobby
from firmware.table.protocol.invitations import InvitationKind, head_of
from game import RULES, SetupError
from tests.support.pairing_room import NAMES, S, device

SEVENS = RULES["sevens"]
STEP_US = 100_000


class Air:
    """Lobbies by number in one room; ``deaf`` ones hear nothing."""

    def __init__(self, size=2, seed=0, loss=0.0, mess=0.0, players=None):
        self.rng = Random(f"air {seed}")
        self.loss, self.mess, self.now_us = loss, mess, 0
        self.deaf, self.on_way, self.said = set(), [], []
        self.lobbies = [
            AutoLobby.host(device(0), NAMES[0], SEVENS, players or size, self.chance(0))
        ]
        for at in range(1, size):
            self.lobbies.append(AutoLobby.guest(device(at), NAMES[at], self.chance(at)))

    def chance(self, at):
        return Random(f"chance {at} {self.rng.random()}").randbytes

    def step(self):
        due = [each for each in self.on_way if each[0] <= self.now_us]
        self.on_way = [each for each in self.on_way if each[0] > self.now_us]
        for _, at, frame in due:
            if at not in self.deaf:
                self.lobbies[at].receive(frame, self.now_us)
        for at, lobby in enumerate(self.lobbies):
            lobby.tick(self.now_us)
            for _, frame in lobby.take():
                self.said.append(frame)
                self.send(frame, at)
        self.now_us += STEP_US

    def send(self, frame, sender):
        for other in range(len(self.lobbies)):
            copies = (self.rng.random() >= self.loss) + (self.rng.random() < self.mess)
            for _ in range(0 if other == sender else copies):
                late_us = self.rng.randrange(3 * S) if self.rng.random() < self.mess else 0
                self.on_way.append((self.now_us + late_us, other, frame))

    def until(self, is_so, most_s=120):
        end_us = self.now_us + most_s * S
        while not is_so():
            assert self.now_us < end_us, "in vain"
            self.step()

    def pass_s(self, seconds):
        end_us = self.now_us + seconds * S
        self.until(lambda: self.now_us >= end_us)

    @property
    def all_stand(self):
        return all(each.stood is not None for each in self.lobbies)

    def check(self):
        stood = [each.stood for each in self.lobbies]
        assert len({each.agreed.session for each in stood}) == 1
        assert len({each.agreed.key for each in stood}) == 1
        assert [each.agreed.me for each in stood] == [
            each.names.index(NAMES[at]) for at, each in enumerate(stood)
        ]
        assert len({each.numbers for each in self.lobbies}) == 1
        assert len(self.lobbies[0].numbers) == 5


@pytest.mark.parametrize(("loss", "mess"), [(0.0, 0.0), (0.3, 0.0), (0.0, 0.3), (0.3, 0.3)])
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("size", [2, 4])
def test_those_in_a_room_become_one_table(size, seed, loss, mess):
    air = Air(size, seed, loss, mess)
    air.until(lambda: air.all_stand, 300)
    air.check()


def test_a_host_refuses_who_comes_too_many():
    air = Air(3, players=2)
    air.until(lambda: sum(each.stood is not None for each in air.lobbies) == 2)
    air.until(lambda: any(each.is_refused for each in air.lobbies))
    assert [each.is_refused for each in air.lobbies] == [each.stood is None for each in air.lobbies]


def test_a_host_alone_waits():
    air = Air(1, players=2)
    air.pass_s(60)
    assert [each.name for each in air.lobbies[0].people] == ["Ana"]
    assert {head_of(frame).kind for frame in air.said} == {InvitationKind.TABLE}


def test_a_guest_that_falls_silent_in_the_middle_makes_the_host_open_anew():
    air = Air(2)
    host, guest = air.lobbies
    air.until(lambda: len(host.people) == 2)
    air.deaf.add(1)
    air.pass_s(CLOSES_US / S + 2)
    assert host.stood is None
    assert len(host.people) == 1
    air.deaf.clear()
    air.until(lambda: air.all_stand)
    air.check()
    assert not guest.is_refused


def test_a_host_that_begins_anew_gets_its_guest_again():
    air = Air(2)
    air.until(lambda: len(air.lobbies[0].people) == 2)
    air.lobbies[0] = AutoLobby.host(device(0), NAMES[0], SEVENS, 2, air.chance(7))
    air.until(lambda: air.all_stand)
    air.check()


def test_a_guest_that_begins_anew_while_the_host_gathers_sits_down():
    air = Air(2, players=3)
    air.until(lambda: len(air.lobbies[0].people) == 2)
    air.lobbies[1] = AutoLobby.guest(device(1), NAMES[1], air.chance(7))
    air.lobbies.append(AutoLobby.guest(device(2), NAMES[2], air.chance(8)))
    air.until(lambda: air.all_stand)
    air.check()


def test_a_host_that_was_away_since_answers_a_guest_that_has_not_heard_that_the_table_stands():
    air = Air(2)
    host, guest = air.lobbies
    air.until(lambda: host.numbers != ())
    while host.stood is None:
        air.deaf.add(1)
        air.step()
        if host.stood is None:
            air.deaf.clear()
    assert guest.stood is None
    air.on_way.clear()
    air.lobbies[0] = again = AutoLobby.host(
        device(0), NAMES[0], SEVENS, 2, air.chance(7), host.stood
    )
    again.numbers = host.numbers
    air.deaf.clear()
    air.until(lambda: air.all_stand)
    air.check()


def test_a_guest_that_is_told_where_to_come_believes_no_notice():
    air = Air(2)
    air.lobbies[1] = guest = AutoLobby.guest(device(1), NAMES[1], air.chance(7), finds=False)
    air.pass_s(5)
    assert (guest.people, guest.stood) == ((), None)
    table = next(frame for frame in air.said if head_of(frame).kind is InvitationKind.TABLE)
    guest.meet(device(0), head_of(table).session, air.now_us)
    air.until(lambda: air.all_stand)
    air.check()


def test_a_guest_that_has_tapped_sits_down_before_it_comes_to_the_next_table():
    air = Air(2)
    guest = air.lobbies[1]
    air.until(lambda: guest.numbers != ())
    assert guest.stood is None
    guest.meet(device(0), b"next", air.now_us)
    air.until(lambda: air.all_stand, WAITS_US // S)
    air.check()
    air.step()
    assert head_of(air.said[-1]).session == b"next"


@pytest.mark.parametrize("frame", [b"", b"x", bytes(100)], ids=len)
def test_what_is_no_frame_of_a_lobby_changes_nothing(frame):
    air = Air(2)
    for lobby in air.lobbies:
        lobby.receive(frame, 0)
    assert air.lobbies[1].take() == []


def test_rules_for_other_numbers_of_players_are_refused_at_once():
    with pytest.raises(SetupError):
        AutoLobby.host(device(0), "Ana", SEVENS, 1, bytes)


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
