"""A log that strangers tell holds by the rules and by the signatures of who made it, or not."""

from dataclasses import replace

import pytest

from firmware.table.commitment.charges import Charge
from firmware.table.commitment.ledger import Cheated
from firmware.table.log.public_log import LogConflict
from firmware.table.log.reader import LogReader
from firmware.table.protocol.keys import keys_of_table
from game.actions import Announce, Believe, Leave, Roll, VoidRound
from tests.support import core_table as cores
from tests.support.core_place import KEY
from tests.support.seats import cut_off, log_like, offer, signing, wish, wished

S = 1_000_000
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
    return table[seat].handheld.own_seat.log


def reader_of(table):
    return LogReader(log_of(table).header, keys())


def keys():
    return keys_of_table(KEY, ANA, range(4)).signers


def test_every_entry_is_told_with_who_made_it(table):
    log, reader = log_of(table), reader_of(table)
    found = [one for n in range(log.index) for one in reader.follow(log.told(n, 1))]
    assert [one.seat for one in found] == [ANA, ANA, BEN, BEN]
    assert {one.epoch for one in found} == {16}
    assert reader.log.at == log.at
    assert reader.follow(log.told(0)) == ()


def test_one_signature_stands_for_what_a_seat_entered_in_a_row(table):
    log = log_of(table)
    each, whole = (log.told(n, 1).entries for n in range(4)), log.told(0).entries
    assert len(b"".join(each)) - len(whole) == 2 * 68
    assert [one.seat for one in reader_of(table).follow(log.told(0))] == [ANA, ANA, BEN, BEN]


def test_no_byte_can_be_changed(table):
    told = log_of(table).told(0)
    for place in range(len(told.entries)):
        entries = bytearray(told.entries)
        entries[place] ^= 1 << place % 8
        with pytest.raises((LogConflict, Cheated)):
            reader_of(table).follow(replace(told, entries=bytes(entries)))


def test_what_is_known_is_not_changed_by_who_has_no_signature_for_it(table):
    reader, other = reader_of(table), log_like(log_of(table))
    reader.follow(other.told(0))
    at = reader.log.at
    other.cut(1)
    other.append(Announce(61))
    for told in (other.told(0), replace(log_of(table).told(0), digest=bytes(8))):
        with pytest.raises(LogConflict):
            reader.follow(told)
    assert reader.log.at == at


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
    log, reader = log_like(log_of(table)), reader_of(table)
    reader.follow(log.told(0))
    note = None if by is None else wished(table, action, *by)
    log.append(action, note, signing(table[signer]))
    if holds:
        ((seat, *_),) = reader.follow(log.told(4))
        assert seat == signer
        return
    with pytest.raises(LogConflict, match="not signed by who can have entered it"):
        reader.follow(log.told(4))


def test_a_new_epoch_is_followed_from_its_keeper_on():
    table = cores.CoreTable(3, seed=4)
    offer(table, 31)
    cut_off(table, BEN)
    table.wait(25 * S)
    for seat in (ANA, CEM):
        table[seat].handheld.own_seat.go_on_without(BEN, table.now_us)
    table.cup_gone = True
    table.wait(30 * S)
    log, reader = log_of(table), LogReader(log_of(table).header, keys())
    assert [(one.seat, one.epoch) for one in reader.follow(log.told(0))] == (
        [(ANA, 16)] * 2 + [(ANA, 17)] * 2
    )
    assert reader.log.at == log.at


def test_two_stories_of_a_seat_are_its_own(table):
    log, reader = log_of(table), reader_of(table)
    other = log_like(log)
    other.cut(1)
    other.append(Announce(61), sign=signing(table[ANA]))
    reader.follow(log.told(0))
    with pytest.raises(Cheated) as caught:
        reader.follow(other.told(0))
    assert (caught.value.seat, caught.value.charge) == (ANA, Charge.STORIES)


def test_what_is_missing_before_is_said(table):
    with pytest.raises(LogConflict):
        reader_of(table).follow(log_of(table).told(1))
