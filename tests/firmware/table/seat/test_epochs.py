"""Going on without a handheld that is gone for good, and with it the cup (B-10)."""

from dataclasses import replace
from functools import partial

import pytest

from firmware.effects import Received
from firmware.table.handover import Cup, Where
from firmware.table.log.entries import Signature, encode_entry
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol import EVERY_SEAT
from firmware.table.protocol.messages import Log, Vote, Want
from firmware.table.protocol.sealing import Sealer, keys_of_table
from firmware.table.seat import voting
from firmware.table.seat.cup_custody import Position
from firmware.table.seat.log_sync import Adopted, Differs
from firmware.table.seat.memory import SeatState
from firmware.table.seat.parts import SeatParts
from firmware.table.seat.seat import Seat, SeatBelief
from game import RULES, Status
from game.actions import Announce, Believe, Leave, Roll, VoidRound
from tests.support import core_table as cores
from tests.support.net import S, cut_off
from tests.support.seats import cast_votes, ends, go_on_without, signed, take_turns
from tests.support.tables import KEY

LONG = 30 * S
ANA, BEN, CEM, DORA, EMIL = range(5)


def table_without(seat, *, size=3, play=(), folder=None, game="class", **more):
    """A table at which some things were done, and then a handheld vanished."""
    table = cores.CoreTable(size, game=game, folder=folder, **more)
    take_turns(table, play)
    cut_off(table, seat, wait_us=LONG)
    return table


TO_BEN = ((ANA, Roll()), (ANA, Announce(65)), (BEN, Believe()))


@pytest.mark.whole
def test_who_comes_back_with_the_old_cup_voids_it_and_watches():
    table = table_without(BEN, play=TO_BEN)
    table.choose(BEN, Roll())
    go_on_without(table, CEM, gone=BEN)
    assert table.epochs == [16, 16, 16], "one of three is no majority"
    go_on_without(table, ANA, gone=BEN)
    assert table.epochs == [17, 16, 17]
    assert table[ANA].actions[-2:] == (VoidRound(), Leave(BEN))
    assert (table[ANA].position, table[CEM].position) == (Position.MINE, Position.WATCHING)
    assert table[ANA].match.status[BEN] is Status.LEFT
    assert table[BEN].cup.where is Where.HOLDING
    table.lost = None
    table.wait(LONG)
    assert table.epochs == [17, 17, 17]
    assert table[BEN].cup.where is Where.IDLE
    assert len(table.records) == 1
    assert Roll() not in table[BEN].actions[3:], "what he threw alone is forgotten"
    assert ends(table, 1)


@pytest.mark.whole
def test_the_keeper_catches_up_before_it_begins():
    table = cores.CoreTable(4)
    take_turns(table, TO_BEN)
    gone = set()
    table.lost = lambda sender, receiver, message: (
        {sender, receiver} & gone or (receiver == ANA and isinstance(message, Log))
    )
    table.choose(BEN, Roll())
    table.choose(BEN, Announce(66))
    gone.add(CEM)
    table.wait(LONG)
    go_on_without(table, BEN, DORA, ANA, gone=CEM)
    lacks = table[BEN].own_seat.log.index - table[ANA].own_seat.log.index
    assert (lacks, table.epochs) == (2, [16, 16, 16, 16])
    table.lost = lambda sender, receiver, _: {sender, receiver} & gone
    table.wait(LONG)
    assert table.epochs == [17, 17, 16, 17]
    assert table[ANA].actions[3:5] == (Roll(), Announce(66))
    table.lost = None
    table.wait(LONG)
    assert ends(table, 4)


@pytest.mark.whole
def test_a_mistaken_vote_is_in_nobody_s_way():
    """Ben is gone with the cup. Cem was out of reach, and Ana went on without him too soon."""
    for size in (3, 4):
        table = table_without(BEN, size=size, play=TO_BEN)
        cut_off(table, BEN, CEM, wait_us=LONG)
        cast_votes(table, ANA, gone=CEM, wait_us=S)
        cut_off(table, BEN, wait_us=LONG)
        cast_votes(table, *(seat for seat in range(size) if seat != BEN), gone=BEN, wait_us=S)
        table.wait(LONG)
        assert table.epochs.pop(BEN) == 16
        assert len({epoch for epoch in table.epochs if epoch > 16}) == 1
        assert table.epochs.count(16) == 1
        assert table[ANA].cup.is_here


@pytest.mark.whole
def test_who_says_the_same_for_long_is_still_there():
    """Two vote for different seats, repeat that for minutes, and then both hear everything."""
    table = table_without(BEN, size=4, play=TO_BEN)
    cut_off(table, BEN, DORA, wait_us=LONG)
    cast_votes(table, ANA, gone=BEN, wait_us=S)
    cast_votes(table, CEM, gone=BEN, wait_us=S)
    cast_votes(table, CEM, gone=DORA, wait_us=S)
    table.wait(10 * LONG)
    cut_off(table, BEN, wait_us=LONG)
    cast_votes(table, DORA, gone=BEN, wait_us=S)
    table.wait(LONG)
    assert table.epochs.count(16) == 1
    assert len({*table.epochs}) == 2
    assert [place.cup.is_here for place in table.places if place.seat != BEN].count(True) == 1


