"""A handheld that has lost its journal comes back: it asks to be let go, and watches.

A copy of a whole journal is as good as the journal: only the others can tell that it is old.
"""

from random import Random

import pytest

from firmware.device.open import open_match
from firmware.display.screens import AlertPage, WaitingPage
from firmware.display.text.labels import Alert
from firmware.effects import SendToSeat
from firmware.input.controls import Without
from firmware.journal.sqlite import Journal
from firmware.play.turn.offers import menu
from firmware.table.handover import Cup, Where
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol.messages import Vote, Want, Wish
from firmware.table.protocol.sealing import Sealer, keys_of_table
from firmware.table.seat import voting
from firmware.table.seat.cup_custody import Position
from firmware.table.seat.memory import SeatState
from firmware.table.seat.parts import Mode, SeatParts
from firmware.table.seat.seat import Seat
from game import RULES
from game.actions import Announce, Believe, Leave, Roll
from tests.support import core_table as cores
from tests.support.net import cut_off, drop
from tests.support.seats import S, ends, go_on_without, signed

ANA, BEN, CEM, DORA = range(4)
TO_BEN = ((ANA, Roll()), (ANA, Announce(65)), (BEN, Believe()))


@pytest.mark.whole
def test_a_cup_that_is_offered_to_it_is_taken_back(kept):
    table = kept(TO_BEN[:2])
    assert table[BEN].position is Position.OFFERED
    drop(table, Wish)
    table.forget(BEN)
    table.wait(10 * S)
    assert table[BEN].position is Position.WATCHING, "it may have answered otherwise before"
    assert table[ANA].position is Position.PASSING
    table.lost = None
    table.wait(10 * S)
    assert table[ANA].actions[-1] == Leave(BEN)
    assert table[CEM].position is Position.OFFERED, "the announcement goes to the next"
    assert ends(table, 1)


@pytest.mark.whole
def test_a_cup_that_it_had_is_voted_void_at_once(kept):
    table = kept(TO_BEN)
    assert table[BEN].position is Position.MINE
    table.forget(BEN)
    table.wait(5 * S)
    assert voting.gone(table[ANA].own_seat, table.now_us) == (BEN,)
    assert voting.gone(table[BEN].own_seat, table.now_us) == (), "it has no vote"
    assert Without(BEN) not in menu(table[BEN].match, BEN, ()).held
    go_on_without(table, CEM, ANA, gone=BEN)
    table.cup_gone = False
    assert table.epochs == [17, 17, 17]
    assert table[BEN].cup.where is Where.IDLE
    assert table[BEN].screen != AlertPage(Alert.MEMORY_LOST)
    assert ends(table, 1)
    assert len(table.records) == 1


def test_it_stays_so_through_a_power_cut(kept):
    table = kept(TO_BEN)
    cut_off(table, CEM)
    table.forget(CEM)
    table.restart(table[CEM], begin=False)
    assert table[CEM].screen == AlertPage(Alert.MEMORY_LOST)
    table.lost = None
    table.wait(10 * S)
    table.restart(table[CEM], begin=False)
    table.wait(S)
    assert isinstance(table[CEM].screen, WaitingPage)
    assert table[CEM].own_seat.lost


def test_a_table_that_never_began_can_still_be_begun(tmp_path):
    table = cores.CoreTable(3, folder=tmp_path)
    settings = table.settings(0)
    table.close()
    for file in tmp_path.glob("seat0*"):
        file.unlink()
    for begin, position in ((False, Position.WATCHING), (True, Position.MINE)):
        with Journal(settings.journal) as journal:
            handheld = open_match(settings, journal, bytes, begin=begin).handheld
        assert handheld.position is position
        assert handheld.own_seat.lost is not begin


ROUND = (
    (ANA, Roll()), (ANA, Announce(31)), (BEN, Believe()),
    (BEN, Roll()), (BEN, Announce(32)), (CEM, Believe()),
    (CEM, Roll()), (CEM, Announce(41)), (ANA, Believe()),
)  # fmt: skip


