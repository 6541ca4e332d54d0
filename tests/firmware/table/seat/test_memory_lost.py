"""A handheld that has lost its journal comes back: it asks to be let go, and watches."""

from dataclasses import replace
from random import Random

import pytest

from firmware.device.open import open_match
from firmware.display.screens import AlertPage, WaitingPage
from firmware.display.text.labels import Alert
from firmware.effects import SendToSeat
from firmware.input.controls import Without
from firmware.journal.sqlite import Journal
from firmware.play.turn.offers import menu
from firmware.table.handover import Where
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol.messages import Vote, Want, Wish, WishKind
from firmware.table.protocol.sealing import Sealer, keys_of_table
from firmware.table.seat import voting
from firmware.table.seat.cup_custody import Position
from firmware.table.seat.memory import SeatState
from firmware.table.seat.parts import SeatParts
from firmware.table.seat.seat import Seat
from game import RULES
from game.actions import Announce, Believe, Leave, Roll
from tests.support import core_table as cores
from tests.support.seats import cut_off, drop, ends, go_on_without, signed, take_turns

S = 1_000_000
ANA, BEN, CEM, DORA = range(4)
TO_BEN = ((ANA, Roll()), (ANA, Announce(65)), (BEN, Believe()))


@pytest.fixture
def played(tmp_path):
    """Makes a table at which some things were done; in the end it is closed."""
    tables = []

    def make(actions, *, size=3, game="class", **more):
        tables.append(cores.CoreTable(size, game=game, folder=tmp_path, **more))
        take_turns(tables[-1], actions)
        return tables[-1]

    yield make
    for table in tables:
        table.close()


def records(table):
    return {place.handheld.own_seat.log.digest for place in table.places}


def test_it_says_nothing_that_it_could_have_said_otherwise_before(played):
    table = played(TO_BEN)
    table[CEM].left.clear()
    table.forget(CEM)
    table.wait(10 * S)
    table.walk(Random(1))
    said = [message for _, message, _ in table[CEM].left]
    assert {type(message) for message in said} == {Want, Wish}
    assert {message.wished for message in said if isinstance(message, Wish)} == {WishKind.LEAVE}


def test_a_cup_that_is_offered_to_it_is_taken_back(played):
    table = played(TO_BEN[:2])
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


def test_a_cup_that_it_had_is_voted_void_at_once(played):
    table = played(TO_BEN)
    assert table[BEN].position is Position.MINE
    table.forget(BEN)
    table.wait(5 * S)
    assert voting.gone(table[ANA].handheld.own_seat, table.now_us) == (BEN,)
    assert voting.gone(table[BEN].handheld.own_seat, table.now_us) == (), "it has no vote"
    assert Without(BEN) not in menu(table[BEN].match, BEN, ()).held
    go_on_without(table, CEM, ANA, gone=BEN)
    table.cup_gone = False
    assert [place.handheld.own_seat.epoch for place in table.places] == [17, 17, 17]
    assert table[BEN].cup.where is Where.IDLE
    assert table[BEN].screen != AlertPage(Alert.MEMORY_LOST)
    assert ends(table, 1)
    assert len(records(table)) == 1


def test_it_stays_so_through_a_power_cut(played):
    table = played(TO_BEN)
    cut_off(table, CEM)
    table.forget(CEM)
    table.restart(table[CEM], begin=False)
    assert table[CEM].screen == AlertPage(Alert.MEMORY_LOST)
    table.lost = None
    table.wait(10 * S)
    table.restart(table[CEM], begin=False)
    table.wait(S)
    assert isinstance(table[CEM].screen, WaitingPage)
    assert table[CEM].handheld.own_seat.lost


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


def test_a_seat_without_a_memory_begins_no_epoch_and_tells_no_record():
    """Others may still have a vote that names it keeper, and its own that it has forgotten."""
    log = PublicLog(RULES["class"], ("Ana", "Ben", "Cem"), 0)
    ana, ben = (Sealer(keys_of_table(bytes(32), seat, range(3)), seat, 16) for seat in (ANA, 1))
    seat = SeatParts(log, ana, replace(SeatState.forgotten(1), unsynced=False), bytes)
    core = Seat(seat)
    core.start(0)
    vote = signed(ben, Vote(17, 1 << CEM, ANA, 16, log.at, BEN))
    core.receive(ben.at(17).seal(vote, ANA), 0)
    assert seat.open_votes == ((1, vote),)
    assert (seat.epoch, seat.holding, log.index) == (16, False, 0)
    left = [effect for effect in core.take_effects() if isinstance(effect, SendToSeat)]
    sent = {type(ben.open(effect.frame)[1]) for effect in left if effect.seat == 1}
    assert sent == {Want, Wish}
