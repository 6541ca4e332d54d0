"""Lines between guests and a host, in a room whose other members forge, repeat and lose frames."""

from hashlib import sha256
from hmac import digest
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from firmware.effects import SendToDevice
from firmware.table.protocol import MAX_FRAME
from firmware.table.protocol import room_line as lines
from firmware.table.protocol.invitations import Head, InvitationKind, Plain, packed
from tests.support.net import Net

PRIVATE = bytes(range(32))
HOST, ANA, BO = b"host..", b"ana...", b"bo...."


class Party(Net):
    """A host and guests; time goes on by hand."""

    def __init__(self, seed=0):
        self.chance = Random(seed)
        self.heard, self.gone = {}, []
        super().__init__([lines.HostLines(HOST, PRIVATE, self.chance.randbytes)])

    @property
    def host(self):
        return self.cores[0]

    def come(self, device):
        line = lines.GuestLine(device, lines.host_key_of(PRIVATE), self.chance.randbytes)
        self.cores.append(line)
        self.heard[line] = []
        line.tick(self.now_us)
        return line

    def handle(self, at, report):
        core = self.cores[at]
        messages = core.receive(report.frame, self.now_us)
        if at:
            self.heard[core] += messages
        for line, message in () if at else messages:
            if message is None:
                self.gone.append(line)
            elif message:
                self.heard.setdefault(line, []).append(message)
        return ()

    def pending(self, at):
        taken = self.cores[at].take()
        return [SendToDevice(None, each if at else each[1]) for each in taken]

    def receivers(self, sender, _effect):
        """The host hears a guest, and every guest the host."""
        return [0] if sender else range(1, len(self.cores))

    def timer_us(self, _at):
        return None

    def say(self, line, message):
        """Let a guest say something, and all come that anybody has said."""
        line.send(message)
        self.settle()

    def at_host(self, frame):
        self.hear(0, frame)

    def at_guest(self, line, frame):
        self.hear(self.cores.index(line), frame)

    def name_of(self, line):
        return next(each for each in self.heard if isinstance(each, bytes) and line in each)


def opened(seed=0):
    party = Party(seed)
    ana, bo = party.come(ANA), party.come(BO)
    party.settle()
    assert ana.is_open
    assert bo.is_open
    ana.send(b"I am Ana")
    party.say(bo, b"I am Bo")
    return party, ana, bo


def test_messages_of_any_length_cross_both_ways_in_order():
    party, ana, _ = opened()
    name = party.name_of(ANA)
    said = [b"", b"x", bytes(MAX_FRAME), party.chance.randbytes(lines.MOST_MESSAGE)]
    for message in said:
        ana.send(message)
        party.host.send(name, message)
    party.settle()
    assert party.heard[name] == [b"I am Ana", *said[1:]]  # an empty one is told apart by nobody
    assert party.heard[ana] == said
    assert max(len(each.frame) for each in party.said) <= MAX_FRAME
    with pytest.raises(ValueError, match="65537 bytes: 65536 fit"):
        ana.send(bytes(lines.MOST_MESSAGE + 1))


def test_a_guest_says_before_the_host_answers_what_it_hears_then():
    party = Party()
    ana = party.come(ANA)
    ana.send(b"early")
    party.say(ana, b"then")
    assert party.heard[party.name_of(ANA)] == [b"early", b"then"]


def test_a_line_whose_frame_is_lost_is_over_at_both_ends():
    party, ana, _ = opened()
    ana.send(b"lost")
    ana.take()
    party.say(ana, b"after it")
    assert party.gone == [party.name_of(ANA)]
    assert ana.is_lost
    assert not ana.is_open
    assert party.host.receive(party.said[-1].frame, 0) == []


def test_ends_that_go_silent_are_over_and_idle_ones_are_not():
    party, ana, bo = opened()
    silent, gone = party.name_of(BO), []
    while party.now_us < 3 * lines.LOST_US:
        party.now_us += 1_000_000
        ana.tick(party.now_us)
        gone += party.host.tick(party.now_us)
        for frame in ana.take():
            party.at_host(frame)
        for _, frame in party.host.take():
            party.at_guest(ana, frame)
    assert gone == [silent]
    assert ana.is_open
    bo.tick(party.now_us)
    assert bo.is_lost


