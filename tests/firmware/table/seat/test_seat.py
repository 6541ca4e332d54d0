"""The log and the cup between handhelds: what is written first, and what nobody can forge."""

import pytest
from msgspec import structs

from firmware.display.screens import AlertPage
from firmware.display.text.labels import Alert
from firmware.effects import Received, SendToSeat, Store, Stored
from firmware.input.gestures import Shaken, Tap, Uncovered
from firmware.table.handover import Where
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol import LogPosition as At
from firmware.table.protocol import messages as cups
from firmware.table.protocol.messages import EMPTY, Contents, Log, Want
from firmware.table.protocol.sealing import Sealer, keys_of_table
from firmware.table.seat.cup_custody import CupProgress, Position
from game.actions import Announce, Believe, Doubt, GiveIn, Lift, Roll, StopMatch
from tests.support import core_table as cores
from tests.support.net import S, drop
from tests.support.seats import cheat, log_like, offer, signing, wished


@pytest.fixture
def table():
    return cores.CoreTable(3, dice={0: [(6, 3)]})


# ---- written first -------------------------------------------------------------------------------


def effects_of(table, seat, report):
    return table[seat].handheld.handle(report, table.now_us)


def test_entries_of_a_proposal_are_entered_only_from_one_that_is_ahead(table):
    table.choose(0, Roll())
    sync, at = table[1].own_seat.sync, table[1].own_seat.log.at
    known = cups.Propose(1, at, asks=True, announced=None, count=1, entries=b"x")
    assert sync.last_of(known) is None
    ahead = structs.replace(known, at=At(at.index + 1, at.digest))
    assert sync.last_of(ahead) == Log(at.index, 1, b"x", at.digest)


def test_a_write_that_fails_stops_the_handheld_visibly(table):
    effects = effects_of(table, 0, Shaken(0, S))
    (store,) = [effect for effect in effects if isinstance(effect, Store)]
    stopped = effects_of(table, 0, Stored(store.ticket, "journal: disk is full"))
    assert (table[0].position, table[0].screen) == (Position.STOPPED, AlertPage(Alert.STORE))
    assert not [effect for effect in stopped if isinstance(effect, SendToSeat | Store)]
    assert table[0].handheld.next_timer_us is None
    table.now_us += 60 * S
    for report in (Shaken(0, S), Uncovered(0), Tap(0), Received(b"")):
        assert not [e for e in effects_of(table, 0, report) if isinstance(e, SendToSeat | Store)]
    assert table[0].screen == AlertPage(Alert.STORE)
    assert len(table[0].actions) == 1


# ---- telling -------------------------------------------------------------------------------------


# ---- odd and hostile peers -----------------------------------------------------------------------


def test_a_frame_of_an_epoch_that_nobody_knows_of_only_makes_a_seat_ask(table):
    offer(table)
    early = table[0].sealer.at(table[0].sealer.epoch + 1)
    ben = table[1]
    before = (ben.screen, ben.actions, ben.position, ben.own_seat.epoch)
    asked = effects_of(table, 1, Received(early.seal(cups.Taken(1), 1)))
    assert [(effect.seat, table[effect.seat].sealer.open(effect.frame)[1]) for effect in asked] == [
        (seat, Want(2)) for seat in (0, 2)
    ]
    assert effects_of(table, 1, Received(early.seal(cups.Taken(2), 1))) == [], "not at once again"
    after = (ben.screen, ben.actions, ben.position, ben.own_seat.epoch)
    assert after == before


def test_frames_that_nobody_of_the_table_sealed_change_nothing(table):
    offer(table)
    good = table[0].sealer.seal(cups.Taken(1), 1)
    stranger = Sealer(keys_of_table(bytes(32), 0, range(3)), 0, 1)
    forged = [
        b"",
        good[:-1] + bytes([good[-1] ^ 1]),
        stranger.seal(cups.Taken(1), 1),
        table[0].sealer.seal(cups.Taken(1), 2),
        table[0].sealer.at(9).seal(cups.Taken(1), 1),
    ]
    before = (table[1].screen, table[1].actions, table[1].position)
    for frame in forged:
        assert effects_of(table, 1, Received(frame)) == []
    assert (table[1].screen, table[1].actions, table[1].position) == before


