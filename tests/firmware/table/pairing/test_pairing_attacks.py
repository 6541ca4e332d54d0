"""Pairing with somebody in between, with forged and cut frames, and with noise.

A stranger who hears and says what he likes while a table is formed, and who is really gone.
"""

import re
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.table.pairing import state
from firmware.table.pairing.pairing import Pairing
from firmware.table.pairing.roles import JOIN_US
from firmware.table.pairing.standing import StandingTable
from firmware.table.pairing.state import PairingFailure, PairingPhase
from firmware.table.protocol import invitations as wire
from game import RULES
from tests.support.net import device
from tests.support.pairing_room import CLASS, Room

# Somebody in between


def look_for(room):
    """The host, between two tables, looks for a nonce with which both show the same numbers.

    It has seen what the guest reveals, and has not revealed.
    """
    room.gather()
    host, guest = room.cores
    host.as_host.close(RULES["physicist"], 0, room.now_us)
    fake, reveals, chance = host.state, [], Random(1)
    fake.on_reveal = lambda sender, reveal: reveals.append(reveal) or True
    host.take()
    for at in range(len(fake.people)):
        host.as_host.send_place(at)
    fake.send(None, wire.InvitationKind.TERMS, fake.terms)
    for _, frame in host.take():
        guest.receive(frame, room.now_us)
    for _, frame in guest.take():
        host.receive(frame, room.now_us)
    shown_elsewhere = state.numbers_of(bytes(32))
    while True:
        mine = wire.Reveal(0, fake.proof.mine.key, chance.randbytes(16))
        transcript = state.transcript_of(fake.session, fake.terms, fake.people, (mine, *reveals))
        if state.numbers_of(transcript) == shown_elsewhere:
            return host, guest, shown_elsewhere, mine


def told(core, kind, sender, body, to=None):
    """Whether ``core`` follows a frame of its session from a device."""
    head = wire.Head(kind, sender, to or core.state.me.device, core.state.session)
    return core.receive(wire.packed(head, body), 0)


def _show(core, guest, reveal):
    return told(guest, wire.InvitationKind.REVEAL, core.state.me.device, reveal, wire.EVERYBODY)


@pytest.fixture
def fewer(monkeypatch):
    """Two numbers, so that one nonce in 990 is what somebody looks for."""
    monkeypatch.setattr(state, "COMPARED_NUMBERS", 2)


@pytest.mark.usefixtures("fewer")
def test_a_nonce_that_was_looked_for_is_refused():
    host, guest, wanted, mine = look_for(Room(2, seed=3))
    assert not _show(host, guest, mine)
    assert (guest.state.phase, guest.state.numbers) == (PairingPhase.REVEALING, None)
    assert _show(host, guest, host.state.proof.mine), "only what he committed to counts"
    assert guest.state.numbers != wanted


@pytest.mark.usefixtures("fewer")
def test_without_commitments_the_same_attack_would_pass(monkeypatch):
    host, guest, wanted, mine = look_for(Room(2, seed=3))
    monkeypatch.setattr(state, "compare_digest", lambda one, other: True)
    assert _show(host, guest, mine)
    assert guest.state.numbers == wanted


@pytest.mark.whole
def test_nobody_reveals_before_all_commitments_are_known():
    for seed in range(30):
        room = Room(4, seed, loss=0.4, mess=0.3)
        room.close()
        for _ in range(100):
            before = len(room.said)
            room.step()
            for _, at, _, frame in room.said[before:]:
                if wire.head_of(frame).kind is wire.InvitationKind.REVEAL and at:
                    assert len(room.cores[at].role.people) == 4


def test_who_has_revealed_takes_no_other_list():
    room = Room(3)
    room.compare()
    guest = room.cores[1]
    numbers, people = guest.state.numbers, guest.state.people
    other = Room(3, seed=5)
    for core in other.cores:
        core.state.session = room.host.state.session
    other.close()
    for _, frame in other.host.take():
        guest.receive(frame, room.now_us)
    assert (guest.state.numbers, guest.state.people) == (numbers, people)
    assert guest.state.phase is PairingPhase.COMPARING
    assert not [f for _, f in guest.take() if wire.head_of(f).kind is wire.InvitationKind.REVEAL]


# Frames


