"""Pairing with somebody in between, with forged and cut frames, and with noise."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.table.pairing import state
from firmware.table.pairing import state as proof
from firmware.table.pairing.pairing import Pairing
from firmware.table.pairing.state import (
    PairingPhase,
    PairingState,
    commitment,
    numbers_of,
    transcript_of,
)
from firmware.table.protocol.invitations import (
    EVERYBODY,
    LAYOUT,
    Attendee,
    Head,
    InvitationError,
    InvitationKind,
    Plain,
    Reveal,
    body_of,
    head_of,
    packed,
)
from game import RULES
from tests.support.pairing_room import CLASS, Room, device

# Somebody in between


class Between(Room):
    """Two people, and somebody between them who shows each the other with keys of his own."""

    def __init__(self, seed):
        super().__init__(2, seed)
        host, guest = self.cores
        me = host.state.me
        fake = PairingState(
            me.device, me.device, host.state.session, me.name,
            watches=False, entropy=Random(f"eve {seed}").randbytes,
        )  # fmt: skip
        fake_host = Pairing(fake)
        fake_guest = Pairing.join(
            guest.state.me.device, guest.state.me.name, me.device, host.state.session,
            Random(f"mallory {seed}").randbytes,
        )  # fmt: skip
        self.sides = [[host, fake_guest], [fake_host, guest]]

    def close(self):
        for side in self.sides:
            self.cores = side
            self.gather()
        for host, _ in self.sides:
            host.close(RULES["physicist"], 0, self.now_us)


def _ground(room):
    """He waits for the guest to reveal, and looks for a nonce of his own for the same numbers."""
    room.close()
    room.cores = room.sides[0]
    room.until(lambda: room.sides[0][0].state.phase is PairingPhase.COMPARING)
    wanted = room.sides[0][0].state.numbers
    fake_host, guest = room.sides[1]
    guest_reveals = []
    fake = fake_host.state
    fake.on_reveal = lambda sender, reveal: guest_reveals.append(reveal) or True
    fake_host.take()
    for at in range(len(fake.people)):
        fake_host.role.send_place(at)
    fake.send(None, InvitationKind.TERMS, fake.terms)
    for _, frame in fake_host.take():
        guest.receive(frame, room.now_us)
    for _, frame in guest.take():
        fake_host.receive(frame, room.now_us)
    assert guest_reveals, "he has seen what the guest reveals, and has not revealed"
    rng = Random(1)
    while True:
        nonce = rng.randbytes(16)
        mine = Reveal(0, fake.proof.mine.key, nonce)
        reveals = (mine, guest_reveals[0])
        if numbers_of(transcript_of(fake.session, fake.terms, fake.people, reveals)) == wanted:
            return guest, wanted, mine, fake_host


def told(core, kind, sender, body, to=None):
    """Whether ``core`` follows a frame of its session from a device."""
    head = Head(kind, sender, to or core.state.me.device, core.state.session)
    return core.receive(packed(head, body), 0)


def _show(core, guest, reveal):
    return told(guest, InvitationKind.REVEAL, core.state.me.device, reveal, EVERYBODY)


@pytest.fixture
def fewer(monkeypatch):
    """Two numbers, so that one nonce in 990 is what somebody looks for."""
    monkeypatch.setattr(state, "COMPARED_NUMBERS", 2)


@pytest.mark.usefixtures("fewer")
def test_a_nonce_that_was_looked_for_is_refused():
    guest, wanted, mine, fake_host = _ground(Between(3))
    assert not _show(fake_host, guest, mine)
    assert (guest.state.phase, guest.state.numbers) == (PairingPhase.REVEALING, None)
    assert _show(fake_host, guest, fake_host.state.proof.mine), "only what he committed to counts"
    assert guest.state.numbers != wanted


@pytest.mark.usefixtures("fewer")
def test_without_commitments_the_same_attack_would_pass(monkeypatch):
    guest, wanted, mine, fake_host = _ground(Between(3))
    monkeypatch.setattr(proof, "compare_digest", lambda one, other: True)
    assert _show(fake_host, guest, mine)
    assert guest.state.numbers == wanted


def test_nobody_reveals_before_all_commitments_are_known():
    for seed in range(30):
        room = Room(4, seed, loss=0.4, mess=0.3)
        room.gather()
        room.host.close(CLASS, 0, room.now_us)
        for _ in range(100):
            before = len(room.said)
            room.step()
            for core, frame in room.said[before:]:
                if head_of(frame).kind is InvitationKind.REVEAL and not core.state.is_host:
                    assert len(core.role.places.people) == 4


def test_who_has_revealed_takes_no_other_list():
    room = Room(3)
    room.compare()
    guest = room.cores[1]
    numbers, people = guest.state.numbers, guest.state.people
    other = Room(3, seed=5)
    for core in other.cores:
        core.state.session = room.host.state.session
    other.gather()
    other.host.close(CLASS, 0, 0)
    for _, frame in other.host.take():
        guest.receive(frame, room.now_us)
    assert (guest.state.numbers, guest.state.people) == (numbers, people)
    assert guest.state.phase is PairingPhase.COMPARING
    assert not [f for _, f in guest.take() if head_of(f).kind is InvitationKind.REVEAL]


# Frames


def test_changed_frames_change_nothing_that_others_would_notice():
    """Every bit of what is said once all is revealed: refused, or without effect."""
    room = Room(3)
    room.compare()
    for core in room.cores:
        core.tap(room.now_us)
    sent = [frame for core in room.cores[1:] for _, frame in core.take()]
    taps = [frame for frame in sent if head_of(frame).kind is InvitationKind.TAP]
    assert len(taps) == 2
    for frame in taps:
        for bit in range(8 * len(frame)):
            changed = bytearray(frame)
            changed[bit // 8] ^= 1 << bit % 8
            head_kind = changed[1]
            room.host.receive(bytes(changed), room.now_us)
            assert room.host.state.phase is not PairingPhase.STANDS
            assert head_kind == InvitationKind.DIFFER or len(room.host.role.taps) == 1
    for frame in taps:
        assert room.host.receive(frame, room.now_us)
    assert room.host.state.phase is PairingPhase.STANDS


@given(st.binary(max_size=120))
def test_noise_is_refused(noise):
    room = Room(3)
    for frame in (noise, bytes((LAYOUT,)) + noise):
        assert not room.host.receive(frame, 0)
    assert room.host.state.people == (room.host.state.me,)


@pytest.mark.parametrize("cut", range(1, 60))
def test_a_frame_that_was_cut_is_no_frame(cut):
    room = Room(3)
    room.cores[1].tick(0)
    ((_, frame),) = room.cores[1].take()
    with pytest.raises(InvitationError):
        body_of(frame[:-cut])


def test_a_stranger_cannot_join_for_somebody_else():
    room = Room(3)
    assert not told(room.host, InvitationKind.JOIN, device(9), room.cores[1].state.me)


def test_a_key_that_makes_every_secret_equal_is_refused():
    room = Room(3)
    host = room.host
    key, nonce = bytes(32), bytes(16)
    fixed = commitment(host.state.session, (device(1), "Ben", False), key, nonce)
    bad = Attendee(device(1), "Ben", False, fixed)
    room.cores.pop(1)
    assert told(host, InvitationKind.JOIN, device(1), bad)
    room.until(lambda: len(host.state.people) == 3)
    host.close(CLASS, 0, room.now_us)
    assert not told(host, InvitationKind.REVEAL, device(1), Reveal(1, key, nonce))


def test_a_secret_sealed_by_somebody_else_is_refused():
    room = Room(3)
    room.compare()
    guest = room.cores[1]
    guest.tap(room.now_us)
    assert not told(guest, InvitationKind.STANDS, device(0), Plain(bytes(48)))
    assert guest.state.phase is PairingPhase.TAPPED