def test_a_host_that_began_anew_is_noticed_before_its_silence():
    party, ana, _ = opened()
    party.now_us += 1_000_000
    party.host.tick(party.now_us)
    party.settle()
    assert ana.is_open, "the host is the same"
    party.now_us += 1_000_000
    party.cores[0] = lines.HostLines(HOST, PRIVATE, party.chance.randbytes)
    party.host.tick(party.now_us)
    party.say(ana, b"lost")
    assert ana.is_lost


def test_a_forged_beginning_costs_a_guest_one_hello_a_second():
    party, ana, _ = opened()
    for number in range(40):
        stranger = lines.HostLines(HOST, PRIVATE[::-1], party.chance.randbytes)
        stranger.tick(party.now_us)
        for _, frame in stranger.take():
            party.at_guest(ana, frame)
            party.at_guest(ana, frame)
        hellos = ana.take()
        assert len(hellos) == (number % 4 == 0)
        for frame in hellos:
            party.at_host(frame)
        party.settle()
        party.now_us += 250_000
    party.settle()
    party.say(ana, b"still here")
    assert party.heard[party.name_of(ANA)] == [b"I am Ana", b"still here"]


def test_no_member_of_the_room_reads_forges_or_ends_the_line_of_another():
    party, ana, bo = opened()
    name = party.name_of(ANA)
    ana.send(b"a secret")
    party.host.send(name, b"another")
    party.settle()
    heard = [each.frame for each in party.said]
    assert not any(b"secret" in frame or b"another" in frame for frame in heard)
    assert party.heard[bo] == []
    before = (list(party.heard[name]), list(party.heard[ana]))
    for _ in range(30):
        party.now_us += 500_000
        for frame in heard:  # again, in any order, for others, and changed
            forged = bytearray(frame)
            forged[party.chance.randrange(len(forged))] ^= 1
            for each in (frame, bytes(forged), frame[:-1], frame[:30]):
                party.at_host(each)
                party.at_guest(ana, each)
        party.chance.shuffle(heard)
    party.host.take()
    assert (party.heard[name], party.heard[ana]) == before
    assert not party.gone
    ana.send(b"still here")
    for frame in ana.take():
        party.at_host(frame)
    assert party.heard[name][-1] == b"still here"


def test_a_hello_of_another_key_takes_no_name_that_is_known():
    party, ana, _ = opened()
    (hello,) = [each.frame for each in party.said if each.frame[2:8] == ANA][:1]
    party.host.take()
    party.now_us += 10_000_000
    forged = hello[:27] + lines.host_key_of(b"e" * 32) + hello[59:]
    for each in (hello, forged, hello[:-1] + b"\0"):
        party.at_host(each)
    answers = party.host.take()
    assert len(answers) == 1, "the same hello gets the same answer, and no other one any"
    party.say(ana, b"on")
    assert party.heard[party.name_of(ANA)][-1] == b"on"


def test_a_flood_of_hellos_or_of_lines_leaves_those_that_are_open():
    party, ana, _ = opened()
    name = party.name_of(ANA)
    for _ in range(40):
        party.now_us += 1_000_000
        for _ in range(2 * lines.HELLOS_AT_ONCE):
            eve = lines.GuestLine(b"eve...", lines.host_key_of(PRIVATE), party.chance.randbytes)
            eve.tick(0)
            party.at_host(eve.take()[0])
        if party.now_us % 4_000_000 == 0:
            ana.send(b"here")
            for frame in ana.take():
                party.at_host(frame)
        party.host.tick(party.now_us)
    assert len(party.host._ends) <= lines.MOST_BEGUN + 2
    assert party.heard[name].count(b"here") == 10
    crowd = Party(1)
    for number in range(lines.MOST_OPEN + 3):
        crowd.now_us += 200_000
        crowd.come(b"gu%04d" % number)
        crowd.settle()
    assert [line.is_lost for line in crowd.cores[1:]] == [False] * lines.MOST_OPEN + [True] * 3


