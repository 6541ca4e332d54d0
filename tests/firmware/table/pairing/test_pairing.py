"""Strangers become a table: over bad air, against forgeries, and with somebody in between."""

from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.table.pairing.pairing import Pairing
from firmware.table.pairing.state import NUMBERS, PairingFailure, PairingPhase, numbers_of
from firmware.table.protocol.invitations import (
    is_invitation,
    name_bytes,
)
from game.options import SetupError
from tests.support.pairing_room import CLASS, NAMES, Room, device


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


@pytest.mark.parametrize("size", range(3, 10))
def test_all_handhelds_show_the_same_numbers_and_agree_on_the_table(size):
    room = Room(size, seed=size)
    room.compare(first=1)
    assert len({core.state.numbers for core in room.cores}) == 1
    assert all(len(core.state.numbers) == 5 for core in room.cores)
    room.stand()
    check_table(room)
    assert room.host.state.agreed.first == 1


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(3, 5), st.floats(0, 0.5), st.floats(0, 0.4))
def test_loss_copies_and_disorder_only_cost_time(seed, size, loss, mess):
    room = Room(size, seed, loss, mess)
    room.compare()
    assert len({core.state.numbers for core in room.cores}) == 1
    room.stand()
    check_table(room)


def test_a_host_that_was_cut_off_after_it_stood_answers_every_late_tap():
    room = Room(3)
    room.compare()
    room.host.tap(room.now_us)
    room.cores[1].tap(room.now_us)
    room.until(lambda: len(room.host.role.taps) == 2)
    room.cores[2].tap(room.now_us)
    room.loss = 0.0
    frames = room.cores[2].take()
    room.host.receive(frames[-1].frame, room.now_us)
    room.host.take()  # what it said is lost
    assert room.host.state.phase is PairingPhase.STANDS
    room.reach(PairingPhase.STANDS)
    check_table(room)


def test_who_holds_ends_it_for_all():
    room = Room(4)
    room.compare()
    room.cores[2].differ()
    room.reach(PairingPhase.BROKEN)
    assert {core.state.broken for core in room.cores} == {PairingFailure.DIFFERS}


def test_watchers_have_the_places_behind_the_players():
    room = Room(3, watchers=2)
    room.gather()
    room.host.arrange([device(4), device(2), device(1), device(0), device(3)])
    room.until(lambda: all(core.state.people == room.host.state.people for core in room.cores))
    names = [person.name for person in room.host.state.people]
    assert names == ["Cem", "Ben", "Ana", "Eli", "Dea"]
    room.host.close(CLASS, 2, room.now_us)
    room.reach(PairingPhase.COMPARING)
    room.stand()
    check_table(room)


def test_too_few_players_are_told_before_anything_is_revealed():
    room = Room(2)
    room.gather()
    with pytest.raises(SetupError):
        room.host.close(CLASS, 0, room.now_us)
    assert room.host.state.phase is PairingPhase.GATHERING
    assert not room.host.take()


@pytest.mark.parametrize("name", [NAMES[1], "BEN", "\u0412\u0435n", "Ben."])
def test_two_players_of_one_name_are_not_seated(name):
    room = Room(3)
    room.cores[2] = Pairing.join(
        device(7), name, device(0), room.host.state.session, Random(9).randbytes
    )
    for _ in range(60):
        room.step()
    assert [person.name for person in room.host.state.people] == ["Ana", "Ben"]
    assert room.cores[2].state.place is None


def test_names_that_do_not_travel_are_told():
    with pytest.raises(ValueError, match="16 fit: 'Maximiliane-Otti'"):
        name_bytes("Maximiliane-Ottilie")
    with pytest.raises(ValueError, match="nothing to see"):
        name_bytes("  ")
    assert not is_invitation(b"\x11" * 40)


def test_the_compared_numbers_carry_20_bits_in_any_order():
    """Order tells nothing: they ascend, and a number whose digits are turned round is none."""
    assert len({frozenset(str(each)) for each in NUMBERS}) == len(NUMBERS) == 45
    assert comb(45, 5) > 2**20
    for n in range(300):
        numbers = numbers_of(n.to_bytes(32, "big"))
        assert list(numbers) == sorted(set(numbers))
        assert len(numbers) == 5
