"""Over infrared alone: all are told at once, and nobody is believed what he has not signed."""

from random import Random

import pytest

from firmware.device import SeatMaker
from firmware.effects import SendToSeat, Shell
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol import EVERY_SEAT, MessageKind, kind_of, receiver_of
from firmware.table.protocol.messages import Log, Propose, Recall, Want
from firmware.table.seat import turn, voting
from firmware.table.seat.cup_custody import Position as Where
from game.actions import Announce, Believe, Leave, Roll, VoidRound
from tests.firmware.table.seat.test_insiders import begun_unheard
from tests.support.core_table import CoreTable
from tests.support.net import S, cut_off, drop
from tests.support.seats import cast_votes, cheat_all, log_like, offer, signing
from tests.support.tables import fixed

ANA, BEN, CEM = range(3)


@pytest.fixture
def table():
    return CoreTable(3, seed=4, by_light=True)


def said(table, seat, kind):
    """Return the frames of a kind that a seat has sent: receiver and frame."""
    return [(to, message) for to, message, _ in table[seat].left if isinstance(message, kind)]


def test_who_lacks_nothing_says_so_later_and_once_and_who_is_asked_at_once(table):
    drop(table, Log)
    offer(table)
    table.lost = None
    while not said(table, CEM, Want):
        assert len(table.records) == 2 or said(table, BEN, Want)[-1] == (ANA, Want(2))
        table.wait(S // 10)
    table.wait(20 * S)
    assert said(table, CEM, Want) == [(ANA, Want(2))]


def test_who_tells_what_others_have_signed_tells_each_alone(kept):
    """By the key of the pair it is shown who tells it."""
    table = kept(seed=4, by_light=True)
    offer(table)
    told = len(table[BEN].left)
    table.restart(table[BEN])
    table.wait(10 * S)
    frames = [frame for _, message, frame in table[BEN].left[told:] if isinstance(message, Log)]
    assert sorted(map(receiver_of, frames)) == [ANA, CEM]


@pytest.mark.parametrize(("carrier", "told"), [(None, {EVERY_SEAT}), (BEN, {BEN, CEM})])
def test_where_one_carries_for_others_each_is_told_alone(carrier, told):
    """What is carried names who is to have it."""
    table = fixed("ABC", ANA, carrier=carrier)
    handheld, _ = SeatMaker(Random(1).randbytes, fair=False, by_light=True).new(table)
    handheld.start(0, Shell())
    turn.throw(handheld.own_seat, None, 0)
    sent = [each for each in handheld.own_seat.outbox.take() if isinstance(each, SendToSeat)]
    logs = [each.frame for each in sent if kind_of(each.frame) == MessageKind.LOG]
    assert set(map(receiver_of, logs)) == told


# Whoever is at the table has the key of what is for all


def test_who_speaks_for_another_keeps_no_dead_handheld_at_the_table(table):
    offer(table)
    cut_off(table, BEN)
    story = table[CEM].own_seat.log
    for _ in range(4):
        table.wait(10 * S)
        cheat_all(table, CEM, story.part(0), BEN)
    assert BEN in voting.gone(table[ANA].own_seat, table.now_us)


def test_who_is_heard_by_what_he_has_signed_is_there(table):
    """Cem hears nothing of Ana but what she tells all."""
    table.lost = lambda sender, to, _message: (sender, to) in ((BEN, CEM), (CEM, BEN))
    drop(table, Propose)
    table.choose(ANA, Roll(), wait_us=19 * S)
    table.choose(ANA, Announce(65), wait_us=19 * S)
    assert ANA not in voting.gone(table[CEM].own_seat, table.now_us)
    table.wait(2 * S)
    assert ANA in voting.gone(table[CEM].own_seat, table.now_us)


@pytest.mark.parametrize("speaking_for", [ANA, BEN])
def test_what_nobody_has_signed_stops_nobody(table, speaking_for):
    offer(table)
    other = log_like(PublicLog(table.rules, table.names, table.first), Roll(), Announce(61))
    cheat_all(table, CEM, other.part(0), speaking_for)
    cheat_all(table, CEM, other.part(1), speaking_for)
    assert table[BEN].actions == (Roll(), Announce(65))
    table.choose(BEN, Believe(), wait_us=20 * S)
    assert table[BEN].position is Where.MINE
    assert len(table.records) == 1


def test_nobody_says_for_its_keeper_where_an_epoch_began():
    table = begun_unheard(CoreTable(5, seed=4, by_light=True))
    late = table[3].own_seat
    begun = table[BEN].own_seat.log
    for story in (begun.part(0, 0), begun.part(0, 1)):
        cheat_all(table, CEM, story, BEN)
        assert late.epoch == table[BEN].own_seat.epoch
        assert late.unsynced
        assert late.log.index == 1
    begins = VoidRound(), Leave(ANA), Leave(BEN), Roll(), Announce(31)
    made_up = log_like(begun, *begins, entries=1, sign=signing(table[CEM]))
    cheat_all(table, CEM, made_up.part(0), BEN)
    assert late.log.index == 1
    table.lost = lambda sender, to, _message: ANA in (sender, to)
    table.wait(10 * S)
    assert not late.unsynced
    assert late.log.at == table[BEN].own_seat.log.at


def test_nobody_makes_another_forget_by_what_it_is_said_to_have_told(kept):
    """Ben had no power while the others began an epoch without him, in which Cem speaks for him."""
    table = kept(seed=4, by_light=True)
    offer(table)
    cut_off(table, BEN, wait_us=25 * S)
    cast_votes(table, ANA, CEM, gone=BEN)
    table.wait(5 * S)
    cheat_all(table, CEM, table[CEM].own_seat.log.part(0), BEN)
    table.lost = lambda sender, _to, message: sender != BEN and not isinstance(message, Recall)
    table.restart(table[BEN])
    table.wait(5 * S)
    assert not table[BEN].own_seat.lost
