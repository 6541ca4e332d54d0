"""A stranger who hears and says what he likes while a table is made up, and who is really gone."""

import re
from pathlib import Path
from random import Random

import pytest

from firmware.table.pairing.pairing import Pairing
from firmware.table.pairing.roles import JOIN_US
from firmware.table.pairing.standing import StandingTable
from firmware.table.pairing.state import PairingFailure, PairingPhase
from firmware.table.protocol import invitations as wire
from firmware.table.protocol.invitations import EVERYBODY, Head, InvitationKind, head_of, packed
from tests.labs.redteam.lobby import attack
from tests.support.pairing_room import CLASS, Room, device

DOCUMENT = Path(wire.__file__).with_name("PROTOCOL.md")
ENDING = [
    (kind, size)
    for kind, sizes in ((InvitationKind.LEAVE, (0, 16, 48)), (InvitationKind.DIFFER, (0, 16)))
    for size in sizes
]


def says(room, kind, sender, data, to=EVERYBODY):
    """Let all hear a frame that names a sender."""
    frame = packed(Head(kind, sender, to, room.host.state.session), wire.Plain(data))
    return [core.receive(frame, room.now_us) for core in room.cores]


def tapped(room):
    """All but the last have tapped."""
    room.compare()
    for core in room.cores[:-1]:
        core.tap(room.now_us)
    room.until(lambda: len(room.host.role.taps) == len(room.cores) - 1)


@pytest.mark.parametrize(("kind", "size"), ENDING)
@pytest.mark.parametrize("named", range(3))
@pytest.mark.parametrize("far", [Room.gather, Room.compare, tapped])
def test_nobody_leaves_or_differs_by_a_strangers_word(kind, size, named, far):
    room = Room(3)
    far(room)
    before = [(core.state.phase, core.state.people) for core in room.cores]
    for to in (EVERYBODY, *(core.state.me.device for core in room.cores)):
        assert not any(says(room, kind, device(named), bytes(size), to))
    assert [(core.state.phase, core.state.people) for core in room.cores] == before


@pytest.mark.parametrize("kind", [InvitationKind.LEAVE, InvitationKind.DIFFER])
def test_what_one_has_said_to_another_is_no_word_to_a_third_or_of_another_kind(kind):
    room = Room(4)
    room.compare()
    word = room.cores[1].state.proof.word(kind, 1, 0)
    other = (InvitationKind.LEAVE, InvitationKind.DIFFER)[kind is InvitationKind.LEAVE]
    assert says(room, other, device(1), word) == [False] * 4
    assert says(room, kind, device(2), word) == [False] * 4
    assert says(room, kind, device(0), word) == [False] * 4
    assert says(room, kind, device(1), word)[0], "the host is told by who says it"


def test_while_keys_are_revealed_who_opens_a_commitment_ends_nothing():
    room = Room(3)
    room.gather()
    room.host.close(CLASS, 0, room.now_us)
    room.until(lambda: any(core.state.phase is PairingPhase.REVEALING for core in room.cores[1:]))
    opening = room.host.state.proof.opening
    assert not any(says(room, InvitationKind.LEAVE, device(0), opening))


def test_a_guest_that_missed_the_terms_takes_no_reveal_for_a_leave():
    room = Room(3)
    room.gather()
    room.host.close(CLASS, 0, room.now_us)
    revealed = room.host.state.proof.mine
    assert not any(says(room, InvitationKind.LEAVE, device(0), revealed.key + revealed.nonce))
    assert room.cores[1].state.phase is PairingPhase.GATHERING
    room.reach(PairingPhase.COMPARING)


@pytest.mark.parametrize("who", range(3))
@pytest.mark.parametrize("loss", [0.0, 0.4])
def test_who_leaves_after_the_numbers_ends_it_for_all_who_are_told(who, loss):
    room = Room(3, loss=loss)
    room.compare()
    for core in room.cores[:2]:
        core.tap(room.now_us)
    room.until(lambda: len(room.host.role.taps) == 2)
    room.loss = 0.0
    room.cores[who].leave()
    room.send(room.cores[who])
    room.loss = loss
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
    assert head_of(answer).kind is InvitationKind.STANDS, "who repeats it is told so again"


def test_who_sees_other_numbers_sits_down_at_no_table():
    room = Room(3)
    room.compare()
    room.cores[1].differ()
    sealed = bytes(48)
    assert not says(room, InvitationKind.STANDS, device(0), sealed)[1]
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
    room.host.put_out(device(1))
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
    room.host.put_out(device(0))
    assert room.host.state.place == 0


def test_the_document_says_how_long_each_word_is():
    (table,) = re.findall(
        r"\| frame \| while.*\n\|-+\|.*\n((?:\|.*\n)+)", DOCUMENT.read_text("utf-8")
    )
    sizes = {kind: set() for kind in (InvitationKind.LEAVE, InvitationKind.DIFFER)}
    for row in table.splitlines():
        kind, *cells = (cell.strip() for cell in row.strip("|").split("|"))
        told = {int(size) for cell in cells for size in re.findall(r"^\d+", cell)}
        sizes[InvitationKind[kind.split()[0]]] |= told
    assert sizes == {kind: {*wire.PLAIN_BYTES[kind]} for kind in sizes}


def test_the_redteam_finds_no_half_table():
    """A bounded run of what `tests/labs/redteam/lobby.py` does at length."""
    figures = attack(0.0, 1)
    assert figures["pairings"] == 6
    assert figures["stood"] > 0 < figures["left"]
