"""The entries of the log, and the belief of strangers in them, by rules and signatures."""

import doctest
from contextlib import suppress
from dataclasses import replace

import pytest

from firmware.table.commitment.fair_dice import Charge
from firmware.table.commitment.ledger import Cheated
from firmware.table.log import entries as entries_module
from firmware.table.log.public_log import LogConflict, PublicLog
from firmware.table.protocol.sealing import keys_of_table
from game import actions as act
from game.actions import Announce, Believe, Leave, Roll, VoidRound
from game.bluff.rules import RANKING
from tests.support import core_table as cores
from tests.support.net import S
from tests.support.seats import log_like, offer, signing, wish, wished
from tests.support.tables import KEY


def test_the_worked_examples_of_the_docstring_are_true():
    assert doctest.testmod(entries_module) == (0, 4)


RARE = [
    *(act.Announce(v, f, w) for v in RANKING for f in (None, *act.Flourish) for w in (False, True)),
    *(act.Say(words, wrong_way) for words in act.Words for wrong_way in (False, True)),
    *(act.Fault(kind, seat) for kind in act.FaultKind for seat in range(9)),
    *(
        kind((die,) * n)
        for die in (1, 6)
        for kind, n in ((act.Roll, 1), (act.Roll, 7), (act.Lift, 3))
    ),
    act.Roll((4, 4), tower=True),
    act.Lift((4, 4), tower=True),
    act.ShowTower((1, 2)),
    act.Refuse(),
    act.Keep((), 2),
    act.Keep((5,), 1),
    act.Keep((5, 2)),
    act.GiveCoaster(None),
    act.GiveCoaster(7),
]


@pytest.mark.parametrize(("seats", "first"), [((0, 7), "f3 81"), ((0, 7, 8), "f5 01 81")])
def test_the_wish_of_a_ninth_seat_takes_another_byte(seats, first):
    wished = entries_module.Wished(tuple((seat, bytes([seat]) * 64) for seat in seats))
    entry = entries_module.encode_entry(act.StopMatch(), wished)
    assert entry.hex(" ").startswith(first)
    assert entries_module.read_entries(entry)[0][:2] == (act.StopMatch(), wished)
    with pytest.raises(entries_module.EntryError, match="0x0081 needs no second byte"):
        entries_module.read_entries(bytes.fromhex("f5 00 81") + entry[2:])


def test_what_is_done_rarely_has_an_entry_too():
    assert entries_module.decode_entries(b"".join(map(entries_module.encode_entry, RARE))) == tuple(
        RARE
    )
    assert len(set(map(entries_module.encode_entry, RARE))) == len(RARE)


@pytest.mark.parametrize(
    "action",
    [
        act.Lift(None),
        act.ShowTower(None),
        act.Announce(36),
        act.Leave(16),
        act.GiveCoaster(16),
        act.Roll((7, 1)),
        act.Roll((6, 5, 4), tower=True),
        act.Roll(()),
        act.Roll((1,) * 8),
        act.Roll((1,) * 17),
        act.Lift((1,) * 4),
        act.Roll((6, 7, 4)),
        act.Keep((1, 2)),
        act.Keep((6, 5, 4)),
    ],
    ids=str,
)
def test_an_action_without_an_entry_is_refused(action):
    with pytest.raises(entries_module.EntryError, match="no entry"):
        entries_module.encode_entry(action)


@pytest.mark.parametrize(
    ("entries", "named"),
    [
        ("01 ff", "0xff"),
        ("39 15", "0x3915"),
        ("3c 17", "0x3c17"),
        ("39", "0x39"),
        ("a4 10", "0xa410"),
        ("c3 65", "0xc365"),
        ("c3 65 41", "0xc36541"),
        ("c3 67 40", "0xc36740"),
        ("c2 66", "0xc2"),
        ("e0 16", "0xe016"),
    ],
)
def test_bytes_that_are_no_entry_are_named(entries, named):
    with pytest.raises(entries_module.EntryError, match=f"^{named} is no entry of a log$"):
        entries_module.decode_entries(bytes.fromhex(entries))


ANA, BEN, CEM, DORA = range(4)


@pytest.fixture
def table():
    """Ben has the cup after a hop, and Cem has left."""
    table = cores.CoreTable(4, seed=4)
    offer(table, 31)
    table.choose(BEN, Believe())
    wish(table, CEM, Leave(CEM))
    table.wait(S)
    return table


def log_of(table, seat=ANA):
    return table[seat].own_seat.log


class Reader:
    """Has heard nothing yet, and knows the public keys."""

    def __init__(self, table):
        signers = keys_of_table(KEY, ANA, range(table.size)).signers
        self.log = PublicLog(table.rules, table.names, table.first)
        self.belief = entries_module.Readers([signers[seat] for seat in range(table.size)], 1)

    def follow(self, told):
        """Whether what is told holds; if so, it is followed."""
        self.log.adopt(told, belief=self.belief)
        end = told.first + told.count
        return self.log.index >= end and self.log.position(end).digest == told.digest


@pytest.mark.whole
def test_no_byte_can_be_changed(table):
    told = log_of(table).part(0)
    for place in range(len(told.entries)):
        entries = bytearray(told.entries)
        entries[place] ^= 1 << place % 8
        reader = Reader(table)
        try:
            assert not reader.follow(replace(told, entries=bytes(entries)))
        except LogConflict:
            assert reader.log.index == 0


def test_what_is_known_is_not_changed_by_who_has_no_signature_for_it(table):
    reader, other = Reader(table), log_like(log_of(table))
    reader.follow(other.part(0))
    at = reader.log.at
    other.cut(1)
    other.append(Announce(61))
    for told in (other.part(0), replace(log_of(table).part(0), digest=bytes(8))):
        with suppress(LogConflict):
            assert not reader.follow(told)
    assert reader.log.at == at


@pytest.mark.whole
@pytest.mark.parametrize(
    ("action", "by", "signer", "holds"),
    [
        (Roll(), None, BEN, True),
        (Roll(), None, DORA, False),
        (Leave(DORA), None, BEN, False),
        (Leave(DORA), (DORA,), BEN, True),
        (Leave(DORA), (ANA,), BEN, False),
        (Leave(DORA), (DORA,), DORA, False),
        (VoidRound(), (ANA,), BEN, False),
        (VoidRound(), (ANA, DORA), BEN, True),
        (VoidRound(), (ANA, CEM), BEN, False),
    ],
)
def test_who_can_enter_what_and_with_whose_wishes(table, action, by, signer, holds):
    log, reader = log_like(log_of(table)), Reader(table)
    reader.follow(log.part(0))
    note = None if by is None else wished(table, action, *by)
    log.append(action, note, signing(table[signer]))
    assert reader.follow(log.part(4)) is holds


def test_two_stories_of_a_seat_are_its_own(table):
    log, reader = log_of(table), Reader(table)
    other = log_like(log)
    other.cut(1)
    other.append(Announce(61), sign=signing(table[ANA]))
    reader.follow(log.part(0))
    with pytest.raises(Cheated) as caught:
        reader.follow(other.part(0))
    assert (caught.value.seat, caught.value.charge) == (ANA, Charge.STORIES)
