"""Strangers become a table: over bad air, against forgeries, and with somebody in between.

A guest whose frames another guest passes on: who carries, and who leaves with the carrier.
"""

from math import comb
from random import Random

import pytest

from firmware.table.pairing.pairing import Pairing
from firmware.table.pairing.state import NUMBERS, PairingFailure, PairingPhase, numbers_of
from firmware.table.protocol import invitations as wire
from game import RULES
from game.options import SetupError
from tests.support.net import S, device
from tests.support.pairing_room import CLASS, NAMES, Room


def check_table(room):
    tables = [core.state.agreed for core in room.cores]
    assert len({(t.key, t.people, t.rules, t.first, t.session) for t in tables}) == 1
    assert [t.me for t in tables] == [core.state.at for core in room.cores]
    for one in tables:
        for other in tables:
            if one is not other:
                assert one.pairs[other.me] == other.pairs[one.me]
    pairs = [key for table in tables for key in table.pairs.values()]
    count = len(tables)
    assert len(set(pairs)) == count * (count - 1) // 2, "every two share a key of their own"


@pytest.mark.whole
@pytest.mark.parametrize("size", [3, 9])
def test_all_handhelds_show_the_same_numbers_and_agree_on_the_table(size):
    room = Room(size, seed=size)
    room.compare(first=1)
    assert len({core.state.numbers for core in room.cores}) == 1
    assert all(len(core.state.numbers) == 5 for core in room.cores)
    room.stand()
    check_table(room)
    assert room.host.state.agreed.first == 1
    assert {core.state.agreed.carrier for core in room.cores} == {None}


def test_who_holds_ends_it_for_all():
    room = Room(4)
    room.compare()
    room.cores[2].differ()
    room.reach(PairingPhase.BROKEN)
    assert {core.state.broken for core in room.cores} == {PairingFailure.DIFFERS}


def test_too_few_players_are_told_before_anything_is_revealed():
    room = Room(2)
    room.gather()
    with pytest.raises(SetupError):
        room.host.as_host.close(CLASS, 0, room.now_us)
    assert room.host.state.phase is PairingPhase.GATHERING
    assert not room.host.take()


@pytest.mark.parametrize("name", [NAMES[1], "BEN", "\u0412\u0435n", "Ben."])
def test_two_players_of_one_name_are_not_seated(name):
    room = Room(3)
    room.cores[2] = Pairing.join(
        device(2), name, device(0), room.host.state.session, Random(9).randbytes
    )
    for _ in range(60):
        room.step()
    assert [person.name for person in room.host.state.people] == ["Ana", "Ben"]
    assert room.cores[2].state.place is None


def test_the_compared_numbers_carry_20_bits_in_any_order():
    """Order tells nothing: they ascend, and a number whose digits are turned round is none."""
    assert len({frozenset(str(each)) for each in NUMBERS}) == len(NUMBERS) == 45
    assert comb(45, 5) > 2**20
    for n in range(300):
        numbers = numbers_of(n.to_bytes(32, "big"))
        assert list(numbers) == sorted(set(numbers))
        assert len(numbers) == 5


BEN, DEA = 1, 3


class CarriedRoom(Room):
    """A room in which the last handheld reaches the host through another, while there is a way."""

    def __init__(self, carrier=BEN, **how):
        super().__init__(4, **how)
        self.carrier = carrier
        self.is_broken = False

    def fly(self, sender, receiver, frame):
        if sender == DEA:
            frame = wire.passed_on(frame, device(self.carrier))
        if not (self.is_broken and DEA in (sender, receiver)):
            super().fly(sender, receiver, frame)


def test_with_the_carrier_go_those_whom_it_carries_and_they_come_again_with_it():
    room = CarriedRoom()
    room.gather()
    ben = room.cores[BEN]
    room.is_broken = True
    ben.leave()
    room.until(lambda: len(room.host.state.people) == 2)
    assert [each.name for each in room.host.state.people] == ["Ana", "Cem"]
    session = room.host.state.session
    room.cores[BEN] = Pairing.join(device(BEN), "Ben", device(0), session, Random(9).randbytes)
    room.until(lambda: len(room.host.state.people) == 3)
    settled_us = room.now_us + 5 * S
    room.until(lambda: room.now_us > settled_us)
    assert room.cores[DEA].state.place is not None, "it has heard of nothing"
    room.is_broken = False
    room.until(lambda: len(room.host.state.people) == 4)
    room.gather()


@pytest.mark.parametrize("carrier", [7, 2])
def test_a_guest_whose_carrier_has_no_seat_gets_no_place(carrier):
    room = CarriedRoom(carrier)
    watcher = Pairing.join(
        device(2), "Cem", device(0), room.host.state.session, Random(9).randbytes, watches=True
    )
    room.cores[2] = watcher
    for _ in range(100):
        room.step()
    assert [each.name for each in room.host.state.people] == ["Ana", "Ben", "Cem"]
    assert room.cores[DEA].state.phase is PairingPhase.GATHERING


def test_a_guest_that_does_not_play_the_terms_tells_the_host():
    room = Room(6)
    room.close()
    room.host.state.terms = room.host.state.terms._replace(rules=RULES["chicago"])
    room.host.take()
    closed_us = room.now_us
    room.until(lambda: room.host.state.phase is PairingPhase.BROKEN)
    assert room.host.state.broken is PairingFailure.NO_ANSWER
    assert room.now_us - closed_us < 5 * S
    room.until(lambda: room.cores[BEN].state.phase is PairingPhase.BROKEN)
    assert room.cores[BEN].state.broken is PairingFailure.OTHER_RULES


def test_a_join_that_ends_amid_a_device_is_refused():
    room = Room(2)
    room.cores[1].tick(0)
    ((_, frame),) = room.cores[1].take()
    with pytest.raises(wire.InvitationError, match="6 bytes, not 5"):
        wire.body_of(frame + bytes(5))