def answered(table, choice, contents, *, announced=65):
    """Let Ben answer Ana's offer, and Ana give him another cup than hers."""
    drop(table, cups.Give)
    offer(table, announced)
    table.choose(1, choice)
    (propose,) = {m.hop for _, m, _ in table[0].left if isinstance(m, cups.Propose)}
    cheat(table, 0, cups.Give(propose, contents), 1)


@pytest.mark.whole
@pytest.mark.parametrize("choice", [Doubt(), Believe(), GiveIn()], ids=lambda c: type(c).__name__)
@pytest.mark.parametrize("contents", [EMPTY, Contents((6,)), Contents((6, 3, 1))], ids=repr)
def test_a_cup_that_cannot_be_stops_the_table_and_is_not_taken(table, choice, contents):
    answered(table, choice, contents, announced=21 if choice == GiveIn() else 65)
    assert table[1].position is Position.STOPPED
    assert table[1].screen == AlertPage(Alert.RECORDS_DIFFER)
    assert table[1].cup.where is Where.ANSWERED, "nothing of it is on the disk"
    assert not table[1].own_seat.holding
    assert not [m for _, m, _ in table[1].left if isinstance(m, cups.Taken)]
    table.wait(20 * S)
    assert table[0].own_seat.progress(table.now_us) is CupProgress.SILENT


def test_my_own_dice_come_back_as_they_were_or_the_table_stops(table):
    offer(table, 63)
    table.choose(1, Believe())
    table.choose(1, Announce(64), wait_us=S)
    table.choose(2, Believe())
    drop(table, cups.Give)
    table.choose(2, Announce(65), wait_us=S)
    table.choose(0, Doubt())
    hop = max(m.hop for _, m, _ in table[2].left if isinstance(m, cups.Propose))
    cheat(table, 2, cups.Give(hop, Contents((5, 4))), 0)
    assert table[0].screen == AlertPage(Alert.RECORDS_DIFFER)
    assert Lift((5, 4)) not in table[0].actions


def test_a_record_that_moved_on_after_the_answer_stops_the_table(table):
    drop(table, cups.Give)
    offer(table)
    table.choose(1, Believe())
    forged = log_like(PublicLog(table.rules, table.names, table.first), Roll(None), Announce(65))
    forged.append(StopMatch(), wished(table, StopMatch(), 0, 2), signing(table[0]))
    cheat(table, 0, forged.part(0), 1)
    assert table[1].position is Position.OVER
    hop = max(m.hop for _, m, _ in table[0].left if isinstance(m, cups.Propose))
    cheat(table, 0, cups.Give(hop, Contents((6, 3))), 1)
    assert table[1].screen == AlertPage(Alert.RECORDS_DIFFER)


@pytest.mark.parametrize("seat", [1, 2], ids=["next", "third"])
def test_an_offer_that_the_record_knows_nothing_of_stops_the_table(table, seat):
    table.choose(0, Roll())
    at = table[0].own_seat.log.at
    cheat(table, 0, cups.Propose(1, at, asks=True, announced=65), seat)
    assert table[seat].screen == AlertPage(Alert.CAUGHT_CUP, "Ana")


def test_another_record_at_an_answer_keeps_the_cup_where_it_is(table):
    offer(table)
    other = At(table[0].match.turn, bytes(8))
    cheat(table, 1, cups.Answer(1, cups.CupAnswer.BELIEVE, other), 0)
    assert (1, Want(0)) in [send[:2] for send in table[0].left]
    assert table[0].cup.where is Where.PROPOSED