def test_changed_frames_change_nothing_that_others_would_notice():
    """Every bit of what is said once all is revealed: refused, or without effect."""
    room = Room(3)
    room.compare()
    for core in room.cores:
        core.tap(room.now_us)
    taps = [frame for core in room.cores[1:] for _, frame in core.take()]
    assert [wire.head_of(frame).kind for frame in taps] == [wire.InvitationKind.TAP] * 2
    for frame, bit in product(taps, range(8 * len(taps[0]))):
        changed = bytearray(frame)
        changed[bit // 8] ^= 1 << bit % 8
        room.host.receive(bytes(changed), room.now_us)
        assert room.host.state.phase is not PairingPhase.STANDS
        assert changed[1] == wire.InvitationKind.DIFFER or len(room.host.as_host.taps) == 1
    for frame in taps:
        assert room.host.receive(frame, room.now_us)
    assert room.host.state.phase is PairingPhase.STANDS


@given(st.binary(max_size=120))
def test_noise_is_refused(noise):
    room = Room(3)
    for frame in (noise, bytes((wire.LAYOUT,)) + noise):
        assert not room.host.receive(frame, 0)
    assert room.host.state.people == (room.host.state.me,)


def test_a_stranger_cannot_join_for_somebody_else():
    room = Room(3)
    assert not told(room.host, wire.InvitationKind.JOIN, device(9), room.cores[1].state.me)


def test_a_key_that_makes_every_secret_equal_is_refused():
    room = Room(3)
    host = room.host
    key, nonce = bytes(32), bytes(16)
    fixed = state.commitment(host.state.session, (device(1), "Ben", False), key, nonce)
    bad = wire.Attendee(device(1), "Ben", False, fixed)
    room.cores.pop(1)
    assert told(host, wire.InvitationKind.JOIN, device(1), bad)
    room.until(lambda: len(host.state.people) == 3)
    host.as_host.close(CLASS, 0, room.now_us)
    assert not told(host, wire.InvitationKind.REVEAL, device(1), wire.Reveal(1, key, nonce))


def test_a_secret_sealed_by_somebody_else_is_refused():
    room = Room(3)
    room.compare()
    guest = room.cores[1]
    guest.tap(room.now_us)
    assert not told(guest, wire.InvitationKind.STANDS, device(0), wire.Plain(bytes(48)))
    assert guest.state.phase is PairingPhase.TAPPED


DOCUMENT = Path(wire.__file__).with_name("PROTOCOL.md")
LEAVE, DIFFER = wire.InvitationKind.LEAVE, wire.InvitationKind.DIFFER
ENDING = [(LEAVE, 0), (LEAVE, 16), (LEAVE, 48), (DIFFER, 0), (DIFFER, 16)]


def says(room, kind, sender, data, to=wire.EVERYBODY):
    """Let all hear a frame that names a sender."""
    frame = wire.packed(wire.Head(kind, sender, to, room.host.state.session), wire.Plain(data))
    return [core.receive(frame, room.now_us) for core in room.cores]


def tapped(room):
    """All but the last have tapped."""
    room.compare()
    for core in room.cores[:-1]:
        core.tap(room.now_us)
    room.until(lambda: len(room.host.as_host.taps) == len(room.cores) - 1)


@pytest.mark.parametrize(("kind", "size"), ENDING)
@pytest.mark.parametrize("named", range(3))
@pytest.mark.parametrize("far", [Room.gather, Room.compare, tapped])
def test_nobody_leaves_or_differs_by_a_strangers_word(kind, size, named, far):
    room = Room(3)
    far(room)
    before = [(core.state.phase, core.state.people) for core in room.cores]
    for to in (wire.EVERYBODY, *(core.state.me.device for core in room.cores)):
        assert not any(says(room, kind, device(named), bytes(size), to))
    assert [(core.state.phase, core.state.people) for core in room.cores] == before


@pytest.mark.parametrize("kind", [LEAVE, DIFFER])
def test_what_one_has_said_to_another_is_no_word_to_a_third_or_of_another_kind(kind):
    room = Room(4)
    room.compare()
    word = room.cores[1].state.proof.word(kind, 1, 0)
    (other,) = {LEAVE, DIFFER} - {kind}
    assert says(room, other, device(1), word) == [False] * 4
    assert says(room, kind, device(2), word) == [False] * 4
    assert says(room, kind, device(0), word) == [False] * 4
    assert says(room, kind, device(1), word)[0], "the host is told by who says it"


def test_while_keys_are_revealed_who_opens_a_commitment_ends_nothing():
    room = Room(3)
    room.close()
    room.cores.pop()  # one never reveals
    room.until(lambda: any(core.state.phase is PairingPhase.REVEALING for core in room.cores[1:]))
    opening = room.host.state.proof.opening
    assert not any(says(room, LEAVE, device(0), opening))
    room.until(lambda: 1 in room.host.state.proof.reveals)
    opening = room.cores[1].state.proof.opening
    assert not any(says(room, LEAVE, device(1), opening)), "it has taken the terms"
    assert room.host.state.phase is PairingPhase.REVEALING


def test_a_guest_that_missed_the_terms_takes_no_reveal_for_a_leave():
    room = Room(3)
    room.close()
    revealed = room.host.state.proof.mine
    assert not any(says(room, LEAVE, device(0), revealed.key + revealed.nonce))
    assert room.cores[1].state.phase is PairingPhase.GATHERING
    room.reach(PairingPhase.COMPARING)


@pytest.mark.parametrize("who", range(3))
@pytest.mark.parametrize("loss", [0.0, 0.4])
def test_who_leaves_after_the_numbers_ends_it_for_all_who_are_told(who, loss):
    room = Room(3, loss=loss)
    room.compare()
    for core in room.cores[:2]:
        core.tap(room.now_us)
    room.until(lambda: len(room.host.as_host.taps) == 2)
    bad, room.faults = room.faults, None
    room.cores[who].leave()
    room.settle()
    room.faults = bad
    if who != 0:
        room.until(lambda: room.host.state.phase is PairingPhase.BROKEN)
    for core in room.cores:
        core.tap(room.now_us)
    room.reach(PairingPhase.BROKEN)
    assert {core.state.broken for core in room.cores} == {PairingFailure.GIVEN_UP}


def test_who_left_after_his_tap_and_is_told_that_the_table_stands_sits_down():
    room = Room(3)
    room.compare()
    tapped(room)
    guest = room.cores[1]
    guest.leave()
    assert guest.state.phase is PairingPhase.BROKEN
    ((_, left),) = guest.take()  # the host does not hear it
    room.cores[2].tap(room.now_us)
    room.until(lambda: room.host.state.phase is PairingPhase.STANDS)
    room.reach(PairingPhase.STANDS)
    assert (guest.state.broken, guest.state.agreed.key) == (None, room.host.state.agreed.key)
    answer = StandingTable.of(room.host.state.agreed).answer(left)
    assert wire.head_of(answer).kind is wire.InvitationKind.STANDS, (
        "who repeats it is told so again"
    )


def test_who_sees_other_numbers_sits_down_at_no_table():
    room = Room(3)
    room.compare()
    room.cores[1].differ()
    sealed = bytes(48)
    assert not says(room, wire.InvitationKind.STANDS, device(0), sealed)[1]
    assert room.cores[1].state.phase is PairingPhase.BROKEN


def joins(room, at, seed=0, name=None):
    """A new person asks for a place; whether he got one."""
    new = Pairing.join(
        device(at), name or f"P{at}", device(0), room.host.state.session,
        Random(f"{at} {seed}").randbytes,
    )  # fmt: skip
    new.tick(room.now_us)
    return any(room.host.receive(frame, room.now_us) for _, frame in new.take())


def test_many_who_want_a_place_at_once_get_one_a_second():
    room = Room(1)
    assert [joins(room, at) for at in range(1, 8)] == [True] + [False] * 6
    room.now_us += JOIN_US
    assert [joins(room, at) for at in range(2, 8)] == [True] + [False] * 5
    assert joins(room, 1), "who has a place is told so again"


def test_who_is_put_out_stays_out_and_others_come_the_slower():
    room = Room(3)
    room.gather()
    room.host.as_host.put_out(device(1))
    room.until(lambda: room.cores[1].state.phase is PairingPhase.BROKEN)
    assert room.cores[1].state.broken is PairingFailure.NO_PLACE
    assert [person.name for person in room.host.state.people] == ["Ana", "Cem"]
    room.now_us += JOIN_US
    assert not joins(room, 1, seed=1)
    assert joins(room, 5)
    room.now_us += JOIN_US
    assert not joins(room, 6)
    room.now_us += JOIN_US
    assert joins(room, 6)
    room.host.as_host.put_out(device(0))
    assert room.host.state.place == 0


def test_the_document_says_how_long_each_word_is():
    (table,) = re.findall(
        r"\| frame \| while.*\n\|-+\|.*\n((?:\|.*\n)+)", DOCUMENT.read_text("utf-8")
    )
    sizes = {kind: set() for kind in (LEAVE, DIFFER)}
    for row in table.splitlines():
        kind, *cells = (cell.strip() for cell in row.strip("|").split("|"))
        told = {int(size) for cell in cells for size in re.findall(r"^\d+", cell)}
        sizes[wire.InvitationKind[kind.split()[0]]] |= told
    assert sizes == {kind: {*wire.PLAIN_BYTES[kind]} for kind in sizes}