@pytest.mark.whole
@pytest.mark.parametrize(("seat", "share"), [(ANA, 0.5), (BEN, 0.0), (CEM, 0.5)])
def test_an_old_copy_of_a_journal_is_a_lost_memory(watched, seat, share):
    table = watched(ROUND)
    disks = table.disks[seat]
    held = table[seat].own_seat.holding
    assert table.come_back(seat, disks[int(share * (len(disks) - 1))]) is None
    table.wait(S)
    assert table[seat].own_seat.lost
    assert table[seat].cup.where is Where.IDLE
    table.play_on(Random(1))
    assert table[seat].own_seat.lost
    assert table.over or held or any(place.own_seat.holding for place in table.places)
    assert not table.accusers


def test_who_comes_back_says_nothing_with_a_body_before_the_others_have_answered(watched):
    table = watched(ROUND)
    holder = next(place for place in table.places if place.own_seat.holding)
    table.lost = lambda sender, receiver, message: holder.seat in (sender, receiver)
    holder.left.clear()
    assert table.come_back(holder.seat, table.disks[holder.seat][-1]) is None
    assert len(holder.left) == 2, "it asks both at once"
    table.wait(60 * S)
    assert holder.position is Position.WATCHING
    assert holder.screen == AlertPage(Alert.RETURNING)
    (asked,) = {message for _, message, _ in holder.left}
    assert asked == Want(len(holder.entries), asked.nonce)
    assert asked.nonce
    table.lost = None
    table.wait(5 * S)
    assert holder.position is Position.MINE


def test_who_is_silent_for_long_is_not_waited_for(watched):
    table = watched(ROUND)
    holder = next(place for place in table.places if place.own_seat.holding)
    silent = (holder.seat + 1) % 3
    table.lost = lambda sender, receiver, message: silent in (sender, receiver)
    assert table.come_back(holder.seat, table.disks[holder.seat][-1]) is None
    table.wait(19 * S)
    assert holder.position is Position.WATCHING
    table.wait(5 * S)
    assert holder.position is Position.MINE


def test_a_keeper_that_began_an_epoch_and_forgot_it_begins_none_again(watched):
    table = watched(ROUND[:3], 4)
    cut_off(table, BEN, wait_us=30 * S)
    go_on_without(table, CEM, DORA, gone=BEN)
    before = table.disks[ANA][-1]
    go_on_without(table, ANA, gone=BEN)
    table.wait(5 * S)
    assert table[ANA].own_seat.epoch == 17
    assert table.come_back(ANA, before) is None
    table.wait(30 * S)
    assert table[ANA].own_seat.lost
    assert table[ANA].cup.where is Where.IDLE


def test_who_comes_back_into_a_newer_epoch_asks_again_there():
    """Answers of the epoch before say nothing of what it may have sent in this one."""
    log = PublicLog(RULES["class"], ("Ana", "Ben", "Cem"), ANA)
    sealers = [Sealer(keys_of_table(bytes(32), seat, range(3)), seat, 16) for seat in range(3)]
    vote = Vote(17, frozenset({ANA}), BEN, 16, log.at, BEN)
    votes = tuple(signed(sealers[seat], vote) for seat in (BEN, CEM))
    state = SeatState(Cup(16), votes, resumed=True)
    parts = SeatParts(log, sealers[CEM], state, lambda size: b"\1" * size, fair=False)
    core = Seat(parts)
    core.start(0)
    core.take_effects()
    ben = sealers[BEN].at(17)
    core.receive(ben.seal(Want(0), CEM), S)
    assert (parts.epoch, parts.mode) == (17, Mode.RETURNING)
    left = [effect for effect in core.take_effects() if isinstance(effect, SendToSeat)]
    sent = [ben.open(effect.frame)[1] for effect in left if effect.seat == BEN]
    asked = [message.nonce for message in sent if isinstance(message, Want)]
    assert asked == [0x0101 + 1], "two bytes of chance, and never 0"