def test_a_guest_who_floods_ends_its_own_line_alone():
    party, ana, bo = opened()
    for number in range(3 * lines.FRAMES_AT_ONCE):
        bo.send(b"%d" % number)
    party.settle()
    assert party.gone == [party.name_of(BO)]
    assert bo.is_lost
    assert ana.is_open


def test_a_guest_keeps_no_more_than_so_much_for_a_host_who_is_silent():
    ana = Party().come(ANA)
    for _ in range(lines.MOST_QUEUED // lines.MOST_MESSAGE):
        ana.send(bytes(lines.MOST_MESSAGE))
    assert not ana.is_lost
    ana.send(b"x")
    assert ana.is_lost


def test_a_key_of_small_order_is_refused():
    with pytest.raises(ValueError, match="use the whole link"):
        lines.GuestLine(ANA, bytes(32), Random(0).randbytes)


def test_the_host_cannot_be_played_by_who_knows_the_link():
    ana = Party().come(ANA)
    (hello,) = ana.take()
    eve = lines.HostLines(HOST, b"e" * 32, Random(2).randbytes)
    assert eve.receive(hello, 0) == []
    assert eve.take() == []
    line = hello[19:27]
    head = Head(InvitationKind.LINE, HOST, ANA, bytes(4))
    forged = packed(head, Plain(b"\x01" + line + lines.host_key_of(b"e" * 32) + bytes(16)))
    assert ana.receive(forged, 0) == []
    assert not ana.is_open


# ---- a second program, out of PROTOCOL.md and the package cryptography alone -------------------


def derived(secret, info, salt, length=32):
    return HKDF(SHA256(), length, salt, info).derive(secret)


def raw(key):
    return key.public_key().public_bytes_raw()


def test_a_guest_of_another_hand_is_understood():
    host, private = lines.HostLines(HOST, PRIVATE, Random(3).randbytes), X25519PrivateKey.generate()
    host_key = X25519PrivateKey.from_private_bytes(PRIVATE).public_key()
    guest, known = raw(private), host_key.public_bytes_raw()
    line, first = sha256(guest).digest()[:8], private.exchange(host_key)
    head = bytes((0xF1, 12)) + ANA + bytes(6) + bytes(4)
    hello = head + b"\x00" + line
    key = derived(first, b"maexchen line hello", guest + known)
    proof = ChaCha20Poly1305(key).encrypt(bytes(12), b"", hello)
    assert host.receive(hello + guest + proof, 0) == []
    ((device, answer),) = host.take()
    assert device == ANA
    assert answer[:27] == bytes((0xF1, 12)) + HOST + ANA + bytes(4) + b"\x01" + line
    fresh = answer[27:59]
    second = private.exchange(X25519PublicKey.from_public_bytes(fresh))
    keys = derived(first + second, b"maexchen line", guest + fresh + known, 64)
    up, down = ChaCha20Poly1305(keys[:32]), ChaCha20Poly1305(keys[32:])
    assert down.decrypt(bytes(12), answer[59:], answer[:27]) == b""
    header = bytes((0xF1, 12)) + ANA + HOST + bytes(4) + b"\x02" + line

    def part(number, content):
        sealed = up.encrypt(number.to_bytes(12), content, header)
        return header + number.to_bytes(4) + sealed

    assert host.receive(part(1, b"\x01half"), 1) == []
    ((name, message),) = host.receive(part(2, b"\x00whole"), 2)
    assert message == b"halfwhole"
    assert name == ANA + line
    host.send(name, b"good evening")
    ((_, frame),) = host.take()
    assert frame[18:31] == b"\x02" + line + (1).to_bytes(4)
    assert down.decrypt((1).to_bytes(12), frame[31:], frame[:27]) == b"\x00good evening"


def test_the_key_of_a_room_is_that_of_the_document():
    known = lines.host_key_of(PRIVATE)
    extracted = digest(b"", known, "sha256")
    assert lines.room_of("ACFH", known).key == digest(
        extracted, b"maexchen line room\x01", "sha256"
    )
