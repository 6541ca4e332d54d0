"""A log that strangers tell holds by the rules and by the signatures of who made it, or not."""

from contextlib import suppress
from dataclasses import replace

import pytest

from firmware.table.commitment.fair_dice import Charge
from firmware.table.commitment.ledger import Cheated
from firmware.table.log.entries import Readers
from firmware.table.log.public_log import LogConflict, PublicLog
from firmware.table.protocol.sealing import keys_of_table
from firmware.table.seat import voting
from game.actions import Announce, Believe, Leave, Roll, VoidRound
from tests.support import core_table as cores
from tests.support.seats import cut_off, log_like, offer, signing, wish, wished
from tests.support.tables import KEY

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


class Reader:
    """Has heard nothing yet, and knows the public keys."""

    def __init__(self, table):
        signers = keys_of_table(KEY, ANA, range(table.size)).signers
        self.log = PublicLog(table.rules, table.names, table.first)
        self.belief = Readers([signers[seat] for seat in range(table.size)], 1)

    def follow(self, told):
        """Whether what is told holds; if so, it is followed."""
        self.log.adopt(told, belief=self.belief)
        end = told.first + told.count
        return self.log.index >= end and self.log.position(end).digest == told.digest


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


def test_a_new_epoch_is_followed_from_its_keeper_on():
    table = cores.CoreTable(3, seed=4)
    offer(table, 31)
    cut_off(table, BEN)
    table.wait(25 * S)
    for seat in (ANA, CEM):
        voting.go_on_without(table[seat].handheld.own_seat, BEN, table.now_us)
    table.cup_gone = True
    table.wait(30 * S)
    log, reader = log_of(table), Reader(table)
    assert reader.follow(log.part(0))
    assert reader.log.signers() == {(ANA, 16), (ANA, 17)}


def test_two_stories_of_a_seat_are_its_own(table):
    log, reader = log_of(table), Reader(table)
    other = log_like(log)
    other.cut(1)
    other.append(Announce(61), sign=signing(table[ANA]))
    reader.follow(log.part(0))
    with pytest.raises(Cheated) as caught:
        reader.follow(other.part(0))
    assert (caught.value.seat, caught.value.charge) == (ANA, Charge.STORIES)