@pytest.mark.whole
def test_nobody_is_led_to_the_last_epoch_or_to_another_keeper():
    table = table_without(EMIL, size=5, play=TO_BEN)
    at = table[ANA].own_seat.log.at
    gone = frozenset({EMIL})
    for vote in (Vote(31, gone, ANA, 16, at), Vote(17, gone, DORA, 16, at)):
        for seat in (ANA, BEN, CEM):
            liar = table[DORA].sealer.at(vote.epoch)
            table.do(seat, Received(liar.seal(signed(liar, vote), seat)))
    cast_votes(table, ANA, BEN, CEM, gone=EMIL, wait_us=S)
    table.wait(5 * S)
    assert table.epochs == [17, 17, 17, 17, 16]
    assert table[ANA].cup.is_here


def sealers_in(epoch, seats=4):
    return [Sealer(keys_of_table(KEY, seat, range(seats)), seat, epoch) for seat in range(seats)]


def story(epoch, *values):
    """A log in which each in turn announces one of these, signed in this epoch."""
    log, sealers = PublicLog(RULES["class"], cores.NAMES[:4], 0), sealers_in(epoch)

    def signing(seat, index, digest):
        signed = sealers[seat].signer.sign(Signature.statement(epoch, index, digest))
        return Signature(seat, epoch, signed)

    for place, value in enumerate(values):
        for action in (Believe() if place else Roll(), Announce(value)):
            log.append(action, sign=partial(signing, place % 4))
    return log


def against_the_rules(told):
    """The entries of a LOG, and a roll where an answer is due."""
    return Log(told.first, told.count + 1, told.entries + encode_entry(Roll(None)), bytes(8))


HERE = 31, 32, 41, 42, 43
OTHER, OLDER = story(17, *HERE[:-1], 51, 52), story(17, *HERE[1:], 51, 52)


@pytest.mark.parametrize(
    ("told", "unsynced", "kept", "synced"),
    [
        (OTHER.part(8), Adopted((), 9), 9, Differs()),
        (OTHER.part(9), Adopted((), 9), 9, Differs()),
        (OLDER.part(10), Adopted((), 2), 10, Adopted((), 2)),
        (OLDER.part(2, 1), Adopted((), 0), 10, Adopted((), 0)),
        (replace(OTHER.part(0, 8), digest=bytes(8)), Differs(), 10, Differs()),
        (against_the_rules(story(17, *HERE).part(4)), Adopted((), 0), 10, Differs()),
        (against_the_rules(story(17, *HERE).part(0)), Differs(), 10, Differs()),
    ],
    ids=["in it", "at its first", "before it", "early", "in no entry", "new", "new, of all"],
)
def test_a_seat_that_learns_cuts_what_differs_and_any_asks_for_what_is_older(
    told, unsynced, kept, synced
):
    for learns, expected, left in ((True, unsynced, kept), (False, synced, 10)):
        log, state = story(16, *HERE), SeatState(Cup(17), unsynced=learns)
        parts = SeatParts(log, sealers_in(17)[DORA], state, bytes, fair=False)
        found = parts.sync.adopt(told, None, SeatBelief(parts), BEN, knows_beginning=False)
        assert (found, log.index) == (expected, left)


def test_who_learns_may_vote_without_the_keeper_though_by_his_log_both_have_left():
    """Entries of his log beyond the epoch's start are not true any more."""
    log = PublicLog(RULES["class"], cores.NAMES[:4], 0)
    begun_at = log.at
    for seat in (0, 1):
        log.append(Leave(seat))
    sealers = sealers_in(17)
    vote = Vote(17, frozenset({2}), 0, 16, begun_at)
    votes = tuple(signed(sealers[seat], vote) for seat in (0, 1, 3))
    state = SeatState(Cup(17), votes, unsynced=True)
    own_seat = SeatParts(log, sealers[1], state, bytes, fair=False)
    Seat(own_seat).start(0)
    assert voting.gone(own_seat, 10 * S) == ()
    assert voting.gone(own_seat, 25 * S)[:2] == (0, 3)
    claims = (0, 17), (1, 17), (0, 16), (0, 18)
    begun_without = [voting.gone_before(own_seat, seat, epoch) for seat, epoch in claims]
    assert begun_without == [{2}, None, None, {0, 1, 2, 3}], "votes began 17, and none began 16"


def test_a_watcher_is_heard_for_what_it_lacks_and_for_nothing_else():
    ana, ben, *_, watcher = sealers_in(16, 5)
    log, told = story(16), story(16, 31).part(0)
    core = Seat(SeatParts(log, ben, SeatState(Cup(16)), bytes, fair=False))
    for to in (BEN, EVERY_SEAT):
        core.receive(watcher.seal(told, to), 0)
        assert (log.index, core.take_effects()) == (0, [])
    core.receive(ana.seal(told, EVERY_SEAT), 0)
    assert log.index == 2
    core.take_effects()
    core.receive(watcher.seal(Want(0), BEN), 0)
    assert EMIL in {effect.seat for effect in core.take_effects()}
