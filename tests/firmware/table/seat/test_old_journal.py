"""A copy of a whole journal is as good as the journal: only the others can tell that it is old."""

from contextlib import suppress
from random import Random

import pytest

from firmware.display.screens import AlertPage
from firmware.display.text.labels import Alert
from firmware.effects import SendToSeat
from firmware.table.handover import Cup, Where
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol.messages import Vote, Want
from firmware.table.protocol.sealing import Sealer, keys_of_table
from firmware.table.seat.cup_custody import Position
from firmware.table.seat.memory import SeatState
from firmware.table.seat.parts import Mode, SeatParts
from firmware.table.seat.seat import Seat
from game import RULES
from game.actions import Announce, Believe, Roll
from tests.support.core_table import UndoneError
from tests.support.old_journals import WatchedTable
from tests.support.seats import S, cut_off, go_on_without, signed, take_turns

ANA, BEN, CEM, DORA = range(4)
ROUND = (
    (ANA, Roll()), (ANA, Announce(31)), (BEN, Believe()),
    (BEN, Roll()), (BEN, Announce(32)), (CEM, Believe()),
    (CEM, Roll()), (CEM, Announce(41)), (ANA, Believe()),
)  # fmt: skip


def watched(folder, moves=ROUND, size=3):
    table = WatchedTable(size, folder=folder, seed=3)
    take_turns(table, moves)
    return table


@pytest.mark.parametrize("seat", [ANA, BEN, CEM])
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_an_old_copy_of_a_journal_is_a_lost_memory(tmp_path, seat, share):
    table = watched(tmp_path)
    disks = table.disks[seat]
    held = table[seat].handheld.own_seat.holding
    assert table.come_back(seat, disks[int(share * (len(disks) - 1))]) is None
    table.wait(S)
    assert table[seat].handheld.own_seat.lost
    assert table[seat].cup.where is Where.IDLE
    table.play_on(Random(1))
    assert table[seat].handheld.own_seat.lost
    assert table.over or held or any(place.handheld.own_seat.holding for place in table.places)
    assert all(place.handheld.own_seat.trouble is None for place in table.places)
    table.close()


def test_who_comes_back_says_nothing_with_a_body_before_the_others_have_answered(tmp_path):
    table = watched(tmp_path)
    holder = next(place for place in table.places if place.handheld.own_seat.holding)
    table.lost = lambda sender, receiver, message: holder.seat in (sender, receiver)
    holder.left.clear()
    assert table.come_back(holder.seat, table.disks[holder.seat][-1]) is None
    table.wait(60 * S)
    assert holder.position is Position.WATCHING
    assert holder.screen == AlertPage(Alert.RETURNING)
    (asked,) = {message for _, message, _ in holder.left}
    assert asked == Want(len(holder.entries), asked.nonce)
    assert asked.nonce
    table.lost = None
    table.wait(5 * S)
    assert holder.position is Position.MINE
    table.close()


def test_who_is_silent_for_long_is_not_waited_for(tmp_path):
    table = watched(tmp_path)
    holder = next(place for place in table.places if place.handheld.own_seat.holding)
    silent = (holder.seat + 1) % 3
    table.lost = lambda sender, receiver, message: silent in (sender, receiver)
    assert table.come_back(holder.seat, table.disks[holder.seat][-1]) is None
    table.wait(19 * S)
    assert holder.position is Position.WATCHING
    table.wait(5 * S)
    assert holder.position is Position.MINE
    table.close()


def test_a_vote_that_is_not_known_any_more_is_a_lost_memory(tmp_path):
    table = watched(tmp_path, ROUND[:3], size=4)
    before = table.disks[ANA][-1]
    cut_off(table, BEN)
    table.wait(30 * S)
    go_on_without(table, ANA, gone=BEN)
    assert table.come_back(ANA, before) is None
    table.wait(S)
    assert table[ANA].handheld.own_seat.lost
    table.close()


def test_a_keeper_that_began_an_epoch_and_forgot_it_begins_none_again(tmp_path):
    table = watched(tmp_path, ROUND[:3], size=4)
    cut_off(table, BEN)
    table.wait(30 * S)
    go_on_without(table, CEM, DORA, gone=BEN)
    before = table.disks[ANA][-1]
    go_on_without(table, ANA, gone=BEN)
    table.wait(5 * S)
    assert table[ANA].handheld.own_seat.epoch == 17
    assert table.come_back(ANA, before) is None
    table.wait(30 * S)
    assert table[ANA].handheld.own_seat.lost
    assert table[ANA].cup.where is Where.IDLE
    table.close()


def test_who_comes_back_into_a_newer_epoch_asks_again_there():
    """Answers of the epoch before say nothing of what it may have sent in this one."""
    log = PublicLog(RULES["class"], ("Ana", "Ben", "Cem"), ANA)
    sealers = [Sealer(keys_of_table(bytes(32), seat, range(3)), seat, 16) for seat in range(3)]
    vote = Vote(17, 1 << ANA, BEN, 16, log.at, BEN)
    votes = tuple(signed(sealers[seat], vote) for seat in (BEN, CEM))
    parts = SeatParts(log, sealers[CEM], SeatState(Cup(16), votes, resumed=True), bytes, fair=False)
    core = Seat(parts)
    core.start(0)
    core.take_effects()
    ben = sealers[BEN].at(17)
    core.receive(ben.seal(Want(0), CEM), S)
    assert (parts.epoch, parts.mode) == (17, Mode.RETURNING)
    left = [effect for effect in core.take_effects() if isinstance(effect, SendToSeat)]
    sent = [ben.open(effect.frame)[1] for effect in left if effect.seat == BEN]
    assert [message.nonce > 0 for message in sent if isinstance(message, Want)] == [True]


def test_an_entry_that_is_not_told_yet_keeps_nobody_from_answering(tmp_path):
    table = WatchedTable(3, folder=tmp_path, seed=3, game="maxen")
    chance = Random(1)
    while not (table.acting.seat == BEN and untold(table[BEN])):
        with suppress(UndoneError):
            table.walk(chance, most=1)
    table.lost = lambda sender, receiver, message: CEM in (sender, receiver)
    assert table.come_back(ANA, table.disks[ANA][2]) is None
    table.wait(60 * S)
    assert table[ANA].handheld.own_seat.lost
    table.close()


def untold(place):
    own_seat = place.handheld.own_seat
    return own_seat.public_end < own_seat.log.index
